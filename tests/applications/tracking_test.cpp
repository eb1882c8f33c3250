// Tests tracking against the places from which scans are made, and its neighbours against brute force.
#include "algorithms/applications/tracking/tracking.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "algorithms/applications/tracking/rigid_fit.hpp"
#include "algorithms/registry/registry.hpp"
#include "datasets/datasets.hpp"
#include "datasets/generators/counter_hash.hpp"
#include "datasets/generators/workbench_scan.hpp"
#include "tests/support/cases.hpp"

using namespace kdscope;

namespace {

std::shared_ptr<const DataSet> opened(const std::string& specification) { return open_data_set(specification).value(); }

TrackingRequest piston_request(std::uint32_t samples, const std::string& scan, const std::vector<int>& frames) {
  TrackingRequest request;
  request.object = std::make_shared<const TrackedObject>(*tracked_object(*opened("piston"), samples));
  for (const int frame : frames) request.scans.push_back(opened(scan + ",frame=" + std::to_string(frame)));
  request.start = piston_place(frames.empty() ? 0u : static_cast<std::uint32_t>(frames.front()));
  request.camera = workbench_camera;
  request.backend = Backend::cpu;
  return request;
}

Tracking tracked(const TrackingRequest& request) { return track(request).value(); }

}  // namespace

namespace {

/// A rotation and a translation of a few hundredths, and points on a bent surface with their normals.
const Placement moved_a_little = Placement().moved(0.02, -0.03, 0.01).turned_z(0.01).turned_x(-0.006);

template <class Fit>
typename Fit::Sums sums_over(const std::vector<tracking::Pair>& pairs) {
  typename Fit::Sums sums;
  for (const tracking::Pair& pair : pairs) sums = tracking::AddSums()(sums, Fit::sums_of(pair));
  return sums;
}

std::vector<tracking::Pair> pairs_on_ellipsoid(const Placement& motion) {
  const CounterHash hash(9, 0);
  std::vector<tracking::Pair> pairs;
  for (std::uint64_t i = 0; i < 500; ++i) {
    Vector3 d{hash.unit(3 * i) - 0.5, hash.unit(3 * i + 1) - 0.5, hash.unit(3 * i + 2) - 0.5};
    d = (1 / length(d)) * d;
    const Vector3 at{0.8 * d.x, 0.5 * d.y, 0.3 * d.z}, normal{d.x / 0.8, d.y / 0.5, d.z / 0.3};
    pairs.push_back({at, (1 / length(normal)) * normal, motion(at)});
  }
  return pairs;
}

double apart(const Placement& one, const Placement& other) {
  return length(one.x - other.x) + length(one.y - other.y) + length(one.z - other.z) +
         length(one.origin - other.origin);
}

}  // namespace

TEST_CASE("tracking: a fit to points returns the motion that made the partners") {
  const auto pairs = pairs_on_ellipsoid(moved_a_little);
  CHECK(apart(tracking::FitToPoints::motion(sums_over<tracking::FitToPoints>(pairs)), moved_a_little) < 1e-9);
  // Half a turn, which a small-angle solution would miss
  const Placement half = Placement().turned_y(0.5);
  CHECK(apart(tracking::FitToPoints::motion(sums_over<tracking::FitToPoints>(pairs_on_ellipsoid(half))), half) < 1e-9);
}

TEST_CASE("tracking: fits to planes come to the motion that made the partners, each nearer by the square") {
  auto pairs = pairs_on_ellipsoid(moved_a_little);
  double error = apart({}, moved_a_little);
  Placement reached;
  for (int i = 0; i < 4; ++i) {
    const Placement fit = tracking::FitToPlanes::motion(sums_over<tracking::FitToPlanes>(pairs));
    reached = {fit.along(reached.x), fit.along(reached.y), fit.along(reached.z), fit(reached.origin)};
    for (tracking::Pair& pair : pairs) pair.from = fit(pair.from), pair.normal = fit.along(pair.normal);
    const double now = apart(reached, moved_a_little);
    CHECK(now < std::max(2 * error * error, 1e-9));
    error = now;
  }
  CHECK(error < 1e-9);
}

TEST_CASE("tracking: a single pair moves the object and does not turn it") {
  const Placement fit = tracking::FitToPoints::motion(
      sums_over<tracking::FitToPoints>({{{0.123, -0.456, 0.789}, {0, 0, 1}, {0.2, -0.4, 0.7}}}));
  CHECK(apart(fit, Placement().moved(0.077, 0.056, -0.089)) < 1e-9);
}

TEST_CASE("tracking: planes that are all parallel move the object across them only") {
  std::vector<tracking::Pair> pairs;
  for (int i = 0; i < 5; ++i)
    for (int j = 0; j < 5; ++j) {
      const Vector3 at{0.2 * i - 0.4, 0.2 * j - 0.4, 0};
      pairs.push_back({at, {0, 0, 1}, at + Vector3{0.1, 0.05, 0.02}});
    }
  const Placement fit = tracking::FitToPlanes::motion(sums_over<tracking::FitToPlanes>(pairs));
  CHECK(apart(fit, Placement().moved(0, 0, 0.02)) < 1e-9);
}

