// Tests that work in processes of its own gives what it gives in this process, and that a crash there is one sentence.
#include "algorithms/run/run.hpp"

#include <atomic>
#include <chrono>
#include <future>

#include "algorithms/core/coordinate_type.hpp"
#include "algorithms/registry/tuning.hpp"
#include "algorithms/run/applications.hpp"
#include "app/experiments/sweep.hpp"
#include "datasets/datasets.hpp"
#include "datasets/moving_data.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/runner_processes.hpp"

using namespace kdscope;
using variants::Runners;

namespace {

std::shared_ptr<const DataSet> floats(const std::string& data) {
  const auto opened = open_data_set(data).value();
  return with_coordinates(opened, ScalarType::float32).value();
}

/// Runners in use while it exists.
struct InRunners {
  InRunners() { use_runners(std::make_shared<Runners>(std::vector{*Runners::find_program()})); }
  ~InRunners() { variants::use_runners(nullptr); }
};

PictureRequest picture_request(std::uint32_t width) {
  PictureRequest request;
  request.scene = floats("toys");
  request.look = look_of(*request.scene);
  request.camera = camera_before(*request.scene, width, width);
  request.backend = Backend::cpu;
  return request;
}

CloudRequest cloud_request() {
  CloudRequest request;
  request.points = floats("uniform:n=500,dim=3,seed=4");
  request.backend = Backend::cpu;
  return request;
}

/// Does work while all runners are ended again and again, and returns its error.
template <class Work>
Error error_of_killed(Work work) {
  auto done = std::async(std::launch::async, work);
  while (done.wait_for(std::chrono::milliseconds(50)) != std::future_status::ready) test::abort_runners();
  const auto result = done.get();
  REQUIRE_FALSE(result);
  return result.error();
}

void check_crash(const Error& error, const std::string& work) {
  INFO(error.message());
  CHECK(error.kind == ErrorKind::device_failure);
  CHECK(error.what.find("crashed (Aborted)") != std::string::npos);
  CHECK(error.what.find(work) != std::string::npos);
}

}  // namespace

TEST_CASE("run: a picture of a runner is that of this process, and its tree is over the same scene") {
  PictureRequest request = picture_request(40);
  request.keep_tree = true;
  request.photons = PhotonRequest{};
  request.photons->count = 1000;
  const auto here = run(request).value();
  const InRunners in_runners;
  const auto there = run(request).value();
  CHECK((there.pixels == here.pixels));
  CHECK((there.visited == here.visited));
  CHECK(there.rays.sum() == here.rays.sum());
  CHECK(there.build_ms.size() == 1);
  CHECK(there.peak_bytes == here.peak_bytes);
  CHECK(there.device.name == here.device.name);
  REQUIRE(there.photons);
  CHECK(there.photons->stored == here.photons->stored);
  CHECK(there.photons->light == here.photons->light);
  REQUIRE(there.tree);
  CHECK(there.tree->data == request.scene);
  CHECK(tree_hash(*there.tree) == tree_hash(*here.tree));
  // With a kept tree none is built
  request.kept = there.tree;
  const auto again = run(request).value();
  CHECK((again.pixels == here.pixels));
  CHECK(again.tree == request.kept);
}

TEST_CASE("run: a data set reaches another process with all its members") {
  DataSet sent = *floats("toys");
  REQUIRE_FALSE(sent.materials.empty());
  sent.column_names = {"x", "y", "z"};
  sent.up_axis = 1;
  sent.provenance = "somebody, CC0";
  sent.warnings = {"a row was rounded"};
  sent.shift = {1, 2.5, -1e300};
  sent.scale = 0.1;
  const variants::SharedPoints shared(sent);
  const auto received = variants::read_points(shared.path());
  REQUIRE(received);
  const DataSet& got = **received;
  CHECK(got.name == sent.name);
  CHECK((got.points.words == sent.points.words));
  CHECK((got.triangles == sent.triangles));
  CHECK(got.column_names == sent.column_names);
  CHECK(got.up_axis == sent.up_axis);
  CHECK(got.provenance == sent.provenance);
  CHECK(got.warnings == sent.warnings);
  CHECK((got.materials == sent.materials));
  CHECK(got.shift == sent.shift);
  CHECK(got.scale == sent.scale);
}

