#include "algorithms/queries/recorded_batch.hpp"

#include <algorithm>
#include <numeric>

#include "algorithms/queries/replay_steps.hpp"
#include "algorithms/queries/warp_work.hpp"
#include "algorithms/text/numbers.hpp"

namespace kdscope {
namespace {

constexpr std::uint64_t most_cells = 1u << 22;

/// The node that holds each thread's query, so that a column has one colour.
constexpr const char* owner_name = "batch.owner";

/// The standard arrays of a batch (batch_arrays).
namespace batch {
constexpr ArrayDef<std::uint32_t> owner{
    {.name = owner_name, .values = Space::node, .label = "node of query", .shown_as_row = false}};
constexpr ArrayDef<std::uint32_t> query{
    {.name = batch_arrays::query, .values = Space::point, .label = "query", .owner = owner_name}};
constexpr ArrayDef<std::uint32_t> warp{
    {.name = batch_arrays::warp, .label = "warp", .order = batch_arrays::query, .owner = owner_name}};
constexpr ArrayDef<std::uint32_t> turns{
    {.name = batch_arrays::turns, .label = "nodes visited", .order = batch_arrays::query, .owner = owner_name}};
constexpr ArrayDef<std::uint32_t> idle{
    {.name = batch_arrays::idle, .label = "turns idle", .order = batch_arrays::query, .owner = owner_name}};
constexpr ArrayDef<std::uint32_t> visits{
    {.name = batch_arrays::visits, .index = Space::point, .label = "nodes visited", .shown_as_row = false}};
constexpr ArrayDef<std::uint32_t> lanes{
    {.name = batch_arrays::lanes,
     .index = Space::none,
     .label = "lanes at work",
     .shown_as_row = false,
     .dimensions = {{{"warp", batch_arrays::warp}, {"turn", batch_arrays::turns}}}}};
constexpr ArrayDef<std::uint32_t> nodes{
    {.name = batch_arrays::nodes,
     .index = Space::none,
     .label = "different nodes",
     .shown_as_row = false,
     .dimensions = {{{"warp", batch_arrays::warp}, {"turn", batch_arrays::turns}}}}};
}  // namespace batch

/// What the threads of a batch do in one order.
struct InOrder {
  std::vector<std::uint32_t> turns, warp, idle, lanes, nodes;

