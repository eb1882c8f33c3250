// Tests experiment files through the command line: the CSV, kept results, comparisons, and refused options.

#include "algorithms/registry/build_provenance.hpp"
#include "app/experiments/experiment_file.hpp"
#include "app/measure/kept_file.hpp"
#include "tests/cli/command_runs.hpp"
#include "tests/support/cases.hpp"

using namespace kdscope;
using namespace kdscope::tests;

namespace {

/// A folder with a small experiment file.
struct Sweeps : Folder {
  const std::string sweep = file("my-sweep.yaml"), results = file("my-sweep.json");
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

EXPERIMENT_CASE("an experiment file prints the CSV of its sweep") {
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

EXPERIMENT_CASE("kept rows are compared with those of another commit") {
  const Sweeps sweeps;
  const CommandRun first =
      sweeps.run_with({"--keep", sweeps.results, "--compare", sweeps.results, "-o", sweeps.file("t.csv")});
  INFO(first.err);
  REQUIRE(first.code == 0);
  CHECK(contains(first.err, "Kept 4 rows in " + sweeps.results));
  CHECK(contains(first.out, "wald, sort=radix on uniform:n=50,dim=2: "));
  CHECK(contains(first.out, "; no result of this work on this device is kept\n"));
  CHECK(contains(content_of(sweeps.file("t.csv")), "sort=radix,50,"));
  auto kept = read_runs(sweeps.results).value();
  REQUIRE(kept.size() == 1);
  MeasuredRun planted = kept.front();
  CHECK(planted.commit.starts_with(build_provenance().commit));
  REQUIRE(planted.tables.size() == 1);
  std::vector<MeasuredRow>& rows = planted.tables.front().rows;
  REQUIRE(rows.size() == 4);
  CHECK(rows[0].what.title() == "wald, sort=radix on uniform:n=50,dim=2");
  CHECK(rows[0].distribution == "uniform:n={n},dim=2");
  CHECK(rows[0].n == 50);
  CHECK(rows[0].samples.values.size() == 3);
  CHECK(rows[0].samples.median() > 0);
  CHECK(rows[0].facts.hash != 0);

  // Plant results of another commit: much faster, much slower, of few builds, and none.
  planted.commit = "0123456789abcdef0123456789abcdef01234567";
  rows[0].samples.values.assign(3, 1e-3);
  rows[1].samples.values.assign(3, 1e6);
  rows[2].samples.values.resize(1);
  rows[2].facts.hash = 1;
  rows.pop_back();
  put(sweeps.results, json_of({planted}));
  const std::string before = content_of(sweeps.results);
  // On a busy machine, three builds of some microseconds may deviate by more than they take: then no verdict is right.
  const auto compared = [&] { return sweeps.run_with({"--compare", sweeps.results}); };
  CommandRun second = compared();
  for (int again = 0; again < 9 && !contains(second.out, "1 slower"); ++again) second = compared();
  INFO(second.out << second.err);
  REQUIRE(second.code == 4);  // a tree is another
  CHECK_FALSE(contains(second.out, "median_ms"));
  CHECK(contains(second.out, "slower: wald, sort=radix on uniform:n=50,dim=2: "));
  CHECK(contains(second.out, " times 0.001 ms of commit 0123456 (" + planted.date.substr(0, 10) + ")\n"));
  CHECK(contains(second.out, "faster: wald, sort=radix on uniform:n=100,dim=2: "));
  CHECK(contains(second.out, "other result: wald, sort=bitonic on uniform:n=50,dim=2 gives another tree than before"));
  CHECK(contains(second.out, "unknown: wald, sort=bitonic on uniform:n=50,dim=2: "));
  CHECK(contains(second.out, ", and a verdict needs three repetitions of each\n"));
  CHECK(contains(second.out, "wald, sort=bitonic on uniform:n=100,dim=2: "));
  CHECK(contains(second.out, "; no result of this work on this device is kept\n"));
  CHECK(contains(second.out, "\n1 faster, 1 slower, 1 unknown\n"));
  CHECK(content_of(sweeps.results) == before);

  rows[2].facts.hash = kept.front().tables.front().rows[2].facts.hash;
  put(sweeps.results, json_of({planted}));
  second = compared();
  for (int again = 0; again < 9 && !contains(second.out, "1 slower"); ++again) second = compared();
  CHECK(second.code == 6);
}

EXPERIMENT_CASE("the table that an earlier version kept is compared, copied and printed, and takes no more rows") {
  const Sweeps sweeps;
  REQUIRE(sweeps.run_with({"--keep", sweeps.results}).code == 0);
  const auto now = read_runs(sweeps.results).value();
  const MeasuredTable& table = now.front().tables.front();
  const std::string old = sweeps.file("my-sweep.results.csv");
  std::string text =
      "date,commit,device,backend,algorithm,data,parameters,processors,repeats,median_ms,min_ms,max_ms,mean_ms,sd_ms,"
      "tree_hash\n";
  for (const MeasuredRow& row : table.rows)
    text += "2026-05-01T00:00:00Z,0123456789,\"" + table.device + "\",cpu,wald,\"" + row.what.data +
            "\",sort=" + row.what.given.at("sort") + ",0,3,1000000,1000000,1000000,1000000,0,0x1\n";
  put(old, text);
  const CommandRun compared = sweeps.run_with({"--compare", old});
  INFO(compared.out << compared.err);
  CHECK(compared.code == 4);  // another tree
  CHECK(contains(compared.out, " times 1000.00 s of commit 0123456 (2026-05-01)\n"));
  CHECK(contains(compared.out, "\n4 faster\n"));
  const std::string refused = refusal({"experiment", sweeps.sweep, "--keep", old}, 3);
  CHECK(contains(refused, "this table of an earlier version takes no more results"));
  CHECK(content_of(old) == text);

  const std::string copy = sweeps.file("copy.json");
  const CommandRun copied = run({"bench", old, "--keep", copy});
  INFO(copied.err);
  REQUIRE(copied.code == 0);
  CHECK(contains(copied.out, "\nuniform:n={n},dim=2 "));
  CHECK(contains(copied.out, "\nwald, sort=bitonic "));
  CHECK(contains(copied.err, "Kept 4 rows in " + copy));
  CHECK(json_of(*read_runs(copy)) == json_of(*read_runs(old)));
  CHECK(contains(refusal({"bench", "--compare", copy}, 3), "its newest rows are those of an experiment file"));
}

EXPERIMENT_CASE("options that do not suit an experiment file are refused before anything is measured") {
  const Sweeps sweeps;
  const std::string text = content_of(sweeps.sweep);
  CHECK(contains(refusal({"experiment", sweeps.sweep, "--param", "sort=radix"}, 2), "under 'parameters' in the file"));
  CHECK(contains(refusal({"experiment", sweeps.sweep, "-o", sweeps.sweep}, 2), "which would be lost"));
  CHECK(contains(refusal({"experiment", sweeps.sweep, "--keep", sweeps.results, "-o", sweeps.results}, 2),
                 "which would be lost"));
  CHECK(contains(refusal({"experiment", sweeps.sweep, "--max-n", "10"}, 2), "--max-n cannot be '10'"));
  CHECK(contains(refusal({"experiment", sweeps.sweep, "--keep", sweeps.sweep}, 2), "which would be lost"));
  CHECK(contains(refusal({"experiment", sweeps.sweep, "--compare", sweeps.results}, 3), "there is no such file"));
  CHECK(contains(refusal({"experiment", "wald-table-1", "--keep", "t.json"}, 2), "--keep needs an experiment file"));
  CHECK(contains(refusal({"experiment", "wald-table-1", "--compare", "t.json"}, 2),
                 "--compare needs an experiment file"));
  CHECK(contains(refusal({"experiment", sweeps.file("no.yaml")}, 3), "no.yaml: there is no such file"));
  CHECK(contains(refusal({"experiment", "my-sweep"}, 2), "there is no experiment 'my-sweep'"));
  put(sweeps.results, "something else\n");
  CHECK(contains(refusal({"experiment", sweeps.sweep, "--keep", sweeps.results}, 3),
                 "my-sweep.json: this is no file of kept results; "));
  CHECK(content_of(sweeps.results) == "something else\n");
  put(sweeps.sweep, "title: T\nalgorithm: wald\n");
  CHECK(contains(refusal({"experiment", sweeps.sweep}, 3), "my-sweep.yaml:2: unknown key 'algorithm'"));
}

EXPERIMENT_CASE("a stopped run keeps the rows that it measured") {
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
  CHECK(cli::run_command_line({"experiment", sweeps.sweep, "--keep", sweeps.results}, console) == 5);
  CHECK(contains(err.str(), "cancelled"));
  const auto kept = read_runs(sweeps.results).value();
  REQUIRE(kept.size() == 1);
  CHECK(kept.front().tables.front().rows.size() == 1);
}