TEST_CASE("run: tracking in a runner is that of this process") {
  const std::string data = "workbench:n=3000";
  const auto known = known_scan(data);
  REQUIRE(known);
  auto object = tracked_object(*floats(known->object), 300).value();
  TrackingRequest request;
  request.object = std::make_shared<const TrackedObject>(std::move(object));
  request.scans = {floats(data), floats(data)};
  request.start = known->place.turned_z(0.02);
  request.camera = known->camera;
  request.reach = 0.04;
  request.keep_nearest = true;
  request.backend = Backend::cpu;
  const auto here = run(request).value();
  const InRunners in_runners;
  const auto there = run(request).value();
  REQUIRE(there.frames.size() == 2);
  for (std::size_t i = 0; i < 2; ++i) {
    const TrackedFrame &one = here.frames[i], &other = there.frames[i];
    CHECK(other.lost == one.lost);
    REQUIRE(other.steps.size() == one.steps.size());
    CHECK(other.steps.back().nearest == one.steps.back().nearest);
    CHECK(other.steps.back().distance == one.steps.back().distance);
    CHECK(farthest_apart(*request.object, one.place, other.place) == 0);
  }
}

TEST_CASE("run: clouds of a runner are those of this process") {
  const CloudRequest request = cloud_request();
  StrengthRequest handles;
  handles.points = request.points;
  handles.active = {0, 1, 2}, handles.fixed = {7, 9};
  handles.backend = Backend::cpu;
  const auto here = run(request);
  const auto strength_here = run(handles);
  REQUIRE((here && strength_here));
  const DeformRequest move{request, strength_here->strength, {0.1, 0, 0}, here->normals};
  const auto moved_here = run(move).value();
  const InRunners in_runners;
  const auto there = run(request);
  const auto strength_there = run(handles);
  const auto moved_there = run(move);
  REQUIRE((there && strength_there && moved_there));
  CHECK((there->normals == here->normals));
  CHECK((there->radius == here->radius));
  CHECK((there->density == here->density));
  CHECK(there->parts == here->parts);
  CHECK(strength_there->strength == strength_here->strength);
  CHECK(moved_there->points->points.words == moved_here.points->points.words);
  CHECK(moved_there->points->name == moved_here.points->name);
  CHECK(moved_there->cloud.normals == moved_here.cloud.normals);
}

TEST_CASE("run: what an application refuses has the same sentence in a runner, and the next request succeeds") {
  CloudRequest request = cloud_request();
  request.k = 1;
  const auto here = run(request);
  REQUIRE_FALSE(here);
  const InRunners in_runners;
  const auto there = run(request);
  REQUIRE_FALSE(there);
  CHECK(there.error().message() == here.error().message());
  CHECK(there.error().kind == here.error().kind);
  request.points = nullptr;
  CHECK_FALSE(run(request));
  CHECK(run(cloud_request()));
}

TEST_CASE("run: a request is stopped in a runner") {
  const InRunners in_runners;
  std::stop_source stop;
  RunControl control;
  control.stop = stop.get_token();
  auto traced = std::async(std::launch::async, [&] { return run(picture_request(8000), control); });
  stop.request_stop();
  const auto stopped = traced.get();
  REQUIRE_FALSE(stopped);
  CHECK(stopped.error().kind == ErrorKind::cancelled);
}

TEST_CASE("run: a crash of an application is one sentence, and the next request succeeds") {
  const InRunners in_runners;
  check_crash(error_of_killed([] { return run(picture_request(8000)); }), "in the step a picture");
  CloudRequest large = cloud_request();
  large.points = floats("uniform:n=1000000,dim=3,seed=4");
  check_crash(error_of_killed([&] { return run(large); }), "in the step the estimate of normals");
  CHECK(run(cloud_request()));
}