TEST_CASE("tracking: the piston is followed through its scans") {
  std::vector<int> frames;
  for (int i = 0; i < 100; i += 4) frames.push_back(i);  // faster than it moves in the demonstration
  const auto request = piston_request(2000, "workbench:n=40000", {});
  TrackingRequest all = request;
  for (const int frame : frames) all.scans.push_back(opened("workbench:n=40000,frame=" + std::to_string(frame)));
  all.reach = 0.04;
  const Tracking tracking = tracked(all);
  REQUIRE(tracking.frames.size() == frames.size());
  for (std::size_t i = 0; i < frames.size(); ++i) {
    const TrackedFrame& frame = tracking.frames[i];
    INFO("frame " << frames[i]);
    CHECK_FALSE(frame.lost);
    // Pixels are 9 mm apart there, and noise is 3 mm.
    CHECK(farthest_apart(*all.object, frame.place, piston_place(static_cast<std::uint32_t>(frames[i]))) < 0.02);
    CHECK(frame.iterations() <= all.iterations);
    CHECK(apart(frame.steps.back().place, frame.place) == 0);
  }
}

TEST_CASE("tracking: at the true place, points that face the camera lie on the scan") {
  for (const int at : {0, 25, 50, 75}) {
    auto request = piston_request(2000, "workbench:n=100000", {at});
    request.iterations = 1;
    const TrackedFrame frame = tracked(request).frames.front();
    INFO("frame " << at);
    CHECK(frame.steps.front().pairs >= 85 * frame.steps.front().facing / 100);
    CHECK(frame.steps.front().distance < 0.008);  // noise, and half the distance of the pixels
    CHECK(frame.steps.front().facing > 800);
    CHECK(frame.steps.front().facing < 1200);
  }
}

TEST_CASE("tracking: the neighbours are those of brute force") {
  const auto request = piston_request(400, "workbench:n=5000", {10});
  const TrackedFrame frame = tracked(request).frames.front();
  const PointSet& scan = request.scans.front()->points;
  std::uint32_t facing = 0, pairs = 0;
  double squares = 0;
  for (std::uint32_t i = 0; i < request.object->size(); ++i) {
    const auto at = [&](const std::vector<float>& of) { return Vector3{of[3 * i], of[3 * i + 1], of[3 * i + 2]}; };
    const Vector3 place = frame.place(at(request.object->places));
    const Vector3 normal = frame.place.along(at(request.object->normals));
    const std::uint32_t found = frame.steps.back().nearest[i].value;
    const double towards = dot(normal, workbench_camera - place);
    if (std::abs(towards) < 1e-9) continue;
    if (towards < 0) {
      CHECK(found == no_id);
      continue;
    }
    ++facing;
    double least = std::numeric_limits<double>::infinity();
    const auto distance = [&](std::uint32_t j) {
      return length(Vector3{scan.value(j, 0), scan.value(j, 1), scan.value(j, 2)} - place);
    };
    for (std::uint32_t j = 0; j < scan.size(); ++j) least = std::min(least, distance(j));
    if (std::abs(least - request.reach) < 1e-6) continue;
    if (least > request.reach) {
      CHECK(found == no_id);
    } else {
      REQUIRE(found < scan.size());
      CHECK(distance(found) < least + 1e-6);
      ++pairs, squares += least * least;
    }
  }
  CHECK(facing == frame.steps.back().facing);
  CHECK(pairs == frame.steps.back().pairs);
  CHECK(frame.steps.back().distance == Approx(std::sqrt(squares / pairs)).epsilon(1e-4));
}

TEST_CASE("tracking: where the object is not in sight it is lost, and found again where it was") {
  auto request = piston_request(500, "workbench:n=20000", {0, 1, 2});
  request.scans[1] = opened("uniform:n=1000,dim=3");  // nothing near the piston's height
  auto far = std::make_shared<DataSet>(*request.scans[1]);
  for (std::uint32_t& word : far->points.words) word = word_of(float_of(word) + 10);
  request.scans[1] = far;
  auto none = std::make_shared<DataSet>();
  none->points.dim = 3;
  request.scans.insert(request.scans.begin() + 1, none);
  const Tracking tracking = tracked(request);
  CHECK_FALSE(tracking.frames[0].lost);
  for (const int i : {1, 2}) {
    CHECK(tracking.frames[i].lost);
    CHECK(apart(tracking.frames[i].place, tracking.frames[0].place) == 0);
  }
  CHECK_FALSE(tracking.frames[3].lost);
}

