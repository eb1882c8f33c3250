// Tests that a failure is kept as an exercise that the gallery's reader takes.
#include "app/variant_trials/shrunk_failure.hpp"

#include <stdlib.h>

#include <fstream>

#include "tests/support/catch.hpp"
#include "tests/support/changed_trial.hpp"
#include "tests/support/temporary_folder.hpp"
#include "walkthroughs/reader/gallery.hpp"

namespace kdscope::shrunk_failure_test {

namespace {

VariantTrial trial_of(const test::TemporaryFolder& folder) {
  VariantTrial trial = test::trial_with_changed_tag();
  trial.file.path = folder.file("my.cu");
  std::ofstream(trial.file.path) << "// a variant\n";
  return trial;
}

}  // namespace

TEST_CASE("shrunk failure: the exercise names the first wrong element, the data and the parameters") {
  const test::TemporaryFolder folder;
  VariantTrial trial = trial_of(folder);
  trial.parameters = {{"split", "round-robin"}};
  trial.file.replaced = {"update_tags"};
  trial.order = {LaneOrder::Kind::shuffled, 99};
  const std::string path = folder.file("kept.md");
  std::ofstream(folder.file("few.csv")) << "1,2\n3,4\n";
  REQUIRE(write_exercise(path, trial, "few.csv"));
  const auto entry = read_gallery_entry(path).value();
  CHECK(entry.title == "A failure of my.cu");
  CHECK(entry.variant == folder.file("kept.cu"));
  CHECK(entry.data == folder.file("few.csv"));
  CHECK(entry.parameters == Parameters{{"split", "round-robin"}});
  CHECK(entry.symptom.array == "tags");
  CHECK(entry.symptom.index == 6);
  CHECK(entry.symptom.step == path_text(trial.run.trace->steps[trial.divergence.steps->second]));
  CHECK(entry.order == "shuffled 99");
  CHECK(entry.solution.find("variant new wald update_tags --out") != std::string::npos);
  CHECK(entry.story.find("differs from the original first at step") != std::string::npos);
}

TEST_CASE("shrunk failure: a check that fails before any element differs is kept with its name") {
  const test::TemporaryFolder folder;
  VariantTrial trial = trial_of(folder);
  trial.failed_check = FailedAt{1, {"records", "they are a permutation", false, "point 3 is missing"}};
  REQUIRE(write_exercise(folder.file("kept.md"), trial, "wald-10"));
  auto entry = read_gallery_entry(folder.file("kept.md"));
  REQUIRE(entry);
  CHECK(entry->symptom.check == "records");
  CHECK(entry->symptom.step == path_text(trial.run.trace->steps[1]));
  CHECK(entry->symptom.array.empty());
  CHECK(entry->story.find("fails a check first at step 1") != std::string::npos);
  CHECK(entry->story.find("'records': point 3 is missing; the first array that differs is tags") != std::string::npos);

  // On data where no array differs at all
  trial.run.trace = trial.original;
  trial.divergence = find_divergence(trial.original, trial.original);
  trial.divergence.failed_checks = true;
  REQUIRE(write_exercise(folder.file("kept.md"), trial, "wald-10"));
  entry = read_gallery_entry(folder.file("kept.md"));
  REQUIRE(entry);
  CHECK(entry->symptom.check == "records");
}

TEST_CASE("shrunk failure: a crash is kept with its sentence, whatever it quotes") {
  const test::TemporaryFolder folder;
  VariantTrial trial = trial_of(folder);
  trial.run.crash = "line 3 writes \"tags\"[10], but 'tags' has 10 elements: \\ # {x}";
  trial.run.step = "build / level 0 / update tags";
  REQUIRE(write_exercise(folder.file("kept.md"), trial, "wald-10"));
  const auto entry = read_gallery_entry(folder.file("kept.md")).value();
  CHECK(entry.symptom.crash == trial.run.crash);
  CHECK(entry.symptom.step == trial.run.step);
  CHECK(entry.data == "wald-10");
}

TEST_CASE("shrunk failure: a request describes its run as every other one does") {
  VariantTrial trial = test::trial_with_changed_tag();
  trial.data = "ties-12";
  trial.own_points = *open_data_set("wald-10");
  trial.parameters = {{"split", "widest"}};
  const RunRequest run = request_of(trial);
  CHECK(run.data == "ties-12");
  CHECK(run.algorithm == "wald");
  CHECK(run.points == trial.own_points);
  CHECK(run.parameters == trial.parameters);
  CHECK(run.backend == Backend::cpu);
  // What is wrong with it is found before a compiler is looked for
  ::setenv("KDSCOPE_KIT", "/nowhere/kit.txt", 1);
  variants::CompilerErrors errors;
  std::vector<variants::CompilerMessage> warnings;
  const auto refusal = [&](const RunRequest& wanted) {
    const auto found = shrink_failure({trial.file, wanted}, errors, warnings);
    REQUIRE_FALSE(found);
    return found.error().message();
  };
  CHECK(refusal({"wald-10", "", {{"sort", "bitonik"}}}).find("bitonik") != std::string::npos);
  CHECK(refusal({"wald-11", "", {}}).find("wald-11") != std::string::npos);
  CHECK(refusal(run).find("/nowhere/kit.txt") != std::string::npos);
  ::unsetenv("KDSCOPE_KIT");
}

TEST_CASE("shrunk failure: what cannot be kept is one sentence") {
  const test::TemporaryFolder folder;
  VariantTrial trial = trial_of(folder);
  const auto words = [&](const std::string& path) { return write_exercise(path, trial, "wald-10").error().message(); };
  CHECK(words(folder.file("kept.txt")).find("ends in .md") != std::string::npos);
  CHECK(words("/nowhere/kept.md").find("/nowhere/") != std::string::npos);
  trial.run.trace = trial.original;
  trial.divergence = find_divergence(trial.original, trial.original);
  CHECK(words(folder.file("kept.md")).find("nothing to find") != std::string::npos);
}

}  // namespace kdscope::shrunk_failure_test
