#include "visualizer/model/partition.hpp"

#include "algorithms/text/numbers.hpp"
#include "tests/support/catch.hpp"
#include "tests/trace/hand_made_traces.hpp"
#include "tests/visualizer/wald_ten_points.hpp"
#include "visualizer/model/trace_lookup.hpp"

using namespace kdscope;

namespace {

std::vector<std::uint32_t> ids(const std::vector<NodeId>& nodes) {
  std::vector<std::uint32_t> values;
  for (NodeId n : nodes) values.push_back(n.value);
  return values;
}

}  // namespace

TEST_CASE("the partition before any split is one cell") {
  const Partition p = Partition::at(ten_points_at(0));
  CHECK(ids(p.cells()) == std::vector<std::uint32_t>{0});
  CHECK(p.planes().empty());
  CHECK(p.level_count() == 1);
  CHECK(p.domain().lo == std::vector<double>{10, 15});
  CHECK(p.domain().hi == std::vector<double>{68, 69});
}

TEST_CASE("planes are clipped to the cells of their nodes") {
  const Partition p = Partition::at(ten_points_at(3));
  CHECK(ids(p.cells()) == std::vector<std::uint32_t>{3, 4, 5, 6});
  REQUIRE(p.planes().size() == 3);
  CHECK(p.planes()[0].value == 46);
  CHECK(p.planes()[0].dim == 0);
  CHECK_FALSE(p.planes()[0].newest);
  const PartitionPlane& left = p.planes()[1];
  CHECK(left.node == NodeId{1});
  CHECK(left.dim == 1);
  CHECK(left.value == 43);
  CHECK(left.newest);
  CHECK(left.fresh);
  Box box;
  REQUIRE(p.box(left.node, box));
  CHECK(box.lo == std::vector<double>{10, 15});
  CHECK(box.hi == std::vector<double>{46, 69});
  REQUIRE(p.box(NodeId{6}, box));
  CHECK(box.lo == std::vector<double>{46, 67});
  CHECK_FALSE(p.box(NodeId{7}, box));
}

TEST_CASE("a plane is fresh only in the step that makes it") {
  for (std::uint32_t step = 0; step < printed_states().size(); ++step) {
    const Partition p = Partition::at(ten_points_at(step));
    const bool updates = printed_states()[step].name == std::string("update tags");
    for (const PartitionPlane& plane : p.planes()) CHECK(plane.fresh == (updates && plane.newest));
  }
}

TEST_CASE("stored points are the settled prefix") {
  for (std::uint32_t step = 0; step < printed_states().size(); ++step) {
    const PrintedState& state = printed_states()[step];
    const Partition p = Partition::at(ten_points_at(step));
    CHECK(p.settled_points().size() == state.settled);
    for (std::uint32_t i = 0; i < 10; ++i)
      if (state.tags[i] < state.settled) CHECK(p.nodes()[state.tags[i]].point == state.index[i]);
  }
}

TEST_CASE("whole levels are left out, and it says so") {
  PartitionOptions options;
  options.max_planes = 1;
  const Partition top = Partition::at(ten_points_at(5), options);
  CHECK(top.planes().size() == 1);
  CHECK(ids(top.cells()) == std::vector<std::uint32_t>{1, 2});
  CHECK(top.left_out() == "Not drawn: 4 split planes of levels 1 to 2.");
  options = {};
  options.max_planes = 3;
  const Partition three = Partition::at(ten_points_at(5), options);
  CHECK(three.planes().size() == 3);
  CHECK(three.left_out() == "Not drawn: 2 split planes of level 2.");
  CHECK(three.left_out(1) == "Not drawn: 3 split planes of level 0 and level 2.");
  CHECK(three.left_out(2) == "Not drawn: 5 split planes of levels 0 to 2.");
  CHECK(Partition::at(ten_points_at(5)).left_out().empty());
}

