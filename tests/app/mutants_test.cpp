// Stages with one operator changed or one barrier removed, as happens by mistake. Hidden, because sixty take minutes:
// run test_app_session "[.mutants]".

#include <algorithm>
#include <array>
#include <cstdio>
#include <fstream>
#include <map>
#include <random>
#include <regex>

#include "algorithms/registry/registry.hpp"
#include "app/variant_trials/variant_trial.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace kdscope;

namespace {

constexpr std::size_t wanted = 60, most_without_barrier = 10;

struct Mutant {
  std::string algorithm, stage, text, change;
};

/// Every change of one operator in the body of a stage.
std::vector<Mutant> mutants_of(const std::string& algorithm, const variants::Stage& stage) {
  constexpr std::array<std::pair<const char*, const char*>, 12> changes{{{" < ", " <= "},
                                                                         {" <= ", " < "},
                                                                         {" > ", " >= "},
                                                                         {" == ", " != "},
                                                                         {" && ", " || "},
                                                                         {" + 1", " - 1"},
                                                                         {" - 1", ""},
                                                                         {" + 1", ""},
                                                                         {" - ", " + "},
                                                                         {"++", "--"},
                                                                         {" << ", " >> "},
                                                                         {"left_child(", "right_child("}}};
  std::vector<Mutant> mutants;
  const std::string text = variants::new_variant(algorithm, {stage}, "mutant.cu");
  const std::size_t begin = text.find("operator()("), end = text.find("// [endregion]");
  if (begin == std::string::npos || end == std::string::npos) return mutants;
  for (const auto& [from, to] : changes)
    for (std::size_t at = text.find(from, begin); at < end; at = text.find(from, at + 1)) {
      const std::size_t line = text.rfind('\n', at) + 1;
      if (text.compare(text.find_first_not_of(' ', line), 2, "//") == 0) continue;
      std::string changed = text;
      changed.replace(at, std::string(from).size(), to);
      mutants.push_back({algorithm, stage.name, changed,
                         "line " +
                             std::to_string(std::count(text.begin(), text.begin() + std::ptrdiff_t(at), '\n') + 1) +
                             ", '" + from + "' to '" + to + "'"});
    }
  return mutants;
}

/// Every removal of one barrier: two intervals of a block or a warp become one. On the CPU, a lane then goes through
/// both before the next lane begins; on a GPU, warps race.
std::vector<Mutant> without_barrier(const std::string& algorithm, const variants::Stage& stage) {
  const std::string text = variants::new_variant(algorithm, {stage}, "mutant.cu");
  static const std::regex barrier(R"(\n *\}\);(\n *//[^\n]*)*\n *(block|warp)\.lanes\(\[&\]\(int lane\) \{)");
  std::vector<Mutant> mutants;
  for (std::sregex_iterator at(text.begin(), text.end(), barrier), end; at != end; ++at) {
    const auto line = std::count(text.begin(), text.begin() + at->position(), '\n') + 2;
    mutants.push_back({algorithm, stage.name, text, "line " + std::to_string(line) + ", no barrier"});
    mutants.back().text.erase(static_cast<std::size_t>(at->position()), static_cast<std::size_t>(at->length()));
  }
  return mutants;
}

}  // namespace

TEST_CASE("sixty mutants of the stages diverge, crash or are equivalent, and nothing hangs", "[.mutants]") {
  std::vector<Mutant> all, barriers;
  for (const AlgorithmSpec& algorithm : algorithms())
    for (const variants::Stage& stage : variants::stages_of(algorithm.id)) {
      for (Mutant& mutant : mutants_of(algorithm.id, stage)) all.push_back(std::move(mutant));
      for (Mutant& mutant : without_barrier(algorithm.id, stage)) barriers.push_back(std::move(mutant));
    }
  std::mt19937 random(20261123);
  std::shuffle(all.begin(), all.end(), random);
  std::shuffle(barriers.begin(), barriers.end(), random);
  all.insert(all.begin(), barriers.begin(), barriers.end());
  REQUIRE(all.size() >= wanted);

  const test::TemporaryFolder folder;
  std::map<std::string, int> classes;
  std::map<std::string, std::shared_ptr<const Trace>> originals;
  std::size_t tried = 0, tried_barriers = 0;
  for (const Mutant& mutant : all) {
    if (tried == wanted) break;
    const bool barrier = mutant.change.ends_with("no barrier");
    if (barrier && tried_barriers == most_without_barrier) continue;
    const std::string file = folder.file("mutant.cu");
    std::ofstream(file) << mutant.text;
    TrialRequest request{file};
    request.data = find_algorithm(mutant.algorithm)->takes_triangles ? "zhou-8" : "uniform:n=60,dim=2,seed=3";
    request.original = originals[mutant.algorithm];
    request.limits.time = std::chrono::seconds(5);
    variants::CompilerErrors errors;
    const auto trial = try_variant(request, errors);
    if (!trial && !errors.output.empty()) continue;  // does not compile
    const std::string name = mutant.algorithm + " " + mutant.stage + ", " + mutant.change;
    INFO(name << (trial ? "" : ": " + trial.error().message()));
    if (trial) originals[mutant.algorithm] = trial->original;
    if (trial && trial->run.crash.empty() && trial->run.replaced.empty()) continue;  // other stages run
    ++tried;
    tried_barriers += barrier;
    std::string outcome = "refused";
    if (trial && !trial->run.crash.empty())
      outcome = trial->run.crash.find("did not end") != std::string::npos ? "ended after five seconds" : "crashed";
    else if (trial)
      outcome = trial->equal() ? "equivalent here" : "diverges";
    else
      CHECK(trial.error().kind != ErrorKind::io_failure);
    ++classes[(barrier ? "without a barrier: " : "another operator: ") + outcome];
    ++classes[outcome];
    std::printf("%s: %s\n", name.c_str(), (trial ? outcome_text(*trial) : trial.error().message()).c_str());
    std::fflush(stdout);
  }
  CHECK(tried == wanted);
  CHECK(tried_barriers > 0);
  for (const auto& [outcome, count] : classes) std::printf("%d: %s\n", count, outcome.c_str());
  CHECK(classes["diverges"] + classes["crashed"] > static_cast<int>(wanted) / 2);
}
