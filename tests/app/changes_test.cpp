// What changed between two steps, for every algorithm, against a plain look at every element.

#include <set>
#include <tuple>

#include "algorithms/trace/trace.hpp"
#include "app/session/run.hpp"
#include "tests/support/catch.hpp"
#include "visualizer/model/changes.hpp"
#include "visualizer/model/count_array.hpp"

using namespace kdscope;

namespace {

/// Array (empty: the tree), component, index.
using Element = std::tuple<std::string, std::uint32_t, std::uint64_t>;

bool in_tree(const Cursor& cursor, std::uint64_t node) {
  const std::uint64_t nodes = cursor.row_size(partition_arrays::parent);
  if (node >= nodes) return false;
  const auto parent = static_cast<std::uint32_t>(cursor.number(partition_arrays::parent, node));
  if (parent < nodes) return cursor.number(partition_arrays::split_dim, parent) < cursor.trace().header.dim;
  for (std::uint64_t i = 0; i < node; ++i)
    if (cursor.number(partition_arrays::parent, i) >= nodes) return false;
  return true;
}

std::string node_text(const Cursor& cursor, std::uint64_t node) {
  std::string text;
  const std::string dim = cursor.text(partition_arrays::split_dim, node);
  text += cursor.text(partition_arrays::parent, node) + "|" + cursor.text(partition_arrays::point, node) + "|" + dim + "|";
  if (std::stoul(dim) < cursor.trace().header.dim) text += cursor.text(partition_arrays::split_value, node);
  const std::uint64_t width = 2 * cursor.trace().header.dim;
  for (std::uint64_t i = 0; i < width; ++i) text += "|" + cursor.text(partition_arrays::box, node * width + i);
  return text;
}

/// Everything that differs, found by comparing texts one by one.
std::set<Element> brute_force(const Cursor& before, const Cursor& now) {
  std::set<Element> changed;
  const Trace& trace = now.trace();
  const std::vector<std::string> counts = CountArray::names(trace);
  const std::set<std::string> nodes{partition_arrays::parent, partition_arrays::split_dim, partition_arrays::split_value,
                                    partition_arrays::box, partition_arrays::point};
  for (const Trace::Array& array : trace.arrays) {
    const ArrayInfo& info = array.info;
    if (nodes.count(info.name)) continue;
    const bool counted = std::find(counts.begin(), counts.end(), info.name) != counts.end();
    bool all = false;
    if (counted && now.row_size(info.name) > 0) {
      const auto was = CountArray::at(before, info.name), is = CountArray::at(now, info.name);
      all = !was || was->row_count() != is->row_count() || was->slot_count() != is->slot_count() || was->layer_count() != is->layer_count();
      for (std::uint64_t layer = 0; !all && layer < is->layer_count(); ++layer) all = was->first_slot(layer) != is->first_slot(layer);
      // Written again by another step of another shape, or not written since.
      if (all && was && was->written_at() == is->written_at()) all = false;
    }
    for (std::uint64_t i = 0; i < now.row_size(info.name); ++i) {
      if (!all && now.text(info.name, i) == before.text(info.name, i)) continue;
      const std::uint32_t components = info.gather ? 1 : std::max(1u, info.components);
      changed.insert({info.name, info.shown_as_row ? static_cast<std::uint32_t>(i % components) : 0, i / components});
    }
  }
  for (std::uint64_t node = 0; node < now.row_size(partition_arrays::parent); ++node)
    if (in_tree(now, node) && (!in_tree(before, node) || node_text(before, node) != node_text(now, node)))
      changed.insert({"", 0, node});
  return changed;
}

void compare(const Cursor& before, const Cursor& now) {
  const ChangeList changes(before, now);
  const std::set<Element> expected = brute_force(before, now);
  std::set<Element> found;
  for (std::uint64_t number = 0; number < changes.size(); ++number) {
    const Change change = changes.at(number);
    INFO(change.array << "[" << change.index << "]: " << change.before << " -> " << change.after);
    REQUIRE(found.insert({change.array, change.component, change.index}).second);  // each once
    REQUIRE_FALSE(change.after.empty());
    REQUIRE(change.before != change.after);
  }
  CHECK(found == expected);
}

std::shared_ptr<const Trace> recorded(const std::string& algorithm, const std::string& data) {
  RunSpec run;
  run.data = data;
  run.algorithm = algorithm;
  const auto recording = record_run(run);
  REQUIRE(recording);
  return recording->trace;
}

}  // namespace

TEST_CASE("the changes of every step of every algorithm are those that a plain comparison finds") {
  REQUIRE_FALSE(algorithms().empty());
  for (const AlgorithmSpec& algorithm : algorithms())
    for (const char* data : {"wald-10", "uniform:n=70,dim=3,seed=3", "equal:n=9,dim=1"}) {
      const auto trace = recorded(algorithm.id, data);
      Cursor before(trace), now(trace);
      std::uint64_t all = 0;
      for (std::uint32_t step = 1; step < now.step_count(); ++step) {
        INFO(algorithm.id << " on " << data << ", step " << step);
        before.seek(step - 1);
        now.seek(step);
        compare(before, now);
        all += ChangeList(before, now).size();
      }
      CHECK(all > 0);
      for (const auto& [from, to] : {std::pair{0u, now.step_count() - 1}, {now.step_count() - 1, now.step_count() / 2}}) {
        INFO(algorithm.id << " on " << data << ", step " << to << " against " << from);
        before.seek(from);
        now.seek(to);
        compare(before, now);
      }
    }
}

TEST_CASE("nothing changes between a step and itself") {
  for (const AlgorithmSpec& algorithm : algorithms()) {
    const auto trace = recorded(algorithm.id, "wald-10");
    const Cursor last(trace);
    CHECK(ChangeList(last, last).size() == 0);
    CHECK(changed_nodes(last, last).empty());
  }
}

TEST_CASE("a node tells what it was and what it is") {
  for (const AlgorithmSpec& algorithm : algorithms()) {
    const auto trace = recorded(algorithm.id, "wald-10");
    Cursor before(trace), now(trace);
    bool split = false, created = false;
    for (std::uint32_t step = 1; step < now.step_count(); ++step) {
      before.seek(step - 1);
      now.seek(step);
      for (const NodeChange& change : changed_nodes(before, now)) {
        created = created || change.is_new;
        const NodeWords words = node_words(before, now, change.node);
        CHECK(words.before.empty() == change.is_new);
        split = split || words.after.find(" = ") != std::string::npos;
      }
    }
    CHECK(split);
    CHECK(created);
  }
}
