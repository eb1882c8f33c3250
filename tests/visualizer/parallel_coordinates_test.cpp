#include "visualizer/model/parallel_coordinates.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "tests/support/catch.hpp"
#include "tests/trace/hand_made_traces.hpp"
#include "tests/visualizer/wald_ten_points.hpp"

namespace kdscope::parallel_coordinates_test {

namespace {

/// Returns a trace of `n` points of `k` dimensions, in which coordinate d of point i is `value(i, d)`, without a tree
/// unless one is given.
template <class Value>
std::shared_ptr<const Trace> points_trace(std::uint32_t n, std::uint32_t k, Value value) {
  TraceBuilder builder(tests::header_of(n, k));
  builder.declare({points_array, points_array, ElementType::float32, Space::point, Space::coordinate, k});
  builder.begin_step(tests::named_step({"start"}));
  std::vector<float> values;
  for (std::uint32_t i = 0; i < n; ++i)
    for (std::uint32_t d = 0; d < k; ++d) values.push_back(static_cast<float>(value(i, d)));
  builder.write(points_array, TypedArray::of(values));
  return builder.finish();
}

/// Returns a trace in two dimensions of four points with smallest boxes and one split at x = 5: node 1 holds points 0
/// and 3, node 2 the others.
std::shared_ptr<const Trace> boxes_trace() {
  TraceBuilder builder(tests::header_of(4, 2));
  const auto declare = [&](const char* name, ElementType type, Space index, Space value, std::uint32_t components) {
    builder.declare({name, name, type, index, value, components});
  };
  declare(points_array, ElementType::float32, Space::point, Space::coordinate, 2);
  declare(partition_arrays::parent, ElementType::uint32, Space::node, Space::node, 1);
  declare(partition_arrays::split_dim, ElementType::uint32, Space::node, Space::dimension, 1);
  declare(partition_arrays::split_value, ElementType::float64, Space::node, Space::split_value, 1);
  declare(partition_arrays::box, ElementType::float64, Space::node, Space::coordinate, 4);
  declare(partition_arrays::tight_box, ElementType::float64, Space::node, Space::coordinate, 4);
  declare(partition_arrays::node_of_point, ElementType::uint32, Space::point, Space::node, 1);
  using Ids = std::vector<std::uint32_t>;
  using Numbers = std::vector<double>;
  const auto step = [&](const char* name, Highlight highlight) {
    Step made;
    made.name = name;
    made.path = {name};
    made.highlights = {std::move(highlight)};
    builder.begin_step(made);
  };
  step("start", {Role::read, Space::position, {{0, 4}}, {0}});
  builder.write(points_array, TypedArray::of(std::vector<float>{2, 7, 8, 1, 9, 9, 1, 4}));
  builder.write(partition_arrays::parent, TypedArray::of(Ids{no_id, 0, 0}));
  builder.write(partition_arrays::split_dim, TypedArray::of(Ids{no_id, no_id, no_id}));
  builder.write(partition_arrays::split_value, TypedArray::of(Numbers{0, 0, 0}));
  builder.write(partition_arrays::box,
                TypedArray::of(Numbers{-HUGE_VAL, -HUGE_VAL, HUGE_VAL, HUGE_VAL, 0, 0, 0, 0, 0, 0, 0, 0}));
  builder.write(partition_arrays::tight_box, TypedArray::of(Numbers(12, std::nan(""))));
  builder.write(partition_arrays::node_of_point, TypedArray::of(Ids{0, 0, 0, 0}));
  step("split", {Role::segment, Space::position, {{0, 4}}, {0}});
  builder.write(partition_arrays::split_dim, TypedArray::of(Ids{0, no_id, no_id}));
  builder.write(partition_arrays::split_value, TypedArray::of(Numbers{5, 0, 0}));
  step("boxes", {Role::segment, Space::position, {{0, 2}, {2, 4}}, {1, 2}});
  builder.write(partition_arrays::tight_box, TypedArray::of(Numbers{1, 1, 9, 9, 1, 4, 2, 7, 8, 1, 9, 9}));
  builder.write(partition_arrays::node_of_point, TypedArray::of(Ids{1, 2, 2, 1}));
  return builder.finish();
}

std::vector<std::uint32_t> points_of(const ParallelCoordinates& model) {
  std::vector<std::uint32_t> points;
  for (const CoordinateLine& line : model.lines()) points.push_back(line.point.value);
  return points;
}

std::vector<std::uint32_t> nodes_of(const ParallelCoordinates& model) {
  std::vector<std::uint32_t> nodes;
  for (const CoordinateBox& box : model.boxes()) nodes.push_back(box.node.value);
  return nodes;
}

}  // namespace

TEST_CASE("axes reach from the least to the greatest coordinate") {
  const ParallelCoordinates model(ten_point_trace());
  REQUIRE(model.axes().size() == 2);
  CHECK(model.axes()[0].lo == 10);
  CHECK(model.axes()[0].hi == 68);
  CHECK(model.axes()[1].lo == 15);
  CHECK(model.axes()[1].hi == 69);
  CHECK(model.share(0, 10) == 0);
  CHECK(model.share(0, 39) == 0.5);
  CHECK(model.share(1, 69) == 1);
  CHECK(model.coordinate(PointId{4}, 1) == 58);
}

TEST_CASE("with the same unit the widest dimension is the longest axis") {
  ParallelCoordinates model(
      points_trace(5, 3, [](auto i, auto d) { return d == 2 ? 7 : i * (d + 1); }));  // extents 4, 8, 0
  CHECK(model.length(0) == 1);
  CHECK(model.share(2, 7) == 0.5);  // a constant coordinate is half way
  model.show_same_unit(true);
  CHECK(model.length(0) == 0.5);
  CHECK(model.length(1) == 1);
  CHECK(model.length(2) == 0);
  CHECK(model.share(0, 4) == 0.5);
  CHECK(model.share(1, 4) == 0.5);
  CHECK(model.share(2, 7) == 0);
}

TEST_CASE("all points are lines until there are too many, then a sample of any part") {
  const auto trace = points_trace(5000, 2, [](auto i, auto d) { return d == 0 ? i : i % 7; });
  const ParallelCoordinates all(trace, 5000), some(trace, 400), fewer(trace, 100);
  const std::vector<std::uint32_t> every = points_of(all), sample = points_of(some);
  CHECK(all.point_count() == 5000);
  CHECK(std::set(every.begin(), every.end()).size() == 5000);
  REQUIRE(sample.size() == 400);
  // Every prefix of the sample is itself a sample, the same in both.
  CHECK(std::equal(sample.begin(), sample.end(), every.begin()));
  CHECK(std::equal(sample.begin(), sample.begin() + 100, points_of(fewer).begin()));
  // Each tenth of the points has about its share of the sample.
  std::vector<int> tenths(10);
  for (const std::uint32_t point : sample) ++tenths[point / 500];
  for (const int tenth : tenths) {
    CHECK(tenth > 15);
    CHECK(tenth < 75);
  }
  // The axes cover all points.
  CHECK(some.axes()[0].hi == 4999);
}

TEST_CASE("a line has the place of its point's node, and is dimmed once settled") {
  Cursor cursor(ten_point_trace());
  ParallelCoordinates model(cursor.shared_trace());
  for (std::uint32_t step = 0; step < cursor.step_count(); ++step) {
    cursor.seek(step);
    model.show(cursor, {}, {});
    const PrintedState& state = printed_states()[step];
    for (const CoordinateLine& line : model.lines()) {
      const auto at = static_cast<std::uint32_t>(std::find(state.index.begin(), state.index.end(), line.point.value) -
                                                 state.index.begin());
      INFO("step " << step << ", point " << line.point.value);
      REQUIRE(line.node.has_value());
      CHECK(line.node->value == state.tags[at]);
      CHECK(line.place == place_of(*line.node));
      CHECK_FALSE(line.chosen);
      const std::uint32_t settled = state.level < 0 ? 0 : full_tree_size(state.level);  // none at the end
      CHECK(line.settled == (at < settled));
    }
  }
}

TEST_CASE("boxes are those of the nodes in work: the smallest ones where they are known, else cells") {
  Cursor cursor(boxes_trace());
  ParallelCoordinates model(cursor.shared_trace());
  model.show(cursor, {}, {});
  REQUIRE(nodes_of(model) == std::vector<std::uint32_t>{0});
  CHECK_FALSE(model.boxes()[0].tight);
  CHECK(model.boxes()[0].lo == std::vector<double>{1, 1});  // an open cell ends at the outermost points
  CHECK(model.boxes()[0].hi == std::vector<double>{9, 9});
  CHECK(model.boxes()[0].split_dim == -1);

  cursor.seek(1);
  model.show(cursor, {}, {});
  REQUIRE(nodes_of(model) == std::vector<std::uint32_t>{0});
  CHECK(model.boxes()[0].split_dim == 0);
  CHECK(model.boxes()[0].split_value == 5);
  CHECK(model.boxes()[0].fresh);

  cursor.seek(2);
  model.show(cursor, {}, {});
  REQUIRE(nodes_of(model) == std::vector<std::uint32_t>{1, 2});
  CHECK(model.boxes()[0].tight);
  CHECK(model.boxes()[0].lo == std::vector<double>{1, 4});
  CHECK(model.boxes()[0].hi == std::vector<double>{2, 7});
  CHECK(model.boxes()[1].lo == std::vector<double>{8, 1});

  // If a node is selected instead, the lines of its subtree are highlighted.
  const std::vector<NodeId> root{{0}}, right{{2}};
  model.show(cursor, {}, root);
  REQUIRE(nodes_of(model) == std::vector<std::uint32_t>{0});
  CHECK_FALSE(model.boxes()[0].fresh);
  CHECK(
      std::all_of(model.lines().begin(), model.lines().end(), [](const CoordinateLine& line) { return line.chosen; }));
  model.show(cursor, {}, right);
  CHECK(model.chooses());
  for (const CoordinateLine& line : model.lines())
    CHECK(line.chosen == (line.point.value == 1 || line.point.value == 2));
  const std::vector<PointId> points{{3}};
  model.show(cursor, points, {});
  CHECK(nodes_of(model) == std::vector<std::uint32_t>{1, 2});
  for (const CoordinateLine& line : model.lines()) CHECK(line.chosen == (line.point.value == 3));
}

TEST_CASE("of many nodes splits alone are shown, and a sentence says so") {
  Cursor cursor(ten_point_trace());
  ParallelCoordinates model(cursor.shared_trace());
  std::vector<NodeId> nodes;
  for (std::uint32_t node = 0; node < 10; ++node) nodes.push_back({node});
  cursor.seek(cursor.step_count() - 1);
  model.show(cursor, {}, nodes);
  CHECK(model.boxes().size() == 10);
  CHECK(model.boxes()[0].lo.empty());
  CHECK(model.boxes()[0].split_value == 46);
  CHECK(model.left_out() == "Only the splits of 10 nodes are shown; select one for its box.");
  nodes.resize(ParallelCoordinates::most_boxes);
  model.show(cursor, {}, nodes);
  CHECK(model.left_out().empty());
  CHECK(model.boxes()[0].lo.size() == 2);
}

TEST_CASE("only the dimensions that are split can be shown") {
  ParallelCoordinates model(boxes_trace());
  CHECK(model.split_count() == 1);
  model.show_split_only(true);
  REQUIRE(model.axes().size() == 1);
  CHECK(model.axis_of(0) == std::size_t(0));
  CHECK_FALSE(model.axis_of(1).has_value());
  model.show_split_only(false);
  CHECK(model.axis_of(1) == std::size_t(1));
  // If nothing is split, there would be no axis.
  ParallelCoordinates without(points_trace(3, 2, [](auto i, auto) { return i; }));
  without.show_split_only(true);
  CHECK(without.axes().size() == 2);
}

TEST_CASE("a place is near the lines that pass it, nearest first") {
  // Use three axes. Points 0 to 3 are at shares 0, 1/3, 2/3, 1, but point 3 falls to 0 on the last axis.
  const ParallelCoordinates model(points_trace(4, 3, [](auto i, auto d) { return i == 3 && d == 2 ? 0 : i; }));
  const CoordinateFrame frame{10, 100, 20, 300};
  const auto near = [&](double x, double y, double reach) {
    std::vector<std::uint32_t> ids;
    for (const PointId point : model.points_near(frame, x, y, reach, 4)) ids.push_back(point.value);
    return ids;
  };
  CHECK(frame.y(0) == 320);
  CHECK(near(60, 322, 5) == std::vector<std::uint32_t>{0});
  CHECK(near(60, 170, 60) == std::vector<std::uint32_t>{2, 1});
  CHECK(near(60, 160, 5).empty());
  CHECK(near(50, 120, 5) == std::vector<std::uint32_t>{2});
  CHECK(near(50, 20, 5) == std::vector<std::uint32_t>{3});
  // Halfway to the last axis, only the falling line of point 3 passes here.
  CHECK(near(160, 170, 2) == std::vector<std::uint32_t>{3});
  CHECK(near(-200, 320, 5).empty());
  // Only drawn lines are found, including lines that are drawn additionally.
  CHECK(model.points_near(frame, 60, 320, 5, 0).empty());
  const std::vector<PointId> besides{{0}};
  CHECK(model.points_near(frame, 60, 320, 5, 0, besides) == besides);
}

TEST_CASE("the neighbour of a point on an axis") {
  const ParallelCoordinates model(ten_point_trace());
  const auto next = [&](std::uint32_t dim, std::optional<PointId> from, int direction) {
    return model.neighbour(dim, from, direction, 10);
  };
  CHECK(next(0, {}, 1) == PointId{0});
  CHECK(next(0, {}, -1) == PointId{9});
  CHECK(next(1, PointId{0}, 1) == PointId{9});  // y: 15, then 21
  CHECK(next(1, PointId{0}, -1) == std::nullopt);
  std::vector<std::uint32_t> up;
  for (std::optional<PointId> at = next(1, {}, 1); at; at = next(1, at, 1)) up.push_back(at->value);
  CHECK(up == std::vector<std::uint32_t>{0, 9, 3, 5, 1, 2, 4, 6, 7, 8});
}

TEST_CASE("runs without points or without a tree") {
  ParallelCoordinates nothing;
  CHECK(nothing.axes().empty());
  CHECK(nothing.point_count() == 0);
  CHECK(nothing.points_near({}, 0, 0, 10, 10).empty());
  const auto trace = points_trace(6, 512, [](auto i, auto d) { return i * d; });
  Cursor cursor(trace);
  ParallelCoordinates model(trace);
  model.show(cursor, {}, {});
  CHECK(model.axes().size() == 512);
  CHECK(model.axis_of(511) == std::size_t(511));
  CHECK(model.boxes().empty());
  CHECK_FALSE(model.lines().front().node.has_value());
}

}  // namespace kdscope::parallel_coordinates_test
