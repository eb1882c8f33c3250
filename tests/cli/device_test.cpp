// Tests devices from the command line, with a far runner that is reached through pipes.
#include "algorithms/trace/trace_file.hpp"
#include "algorithms/variants/runners.hpp"
#include "tests/cli/command_runs.hpp"
#include "tests/support/cases.hpp"

using namespace kdscope;
using namespace kdscope::tests;

namespace {

/// A folder of settings with the device "loop", while it exists.
struct WithDevice {
  WithDevice() {
    ::setenv("XDG_CONFIG_HOME", folder.file("config").c_str(), 1);
    const auto runner = variants::Runners::find_program().value();
    REQUIRE(run({"device", "add", "loop", "--", runner, "--far"}).code == 0);
  }
  ~WithDevice() { ::unsetenv("XDG_CONFIG_HOME"); }
  Folder folder;
};

/// The output of a command without the lines that hold times.
std::string untimed(const CommandRun& run) {
  std::istringstream lines(run.out);
  std::string kept;
  for (std::string line; std::getline(lines, line);)
    if (line.find(" ms") == std::string::npos && line.find(" s  ") == std::string::npos &&
        !line.starts_with("compiled in "))
      kept += line + "\n";
  return kept;
}

}  // namespace

TEST_CASE("device: devices are added, listed, tried and removed") {
  const WithDevice with;
  CHECK(run({"device", "add", "gone", "--wait", "5", "--", "/nowhere/ssh", "a host", "--far"}).code == 0);
  const CommandRun list = run({"device", "list"});
  CHECK(list.code == 0);
  CHECK(list.out.find("gone  /nowhere/ssh 'a host' --far\n") != std::string::npos);
  const CommandRun checked = run({"device", "list", "--check"});
  CHECK(checked.code == 5);
  CHECK(checked.out.find(", kdscope " + std::string(version())) != std::string::npos);
  CHECK(checked.out.find("  cpu  ") != std::string::npos);
  CHECK(
      checked.out.find("FAILED  /nowhere/ssh 'a host' --far: no kdscope-runner answers (/nowhere/ssh: No such file or "
                       "directory)") != std::string::npos);
  const CommandRun json = run({"device", "list", "--check", "--json"});
  CHECK(json.code == 5);
  const Json value = JsonReader::read(json.out);
  REQUIRE(value.list.size() == 2);
  CHECK(value.list[0]["answers"].truth);
  CHECK_FALSE(value.list[1]["answers"].truth);
  CHECK(value.list[1]["wait_s"].number == 5);
  CHECK(run({"device", "remove", "gone"}).code == 0);
  CHECK(run({"device", "list", "--check"}).code == 0);
  CHECK(run({"device", "remove", "loop"}).code == 0);
  CHECK(run({"device", "list"}).out == "no devices; kdscope-cli device --help explains how to add one\n");
}

TEST_CASE("device: what cannot be meant is refused with a sentence") {
  const WithDevice with;
  CHECK(refusal({"device", "add", "loop", "--", "true"}, 2) ==
        "kdscope-cli: there is a device 'loop' already; choose another name, or remove it first.\n");
  CHECK(refusal({"device", "add", "lab"}, 2).find("needs a command") != std::string::npos);
  CHECK(refusal({"device", "add", "a b", "--", "true"}, 2).find("cannot be the name") != std::string::npos);
  CHECK(refusal({"device", "add", "lab", "--wait", "0", "--", "true"}, 2).find("--wait") != std::string::npos);
  CHECK(refusal({"device", "remove", "lop"}, 2) == "kdscope-cli: there is no device 'lop'; did you mean loop?\n");
  CHECK(refusal({"device", "list", "loop"}, 2).find("write device list") != std::string::npos);
  CHECK(refusal({"device", "try"}, 2).find("write device list") != std::string::npos);
  CHECK(refusal({"build", "--data", "wald-10", "--device", "lop"}, 2).find("did you mean loop?") != std::string::npos);
  for (const char* of_tree : {"--verify", "--rays=5", "--tree-out=t.npy"})
    CHECK(refusal({"build", "--data", "wald-10", "--device", "loop", of_tree}, 2).find("stays on the device") !=
          std::string::npos);
  CHECK(refusal({"record", "--data", "wald-10", "--device", "loop", "--until", "any(tags == 4)", "-o",
                 with.folder.file("t.kdtrace")},
                2)
            .find("--until looks at the steps of a run here") != std::string::npos);
}

