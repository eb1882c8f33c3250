// A program for mpirun: its ranks record builds of many sets, and the first compares every step with the tree of one
// process and with what it knows of the shares.

#include <cstdio>
#include <map>
#include <memory>

#include "algorithms/cluster/rank_recording.hpp"
#include "algorithms/core/level_order.hpp"
#include "algorithms/registry/registry.hpp"
#include "algorithms/trees/left_balanced/tree.hpp"
#include "datasets/datasets.hpp"
#include "tests/cluster/sets.hpp"

using namespace kdscope;
using namespace kdscope::ranks_test;

namespace {

constexpr std::uint64_t budget = 1ull << 30;

/// Compares the steps of a trace with the finished tree of another builder. Returns the first fault; empty for none.
std::string fault_in(const std::shared_ptr<const Trace>& trace, const PointSet& points, const LeftBalancedTree& tree,
                     const std::vector<std::uint64_t>& begins) {
  const auto n = static_cast<std::uint32_t>(points.size()), ranks = static_cast<std::uint32_t>(begins.size()) - 1;
  std::vector<std::uint32_t> node_of(n), begin_rank(n);
  for (std::uint32_t node = 0; node < n; ++node) node_of[tree.point_of_node[node].value] = node;
  for (std::uint32_t r = 0; r < ranks; ++r)
    for (std::uint64_t p = begins[r]; p < begins[r + 1]; ++p) begin_rank[p] = r;
  Cursor at(trace);
  bool travelled = false;
  int levels = 0;
  std::vector<std::uint32_t> before = begin_rank;
  for (std::uint32_t step = 0; step < at.step_count(); ++step) {
    at.seek(step);
    const std::string& name = at.current().name;
    const std::string where = path_text(at.current());
    for (const CheckResult& check : at.current().checks)
      if (!check.passed) return where + ": " + check.name + ": " + check.detail;
    if (name == "split") levels = at.current().level + 1;
    const auto index = at.array("index")->as<std::uint32_t>(), rank = at.array("rank")->as<std::uint32_t>(),
               node = at.array("node")->as<std::uint32_t>(), record = at.array("record")->as<std::uint32_t>(),
               of_point = at.array("rank_of_point")->as<std::uint32_t>();
    const auto held = at.array("points held")->as<std::uint32_t>();
    if (index.size() != n || rank.size() != n || node.size() != n || held.size() != ranks) return where + ": sizes";
    std::vector<std::uint32_t> counted(ranks, 0);
    for (std::uint32_t p = 0; p < n; ++p) {
      if (index[p] >= n || rank[p] >= ranks) return where + ": no such point or rank";
      if (of_point[index[p]] != rank[p] || record[p] != counted[rank[p]]++) return where + ": a row is wrong";
      // A point is in the node to which the finished tree leads it, at the depth that is known
      const int known = name == "finish" ? 32 : levels;
      if (node[p] != level_ancestor(NodeId{node_of[index[p]]}, known).value) return where + ": a node is wrong";
    }
    for (std::uint32_t r = 0; r < ranks; ++r)
      if (held[r] != counted[r]) return where + ": counts of points are wrong";
    // Points lie where they lay until the exchange; then all of a subtree on one rank
    if (name == "exchange") {
      travelled = true;
      std::map<std::uint32_t, std::uint32_t> owner;
      const auto matrix = at.array("travelled")->as<std::uint32_t>();
      std::vector<std::uint32_t> expected(std::size_t(ranks) * ranks, 0);
      for (std::uint32_t p = 0; p < n; ++p) {
        ++expected[std::size_t(begin_rank[p]) * ranks + of_point[p]];
        const std::uint32_t subtree = level_ancestor(NodeId{node_of[p]}, levels).value;
        if (level_of(NodeId{subtree}) == levels && owner.emplace(subtree, of_point[p]).first->second != of_point[p])
          return where + ": a subtree lies on two ranks";
        if (level_of(NodeId{node_of[p]}) < levels && of_point[p] != begin_rank[p]) return where + ": a pivot travelled";
      }
      if (!std::ranges::equal(matrix, expected)) return where + ": another number of points travelled";
    } else if (!std::ranges::equal(of_point, before)) {
      return where + ": a point has changed its rank";
    }
    before.assign(of_point.begin(), of_point.end());
    if (const TypedArray* pivots = at.array("tree"))
      for (std::uint32_t i = 0; i < pivots->size(); ++i)
        if (pivots->as<std::uint32_t>()[i] != tree.point_of_node[i].value) return where + ": a pivot is wrong";
  }
  if (!travelled || at.array("tree")->size() != n) return "the trace has no end";
  return "";
}

}  // namespace

int main(int argc, char** argv) {
  cluster::Communicator ranks(argc, argv);
  std::uint64_t wrong = 0;
  std::uint32_t sets = 0;
  for (std::uint32_t number = 0; number < 50; ++number) {
    const auto whole = std::make_shared<DataSet>(**open_data_set(specification(number)));
    if (whole->points.size() > 1200) continue;
    ++sets;
    spoil(whole->points, number);
    const auto recorded = [&](std::uint64_t bytes) {
      return cluster::record_by_rank(ranks, own_share(ranks, whole->points, number), options_of(number), {whole, bytes},
                                     {});
    };
    const auto trace = recorded(budget), again = recorded(budget);
    std::string fault;
    if (!trace || !again) {
      fault = (!trace ? trace : again).error().message();
    } else if (ranks.rank() == 0) {
      RunRequest request{{}, "wald", {}, Backend::cpu, false, whole};
      if (options_of(number).split == Split::widest) request.parameters["split"] = "widest";
      const auto one = build(request);
      fault = !equal(**trace, **again) ? "two recordings differ"
              : (*trace)->header.tree_hash != one->tree_hash
                  ? "the tree is another than that of one process"
                  : fault_in(*trace, whole->points, one->tree.as<LeftBalancedTree>(),
                             cuts(whole->points.size(), ranks.size(), number));
      // A trace whose steps are taken by another program's rules
      if (const auto tree = recorded_tree(*trace); fault.empty() && (!tree || tree_hash(tree->tree) != one->tree_hash))
        fault = "the trace does not hold the tree";
    } else if (*trace) {
      fault = "a rank other than the first has a trace";
    }
    // A budget that is too small is reported by all ranks, before the build or during it
    for (const std::uint64_t little : {1000, 20000})
      if (const auto refused = recorded(little); !refused && refused.error().kind != ErrorKind::over_budget)
        fault = "another error than that of the budget";
      else if (little == 1000 && refused && whole->points.size() > 100)
        fault = "a budget of 1000 bytes is enough";
    if (!fault.empty()) std::printf("%s on rank %u: %s\n", specification(number).c_str(), ranks.rank(), fault.c_str());
    wrong += !fault.empty();
  }
  wrong = ranks.sum(wrong);
  if (ranks.rank() == 0)
    std::printf("%u recordings on %u ranks, %u faults\n", sets, ranks.size(), static_cast<unsigned>(wrong));
  return wrong == 0 ? 0 : 1;
}
