// Tests that applications name builders and searches that exist and fit together, and that the search of a pick is the
// one that the application performs.
#include "algorithms/applications/application.hpp"

#include <cmath>
#include <vector>

#include "algorithms/applications/memory_need.hpp"
#include "algorithms/applications/photon_mapping/photon_request.hpp"
#include "algorithms/applications/point_clouds/deformation.hpp"
#include "algorithms/applications/point_clouds/point_cloud.hpp"
#include "algorithms/applications/ray_tracing/ray_tracer.hpp"
#include "algorithms/applications/tracking/tracking.hpp"
#include "algorithms/registry/registry.hpp"
#include "algorithms/registry/searches.hpp"
#include "datasets/datasets.hpp"
#include "datasets/generators/workbench_scan.hpp"
#include "tests/support/catch.hpp"

namespace kdscope::application_test {
namespace {

const std::vector<const Application*> every{&ray_tracing::application(), &photon_mapping::application(),
                                            &point_clouds::application(), &point_clouds::strength_application(),
                                            &tracking::application()};

/// Answers the search of a pick on a tree that the application's builder makes.
SearchReport answered(const Application& application, const std::shared_ptr<const DataSet>& data,
                      const SearchOfRun& asked) {
  RunRequest request{"", application.algorithm, {}, Backend::cpu};
  request.points = data;
  request.repeat = 1;
  const auto built = build(request).value();
  auto query = std::make_shared<DataSet>();
  query->points.dim = static_cast<std::uint32_t>(asked.query.size());
  for (const double value : asked.query) query->points.words.push_back(word_of(static_cast<float>(value)));
  SearchRequest search_request{
      asked.search,    std::make_shared<const Tree>(built.tree), query, asked.question, asked.k, asked.radius,
      asked.parameters};
  search_request.backend = Backend::cpu;
  return search(search_request).value();
}

}  // namespace

TEST_CASE("applications: what each runs is registered, and its search takes its trees and answers its question") {
  for (const Application* application : every) {
    INFO(application->algorithm << " " << application->search);
    const AlgorithmSpec* builder = find_algorithm(application->algorithm);
    REQUIRE(builder);
    CHECK(application->most_points() == builder->max_points);
    CHECK(application->builder_options());
    CHECK(application->search_options());
    const std::string data = !application->data.empty() ? application->data
                             : builder->takes_triangles ? "zhou-8"
                                                        : "uniform:n=20,dim=3";
    const auto opened = open_data_set(data).value();
    const SearchOfRun asked = application->search_of(builder->takes_triangles ? std::vector<double>{0, 0, 0, 1, 1, 1}
                                                                              : std::vector<double>{0, 0, 0});
    const auto fits = check_before_build(asked, application->algorithm, *opened);
    if (!fits) FAIL(fits.error().message());
  }
}

TEST_CASE("applications: one whose builder and search this program lacks is refused") {
  const Application unknown{"no-builder", "no-search"};
  CHECK(unknown.most_points() == 0);
  REQUIRE_FALSE(unknown.builder_options());
  CHECK(unknown.builder_options().error().message().find("no-builder") != std::string::npos);
  REQUIRE_FALSE(unknown.search_options());
  CHECK(unknown.search_options().error().message().find("no-search") != std::string::npos);
  DataSet none;
  CHECK(memory::bytes_of_build(unknown, none, {}).device == 0);
  CHECK(memory::build_bytes_per_point(unknown) == 0);
}

TEST_CASE("applications: given parameters of a search stand before those of the application") {
  CHECK(point_clouds::strength_application().search_options()->texts().at("rounds") == "0");
  CHECK(point_clouds::strength_application().search_options({{"rounds", "2"}})->texts().at("rounds") == "2");
  CHECK(point_clouds::application().search_options()->texts().at("rounds") != "0");
}

TEST_CASE("applications: the search of a pixel is the ray that the picture casts there") {
  PictureRequest request;
  request.scene = *open_data_set("toys:triangles=11000");
  request.look = look_of(*request.scene);
  request.look.lights.clear(), request.look.bounces = 0;  // eye rays alone
  request.camera = camera_before(*request.scene, 24, 16);
  request.backend = Backend::cpu;
  const auto picture = trace_picture(request).value();
  std::size_t hits = 0;
  for (const auto& [x, y] : std::vector<std::pair<std::uint32_t, std::uint32_t>>{{0, 0}, {12, 8}, {15, 11}, {23, 15}}) {
    const SearchOfRun asked = ray_tracing::search_of_pixel(request.camera, x, y);
    REQUIRE(asked.query.size() == 6);
    CHECK(asked.query[0] == static_cast<float>(request.camera.eye.x));
    const SearchReport report = answered(ray_tracing::application(), request.scene, asked);
    INFO("pixel " << x << ", " << y);
    CHECK(report.visited.at(0) == picture.visited.at(std::size_t(y) * 24 + x));
    hits += report.found.empty() ? 0 : 1;
  }
  CHECK(hits > 0);
}

TEST_CASE("applications: the search of a point finds the ball of its neighbours") {
  CloudRequest request;
  request.points = *open_data_set("uniform:n=300,dim=3,seed=5");
  request.k = 7;
  request.oriented = false;
  request.backend = Backend::cpu;
  const auto cloud = estimate_cloud(request).value();
  for (const std::size_t point : {0u, 17u, 299u}) {
    const SearchOfRun asked = point_clouds::search_of_point(request.points->points, point, request.k);
    const SearchReport report = answered(point_clouds::application(), request.points, asked);
    REQUIRE(report.found.size() == 8);  // the point itself, and its neighbours
    CHECK(report.found[0] == point);
    // The ball of the estimate is the last ring's, which ends a little beyond the last neighbour
    const double farthest = std::sqrt(report.distances[7]);
    CHECK(cloud.radius[point] >= 0.9999 * farthest);
    CHECK(cloud.radius[point] < 1.01 * farthest);
  }
}

TEST_CASE("applications: the search of a place finds the neighbour that tracking found") {
  TrackingRequest request;
  request.object = std::make_shared<const TrackedObject>(*tracked_object(**open_data_set("piston"), 100));
  request.scans = {*open_data_set("workbench:n=1000,frame=0")};
  request.start = piston_place(0);
  request.camera = workbench_camera;
  request.backend = Backend::cpu;
  const auto tracked = track(request).value();
  const TrackingStep& last = tracked.frames.at(0).steps.back();
  std::size_t checked = 0;
  for (std::uint32_t i = 0; i < request.object->size() && checked < 3; ++i) {
    if (last.nearest.at(i).value == no_id) continue;
    const float* const at = request.object->places.data() + 3 * std::size_t(i);
    const SearchOfRun asked = tracking::search_of_place(last.place(Vector3{at[0], at[1], at[2]}));
    const SearchReport report = answered(tracking::application(), request.scans[0], asked);
    CHECK(report.found == std::vector<std::uint32_t>{last.nearest[i].value});
    ++checked;
  }
  CHECK(checked == 3);
}

TEST_CASE("applications: photons of champagne are those of Fig. 7(b), of other scenes those of Fig. 7(a)") {
  for (const char* scene : {"champagne", "champagne:triangles=2000"}) {
    CHECK(usual_photons(scene).count == 400'000);
    CHECK(usual_photons(scene).k == 40);
  }
  CHECK(usual_photons("metal-ring").count == 200'000);
  CHECK(usual_photons("metal-ring").k == 50);
}

}  // namespace kdscope::application_test