TRACE_CASE("device: recordings and builds are those made here") {
  const WithDevice with;
  const std::string here = with.folder.file("here.kdtrace"), there = with.folder.file("there.kdtrace");
  const std::vector<std::vector<std::string>> runs{{"--algorithm", "wald", "--data", "wald-10"},
                                                   {"--algorithm", "wald", "--data", "wald-10", "--query", "50,40"},
                                                   {"--algorithm", "hu", "--data", "uniform:n=2000,dim=3"},
                                                   {"--algorithm", "zhou-sah", "--data", "zhou-8"}};
  for (const std::vector<std::string>& of_run : runs) {
    INFO(of_run[1] << " on " << of_run[3]);
    std::vector<std::string> local{"record", "--backend", "cpu", "-o", here},
        remote{"record", "--backend", "cpu", "-o", there, "--device", "loop"};
    local.insert(local.end(), of_run.begin(), of_run.end());
    remote.insert(remote.end(), of_run.begin(), of_run.end());
    REQUIRE(run(local).code == 0);
    const CommandRun made = run(remote);
    INFO(made.err);
    REQUIRE(made.code == 0);
    CHECK(run({"diff", here, there}).code == 0);
  }
  const std::vector<std::string> build{"build", "--backend", "cpu", "--data", "bunny", "--json"};
  std::vector<std::string> elsewhere = build;
  elsewhere.insert(elsewhere.end(), {"--device", "loop"});
  const Json one = JsonReader::read(run(build).out), other = JsonReader::read(run(elsewhere).out);
  for (const char* same : {"tree_hash", "device"}) CHECK(one[same].text == other[same].text);
  for (const char* same : {"n", "peak_bytes", "processors"}) CHECK(one[same].number == other[same].number);
  CHECK(variants::runners_in_use() == nullptr);
}

TEST_CASE("device: a run is shown without a file, as far as its step needs it") {
  const WithDevice with;
  const std::string data = "uniform:n=300,dim=2,seed=3", file = with.folder.file("here.kdtrace");
  REQUIRE(run({"record", "--data", data, "--backend", "cpu", "-o", file}).code == 0);
  for (const std::vector<std::string>& options :
       {std::vector<std::string>{"--step", "3"}, {"--all", "--arrays", "tags"}, {"--step", "level 1 / sort"}}) {
    std::vector<std::string> there{"show", "--data", data, "--backend", "cpu", "--device", "loop"}, here{"show", file};
    there.insert(there.end(), options.begin(), options.end());
    here.insert(here.end(), options.begin(), options.end());
    const CommandRun shown = run(there);
    CHECK(shown.code == 0);
    CHECK(shown.out == run(here).out);
  }
  // The line ends within the run, after its first steps.
  const std::string gate = with.folder.file("gate");
  const std::string words = "'" + *variants::Runners::find_program() +
                            "' --far | { stdbuf -o0 head -c 4000000; while [ ! -e '" + gate +
                            "' ]; do sleep 0.05; done; }";
  REQUIRE(run({"device", "add", "slow", "--silence", "600", "--", "sh", "-c", words}).code == 0);
  const CommandRun first =
      run({"show", "--data", "uniform:n=50000,dim=3,seed=3", "--backend", "cpu", "--device", "slow", "--step", "1"});
  CHECK(first.code == 0);
  CHECK(first.out == run({"show", "--data", "uniform:n=50000,dim=3,seed=3", "--backend", "cpu", "--step", "1"}).out);
  CHECK(refusal({"show"}, 2) ==
        "kdscope-cli: show needs either a trace file or --data; for example ten.kdtrace, or --device lab --data "
        "wald-10.\n");
  CHECK(refusal({"show", file, "--device", "loop"}, 2).find("--device is for a run") != std::string::npos);
}

