// Tests the sums over steps, and the bytes that a compiled program counts.
#include "algorithms/variants/step_measurement.hpp"

#include <fstream>

#include "algorithms/variants/measurement.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace kdscope;
using namespace kdscope::variants;

namespace {

BuildReport report_with(std::vector<StepTime> steps, double stepped_ms) {
  BuildReport report;
  report.step_times = std::move(steps);
  report.stepped_ms = stepped_ms;
  report.parameters = {{"sort", "radix"}};
  return report;
}

/// Returns a build of three steps: "start", and a sort in two levels.
BuildReport build_of(double start, double first, double second, double whole) {
  return report_with({{"build / start", -1, "", start, 1, 0, 0},
                      {"build / level 0 / sort / count", 0, "sort", first, 2, 0, 0},
                      {"build / level 1 / sort / move", 1, "sort", second, 3, 0, 0}},
                     whole);
}

const StepRow& row_named(const std::vector<StepRow>& rows, const std::string& name) {
  for (const StepRow& row : rows)
    if (row.name == name) return row;
  FAIL("no row " << name);
  return rows.front();
}

}  // namespace

TEST_CASE("steps: medians are those of each step, and of the rest of the build") {
  const auto median = median_steps({build_of(1, 10, 100, 116), build_of(3, 20, 50, 75), build_of(2, 90, 70, 163)});
  REQUIRE(median.steps.size() == 3);
  CHECK(median.steps[0].ms == 2);
  CHECK(median.steps[1].ms == 20);
  CHECK(median.steps[2].ms == 70);
  CHECK(median.steps[2].launches == 3);
  CHECK(median.between_ms == 2);  // of 5, 2 and 1
  CHECK(median.parameters.at("sort") == "radix");
  // Clocks of single steps may sum to more than the build's.
  CHECK(median_steps({build_of(1, 1, 1, 2.5)}).between_ms == 0);
  // A build with other steps is left out.
  CHECK(median_steps({build_of(1, 1, 1, 4), report_with({}, 100)}).between_ms == 1);
}

TEST_CASE("steps: rows are phases, levels or steps, with sums of both programs") {
  const StepMeasurement timed{median_steps({build_of(1, 10, 100, 120)}),
                              median_steps({report_with({{"build / start", -1, "", 2, 1, 0, 0},
                                                         {"build / level 0 / sort / count", 0, "sort", 5, 4, 0, 0},
                                                         {"build / level 0 / check", 0, "", 7, 1, 0, 0}},
                                                        15)})};
  const auto phases = rows_by(RowsBy::phase, timed);
  REQUIRE(phases.size() == 3);
  CHECK(phases[0].name == "start");
  CHECK(phases[1].name == "sort");
  CHECK(phases[1].original->ms == 110);
  CHECK(phases[1].original->launches == 5);
  CHECK(phases[1].variant->ms == 5);
  CHECK(phases[2].name == "check");
  CHECK_FALSE(phases[2].original);
  CHECK(phases[2].variant->ms == 7);

  const auto levels = rows_by(RowsBy::level, timed);
  REQUIRE(levels.size() == 3);
  CHECK(row_named(levels, "no level").original->ms == 1);
  CHECK(row_named(levels, "level 0").variant->ms == 12);
  CHECK_FALSE(row_named(levels, "level 1").variant);
  CHECK(rows_by(RowsBy::step, timed).size() == 4);

  const StepRow sum = sum_of(phases);
  CHECK(sum.original->ms == 111);
  CHECK(sum.original->launches == 6);
  CHECK(sum.variant->ms == 14);
}

TEST_CASE("steps: bytes join the rows of their program, whatever the times of the count") {
  const StepMeasurement timed{median_steps({build_of(1, 10, 100, 120)}), median_steps({build_of(1, 10, 100, 120)})};
  const std::vector<StepTime> counted{{"build / level 0 / sort / count", 0, "sort", 9999, 1, 400, 40},
                                      {"build / level 1 / sort / move", 1, "sort", 9999, 1, 4, 8},
                                      {"build / only on the CPU", 1, "", 9999, 1, 7, 7}};
  const auto rows = rows_by(RowsBy::phase, timed, counted, {});
  REQUIRE(rows.size() == 2);
  CHECK(rows[1].original->bytes_read == 404);
  CHECK(rows[1].original->bytes_written == 48);
  CHECK(rows[1].original->ms == 110);
  CHECK(rows[1].variant->bytes_read == 0);
  CHECK(StepSum{1.5, 1, 1'000'000, 2'000'000}.gigabytes_per_second() == 2);
  CHECK(StepSum{0, 1, 1, 0}.gigabytes_per_second() == 0);
}