TEST_CASE("a trace without a node list still has a domain") {
  Cursor cursor(ten_point_trace(false));
  cursor.seek(4);
  const Partition p = Partition::at(cursor);
  CHECK(p.nodes().empty());
  CHECK(p.cells().empty());
  CHECK(p.domain().hi == std::vector<double>{68, 69});
  CHECK(place_of(cursor, NodeId{5}) == place_of(NodeId{5}));
}

TEST_CASE("places in the tree come from the node list, not from its numbering") {
  // Write a list in depth-first order: 0 -> (1 -> (2, 3), 4). Boxes distinguish the sides; without boxes, the order
  // does.
  for (bool boxes : {true, false}) {
    TraceBuilder builder(tests::header_of(0, 1));
    const auto declare = [&](const char* name, ElementType type, std::uint32_t components) {
      builder.declare({name, "", type, Space::node, Space::none, components});
    };
    declare(partition_arrays::parent, ElementType::uint32, 1);
    declare(partition_arrays::split_dim, ElementType::uint32, 1);
    declare(partition_arrays::split_value, ElementType::float64, 1);
    if (boxes) declare(partition_arrays::box, ElementType::float64, 2);
    builder.begin_step({});
    builder.write(partition_arrays::parent, TypedArray::of(std::vector<std::uint32_t>{no_id, 0, 1, 1, 0}));
    builder.write(partition_arrays::split_dim, TypedArray::of(std::vector<std::uint32_t>{0, 0, no_id, no_id, no_id}));
    builder.write(partition_arrays::split_value, TypedArray::of(std::vector<double>{4, 2, 0, 0, 0}));
    if (boxes) builder.write(partition_arrays::box, TypedArray::of(std::vector<double>{0, 8, 0, 4, 0, 2, 2, 4, 4, 8}));
    const Cursor cursor(builder.finish());
    const Partition p = Partition::at(cursor);
    CHECK(p.nodes()[0].left == 1);
    CHECK(p.nodes()[0].right == 4);
    CHECK(p.nodes()[3].place == place_of(NodeId{4}));
    CHECK(place_of(cursor, NodeId{3}) == place_of(NodeId{4}));
    if (boxes) CHECK(place_of(cursor, NodeId{4}) == place_of(NodeId{2}));
    CHECK(ids(p.cells()) == std::vector<std::uint32_t>{4, 2, 3});
  }
}

TEST_CASE("damaged node lists neither crash nor hang") {
  TraceBuilder builder(tests::header_of(0, 2));
  for (const char* name : {partition_arrays::parent, partition_arrays::split_dim}) builder.declare({name, ""});
  builder.begin_step({});
  // Write a cycle 2 -> 3 -> 2, a parent that does not exist, three children of one node, and a dimension that does not
  // exist.
  builder.write(partition_arrays::parent, TypedArray::of(std::vector<std::uint32_t>{no_id, 0, 3, 2, 99, 0, 0}));
  builder.write(partition_arrays::split_dim, TypedArray::of(std::vector<std::uint32_t>{1, 7, 0, 0}));
  const Cursor cursor(builder.finish());
  const Partition p = Partition::at(cursor);
  CHECK(p.level_count() == 1);
  CHECK(place_of(cursor, NodeId{2}).level <= 255);
  Box box;
  CHECK_FALSE(p.box(NodeId{0}, box));
}

TEST_CASE("spaces link points, positions and nodes") {
  const Cursor cursor = ten_points_at(3);
  CHECK(point_of_position_array(cursor.trace()) == "index");
  CHECK(node_of_position_array(cursor.trace()) == "tags");
  CHECK(node_of_point(cursor, PointId{9}) == NodeId{5});
  CHECK(position_of_point(cursor, PointId{9}) == 7);
  CHECK_FALSE(position_of_point(cursor, PointId{10}));
  CHECK(points_with_role(cursor, Role::pivot) == std::vector<PointId>{{1}, {7}});
  CHECK(points_with_role(cursor, Role::settled) == std::vector<PointId>{{6}});
  CHECK(points_with_role(cursor, Role::read).empty());
}

