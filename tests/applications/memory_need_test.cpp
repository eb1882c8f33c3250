// Tests predictions of memory against measured peaks, and refusals of requests beyond the memory.
#include "algorithms/applications/memory_need.hpp"

#include "algorithms/applications/point_clouds/cloud_memory.hpp"
#include "algorithms/applications/point_clouds/deformation.hpp"
#include "algorithms/applications/ray_tracing/picture_memory.hpp"
#include "algorithms/applications/tracking/tracking_memory.hpp"
#include "algorithms/core/available_memory.hpp"
#include "algorithms/registry/registry.hpp"
#include "algorithms/registry/run_on.hpp"
#include "datasets/datasets.hpp"
#include "datasets/generators/workbench_scan.hpp"
#include "tests/support/catch.hpp"

namespace kdscope::memory_need_test {

namespace {

PictureRequest picture_of(const std::string& data, std::uint32_t width, std::uint32_t height, std::uint32_t photons) {
  PictureRequest request;
  request.scene = *open_data_set(data);
  request.look = look_of(*request.scene);
  request.camera = camera_before(*request.scene, width, height);
  if (photons > 0) request.photons.emplace().count = photons;
  request.backend = Backend::cpu;
  return request;
}

MemoryNeed need_of(const PictureRequest& request) {
  return memory_of(request, *typed_options("zhou-sah", request.parameters));
}

void check_prediction(std::uint64_t predicted, std::uint64_t peak) {
  INFO("predicted " << predicted << " bytes, measured " << peak);
  CHECK(predicted >= peak);
  CHECK(predicted <= peak + 6 * peak / 10);  // few pixels of a scene use their room for rays that are sent on
}

}  // namespace

TEST_CASE("memory: pictures take at most what is predicted, and not much less") {
  struct Size {
    const char* data;
    std::uint32_t width, height, photons;
    int repeat;
  };
  for (const auto& [data, width, height, photons, repeat] : {Size{"zhou-8", 500, 400, 0, 1},
                                                             {"zhou-8", 800, 600, 0, 2},
                                                             {"champagne", 300, 200, 0, 1},
                                                             {"metal-ring", 400, 300, 0, 2},
                                                             {"metal-ring", 40, 30, 150'000, 1},
                                                             {"metal-ring", 300, 200, 60'000, 1},
                                                             {"champagne", 40, 30, 100'000, 2},
                                                             {"museum", 200, 150, 20'000, 2}}) {
    INFO(data << " " << width << " x " << height << ", " << photons << " photons, " << repeat << " pictures");
    PictureRequest request = picture_of(data, width, height, photons);
    request.repeat = repeat;
    if (request.photons) request.photons->k = 4;
    const auto picture = trace_picture(request).value();
    check_prediction(need_of(request).device, picture.peak_bytes);
  }
}

TEST_CASE("memory: clouds, strengths and tracking take at most what is predicted, and not much less") {
  for (const auto& [data, k] :
       {std::pair{"uniform:n=20000,dim=3", 10u}, {"clustered:n=40000,dim=3", 10u}, {"bunny:sample=8000,seed=2", 64u}}) {
    INFO(data << ", k = " << k);
    CloudRequest request;
    request.points = *open_data_set(data);
    request.k = k;
    request.backend = Backend::cpu;
    for (const bool oriented : {false, true}) {
      INFO("oriented: " << oriented);
      request.oriented = oriented;
      const auto cloud = estimate_cloud(request).value();
      check_prediction(memory_of_cloud(request.points->points.size(), k, oriented).device, cloud.peak_bytes);
    }
  }
  StrengthRequest strength;
  strength.points = *open_data_set("uniform:n=30000,dim=3");
  strength.backend = Backend::cpu;
  for (std::uint32_t i = 0; i < 9'000; ++i) strength.active.push_back(3 * i);
  for (std::uint32_t i = 0; i < 3'000; ++i) strength.fixed.push_back(3 * i + 1);
  const auto field = strength_field(strength).value();
  check_prediction(memory_of_strength(30'000, 9'000, 3'000).device, field.peak_bytes);
  for (const char* scan : {"workbench:n=40000", "workbench:n=100000"}) {
    INFO(scan);
    TrackingRequest request;
    request.object = std::make_shared<const TrackedObject>(*tracked_object(**open_data_set("piston"), 2000));
    request.scans = {*open_data_set(scan)};
    request.start = piston_place(0);
    request.iterations = 1;
    request.backend = Backend::cpu;
    const auto tracking = track(request).value();
    const auto builder = resolved_options("wehr", {}, request.scans[0]->points, tracking.device).value();
    check_prediction(memory_of(request, {builder}).device, tracking.peak_bytes);
  }
}

TEST_CASE("memory: what is predicted grows with each number that a user gives") {
  const std::uint64_t small = need_of(picture_of("metal-ring", 800, 600, 0)).device;
  CHECK(need_of(picture_of("metal-ring", 1600, 1200, 0)).device > 3 * small);
  PictureRequest lights = picture_of("metal-ring", 800, 600, 0);
  lights.look.lights.resize(64, lights.look.lights.front());
  CHECK(need_of(lights).device == small + 63ull * 800 * 600);
  CHECK(need_of(picture_of("metal-ring", 800, 600, 1u << 26)).device > small + (8ull << 30));
  // Nothing mirrors in it, so no photon is sent
  CHECK(need_of(picture_of("zhou-8", 800, 600, 1u << 26)).device < (1ull << 30));
  CHECK(memory_of_cloud(1'000'000, 64, true).device > memory_of_cloud(1'000'000, 64, false).device);
  CHECK(memory_of_cloud(1'000'000, 64, false).device == memory_of_cloud(1'000'000, 14, false).device + 200'000'000);
}

TEST_CASE("memory: a need beyond the memory is refused with both numbers and what to reduce") {
  constexpr std::uint64_t gibi = 1ull << 30;
  Device cpu, gpu;
  cpu.backend = Backend::cpu;
  gpu.backend = Backend::cuda, gpu.name = "the GPU", gpu.memory_bytes = 20 * gibi;
  struct Case {
    MemoryNeed need;
    const Device* device;
    std::string part;  // of the sentence; none: not refused
  };
  for (const auto& [need, device, part] :
       {Case{{6 * gibi, 4 * gibi, 0}, &cpu, ""},
        {{6 * gibi, 5 * gibi, 0}, &cpu, "it needs about 11.0 GiB of host memory, 10.0 GiB are available; ask for less"},
        {{0, 0, 11 * gibi}, &cpu, "11.0 GiB of host memory"},
        {{20 * gibi, 10 * gibi, 10 * gibi}, &gpu, ""},
        {{21 * gibi, 0, 0}, &gpu, "it needs about 21.0 GiB of GPU memory, the GPU has 20.0 GiB; ask for less"},
        {{gibi, 11 * gibi, 0}, &gpu, "11.0 GiB of host memory"}}) {
    const auto lack = lack_of_memory(need, *device, 10 * gibi, "it needs", "ask for less");
    INFO((lack ? lack->message() : "not refused"));
    CHECK(lack.has_value() == !part.empty());
    if (!lack) continue;
    CHECK(lack->kind == ErrorKind::out_of_memory);
    CHECK(lack->message().find(part) != std::string::npos);
  }
}

TEST_CASE("memory: a picture beyond the machine's memory is refused before it begins") {
  PictureRequest request = picture_of("metal-ring", 8192, 8192, 1u << 28);
  request.look.lights.resize(64, request.look.lights.front());
  if (need_of(request).device <= available_memory()) KDSCOPE_SKIP("the machine has memory for the largest picture");
  const auto refused = trace_picture(request);
  REQUIRE(!refused);
  INFO(refused.error().message());
  CHECK(refused.error().kind == ErrorKind::out_of_memory);
  CHECK(refused.error().message().find("a picture of 8192 x 8192 pixels and 268435456 photons needs about") !=
        std::string::npos);
  CHECK(refused.error().message().find("ask for fewer pixels or photons") != std::string::npos);
}

}  // namespace kdscope::memory_need_test
