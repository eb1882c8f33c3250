// Tests bench through the command line: rows, files, reasons of rows that are left out, and comparisons with earlier
// files.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <sstream>
#include <thread>

#include "app/bench/bench_run.hpp"
#include "app/bench/peer_programs.hpp"
#include "app/bench/second_look.hpp"
#include "app/cli/bench_tables.hpp"
#include "app/measure/comparison.hpp"
#include "app/measure/kept_file.hpp"
#include "app/measure/sampling.hpp"
#include "tests/cli/command_runs.hpp"

namespace kdscope::bench_test {
using namespace kdscope::tests;

namespace {

/// A small bench on the CPU, without other libraries.
std::vector<std::string> small_bench(std::vector<std::string> more) {
  std::vector<std::string> words{"bench", "--backend", "cpu", "--beside", "none", "--repeat", "3"};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

CommandRun run_small(std::vector<std::string> more) {
  const CommandRun done = run(small_bench(std::move(more)));
  INFO(done.err);
  REQUIRE(done.code == 0);
  return done;
}

MeasuredRun results_in(const std::string& file) {
  auto runs = read_runs(file).value();
  return newest(runs);
}

std::string json_of(const MeasuredRun& run) { return kdscope::json_of({run}); }

/// One file that the comparisons start from, measured once.
const std::string& measured_json() {
  static const std::string text = [] {
    const Folder folder;
    run_small({"--algorithm", "wald", "--algorithm", "hu", "--n", "300", "--search", "stack", "--k", "4", "--keep",
               folder.file("t.json")});
    return content_of(folder.file("t.json"));
  }();
  return text;
}

MeasuredRun measured() { return runs_from(measured_json(), "t.json")->front(); }

/// Gives all rows the same times, without noise.
void plant(MeasuredRun& results, double ms) {
  for (MeasuredTable& table : results.tables)
    for (MeasuredRow& row : table.rows) row.samples.values.assign(3, ms);
}

/// What remains of a text without its first occurrence of `part`, which must be there.
std::string without(std::string text, const std::string& part) {
  REQUIRE(contains(text, part));
  return text.erase(text.find(part), part.size());
}

}  // namespace

TEST_CASE("a bench prints one table per distribution and writes every single time") {
  const Folder folder;
  const CommandRun done = run_small({"--algorithm", "wald:sort=bitonic", "--algorithm", "hu", "--n", "100,200",
                                     "--data", "uniform:dim=2", "--data", "grid", "--search", "usual", "--k", "1,8",
                                     "--keep", folder.file("t.json"), "--csv", folder.file("t.csv")});
  CHECK(contains(done.out, "GB/s, read and written\n\nuniform:dim=2 "));
  CHECK(contains(done.out, "\nwald, sort=bitonic, stack-free, k=8 "));
  CHECK_FALSE(contains(done.out, "left out"));
  CHECK_FALSE(contains(done.out, "other distances"));

  const MeasuredRun results = results_in(folder.file("t.json"));
  REQUIRE(results.tables.size() == 1);
  const MeasuredTable& table = results.tables.front();
  CHECK(table.backend == Backend::cpu);
  CHECK(table.copy_gigabytes > 0);
  REQUIRE(table.rows.size() == 2 * 2 * 2 * 3);  // data, sizes, builders, and a build with two searches
  for (const MeasuredRow& row : table.rows) {
    CHECK(row.samples.count() == 3);
    CHECK(row.samples.median() > 0);
    CHECK(row.facts.hash != 0);
    CHECK(row.facts.peak_bytes > 0);
    CHECK(row.facts.launches.has_value() == (row.what.kind == WorkKind::build));
    CHECK(row.facts.processors == table.processors);
  }
  const MeasuredRow& first = table.rows.front();
  CHECK(first.what.data == "uniform:n=100,dim=2");
  CHECK(first.what.given == Parameters{{"sort", "bitonic"}});
  CHECK(first.facts.parameters.at("split") == "round-robin");
  CHECK(first.facts.compulsory_bytes == 100 * (2 * 8 + 4));
  CHECK(first.ns_per_point() == Approx(first.samples.median() * 1e4));
  CHECK(table.rows[2].what.k == 8);
  CHECK(table.rows[2].facts.compulsory_bytes == 100 * (2 * 8 + 4 + 8 * 8));

  // Both searches of the same points find the same.
  CHECK(table.rows[2].facts.hash == table.rows[5].facts.hash);
  CHECK(table.rows[1].facts.hash != table.rows[2].facts.hash);

  const std::string csv = content_of(folder.file("t.csv"));
  CHECK(csv.starts_with("backend,device,work,subject,"));
  CHECK(std::count(csv.begin(), csv.end(), '\n') == 25);
  CHECK(contains(csv, ",search,hu,,,best-bin-first,queue=0 when_full=give-up-farthest,8,given,"));

  // The file is JSON for other programs too, and reads back as it was written.
  const std::string text = content_of(folder.file("t.json"));
  CHECK(JsonReader::read(text)["runs"].list[0]["tables"].list[0]["rows"].list.size() == 24);
  CHECK(json_of(results) == text);
  const CommandRun again = run({"bench", folder.file("t.json"), "--csv", folder.file("u.csv")});
  CHECK(again.code == 0);
  CHECK(again.out == done.out);
  CHECK(content_of(folder.file("u.csv")) == csv);
}

TEST_CASE("a table whose times scatter says that the machine is busy") {
  MeasuredTable table{Backend::cpu, "a processor"};
  for (const std::vector<double>& ms : {std::vector<double>{10, 11, 10.5}, {10, 20, 9, 21}, {1, 3}}) {
    MeasuredRow row;
    row.what.subject = "wald", row.distribution = row.what.data = "uniform:n=10,dim=2", row.n = 10,
    row.samples.values = ms;
    table.rows.push_back(row);
  }
  std::ostringstream out;
  cli::print_table(table, out);
  INFO(out.str());
  CHECK(
      out.str().find("this machine is busy: in 1 of 2 rows the range of the times is over 50 % of the median, 80 % for "
                     "wald on uniform:n=10,dim=2") != std::string::npos);
  table.rows.erase(table.rows.begin() + 1);
  std::ostringstream quiet;
  cli::print_table(table, quiet);
  CHECK(quiet.str().find("busy") == std::string::npos);
}

TEST_CASE("data without a size are measured once, and {n} is replaced") {
  const Folder folder;
  run_small({"--algorithm", "zhou-sah", "--algorithm", "wald", "--data", "zhou-4", "--data", "triangles:n={n}", "--n",
             "50,60", "--keep", folder.file("t.json")});
  const MeasuredTable table = results_in(folder.file("t.json")).tables.front();
  REQUIRE(table.rows.size() == 6);
  CHECK(table.rows[0].n == 4);
  CHECK(table.rows[1].n == 12);  // its vertices
  CHECK(table.rows[2].what.data == "triangles:n=50");
  CHECK(table.rows[2].n == 50);
  CHECK(table.rows[3].n == 150);
  CHECK(table.rows[2].facts.compulsory_bytes == 150 * 12 + 150 * 4 + 50 * 4);
}

TEST_CASE("what cannot be measured is left out with its reason") {
  const Folder folder;
  const CommandRun done = run_small({"--algorithm", "wald", "--algorithm", "zhou-vvh", "--data", "uniform:dim=5", "--n",
                                     "100,2G", "--search", "stack", "--k", "8,101", "--keep", folder.file("t.json")});
  CHECK(contains(done.out,
                 "left out on uniform:n=100,dim=5, wald, stack, k=101: k is 101, and the tree has only 100 "
                 "points; give at most as many\n"));
  CHECK(contains(done.out, "zhou-vvh: zhou-vvh builds points of 1 to 3 dimensions, these have 5; choose other data"));
  CHECK(contains(done.out, "left out on uniform:n=2000000000,dim=5, every row: it needs about "));
  const MeasuredTable table = results_in(folder.file("t.json")).tables.front();
  CHECK(std::ranges::count_if(table.rows, &MeasuredRow::measured) == 2);
  CHECK(std::ranges::none_of(table.rows, &MeasuredRow::over_time));
}

TEST_CASE("a row that takes too long is left out in time, even if its work cannot be stopped") {
  // A search of equal points visits all of them for every query, in one launch: the whole search takes far longer than
  // 1.5 s.
  const CommandRun done =
      run_small({"--algorithm", "wald", "--data", "equal", "--n", "100K", "--search", "stack", "--time-limit", "1.5"});
  // On a busy machine, the sample itself may take that long.
  CHECK(contains(done.out, "left out on equal:n=100000, wald, stack, k=8: "));
  CHECK(contains(done.out, "it takes more than the time limit of 1.5 s\n"));

  const CommandRun early = run_small({"--algorithm", "wald", "--n", "100K", "--time-limit", "0.002"});
  CHECK(contains(early.out, "left out on uniform:n=100000, wald: "));
  CHECK(contains(early.out, "the time limit of 0.002 s\n"));
}

TEST_CASE("a row's clock stops its work, and repetitions fit into it") {
  const RowClock clock({}, 0.02);
  for (int waits = 0; waits < 500 && !clock.over_time(); ++waits)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  CHECK(clock.over_time());
  CHECK(clock.stop().stop_requested());

  std::stop_source bench;
  const RowClock stopped(bench.get_token(), 3600);
  CHECK_FALSE(stopped.stop().stop_requested());
  bench.request_stop();
  CHECK(stopped.stop().stop_requested());
  CHECK_FALSE(stopped.over_time());

  const RowClock long_one({}, 3600);
  const auto quick = [](int times) -> Result<std::vector<double>> { return std::vector<double>(times, 1.0); };
  CHECK(take_samples({7, 2, &long_one}, quick)->size() == 7);
  CHECK(take_samples({0, 2, &long_one}, quick)->size() == 25);
  const auto slow = [](int times) -> Result<std::vector<double>> {
    std::this_thread::sleep_for(std::chrono::milliseconds(50 * times));
    return std::vector<double>(times, 50.0);
  };
  const RowClock short_one({}, 0.4);
  const auto fitting = take_samples({100, 1, &short_one}, slow).value();
  CHECK(fitting.size() >= 1);
  CHECK(fitting.size() <= 7);
}

TEST_CASE("wrong rows of a bench are refused before anything is measured") {
  CHECK(contains(refusal({"bench", "--algorithm", "wlad"}, 2), "there is no algorithm 'wlad'; did you mean wald?"));
  CHECK(contains(refusal({"bench", "--algorithm", "wald:sort"}, 2), "'sort' is not NAME=VALUE"));
  CHECK(contains(refusal({"bench", "--algorithm", "wald:sort=no"}, 2), "sort cannot be 'no'"));
  CHECK(contains(refusal({"bench", "--algorithm", "wald", "--algorithm", "wald"}, 2), "names wald twice"));
  CHECK(contains(refusal({"bench", "--algorithm", "wald", "--param", "leaf_size=8"}, 2),
                 "none of these builders has a parameter 'leaf_size'"));
  CHECK(contains(refusal({"bench", "--search", "stac"}, 2), "there is no search 'stac'"));
  CHECK(contains(refusal({"bench", "--algorithm", "hu", "--search", "stack"}, 2), "none of these builders makes"));
  CHECK(contains(refusal({"bench", "--k", "3"}, 2), "--k is for searches"));
  CHECK(contains(refusal({"bench", "--n", "1K,"}, 2), "--n cannot be ''"));
  CHECK(contains(refusal({"bench", "--n", "1K,1000"}, 2), "--n names 1000 twice"));
  CHECK(contains(refusal({"bench", "--data", "uniform:dim=x"}, 3), "parameter dim=x is not a whole number"));
  CHECK(contains(refusal({"bench", "--data", "no.csv"}, 3), "no.csv"));
  CHECK(contains(refusal({"bench", "--beside", "scipy"}, 2), "there is no library 'scipy'"));
  CHECK(contains(refusal({"bench", "--time-limit", "-1"}, 2), "--time-limit cannot be '-1'"));
  CHECK(contains(refusal({"bench", "--processors", "999999", "--backend", "cpu"}, 5), "there are only "));
  CHECK(contains(refusal({"bench", "--backend", "cpu", "--backend", "cpu"}, 2), "names cpu twice"));
  CHECK(contains(refusal({"bench", "--keep", "no/such/folder/t.json"}, 5), "there is no folder no/such/folder"));
  if (!find_devices().cuda_status.empty())
    CHECK(contains(refusal({"bench", "--backend", "cuda"}, 5), "no CUDA device can be used"));
}

TEST_CASE("a planted faster file makes every row slower, and the exit code tells") {
  const Folder folder;
  MeasuredRun planted = measured();
  const std::size_t rows = planted.tables.front().rows.size();
  REQUIRE(rows == 3);
  plant(planted, 1e-6);
  put(folder.file("old.json"), json_of(planted));
  // Without options of rows, those of the file are measured again.
  // On a busy machine, times of so few points may vary by more than their median, and then nothing is confirmed.
  const auto run_until = [](const std::vector<std::string>& arguments, const std::string& wanted) {
    CommandRun last = run(arguments);
    for (int again = 0; again < 8 && !contains(last.out, wanted); ++again) last = run(arguments);
    return last;
  };
  const CommandRun slower =
      run_until({"bench", "--compare", folder.file("old.json"), "--keep", folder.file("new.json")}, "\n3 slower\n");
  INFO(slower.out << slower.err);
  CHECK(slower.code == 6);
  CHECK(contains(slower.out, "slower: wald on uniform:n=300: "));
  CHECK(contains(slower.out, "slower: wald, stack, k=4 on uniform:n=300: "));
  CHECK(contains(slower.out, "\n3 slower\n"));
  const MeasuredRun now = results_in(folder.file("new.json"));
  CHECK(now.options == planted.options);
  REQUIRE(now.tables.front().rows.size() == rows);
  CHECK(now.tables.front().rows[0].samples.count() == 3);

  planted = measured();
  plant(planted, 1e6);
  put(folder.file("old.json"), json_of(planted));
  const CommandRun faster = run_until({"bench", "--compare", folder.file("old.json"), "--repeat", "5"}, "\n3 faster\n");
  INFO(faster.out << faster.err);
  CHECK(faster.code == 0);
  CHECK(contains(faster.out, "\n3 faster\n"));
  CHECK(contains(faster.out, "  5\n"));  // repetitions
}

TEST_CASE("one file keeps the runs of several commits, and compares the newest two") {
  const Folder folder;
  const std::string file = folder.file("kept.json"), text = measured_json();
  put(file, text);
  const CommandRun again = run({"bench", "--compare", file, "--keep", file});
  INFO(again.out << again.err);
  CHECK(contains(again.err, "Kept 3 rows in " + file));
  auto runs = read_runs(file).value();
  REQUIRE(runs.size() == 2);
  CHECK(json_of(runs.front()) == text);
  CHECK(runs.back().options == runs.front().options);

  runs.front().commit = std::string(40, '1');
  runs.front().date = "2026-05-01T10:00:00Z";
  plant(runs.front(), 1);
  plant(runs.back(), 2);
  put(file, kdscope::json_of(runs));
  const CommandRun compared = ended({"bench", file, "--compare", file}, 6);
  CHECK(compared.out.starts_with("the newest of 2 runs: "));
  CHECK(contains(compared.out,
                 "slower: hu on uniform:n=300: 2.000 ms, 2 times 1.000 ms of commit 1111111 (2026-05-01)\n"));
  CHECK(contains(compared.out, "\n3 slower\n"));
}

TEST_CASE("two files compare without a measurement") {
  const Folder folder;
  put(folder.file("a.json"), measured_json());
  const CommandRun same = ended({"bench", folder.file("a.json"), "--compare", folder.file("a.json")});
  CHECK(contains(same.out, "\n3 no difference\n"));

  MeasuredRun other = measured();
  MeasuredRow& row = other.tables.front().rows.front();
  row.samples.values.assign(9, row.samples.median() * 2);
  row.facts.hash ^= 1;
  MeasuredRow& late = other.tables.front().rows.back();
  late.samples.values.clear();
  late.over_time = true;
  late.reason = "it takes more than the time limit of 60 s";
  put(folder.file("b.json"), json_of(other));
  const CommandRun differ = ended({"bench", folder.file("b.json"), "--compare", folder.file("a.json")}, 4);
  CHECK(contains(differ.out, "other result: wald on uniform:n=300 gives another tree than before"));
  CHECK(contains(differ.out, "slower: hu on uniform:n=300: it takes more than the time limit of 60 s, before "));
  CHECK(run({"bench", folder.file("a.json"), "--compare", folder.file("b.json")}).code == 4);
}

TEST_CASE("a row that was slow for a moment is not slower: a second measurement has to agree") {
  MeasuredRun before = measured(), now = measured();
  for (MeasuredTable& table : before.tables)
    for (MeasuredRow& row : table.rows)
      row.samples.values = {1e-6, row.samples.median(), 1e6};  // whatever this machine takes is within
  for (MeasuredTable& table : now.tables)
    for (MeasuredRow& row : table.rows) row.samples.values.assign(5, 1e9);
  const std::vector<MeasuredRun> kept{before};
  BenchPlan plan;
  plan.builders = {{"wald"}, {"hu"}};
  plan.repeats = 3;
  std::vector<ComparedRow> rows;
  for (const MeasuredRow& row : now.tables.front().rows)
    rows.push_back(compare(row, now.tables.front(), now.commit, kept));
  REQUIRE(rows.size() == 3);
  CHECK(std::ranges::count(rows, TimeVerdict::slower, &ComparedRow::verdict) == 3);
  REQUIRE(look_again(plan, now.tables, rows, {}));
  for (const ComparedRow& row : rows) {
    CHECK(row.verdict == TimeVerdict::no_difference);
    CHECK_FALSE(row.confirmed);
    CHECK(row.now->samples.count() == 5);
  }
}

TEST_CASE("files that do not compare are refused with one sentence, before anything is measured") {
  const Folder folder;
  const std::string file = folder.file("old.json");
  const auto refused = [&](const std::string& text, std::vector<std::string> more = {}) {
    put(file, text);
    std::vector<std::string> words{"bench", "--compare", file};
    words.insert(words.end(), more.begin(), more.end());
    const std::string message = refusal(words, 3);
    CHECK(contains(message, "old.json: "));
    CHECK(std::count(message.begin(), message.end(), '\n') == 1);
    return message;
  };
  const std::string text = measured_json();
  MeasuredRun other = measured();
  other.tables.front().device = "12 threads of another machine";
  CHECK(contains(refused(json_of(other)), "its device is cpu (12 threads of another machine), and this one is cpu ("));
  other = measured();
  other.tables.front().backend = Backend::cuda;
  CHECK(contains(refused(json_of(other)), "its device is cuda ("));
  CHECK(contains(refused(text, {"--algorithm", "wald", "--n", "300", "--backend", "cpu", "--beside", "none"}),
                 "its row 'wald, stack, k=4 on uniform:n=300' is not measured now"));
  CHECK(contains(refused(text, {"--algorithm", "textbook", "--n", "300", "--backend", "cpu", "--beside", "none"}),
                 "it lacks the row 'textbook on uniform:n=300'"));

  CHECK(contains(refused("{}"), "this is no file of kept results"));
  CHECK(contains(refused("points\n1,2\n"), "this is no file of kept results"));
  CHECK(contains(refused(""), "this is no file of kept results"));
  CHECK(contains(refused(text.substr(0, text.size() / 2)), "the results are damaged: "));
  CHECK(contains(refused(without(text, "\"times_ms\":")), "the results are damaged: "));
  CHECK(contains(refused(without(text, "\"copy_gb_per_s\":")), "the results are damaged: "));
  CHECK(contains(refused(without(text, "\"--algorithm\",")), "is one word too many"));
  other = measured();
  other.tables.front().rows.front().samples.values.clear();
  CHECK(contains(refused(json_of(other)), "neither times nor the reason"));
  std::string version = text;
  version.replace(version.find("\"format_version\":2"), 18, "\"format_version\":3");
  CHECK(contains(refused(version), "another version of the format"));
  CHECK(contains(refusal({"bench", "--compare", folder.file("none.json")}, 3), "none.json: there is no such file"));
  CHECK(contains(refusal({"bench", folder.file("none.json")}, 3), "there is no such file"));

  put(file, text);
  CHECK(contains(refusal({"bench", "--compare", file, "--csv", file}, 2), "which would be lost"));
  CHECK(contains(refusal({"bench", "--keep", file, "--csv", file}, 2), "which would be lost"));
  CHECK(contains(refusal({"bench", file, "--keep", file}, 2), "which would be lost"));
  CHECK(contains(refusal({"bench", file, "--n", "100"}, 2), "--n does not go with results that are read"));
  CHECK(content_of(file) == text);
}

TEST_CASE("damaged results are refused or read as other valid results") {
  const std::string text = measured_json();
  std::size_t read = 0;
  for (std::size_t at = 0; at < text.size(); at += 3) {
    std::string changed = text;
    changed[at] = static_cast<char>(changed[at] ^ (1 << (at % 7)));
    const auto results = runs_from(changed, "t.json");
    if (!results) {
      CHECK(results.error().kind == ErrorKind::bad_input);
      continue;
    }
    ++read;
    for (const MeasuredRow& row : results->front().tables.front().rows)
      if (row.measured()) CHECK(std::isfinite(row.samples.median()));
  }
  CHECK(read > 0);
}

TEST_CASE("a stopped bench adds what it measured to the kept rows") {
  const Folder folder;
  put(folder.file("t.json"), measured_json());
  std::stop_source stop;
  // The second line of progress, that of the second row, stops the bench.
  struct StoppingBuffer : std::stringbuf {
    std::stop_source& stop;
    int flushes = 0;
    explicit StoppingBuffer(std::stop_source& source) : stop(source) {}
    int sync() override {
      if (++flushes == 3) stop.request_stop();  // after the copy and the first row
      return 0;
    }
  } buffer(stop);
  std::ostream err(&buffer);
  std::ostringstream out;
  cli::Console console{out, err, stop.get_token(), true};
  CHECK(cli::run_command_line(
            small_bench({"--algorithm", "wald", "--n", "100,200,300", "--keep", folder.file("t.json")}), console) == 5);
  const auto runs = read_runs(folder.file("t.json")).value();
  REQUIRE(runs.size() == 2);
  CHECK(json_of(runs.front()) == measured_json());
  const MeasuredRun& kept = runs.back();
  REQUIRE(kept.tables.size() == 1);
  REQUIRE(kept.tables.front().rows.size() == 1);
  CHECK(kept.tables.front().rows.front().what.data == "uniform:n=100");
  CHECK(contains(buffer.str(), "Kept 1 row in " + folder.file("t.json")));
}

TEST_CASE("a bench compares k distances of a search that finds all within its radius") {
  const CommandRun done = run_small({"--algorithm", "wald", "--algorithm", "zhou-vvh", "--n", "2000", "--data",
                                     "uniform:dim=3", "--search", "usual", "--k", "8"});
  CHECK(contains(done.out, "zhou-vvh, radius-histogram, k=8"));
  CHECK_FALSE(contains(done.out, "other distances"));
}

TEST_CASE("libraries beside kdscope find the same distances, on the threads that are shown", "[alone]") {
  std::string libraries;
  for (const PeerLibrary& library : peer_libraries())
    if (has_peer(library.id)) libraries += (libraries.empty() ? "" : ",") + library.id;
  if (libraries.empty()) KDSCOPE_SKIP("no library was installed when kdscope was configured");
  const Folder folder;
  const CommandRun done =
      ended({"bench",  "--backend",          "cpu",     "--algorithm",  "wald",     "--data",   "clustered",
             "--data", "grid:dim=2",         "--n",     "2000",         "--search", "stack",    "--k",
             "1,8",    "--beside",           libraries, "--processors", "1",        "--repeat", "2",
             "--keep", folder.file("t.json")});
  CHECK(contains(done.out, "beside kdscope: "));
  CHECK_FALSE(contains(done.out, "other distances"));
  CHECK_FALSE(contains(done.out, "left out"));
  std::size_t searches = 0;
  const MeasuredTable table = results_in(folder.file("t.json")).tables.front();
  for (const MeasuredRow& row : table.rows) {
    if (!row.what.library) continue;
    CHECK(row.facts.processors == 1);
    CHECK_FALSE(row.facts.version.empty());
    CHECK(row.samples.count() == 2);
    if (row.what.kind == WorkKind::build) {
      CHECK(row.facts.peak_bytes >= 4 * row.facts.dim * row.n);
      continue;
    }
    ++searches;
    for (const MeasuredRow& own : table.rows)
      if (!own.what.library && own.what.data == row.what.data && own.what.k == row.what.k)
        CHECK(own.facts.hash == row.facts.hash);
  }
  CHECK(searches >= 4);
}

TEST_CASE("a library that takes too long is ended, and one refuses points that it does not take", "[alone]") {
  const auto known = std::ranges::find_if(peer_libraries(), [](const auto& each) { return has_peer(each.id); });
  if (known == peer_libraries().end()) KDSCOPE_SKIP("no library was installed when kdscope was configured");
  const Folder folder;
  const CommandRun done = ended({"bench", "--backend", "cpu", "--algorithm", "textbook", "--n", "1M", "--beside",
                                 known->id, "--time-limit", "0.05", "--data", "uniform", "--data", "uniform:type=int",
                                 "--repeat", "1", "--keep", folder.file("t.json")});
  const MeasuredTable table = results_in(folder.file("t.json")).tables.front();
  REQUIRE(table.rows.size() == 4);
  CHECK(table.rows[1].what.library);
  CHECK(table.rows[1].over_time);
  CHECK(table.rows[1].reason == "it takes more than the time limit of 0.05 s");
  CHECK(contains(done.out, known->id + ": it is compared on points of two or three floats only\n"));
}

}  // namespace kdscope::bench_test