  /// in_packets: lanes do not take turns of their own, so there are no idle ones.
  InOrder(const SearchReport& report, const std::vector<std::vector<std::uint32_t>>& nodes_of_query, bool in_packets) {
    const auto& order = report.order;
    const std::uint32_t most =
        report.visited.empty() ? 0 : *std::max_element(report.visited.begin(), report.visited.end());
    const std::uint64_t warps = (order.size() + lanes_per_warp - 1) / lanes_per_warp;
    if (!in_packets && warps * (most + std::uint64_t(1)) <= most_cells) lanes.resize(warps * (most + std::uint64_t(1)));
    if (!nodes_of_query.empty()) nodes.resize(lanes.size());
    std::vector<std::uint32_t> in_turn;
    for (std::size_t first = 0; first < order.size(); first += lanes_per_warp) {
      const std::size_t end = std::min(first + lanes_per_warp, order.size());
      std::uint32_t longest = 0;
      for (std::size_t thread = first; thread < end; ++thread)
        longest = std::max(longest, report.visited[order[thread]]);
      for (std::size_t thread = first; thread < end; ++thread) {
        const std::uint32_t visited = report.visited[order[thread]];
        turns.push_back(visited);
        warp.push_back(static_cast<std::uint32_t>(first / lanes_per_warp));
        if (!in_packets) idle.push_back(longest - visited);
        for (std::uint32_t turn = 0; turn < visited && !lanes.empty(); ++turn)
          ++lanes[first / lanes_per_warp * (most + std::size_t(1)) + turn];
      }
      for (std::uint32_t turn = 0; turn < longest && !nodes.empty(); ++turn) {
        in_turn.clear();
        for (std::size_t thread = first; thread < end; ++thread)
          if (const auto& visited = nodes_of_query[order[thread]]; turn < visited.size())
            in_turn.push_back(visited[turn]);
        std::ranges::sort(in_turn);
        const auto same = std::ranges::unique(in_turn);
        nodes[first / lanes_per_warp * (most + std::size_t(1)) + turn] =
            static_cast<std::uint32_t>(same.begin() - in_turn.begin());
      }
    }
  }
};

/// Returns what an order costs: "a query visits 40 nodes on average. A warp takes 61 turns; in a turn 21 of its lanes
/// are at work, at 17 different nodes".
std::string cost_of(const SearchReport& report, const InOrder& in_order) {
  const WarpWork work = warp_work(report.visited, report.order);
  const auto warps = static_cast<double>((report.order.size() + lanes_per_warp - 1) / lanes_per_warp);
  const auto queries = static_cast<double>(std::max<std::size_t>(1, report.order.size()));
  const auto turns = static_cast<double>(std::max<std::uint64_t>(1, work.turns));
  const std::string visits = short_number(static_cast<double>(work.visits) / queries, 3);
  if (in_order.idle.empty()) return "the packet of a query visits " + visits + " subtrees on average";
  std::string text = "a query visits " + visits + " nodes on average. A warp takes " +
                     short_number(static_cast<double>(work.turns) / std::max(1.0, warps), 3) + " turns; in a turn " +
                     short_number(static_cast<double>(work.visits) / turns, 3) + " of its lanes are at work";
  if (in_order.nodes.empty()) return text;
  const double nodes = std::accumulate(in_order.nodes.begin(), in_order.nodes.end(), 0.0);
  return text + ", at " + short_number(nodes / turns, 3) + " different nodes";
}

}  // namespace

std::shared_ptr<const Trace> replay_batch(const BatchReplay& what, TraceHeader header, const RunControl& control,
                                          std::size_t most_steps) {
  ReplaySteps steps(what.built, what.spec, std::move(header), control, most_steps);
  ArrayList list(steps.header());
  const bool in_packets = what.spec.serves_packets;
  list.add(batch::query, batch::owner, batch::warp, batch::turns, batch::visits);
  if (!in_packets) list.add(batch::idle);
  const InOrder given(what.given, what.nodes_of_query, in_packets),
      morton(what.morton, what.nodes_of_query, in_packets);
  if (!given.lanes.empty()) list.add(batch::lanes);
  if (!given.nodes.empty()) list.add(batch::nodes);
  steps.declare(list);
  Cursor end(what.built);
  end.seek(end.step_count());
  const TypedArray* node_of_point = end.array(partition_arrays::node_of_point);
  const auto write = [&](StepWriter& writer, const SearchReport& report, const InOrder& in_order) {
    std::vector<std::uint32_t> owner;
    for (const std::uint32_t point : report.order)
      owner.push_back(node_of_point && point < node_of_point->size() ? node_of_point->as<std::uint32_t>()[point]
                                                                     : no_id);
    writer.wrote(batch::query, report.order);
    writer.wrote(batch::owner, owner);
    writer.wrote(batch::warp, in_order.warp);
    writer.wrote(batch::turns, in_order.turns);
    if (!in_order.idle.empty()) writer.wrote(batch::idle, in_order.idle);
    writer.wrote(batch::visits, report.visited);
    if (!in_order.lanes.empty()) writer.wrote(batch::lanes, in_order.lanes);
    if (!in_order.nodes.empty()) writer.wrote(batch::nodes, in_order.nodes);
    writer.launched((report.order.size() + 255) / 256, 256);
  };
  if (!steps.add_finished_tree({"batch", "finished tree"}, [&](StepWriter& writer) {
        writer.title() = what.spec.title + ": every point becomes a query of the finished tree";
      }))
    return steps.finish();
  if (steps.add({"batch", "given order"}, StepKind::launch, [&](StepWriter& writer) {
        writer.title() =
            (in_packets ? "In the order into which the search sorts the points, " : "In the order of the points, ") +
            cost_of(what.given, given) + ".";
        write(writer, what.given, given);
      }))
    steps.add({"batch", "Morton order"}, StepKind::launch, [&](StepWriter& writer) {
      writer.title() = "In the order along a Morton curve, " + cost_of(what.morton, morton) + ".";
      write(writer, what.morton, morton);
      for (const CheckResult& check : what.checks) writer.check(check);
    });
  return steps.finish();
}

}  // namespace kdscope
