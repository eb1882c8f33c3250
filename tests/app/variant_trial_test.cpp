// Tests the verdicts on variants: what depends on the order of lanes, what is never launched, what else goes wrong.
#include "app/variant_trials/variant_trial.hpp"

#include <stdlib.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "algorithms/registry/registry.hpp"
#include "algorithms/trace/printed_text.hpp"
#include "app/variant_trials/shrunk_failure.hpp"
#include "app/variant_trials/variant_launches.hpp"
#include "datasets/datasets.hpp"
#include "tests/support/cases.hpp"
#include "tests/support/changed_trial.hpp"
#include "tests/support/temporary_folder.hpp"
#include "walkthroughs/reader/gallery.hpp"
#include "walkthroughs/reader/lesson.hpp"

namespace kdscope::variant_trial_test {

namespace {

struct Change {
  std::string before, after;
};

std::string stage_text(const std::string& algorithm, const std::string& stage, const std::vector<Change>& changes) {
  std::string text = variants::new_variant(algorithm, {*variants::find_stage(algorithm, stage)}, "my.cu");
  for (const Change& change : changes) {
    const std::size_t at = text.find(change.before);
    REQUIRE(at != std::string::npos);
    text.replace(at, change.before.size(), change.after);
  }
  return text;
}

/// A variant of update_tags that does something else first.
std::string doing(const std::string& what) {
  return stage_text("wald", "update_tags",
                    {{"#include", "#include <cstdio>\n#include <cstdlib>\n#include"},
                     {"const NodeId s", what + "\n    const NodeId s"}});
}

struct Tried {
  VariantTrial trial;
  std::string text;
  bool says(const std::string& words) const { return text.find(words) != std::string::npos; }
};

Tried tried(const std::string& text, const std::string& data = {}, const Parameters& parameters = {},
            std::chrono::seconds time = std::chrono::seconds(60)) {
  const test::TemporaryFolder folder;
  std::ofstream(folder.file("my.cu")) << text;
  TrialRequest request{folder.file("my.cu"), data, parameters};
  request.limits.time = time;
  variants::CompilerErrors errors;
  auto trial = try_variant(request, errors);
  INFO(errors.output.substr(0, 2000));
  INFO((trial ? "" : trial.error().message()));
  REQUIRE(trial);
  return {*trial, outcome_text(*trial)};
}

}  // namespace

TEST_CASE("trials: lane 0 loads shared memory that other lanes read without a barrier", "[slow]") {
  const Tried race = tried(
      stage_text("wehr", "histogram_creation",
                 {{"for (std::uint32_t e = static_cast<std::uint32_t>(lane); e < 2 * base; e += lanes) h[e] = 0;\n"
                   "    });\n",
                   "for (std::uint32_t e = 0; lane == 0 && e < 2 * base; ++e) h[e] = 0;\n"},
                  {"    block.lanes([&](int lane) {\n      const std::uint32_t i = begin",
                   "      const std::uint32_t i = begin"}}),
      "", {{"tpb", "8"}});
  INFO(race.text);
  CHECK(race.trial.order.kind == LaneOrder::Kind::descending);
  CHECK(race.says("depends on the order of lanes: it is equal to the original with lanes in ascending order"));
  CHECK(race.says("with lanes in descending order it differs from the original first at step"));
  CHECK_FALSE(race.trial.equal());
}

TEST_CASE("trials: ranks by the order of atomic operations", "[slow]") {
  const Tried race = tried(
      stage_text("zhou-sah", "mark_sides",
                 {{"    for (std::uint32_t step = 1;",
                   "    std::uint32_t* total = block.template shared<std::uint32_t>(1);\n"
                   "    block.lanes([&](int lane) { if (lane == 0) total[0] = 0; });\n"
                   "    block.lanes([&](int lane) { sums[lane] = block.atomic_add(total, own[lane]) + own[lane]; });\n"
                   "    block.lanes([&](int lane) { if (lane + 1 == block.lane_count()) sums[lane] = total[0]; });\n"
                   "    for (std::uint32_t step = chunks.chunk_size;"}}));
  INFO(race.text);
  CHECK(race.says("depends on the order of lanes"));
  CHECK(race.says("mark sides): rank_left[0] is"));
  CHECK(race.says("chunks.hpp:"));  // the fault that follows is in a header
}

TEST_CASE("trials: a counter of shared memory without an atomic operation", "[slow]") {
  const char* const increment = "block.atomic_add(&h[(i > edge ? base : 0) + digit.of(keys[i])], 1u);";
  const Tried race =
      tried(stage_text("wehr", "histogram_creation", {{increment, "++h[(i > edge ? base : 0) + digit.of(keys[i])];"}}),
            "", {{"tpb", "8"}});
  INFO(race.text);
  CHECK(race.says("but with all lanes at once it differs"));
  CHECK(race.trial.orders.size() == 3);

  // An atomic operation of another library cannot be seen, so that this run is left out, and the verdict says so
  const Tried own = tried(stage_text("wehr", "histogram_creation",
                                     {{increment,
                                       "std::atomic_ref<std::uint32_t>(h[(i > edge ? base : 0) + "
                                       "digit.of(keys[i])]).fetch_add(1);"}}),
                          "", {{"tpb", "8"}});
  INFO(own.text);
  CHECK(own.trial.equal());
  CHECK(own.says("updates that lanes or blocks lose were not looked for, because the file has atomic operations"));
}

TEST_CASE("trials: shared memory is guarded, and filled before it is written", "[slow]") {
  const Tried past =
      tried(stage_text("wehr", "histogram_creation",
                       {{"h[e] = 0;\n    });", "h[e] = 0;\n      if (lane == 3) h[2 * base] = 7;\n    });"}}),
            "", {{"tpb", "8"}});
  INFO(past.text);
  CHECK(past.says("line 32 writes h[64], but the shared array 'h' has 64 elements (block 0, lane 3)"));

  const Tried stale = tried(stage_text("wehr", "histogram_creation",
                                       {{"e < 2 * base; e += lanes) h[e] = 0", "e < base; e += lanes) h[e] = 0"}}),
                            "", {{"tpb", "8"}});
  INFO(stale.text);
  CHECK(stale.says("h[32] is 3200171710, as in shared memory that nobody wrote, instead of 0"));
  CHECK(stale.text.starts_with("reads 'h' where nobody wrote"));
}

TEST_CASE("trials: the verdict names what was tried", "[slow]") {
  const Tried equal = tried(stage_text("wald", "update_tags", {}));
  CHECK(equal.trial.equal());
  CHECK(equal.text ==
        "is equal to the original: 10 steps, the same tree, with lanes, warps and blocks in ascending, descending and "
        "shuffled order (seed 17), and all at once; races that change no result here are not found");
}

TEST_CASE("trials: a stage that is not launched as a rule is launched with other parameters", "[slow]") {
  const Tried used = tried(stage_text("brown", "sort_tiles", {}));
  INFO(used.text);
  CHECK(used.trial.used_with == "sort=merge");
  CHECK(used.trial.parameters == Parameters{{"sort", "merge"}});
  CHECK(used.trial.equal());
  CHECK(used.says("(used with sort=merge)"));
  CHECK(run_of(used.trial).run.parameters == used.trial.parameters);

  // A bug in it is found there
  const Tried wrong =
      tried(stage_text("wald", "exchange_pass", {{"const {", "const {\n    if (range.m > 0) return;"}}));
  INFO(wrong.text);
  CHECK_FALSE(wrong.trial.not_used());
  CHECK_FALSE(wrong.trial.equal());
  CHECK(wrong.trial.parameters.at("sort") == "bitonic");
}

TEST_CASE("trials: a stage that nothing launches is said not to be used", "[slow]") {
  const Tried never = tried(
      "#include \"algorithms/builders/textbook/textbook.hpp\"\n"
      "#include \"algorithms/variants/variant.hpp\"\nstruct Nobody {};\nstruct Mine {};\n"
      "template <>\nstruct kdscope::ReplacementOf<Nobody> {\n  using type = Mine;\n"
      "  static constexpr const char* stage = \"nobody\";\n};\nKDSCOPE_VARIANT_OF(textbook)\n");
  INFO(never.text);
  CHECK(never.trial.not_used());
  CHECK(never.text.starts_with("was not used: no launch of the builder takes its stage"));
}

TEST_CASE("trials: choices of launches begin with one other parameter and stay within its range") {
  const auto choices = launch_choices(*find_algorithm("wald"), {});
  CHECK(std::ranges::any_of(choices,
                            [](const LaunchChoice& c) { return c.changed == "sort=bitonic" && c.data.empty(); }));
  CHECK(choices.front().data.empty());
  CHECK(choices.front().parameters.size() == 1);
  for (const AlgorithmSpec& spec : algorithms())
    for (const LaunchChoice& choice : launch_choices(spec, {})) {
      INFO(spec.id << " " << choice.changed);
      CHECK(complete_parameters(spec, choice.parameters));
      if (!choice.data.empty()) CHECK(open_data_set(choice.data));
    }
}

TEST_CASE("trials: a fault is reported by its kind", "[slow]") {
  const std::pair<const char*, const char*> faults[] = {
      {"void* q = std::malloc(4); std::free(q); std::free(q);", "line 17 frees memory twice"},
      {"volatile int zero = 0; if (1 / zero == 5) return;", "line 17 divides by zero"},
      {"volatile int m = -1, k = -2147483647 - 1; if (k / m == 5) return;",
       "line 17 divides integers whose quotient does not exist"},
      {"struct R { static int f(int n) { volatile char b[999]; b[0] = 1; return f(n + 1) + b[0]; } }; R::f(0);",
       "line 17 overflows the stack"},
      {"volatile std::size_t n = 100ull << 40; char* q = new char[n]; q[0] = 1;",
       "line 17 asks for 109951162777600 bytes of memory, more than there is"},
      {"std::abort();", "line 17 calls abort()"},
      {"int* volatile p = nullptr; *p = 3;", "line 17 writes through a null pointer"}};
  for (const auto& [code, words] : faults) {
    const Tried fault = tried(doing(code));
    INFO(fault.text);
    CHECK(fault.says(words));
  }
}

TEST_CASE("trials: prints before a fault are kept, the last ones first of all", "[slow]") {
  const Tried fault =
      tried(doing("static int round = 0; for (int k = 0; k < 40000; ++k) std::printf(\"==== %d of %d\\n\", k, round);\n"
                  "    if (++round == 5) tags[12345] = 3;"));
  CHECK(fault.says("line 18 writes"));
  const variants::Prints& prints = fault.trial.run.prints;
  CHECK(prints.left_out > 0);
  REQUIRE(prints.steps.size() == 1);
  CHECK(prints.steps[0].text.starts_with("==== "));
  CHECK(prints.steps[0].text.ends_with("==== 39999 of 4\n"));
  CHECK(prints.steps[0].text.size() <= 64 << 10);
  CHECK(prints.steps[0].text.size() > 63 << 10);
  CHECK(prints.steps[0].step == fault.trial.run.trace->steps.size());  // the step that did not end
  CHECK(fault.trial.run.step == "build / level 0 / update tags");
}

TEST_CASE("trials: prints stand beside the step that printed them, in the trace too", "[slow]") {
  const Tried prints = tried(doing("std::printf(\"tag %u at %u\\n\", tags[i], i);"));
  INFO(prints.text);
  REQUIRE(prints.trial.equal());
  const Trace& trace = *prints.trial.run.trace;
  const auto kept = trace_of(prints.trial);
  for (const Step& step : trace.steps) {
    // One thread for each point that is not settled: 10, then 9, then 7
    std::size_t lines = 0;
    for (const PrintedStep& print : prints.trial.run.prints.steps)
      if (print.step == step.ordinal) lines += static_cast<std::size_t>(std::ranges::count(print.text, '\n'));
    INFO(path_text(step));
    CHECK(lines == (step.name != "update tags" ? 0u : step.level == 0 ? 10u : step.level == 1 ? 9u : 7u));
    const std::string text = printed_text(*kept, step.ordinal);
    CHECK(std::ranges::count(text, '\n') == static_cast<std::ptrdiff_t>(lines));
    if (step.name == "update tags" && step.level == 1) CHECK(text.starts_with("tag 1 at 1\ntag 1 at 2\n"));
  }
  CHECK(find_divergence(prints.trial.original, kept).equal());
}

TEST_CASE("trials: a run that is ended after its time has not crashed", "[slow]") {
  const Tried late = tried(doing("for (volatile int k = 0; k >= 0; k = 1) {}"), "", {}, std::chrono::seconds(2));
  INFO(late.text);
  CHECK(late.says("the variant did not end within 2 seconds"));
  CHECK(late.says("--seconds"));
  CHECK_FALSE(late.says("crash"));
}

TEST_CASE("trials: a builder of other steps that builds the same tree is said to", "[slow]") {
  const auto kit = variants::find_kit().value();
  std::string text = *variants::new_builder("textbook", kit.include_folders.front(), "my.cu");
  const std::size_t step = text.find("  rec.step(steps::lay_out");
  REQUIRE(step != std::string::npos);
  text.insert(step, "  rec.step(steps::lay_out, [&] {});\n");
  const Tried other = tried(text);
  INFO(other.text);
  CHECK(other.trial.other_steps());
  CHECK(other.text.starts_with("has other steps than the original, but builds the same tree"));
}

TEST_CASE("trials: a builder of other steps and another tree is compared by the nodes of its tree", "[slow]") {
  const auto kit = variants::find_kit().value();
  std::string text = *variants::new_builder("wald", kit.include_folders.front(), "my.cu");
  const std::size_t levels = text.find("level < levels - 1");
  REQUIRE(levels != std::string::npos);
  text.replace(levels, 18, "level < levels - 2");
  const Tried other = tried(text);
  INFO(other.text);
  CHECK_FALSE(other.trial.other_steps());
  // Node i of this kind of tree holds the point at position i
  Cursor right(other.trial.original), wrong(other.trial.run.trace);
  right.seek(right.step_count() - 1);
  wrong.seek(wrong.step_count() - 1);
  std::uint64_t node = 0;
  while (node < 10 && right.number("index", node) == wrong.number("index", node)) ++node;
  REQUIRE(node < 10);
  const auto point = [&](const Cursor& at) { return std::to_string(static_cast<int>(at.number("index", node))); };
  CHECK(other.says("builds another tree, first at node " + std::to_string(node) + ": original_index is " +
                   point(wrong) + " instead of " + point(right)));
  CHECK(other.says("has other steps than the original, first at step"));
}

TEST_CASE("trials: a variant for CUDA compiles before a device is looked for") {
  if (std::ranges::any_of(find_devices().devices, [](const Device& d) { return d.backend == Backend::cuda; }))
    KDSCOPE_SKIP("there is a CUDA device");
  // A compiler that writes its output and nothing else, in a kit of its own
  const test::TemporaryFolder folder;
  std::ofstream(folder.file("nvcc")) << "#!/bin/sh\nwhile [ $# -gt 1 ]; do [ \"$1\" = -o ] && : >\"$2\"; shift; done\n";
  std::filesystem::permissions(folder.file("nvcc"), std::filesystem::perms::owner_all);
  std::ofstream(folder.file("library.so")) << "no library\n";
  std::ofstream(folder.file("kit.txt")) << "library library.so\ncuda_compiler " << folder.file("nvcc")
                                        << "\ncuda_library library.so\n";
  std::ofstream(folder.file("my.cu")) << stage_text("wald", "update_tags", {});
  ::setenv("KDSCOPE_KIT", folder.file("kit.txt").c_str(), 1);
  ::setenv("XDG_CACHE_HOME", folder.file("cache").c_str(), 1);
  TrialRequest request{folder.file("my.cu")};
  request.backend = Backend::cuda;
  variants::CompilerErrors errors;
  const auto trial = try_variant(request, errors);
  ::unsetenv("KDSCOPE_KIT");
  ::unsetenv("XDG_CACHE_HOME");
  REQUIRE_FALSE(trial);
  INFO(trial.error().message());
  CHECK(trial.error().kind == ErrorKind::no_device);
  CHECK(trial.error().message().find("the variant compiles, but cannot run") != std::string::npos);
}

TEST_CASE("trials: a stage that never runs beside one that does is named", "[slow]") {
  const Tried both = tried(variants::new_variant(
      "wald", {*variants::find_stage("wald", "update_tags"), *variants::find_stage("wald", "exchange_pass")}, "my.cu"));
  INFO(both.text);
  CHECK(both.trial.equal());
  CHECK(both.trial.unused == std::vector<std::string>{"exchange_pass"});
  CHECK(both.says("; never launched, and so not tried: exchange_pass"));
}

TEST_CASE("trials: blocks that update a counter of global memory without an atomic operation", "[slow]") {
  const Tried race = tried(stage_text("rank", "count_bins",
                                      {{"block.atomic_add(&round.counts_of(segment << Down, bins)[j], found[j]);",
                                        "round.counts_of(segment << Down, bins)[j] += found[j];"}}),
                           "uniform:n=5000,dim=2,seed=3");
  INFO(race.text);
  CHECK(race.says("but with all lanes at once it differs"));
  CHECK(race.trial.orders.size() == 3);
}

TEST_CASE("trials: lanes that count in different bytes of one word lose counts", "[slow]") {
  // h[e] for e of the four bytes of a word: lanes 0 to 3 add to a byte each
  const std::vector<Change> packed{
      {"      for (std::uint32_t e = static_cast<std::uint32_t>(lane); e < 2 * base; e += lanes) h[e] = 0;\n    });\n",
       "      for (std::uint32_t e = static_cast<std::uint32_t>(lane); e < 2 * base; e += lanes) h[e] = 0;\n    });\n"
       "    block.lanes([&](int lane) {\n      if (lane < 4) h[0] += 1u << 8 * lane;\n    });\n"
       "    block.lanes([&](int lane) {\n      if (lane == 0) h[0] = h[0] == 0x01010101u ? 0 : 1;\n    });\n"}};
  const Tried race = tried(stage_text("wehr", "histogram_creation", packed), "", {{"tpb", "8"}});
  INFO(race.text);
  CHECK(race.says("but with all lanes at once, each word written as a whole, it differs"));
  CHECK(race.trial.orders.size() == 4);
}

TEST_CASE("trials: a run that reads shared memory which nobody wrote names the array", "[slow]") {
  // It matters only where the byte is one of the others, so that the usual run is right
  const Tried stale =
      tried(stage_text("wehr", "histogram_creation",
                       {{"    block.lanes([&](int lane) {",
                         "    const bool other = h[1] == 0x3d3d3d3du;\n    block.lanes([&](int lane) {"},
                        {"h[e] = 0;", "h[e] = other ? 1 : 0;"}}),
            "", {{"tpb", "8"}});
  INFO(stale.text);
  CHECK(stale.trial.unwritten);
  CHECK(stale.trial.unwritten_arrays == std::vector<std::string>{"h"});
  CHECK(stale.text.starts_with("reads 'h' where nobody wrote, so its result depends on what is there: it differs"));
  CHECK_FALSE(stale.says("depends on the order"));
}

TEST_CASE("trials: constructs that mean something else on a device are refused at their line", "[slow]") {
  const auto with_start = [](const std::string& code) {
    return stage_text("wehr", "histogram_creation",
                      {{"    block.lanes([&](int lane) {", code + "    block.lanes([&](int lane) {"}});
  };
  const std::pair<std::string, const char*> misuses[] = {
      {"    block.lanes([&](int) { block.lanes([](int) {}); });\n", "calls lanes() inside an interval"},
      {"    auto own = block.template per_lane<int>();\n    block.lanes([&](int lane) { own[lane] = own[0]; });\n",
       "uses the registers of lane 0 in another lane"},
      {"    ++h[0];\n", "changes the shared array 'h' outside of an interval"},
      {"    block.atomic_add(&h[0], 1u);\n", "calls atomic_add() outside of an interval"}};
  for (const auto& [code, words] : misuses) {
    const Tried misuse = tried(with_start(code), "", {{"tpb", "8"}});
    INFO(misuse.text);
    CHECK(misuse.says(words));
    CHECK(misuse.says("crashed in build / "));
    CHECK(misuse.says(": line "));
  }
}

TEST_CASE("trials: prints without a line end are kept before a fault and before the end of the time", "[slow]") {
  const Tried fault = tried(doing("std::printf(\"open %d\", 1);\n    if (i == 0) tags[12345] = 3;"));
  CHECK(fault.says("writes"));
  REQUIRE(fault.trial.run.prints.steps.size() == 1);
  CHECK(fault.trial.run.prints.steps[0].text == "open 1");
  const Tried late = tried(doing("std::printf(\"open %d\", 2);\n    for (volatile int k = 0; k >= 0; k = 1) {}"), "",
                           {}, std::chrono::seconds(2));
  CHECK(late.trial.run.late);
  REQUIRE(late.trial.run.prints.steps.size() == 1);
  CHECK(late.trial.run.prints.steps[0].text == "open 2");
}

TEST_CASE("trials: a builder of the same steps and tree, but of other values on the way, is said to") {
  VariantTrial trial = test::trial_with_changed_tag();
  REQUIRE_FALSE(trial.divergence.hashes);
  // A stage is to do what the original's does
  CHECK_FALSE(trial.other_steps());
  CHECK(outcome_text(trial).ends_with("; the tree is the same"));
  trial.file.is_builder = true;
  CHECK(trial.other_steps());
  CHECK(
      outcome_text(trial).starts_with("has other values on the way than the original, but builds the same tree: it "
                                      "differs from the original first at step"));
  trial.divergence.hashes = true;
  CHECK_FALSE(trial.other_steps());
}

TEST_CASE("trials: what ends a run before its first step is named", "[slow]") {
  // The estimate of the memory builds on samples
  const test::TemporaryFolder folder;
  std::ofstream(folder.file("my.cu")) << doing("std::abort();");
  const auto variant = variants::read_variant(folder.file("my.cu")).value();
  const auto kit = variants::find_kit().value();
  variants::CompilerErrors errors;
  const auto compiled = variants::compile(variant, kit, errors).value();
  variants::ProcessRequest wanted{{"uniform:n=20000,dim=2,seed=3", {}, {}, Backend::cpu}};
  wanted.run.trace_budget_bytes = 1 << 20;
  const auto run = variants::run_variant(compiled.program, kit, wanted).value();
  CHECK(run.step == "the estimate of the memory, before the first step");
  CHECK(run.crash == "line 17 calls abort()");
}

LESSON_CASE("trials: records that are moved without a barrier differ where their check fails, and are kept", "[slow]") {
  const std::string text = stage_text(
      "wald", "tile_passes",
      {{"      });\n      block.lanes([&](int lane) {\n        const std::uint32_t i = lane, j = lane + lane_count;\n"
        "        if (i < count) word(i)",
        "        if (i < count) word(i)"}});
  const Tried wrong = tried(text, "uniform:n=10,dim=2,seed=3", {{"sort", "bitonic"}});
  INFO(wrong.text);
  REQUIRE(wrong.trial.failed_check);
  CHECK(wrong.trial.first_wrong_step() == wrong.trial.failed_check->step);
  // The records in memory are wrong where their check fails, although the index names the right points
  REQUIRE(wrong.trial.divergence.steps);
  CHECK(wrong.trial.divergence.steps->second == wrong.trial.failed_check->step);
  CHECK(wrong.trial.divergence.arrays.front().array.starts_with("record[i]."));
  const test::TemporaryFolder folder;
  VariantTrial trial = wrong.trial;
  trial.file.path = folder.file("my.cu");
  std::ofstream(trial.file.path) << text;
  REQUIRE(write_exercise(folder.file("kept.md"), trial, "uniform:n=10,dim=2,seed=3"));
  CHECK(read_gallery_entry(folder.file("kept.md")));
}

}  // namespace kdscope::variant_trial_test
