#include "visualizer/model/tree_diagram.hpp"

#include <map>

#include "tests/support/catch.hpp"
#include "tests/trace/hand_made_traces.hpp"
#include "tests/visualizer/nodes_by_hand.hpp"
#include "tests/visualizer/wald_ten_points.hpp"
#include "visualizer/model/partition.hpp"

using namespace kdscope;

namespace {

/// Writes nodes with these parents, all split at x = 1.
void write_nodes(TraceBuilder& builder, const std::vector<std::uint32_t>& parents) {
  builder.write(partition_arrays::parent, TypedArray::of(parents));
  builder.write(partition_arrays::split_dim, TypedArray::of(std::vector<std::uint32_t>(parents.size(), 0)));
  builder.write(partition_arrays::split_value, TypedArray::of(std::vector<double>(parents.size(), 1)));
}

}  // namespace

TEST_CASE("the tree shows states, splits, coordinates and counts") {
  const TreeDiagram d = TreeDiagram::at(ten_points_at(3));
  REQUIRE(d.nodes.size() == 7);
  CHECK_FALSE(d.folded);
  CHECK(d.final_levels == 4);
  CHECK(d.nodes[0].state == NodeState::settled);
  CHECK(d.nodes[0].coordinates == "46, 63");
  CHECK(d.nodes[0].split_text == "x = 46");
  CHECK(d.nodes[0].count == 10);
  CHECK(d.nodes[1].state == NodeState::pivot);
  CHECK(d.nodes[1].split_text == "y = 43");
  CHECK(d.nodes[3].state == NodeState::open);
  CHECK(d.nodes[3].count == 3);
  CHECK(d.nodes[3].split_text.empty());
  CHECK(d.nodes[6].count == 1);
  CHECK(d.levels[2].open == 4);
  CHECK(d.levels[2].points_below == 7);
}

TEST_CASE("nodes stay where they are while the tree grows, and are ordered on each level") {
  std::map<std::uint32_t, double> place;
  for (std::uint32_t step = 0; step < printed_states().size(); ++step) {
    const TreeDiagram d = TreeDiagram::at(ten_points_at(step));
    CHECK(d.final_levels == 4);
    for (std::size_t i = 0; i < d.nodes.size(); ++i) {
      const DiagramNode& node = d.nodes[i];
      const auto [known, added] = place.emplace(node.node.value, node.x);
      CHECK(known->second == node.x);
      if (i > 0 && d.nodes[i - 1].level == node.level) CHECK(d.nodes[i - 1].x < node.x);
      if (node.parent >= 0) CHECK(d.nodes[node.parent].node.value == (node.node.value - 1) / 2);
    }
  }
  CHECK(place.size() == 10);
}

TEST_CASE("large trees fold to levels") {
  TreeDiagramOptions options;
  options.fold_above = 9;
  const TreeDiagram d = TreeDiagram::at(ten_points_at(6), options);
  CHECK(d.folded);
  CHECK(d.nodes.empty());
  CHECK(d.node_count == 10);
  REQUIRE(d.levels.size() == 4);
  CHECK(d.levels[3].nodes == 3);
  CHECK(d.levels[3].capacity == 8);
  CHECK(d.levels[3].settled == 3);
}

TEST_CASE("a folded tree tells each node and how full each stretch of a level is") {
  TreeDiagramOptions options;
  options.fold_above = 0;
  for (std::uint32_t step = 0; step < printed_states().size(); ++step) {
    const Cursor cursor = ten_points_at(step);
    const TreeDiagram whole = TreeDiagram::at(cursor), folded = TreeDiagram::at(cursor, options);
    REQUIRE(folded.folded);
    for (const DiagramNode& node : whole.nodes) {
      const auto same = folded.node(node.node);
      REQUIRE(same);
      CHECK(same->x == node.x);
      CHECK(same->state == node.state);
      CHECK(same->count == node.count);
      CHECK(same->split_text == node.split_text);
      CHECK(same->coordinates == node.coordinates);
    }
    CHECK_FALSE(folded.node(NodeId{whole.nodes.back().node.value + 1}));
    for (int level = 0; level < folded.final_levels; ++level) {
      const DiagramLevel none, &filled = level < static_cast<int>(folded.levels.size())
                                             ? folded.levels[static_cast<std::size_t>(level)]
                                             : none;
      for (const int bins : {1, 3, 7, 100}) {
        std::uint64_t made = 0, open = 0, all = 0;
        for (const DensityBin& bin : folded.density(level, 0, 1, bins))
          made += bin.made, open += bin.open, all += bin.final_nodes;
        CHECK(made == filled.settled + filled.pivots + filled.empty);
        CHECK(open == filled.open);
        CHECK(all == (level < 3 ? 1u << level : 3u));
      }
    }
  }
  const TreeDiagram end = TreeDiagram::at(ten_points_at(6), options);
  std::vector<bool> changed(10, false);
  changed[4] = true;
  const auto bins = end.density(2, 0, 1, 4, changed);
  CHECK_FALSE(bins[0].changed);
  CHECK(bins[1].changed);
  const auto half = end.density(2, 0.5, 1, 2);
  CHECK(half[0].final_nodes == 1);
  CHECK(half[1].final_nodes == 1);
}