TEST_CASE("tracking: clouds without normals are fitted to points") {
  auto request = piston_request(1000, "workbench:n=40000", {5});
  auto cloud = std::make_shared<TrackedObject>(*request.object);
  cloud->normals.clear();
  request.start.origin = request.start.origin + Vector3{0.02, 0.01, 0};
  request.fit = TrackingFit::points;
  const Tracking with_normals = tracked(request);
  request.camera.reset();
  request.object = cloud;
  request.fit = TrackingFit::planes;
  const Tracking without = tracked(request);
  CHECK(without.frames.front().steps.front().facing == 1000);
  CHECK(with_normals.frames.front().steps.front().facing < 600);
  // Both are fitted to points, and come nearer to the truth.
  for (const Tracking* tracking : {&with_normals, &without}) {
    REQUIRE(tracking->frames.front().iterations() > 0);
    const double off = farthest_apart(*request.object, tracking->frames.front().place, piston_place(5));
    CHECK(off < farthest_apart(*request.object, request.start, piston_place(5)));
  }
  CHECK(without.frames.front().steps.front().distance > with_normals.frames.front().steps.front().distance);
}

TEST_CASE("tracking: what cannot be tracked is refused with one sentence") {
  const auto good = piston_request(100, "workbench:n=1000", {0});
  const auto refusal = [](const TrackingRequest& request) {
    const auto refused = track(request);
    return refused ? std::string("not refused") : refused.error().message();
  };
  TrackingRequest request = good;
  request.object = std::make_shared<const TrackedObject>();
  CHECK(refusal(request).find("an object of 0 points cannot be tracked") != std::string::npos);
  request = good;
  for (const double reach : {0.0, -1.0, std::nan("")}) {
    request.reach = reach;
    CHECK(refusal(request).find("not positive") != std::string::npos);
  }
  request.reach = 1e6;
  CHECK(refusal(request).find("so much farther away than the object is large") != std::string::npos);
  request.reach = 1e-30;
  CHECK(refusal(request).find("not positive") != std::string::npos);
  request = good;
  request.iterations = 0;
  CHECK(refusal(request).find("0 iterations per frame") != std::string::npos);
  request = good;
  request.scans.push_back(opened("wald-10"));
  CHECK(refusal(request).find("scans need floats in three dimensions") != std::string::npos);
  request = good;
  auto object = std::make_shared<TrackedObject>(*good.object);
  object->normals.pop_back();
  request.object = object;
  CHECK(refusal(request).find("normals for some of its points") != std::string::npos);
  CHECK_FALSE(tracked_object(*opened("wald-10"), 10));
  request = good;
  request.scans.clear();
  CHECK(tracked(request).frames.empty());
  std::stop_source stop;
  stop.request_stop();
  RunControl control;
  control.stop = stop.get_token();
  const auto cancelled = track(good, control);
  REQUIRE(!cancelled);
  CHECK(cancelled.error().kind == ErrorKind::cancelled);
}

DEVICE_CASE("tracking: CUDA follows as the CPU does, bit for bit", "[sanitize]") {
  for (const TrackingFit fit : {TrackingFit::planes, TrackingFit::points}) {
    auto request = piston_request(600, "workbench:n=4000", {0, 3, 6});
    request.reach = 0.04;
    request.fit = fit;
    request.keep_nearest = fit == TrackingFit::points;
    const Tracking expected = tracked(request);
    request.backend = Backend::cuda;
    const Tracking tracking = tracked(request);
    for (std::size_t i = 0; i < expected.frames.size(); ++i) {
      INFO("frame " << i);
      const TrackedFrame &one = expected.frames[i], &other = tracking.frames[i];
      CHECK(apart(one.place, other.place) == 0);

      REQUIRE(one.steps.size() == other.steps.size());
      for (std::size_t j = 0; j < one.steps.size(); ++j) {
        CHECK(one.steps[j].pairs == other.steps[j].pairs);
        CHECK(one.steps[j].nearest == other.steps[j].nearest);
        CHECK(one.steps[j].distance == other.steps[j].distance);
      }
    }
  }
}

DEVICE_CASE("tracking: empty scans, lost objects and clouds without normals on CUDA", "[sanitize]") {
  auto request = piston_request(300, "workbench:n=2000", {0, 3});
  request.reach = 0.04;
  auto none = std::make_shared<DataSet>();
  none->points.dim = 3;
  auto far = std::make_shared<DataSet>(*request.scans[0]);
  for (std::uint32_t& word : far->points.words) word = word_of(float_of(word) + 10);
  request.scans.insert(request.scans.begin() + 1, {none, far});
  TrackingRequest without = request;
  auto cloud = std::make_shared<TrackedObject>(*request.object);
  cloud->normals.clear();
  without.object = cloud;
  without.camera.reset();
  for (const TrackingRequest* each : {&request, &without}) {
    const Tracking expected = tracked(*each);
    TrackingRequest on_cuda = *each;
    on_cuda.backend = Backend::cuda;
    const Tracking tracking = tracked(on_cuda);
    REQUIRE(tracking.frames.size() == 4);
    CHECK(expected.frames[1].lost);
    for (std::size_t i = 0; i < 4; ++i) {
      INFO("frame " << i);
      const TrackedFrame &one = expected.frames[i], &other = tracking.frames[i];
      CHECK(one.lost == other.lost);
      CHECK(apart(one.place, other.place) == 0);
      REQUIRE(one.steps.size() == other.steps.size());
      CHECK(one.steps.back().facing == other.steps.back().facing);
      CHECK(one.steps.back().nearest == other.steps.back().nearest);
    }
  }
}
