// Tests photon maps: no light is lost, estimates are those of geometry, and odd requests end well.
#include <algorithm>
#include <array>
#include <cmath>

#include "algorithms/applications/ray_tracing/ray_tracer.hpp"
#include "algorithms/registry/registry.hpp"
#include "datasets/datasets.hpp"
#include "tests/applications/reference_renderer.hpp"
#include "tests/support/cases.hpp"

namespace kdscope::photon_map_test {

namespace {

PictureRequest picture_with(const std::string& data, const PhotonRequest& photons) {
  const auto scene = open_data_set(data).value();
  PictureRequest request;
  request.scene = scene;
  request.look = look_of(*scene);
  request.camera = camera_before(*scene, 40, 30);
  request.photons = photons;
  request.backend = Backend::cpu;
  return request;
}

Picture traced(const PictureRequest& request) { return trace_picture(request).value(); }

/// A floor at z = 0 and a wall at x = 1, both wide; the wall mirrors.
DataSet floor_and_wall() {
  DataSet scene;
  scene.name = "floor and wall";
  scene.points =
      points_from_rows<float>(3, {-4, -4, 0, 1, -4, 0, 1, 4, 0, -4, 4, 0, 1, -2, 0, 1, 2, 0, 1, 2, 4, 1, -2, 4});
  scene.triangles = {0, 1, 2, 0, 2, 3, 4, 6, 5, 4, 7, 6};
  scene.materials = {0, 0, 1, 1};
  return scene;
}

constexpr float share = 0.8f, colour = 0.5f;

/// One pixel that sees the floor at (x, 0.1) from above; the light stands at (0, 0.1, 1).
PictureRequest seen_at(double x, std::uint32_t photons) {
  PictureRequest request;
  request.scene = std::make_shared<const DataSet>(floor_and_wall());
  request.look.materials = {{{colour, colour, colour}}, {{1, 1, 1}, share}};
  request.look.above = request.look.below = {0, 0, 0};
  request.look.lights = {{{0, 0.1, 1}, {0.3f, 0.3f, 0.3f}}};
  request.look.bounces = 0;
  request.camera = {{x, 0.1, 3}, {0, 0, -1}, {1, 0, 0}, {0, 1, 0}, 1, 1};
  request.backend = Backend::cpu;
  if (photons > 0) {
    request.photons.emplace();
    request.photons->count = photons;
    request.photons->k = 128;
    request.photons->faintest = 0.001;
  }
  return request;
}

double light_of(const Picture& picture) {
  const double byte = picture.pixels.at(0) & 0xff;
  return byte / 255 * byte / 255;
}

}  // namespace

TEST_CASE("photon map: no light of photons is lost") {
  for (const char* data : {"metal-ring", "champagne", "kitchen", "museum"}) {
    INFO(data);
    PhotonRequest photons;
    photons.count = 20'000;
    const Picture picture = traced(picture_with(data, photons));
    REQUIRE(picture.photons);
    const PhotonReport& report = *picture.photons;
    CHECK(report.emitted == 20'000);
    CHECK(report.stored > 100);
    for (std::size_t c = 0; c < 3; ++c) {
      double sum = 0;
      for (const auto& light : report.light) sum += light[c];
      CHECK(std::abs(sum - report.emitted) <= 0.001 * report.emitted);
      CHECK(report.light[static_cast<std::size_t>(PhotonEnd::stored)][c] <= report.stored);
    }
    REQUIRE(picture.photon_ms.size() == 1);
    CHECK(picture.photon_ms[0] > 0);
    CHECK(report.photons.empty());  // nobody asked for them
  }
}

TEST_CASE("photon map: caustics are those of all photons compared, and a fault in k or R is found") {
  struct Scene {
    const char* data;
    std::uint32_t bounces, photons, k;
    double faintest;
  };
  for (const auto& [data, bounces, count, k, faintest] :
       {Scene{"metal-ring", 2, 4'000, 8, 0.05}, {"champagne", 2, 4'000, 8, 0.05}}) {
    INFO(data);
    PictureRequest request = picture_with(data, {count, k});
    request.camera = camera_before(*request.scene, 32, 24);
    request.look.bounces = bounces;
    request.photons->faintest = faintest;
    request.photons->keep = true;
    const Picture picture = traced(request);
    reference::Flashes flashes{{}, k, picture.photons->radius};
    for (const Photon& photon : picture.photons->photons)
      flashes.all.push_back(
          {{photon.at[0], photon.at[1], photon.at[2]}, {{photon.flux[0], photon.flux[1], photon.flux[2]}}});
    REQUIRE(flashes.all.size() == picture.photons->stored);
    const auto ratio_to = [&](const reference::Flashes& expected) {
      return reference::psnr(picture.pixels, reference::render(*request.scene, request.look, request.camera, expected));
    };
    // Radius histograms take what is less than R / 1024 beyond the k-th photon, which is far below these faults.
    constexpr double threshold = 60;
    CHECK(ratio_to(flashes) >= threshold);
    --flashes.k;
    CHECK(ratio_to(flashes) < threshold);
    ++flashes.k, flashes.within /= 2;
    CHECK(ratio_to(flashes) < threshold);
  }
}

TEST_CASE("photon map: a mirror's light on a floor is that of the light's mirror image") {
  // The image stands at (2, 0.1, 1). A light is as bright as in pictures at the distance of what it shines on, which is
  // here within the sphere around the wall: at its radius. An estimate from 128 photons deviates by 10 %, the mean of
  // eight by 4 %.
  const double radius_squared = 0.25 * (4 * 4 + 4 * 4);
  for (const double x : {0.0, 0.4, -0.5}) {
    INFO(x);
    const double square = (2 - x) * (2 - x) + 1, expected = share * 0.3 * radius_squared / square / std::sqrt(square);
    const double without = light_of(traced(seen_at(x, 0)));
    double sum = 0;
    for (std::uint64_t seed = 1; seed <= 8; ++seed) {
      PictureRequest request = seen_at(x, 100'000);
      request.photons->seed = seed;
      sum += (light_of(traced(request)) - without) / colour;
    }
    CHECK(sum / 8 == Approx(expected).epsilon(0.12));
  }
}

TEST_CASE("photon map: twice the photons bring the same light, and R follows their number") {
  const Picture few = traced(seen_at(0.2, 100'000)), many = traced(seen_at(0.2, 200'000));
  CHECK(few.photons->radius == Approx(std::sqrt(2) * many.photons->radius));
  CHECK(light_of(few) == Approx(light_of(many)).epsilon(0.1));
  // More photons are not asked for where a light must be brighter to matter.
  PictureRequest request = seen_at(0.2, 100'000);
  request.photons->faintest *= 4;
  CHECK(traced(request).photons->radius == Approx(few.photons->radius / 2));
}

TEST_CASE("photon map: R is that of the documented formula, whatever the brightness of the lights") {
  // R^2 = k flux / (pi E) for 100,000 photons, k 50 and E of 2 % of the ring's one light, which is 0.95 bright.
  PhotonRequest photons;
  photons.count = 100'000;
  PictureRequest request = picture_with("metal-ring", photons);
  REQUIRE(request.look.lights.size() == 1);
  CHECK(traced(request).photons->radius == Approx(1.3289).epsilon(1e-4));
  for (float& c : request.look.lights[0].colour) c *= 0.5;
  CHECK(traced(request).photons->radius == Approx(1.3289).epsilon(1e-4));
  request.look.lights[0].colour = {0, 0, 0};
  CHECK(traced(request).photons->radius == 0);
}

TEST_CASE("photon map: the same photons whatever the tree of the scene, and others by another seed") {
  PhotonRequest photons;
  photons.count = 5'000;
  PictureRequest request = picture_with("metal-ring", photons);
  const Picture first = traced(request);
  request.time_steps = true;
  const Picture timed = traced(request);
  CHECK(timed.pixels == first.pixels);
  CHECK(timed.photons->build_ms.size() == 1);
  CHECK(timed.photons->gather_ms.size() == 1);
  CHECK(timed.photons->gather_ms[0] < timed.trace_ms[0]);
  double steps = 0;
  for (const StepTime& step : timed.step_times) steps += step.ms;
  CHECK(steps > 0);
  CHECK(steps <= timed.stepped_ms);
  for (const char* name : {"build tree", "emit photons", "bounce 0 / trace photons", "bounce 1 / decide fates",
                           "bounce 1 / list photons", "build photon tree", "bounce 0 / gather photons"}) {
    INFO(name);
    CHECK(std::ranges::count(timed.step_times, name, &StepTime::name) == 1);
  }
  request.time_steps = false;
  request.tree = SceneTree::median;
  CHECK(traced(request).pixels == first.pixels);
  request.photons->seed = 2;
  CHECK(traced(request).pixels != first.pixels);
  request.photons.reset();
  const Picture none = traced(request);
  CHECK(none.pixels != first.pixels);
  CHECK(!none.photons);
}

TEST_CASE("photon map: a caustic follows the ring that casts it") {
  // Photons lie around the ring, whose middle is that of the box of all that mirrors.
  const auto middle = [](const std::string& data) {
    PictureRequest request = picture_with(data, {20'000});
    request.photons->keep = true;
    const Picture picture = traced(request);
    double sum[2] = {0, 0};
    for (const Photon& photon : picture.photons->photons)
      for (std::size_t d = 0; d < 2; ++d) sum[d] += double(photon.at[d]) / picture.photons->stored;
    return std::array{sum[0], sum[1]};
  };
  const auto still = middle("metal-ring"), moved = middle("metal-ring:frame=25");
  // In frame 25 the ring has moved by 5 to the right.
  CHECK(moved[0] - still[0] > 2.5);
  CHECK(moved[0] - still[0] < 7.5);
  CHECK(std::abs(moved[1] - still[1]) < 1.5);
}

TEST_CASE("photon map: k above the number of photons, one photon, and none end well") {
  PhotonRequest photons;
  photons.count = 60;
  photons.k = 128;
  const Picture few = traced(picture_with("metal-ring", photons));
  CHECK(few.photons->stored < 128);
  photons.count = 1;
  CHECK(traced(picture_with("metal-ring", photons)).photons->emitted == 1);
  // Nothing mirrors: no photon is sent, and the picture is that without photons.
  PictureRequest request = picture_with("triangles:kind=soup,n=200", photons);
  const Picture nothing = traced(request);
  CHECK(nothing.photons->emitted == 0);
  CHECK(nothing.photons->stored == 0);
  request.photons.reset();
  CHECK(traced(request).pixels == nothing.pixels);
  // Without light, likewise
  request = picture_with("metal-ring", photons);
  request.look.lights.clear();
  CHECK(traced(request).photons->emitted == 0);
}

TEST_CASE("photon map: a light inside of a glass sends photons out of it") {
  PhotonRequest photons;
  photons.count = 3'000;
  PictureRequest request = picture_with("champagne", photons);
  request.look.lights = {{{0, 0, 12}, {1, 1, 1}}};
  const PhotonReport report = *traced(request).photons;
  CHECK(report.stored > 0);
  double sum = 0;
  for (const auto& light : report.light) sum += light[0];
  CHECK(std::abs(sum - report.emitted) <= 0.001 * report.emitted);
}

TEST_CASE("photon map: what cannot be asked for is refused with one sentence") {
  const auto refused = [](auto change, const std::string& part) {
    PictureRequest request = picture_with("metal-ring", {});
    change(*request.photons);
    const auto picture = trace_picture(request);
    REQUIRE(!picture);
    CHECK(picture.error().kind == ErrorKind::bad_usage);
    INFO(picture.error().message());
    CHECK(picture.error().message().find(part) != std::string::npos);
  };
  refused([](PhotonRequest& photons) { photons.count = 0; }, "0 photons");
  refused([](PhotonRequest& photons) { photons.k = 129; }, "129 photons");
  refused([](PhotonRequest& photons) { photons.bounces = 17; }, "17 bounces");
  refused([](PhotonRequest& photons) { photons.faintest = 0; }, "faintest");
}

DEVICE_CASE("photon map: a caustic on CUDA is that of the CPU, bit for bit", "[sanitize]") {
  for (const char* data : {"metal-ring", "champagne"}) {
    INFO(data);
    PhotonRequest photons;
    photons.count = 5'000;
    photons.k = 20;
    PictureRequest request = picture_with(data, photons);
    const Picture expected = traced(request);
    request.backend = Backend::cuda;
    const Picture picture = traced(request);
    CHECK(picture.photons->stored == expected.photons->stored);
    CHECK(picture.photons->light == expected.photons->light);
    CHECK(picture.pixels == expected.pixels);
  }
}

DEVICE_CASE("photon map: no photon stored, fewer than k, and kept trees on CUDA", "[sanitize]") {
  PhotonRequest photons;
  photons.count = 60;
  photons.k = 128;
  const PictureRequest few = picture_with("metal-ring", photons);
  PictureRequest one = few, none_stored = few, no_lights = few, kept = few;
  one.photons->count = 1;
  none_stored.photons->bounces = 0;  // photons end at the mirror that they meet first
  no_lights.look.lights.clear();
  PictureRequest keeping = few;
  keeping.keep_tree = true;
  kept.kept = traced(keeping).tree;
  const PictureRequest no_mirrors = picture_with("triangles:kind=soup,n=200", photons);
  for (const auto& [name, request] : {std::pair{"few", &few},
                                      {"one", &one},
                                      {"none stored", &none_stored},
                                      {"no lights", &no_lights},
                                      {"kept tree", &kept},
                                      {"no mirrors", &no_mirrors}}) {
    INFO(name);
    PictureRequest keeps = *request;
    keeps.photons->keep = true;
    const Picture expected = traced(keeps);
    keeps.backend = Backend::cuda;
    keeps.repeat = 2;  // the second picture reuses the arrays of the first
    const Picture picture = traced(keeps);
    CHECK(picture.pixels == expected.pixels);
    CHECK(picture.photons->emitted == expected.photons->emitted);
    CHECK(picture.photons->light == expected.photons->light);
    REQUIRE(picture.photons->photons.size() == expected.photons->stored);
    for (std::size_t i = 0; i < picture.photons->photons.size(); ++i) {
      CHECK(picture.photons->photons[i].at == expected.photons->photons[i].at);
      CHECK(picture.photons->photons[i].flux == expected.photons->photons[i].flux);
    }
  }
  CHECK(traced(few).photons->stored > 0);
  CHECK(traced(none_stored).photons->stored == 0);
}

}  // namespace kdscope::photon_map_test