TEST_CASE("a layout knows levels, parents and children, and is used again for other steps of the same trace") {
  const Cursor cursor = ten_points_at(6);
  const TreeDiagram first = TreeDiagram::at(cursor);
  const TreeLayout& layout = first.layout();
  REQUIRE(layout.size() == 10);
  REQUIRE(layout.level_count() == 4);
  for (std::uint32_t rank = 0; rank < layout.size(); ++rank) {
    const int level = layout.level_of(rank);
    CHECK(rank >= layout.level_begin(level));
    CHECK(rank < layout.level_end(level));
    CHECK(layout.rank_of(layout.node(rank)) == rank);
    for (std::uint32_t c = 0; c < layout.child_count(rank); ++c) {
      const std::uint32_t child = layout.first_child(rank) + c;
      CHECK(layout.parent(child) == rank);
      CHECK((c == 0 ? layout.x(child) < layout.x(rank) : layout.x(child) > layout.x(rank)));
      CHECK(layout.place(child) == child_of(layout.place(rank), c == 1));
    }
    CHECK(layout.first_from(level, layout.x(rank)) == rank);
  }
  const TreeDiagram again = TreeDiagram::at(cursor, {}, &first);
  CHECK(&again.layout() == &layout);
  const TreeDiagram other = TreeDiagram::at(ten_points_at(6), {}, &first);
  CHECK(&other.layout() != &layout);
}

TEST_CASE("nodes that change their parents are laid out as they stand at the step") {
  TraceBuilder builder = nodes_by_hand();
  builder.begin_step({});
  write_nodes(builder, {no_id, 0, 0, 1});
  builder.begin_step({});
  write_nodes(builder, {no_id, 0, 0, 2});
  Cursor cursor(builder.finish());
  TreeDiagram d = TreeDiagram::at(cursor);
  REQUIRE(d.nodes.size() == 4);
  CHECK(d.nodes[static_cast<std::size_t>(d.nodes[3].parent)].node.value == 1);
  cursor.seek(1);
  d = TreeDiagram::at(cursor, {}, &d);
  CHECK(d.nodes[static_cast<std::size_t>(d.nodes[3].parent)].node.value == 2);
}

TEST_CASE("a tree that is a list of a thousand levels is laid out without overlap") {
  TraceBuilder builder = nodes_by_hand();
  std::vector<std::uint32_t> parents{no_id};
  for (std::uint32_t i = 1; i < 1000; ++i) parents.push_back(i - 1);
  builder.begin_step({});
  write_nodes(builder, parents);
  const TreeDiagram d = TreeDiagram::at(Cursor(builder.finish()));
  REQUIRE(d.nodes.size() == 1000);
  std::map<double, int> used;
  for (const DiagramNode& node : d.nodes) ++used[node.x];
  CHECK(used.size() == 1000);
  CHECK(used.begin()->first > 0);
  CHECK(used.rbegin()->first < 1);
}

TEST_CASE("where the nodes of a small tree have two children or none, its leaves stand side by side") {
  TraceBuilder builder = nodes_by_hand();
  builder.begin_step({});
  write_nodes(builder, {no_id, 0, 0, 1, 1, 3, 3, 4, 4});  // four leaves on level 3, and one on level 1, twice as wide
  const TreeDiagram d = TreeDiagram::at(Cursor(builder.finish()));
  REQUIRE(d.nodes.size() == 9);
  const auto x = [&](std::uint32_t node) { return 6 * d.layout().x(d.layout().rank_of(NodeId{node})); };
  for (const std::uint32_t leaf : {5, 6, 7, 8}) CHECK(x(leaf) == Approx(leaf - 4.5));
  CHECK(x(2) == Approx(5));
  CHECK(x(3) == Approx(1));
  CHECK(x(1) == Approx(2));
  CHECK(x(0) == Approx(3.5));
}

TEST_CASE("without a node list there is no tree") {
  Cursor cursor(ten_point_trace(false));
  const TreeDiagram d = TreeDiagram::at(cursor);
  CHECK(d.nodes.empty());
  CHECK(d.node_count == 0);
}

