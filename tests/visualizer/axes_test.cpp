#include "visualizer/model/axes.hpp"

#include "tests/support/catch.hpp"
#include "tests/trace/hand_made_traces.hpp"
#include "visualizer/model/array_table.hpp"

using namespace kdscope;

TEST_CASE("the first axes fit, and what does not is left for them") {
  CHECK(first_axes(1) == Axes{0, -1, -1});
  CHECK(first_axes(2) == Axes{0, 1, -1});
  CHECK(first_axes(3) == Axes{0, 1, 2});
  CHECK(first_axes(512) == Axes{0, 1, -1});
  for (std::uint32_t dim = 1; dim <= 512; dim += 7) CHECK(axes_fit(first_axes(dim), dim));
  for (const Axes& wrong :
       {Axes{0, 0, -1}, Axes{-1, 0, -1}, Axes{0, -1, 1}, Axes{0, 1, 1}, Axes{0, 5, -1}, Axes{0, -2, -1}})
    CHECK_FALSE(axes_fit(wrong, 5));
  CHECK(axes_or_first(Axes{4, 3, 2}, 5) == Axes{4, 3, 2});
  CHECK(axes_or_first(Axes{4, 3, 2}, 4) == Axes{0, 1, -1});
}

TEST_CASE("putting any dimension on any axis leaves axes that fit") {
  const std::uint32_t dim = 5;
  std::vector<Axes> all{first_axes(dim), {0, 1, 2}, {4, 2, 3}};
  for (std::size_t i = 0; i < all.size(); ++i)
    for (int axis = 0; axis < 3; ++axis)
      for (int d = axis == 2 ? -1 : 0; d < 5; ++d) {
        const Axes axes = with_axis(all[i], axis, d, dim);
        CAPTURE(i, axis, d);
        REQUIRE(axes_fit(axes, dim));
        CHECK(axes[static_cast<std::size_t>(axis)] == d);
        if (all.size() < 200) all.push_back(axes);
      }
  CHECK(with_axis({0, 1, -1}, 0, 1, dim) == Axes{1, 0, -1});
  CHECK(with_axis({0, 1, -1}, 2, 1, dim) == Axes{0, 2, 1});
}

TEST_CASE("of many dimensions a table has the rows of those on the axes, and says how many it leaves out") {
  TraceBuilder builder(tests::header_of(2, 5));
  std::vector<std::pair<std::string, std::uint32_t>> declared;
  const auto declare = [&](const char* name, Space index, Space value, std::uint32_t components,
                           std::uint32_t dimension = no_id) {
    declared.emplace_back(name, components);
    builder.declare({name, name, ElementType::uint32, index, value, components, {}, true, {}, dimension});
  };
  declare(points_array, Space::point, Space::coordinate, 5);
  declare("owner", Space::position, Space::node, 1);
  for (std::uint32_t d = 0; d < 5; ++d)
    declare(("sequence" + std::to_string(d)).c_str(), Space::position, Space::point, 1, d);
  declare("child", Space::node, Space::node, 2);
  declare("aabbMin", Space::node, Space::coordinate, 5);
  declare("ends", Space::node, Space::coordinate, 10);
  builder.begin_step({});
  for (const auto& [name, components] : declared)
    builder.write(name, TypedArray::of(std::vector<std::uint32_t>(2 * components)));
  const Cursor cursor(builder.finish());
  const auto labels = [&](Space space, const std::optional<Axes>& axes) {
    const ArrayTable table(cursor, nullptr, space, axes);
    std::string text;
    for (std::size_t row = 1; row < table.rows().size(); ++row) text += (row > 1 ? " " : "") + table.rows()[row].label;
    return text + " | " + std::to_string(table.hidden_dimensions());
  };
  CHECK(labels(Space::position, Axes{3, 1, -1}) == "owner sequence1 sequence3 | 3");
  CHECK(labels(Space::position, Axes{3, 1, 0}) == "owner sequence0 sequence1 sequence3 | 2");
  CHECK(labels(Space::position, {}) == "owner sequence0 sequence1 sequence2 sequence3 sequence4 | 0");
  CHECK(labels(Space::point, Axes{3, 1, -1}) == "points.x1 points.x3 | 3");
  CHECK(labels(Space::node, Axes{4, 0, -1}) ==
        "child[0] child[1] aabbMin.x0 aabbMin.x4 ends.low.x0 ends.low.x4 ends.high.x0 ends.high.x4 | 3");
}