TEST_CASE("steps: a program counts exactly the bytes that its launches read and write in arrays", "[slow]") {
  const test::TemporaryFolder folder;
  const auto kit = find_kit().value();
  auto text = new_builder("textbook", kit.include_folders.front(), "counted.cu").value();
  // Add a copy of an array, an atomic sum, a prefix sum and a loop in shared memory to the first step.
  const auto replace = [&](const std::string& before, const std::string& after) {
    const std::size_t at = text.find(before);
    REQUIRE(at != std::string::npos);
    text.replace(at, before.size(), after);
  };
  replace("struct Start {", R"(struct CopyFirst {
  std::uint32_t *from, *to;
  KDSCOPE_HD void operator()(std::uint32_t i) const { to[i] = from[i]; }
};
struct AddUp {
  std::uint32_t *from, *sum;
  template <class Block>
  KDSCOPE_HD void operator()(Block& block) const {
    auto* const values = block.template shared<std::uint32_t>(10);
    block.lanes([&](int lane) { values[lane] = from[block.index() * 10 + static_cast<std::uint32_t>(lane)]; });
    block.lanes([&](int lane) { block.atomic_add(sum, values[9 - lane]); });
  }
};
struct Start {)");
  const std::string launch = "exec.for_each(name, n, Start{index.data(), first.data()});";
  replace(launch, "auto copy = exec.template array<std::uint32_t>(\"copy\", n);" + launch +
                      "exec.for_each(name, n, CopyFirst{first.data(), copy.data()});"
                      "exec.for_each_block(name, n / 10, 10, 64, AddUp{first.data(), copy.data()});"
                      "exec.inclusive_sum(name, copy.data(), n);");
  std::ofstream(folder.file("counted.cu")) << text;
  const auto variant = read_variant(folder.file("counted.cu")).value();
  CompilerErrors errors;
  const auto compiled = compile(variant, kit, errors, {}, Backend::cpu, Purpose::count);
  INFO(errors.output.substr(0, 2000));
  REQUIRE(compiled);
  const auto counted = count_bytes(compiled->program, {"uniform:n=2000,dim=2,seed=3", "", {}, {}, 0, {}}, {}).value();
  REQUIRE(counted.size() > 3);
  const StepTime& start = counted.front();
  CHECK(start.name == "build / start");
  CHECK(start.launches == 4);
  constexpr std::uint64_t array = 4 * 2000;
  // Start writes two arrays, CopyFirst reads and writes one, AddUp reads one and changes a sum as often, and the prefix
  // sum reads and writes one.
  CHECK(start.bytes_read == 4 * array);
  CHECK(start.bytes_written == (2 + 1 + 1 + 1) * array);
  CHECK(counted.back().bytes_read > 0);
}

TEST_CASE("steps: a copy has the steps of the original, and launches as often", "[slow]") {
  const auto kit = find_kit().value();
  CompilerErrors errors;
  const auto original = compile_original("textbook", kit, Backend::cpu, errors).value();
  const auto steps =
      measure_steps(original.program, original.program, {"uniform:n=2000,dim=2,seed=3", "", {}, {}, 0, {}}, 3, {})
          .value();
  REQUIRE(steps.original.steps.size() == 13);  // the start, 11 levels, and the layout
  REQUIRE(steps.variant.steps.size() == 13);
  for (std::size_t i = 0; i < steps.original.steps.size(); ++i) {
    CHECK(steps.original.steps[i].name == steps.variant.steps[i].name);
    CHECK(steps.original.steps[i].launches == (i < 12 ? 1 : 2));  // the layout takes two
    CHECK(steps.original.steps[i].bytes_read == 0);
  }
}
