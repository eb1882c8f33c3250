// Looks inside steps of recorded runs: the step of a thinned run is found by its path, a variant is looked into as it
// was recorded, and the places that lessons name exist.
#include "app/variant_trials/step_look.hpp"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "algorithms/trace/trace_file.hpp"
#include "algorithms/variants/inside/kept_look.hpp"
#include "algorithms/variants/inside/launch_walk.hpp"
#include "app/variant_trials/variant_trial.hpp"
#include "tests/support/cases.hpp"
#include "tests/support/temporary_folder.hpp"
#include "walkthroughs/reader/lesson.hpp"

using namespace kdscope;

namespace {

std::shared_ptr<const Trace> recorded_run(const RunRequest& run) { return record_run(run).value().trace; }

access_log::Look looked(const StepLookRequest& request) { return look_inside_step(request).value(); }

/// Every access in words, in the order of the recording.
std::string words_of(const access_log::Look& look) {
  access_log::LaunchRecording r = look.recording;
  access_log::put_in_order(r);
  std::ostringstream words;
  for (const access_log::Access& a : r.accesses)
    words << a.group << " " << a.interval << " " << a.lane << " " << r.arrays[a.array].name << " " << a.offset << " "
          << a.value << " " << a.kind << " " << r.sites[a.site].file << ":" << r.sites[a.site].line << "\n";
  return words.str();
}

}  // namespace

TEST_CASE("step look: a step of a thinned run is found by its path", "[slow]") {
  RunRequest run{"wald-10", "wald", {}, Backend::cpu};
  run.thin = true;
  const auto trace = recorded_run(run);
  const auto found = std::ranges::find_if(
      trace->steps, [](const Step& step) { return path_text(step) == "build / level 1 / update tags"; });
  REQUIRE(found != trace->steps.end());
  REQUIRE(found->ordinal < 4);  // in a whole run it is the sixth
  const auto look = looked({trace, run, found->ordinal});
  REQUIRE(look.recording.launches.size() == 1);
  CHECK(look.recording.launches[0].step == "build / level 1 / update tags");
  CHECK(look.recording.launches[0].lanes == 9);  // the root is settled
  CHECK(look.faults.empty());
}

TEST_CASE("step look: a variant is looked into as it was recorded, and not after its file has changed", "[slow]") {
  const test::TemporaryFolder folder;
  const std::string file = (folder.path / "mine.cu").string();
  std::string text = variants::new_variant("wald", {*variants::find_stage("wald", "update_tags")}, "mine.cu");
  std::ofstream(file) << text;
  variants::CompilerErrors errors;
  const auto trial = try_variant({file}, errors).value();
  const RecordedRun run = run_of(trial);
  const StepLookRequest request{run.trace, run.run, 3};
  const auto look = looked(request);
  REQUIRE_FALSE(look.recording.accesses.empty());
  CHECK(look.recording.sites[look.recording.accesses[0].site].file == file);

  const std::size_t at = text.find("tags[i]");
  REQUIRE(at != std::string::npos);
  text.insert(at, " ");
  std::ofstream(file) << text;
  const auto changed = look_inside_step(request);
  REQUIRE_FALSE(changed);
  CHECK(changed.error().what == "has changed since this run was recorded");
}

LESSON_CASE("step look: the places inside launches at which lessons stop exist, and stand in the files beside them",
            "[slow]") {
  if (!trace_files_available()) KDSCOPE_SKIP("this build has no HDF5");
  // After a change of a kernel, this writes the files again.
  const bool writes = std::getenv("KDSCOPE_RECORD_LESSONS") != nullptr;
  std::size_t places = 0;
  for (const Lesson& lesson : read_lessons(lessons_folder()).lessons) {
    if (std::ranges::all_of(lesson.stops, [](const Stop& stop) { return stop.inside.empty(); })) continue;
    const RunRequest run = run_of(lesson, Backend::cpu);
    const auto trace = recorded_run(run);
    access_log::LooksByStep looks;
    for (const Stop& stop : lesson.stops) {
      if (stop.inside.empty()) continue;
      INFO(lesson.id << ", " << stop.title);
      const auto step = resolve_stop(lesson, stop, *trace).value();
      auto& look = looks[step];
      if (!look) look = std::make_shared<const access_log::Look>(looked({trace, run, step}));
      access_log::LaunchRecording ordered = look->recording;
      access_log::put_in_order(ordered);
      access_log::LaunchWalk walk(std::make_shared<const access_log::LaunchRecording>(std::move(ordered)));
      REQUIRE_FALSE(walk.empty());
      CHECK(walk.go_to(*access_log::place_inside(stop.inside)));
      CHECK(look->faults.empty());
      ++places;
    }
    if (writes) REQUIRE(save_trace(*access_log::with_looks(trace, looks), recording_beside(lesson)));
    for (const auto& [step, look] : looks) {
      INFO(lesson.id << ", step " << step << ": KDSCOPE_RECORD_LESSONS=1 records it again");
      const auto kept = look_beside(lesson, *trace, step).value();
      CHECK(words_of(kept) == words_of(*look));
    }
  }
  CHECK(places >= 10);
}
