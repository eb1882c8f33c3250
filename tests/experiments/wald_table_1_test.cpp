// Compares the numbers of Wald 2023, Table 1, with the table as printed, and tests the results of measuring the same
// rows.

#include <algorithm>
#include <charconv>
#include <sstream>

#include "tests/experiments/experiment_runs.hpp"

using namespace kdscope;
using namespace kdscope::test;

namespace {

const Experiment& table_1() { return experiment_named("wald-table-1"); }

struct Heard {
  std::vector<std::size_t> places;
  std::vector<ExperimentRow> rows;
  RowSink sink() {
    return [this](std::size_t index, const ExperimentRow& row) {
      places.push_back(index);
      rows.push_back(row);
    };
  }
};

/// Returns the milliseconds of a cell in the paper's notation: "1.89s", "54.4ms", "< 1ms"; nothing for "(oom)".
std::optional<double> milliseconds(std::string cell) {
  if (cell == "(oom)") return std::nullopt;
  if (cell.starts_with("< ")) cell.erase(0, 2);
  double value = 0;
  const auto end = std::from_chars(cell.data(), cell.data() + cell.size(), value).ptr;
  return std::string(end) == "s" ? 1000 * value : value;
}

}  // namespace

TEST_CASE("the printed numbers are the paper's") {
  const char* const paper[2][3][7] = {{{"< 1ms", "0.6ms", "1.4ms", "12.8ms", "165ms", "1.89s", "24.7s"},
                                       {"< 1ms", "0.6ms", "1.2ms", "11.9ms", "124ms", "1.37s", "17.7s"},
                                       {"< 1ms", "0.6ms", "1.2ms", "11.0ms", "106ms", "1.07s", "16.8s"}},
                                      {{"< 1ms", "0.9ms", "6.0ms", "54.4ms", "783ms", "10.3s", "(oom)"},
                                       {"< 1ms", "0.9ms", "5.6ms", "49.7ms", "536ms", "6.5s", "(oom)"},
                                       {"< 1ms", "0.9ms", "5.6ms", "44.4ms", "424ms", "5.3s", "(oom)"}}};
  const ExperimentSpec& spec = table_1().spec;
  REQUIRE(spec.series == std::vector<std::string>{"int1", "float4"});
  REQUIRE(spec.printed.size() == 3);
  REQUIRE(spec.rows.size() == 14);
  for (std::size_t series = 0; series < 2; ++series) {
    std::uint64_t n = 1000;
    for (std::size_t column = 0; column < 7; ++column, n *= 10) {
      const ExperimentRow& row = spec.rows[7 * series + column];
      REQUIRE(row.series == spec.series[series]);
      REQUIRE(row.n == n);
      REQUIRE(row.x == static_cast<double>(n));
      REQUIRE_FALSE(row.measured());
      for (std::size_t hardware = 0; hardware < 3; ++hardware) {
        INFO(row.series << " " << n << " " << spec.printed[hardware].title);
        const std::string cell = paper[series][hardware][column];
        const auto expected = milliseconds(cell);
        const PrintedValue& printed = row.printed[hardware];
        REQUIRE(printed.value.has_value() == expected.has_value());
        if (expected) REQUIRE(*printed.value == Approx(*expected).epsilon(1e-12));
        REQUIRE(printed.upper_bound == cell.starts_with("<"));
        if (!expected) REQUIRE(printed.text == "oom");
      }
    }
  }
}

TEST_CASE("printed text is a number, a bound or neither") {
  CHECK(printed_value("12.8").value == 12.8);
  CHECK_FALSE(printed_value("12.8").upper_bound);
  CHECK(printed_value("<1").value == 1.0);
  CHECK(printed_value("<1").upper_bound);
  CHECK_FALSE(printed_value("oom").value);
  CHECK_FALSE(printed_value("").value);
  CHECK_FALSE(printed_value("12 or so").value);
}

