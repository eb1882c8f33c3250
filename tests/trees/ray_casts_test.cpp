// Casts rays through trees and compares them with rays against all triangles.
#include "algorithms/trees/split_planes/ray_casts.hpp"

#include "algorithms/trees/split_planes/exact_sah.hpp"
#include "algorithms/trees/split_planes/reference.hpp"
#include "algorithms/trees/split_planes/tree.hpp"
#include "datasets/datasets.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/share.hpp"

namespace kdscope::ray_casts_test {

namespace {

std::shared_ptr<const DataSet> opened(const std::string& specification) { return open_data_set(specification).value(); }

}  // namespace

TEST_CASE("A ray hits the first triangle, of coinciding ones the lowest, from either side") {
  auto data = std::make_shared<DataSet>();
  data->points = points_from_rows<float>(3, {0, 0, 2, 1, 0, 2, 0, 1, 2, 0, 0, 1, 1, 0, 1, 0, 1, 1});
  data->triangles = {0, 1, 2, 3, 4, 5, 3, 5, 4};
  const SplitPlaneTree tree = exact_sah_tree(data, 0.01);
  const auto both = [&](const Ray& ray) {
    const RayHit hit = cast_ray(tree, ray);
    CHECK((hit == cast_ray_at_all(*data, ray)));
    return hit;
  };
  CHECK((both({{0.25, 0.25, 0}, {0, 0, 1}}) == RayHit{1, 1}));
  CHECK((both({{0.25, 0.25, 4}, {0, 0, -1}}) == RayHit{0, 2}));
  CHECK((both({{0.25, 0.25, 1.5}, {0, 0, 0.25}}) == RayHit{0, 2}));
  CHECK((both({{0.25, 0.25, 1}, {0, 0, 1}}) == RayHit{1, 0}));
  CHECK(both({{0.25, 0.25, 3}, {0, 0, 1}}).triangle == no_id);
  CHECK(both({{0.75, 0.75, 0}, {0, 0, 1}}).triangle == no_id);
  CHECK(both({{-1, 0.25, 1}, {1, 0, 0}}).triangle == no_id);  // in the plane of two triangles
  CHECK((both({{0, 0, 0}, {0, 0, 1}}) == RayHit{1, 1}));      // through a corner, along the volume's edge
}

TEST_CASE("Rays hit the same through a tree as among all triangles, and meet few of them", "[share]") {
  for (const std::string specification :
       {"bunny", "toys", "metal-ring", "triangles:n=300", "triangles:kind=one-point,n=300", "triangles:kind=flat,n=300",
        "triangles:kind=equal,n=20", "triangles:kind=none"}) {
    const auto data = opened(specification);
    const SplitPlaneTree tree = exact_sah_tree(data);
    const std::vector<Ray> rays = random_rays(data->points, 2000 / test::every_nth(3), 7);
    INFO(specification);
    for (const SplitPlaneTree& any : {tree, reference_sah_tree(data, {})}) {
      const CheckResult f = check_ray_casts(any, rays);
      INFO(f.detail);
      CHECK(f.passed);
    }
    RayWork work;
    std::size_t hits = 0;
    for (const Ray& ray : rays) hits += cast_ray(tree, ray, &work).triangle != no_id;
    if (tree.primitives() > 1000) {
      CHECK(hits > rays.size() / 5);
      CHECK(work.tests < 20 * rays.size());
      CHECK(work.nodes > rays.size());
    }
  }
}

TEST_CASE("Ray casts find planted faults: a plane moved, a triangle left out of a leaf, sides swapped") {
  const auto data = opened("bunny");
  const SplitPlaneTree sound = exact_sah_tree(data);
  const std::vector<Ray> rays = random_rays(data->points, 3000, 1);
  REQUIRE(check_ray_casts(sound, rays).passed);
  SplitPlaneTree moved = sound;
  moved.split_value[0] = word_of(float(scalar_value(moved.split_value[0], ScalarType::float32) + 2));
  CHECK(!check_ray_casts(moved, rays).passed);
  // Remove the triangle that the first ray hits from all leaves.
  SplitPlaneTree without = sound;
  std::uint32_t hit = no_id;
  for (std::size_t i = 0; hit == no_id; ++i) hit = cast_ray(sound, rays[i]).triangle;
  for (std::uint32_t& t : without.primitive_of_position)
    if (t == hit) t = hit == 0 ? 1 : 0;
  const CheckResult f = check_ray_casts(without, rays);
  CHECK(!f.passed);
  CHECK(f.detail.find("triangle " + std::to_string(hit) + " among all") != std::string::npos);
  SplitPlaneTree swapped = sound;
  std::swap(swapped.count[sound.size() - 1], swapped.count[sound.size() - 2]);
  for (std::uint32_t i = 0; i < swapped.size(); ++i)
    if (!swapped.is_leaf(i) && swapped.parent[i] == 0) swapped.split_dim[i] = (swapped.split_dim[i] + 1) % 3;
  CHECK(!check_ray_casts(swapped, rays).passed);
}

TEST_CASE("Rays are the same everywhere and start around flat scenes too") {
  const std::vector<Ray> rays = random_rays(opened("triangles:kind=flat")->points, 100, 1);
  std::size_t away = 0;
  for (const Ray& ray : rays) away += ray.direction[2] != 0;
  CHECK(away > 90);
  CHECK(rays[0].origin[0] == random_rays(opened("triangles:kind=flat")->points, 1, 1)[0].origin[0]);
  CHECK(random_rays(points_from_rows<float>(3, {}), 5, 1).empty());
}

}  // namespace kdscope::ray_casts_test
