// Tests the roofline of a run: its bytes, its rows, and the command that prints them.
#include "app/bench/roofline.hpp"

#include <algorithm>

#include "algorithms/variants/kit.hpp"
#include "app/cli/step_tables.hpp"
#include "datasets/datasets.hpp"
#include "tests/cli/command_runs.hpp"

namespace kdscope::roofline_test {
using namespace kdscope::tests;
using variants::RowsBy;

namespace {

constexpr std::uint64_t n = 2000;
const RunRequest small_run{"uniform:n=2000,dim=2,seed=3", "textbook", {}, Backend::cpu};

/// Returns the roofline of the small run, which the first call measures.
const Roofline& measured() {
  static const Result<Roofline> result = measure_roofline(small_run);
  INFO((result ? "" : result.error().message()));
  REQUIRE(result);
  return *result;
}

/// A roofline with planted numbers on a device that copies 8 GB/s. Its first two steps are of one name.
Roofline planted() {
  Roofline roofline;
  roofline.builds = 5;
  roofline.copy_gigabytes = 8;
  roofline.timed.steps = {{"build / level 0 / sort", 0, "radix", 1.5, 3},
                          {"build / level 1 / sort", 1, "merge", 0.5, 1},
                          {"build / level 1 / on the GPU alone", 1, "merge", 0.25, 1},
                          {"build / check", -1, "", 0.001, 0}};
  roofline.timed.between_ms = 0.5;
  roofline.counted = {{"build / level 0 / sort", 0, "radix", 99, 1, 6'000'000, 2'000'000},
                      {"build / level 1 / sort", 1, "merge", 99, 1, 2'000'000, 1'000'000},
                      {"build / on the CPU alone", 1, "other", 99, 1, 77, 77}};
  return roofline;
}

std::vector<std::string> names_of(const std::vector<variants::StepRow>& rows) {
  std::vector<std::string> names;
  for (const variants::StepRow& row : rows) names.push_back(row.name);
  return names;
}

}  // namespace

TEST_CASE("roofline: steps read and write what their arrays hold") {
  const Roofline& roofline = measured();
  CHECK(roofline.algorithm == "textbook");
  CHECK(roofline.device.backend == Backend::cpu);
  CHECK(roofline.copy_gigabytes > 0);
  CHECK(roofline.tree_hash == time_run(small_run, 1)->tree_hash);
  CHECK(roofline.timed.steps.size() == 13);  // the start, 11 levels, and the layout
  const auto rows = rows_of(roofline, RowsBy::step);
  REQUIRE(names_of(rows) == std::vector<std::string>{"start", "split nodes", "lay out"});
  // The start writes two arrays of 4-byte indices and reads none.
  CHECK(rows[0].original->bytes_read == 0);
  CHECK(rows[0].original->bytes_written == 2 * 4 * n);
  // Every level reads at least the index and one coordinate of each point that has no node yet.
  CHECK(rows[1].original->bytes_read > 8 * n * 5);
  CHECK(rows[1].original->launches == 11);
  // The layout writes a node per point.
  CHECK(rows[2].original->bytes_written >= 8 * n);
  for (const variants::StepRow& row : rows) CHECK(row.original->ms > 0);
}

TEST_CASE("roofline: rows of every kind have the same sums, and the recording has their steps") {
  const Roofline& roofline = measured();
  std::uint64_t counted = 0;
  for (const StepTime& step : roofline.counted) counted += step.bytes_read + step.bytes_written;
  REQUIRE(counted > 0);
  const auto recorded = record_run(small_run).value();
  const Trace& trace = *recorded.trace;
  for (const RowsBy by : {RowsBy::phase, RowsBy::level, RowsBy::step}) {
    double ms = roofline.timed.between_ms;
    std::uint64_t bytes = 0, launches = 0;
    for (const variants::StepRow& row : rows_of(roofline, by)) {
      ms += row.original->ms;
      bytes += row.original->bytes();
      launches += row.original->launches;
      const auto step = first_step_of(row.name, by, trace);
      REQUIRE(step);
      CHECK(row_of(trace.steps[*step], by) == row.name);
    }
    CHECK(bytes == counted);
    CHECK(launches == 14);
    CHECK(ms == Approx(roofline.build_ms()));
  }
  CHECK(first_step_of("level 3", RowsBy::level, trace) == 4);
  CHECK_FALSE(first_step_of("level 99", RowsBy::level, trace));
}

TEST_CASE("roofline: points of one's own are counted like those of a file") {
  const auto data = open_data_set(small_run.data).value();
  RunRequest run = small_run;
  run.data = "edited points";
  run.points = data;
  const auto own = measure_roofline(run).value();
  CHECK(own.counted.size() == measured().counted.size());
  CHECK(rows_of(own, RowsBy::step)[1].original->bytes() == rows_of(measured(), RowsBy::step)[1].original->bytes());
}

TEST_CASE("roofline: rows take their bytes from steps of the same row, and bandwidths follow") {
  const Roofline roofline = planted();
  const auto rows = rows_of(roofline, RowsBy::step);
  REQUIRE(names_of(rows) == std::vector<std::string>{"sort", "on the GPU alone", "check"});
  CHECK(rows[0].original->ms == 2);
  CHECK(rows[0].original->bytes() == 11'000'000);
  CHECK(rows[0].original->gigabytes_per_second() == Approx(5.5));
  CHECK(share_of_copy(rows[0], roofline) == Approx(5.5 / 8));
  CHECK(rows[1].original->bytes() == 0);
  CHECK(share_of_copy(rows[1], roofline) == 0);
  CHECK(names_of(rows_of(roofline, RowsBy::phase)) == std::vector<std::string>{"radix", "merge", "check"});
  CHECK(names_of(rows_of(roofline, RowsBy::level)) == std::vector<std::string>{"level 0", "level 1", "no level"});
  CHECK(roofline.build_ms() == Approx(2.751));
  CHECK(roofline.shortest_launch_ms() == 0.25);  // a step that launches nothing does not count
  CHECK(roofline.copy_ms(16'000'000) == Approx(2));
  CHECK_FALSE(Roofline().shortest_launch_ms());
  CHECK(Roofline().copy_ms(1) == 0);
}

TEST_CASE("roofline: the table ends with a copy of as many bytes") {
  CHECK(cli::roofline_table(planted(), RowsBy::step) ==
        "                         read MB  written MB     ms  launches  GB/s  of copy\n"
        "sort                           8           3      2         4   5.5   68.8 %\n"
        "on the GPU alone               0           0   0.25         1     -        -\n"
        "check                          0           0  0.001         0     -        -\n"
        "sum of the steps               8           3  2.251         5  4.89   61.1 %\n"
        "a copy of as many bytes      5.5         5.5  1.375         1     8  100.0 %\n");
}

TEST_CASE("roofline: a row of which only a part was counted is no number anywhere") {
  Roofline roofline = planted();
  roofline.counted[1].uncounted = 1;
  const auto rows = rows_of(roofline, RowsBy::phase);
  REQUIRE(names_of(rows) == std::vector<std::string>{"radix", "merge", "check"});
  CHECK(rows[0].original->counted());
  CHECK_FALSE(rows[1].original->counted());
  CHECK(rows[1].original->gigabytes_per_second() == 0);
  CHECK(share_of_copy(rows[1], roofline) == 0);
  CHECK(cli::roofline_table(roofline, RowsBy::phase) ==
        "                      read MB   written MB     ms  launches  GB/s  of copy\n"
        "radix                       6            2    1.5         3  5.33   66.7 %\n"
        "merge             not counted  not counted   0.75         2     -        -\n"
        "check                       0            0  0.001         0     -        -\n"
        "sum of the steps  not counted  not counted  2.251         5     -        -\n"
        "Bytes not counted: a sort by comparison reads coordinates each time that it compares, and how often that is "
        "depends on the device.\n");
  std::ostringstream out;
  JsonWriter json(out);
  json.begin_object();
  cli::write_roofline_rows(roofline, RowsBy::phase, json);
  json.end_object();
  const Json written = JsonReader::read(out.str());
  for (const char* member : {"bytes_read", "bytes_written", "gb_per_s", "share_of_copy"}) {
    CHECK(written["rows"].list[1][member].kind == Json::Kind::null);
    CHECK(written["rows"].list[0][member].kind == Json::Kind::number);
  }
}

TEST_CASE("roofline: the comparator sort is not counted, the radix sort is", "[slow]") {
  for (const char* sort : {"comparator", "radix"}) {
    RunRequest run = small_run;
    run.algorithm = "wald";
    run.parameters = {{"sort", sort}};
    const auto found = measure_roofline(run).value();
    for (const StepTime& step : found.counted)
      CHECK((step.uncounted > 0) == (sort == std::string("comparator") && contains(step.name, "sort")));
  }
}

TEST_CASE("roofline: the command prints a table, or JSON") {
  const std::vector<std::string> words{"roofline",  "--data", small_run.data, "--algorithm", "textbook",
                                       "--backend", "cpu",    "--by",         "level"};
  const CommandRun text = run(words);
  INFO(text.err);
  REQUIRE(text.code == 0);
  for (const char* part :
       {"textbook on uniform:n=2000", "of copy", "\nlevel 10 ", "\na copy of as many bytes ", "GB/s, read and written"})
    CHECK(contains(text.out, part));

  std::vector<std::string> json = words;
  json.back() = "step";
  json.push_back("--json");
  const CommandRun value = run(json);
  REQUIRE(value.code == 0);
  const Json roofline = JsonReader::read(value.out);
  CHECK(roofline["algorithm"].text == "textbook");
  CHECK(roofline["backend"].text == "cpu");
  CHECK(roofline["copy_gb_per_s"].number > 0);
  REQUIRE(roofline["rows"].list.size() == 3);
  const Json& start = roofline["rows"].list[0];
  CHECK(start["name"].text == "start");
  CHECK(start["bytes_read"].number == 0);
  CHECK(start["bytes_written"].number == 2 * 4 * n);
  CHECK(start["share_of_copy"].number > 0);
}

TEST_CASE("roofline: what cannot be measured is a sentence") {
  CHECK(contains(refusal({"roofline", "--data", "wald-10", "--by", "point"}, 2), "there are no rows by 'point'"));
  CHECK(contains(refusal({"roofline", "--data", "wald-10", "--algorithm", "texbook"}, 2), "did you mean textbook?"));
  RunRequest search = small_run;
  search.search = {{"query", "0.5,0.5"}};
  const auto refused = measure_roofline(search);
  REQUIRE_FALSE(refused);
  CHECK(contains(refused.error().message(), "the steps of a search are not timed"));
  std::stop_source stop;
  stop.request_stop();
  const auto stopped = measure_roofline(small_run, {stop.get_token(), {}});
  REQUIRE_FALSE(stopped);
  CHECK(stopped.error().kind == ErrorKind::cancelled);

  ::setenv("KDSCOPE_KIT", "/nowhere/kit.txt", 1);
  const std::string no_kit = refusal({"roofline", "--data", small_run.data, "--algorithm", "textbook"}, 2);
  ::unsetenv("KDSCOPE_KIT");
  INFO(no_kit);
  CHECK(contains(no_kit, "/nowhere/kit.txt"));
  CHECK(std::count(no_kit.begin(), no_kit.end(), '\n') == 1);
}

}  // namespace kdscope::roofline_test