TEST_CASE("a leaf that no point belongs to is empty, not open") {
  TraceBuilder builder(tests::header_of(0, 1));
  const auto declare = [&](const char* name, ElementType type) { builder.declare({name, "", type}); };
  declare(partition_arrays::parent, ElementType::uint32);
  declare(partition_arrays::split_dim, ElementType::uint32);
  declare(partition_arrays::split_value, ElementType::float64);
  declare(partition_arrays::node_of_point, ElementType::uint32);
  declare(partition_arrays::point, ElementType::uint32);
  builder.begin_step({});
  builder.write(partition_arrays::parent, TypedArray::of(std::vector<std::uint32_t>{no_id, 0, 0}));
  builder.write(partition_arrays::split_dim, TypedArray::of(std::vector<std::uint32_t>{0, no_id, no_id}));
  builder.write(partition_arrays::split_value, TypedArray::of(std::vector<double>{1, 0, 0}));
  builder.write(partition_arrays::point, TypedArray::of(std::vector<std::uint32_t>{1, no_id, no_id}));
  SECTION("known from the points") {
    builder.write(partition_arrays::node_of_point, TypedArray::of(std::vector<std::uint32_t>{2, 0}));
    const Cursor cursor(builder.finish());
    const TreeDiagram d = TreeDiagram::at(cursor);
    REQUIRE(d.nodes.size() == 3);
    CHECK(d.nodes[0].state == NodeState::settled);
    CHECK(d.nodes[1].state == NodeState::empty);
    CHECK(d.nodes[2].state == NodeState::open);
    CHECK(d.levels[1].empty == 1);
    CHECK(d.levels[1].open == 1);
    CHECK(d.levels[1].settled == 0);
    const Partition p = Partition::at(cursor);
    CHECK(p.nodes()[1].empty);
    CHECK_FALSE(p.nodes()[2].empty);
    CHECK(p.settled_points().size() == 1);
  }
  SECTION("not known, so open") {
    const TreeDiagram d = TreeDiagram::at(Cursor(builder.finish()));
    REQUIRE(d.nodes.size() == 3);
    CHECK(d.nodes[1].state == NodeState::open);
    CHECK(d.levels[1].empty == 0);
  }
}

TEST_CASE("a tree over triangles counts what its nodes list, whoever's corners lie in them") {
  TraceBuilder builder(tests::header_of(0, 1));
  const auto declare = [&](const char* name, ElementType type, Space index = Space::none, Space value = Space::none) {
    builder.declare({name, "", type, index, value, 1, {}, false, {}});
  };
  using enum ElementType;
  namespace names = partition_arrays;
  for (const char* name : {names::parent, names::split_dim, names::node_of_point, names::point}) declare(name, uint32);
  declare(names::count, uint32);
  declare(names::split_value, float64);
  declare(names::leaf, uint8);
  declare("listed", uint32, Space::position, Space::triangle);
  builder.begin_step({});
  using Ids = std::vector<std::uint32_t>;
  builder.write(names::parent, TypedArray::of(Ids{no_id, 0, 0, 1, 1}));
  builder.write(names::split_dim, TypedArray::of(Ids{0, 0, no_id, no_id, no_id}));
  builder.write(names::split_value, TypedArray::of(std::vector<double>{2, 1, 0, 0, 0}));
  builder.write(names::point, TypedArray::of(Ids(5, no_id)));
  builder.write(names::leaf, TypedArray::of(std::vector<std::uint8_t>{0, 0, 0, 1, 1}));
  builder.write(names::node_of_point, TypedArray::of(Ids{4, 4, 4}));
  builder.write(names::count, TypedArray::of(Ids{2, 2, 0, 2, 0}));  // node 2 is not counted yet
  const Cursor cursor(builder.finish());
  const TreeDiagram d = TreeDiagram::at(cursor);
  const Partition partition = Partition::at(cursor);
  CHECK(d.of_triangles);
  CHECK(d.node({0})->count == 2);
  CHECK(d.node({2})->state == NodeState::open);
  CHECK(d.node({3})->state == NodeState::settled);
  CHECK(d.node({3})->keeps_bucket);
  CHECK(d.node({3})->count == 2);
  CHECK(d.node({3})->bucket_text().empty());  // corners are not triangles
  CHECK(d.node({4})->state == NodeState::empty);
  for (std::uint32_t i = 0; i < 5; ++i) {
    INFO(i);
    CHECK(partition.nodes()[i].bucket == d.node({i})->keeps_bucket);
    CHECK(partition.nodes()[i].empty == (d.node({i})->state == NodeState::empty));
  }
}