TEST_CASE("points that the tree leaves out are those of no node, and are drawn as the points with their coordinates") {
  TraceBuilder builder(tests::header_of(5, 2));
  const auto declare = [&](const char* name, ElementType type, std::uint32_t components) {
    builder.declare({name, "", type, Space::position, Space::none, components});
  };
  declare(points_array, ElementType::float32, 2);
  for (const char* name : {partition_arrays::parent, partition_arrays::point, partition_arrays::node_of_point})
    declare(name, ElementType::uint32, 1);
  using Ids = std::vector<std::uint32_t>;
  const auto step = [&](const Ids& parent, const Ids& point, const Ids& node_of_point) {
    builder.begin_step({});
    builder.write(partition_arrays::parent, TypedArray::of(parent));
    builder.write(partition_arrays::point, TypedArray::of(point));
    builder.write(partition_arrays::node_of_point, TypedArray::of(node_of_point));
  };
  step({no_id}, {no_id}, {0, 0, 0, 0, 0});
  builder.write(points_array, TypedArray::of(std::vector<float>{5, 1, 2, 7, 5, -0.0f, 2, 7, 5, 0}));
  step({no_id, 0}, {1, no_id}, {1, 0, 1, no_id, no_id});
  step({no_id, 0}, {1, no_id}, {1, 0, no_id, no_id, no_id});
  Cursor cursor(builder.finish());
  cursor.seek(0);
  CHECK(nodes_of_points(cursor).left_out.empty());
  CHECK(nodes_of_points(cursor).note().empty());
  CHECK_FALSE(is_left_out(cursor, {3}));
  cursor.seek(1);
  const NodesOfPoints nodes = nodes_of_points(cursor);
  CHECK(nodes.node == Ids{1, 0, 1, 0, 1});
  CHECK(nodes.left_out == Ids{3, 4});
  CHECK(nodes.note() == "2 of 5 points are left out of the tree: other points have the same coordinates.");
  CHECK(is_left_out(cursor, {3}));
  CHECK_FALSE(is_left_out(cursor, {2}));
  CHECK_FALSE(is_left_out(cursor, {5}));
  const TypedArray& points = *cursor.array(points_array);
  CHECK(left_out_text(nodes, points, 2, {3}) == "left out: the same coordinates as p1");
  CHECK(left_out_text(nodes, points, 2, {4}) == "left out: the same coordinates as p2");
  CHECK(nodes.lost.empty());
  CHECK(nodes.lost_note().empty());
  // If neither of two equal points is in a node, neither explains the other.
  cursor.seek(2);
  const NodesOfPoints broken = nodes_of_points(cursor);
  CHECK(broken.left_out == Ids{2, 3, 4});
  CHECK(broken.lost == Ids{2, 4});
  CHECK(broken.note() == "1 of 5 points is left out of the tree: other points have the same coordinates.");
  CHECK(broken.lost_note() == "\u2717 2 of 5 points are in no node of the tree.");
  CHECK(left_out_text(broken, points, 2, {3}) == "left out: the same coordinates as p1");
  CHECK(left_out_text(broken, points, 2, {4}) == "in no node of the tree");
  cursor.seek(1);
  CHECK(ShownPartition{Partition::at(cursor), nodes}.settled_points(5) ==
        std::vector<bool>{false, true, false, true, false});
}

TEST_CASE("numbers and dimensions are written short") {
  CHECK(short_number(46) == "46");
  CHECK(short_number(0.1f) == "0.1");
  CHECK(short_number(-0.0) == "0");
  CHECK(short_number(1234567.0) == "1234567");  // whole numbers as in tables
  CHECK(short_number(12345678.0) == "1.2346e+07");
  CHECK(short_number(1234567.5) == "1234568");
  CHECK(coordinate_name(2, 3) == "z");
  CHECK(coordinate_name(2, 8) == "x2");
}
