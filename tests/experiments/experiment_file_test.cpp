// Tests experiment files: the rows that their lists make, and what is refused and where.

#include "app/experiments/experiment_file.hpp"

#include <set>
#include <sstream>

#include "app/experiments/sweep.hpp"
#include "tests/experiments/experiment_runs.hpp"
#include "tests/support/cases.hpp"
#include "tests/support/file_text.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace kdscope;
using namespace kdscope::test;

namespace {

const std::string head = "title: T\nalgorithms: wald\n";
const std::string sized = head + "data: uniform:n={n},dim=2\nn: 10\n";

Experiment parsed(const std::string& text) { return parse_experiment(text, "my-sweep.yaml").value(); }

std::string refusal(const std::string& text) {
  const auto experiment = parse_experiment(text, "my-sweep.yaml");
  INFO(text);
  REQUIRE_FALSE(experiment);
  CHECK(experiment.error().kind == ErrorKind::bad_input);
  CHECK_FALSE(experiment.error().remedy.empty());
  return experiment.error().message();
}

/// The facet, series and x of every row, one row per line.
std::string places(const ExperimentSpec& spec) {
  std::ostringstream out;
  for (const ExperimentRow& row : spec.rows) out << row.facet << "|" << row.series << "|" << row.x << "\n";
  return out.str();
}

}  // namespace

TEST_CASE("without yaml-cpp an experiment file is refused with what to install", "[alone]") {
  if (experiment_files_available()) KDSCOPE_SKIP("this build has yaml-cpp");
  CHECK(parse_experiment(sized, "e.yaml").error().message() ==
        "e.yaml: experiment files are off, because this build has no yaml-cpp; install libyaml-cpp-dev and configure "
        "again.");
}

EXPERIMENT_CASE("an experiment file makes a row of every combination") {
  const Experiment made = parsed(
      "title: Two sorts\nnotes: Why?\nalgorithms: [wald, hu]\ndata: ['uniform:n={n},dim={dim}', "
      "'equal:n={n},dim={dim}']\n"
      "n: [1K, 200]\ndim: [2, 3]\nparameters:\n  sort: [radix, bitonic]\n  leaf_size: 8\nprocessors: 1\nrepeats: 4\n");
  const ExperimentSpec& spec = made.spec;
  CHECK(spec.id == "my-sweep");
  CHECK(spec.title == "Two sorts");
  CHECK(spec.notes == "Why?");
  CHECK(spec.citation.empty());
  CHECK(spec.repeats == 4);
  CHECK(spec.facets == Texts{"uniform, dim=2", "uniform, dim=3", "equal, dim=2", "equal, dim=3"});
  CHECK(spec.series == Texts{"wald, sort=radix", "wald, sort=bitonic", "hu"});
  CHECK(spec.shown_parameters == Texts{"sort", "leaf_size"});
  REQUIRE(spec.rows.size() == 4 * 3 * 2);
  const ExperimentRow& row = spec.rows[3];
  CHECK(row.facet == "uniform, dim=2");
  CHECK(row.series == "wald, sort=bitonic");
  CHECK(row.x == 1000);
  CHECK(row.n == 1000);
  CHECK(row.specification() == "uniform:n=1000,dim=2");
  CHECK(row.facts.dim == 2);
  CHECK(row.what.processors == 1);
  CHECK(row.what.given == Parameters{{"sort", "bitonic"}});
  CHECK(spec.rows[5].what.given == Parameters{{"leaf_size", "8"}});
  CHECK(row.details == Texts{"wald", "uniform:n=1000,dim=2"});
  std::set<std::string> data;
  for (const ExperimentRow& each : spec.rows) data.insert(each.specification());
  CHECK(data.size() == 8);
}

EXPERIMENT_CASE("what is along x is not part of a series' name") {
  const Experiment leaves = parsed(
      "title: T\nalgorithms: hu\ndata: uniform:n={n},dim=2\nn: [100, 200]\nparameters: {leaf_size: [32, 8]}\n"
      "x: leaf_size\n");
  CHECK(places(leaves.spec) == "|n=100|8\n|n=100|32\n|n=200|8\n|n=200|32\n");
  CHECK(leaves.spec.shown_parameters.empty());
  CHECK(places(parsed(head + "data: uniform:n=50,dim={dim}\ndim: [3, 2]\nx: dim\n").spec) == "|wald|2\n|wald|3\n");
  CHECK(places(parsed(head + "data: wald-10\nprocessors: [2, 1]\nx: processors\n").spec) == "|wald|1\n|wald|2\n");
  // Data sets of different sizes stand along x; data sets of the same size in charts of their own.
  CHECK(places(parsed(head + "data: [wald-10, wald-6]\n").spec) == "|wald|6\n|wald|10\n");
  CHECK(places(parsed(head + "data: [wald-10, hu-10]\n").spec) == "wald-10|wald|10\nhu-10|wald|10\n");
  CHECK(places(parsed(head + "data: [\"uniform:n={n},seed=1\", \"uniform:n={n},seed=2\"]\nn: 5\n").spec) ==
        "uniform:n={n},seed=1|wald|5\nuniform:n={n},seed=2|wald|5\n");
  // More than four charts would be too narrow.
  CHECK(places(parsed(head + "data: uniform:n={n},dim={dim}\nn: 9\ndim: [1, 2, 3, 4, 5]\n").spec)
            .starts_with("|uniform, dim=1|9\n|uniform, dim=2|9\n"));
  CHECK(places(parsed("title: T\nalgorithms: zhou-sah\ndata: [zhou-8, zhou-4]\n").spec) ==
        "|zhou-sah|4\n|zhou-sah|8\n");
}

