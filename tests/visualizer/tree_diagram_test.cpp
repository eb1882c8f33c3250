#include "tests/support/catch.hpp"
#include "tests/visualizer/wald_ten_points.hpp"
#include "visualizer/model/tree_diagram.hpp"

#include <map>

using namespace kdscope;

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

TEST_CASE("a tree that is a list of a thousand levels is laid out without overlap") {
  TraceHeader header;
  header.dim = 1;
  TraceBuilder builder(header);
  ArrayInfo parent, dim, value;
  parent.name = partition_arrays::parent;
  dim.name = partition_arrays::split_dim;
  dim.type = ElementType::uint8;
  value.name = partition_arrays::split_value;
  value.type = ElementType::float64;
  for (const ArrayInfo& info : {parent, dim, value}) builder.declare(info);
  std::vector<std::uint32_t> parents{no_id};
  for (std::uint32_t i = 1; i < 1000; ++i) parents.push_back(i - 1);
  builder.begin_step({});
  builder.write(parent.name, TypedArray::of(parents));
  builder.write(dim.name, TypedArray::of(std::vector<std::uint8_t>(1000, 0)));
  builder.write(value.name, TypedArray::of(std::vector<double>(1000, 1)));
  const TreeDiagram d = TreeDiagram::at(Cursor(builder.finish()));
  REQUIRE(d.nodes.size() == 1000);
  std::map<double, int> used;
  for (const DiagramNode& node : d.nodes) ++used[node.x];
  CHECK(used.size() == 1000);
  CHECK(used.begin()->first > 0);
  CHECK(used.rbegin()->first < 1);
}

TEST_CASE("without a node list there is no tree") {
  Cursor cursor(ten_point_trace(false));
  const TreeDiagram d = TreeDiagram::at(cursor);
  CHECK(d.nodes.empty());
  CHECK(d.node_count == 0);
}

TEST_CASE("a leaf that no point belongs to is empty, not open") {
  TraceHeader header;
  header.dim = 1;
  TraceBuilder builder(header);
  const auto declare = [&](const char* name, ElementType type) {
    ArrayInfo info;
    info.name = name;
    info.type = type;
    builder.declare(info);
  };
  declare(partition_arrays::parent, ElementType::uint32);
  declare(partition_arrays::split_dim, ElementType::uint8);
  declare(partition_arrays::split_value, ElementType::float64);
  declare(partition_arrays::node_of_point, ElementType::uint32);
  declare(partition_arrays::point, ElementType::uint32);
  builder.begin_step({});
  builder.write(partition_arrays::parent, TypedArray::of(std::vector<std::uint32_t>{no_id, 0, 0}));
  builder.write(partition_arrays::split_dim, TypedArray::of(std::vector<std::uint8_t>{0, 255, 255}));
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
    CHECK(p.stored_points().size() == 1);
  }
  SECTION("not known, so open") {
    const TreeDiagram d = TreeDiagram::at(Cursor(builder.finish()));
    REQUIRE(d.nodes.size() == 3);
    CHECK(d.nodes[1].state == NodeState::open);
    CHECK(d.levels[1].empty == 0);
  }
}
