// Tests that applications refuse requests beyond their bounds with one sentence that names the culprit.
#include <cmath>
#include <functional>
#include <limits>

#include "algorithms/applications/point_clouds/deformation.hpp"
#include "algorithms/applications/point_clouds/point_cloud.hpp"
#include "algorithms/applications/ray_tracing/ray_tracer.hpp"
#include "algorithms/applications/tracking/tracking.hpp"
#include "datasets/datasets.hpp"
#include "tests/support/catch.hpp"

using namespace kdscope;

namespace {

constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN(),
                infinite = std::numeric_limits<float>::infinity();

/// A change that makes a good request a bad one, and a part of the sentence that refuses it.
template <class Request>
struct Fault {
  std::function<void(Request&)> change;
  ErrorKind kind;
  std::string part;
};

template <class Request, class Run>
void check_refused(const Request& good, Run run, const std::vector<Fault<Request>>& faults) {
  const auto taken = run(good).value();
  for (const Fault<Request>& fault : faults) {
    INFO(fault.part);
    Request request = good;
    fault.change(request);
    const auto refused = run(request);
    REQUIRE(!refused);
    const std::string sentence = refused.error().message();
    INFO(sentence);
    CHECK(refused.error().kind == fault.kind);
    CHECK(sentence.find(fault.part) != std::string::npos);
    CHECK_FALSE(refused.error().remedy.empty());
  }
}

/// Returns a copy of a data set in which the second point has this y coordinate.
std::shared_ptr<const DataSet> with_coordinate(const DataSet& data, float value) {
  auto copy = std::make_shared<DataSet>(data);
  copy->points.words[copy->points.stride() + 1] = word_of(value);
  return copy;
}

}  // namespace

TEST_CASE("requests: pictures with materials, lights or cameras beyond their bounds are refused") {
  PictureRequest good;
  good.scene = *open_data_set("zhou-8");
  good.look = look_of(*good.scene);
  good.look.lights.push_back(good.look.lights.front());
  good.camera = camera_before(*good.scene, 4, 3);
  good.photons.emplace().count = 10;
  good.backend = Backend::cpu;
  using Change = std::function<void(PictureRequest&)>;
  const auto material = [](auto change) -> Change { return [=](PictureRequest& r) { change(r.look.materials[2]); }; };
  const auto light = [](auto change) -> Change { return [=](PictureRequest& r) { change(r.look.lights[1]); }; };
  const auto look = [](auto change) -> Change { return [=](PictureRequest& r) { change(r.look); }; };
  const auto camera = [](auto change) -> Change { return [=](PictureRequest& r) { change(r.camera); }; };
  const auto photons = [](auto change) -> Change { return [=](PictureRequest& r) { change(*r.photons); }; };
  constexpr auto usage = ErrorKind::bad_usage, input = ErrorKind::bad_input;
  check_refused<PictureRequest>(
      good, [](const PictureRequest& request) { return trace_picture(request); },
      {{[](PictureRequest& r) { r.scene.reset(); }, usage, "no scene is open"},
       {[](PictureRequest& r) { r.scene = with_coordinate(*r.scene, not_a_number); }, input, "a coordinate of point 1"},
       {[](PictureRequest& r) { r.scene = with_coordinate(*r.scene, infinite); }, input, "a coordinate of point 1"},
       {material([](Material& m) { m.colour[0] = 1.5f; }), usage,
        "material 2: red of the colour cannot be 1.5; give 0 to 1."},
       {material([](Material& m) { m.colour[1] = -0.25f; }), usage, "material 2: green of the colour cannot be -0.25"},
       {material([](Material& m) { m.colour[2] = not_a_number; }), usage,
        "material 2: blue of the colour cannot be nan"},
       {material([](Material& m) { m.mirror = 2; }), usage, "material 2: the mirrored share cannot be 2"},
       {material([](Material& m) { m.mirror = not_a_number; }), usage, "material 2: the mirrored share cannot be nan"},
       {material([](Material& m) { m.highlight = -1; }), usage, "material 2: the highlight cannot be -1"},
       {material([](Material& m) { m.refraction = -1.5f; }), usage,
        "material 2: the index of refraction cannot be -1.5"},
       {material([](Material& m) { m.refraction = 0.01f; }), usage, "give 0.1 to 10, or 0 for an opaque surface"},
       {material([](Material& m) { m.refraction = infinite; }), usage, "the index of refraction cannot be inf"},
       {light([](PointLight& l) { l.at.y = not_a_number; }), usage, "light 1: its place"},
       {light([](PointLight& l) { l.at.z = 1e300; }), usage, "light 1: its place"},
       {light([](PointLight& l) { l.colour[0] = -0.5f; }), usage, "light 1: red of the colour cannot be -0.5"},
       {light([](PointLight& l) { l.colour[2] = infinite; }), usage, "light 1: blue of the colour cannot be inf"},
       {light([](PointLight& l) { l.colour[1] = 2e6f; }), usage, "light 1: green of the colour cannot be 2e+06"},
       {look([](SceneLook& l) { l.above[1] = not_a_number; }), usage, "light from above: green"},
       {look([](SceneLook& l) { l.below[0] = -1; }), usage, "light from below: red"},
       {camera([](Camera& c) { c.eye.x = not_a_number; }), usage, "camera: the eye's place"},
       {camera([](Camera& c) { c.corner.z = infinite; }), usage, "camera: directions of rays"},
       {camera([](Camera& c) { c.down.y = 1e300; }), usage, "camera: directions of rays"},
       {camera([](Camera& c) {
          c.across = {1e38, 0, 0}, c.width = 100;
        }),
        usage, "camera: directions of rays"},
       {camera([](Camera& c) { c.corner = c.across = c.down = {}; }), usage, "camera: a pixel lies in the eye"},
       // The eye lies in the plane of the pixels, at the one in column 1 and row 2
       {camera([](Camera& c) {
          c.corner = {-1, -2, 0}, c.across = {1, 0, 0}, c.down = {0, 1, 0};
        }),
        usage, "camera: a pixel lies in the eye"},
       {photons([](PhotonRequest& p) { p.faintest = not_a_number; }), usage, "faintest"},
       {photons([](PhotonRequest& p) { p.faintest = infinite; }), usage, "faintest"}});
}