TEST_CASE("rows come one by one, measured, up to the limit") {
  Heard heard;
  std::vector<double> fractions;
  RunControl control;
  control.progress = [&](double fraction, std::string_view) { fractions.push_back(fraction); };
  REQUIRE(run_experiment(table_1(), small_on_cpu(10'000), heard.sink(), control));
  REQUIRE(heard.places == std::vector<std::size_t>{0, 1, 7, 8});
  for (const ExperimentRow& row : heard.rows) {
    INFO(row.series << " " << row.n);
    CHECK(row.measured());
    CHECK(row.reason.empty());
    CHECK(row.samples.least() > 0);
    CHECK(row.samples.least() <= row.samples.median());
    CHECK(row.samples.median() <= row.samples.most());
    CHECK(row.samples.count() == 2);
    CHECK(row.facts.hash != 0);
    CHECK(row.device.backend == Backend::cpu);
    CHECK_FALSE(row.device.name.empty());
    CHECK(row.facts.parameters.at("sort") == "radix");
  }
  REQUIRE_FALSE(fractions.empty());
  CHECK(std::is_sorted(fractions.begin(), fractions.end()));
  CHECK(fractions.front() >= 0);
  CHECK(fractions.back() <= 1);
}

TEST_CASE("every sort builds the same trees") {
  std::vector<std::uint64_t> hashes;
  for (const Choice& choice : table_1().spec.parameters.at(0).choices) {
    ExperimentOptions options = small_on_cpu(1000);
    options.repeat = 1;
    options.parameters["sort"] = choice.value;
    Heard heard;
    REQUIRE(run_experiment(table_1(), options, heard.sink()));
    REQUIRE(heard.rows.size() == 2);
    CHECK(heard.rows[0].facts.parameters.at("sort") == choice.value);
    hashes.push_back(heard.rows[0].facts.hash);
    CHECK(hashes.back() == hashes.front());
    CHECK(heard.rows[0].facts.hash != heard.rows[1].facts.hash);
  }
  CHECK(hashes.size() == 3);
}

TEST_CASE("what memory does not hold is a row that says oom, and the others are measured") {
  ExperimentOptions options = small_on_cpu(100'000);
  options.host_memory = 2'000'000;
  Heard heard;
  REQUIRE(run_experiment(table_1(), options, heard.sink()));
  REQUIRE(heard.rows.size() == 6);
  for (const ExperimentRow& row : heard.rows) {
    INFO(row.series << " " << row.n);
    CHECK(row.measured() == (row.n < 100'000));
    CHECK(row.reason == (row.n < 100'000 ? "" : "oom"));
  }
  std::ostringstream csv;
  write_csv_row(csv, table_1().spec, heard.rows.back());
  CHECK(csv.str() == "float4,100000,radix,cpu,,0,oom,oom,oom,oom,oom,,6.0,5.6,5.6\n");
}

TEST_CASE("a stop ends the experiment between rows and within one") {
  std::stop_source source;
  RunControl control;
  control.stop = source.get_token();
  Heard heard;
  auto sink = [&](std::size_t index, const ExperimentRow& row) {
    heard.sink()(index, row);
    source.request_stop();
  };
  const auto between = run_experiment(table_1(), small_on_cpu(10'000), sink, control);
  REQUIRE_FALSE(between);
  CHECK(between.error().kind == ErrorKind::cancelled);
  CHECK(heard.rows.size() == 1);

  std::stop_source within;
  control.stop = within.get_token();
  control.progress = [&](double fraction, std::string_view) {
    if (fraction > 0) within.request_stop();
  };
  heard = {};
  const auto stopped = run_experiment(table_1(), small_on_cpu(1000), heard.sink(), control);
  REQUIRE_FALSE(stopped);
  CHECK(stopped.error().kind == ErrorKind::cancelled);
  CHECK(heard.rows.empty());
}

TEST_CASE("options that cannot be run are refused before anything is measured") {
  Heard heard;
  const auto refused = [&](const ExperimentOptions& options) {
    const auto result = run_experiment(table_1(), options, heard.sink());
    REQUIRE_FALSE(result);
    REQUIRE(heard.rows.empty());
    return result.error();
  };
  CHECK(refused(small_on_cpu(999)).kind == ErrorKind::bad_usage);
  ExperimentOptions options = small_on_cpu(1000);
  options.parameters["sort"] = "bubble";
  CHECK(refused(options).kind == ErrorKind::bad_usage);
  options.parameters = {{"colour", "red"}};
  CHECK(refused(options).kind == ErrorKind::bad_usage);
}

TEST_CASE("the CUDA back end is refused where there is no device", "[alone]") {
  if (find_devices().cuda_status.empty()) KDSCOPE_SKIP("this machine has a CUDA device");
  Heard heard;
  ExperimentOptions options = small_on_cpu(1000);
  options.backend = Backend::cuda;
  const auto refused = run_experiment(table_1(), options, heard.sink());
  REQUIRE_FALSE(refused);
  CHECK(refused.error().kind == ErrorKind::no_device);
  CHECK(heard.rows.empty());
}

TEST_CASE("CSV has a column for every value of a row") {
  std::ostringstream header;
  write_csv_header(header, table_1().spec);
  CHECK(header.str() ==
        "data,n,sort,backend,device,repeats,median_ms,min_ms,max_ms,mean_ms,sd_ms,tree_hash,paper_rtx_8000_ms,"
        "paper_a6000_ms,paper_rtx_3090ti_ms\n");
  ExperimentRow row = table_1().spec.rows[6];
  row.facts.parameters["sort"] = "bitonic";
  row.samples.summary = {3, 1.5, 1.25, 2, 1.0 / 3, 0.25};
  row.facts.hash = 0xabc;
  row.device.backend = Backend::cuda;
  row.device.name = "the \"big\", one";
  std::ostringstream csv;
  write_csv_row(csv, table_1().spec, row);
  CHECK(csv.str() ==
        "int1,1000000000,bitonic,cuda,\"the \"\"big\"\", "
        "one\",3,1.5,1.25,2,0.3333333333333333,0.25,0x0000000000000abc,24700,17700,16800\n");
}

TEST_CASE("experiments have ids of their own, and rows that fit their description") {
  std::vector<std::string> ids;
  for (const Experiment& e : experiments()) {
    INFO(e.spec.id);
    ids.push_back(e.spec.id);
    REQUIRE(e.measure != nullptr);
    REQUIRE_FALSE(e.spec.rows.empty());
    for (const ExperimentRow& row : e.spec.rows) {
      CHECK(std::count(e.spec.series.begin(), e.spec.series.end(), row.series) == 1);
      CHECK(row.printed.size() == e.spec.printed.size());
    }
  }
  CHECK(std::is_sorted(ids.begin(), ids.end()));
  CHECK(std::adjacent_find(ids.begin(), ids.end()) == ids.end());
  CHECK(find_experiment("no-such") == nullptr);
}