TEST_CASE("run: a row of an experiment is measured in a runner, and a crash leaves the rows before it") {
  Sweep sweep;
  sweep.id = "small";
  sweep.algorithms = {"wald", "hu"};
  sweep.data = {"uniform:n={n},dim=3,seed=1"};
  sweep.sizes = {500};
  auto small = experiment_of(sweep).value();
  ExperimentOptions options;
  options.backend = Backend::cpu;
  options.repeat = 3;
  const auto rows_of = [&](const Experiment& experiment) {
    std::vector<ExperimentRow> rows;
    const auto done =
        run_experiment(experiment, options, [&](std::size_t, const ExperimentRow& row) { rows.push_back(row); });
    return std::pair(std::move(rows), done);
  };
  const auto here = rows_of(small).first;
  const InRunners in_runners;
  const auto [there, done] = rows_of(small);
  REQUIRE(done);
  REQUIRE((here.size() == 2 && there.size() == 2));
  for (std::size_t i = 0; i < 2; ++i) {
    CHECK((there[i].measured() && there[i].samples.count() == 3));
    CHECK(there[i].samples.median() > 0);
    CHECK(there[i].facts.hash == here[i].facts.hash);
    CHECK(there[i].series == here[i].series);
    CHECK(there[i].facts.parameters == here[i].facts.parameters);
    CHECK(there[i].device.name == here[i].device.name);
    CHECK(there[i].printed.size() == here[i].printed.size());
    CHECK(there[i].details == here[i].details);
  }

  sweep.sizes = {500, 4'000'000};
  const auto large = experiment_of(sweep).value();
  std::vector<ExperimentRow> kept;
  std::atomic<bool> first_row = false;
  auto run_of_large = std::async(std::launch::async, [&] {
    return run_experiment(large, options, [&](std::size_t, const ExperimentRow& row) {
      kept.push_back(row);
      first_row = true;
    });
  });
  while (run_of_large.wait_for(std::chrono::milliseconds(50)) != std::future_status::ready)
    if (first_row) test::abort_runners();
  const auto crashed = run_of_large.get();
  REQUIRE_FALSE(crashed);
  check_crash(crashed.error(), "a row of an experiment");
  REQUIRE_FALSE(kept.empty());
  CHECK(kept.front().measured());
}

TEST_CASE("run: a search for a parameter's best value ends with a sentence if a build crashes") {
  const InRunners in_runners;
  TuningRequest request;
  request.algorithm = "wehr";
  request.sizes = {4000, 2'000'000};
  request.backend = Backend::cpu;
  request.data = [](std::uint64_t n) { return open_data_set("uniform:n=" + std::to_string(n) + ",dim=3,seed=1"); };
  request.measure = [](const RunRequest& run, const RunControl& control) { return run_build(run, control); };
  check_crash(error_of_killed([&] { return search_tuning(request, {}); }), "the process that builds");
}

TEST_CASE("run: a request is checked before its points are opened, and is completed with them") {
  CHECK(opened({"no-such-file.csv", "wold", {}}).error().message() ==
        "there is no algorithm 'wold'; did you mean wald?");
  CHECK(opened({"no-such-file.csv", "wald", {{"sorts", "radix"}}}).error().what == "wald has no parameter 'sorts'");
  CHECK_FALSE(opened({"no-such-file.csv", "wald", {}}));
  const auto usual = opened({"wald-10", "", {}});
  REQUIRE(usual);
  CHECK(usual->request.algorithm == "wald");
  REQUIRE(usual->request.points);
  CHECK(usual->request.points->points.size() == 10);
  CHECK(usual->request.data == "wald-10");
  const auto given = opened({"another name", "hu", {}, Backend::cpu, false, usual->request.points});
  REQUIRE(given);
  CHECK(given->request.points == usual->request.points);
}