TEST_CASE("requests: eyes beside the pixels of their plane, and materials at their bounds, are taken") {
  PictureRequest request;
  request.scene = *open_data_set("zhou-8");
  request.look = look_of(*request.scene);
  request.look.materials[0] = {{0, 1, 1}, 1, 1, 0};
  request.look.materials[1] = {{1, 1, 1}, 0, 0, 10};
  request.look.materials[2] = {{1, 1, 1}, 0, 0, 0.1f};
  request.look.lights[0].colour = {0, 1e6f, 64};
  request.look.bounces = 3;
  request.camera = {{0, 0, 0}, {-0.5, -2, 0}, {1, 0, 0}, {0, 1, 0}, 4, 3};
  request.backend = Backend::cpu;
  CHECK(trace_picture(request));
}

TEST_CASE("requests: clouds and handles with coordinates that are not finite are refused") {
  constexpr auto usage = ErrorKind::bad_usage, input = ErrorKind::bad_input;
  CloudRequest cloud;
  cloud.points = *open_data_set("uniform:n=50,dim=3");
  cloud.backend = Backend::cpu;
  check_refused<CloudRequest>(
      cloud, [](const CloudRequest& request) { return estimate_cloud(request); },
      {{[](CloudRequest& r) { r.points.reset(); }, usage, "no cloud is open"},
       {[](CloudRequest& r) { r.points = with_coordinate(*r.points, not_a_number); }, input, "a coordinate of point 1"},
       {[](CloudRequest& r) { r.points = with_coordinate(*r.points, -infinite); }, input, "a coordinate of point 1"},
       {[](CloudRequest& r) { r.k = 65; }, usage, "65 neighbours"}});
  StrengthRequest strength;
  strength.points = cloud.points;
  strength.active = {0}, strength.fixed = {1};
  strength.backend = Backend::cpu;
  check_refused<StrengthRequest>(strength, [](const StrengthRequest& request) { return strength_field(request); },
                                 {{[](StrengthRequest& r) { r.points.reset(); }, usage, "no cloud is open"},
                                  {[](StrengthRequest& r) { r.points = with_coordinate(*r.points, not_a_number); },
                                   input, "a coordinate of point 1"},
                                  {[](StrengthRequest& r) { r.fixed = {50}; }, usage, "a handle has point 50"}});
}

TEST_CASE("requests: objects, scans and places that cannot be tracked are refused") {
  constexpr auto usage = ErrorKind::bad_usage, input = ErrorKind::bad_input;
  TrackingRequest good;
  good.object = std::make_shared<const TrackedObject>(*tracked_object(**open_data_set("piston"), 50));
  good.scans = {*open_data_set("workbench:n=1000"), *open_data_set("workbench:n=1000,frame=1")};
  good.camera = Vector3{1, 2, 3};
  good.backend = Backend::cpu;
  using Change = std::function<void(TrackingRequest&)>;
  const auto object = [](auto change) -> Change {
    return [=](TrackingRequest& r) {
      auto copy = std::make_shared<TrackedObject>(*r.object);
      change(*copy);
      r.object = copy;
    };
  };
  check_refused<TrackingRequest>(
      good, [](const TrackingRequest& request) { return track(request); },
      {{[](TrackingRequest& r) { r.object.reset(); }, usage, "an object of 0 points"},
       {object([](TrackedObject& o) { o.places[7] = not_a_number; }), input, "point 2 of the object: its place"},
       {object([](TrackedObject& o) { o.places[0] = infinite; }), input, "point 0 of the object: its place"},
       {object([](TrackedObject& o) { o.places.push_back(0), o.normals.push_back(0); }), input, "lacks coordinates"},
       {object([](TrackedObject& o) { o.normals[3] = not_a_number; }), input, "point 1 of the object: its normal"},
       {object([](TrackedObject& o) { o.normals[4] = 20; }), input, "point 1 of the object: its normal"},
       {[](TrackingRequest& r) { r.reach = 1e30; }, usage, "so much farther away"},
       {[](TrackingRequest& r) {
          // An object of one place has no radius to compare the reach with
          r.object = std::make_shared<const TrackedObject>(TrackedObject{{0, 0, 0}, {}});
          r.reach = 1e30;
        },
        usage, "not finite"},
       {[](TrackingRequest& r) { r.start.origin.y = not_a_number; }, usage, "the object's first place"},
       {[](TrackingRequest& r) { r.start.x.x = infinite; }, usage, "the object's first place"},
       {[](TrackingRequest& r) { r.start = r.start.scaled(2); }, usage, "the object's first place"},
       {[](TrackingRequest& r) { r.start = r.start.scaled(1, 1, -1); }, usage, "the object's first place"},
       {[](TrackingRequest& r) { r.camera->z = not_a_number; }, usage, "the camera's place"},
       {[](TrackingRequest& r) { r.scans[1].reset(); }, usage, "frame 1: there is no scan"},
       {[](TrackingRequest& r) { r.scans[1] = with_coordinate(*r.scans[1], not_a_number); }, input,
        "frame 1: a coordinate"}});
}
