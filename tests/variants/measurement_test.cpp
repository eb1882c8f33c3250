// Tests the verdict on times, and the measurement of a variant beside the original.
#include "algorithms/variants/measurement.hpp"

#include <fstream>

#include "tests/support/catch.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace kdscope;
using namespace kdscope::variants;

namespace {

/// Returns `count` times that vary around a middle.
std::vector<double> times_around(double middle, double step, int count = 21) {
  std::vector<double> times;
  for (int i = 0; i < count; ++i) times.push_back(middle + step * ((i * 8) % count - count / 2));
  return times;
}

Verdict verdict(std::vector<double> original, std::vector<double> variant) {
  return verdict_of({{std::move(original)}, {std::move(variant)}});
}

}  // namespace

TEST_CASE("measurement: only a difference beyond chance counts") {
  const std::vector<double> usual = times_around(10, 0.01);
  CHECK(verdict(usual, usual) == Verdict::no_difference);
  CHECK(verdict(usual, times_around(11, 0.01)) == Verdict::slower);
  CHECK(verdict(usual, times_around(9, 0.01)) == Verdict::faster);
  // Certain, but below one per cent
  CHECK(verdict(times_around(10, 0.001), times_around(10.05, 0.001)) == Verdict::no_difference);
  // Three per cent, within a spread of forty
  CHECK(verdict(times_around(10, 0.4), times_around(10.3, 0.4)) == Verdict::no_difference);
  // One of the two pairs of processes happened to be slow.
  std::vector<double> one_slow_process = usual;
  for (std::size_t i = usual.size() / 2; i < usual.size(); ++i) one_slow_process[i] += 1;
  CHECK(verdict(usual, one_slow_process) == Verdict::no_difference);
  // Two builds of each show nothing.
  CHECK(verdict({10, 10}, {20, 20}) == Verdict::no_difference);
}

TEST_CASE("measurement: a variant that does the work twice is slower, and a copy gives the same tree", "[slow]") {
  const test::TemporaryFolder folder;
  const auto kit = find_kit().value();
  CompilerErrors errors;
  const auto original = compile_original("textbook", kit, Backend::cpu, errors);
  INFO(errors.output.substr(0, 2000));
  REQUIRE(original);
  const auto compiled = [&](const std::string& name, const std::string& before, const std::string& after) {
    auto text = new_builder("textbook", kit.include_folders.front(), name).value();
    const std::size_t at = text.find(before);
    REQUIRE(at != std::string::npos);
    std::ofstream(folder.file(name)) << text.replace(at, before.size(), after);
    const auto variant = read_variant(folder.file(name)).value();
    return compile(variant, kit, errors, {}, Backend::cpu, Purpose::measure);
  };
  const std::string launch = "exec.for_each(name, n, Start{index.data(), first.data()});";
  const auto copy = compiled("copy.cu", launch, launch);
  const auto busy = compiled("busy.cu", launch, "for (int turn = 0; turn < 2000; ++turn) " + launch);
  INFO(errors.output.substr(0, 2000));
  REQUIRE(copy);
  REQUIRE(busy);
  const ProcessRequest request{{"uniform:n=2000,dim=2,seed=3", {}, {}, Backend::cpu}};
  const auto slower = measure(original->program, busy->program, request, 11, {});
  INFO((slower ? "" : slower.error().message()));
  REQUIRE(slower);
  CHECK(slower->same_tree);
  CHECK(slower->variant.count() == 11);
  CHECK(verdict_of(*slower) == Verdict::slower);
  const auto same = measure(original->program, copy->program, request, 11, {});
  REQUIRE(same);
  CHECK(same->same_tree);
  CHECK(same->original.count() == 11);  // no verdict on these times: other tests run beside them

  const auto bad = measure(original->program, copy->program, {"no-such-data", "", {}, {}, 0, {}}, 3, {});
  REQUIRE_FALSE(bad);
  CHECK(bad.error().message().find("no-such-data") != std::string::npos);
}

TEST_CASE("measurements: a program that ends while it builds is told of with its signal or code") {
  const auto told = [](const char* script, std::chrono::milliseconds time = std::chrono::seconds(20)) {
    RunningProgram program({"/bin/sh", "-c", script});
    ProgramLimits limits = build_limits();
    limits.time = time;
    const auto built = build_once(program, "variant", "build\n", limits, {});
    REQUIRE_FALSE(built);
    CHECK(built.error().remedy.find("--seconds") != std::string::npos);
    return built.error().what;
  };
  CHECK(told("read line; kill -SEGV $$") == "the variant crashed while it built (Segmentation fault)");
  CHECK(told("read line; exit 3") == "the variant ended while it built, with exit code 3");
  CHECK(told("sleep 100", std::chrono::seconds(1)) == "the variant did not build within 1 second");
}