EXPERIMENT_CASE("large data sets are checked without making them") {
  const Experiment made = parsed(head + "data: uniform:n={n},dim=5\nn: [1K, 2000M]\n");
  CHECK(made.spec.rows[1].n == 2'000'000'000);
  CHECK(made.spec.rows[1].facts.dim == 5);
  CHECK(refusal(head + "data: uniform:n={n},dmi=5\nn: 2000M\n") ==
        "my-sweep.yaml:3: uniform: there is no parameter \"dmi\"; did you mean dim?");
}

EXPERIMENT_CASE("data files start at the experiment file") {
  const TemporaryFolder folder;
  put(folder.file("cloud.csv"), "0,1\n2,3\n4,5\n");
  put(folder.file("e.yaml"), head + "data: cloud.csv\n");
  const auto made = read_experiment(folder.file("e.yaml")).value();
  REQUIRE(made.spec.rows.size() == 1);
  CHECK(made.spec.rows[0].n == 3);
  CHECK(made.spec.rows[0].facts.dim == 2);
  CHECK(made.spec.rows[0].specification() == folder.file("cloud.csv"));
  CHECK(made.spec.rows[0].details[1] == "cloud.csv");
}

EXPERIMENT_CASE("a bad experiment file is refused with its line and what to do") {
  const struct {
    std::string text;
    int line;
    const char* message;
  } cases[] = {
      {"", 1, "not valid YAML"},
      {std::string("\0\1\2\xff", 4), 1, "; app/experiments/README.md has examples."},
      {"hello", 1, "must be a mapping"},
      {"- a\n- b\n", 1, "must be a mapping"},
      {head + "data: [\n", 4, "not valid YAML"},
      {"title: &a T\nalgorithms: *a\ndata: wald-10\n", 1, "anchors (&) and aliases (*) are not read"},
      {head, 1, "has no 'data'"},
      {"title: T\nalgorithm: wald\ndata: wald-10\n", 2,
       "unknown key 'algorithm' in the experiment file; did you mean algorithms?"},
      {head + "data: wald-10\ncolour: red\n", 4, "unknown key 'colour' in the experiment file; known are algorithms, "},
      {head + "data: wald-10\ntitle: U\n", 4, "'title' is given twice"},
      {"title: ''\nalgorithms: wald\ndata: wald-10\n", 1, "'title' must be a text that is not empty"},
      {"title: T\nalgorithms: []\ndata: wald-10\n", 2, "'algorithms' is an empty list; write at least one value"},
      {"title: T\nalgorithms:\n  - wald\n  - wlad\ndata: wald-10\n", 4, "no algorithm 'wlad'; did you mean wald?"},
      {"title: T\nalgorithms: [hu, hu]\ndata: wald-10\n", 2, "is 'hu' for the second time; write each value once"},
      {"title: T\nalgorithms: {a: b}\ndata: wald-10\n", 2, "must be a text"},
      {head + "data: wald-11\n", 3, "wald-11: there is no data set and no file of this name; try wald-10 or wald-6."},
      {head + "data: cloud.ply\n", 3, "there is no such file"},
      {head + "data: triangles:kind=none\n", 3, "it has no points"},
      {"title: T\nalgorithms: zhou-sah\ndata: wald-10\n", 3, "it has no triangles"},
      {head + "data: wald-10\nn: 5\n", 3, "'wald-10' has no {n}, but there is a list 'n'"},
      {head + "data: uniform:n={n}\n", 3, "has {n}, but there is no list 'n'; add a line such as 'n: [1K, 10K]'."},
      {head + "data: uniform:n=5\ndim: 2\n", 3, "has no {dim}, but there is a list 'dim'"},
      {head + "data: uniform:n={n}\nn: []\n", 4, "'n' is an empty list"},
      {head + "data: uniform:n={n}\nn: [1K, 1000]\n", 4, "is '1000' for the second time"},
      {head + "data: uniform:n={n}\nn: 10X\n", 4, "'n' cannot be '10X'; write a whole number from 1 to 2147483647"},
      {head + "data: uniform:n={n}\nn: [-5]\n", 4, "cannot be '-5'"},
      {head + "data: uniform:n={n}\nn: 3G\n", 4, "cannot be '3G'"},
      {sized + "parameters: {}\n", 5, "'parameters' is empty"},
      {sized + "parameters: {sort: []}\n", 5, "'sort' is an empty list"},
      {sized + "parameters: {srot: radix}\n", 5, "wald has no parameter 'srot'; did you mean sort?"},
      {sized + "parameters:\n  sort:\n    - radix\n    - bubble\n", 8,
       "wald refuses a value: sort cannot be 'bubble'; choose radix, comparator or bitonic."},
      {"title: T\nalgorithms: [wald, hu]\ndata: wald-10\nparameters: {colour: red}\n", 4,
       "none of the algorithms has a parameter 'colour'; choose from "},
      {sized + "backend: gpu\n", 5, "there is no back end 'gpu'; write auto, cpu or cuda."},
      {sized + "repeats: 0\n", 5, "'repeats' cannot be '0'"},
      {sized + "processors: many\n", 5, "'processors' cannot be 'many'"},
      {sized + "x: leaf_size\n", 5, "the file lists no values of it; choose from n."},
      {sized + "parameters: {sort: [radix, bitonic]}\nx: sort\n", 6, "not all of its values are numbers"},
      {"title: T\nalgorithms: [wald, hu]\ndata: wald-10\nparameters: {leaf_size: [8, 16]}\nx: leaf_size\n", 5,
       "not all algorithms have it"},
  };
  for (const auto& [text, line, message] : cases) {
    const std::string refused = refusal(text);
    INFO(refused);
    CHECK(refused.starts_with("my-sweep.yaml:" + std::to_string(line) + ": "));
    CHECK(refused.find(message) != std::string::npos);
  }
}

EXPERIMENT_CASE("an experiment file that is absent, no file, too large or too long is refused") {
  const TemporaryFolder folder;
  CHECK(read_experiment(folder.file("no.yaml")).error().what == "there is no such file");
  CHECK(read_experiment(folder.path.string()).error().what == "this is no ordinary file");
  put(folder.file("large.yaml"), std::string((1 << 20) + 1, '#'));
  CHECK(read_experiment(folder.file("large.yaml")).error().what == "a file of 1048577 bytes is no experiment file");
  std::string sizes;
  for (int n = 1; n <= 300; ++n) sizes += (n > 1 ? "," : "") + std::to_string(n);
  CHECK(refusal(head + "data: uniform:n={n},dim={dim}\ndim: [1, 2, 3, 4]\nn: [" + sizes + "]\n")
            .find("the lists make 1200 rows, and at most 1000 are measured; shorten the lists") != std::string::npos);
  Sweep sweep;
  sweep.algorithms = {"wald"};
  sweep.data.resize(1 << 20);
  sweep.sizes.resize(1 << 20);
  sweep.dims.resize(1 << 20);
  sweep.processors.resize(1 << 20);
  CHECK(row_count(sweep) == std::uint64_t(1) << 63);
}

EXPERIMENT_CASE("a sweep is measured like a built-in experiment, and what a builder refuses is a reason") {
  const Experiment made =
      parsed("title: T\nalgorithms: [wald, hu]\ndata: uniform:n={n},dim={dim}\nn: [20, 40]\ndim: [2, 9]\nrepeats: 3\n");
  std::vector<ExperimentRow> rows;
  ExperimentOptions options;
  options.backend = Backend::cpu;
  const auto sink = [&](std::size_t, const ExperimentRow& row) { rows.push_back(row); };
  REQUIRE(run_experiment(made, options, sink));
  REQUIRE(rows.size() == 8);
  for (const ExperimentRow& row : rows) {
    INFO(row.facet << " " << row.series);
    const bool refused = row.what.subject == "wald" && row.facts.dim == 9;
    CHECK(row.measured() == !refused);
    CHECK(row.reason == (refused ? "wald builds points of 1 to 8 dimensions, these have 9" : ""));
    if (row.measured()) CHECK(row.samples.count() == 3);
  }
  rows.clear();
  options.repeat = 2;
  options.max_n = 20;
  REQUIRE(run_experiment(made, options, sink));
  REQUIRE(rows.size() == 4);
  CHECK(rows[0].samples.count() == 2);
  std::ostringstream header;
  write_csv_header(header, made.spec);
  CHECK(header.str() ==
        "data,series,n,backend,device,repeats,median_ms,min_ms,max_ms,mean_ms,sd_ms,tree_hash,algorithm,"
        "specification\n");
}
