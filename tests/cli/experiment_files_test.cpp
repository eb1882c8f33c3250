// Tests experiment files through the command line: the CSV, kept results, comparisons, and refused options.

#include "algorithms/registry/build_provenance.hpp"
#include "app/experiments/experiment_file.hpp"
#include "app/experiments/kept_results.hpp"
#include "tests/cli/command_runs.hpp"

using namespace kdscope;
using namespace kdscope::tests;

namespace {

/// A folder with a small experiment file.
struct Sweeps : Folder {
  const std::string sweep = file("my-sweep.yaml"), results = file("my-sweep.results.csv");
  Sweeps() {
    put(sweep,
        "title: Sorts\nalgorithms: wald\ndata: uniform:n={n},dim=2\nn: [50, 100]\nparameters: {sort: [radix, "
        "bitonic]}\n"
        "backend: cpu\nrepeats: 3\n");
  }
  CommandRun run_with(std::vector<std::string> words) const {
    words.insert(words.begin(), {"experiment", sweep});
    return run(words);
  }
};

}  // namespace

TEST_CASE("an experiment file prints the CSV of its sweep") {
  if (!experiment_files_available()) KDSCOPE_SKIP("this build has no yaml-cpp");
  const Sweeps sweeps;
  const CommandRun all = sweeps.run_with({});
  INFO(all.err);
  REQUIRE(all.code == 0);
  CHECK(
      all.out.starts_with("series,n,sort,backend,device,repeats,median_ms,min_ms,max_ms,mean_ms,sd_ms,tree_hash,"
                          "algorithm,specification\nsort=radix,50,radix,cpu,"));
  CHECK(contains(all.out, "\nsort=bitonic,100,bitonic,cpu,"));
  CHECK(contains(all.out, ",wald,\"uniform:n=100,dim=2\"\n"));
  CHECK(std::count(all.out.begin(), all.out.end(), '\n') == 5);
  CHECK(sweeps.names() == std::vector<std::string>{"my-sweep.yaml"});

  const CommandRun some = sweeps.run_with({"--max-n", "50", "--repeat", "1", "-o", sweeps.file("t.csv")});
  REQUIRE(some.code == 0);
  CHECK(some.out.empty());
  const std::string csv = content_of(sweeps.file("t.csv"));
  CHECK(std::count(csv.begin(), csv.end(), '\n') == 3);
  CHECK(contains(csv, ",1,"));
}

TEST_CASE("kept rows are compared with those of another commit") {
  if (!experiment_files_available()) KDSCOPE_SKIP("this build has no yaml-cpp");
  const Sweeps sweeps;
  const CommandRun first = sweeps.run_with({"--keep", "--compare", "-o", sweeps.file("t.csv")});
  INFO(first.err);
  REQUIRE(first.code == 0);
  CHECK(contains(first.err, "Kept 4 rows in " + sweeps.results));
  CHECK(contains(first.out, "sort=radix, n=50: "));
  CHECK(contains(first.out, "no other commit has a kept result on this device"));
  CHECK(contains(content_of(sweeps.file("t.csv")), "sort=radix,50,"));
  auto kept = read_results(sweeps.results);
  REQUIRE(kept);
  REQUIRE(kept->size() == 4);
  const KeptResult& row = kept->front();
  CHECK(row.commit.starts_with(build_provenance().commit));
  CHECK(row.commit == kept_commit());
  CHECK(row.algorithm == "wald");
  CHECK(row.data == "uniform:n=50,dim=2");
  CHECK(row.parameters == "sort=radix");
  CHECK(row.repeats == 3);
  CHECK(row.median > 0);
  CHECK(row.tree_hash != 0);

  // Plant results of another commit: much faster, much slower, of few builds, and none.
  std::vector<KeptResult> planted(kept->begin(), kept->end());
  for (KeptResult& each : planted) {
    each.commit = "0123456789abcdef0123456789abcdef01234567";
    each.deviation = 0;
  }
  planted[0].median = 1e-3;
  planted[1].median = 1e6;
  planted[2].repeats = 1;
  planted[2].tree_hash = 1;
  planted.pop_back();
  std::filesystem::remove(sweeps.results);
  REQUIRE(append_results(sweeps.results, planted));
  const std::string before = content_of(sweeps.results);
  // On a busy machine, three builds of some microseconds may deviate by more than they take: then no verdict is right.
  CommandRun second = sweeps.run_with({"--compare"});
  for (int again = 0; again < 9 && !contains(second.out, "1 slower"); ++again) second = sweeps.run_with({"--compare"});
  INFO(second.out << second.err);
  REQUIRE(second.code == 0);
  CHECK_FALSE(contains(second.out, "median_ms"));
  CHECK(contains(second.out, "times 0.001 ms of commit 0123456 (" + planted[0].date.substr(0, 10) + "): slower\n"));
  CHECK(contains(second.out, "): faster\n"));
  CHECK(contains(second.out, "): unknown, because a verdict needs three builds of each; the trees differ\n"));
  CHECK(contains(second.out, "no other commit has a kept result on this device\n"));
  CHECK(contains(second.out, "\n1 faster, 1 slower, 1 unknown\n"));
  CHECK(content_of(sweeps.results) == before);
}