TEST_CASE("device: applications work there, too") {
  const WithDevice with;
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"cloud", "--data", "bunny:sample=2000", "--backend", "cpu", "--out"},
        {"render", "--data", "toys", "--width", "40", "--height", "30", "--backend", "cpu", "--out"}}) {
    const std::string name = words.front() == "render" ? "picture.ppm" : "cloud.csv";
    std::vector<std::string> here = words, there = words;
    here.push_back(with.folder.file("here-" + name));
    there.insert(there.end(), {with.folder.file("there-" + name), "--device", "loop"});
    REQUIRE(run(here).code == 0);
    const CommandRun remote = run(there);
    INFO(remote.err);
    REQUIRE(remote.code == 0);
    CHECK(content_of(here.back()) == content_of(there[there.size() - 3]));
  }
  const CommandRun repeated = run({"repeat", "--times", "3", "--data", "wald-10", "--device", "loop"});
  CHECK(repeated.code == 0);
  CHECK(untimed(repeated) == untimed(run({"repeat", "--times", "3", "--data", "wald-10"})));
}

namespace {

/// The words of a command with more behind them.
std::vector<std::string> with(std::vector<std::string> words, const std::vector<std::string>& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

/// The cells of a column of a CSV without quotes.
std::vector<std::string> column(const std::string& csv, const std::string& name) {
  std::istringstream lines(csv);
  std::vector<std::string> cells;
  std::size_t place = std::string::npos;
  for (std::string line; std::getline(lines, line);) {
    std::vector<std::string> words;
    std::istringstream rest(line);
    for (std::string word; std::getline(rest, word, ',');) words.push_back(word);
    if (place == std::string::npos) {
      place = static_cast<std::size_t>(std::ranges::find(words, name) - words.begin());
      REQUIRE(place < words.size());
    } else {
      cells.push_back(place < words.size() ? words[place] : "");
    }
  }
  return cells;
}

std::string a_sweep(const Folder& folder) {
  const std::string file = folder.file("sweep.yaml");
  put(file,
      "title: a sweep\nalgorithms: [wald, hu]\ndata: [\"uniform:n={n},dim=2\"]\nn: [500, 1000, 2000]\nrepeats: 2\n"
      "backend: cpu\n");
  return file;
}

}  // namespace

TEST_CASE("device: rows of an experiment are measured there, and spread over several devices") {
  const WithDevice with_loop;
  const auto runner = variants::Runners::find_program();
  REQUIRE(run({"device", "add", "second", "--", *runner, "--far"}).code == 0);
  REQUIRE(run({"device", "add", "gone", "--", "/nowhere/ssh"}).code == 0);
  REQUIRE(run({"device", "add", "lost", "--", "/nowhere/srun"}).code == 0);
  const std::vector<std::string> sweep{"experiment", a_sweep(with_loop.folder)};
  const CommandRun here = run(sweep);
  if (here.code == 2) KDSCOPE_SKIP("kdscope was built without yaml-cpp");
  const std::vector<std::string> hashes = column(here.out, "tree_hash"), sizes = column(here.out, "n");
  REQUIRE(hashes.size() == 6);
  for (const char* devices : {"loop", "loop,second", "gone,loop", "second,gone,lost"}) {
    INFO(devices);
    const std::string kept = with_loop.folder.file(std::string(devices) + ".json");
    const CommandRun there = run(with(sweep, {"--device", devices, "--keep", kept}));
    INFO(there.err);
    REQUIRE(there.code == 0);
    CHECK(column(there.out, "tree_hash") == hashes);
    CHECK(column(there.out, "n") == sizes);  // in the order of the file
    CHECK(there.err.find("Kept 6 rows") != std::string::npos);
    const bool one_is_gone = std::string(devices).find("gone") != std::string::npos;
    CHECK((there.err.find("the device gone measures no more: no kdscope-runner answers") != std::string::npos) ==
          one_is_gone);
  }
  const std::string none = refusal(with(sweep, {"--device", "gone,lost"}), 5);
  CHECK(none.find("measures no more: no kdscope-runner answers") != std::string::npos);
  CHECK(std::ranges::count(none, '\n') == 1);
  CHECK(refusal(with(sweep, {"--device", "loop,loop"}), 2).find("named twice") != std::string::npos);
  CHECK(refusal(with(sweep, {"--device", "loop,lop"}), 2).find("did you mean loop?") != std::string::npos);
  CHECK(refusal({"build", "--data", "wald-10", "--device", "loop,second"}, 2).find("there is no device") !=
        std::string::npos);

  // A file does not travel as part of a row.
  const std::string points = with_loop.folder.file("points.csv");
  put(points, "1,2\n3,4\n5,6\n");
  put(sweep[1], "title: a sweep\nalgorithms: [wald]\ndata: [points.csv]\nrepeats: 2\nbackend: cpu\n");
  CHECK(refusal(with(sweep, {"--device", "loop"}), 2).find("a file does not travel to the device loop") !=
        std::string::npos);
}

TEST_CASE("device: an experiment is measured in parts, and a job array does so in a cluster") {
  const Folder folder;
  const std::string file = a_sweep(folder), kept = folder.file("rows.json");
  const CommandRun whole = run({"experiment", file});
  if (whole.code == 2) KDSCOPE_SKIP("kdscope was built without yaml-cpp");
  std::vector<std::string> parts;
  for (const char* part : {"1/4", "2/4", "3/4", "4/4"}) {
    const CommandRun some = run({"experiment", file, "--part", part});
    REQUIRE(some.code == 0);
    for (const std::string& hash : column(some.out, "tree_hash")) parts.push_back(hash);
  }
  std::vector<std::string> all = column(whole.out, "tree_hash");
  std::ranges::sort(all), std::ranges::sort(parts);
  CHECK(parts == all);
  for (const char* wrong : {"0/4", "5/4", "1/7", "1", "/", "a/b", "1/0", "-1/4"})
    CHECK(refusal({"experiment", file, "--part", wrong}, 2).find("give I/N, with I from 1 to N and N of at most 6") !=
          std::string::npos);

  const CommandRun array =
      run({"experiment", file, "--keep", kept, "--slurm", "--gres=gpu:1 --time=10", "--repeat", "5", "--max-n", "1K"});
  REQUIRE(array.code == 0);
  CHECK(array.out.starts_with(
      "#!/bin/sh\n#SBATCH --job-name=kdscope --array=1-4\n#SBATCH --gres=gpu:1 --time=10\nexec "));
  CHECK(array.out.find(" experiment " + file + " --part \"$SLURM_ARRAY_TASK_ID/4\" --keep " + folder.file("rows") +
                       ".part-\"$SLURM_ARRAY_TASK_ID\".json --max-n 1K --repeat 5\n") != std::string::npos);
  CHECK(array.err.find("a job array of 4 tasks") != std::string::npos);
  CHECK(array.err.find("for part in " + folder.file("rows") + ".part-*.json; do") != std::string::npos);
  CHECK(refusal({"experiment", file, "--slurm", "--time=1"}, 2).find("add --keep FILE.json") != std::string::npos);
  CHECK(refusal({"experiment", file, "--submit"}, 2).find("--submit belongs to --slurm") != std::string::npos);
  CHECK(refusal({"experiment", "wald-table-1", "--slurm", "--time=1"}, 2).find("needs an experiment file") !=
        std::string::npos);
  CHECK(refusal({"experiment", file, "--keep", kept, "--slurm", "a\nb"}, 2).find("on one line") != std::string::npos);
  for (const std::vector<std::string>& other : {std::vector<std::string>{"--part", "1/2"}, {"--compare", kept}})
    CHECK(refusal(with(with({"experiment", file, "--keep", kept, "--slurm", "x"}, other), {}), 2)
              .find(other.front() + " and --slurm exclude each other") != std::string::npos);

  // Rows of several tasks come into one file.
  for (const char* part : {"1/2", "2/2"}) {
    const std::string of_part = folder.file(std::string("part-") + part[0] + ".json");
    REQUIRE(run({"experiment", file, "--part", part, "--keep", of_part}).code == 0);
    REQUIRE(run({"bench", of_part, "--keep", kept}).code == 0);
  }
  CHECK(run({"experiment", file, "--compare", kept}).out.find("no result of this work") == std::string::npos);

  // sbatch that refuses, or is missing, is one sentence.
  const std::string before = ::getenv("PATH");
  put(folder.file("sbatch"), "#!/bin/sh\necho 'sbatch: error: invalid partition specified: x' >&2\nexit 1\n");
  std::filesystem::permissions(folder.file("sbatch"), std::filesystem::perms::owner_all);
  const std::vector<std::string> submitted{"experiment", file, "--keep", kept, "--slurm", "--partition=x", "--submit"};
  ::setenv("PATH", (folder.path.string() + ":" + before).c_str(), 1);
  CHECK(refusal(submitted, 5) ==
        "kdscope-cli: sbatch did not take the job (sbatch: error: invalid partition specified: x); submit where Slurm "
        "is, or print the script without --submit.\n");
  put(folder.file("sbatch"), "#!/bin/sh\ncat > " + folder.file("script") + "\necho '12;cluster'\n");
  CHECK(run(submitted).out == "job 12 of 6 tasks; its rows come to " + kept + " by job 12\n");
  CHECK(content_of(folder.file("script")).find("kdscope-rows") != std::string::npos);
  ::setenv("PATH", folder.file("empty").c_str(), 1);
  CHECK(refusal(submitted, 5).find("sbatch did not take the job (sbatch: No such file or directory)") !=
        std::string::npos);
  ::setenv("PATH", before.c_str(), 1);
}

TEST_CASE("device: a bench plans and measures there") {
  const WithDevice with_loop;
  const std::vector<std::string> bench{"bench",    "--n",   "2K",  "--data", "uniform:dim=3", "--algorithm", "wald",
                                       "--search", "usual", "--k", "4",      "--repeat",      "3",           "--csv"};
  const std::string here = with_loop.folder.file("here.csv"), there = with_loop.folder.file("there.csv");
  REQUIRE(run(with(bench, {here, "--backend", "cpu"})).code == 0);
  const CommandRun measured = run(with(bench, {there, "--backend", "cpu", "--device", "loop"}));
  INFO(measured.err);
  REQUIRE(measured.code == 0);
  for (const char* same : {"hash", "device", "n", "repeats"}) {
    INFO(same);
    CHECK(column(content_of(there), same) == column(content_of(here), same));
  }
  CHECK(run(with(bench, {there, "--device", "loop"})).code == 0);  // automatic: its first back end
  const std::string points = with_loop.folder.file("points.csv");
  put(points, "1,2\n3,4\n5,6\n");
  CHECK(refusal({"bench", "--data", points, "--algorithm", "wald", "--device", "loop"}, 2)
            .find("a file does not travel to the device loop") != std::string::npos);
  REQUIRE(run(with({"bench", "--n", "1K", "--algorithm", "wald", "--keep"}, {with_loop.folder.file("k.json")})).code ==
          0);
  CHECK(refusal({"bench", with_loop.folder.file("k.json"), "--device", "loop"}, 2).find("--device does not go with") !=
        std::string::npos);
}

TEST_CASE("device: one practises on a run that was made there") {
  const WithDevice with_loop;
  const std::vector<std::string> practise{"practise", "--data", "wald-10", "--backend", "cpu", "--questions", "2"};
  const CommandRun here = run(practise), there = run(with(practise, {"--device", "loop"}));
  CHECK(there.code == here.code);
  CHECK(there.out == here.out);
  CHECK_FALSE(there.out.empty());
}

TEST_CASE("device: a variant's source travels, is compiled and tried there") {
  const WithDevice with_loop;
  const std::string file = with_loop.folder.file("my.cu");
  REQUIRE(run({"variant", "new", "wald", "update_tags", "--out", file}).code == 0);
  const std::vector<std::string> build{"variant", "build", file, "--data", "wald-10"};
  const std::vector<std::string> elsewhere = with(build, {"--device", "loop"});
  const auto same_as_here = [&](int code) {
    const CommandRun here = run(build), there = run(elsewhere);
    INFO(there.out << there.err);
    CHECK(here.code == code);
    CHECK(there.code == here.code);
    CHECK(untimed(there) == untimed(here));
    CHECK(there.err == here.err);
  };
  same_as_here(0);
  std::string text = content_of(file);
  const std::size_t place = text.find("(i > pivot)");
  REQUIRE(place != std::string::npos);
  put(file, text.substr(0, place) + "(i > pivot + 1)" + text.substr(place + 11));
  same_as_here(4);
  put(file, text + "\nint wrong = nonsense;\n");
  same_as_here(3);
  CHECK(refusal({"variant", "measure", file, "--device", "loop"}, 2).find("variant measure does not take --device") !=
        std::string::npos);
}
