// Tests trees whose leaves keep buckets, in every model of the tree, for every algorithm that makes such trees.

#include <map>
#include <set>

#include "app/recording/run.hpp"
#include "tests/app/small_leaves.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/point_algorithms.hpp"
#include "visualizer/model/biography.hpp"
#include "visualizer/model/changes.hpp"
#include "visualizer/model/partition.hpp"
#include "visualizer/model/tree_diagram.hpp"

namespace kdscope::leaf_buckets_test {

namespace {

std::shared_ptr<const Trace> recorded(const AlgorithmSpec& algorithm, const std::string& data) {
  if (open_data_set(data).value()->points.dim > algorithm.max_dim) return nullptr;
  const auto run = record_run({data, algorithm.id, small_leaves(algorithm), Backend::cpu}).value();
  return run.trace->find(partition_arrays::leaf) ? run.trace : nullptr;
}

/// Returns the points of each node.
std::map<std::uint32_t, std::vector<std::uint32_t>> points_by_node(const Cursor& cursor) {
  std::map<std::uint32_t, std::vector<std::uint32_t>> found;
  if (const TypedArray* owner = cursor.array(partition_arrays::node_of_point))
    for (std::uint32_t p = 0; p < owner->size(); ++p) found[owner->as<std::uint32_t>()[p]].push_back(p);
  return found;
}

}  // namespace

TEST_CASE("leaves settle with their buckets, and tree and partition tell the same ones, at every step") {
  int made = 0;
  for (const AlgorithmSpec& algorithm : test::point_algorithms())
    for (const char* data : {"hu-10", "uniform:n=300,dim=3,seed=2", "uniform:n=40,dim=64", "grid:n=90,dim=2,side=4",
                             "equal:n=30,dim=2", "uniform:n=1,dim=2"}) {
      const auto trace = recorded(algorithm, data);
      if (!trace) continue;
      ++made;
      Cursor cursor(trace);
      TreeDiagram last;
      std::set<std::uint32_t> settled;
      for (std::uint32_t step = 0; step < cursor.step_count(); ++step) {
        INFO(algorithm.id << " on " << data << ", step " << step);
        cursor.seek(step);
        last = TreeDiagram::at(cursor, {}, &last);
        const Partition partition = Partition::at(cursor, {no_id});
        const auto points = points_by_node(cursor);
        std::set<std::uint32_t> kept, in_buckets;
        for (const DiagramNode& node : last.nodes) {
          const PartitionNode& other = partition.nodes()[node.node.value];
          REQUIRE(node.keeps_bucket == other.bucket);
          if (!node.keeps_bucket) {
            CHECK(node.bucket.empty());
            CHECK(node.bucket_text().empty());
            continue;
          }
          kept.insert(node.node.value);
          CHECK(node.state == NodeState::settled);
          CHECK(node.split_dim < 0);
          const auto& held = points.at(node.node.value);
          in_buckets.insert(held.begin(), held.end());
          CHECK(node.count == held.size());
          CHECK(node.bucket == std::vector(held.begin(), held.begin() + std::min<std::size_t>(16, held.size())));
          CHECK(node.bucket_text().empty() == (held.size() > 4));
          // The smallest box of a leaf lies in its cell.
          Box cell, tight;
          REQUIRE(partition.box(node.node, cell));
          REQUIRE(partition.tight_box(node.node, tight));
          for (std::uint32_t d = 0; d < partition.dim(); ++d) {
            CHECK(tight.lo[d] >= cell.lo[d]);
            CHECK(tight.hi[d] <= cell.hi[d]);
            CHECK(tight.lo[d] <= tight.hi[d]);
          }
        }
        CHECK(std::includes(kept.begin(), kept.end(), settled.begin(), settled.end()));  // permanently
        settled = kept;
        std::set<std::uint32_t> told;
        for (const PointId point : partition.settled_points()) told.insert(point.value);
        CHECK(told == in_buckets);
      }
      INFO(algorithm.id << " on " << data);
      // At the end every leaf has settled. Where empty space was cut off, some leaves are empty.
      std::size_t open = 0, empty = 0;
      for (const DiagramLevel& level : last.levels) open += level.open, empty += level.empty;
      CHECK(open == 0);
      CHECK(last.nodes.size() == 2 * (settled.size() + empty) - 1);
      if (std::string(algorithm.id) == "hu") CHECK(empty == 0);
    }
  CHECK(made > 0);
}

TEST_CASE("the ten points end in six buckets, and settle level by level") {
  const AlgorithmSpec* hu = find_algorithm("hu");
  REQUIRE(hu);
  const auto trace = recorded(*hu, "hu-10");
  REQUIRE(trace);
  Cursor cursor(trace);
  cursor.seek(cursor.step_count() - 1);
  const TreeDiagram tree = TreeDiagram::at(cursor);
  std::map<std::uint32_t, std::string> buckets;
  for (const DiagramNode& node : tree.nodes)
    if (node.keeps_bucket) buckets[node.node.value] = node.bucket_text();
  CHECK(buckets == std::map<std::uint32_t, std::string>{
                       {4, "{p4, p9}"}, {5, "{p2, p7}"}, {7, "{p5, p8}"}, {8, "{p3}"}, {9, "{p0, p6}"}, {10, "{p1}"}});

  const auto life = Biography::of(*trace, {4});
  REQUIRE(life);
  CHECK(life->columns.front() == "position in x");
  CHECK(std::find(life->columns.begin(), life->columns.end(), "position in y") != life->columns.end());
  std::vector<std::string> settles;
  for (const BiographyLine& line : life->lines)
    if (line.what.find("stays in leaf") != std::string::npos)
      settles.push_back(path_text(trace->steps[line.step]) + ": " + line.what);
  REQUIRE(settles.size() == 1);
  CHECK(settles.front() == "build / level 2 / settle leaves: stays in leaf 4 with p9");
  const auto alone = Biography::of(*trace, {1});
  REQUIRE(alone);
  CHECK(csv_of(*alone, *trace).find("stays in leaf 10 alone") != std::string::npos);

  // The same step in the list of changes.
  Cursor before(trace), now(trace);
  now.seek(steps_matching(*trace, "level 2 / settle leaves").front());
  before.seek(now.step() - 1);
  const auto changed = changed_nodes(before, now);
  REQUIRE(changed.size() == 2);
  CHECK(changed[0].node == NodeId{4});
  CHECK(node_words(before, now, {4}).before == "open");
  CHECK(node_words(before, now, {4}).after == "leaf");
}

TEST_CASE("words about boxes of many dimensions are few") {
  int made = 0;
  for (const AlgorithmSpec& algorithm : test::point_algorithms()) {
    const auto trace = recorded(algorithm, "uniform:n=200,dim=512,seed=3");
    if (!trace) continue;
    ++made;
    const auto life = Biography::of(*trace, {5});
    REQUIRE(life);
    CHECK(life->coordinates.size() < 120);
    CHECK(life->columns.size() < 15);
    for (const BiographyLine& line : life->lines)
      for (const std::string& field : line.fields) CHECK(field.size() < 200);
    Cursor before(trace), now(trace);
    now.seek(now.step_count() - 1);
    for (const NodeChange& change : changed_nodes(before, now))
      CHECK(node_words(before, now, change.node).after.size() < 200);
  }
  CHECK(made > 0);
}

}  // namespace kdscope::leaf_buckets_test