TEST_CASE("options that do not suit an experiment file are refused before anything is measured") {
  if (!experiment_files_available()) KDSCOPE_SKIP("this build has no yaml-cpp");
  const Sweeps sweeps;
  const std::string text = content_of(sweeps.sweep);
  CHECK(contains(refusal({"experiment", sweeps.sweep, "--param", "sort=radix"}, 2), "under 'parameters' in the file"));
  CHECK(contains(refusal({"experiment", sweeps.sweep, "-o", sweeps.sweep}, 2), "which would be lost"));
  CHECK(contains(refusal({"experiment", sweeps.sweep, "-o", sweeps.results}, 2), "which would be lost"));
  CHECK(contains(refusal({"experiment", sweeps.sweep, "--max-n", "10"}, 2), "--max-n cannot be '10'"));
  CHECK(contains(refusal({"experiment", "wald-table-1", "--keep"}, 2), "--keep needs an experiment file"));
  CHECK(contains(refusal({"experiment", "wald-table-1", "--compare"}, 2), "--compare needs an experiment file"));
  CHECK(contains(refusal({"experiment", sweeps.file("no.yaml")}, 3), "no.yaml: there is no such file"));
  CHECK(contains(refusal({"experiment", "my-sweep"}, 2), "there is no experiment 'my-sweep'"));
  put(sweeps.results, "something else\n");
  CHECK(contains(refusal({"experiment", sweeps.sweep, "--keep"}, 3),
                 "my-sweep.results.csv:1: this is no results file of an experiment; move it away."));
  CHECK(content_of(sweeps.results) == "something else\n");
  put(sweeps.sweep, "title: T\nalgorithm: wald\n");
  CHECK(contains(refusal({"experiment", sweeps.sweep}, 3), "my-sweep.yaml:2: unknown key 'algorithm'"));
}

TEST_CASE("a stopped run keeps the rows that it measured") {
  if (!experiment_files_available()) KDSCOPE_SKIP("this build has no yaml-cpp");
  const Sweeps sweeps;
  std::stop_source stop;
  // The first line that is printed stops the run.
  struct StoppingBuffer : std::stringbuf {
    std::stop_source& stop;
    explicit StoppingBuffer(std::stop_source& source) : stop(source) {}
    int sync() override { return stop.request_stop(), 0; }
  } buffer(stop);
  std::ostream out(&buffer);
  std::ostringstream err;
  cli::Console console{out, err, stop.get_token()};
  CHECK(cli::run_command_line({"experiment", sweeps.sweep, "--keep"}, console) == 5);
  CHECK(contains(err.str(), "cancelled"));
  const auto kept = read_results(sweeps.results);
  REQUIRE(kept);
  CHECK(kept->size() == 1);
}
