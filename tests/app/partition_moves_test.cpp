// Tests that a partition that moves from step to step is the one that is read at each step from nothing.

#include <algorithm>
#include <array>
#include <tuple>

#include "app/recording/run.hpp"
#include "tests/app/small_leaves.hpp"
#include "tests/support/catch.hpp"
#include "visualizer/model/partition.hpp"

namespace kdscope::partition_moves_test {

namespace {

using Boxes = std::vector<std::pair<std::vector<double>, std::vector<double>>>;

/// Returns the boxes that are known, and no box for each of the other nodes.
Boxes boxes_of(const Partition& partition, bool (Partition::*find)(NodeId, Box&) const) {
  Boxes boxes;
  for (std::uint32_t node = 0; node <= partition.nodes().size(); ++node) {
    Box box;
    if (!(partition.*find)({node}, box)) box = {};
    boxes.emplace_back(box.lo, box.hi);
  }
  return boxes;
}

auto parts_of(const PartitionNode& n) {
  return std::tuple(n.alive, n.place, n.level, n.parent, n.left, n.right, n.split_dim, n.split_value, n.point, n.empty,
                    n.bucket);
}
auto parts_of(const PartitionPlane& p) { return std::tuple(p.node, p.level, p.dim, p.value, p.newest, p.fresh); }

template <class T>
bool same(const std::vector<T>& a, const std::vector<T>& b) {
  return std::ranges::equal(a, b, [](const T& x, const T& y) { return parts_of(x) == parts_of(y); });
}

void check_same(const Partition& moved, const Partition& read) {
  CHECK(moved.dim() == read.dim());
  CHECK(moved.domain().lo == read.domain().lo);
  CHECK(moved.domain().hi == read.domain().hi);
  CHECK(same(moved.nodes(), read.nodes()));
  CHECK(same(moved.planes(), read.planes()));
  CHECK((moved.cells() == read.cells()));
  CHECK((boxes_of(moved, &Partition::box) == boxes_of(read, &Partition::box)));
  CHECK((boxes_of(moved, &Partition::tight_box) == boxes_of(read, &Partition::tight_box)));
  CHECK(moved.has_tight_boxes() == read.has_tight_boxes());
  CHECK((moved.settled_points() == read.settled_points()));
  CHECK(moved.level_count() == read.level_count());
  CHECK(moved.deepest_split() == read.deepest_split());
  CHECK(moved.left_out() == read.left_out());
}

}  // namespace

TEST_CASE("a partition that moves is the one that is read at each step, in every run, forward, backward and jumping") {
  Partition moved;  // from run to run, too
  for (const AlgorithmSpec& algorithm : algorithms())
    for (const char* data : algorithm.takes_triangles
                                ? std::array{"triangles:kind=soup,n=12,seed=3", "zhou-8"}
                                : std::array{"uniform:n=60,dim=3,seed=2", "grid:n=90,dim=2,side=4"}) {
      const auto run = record_run({data, algorithm.id, small_leaves(algorithm), Backend::cpu});
      REQUIRE(run);
      Cursor cursor(run->trace);
      const std::uint32_t steps = cursor.step_count();
      std::vector<std::uint32_t> way;
      for (std::uint32_t step = 0; step < steps; ++step) way.push_back(step);
      way.insert(way.end(), way.rbegin(), way.rend());
      for (std::uint32_t jump = 0; jump < steps; ++jump) way.push_back((jump * 7 + jump % 3) % steps);
      for (std::size_t at = 0; at < way.size(); ++at) {
        INFO(algorithm.id << " on " << data << ", step " << way[at] << " after step " << way[at == 0 ? 0 : at - 1]);
        cursor.seek(way[at]);
        // Hide something now and then, and draw few planes
        const Concealment concealed{.changes = at % 7 == 5, .splits = at % 11 == 6};
        const PartitionOptions options{at % 3 == 1 ? 2u : 2048u};
        moved.move_to(cursor, options, concealed);
        check_same(moved, Partition::at(cursor, options, concealed));
      }
    }
}

}  // namespace kdscope::partition_moves_test
