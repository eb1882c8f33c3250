// Tests the triangles of a trace and the nodes that contain them.
#include "visualizer/model/mesh.hpp"

#include "tests/support/catch.hpp"
#include "tests/trace/hand_made_traces.hpp"

using namespace kdscope;

namespace {

/// Returns two triangles on either side of x = 2, and one across. The left part is split again at y = 1.
std::shared_ptr<const Trace> split_mesh(std::vector<std::uint32_t> triangles, bool of_triangles) {
  TraceBuilder builder(tests::header_of(6, 3));
  using enum ElementType;
  namespace names = partition_arrays;
  builder.declare({points_array, points_array, float32, Space::point, Space::coordinate, 3, {}, false, {}});
  builder.declare({triangles_array, triangles_array, uint32, Space::triangle, Space::point, 3, {}, false, {}});
  if (of_triangles) builder.declare({"owner", "owner", uint32, Space::triangle, Space::node, 1, {}, true, {}});
  builder.declare({names::parent, "", uint32, Space::node, Space::node, 1, {}, false, {}});
  builder.declare({names::split_dim, "", uint32, Space::node, Space::dimension, 1, {}, false, {}});
  builder.declare({names::split_value, "", float64, Space::node, Space::split_value, 1, {}, false, {}});
  builder.begin_step(tests::named_step({"build", "split"}));
  builder.write(points_array,
                TypedArray::of(std::vector<float>{0, 0, 0, 1, 0, 0, 0, 0.5f, 0, 2, 0, 0, 3, 0, 0, 2, 3, 0}));
  builder.write(triangles_array, TypedArray::of(triangles));
  using Ids = std::vector<std::uint32_t>;
  builder.write(names::parent, TypedArray::of(Ids{no_id, 0, 0, 1, 1}));
  builder.write(names::split_dim, TypedArray::of(Ids{0, 1, no_id, no_id, no_id}));
  builder.write(names::split_value, TypedArray::of(std::vector<double>{2, 1, 0, 0, 0}));
  return builder.finish();
}

}  // namespace

TEST_CASE("a triangle has the place of the lowest node that holds all of it; what begins on a plane is above it") {
  const Cursor cursor(split_mesh({0, 1, 2, 3, 4, 5, 1, 3, 5}, false));
  const std::vector<std::uint32_t> triangles = triangles_of(cursor);
  REQUIRE(triangles.size() == 9);
  const auto places = places_of_triangles(Partition::at(cursor), *cursor.array(points_array), 3, triangles);
  const TreePlace root, left = child_of(root, false);
  CHECK((places == std::vector<TreePlace>{child_of(left, false), child_of(root, true), root}));
  CHECK(places_of_triangles(Partition(), *cursor.array(points_array), 3, triangles) == std::vector<TreePlace>(3));
}

TEST_CASE("a trace sorts triangles if an array speaks of them, and triangles that name no points are none") {
  CHECK_FALSE(sorts_triangles(*split_mesh({0, 1, 2}, false)));
  CHECK(sorts_triangles(*split_mesh({0, 1, 2}, true)));
  CHECK(triangles_of(Cursor(split_mesh({0, 1, 6}, true))).empty());
  CHECK(triangles_of(Cursor(split_mesh({}, true))).empty());
}
