// Tests the ray tracer against a renderer without a tree, its trees and back ends against one another, and light by
// hand.
#include "algorithms/applications/ray_tracing/ray_tracer.hpp"

#include <algorithm>
#include <cmath>

#include "algorithms/applications/ray_tracing/median_tree.hpp"
#include "algorithms/applications/ray_tracing/passes.hpp"
#include "algorithms/applications/ray_tracing/picture_file.hpp"
#include "algorithms/registry/registry.hpp"
#include "algorithms/trees/split_planes/ray_casts.hpp"
#include "algorithms/trees/tree.hpp"
#include "datasets/datasets.hpp"
#include "tests/applications/reference_renderer.hpp"
#include "tests/support/cases.hpp"
#include "tests/support/file_text.hpp"
#include "tests/support/temporary_folder.hpp"

namespace kdscope::ray_tracer_test {

namespace {

std::shared_ptr<const DataSet> scene_of(const std::string& data) { return open_data_set(data).value(); }

PictureRequest picture_of(std::shared_ptr<const DataSet> scene, std::uint32_t width, std::uint32_t height) {
  PictureRequest request;
  request.look = look_of(*scene);
  request.camera = camera_before(*scene, width, height);
  request.scene = std::move(scene);
  request.backend = Backend::cpu;
  return request;
}

Picture traced(const PictureRequest& request) {
  const auto picture = trace_picture(request);
  if (!picture) INFO(picture.error().message());
  REQUIRE(picture);
  return *picture;
}

/// A mesh of quads in the planes z = height, each 2 wide and seen from above.
DataSet quads(const std::vector<double>& heights) {
  DataSet set;
  set.name = "quads";
  std::vector<float> rows;
  for (const double z : heights) {
    const auto first = static_cast<std::uint32_t>(rows.size() / 3);
    for (const auto& [x, y] : {std::pair{-1, -1}, {1, -1}, {1, 1}, {-1, 1}})
      rows.insert(rows.end(), {float(x), float(y), float(z)});
    for (const std::uint32_t corner : {0u, 1u, 2u, 0u, 2u, 3u}) set.triangles.push_back(first + corner);
  }
  set.points = points_from_rows<float>(3, rows);
  return set;
}

/// One pixel straight down from above.
PictureRequest straight_down(DataSet scene, SceneLook look) {
  PictureRequest request;
  request.scene = std::make_shared<const DataSet>(std::move(scene));
  request.look = std::move(look);
  request.camera = {{0.1, 0.2, 5}, {0, 0, -1}, {1, 0, 0}, {0, 1, 0}, 1, 1};
  request.backend = Backend::cpu;
  return request;
}

SceneLook dark(Material material) {
  SceneLook look;
  look.materials = {material};
  look.above = look.below = {0, 0, 0};
  return look;
}

int red_of(const Picture& picture) { return static_cast<int>(picture.pixels.at(0) >> 16 & 0xff); }
int byte_of(double light) { return static_cast<int>(std::lround(255 * std::sqrt(std::min(1.0, light)))); }

}  // namespace

TEST_CASE("ray tracer: pictures are those of a renderer without a tree") {
  for (const char* data : {"toys", "metal-ring", "champagne", "triangles:kind=soup,n=200", "zhou-8"}) {
    INFO(data);
    PictureRequest request = picture_of(scene_of(data), 40, 30);
    request.look.bounces = std::min(request.look.bounces, 4u);
    const auto expected = reference::render(*request.scene, request.look, request.camera);
    for (const SceneTree tree : {SceneTree::zhou_sah, SceneTree::exact_sah, SceneTree::median}) {
      INFO(name_of(tree));
      request.tree = tree;
      const Picture picture = traced(request);
      CHECK(reference::psnr(picture.pixels, expected) >= 45);
      CHECK(picture.rays.eye == 1200);
    }
  }
}

TEST_CASE("ray tracer: mirrors and glass of the source's scenes are those of a renderer without a tree", "[slow]") {
  for (const char* data : {"museum", "kitchen"}) {
    INFO(data);
    PictureRequest request = picture_of(scene_of(data), 24, 18);
    CHECK(reference::psnr(traced(request).pixels, reference::render(*request.scene, request.look, request.camera)) >=
          45);
  }
}

TEST_CASE("ray tracer: a fault in the picture is found") {
  PictureRequest request = picture_of(scene_of("toys"), 40, 30);
  const auto expected = reference::render(*request.scene, request.look, request.camera);
  request.look.lights[0].at = request.look.lights[0].at + Vector3{4, 0, 0};
  CHECK(reference::psnr(traced(request).pixels, expected) < 45);
}

TEST_CASE("ray tracer: the picture does not depend on tree, order or number of pictures") {
  PictureRequest request = picture_of(scene_of("champagne"), 61, 35);
  request.repeat = 2;
  const Picture first = traced(request);
  CHECK(first.trace_ms.size() == 2);
  request.time_steps = true;
  const Picture timed = traced(request);
  CHECK(timed.pixels == first.pixels);
  CHECK(timed.visited == first.visited);
  REQUIRE(!timed.step_times.empty());
  CHECK(timed.step_times.front().name == "build tree");
  CHECK(timed.step_times[2].name == "eye rays");
  CHECK(timed.step_times.back().name == "develop");
  for (const SceneTree tree : {SceneTree::exact_sah, SceneTree::median}) {
    request.tree = tree;
    const Picture other = traced(request);
    CHECK(other.pixels == first.pixels);
    CHECK(other.rays.mirrored == first.rays.mirrored);
    CHECK(other.rays.shadow == first.rays.shadow);
  }
}

TEST_CASE("ray tracer: a kept tree gives the same picture from another eye, and none of another scene is taken") {
  for (const SceneTree tree : {SceneTree::zhou_sah, SceneTree::median}) {
    PictureRequest request = picture_of(scene_of("toys"), 40, 30);
    request.tree = tree;
    CHECK(traced(request).tree == nullptr);
    request.keep_tree = true;
    const Picture first = traced(request);
    REQUIRE(first.tree);
    request.camera = camera_of(*request.scene, 40, 30, {0.3, 0.1, 0.7});
    const Picture expected = traced(request);
    request.kept = first.tree;
    const Picture other = traced(request);
    CHECK(other.pixels == expected.pixels);
    CHECK(other.visited == expected.visited);
    CHECK(other.build_ms == std::vector<double>{0});
    CHECK(other.once_ms == 0);
    request.scene = scene_of("toys:frame=1");
    const auto refused = trace_picture(request);
    REQUIRE(!refused);
    CHECK(refused.error().message().find("another scene") != std::string::npos);
  }
}

TEST_CASE("ray tracer: a median tree is sound, and its rays hit what a test of all triangles finds") {
  for (const char* data : {"toys", "triangles:kind=soup,n=500", "zhou-4"}) {
    INFO(data);
    const auto scene = scene_of(data);
    const SplitPlaneTree tree = median_tree(scene);
    for (const CheckResult& check : verify_tree(Tree(tree), scene->points)) {
      INFO(check.name << ": " << check.detail);
      CHECK(check.passed);
    }
    const CheckResult casts = check_ray_casts(tree, random_rays(scene->points, 2000, 3));
    INFO(casts.detail);
    CHECK(casts.passed);
  }
}

TEST_CASE("ray tracer: light by hand") {
  SECTION("a matte surface sends on its colour times the cosine") {
    SceneLook look = dark({{0.5f, 0.5f, 0.5f}});
    look.lights = {{{0.1, 0.2 + 3, 3}, {0.8f, 0.8f, 0.8f}}};  // at 45 degrees
    CHECK(std::abs(red_of(traced(straight_down(quads({0}), look))) - byte_of(0.5 * 0.8 * std::sqrt(0.5))) <= 1);
  }
  SECTION("light that is blocked does not arrive, and a light between does") {
    SceneLook look = dark({{0.5f, 0.5f, 0.5f}});
    PictureRequest request = straight_down(quads({0, 2}), look);
    request.camera.eye.z = 1;
    request.look.lights = {{{0.1, 0.2, 3}, {1, 1, 1}}};
    CHECK(red_of(traced(request)) == 0);
    request.look.lights[0].at.z = 1.5;
    CHECK(std::abs(red_of(traced(request)) - byte_of(0.5)) <= 1);
  }
  SECTION("a mirror shows the sky by its share and colour") {
    SceneLook look = dark({{0.9f, 0.9f, 0.9f}, 0.6f});
    look.above = look.below = {1, 1, 1};
    look.bounces = 1;
    CHECK(std::abs(red_of(traced(straight_down(quads({0}), look))) - byte_of(0.4 * 0.9 * 0.45 + 0.6 * 0.9)) <= 1);
  }
  SECTION("glass seen straight reflects ((n - 1) / (n + 1))^2") {
    SceneLook look = dark({{1, 1, 1}, 0, 0, 1.5f});
    look.above = {1, 1, 1};
    look.bounces = 1;  // the reflected ray goes up into the light, the refracted one down into the dark
    CHECK(std::abs(red_of(traced(straight_down(quads({0}), look))) - byte_of(0.04)) <= 1);
  }
  SECTION("from within, beyond the critical angle, everything is reflected") {
    SceneLook look = dark({{1, 1, 1}, 0, 0, 1.5f});
    look.below = {1, 1, 1};
    look.bounces = 1;
    PictureRequest request = straight_down(quads({0}), look);
    // Below the quad, which faces up, a ray upwards is within the glass. At 60 degrees it turns back down.
    request.camera = {{0.1, 0.2, -0.1}, {std::sqrt(0.75), 0, 0.5}, {1, 0, 0}, {0, 1, 0}, 1, 1};
    const Picture picture = traced(request);
    CHECK(picture.rays.mirrored == 1);
    CHECK(std::abs(red_of(picture) - byte_of(0.75)) <= 1);  // the sky at 60 degrees downwards
  }
  SECTION("a light inside of a closed body does not shine out of it") {
    DataSet body;  // an octahedron
    body.name = "octahedron";
    body.points = points_from_rows<float>(3, {1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1});
    for (const std::uint32_t x : {0u, 1u})
      for (const std::uint32_t y : {2u, 3u})
        for (const std::uint32_t z : {4u, 5u}) body.triangles.insert(body.triangles.end(), {x, y, z});
    PictureRequest request = picture_of(std::make_shared<const DataSet>(std::move(body)), 16, 16);
    request.look.above = request.look.below = {0, 0, 0};
    request.look.lights = {{{0.1, 0, 0.1}, {1, 1, 1}}};
    const Picture picture = traced(request);
    CHECK(std::ranges::all_of(picture.pixels, [](std::uint32_t pixel) { return pixel == 0xff000000u; }));
    request.look.lights[0].at = {3, -4, 3};
    const Picture lit = traced(request);
    CHECK(std::ranges::any_of(lit.pixels, [](std::uint32_t pixel) { return pixel != 0xff000000u; }));
  }
}

TEST_CASE("ray tracer: degenerate triangles are invisible") {
  DataSet scene = quads({0});
  const Picture expected = traced(straight_down(scene, look_of(scene)));
  for (const std::uint32_t corner : {0u, 0u, 1u, 2u, 2u, 2u, 0u, 2u, 0u}) scene.triangles.push_back(corner);
  CHECK(traced(straight_down(scene, look_of(scene))).pixels == expected.pixels);
}

TEST_CASE("ray tracer: what cannot be traced is refused with one sentence") {
  const auto refused = [](const PictureRequest& request, ErrorKind kind, const std::string& part) {
    const auto picture = trace_picture(request);
    REQUIRE(!picture);
    CHECK(picture.error().kind == kind);
    INFO(picture.error().message());
    CHECK(picture.error().message().find(part) != std::string::npos);
  };
  const PictureRequest good = straight_down(quads({0}), dark({}));
  PictureRequest request = good;
  request.camera.width = 0;
  refused(request, ErrorKind::bad_usage, "0 x 1 pixels");
  request = good, request.camera.width = request.camera.height = 1u << 16;
  refused(request, ErrorKind::bad_usage, "pixels");
  request = good, request.look.bounces = 17;
  refused(request, ErrorKind::bad_usage, "17 bounces");
  request = good, request.look.lights.resize(65);
  refused(request, ErrorKind::bad_usage, "65 lights");
  request = good, request.look.materials.clear();
  refused(request, ErrorKind::bad_input, "materials");
  request = good;
  DataSet made = quads({0});
  made.materials = {3, 1};
  request.scene = std::make_shared<const DataSet>(made);
  refused(request, ErrorKind::bad_input, "materials");
  for (const char* points : {"uniform:n=10,dim=3", "uniform:n=10,dim=2"}) {
    request.scene = scene_of(points);
    request.look = look_of(*request.scene);
    refused(request, ErrorKind::bad_input, "triangles");
  }
}

TEST_CASE("ray tracer: every pixel has a ray, whatever the picture's size") {
  for (const auto& [width, height] : {std::pair{1u, 1u}, {7u, 3u}, {8u, 4u}, {33u, 9u}}) {
    PictureRequest request = picture_of(scene_of("zhou-8"), width, height);
    request.look.above = request.look.below = {1, 1, 1};
    const Picture picture = traced(request);
    CHECK(picture.pixels.size() == std::size_t{width} * height);
    // No pixel is black: each has the sky, or a surface below it.
    CHECK(std::ranges::none_of(picture.pixels, [](std::uint32_t pixel) { return pixel == 0xff000000u; }));
  }
}

TEST_CASE("ray tracer: every pixel has one eye ray") {
  for (const auto& [width, height] : {std::pair{1u, 1u}, {7u, 3u}, {8u, 4u}, {33u, 9u}, {10u, 30u}}) {
    ray_tracing::EyeRays rays{};
    rays.camera.width = width, rays.camera.height = height;
    std::vector<int> seen(std::size_t{width} * height);
    for (std::uint32_t i = 0; i < width * height; ++i) ++seen.at(rays.pixel_of(i));
    CHECK(std::ranges::all_of(seen, [](int count) { return count == 1; }));
  }
}

TEST_CASE("ray tracer: a scene far from the origin does not shadow itself") {
  DataSet scene = quads({0});
  for (std::uint32_t& word : scene.points.words) word = word_of(float_of(word) + 20'000.0f);
  PictureRequest request = straight_down(scene, dark({{0.5f, 0.5f, 0.5f}}));
  const Vector3 far{20'000, 20'000, 20'000};
  request.camera.eye = request.camera.eye + far;
  request.look.lights = {{Vector3{0.1, 0.2, 3} + far, {1, 1, 1}}};
  CHECK(std::abs(red_of(traced(request)) - byte_of(0.5)) <= 2);
}

TEST_CASE("ray tracer: pictures are written as portable pixmaps") {
  const test::TemporaryFolder folder;
  const std::string path = folder.file("two.ppm");
  REQUIRE(write_picture(path, 2, 1, {0xff010203u, 0xfffefdfcu}));
  CHECK(test::content_of(path) == std::string("P6\n2 1\n255\n\x01\x02\x03\xfe\xfd\xfc", 17));
  const auto refused = write_picture(folder.file("two.png"), 2, 1, {0, 0});
  REQUIRE(!refused);
  CHECK(refused.error().kind == ErrorKind::bad_usage);
}

DEVICE_CASE("ray tracer: a picture on CUDA is that of the CPU, bit for bit", "[sanitize]") {
  for (const char* data : {"toys", "champagne"}) {
    INFO(data);
    PictureRequest request = picture_of(scene_of(data), 50, 37);
    const Picture expected = traced(request);
    request.backend = Backend::cuda;
    for (const SceneTree tree : {SceneTree::zhou_sah, SceneTree::median}) {
      request.tree = tree;
      const Picture picture = traced(request);
      CHECK(picture.pixels == expected.pixels);
      CHECK(picture.rays.mirrored == expected.rays.mirrored);
      CHECK(picture.rays.shadow == expected.rays.shadow);
      if (tree == SceneTree::zhou_sah) CHECK(picture.visited == expected.visited);
    }
  }
}

DEVICE_CASE("ray tracer: scenes without materials or lights, and kept trees, on CUDA", "[sanitize]") {
  const PictureRequest good = picture_of(scene_of("toys"), 24, 18);
  PictureRequest plain = good, dark_scene = good, kept = good;
  auto copy = std::make_shared<DataSet>(*good.scene);
  copy->materials.clear();
  plain.scene = copy;
  dark_scene.look.lights.clear();
  PictureRequest keeping = good;
  keeping.keep_tree = true;
  kept.kept = traced(keeping).tree;
  for (const auto& [name, request] :
       {std::pair{"no materials", &plain}, {"no lights", &dark_scene}, {"kept tree", &kept}, {"keeping", &keeping}}) {
    INFO(name);
    const Picture expected = traced(*request);
    PictureRequest on_cuda = *request;
    on_cuda.backend = Backend::cuda;
    on_cuda.repeat = 2;  // the second picture reuses the arrays of the first
    const Picture picture = traced(on_cuda);
    CHECK(picture.pixels == expected.pixels);
    CHECK(picture.visited == expected.visited);
    CHECK(picture.rays.shadow == expected.rays.shadow);
    REQUIRE((picture.tree != nullptr) == (expected.tree != nullptr));
    if (picture.tree) CHECK(tree_hash(Tree(*picture.tree)) == tree_hash(Tree(*expected.tree)));
  }
  CHECK(traced(dark_scene).rays.shadow == 0);
}

}  // namespace kdscope::ray_tracer_test
