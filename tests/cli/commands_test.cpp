// Tests every command as a user or a script runs it, with errors and exit codes.

#include "app/cli/commands.hpp"

#include <algorithm>
#include <filesystem>
#include <sstream>
#include <stdexcept>

#include "algorithms/registry/registry.hpp"
#include "algorithms/text/quotes.hpp"
#include "algorithms/trace/trace_file.hpp"
#include "algorithms/trees/tree_file.hpp"
#include "datasets/datasets.hpp"
#include "tests/cli/command_runs.hpp"
#include "tests/cli/json_reader.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/recorded.hpp"

using namespace kdscope;
using namespace kdscope::tests;

namespace {

/// Runs a command that must fail, with one sentence on standard error and nothing on standard output.
std::string failure(const std::vector<std::string>& words, int code) {
  const CommandRun r = run(words);
  INFO(r.err);
  REQUIRE(r.code == code);
  REQUIRE(r.out.empty());
  REQUIRE(r.err.rfind("kdscope-cli: ", 0) == 0);
  REQUIRE(r.err.back() == '\n');
  REQUIRE(std::count(r.err.begin(), r.err.end(), '\n') == 1);
  return r.err;
}

std::string success(const std::vector<std::string>& words) {
  const CommandRun r = run(words);
  INFO(r.err);
  REQUIRE(r.code == 0);
  REQUIRE(r.err.empty());
  return r.out;
}

Json json(std::vector<std::string> words) {
  words.emplace_back("--json");
  return JsonReader::read(success(words));
}

}  // namespace

TEST_CASE("help and usage") {
  REQUIRE(contains(success({"--help"}), "Exit codes: 0 success, 2 bad usage"));
  REQUIRE(success({"--version"}) == std::string("kdscope ") + version() + "\n");
  for (const cli::Command& c : cli::commands()) {
    REQUIRE(contains(success({"--help"}), "  " + c.spec.name + " "));
    const std::string help = success({c.spec.name, "--help"});
    REQUIRE(success({"help", c.spec.name}) == help);
    for (const Option& o : c.spec.options) REQUIRE(contains(help, "  " + o.name));
  }
  REQUIRE(run({}).code == 2);
  REQUIRE(contains(failure({"biuld"}, 2), "did you mean build?"));
  REQUIRE(contains(failure({"build", "--dta", "wald-10"}, 2), "did you mean --data?"));
  REQUIRE(contains(failure({"build"}, 2), "build needs --data SPEC"));
  REQUIRE(contains(failure({"help", "nothing-like-it"}, 2), "there is no command"));
}

TEST_CASE("list names what this build has") {
  REQUIRE(contains(success({"list", "algorithms"}), "wald  Left-balanced tag-and-sort (Wald 2023)"));
  REQUIRE(contains(success({"list", "algorithms"}), "sort=radix"));
  REQUIRE(contains(success({"list", "datasets"}), "wald-10"));
  REQUIRE(contains(success({"list", "devices"}), "cpu  "));
  const Json listed = json({"list", "algorithms"});
  const auto wald =
      std::find_if(listed.list.begin(), listed.list.end(), [](const Json& a) { return a["id"].text == "wald"; });
  REQUIRE(wald != listed.list.end());
  REQUIRE((*wald)["parameters"].list[0]["choices"].list.size() >= 2);
  REQUIRE(json({"list", "datasets"}).list.size() == data_sources().size());
  REQUIRE(json({"list", "devices"})["devices"].list.size() >= 1);
  const CommandRun lessons = run({"list", "lessons", "--json"});
  REQUIRE(lessons.code == 0);
  REQUIRE(JsonReader::read(lessons.out).kind == Json::Kind::list);
  REQUIRE(contains(failure({"list", "device"}, 2), "did you mean devices?\n"));
  REQUIRE(contains(failure({"list", "experiments"}, 2), "kdscope-cli experiment list"));
  REQUIRE(contains(failure({"list"}, 2), "list needs WHAT"));
}

TEST_CASE("build reports size, device, times, memory and hash") {
  const std::string text =
      success({"build", "--data", "wald-10", "--backend", "cpu", "--repeat", "3", "--verify", "--time-steps"});
  for (const char* part : {"10 of 2 dimensions, int", "cpu, ", "median of 3", "on the device", "sort's temporary",
                           "tree hash         0x", "build / level 0 / sort", "ok      kd-order"})
    REQUIRE(contains(text, part));
  REQUIRE_FALSE(contains(text, "FAILED"));

  const Json report =
      json({"build", "--data", "uniform:n=1000,dim=3", "--backend", "cpu", "--repeat", "2", "--verify"});
  REQUIRE(report["n"].number == 1000);
  REQUIRE(report["build_ms"].list.size() == 2);
  REQUIRE(report["tree_hash"].text.size() == 18);
  REQUIRE(report["checks"].list.size() >= 3);
  // The same input makes the same tree with every sort.
  for (const char* sort : {"radix", "comparator", "bitonic"})
    REQUIRE(json({"build", "--data", "uniform:n=1000,dim=3", "--backend", "cpu", "--param",
                  std::string("sort=") + sort})["tree_hash"]
                .text == report["tree_hash"].text);
  const Json one = json({"build", "--data", "uniform:n=1000,dim=3", "--backend", "cpu", "--processors", "1"});
  REQUIRE(one["processors"].number == 1);
  REQUIRE(one["tree_hash"].text == report["tree_hash"].text);
  REQUIRE(json({"build", "--data", "uniform:n=0,dim=3", "--backend", "cpu", "--verify"})["n"].number == 0);
}

TEST_CASE("repeat compares the runs of one build") {
  const std::string text = success({"repeat", "--times", "3", "--data", "wald-10", "--backend", "cpu"});
  REQUIRE(contains(text, "all 3 runs are equal"));
  const Json equal = json({"repeat", "--times", "2", "--data", "wald-10", "--backend", "cpu"});
  REQUIRE(equal["runs"].number == 2);
  REQUIRE(equal["different_runs"].number == 0);
  REQUIRE(equal["varying"].list.empty());
  REQUIRE(contains(failure({"repeat", "--times", "1", "--data", "wald-10"}, 2), "--times cannot be '1'"));
  REQUIRE(contains(success({"build", "--data", "wald-10", "--backend", "cpu", "--repeat", "2"}), "equal builds"));
}

TEST_CASE("build reports distinct coordinates that share a key") {
  const std::vector<std::string> ints{
      "build",   "--algorithm", "wehr", "--backend", "cpu", "--data", "uniform:n=20000,dim=3,type=int,range=2147483647",
      "--verify"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), ints.begin(), ints.end());
    return more;
  };
  REQUIRE(contains(success(ints), "\nkeys              distinct coordinates have distinct keys\n"));
  const Json exact = json(ints);
  CHECK(exact["coordinates_sharing_a_key"].number == 0);
  // The source's keys put one of these points on the wrong side.
  const CommandRun quantized = run(with({"--param", "keys=quantized"}));
  CHECK(quantized.code == 4);
  CHECK(contains(quantized.out,
                 " distinct coordinates share a key with another one, so points may lie on a wrong side of a plane\n"));
  const Json lossy = JsonReader::read(run(with({"--param", "keys=quantized", "--json"})).out);
  CHECK(lossy["coordinates_sharing_a_key"].number > 0);
  CHECK(lossy["distinct_coordinates"].number <= 60000);
  CHECK(contains(
      quantized.out,
      "\nkeys              " + std::to_string(static_cast<int>(lossy["coordinates_sharing_a_key"].number)) + " of "));
  REQUIRE_FALSE(
      contains(success({"build", "--algorithm", "wald", "--backend", "cpu", "--data", "wald-10"}), "\nkeys "));
}

TEST_CASE("build refuses what it cannot do, each with its exit code") {
  REQUIRE(contains(failure({"build", "--data", "wald-11"}, 3), "wald-10"));
  REQUIRE(contains(failure({"build", "--data", "uniform:n=10,dim=9"}, 3), "1 to 8 dimensions"));
  REQUIRE(contains(failure({"build", "--data", "wald-10", "--algorithm", "wlad"}, 2), "did you mean wald?"));
  REQUIRE(contains(failure({"build", "--data", "wald-10", "--param", "sort=quick"}, 2), "radix"));
  REQUIRE(contains(failure({"build", "--data", "wald-10", "--param", "sort"}, 2), "NAME=VALUE"));
  REQUIRE(contains(failure({"build", "--data", "wald-10", "--param", "colour=red"}, 2), "colour"));
  REQUIRE(
      contains(failure({"build", "--data", "wald-10", "--param", "sort=radix", "--param", "sort=radix"}, 2), "twice"));
  REQUIRE(contains(failure({"build", "--data", "wald-10", "--backend", "gpu"}, 2), "cuda"));
  REQUIRE(contains(failure({"build", "--data", "wald-10", "--repeat", "0"}, 2), "--repeat cannot be '0'"));
  REQUIRE(contains(failure({"build", "--data", "wald-10", "--processors", "0"}, 2), "--processors cannot be '0'"));
  REQUIRE(contains(failure({"build", "--data", "wald-10", "--backend", "cpu", "--processors", "5000"}, 5),
                   "there are only "));
  REQUIRE(contains(failure({"build", "--data", "wald-10", "--tree-out", "tree.txt"}, 2), ".csv or .npy"));
  REQUIRE(
      contains(run({"build", "--data", "wald-10", "--tree-out", "/no/such/folder/tree.csv"}).err, "cannot be written"));
  REQUIRE(run({"build", "--data", "wald-10", "--tree-out", "/no/such/folder/tree.csv"}).code == 5);
  // The check comes before all slow work; missing data are not even searched.
  REQUIRE(contains(run({"build", "--data", "none", "--tree-out", "/no/such/folder/tree.csv"}).err,
                   "there is no folder /no/such/folder"));
  REQUIRE(contains(run({"record", "--data", "none", "-o", "/no/such/folder/ten.kdtrace"}).err,
                   "there is no folder /no/such/folder"));
  if (find_devices().devices.front().backend == Backend::cpu)
    failure({"build", "--data", "wald-10", "--backend", "cuda"}, 5);
}

TEST_CASE("a stop request ends a run") {
  std::stop_source stop;
  stop.request_stop();
  const CommandRun r =
      run({"build", "--data", "uniform:n=100000", "--backend", "cpu", "--repeat", "1000"}, stop.get_token());
  REQUIRE(r.code == 5);
  REQUIRE(r.out.empty());
  REQUIRE_FALSE(r.err.empty());
}

TEST_CASE("an exception of a library is one sentence") {
  struct Broken : std::streambuf {
    int overflow(int) override { throw std::runtime_error("the pipe burst"); }
  } broken;
  std::ostream out(&broken);
  out.exceptions(std::ios::badbit);
  std::ostringstream err;
  cli::Console console{out, err, {}};
  REQUIRE(cli::run_command_line({"list", "algorithms"}, console) == 5);
  REQUIRE(contains(err.str(), "kdscope-cli: a library failed: the pipe burst"));
}

TEST_CASE("trees are written and read back, and verified") {
  const Folder folder;
  // The grid's coordinates are floats, all of which are whole.
  for (const char* data : {"wald-10", "uniform:n=1000,dim=3", "uniform:n=500,dim=5,type=int", "grid:n=300,dim=1",
                           "grid:n=20,dim=2,seed=1", "uniform:n=1", "uniform:n=0"}) {
    for (const char* split : {"round-robin", "widest"}) {
      std::string hash;
      for (const char* ending : {".csv", ".npy"}) {
        const std::string path = folder.file(std::string("tree") + ending);
        hash = json({"build", "--data", data, "--backend", "cpu", "--param", std::string("split=") + split,
                     "--tree-out", path})["tree_hash"]
                   .text;
        INFO(data << " " << split << " " << ending);
        const Json with_data = json({"verify", path, "--data", data, "--split", split});
        REQUIRE(with_data["passed"].truth);
        const Json alone = json({"verify", path});
        REQUIRE(alone["passed"].truth);
        if (std::string(data) == "uniform:n=0") continue;
        REQUIRE(with_data["tree_hash"].text == hash);
        REQUIRE(alone["tree_hash"].text == hash);
      }
    }
  }
  REQUIRE(success({"build", "--data", "wald-10", "--backend", "cpu", "--tree-out", folder.file("ten.csv")}).size() > 0);
  REQUIRE(content_of(folder.file("ten.csv")) ==
          "original_index,split_dimension,x,y\n1,0,46,63\n5,1,15,43\n9,1,53,67\n3,0,40,33\n6,0,44,58\n2,0,68,21\n8,0,"
          "62,69\n0,1,10,15\n"
          "7,1,45,40\n4,1,25,54\n");
}

TEST_CASE("verify finds what is wrong with a tree") {
  const Folder folder;
  const std::string path = folder.file("ten.csv");
  success({"build", "--data", "wald-10", "--backend", "cpu", "--tree-out", path});
  const std::string good = content_of(path);
  const auto replaced = [&](const std::string& from, const std::string& to) {
    std::string text = good;
    text.replace(text.find(from), from.size(), to);
    put(path, text);
  };
  const auto fails = [&](std::vector<std::string> more = {}) {
    more.insert(more.begin(), {"verify", path});
    const CommandRun r = run(more);
    REQUIRE(r.code == 4);
    REQUIRE(contains(r.out, "FAILED"));
    more.emplace_back("--json");
    REQUIRE_FALSE(JsonReader::read(run(more).out)["passed"].truth);
    return r.out;
  };
  replaced("5,1,15,43", "5,1,60,43");
  REQUIRE(contains(fails(), "FAILED  kd-order"));
  replaced("5,1,15,43", "4,1,15,43");
  REQUIRE(contains(fails(), "FAILED  permutation"));
  replaced("5,1,15,43", "99,1,15,43");
  REQUIRE(contains(fails(), "FAILED  permutation"));
  replaced("5,1,15,43", "5,7,15,43");
  fails({"--split", "round-robin"});
  replaced("4,1,25,54", "4,1,26,54");
  REQUIRE(contains(fails({"--data", "wald-10"}), "FAILED  records"));
  replaced("4,1,25,54\n", "");
  REQUIRE(contains(fails({"--data", "wald-10"}), "FAILED"));
  REQUIRE(contains(failure({"verify", path, "--data", "uniform:n=10,dim=3"}, 3), "2 dimensions"));
  failure({"verify", path, "--split", "odd"}, 2);
}

TEST_CASE("damaged tree files are refused with the place") {
  const Folder folder;
  const std::string csv = folder.file("t.csv"), npy = folder.file("t.npy");
  const std::string head = "original_index,split_dimension,x\n";
  const auto refused = [&](const std::string& text, const std::string& says) {
    put(csv, text);
    REQUIRE(contains(failure({"verify", csv}, 3), says));
  };
  refused("", "t.csv:1:1: the first row");
  refused("x,y\n1,2\n", "t.csv:1:1: the first row");
  refused(head + "0,0\n", "t.csv:2:1: the row has 2 values");
  refused(head + "0,0,1\n-1,0,1\n", "t.csv:3:1: '-1' is no index");
  refused(head + "0,256,1\n", "t.csv:2:2: '256' is no dimension");
  refused(head + "0,0,1x\n", "t.csv:2:3: '1x' is no coordinate");
  refused(head + "0,0,nan\n", "t.csv:2:3: 'nan' is no coordinate");
  refused(head + "0,0,\n", "t.csv:2:3: '' is no coordinate");
  REQUIRE(contains(failure({"verify", folder.file("absent.npy")}, 3), "there is no such file"));
  for (const char* ending : {".csv", ".npy"})  // too long for a file name
    REQUIRE(contains(failure({"verify", folder.file(std::string(300, 'x') + ending)}, 3), "cannot be opened"));
  REQUIRE(std::filesystem::create_directory(folder.file("folder.csv")));
  REQUIRE(contains(failure({"verify", folder.file("folder.csv")}, 3), "the folder has no shares"));

  success({"build", "--data", "uniform:n=20,dim=2", "--backend", "cpu", "--tree-out", npy});
  const std::string good = content_of(npy);
  REQUIRE(good.size() % 64 == (20 * 13) % 64);
  for (std::size_t length = 0; length < good.size(); length += 3) {
    put(npy, good.substr(0, length));
    failure({"verify", npy}, 3);
  }
  for (std::size_t at = 0; at < good.size(); at += 2) {
    std::string changed = good;
    changed[at] = static_cast<char>(changed[at] ^ (1 << (at % 8)));
    put(npy, changed);
    const int code = run({"verify", npy}).code;
    REQUIRE((code == 0 || code == 3 || code == 4));
  }
}

TEST_CASE("experiments print measured beside printed values") {
  const std::string csv = success({"experiment", "wald-table-1", "--max-n", "1K", "--backend", "cpu", "--repeat", "2"});
  REQUIRE(contains(csv, "data,n,sort,backend,device,repeats,median_ms"));
  REQUIRE(contains(csv, "\nint1,1000,radix,cpu,"));
  REQUIRE(contains(csv, "\nfloat4,1000,radix,cpu,"));
  REQUIRE(contains(csv, ",<1,<1,<1\n"));
  REQUIRE_FALSE(contains(csv, "10000,"));
  const Folder folder;
  REQUIRE(success({"experiment", "wald-table-1", "--max-n", "1K", "--backend", "cpu", "--repeat", "1", "--param",
                   "sort=bitonic", "-o", folder.file("t.csv"), "--page", folder.file("t.html")})
              .empty());
  const std::string page = content_of(folder.file("t.html"));
  REQUIRE(contains(page, "<td>float4</td><td>1000</td><td>bitonic</td>"));
  REQUIRE(contains(page, "Printed: Wald 2023, Table 1"));  // a text of the chart
  REQUIRE(contains(page, "int1, 1K: "));                   // what is spoken of a mark
  failure({"experiment", "wald-table-1", "-o", folder.file("t.csv"), "--page", folder.file("t.csv")}, 2);
  failure({"experiment", "wald-table-1", "--page", "/no/such/folder/t.html"}, 5);
  REQUIRE(contains(content_of(folder.file("t.csv")), "float4,1000,bitonic,cpu"));
  REQUIRE(contains(success({"experiment", "list"}), "wald-table-1"));
  REQUIRE(contains(failure({"experiment", "wald-tabel-1"}, 2), "did you mean wald-table-1?"));
  const std::string before = content_of(folder.file("t.csv"));
  failure({"experiment", "wald-table-1", "--max-n", "10", "-o", folder.file("t.csv")}, 2);
  REQUIRE(content_of(folder.file("t.csv")) == before);
  failure({"experiment", "wald-table-1", "--max-n", "10", "-o", folder.file("new.csv")}, 2);
  REQUIRE_FALSE(std::filesystem::exists(folder.file("new.csv")));
  failure({"experiment", "wald-table-1", "-o", "/no/such/folder/t.csv"}, 5);
}

TEST_CASE("experiments take parameters, and say what a reason is in quotes where it must be") {
  const std::string csv = success({"experiment", "wehr-table-1", "--max-n", "3200", "--backend", "cpu", "--repeat", "2",
                                   "--param", "tpb=64", "--param", "base=16"});
  REQUIRE(contains(
      csv, "method,n,tpb,base,keys,sort,cutoff,f,backend,device,repeats,median_ms,min_ms,max_ms,mean_ms,sd_ms,"));
  REQUIRE(contains(csv, "\nwehr,3200,64,16,quantized,adaptive,64,33554431,cpu,"));
  REQUIRE(contains(csv, ",3.5\n"));
  failure({"experiment", "wehr-table-1", "--param", "tpb"}, 2);
  failure({"experiment", "wehr-table-1", "--param", "tpb=32", "--param", "tpb=64"}, 2);
  REQUIRE(contains(failure({"experiment", "wald-table-1", "--param", "tpb=32"}, 2), "has no parameter 'tpb'"));
  REQUIRE(contains(success({"experiment", "list"}), "wehr-fig-10"));
}

TEST_CASE("tune searches, keeps what it found, and builds use it") {
  const Folder folder;
  const char* const before = std::getenv("KDSCOPE_TUNING");
  const std::string kept = before ? before : "";
  ::setenv("KDSCOPE_TUNING", folder.file("tuning").c_str(), 1);
  const std::vector<std::string> search{"tune", "wehr", "--backend", "cpu", "--max-n", "100", "--repeat", "1"};
  std::vector<std::string> unkept = search;
  unkept.push_back("--no-store");
  const std::string header = "algorithm,parameter,backend,device,n,value,median_ms,best\nwehr,tpb,cpu,";
  const std::vector<std::string> builds{"build", "--algorithm", "wehr", "--data", "uniform:n=50", "--backend", "cpu"};
  const auto tpb = [&] {
    const std::string out = success(builds);
    return out.substr(out.find(" tpb="), out.find('\n', out.find(" tpb=")) - out.find(" tpb="));
  };
  const std::string usual = tpb();
  const auto tried = run(unkept);
  REQUIRE(tried.code == 0);
  REQUIRE(contains(tried.out, header));
  REQUIRE_FALSE(std::filesystem::exists(folder.file("tuning")));
  const auto searched = run(search);
  REQUIRE(searched.code == 0);
  REQUIRE(contains(searched.err, "Kept in " + folder.file("tuning")));
  // One build of each is too few for a clear winner, so "auto" stays what it is
  REQUIRE(contains(success({"tune", "list", "--backend", "cpu"}), header));
  REQUIRE(tpb() == usual);
  failure({"tune", "wald"}, 2);
  failure({"tune", "no-such"}, 2);
  failure({"tune", "wehr", "--parameter", "f"}, 2);
  kept.empty() ? ::unsetenv("KDSCOPE_TUNING") : ::setenv("KDSCOPE_TUNING", kept.c_str(), 1);
}

#ifndef KDSCOPE_HAS_HDF5
TEST_CASE("without HDF5 the commands for traces say so") {
  REQUIRE(contains(failure({"record", "--data", "wald-10", "-o", "x.kdtrace"}, 5), "HDF5"));
  REQUIRE(contains(failure({"show", "x.kdtrace"}, 5), "HDF5"));
}
#else

namespace {

/// Records the ten points. The sort determines the steps.
std::string ten_points(const Folder& folder, const std::string& sort = "comparator",
                       const std::string& backend = "cpu") {
  const std::string path = folder.file(sort + ".kdtrace");
  success({"record", "--data", "wald-10", "--param", "sort=" + sort, "--backend", backend, "-o", path});
  return path;
}

}  // namespace

TEST_CASE("show prints the ten points as the paper does") {
  const Folder folder;
  const std::string path = ten_points(folder);
  const auto table = [&](const char* step) {
    return success({"show", path, "--step", step, "--arrays", "tags,data[i].x,data[i].y"});
  };
  const std::string indices = "array-idx:  0  1  2  3  4  5  6  7  8  9\n";
  const auto expect = [&](const char* step, const char* rows) {
    const std::string text = table(step);
    INFO(text);
    REQUIRE(contains(text, indices + rows));
    REQUIRE(text.substr(text.size() - std::string(rows).size()) == rows);
  };
  // Check every state that the paper's section 5 prints.
  expect("initialise tags",
         "tags     :  0  0  0  0  0  0  0  0  0  0\n"
         "data[i].x: 10 46 68 40 25 15 44 45 62 53\n"
         "data[i].y: 15 63 21 33 54 43 58 40 69 67\n");
  expect("level 0 / sort",
         "tags     :  0  0  0  0  0  0  0  0  0  0\n"
         "data[i].x: 10 15 25 40 44 45 46 53 62 68\n"
         "data[i].y: 15 43 54 33 58 40 63 67 69 21\n");
  expect("level 0 / update tags",
         "tags     :  1  1  1  1  1  1  0  2  2  2\n"
         "data[i].x: 10 15 25 40 44 45 46 53 62 68\n"
         "data[i].y: 15 43 54 33 58 40 63 67 69 21\n");
  expect("level 1 / sort",
         "tags     :  0  1  1  1  1  1  1  2  2  2\n"
         "data[i].x: 46 10 40 45 15 25 44 68 53 62\n"
         "data[i].y: 63 15 33 40 43 54 58 21 67 69\n");
  expect("level 1 / update tags",
         "tags     :  0  3  3  3  1  4  4  5  2  6\n"
         "data[i].x: 46 10 40 45 15 25 44 68 53 62\n"
         "data[i].y: 63 15 33 40 43 54 58 21 67 69\n");
  expect("level 2 / sort",
         "tags     :  0  1  2  3  3  3  4  4  5  6\n"
         "data[i].x: 46 15 53 10 40 45 25 44 68 62\n"
         "data[i].y: 63 43 67 15 33 40 54 58 21 69\n");
  expect("level 2 / update tags",
         "tags     :  0  1  2  7  3  8  9  4  5  6\n"
         "data[i].x: 46 15 53 10 40 45 25 44 68 62\n"
         "data[i].y: 63 43 67 15 33 40 54 58 21 69\n");
  expect("final sort",
         "tags     :  0  1  2  3  4  5  6  7  8  9\n"
         "data[i].x: 46 15 53 40 44 68 62 10 45 25\n"
         "data[i].y: 63 43 67 33 58 21 69 15 40 54\n");
}

TEST_CASE("show selects steps and arrays, leaves out with a word, and speaks JSON") {
  const Folder folder;
  const std::string path = ten_points(folder);
  const std::string overview = success({"show", path});
  REQUIRE(contains(overview, "Left-balanced tag-and-sort (Wald 2023)"));
  REQUIRE(contains(overview, "wald-10: 10 points of 2 dimensions, int"));
  REQUIRE(contains(overview, "  0  build / initialise tags\n"));
  REQUIRE(contains(overview, "build / final sort"));
  const std::string all = success({"show", path, "--all"});
  REQUIRE(contains(all, "step 0: build / initialise tags"));
  REQUIRE(contains(all, "step 7: build / final sort"));

  const std::string elided = success({"show", path, "--step", "0", "--arrays", "data[i].x", "--columns", "5"});
  REQUIRE(contains(elided,
                   "array-idx:  0  1  2 ...  8  9\ndata[i].x: 10 46 68 ... 62 53\n(5 of 10 columns left out, 3 to 7; "
                   "--full shows all)\n"));
  REQUIRE(contains(success({"show", path, "--step", "0", "--arrays", "data[i].x", "--columns", "5", "--full"}),
                   "44 45 62 53"));
  // Arrays over other indices have their own tables, and invalid ids are dashes.
  const std::string nodes =
      success({"show", path, "--step", "level 0 / update tags", "--arrays", "tags,partition.parent,partition.box"});
  REQUIRE(contains(nodes, "array-idx: 0"));
  REQUIRE(contains(nodes, "node-idx "));
  REQUIRE(contains(nodes, "partition.parent    :  -  0  0\n"));
  REQUIRE(contains(nodes, "partition.box.high.y"));

  const Json report = json({"show", path, "--step", "1"});
  REQUIRE(report["steps"].list.size() == 1);
  REQUIRE(report["steps"].list[0]["rows"]["tags"].list.size() == 10);
  REQUIRE(report["steps"].list[0]["rows"]["data[i].x"].list[1].number == 15);
  REQUIRE(report["steps"].list[0]["checks"].list[0]["passed"].truth);
  REQUIRE(json({"show", path})["steps"].list.size() == 9);
  REQUIRE(json({"show", path, "--all"})["steps"].list[0]["rows"]["tags"].list.size() == 10);

  REQUIRE(contains(failure({"show", path, "--step", "9"}, 2), "the steps are 0 to 8"));
  REQUIRE(contains(failure({"show", path, "--step", "sort"}, 2), "3 steps are called 'sort' (1, 3, 5)"));
  REQUIRE(contains(failure({"show", path, "--step", "level 9"}, 2), "no step is called"));
  REQUIRE(contains(failure({"show", path, "--arrays", "tgas"}, 2), "did you mean tags?"));
  failure({"show", path, "--step", "1", "--all"}, 2);
  REQUIRE(contains(failure({"show", folder.file("absent.kdtrace")}, 3), "cannot be opened"));
  put(folder.file("text.kdtrace"), "hello");
  REQUIRE(contains(failure({"show", folder.file("text.kdtrace")}, 3), "is not a kdscope trace"));
}

TEST_CASE("a recorded run has the full-speed run's tree, and verifies") {
  const Folder folder;
  for (const char* sort : {"radix", "comparator", "bitonic"}) {
    const std::string path = folder.file("r.kdtrace");
    const Json recorded = json({"record", "--data", "bunny:sample=700,seed=3", "--backend", "cpu", "--param",
                                "split=widest", "--param", std::string("sort=") + sort, "-o", path});
    REQUIRE(recorded["failed_checks"].number == 0);
    REQUIRE(recorded["checks"].number > 10);
    REQUIRE(recorded["tree_hash"].text == json({"build", "--data", "bunny:sample=700,seed=3", "--backend", "cpu",
                                                "--param", "split=widest"})["tree_hash"]
                                              .text);
    const Json verified = json({"verify", path});
    REQUIRE(verified["passed"].truth);
    REQUIRE(verified["checks"].list.size() >= 6);
    REQUIRE(verified["tree_hash"].text == recorded["tree_hash"].text);
  }
  for (const char* data : {"uniform:n=0", "uniform:n=1,dim=1", "uniform:n=2,dim=8,type=int", "grid:n=100,dim=3"}) {
    success({"record", "--data", data, "--backend", "cpu", "-o", folder.file("r.kdtrace")});
    INFO(data);
    REQUIRE(contains(success({"verify", folder.file("r.kdtrace")}), "ok "));
    success({"show", folder.file("r.kdtrace"), "--all"});
  }
}

TEST_CASE("a recorded trace is equal after saving, and stepping back gives the states of stepping forwards") {
  const Folder folder;
  for (const char* data : {"wald-10", "clustered:n=3000,dim=4", "grid:n=2000,dim=2"}) {
    for (const char* split : {"round-robin", "widest"}) {
      const auto trace = recorded(data, {}, {{"split", split}});
      REQUIRE(save_trace(*trace, folder.file("r.kdtrace")));
      const auto loaded = load_trace(folder.file("r.kdtrace")).value();
      REQUIRE(equal(*loaded, *trace));
      Cursor cursor(loaded);
      std::vector<std::uint64_t> forwards;
      for (std::uint32_t s = 0; s < cursor.step_count(); ++s) {
        cursor.seek(s);
        forwards.push_back(cursor.state_hash());
      }
      for (std::uint32_t s = cursor.step_count(); s-- > 0;) {
        cursor.seek(s);
        REQUIRE(cursor.state_hash() == forwards[s]);
      }
    }
  }
}

TEST_CASE("record keeps to its budget and leaves an older trace alone") {
  const Folder folder;
  const std::string path = ten_points(folder);
  const std::string before = content_of(path);
  REQUIRE(
      contains(failure({"record", "--data", "uniform:n=100000", "--backend", "cpu", "--budget", "1M", "-o", path}, 5),
               "budget"));
  failure({"record", "--data", "wald-10", "--budget", "none", "-o", path}, 2);
  REQUIRE(content_of(path) == before);
  REQUIRE(contains(failure({"record", "--data", "wald-10"}, 2), "record needs -o F.kdtrace"));
  failure({"record", "--data", "wald-10", "-o", "/no/such/folder/x.kdtrace"}, 5);
  const Json thin =
      json({"record", "--data", "uniform:n=1000", "--backend", "cpu", "--thin", "-o", folder.file("thin")});
  const Json full = json({"record", "--data", "uniform:n=1000", "--backend", "cpu", "-o", folder.file("full")});
  REQUIRE(thin["steps"].number < full["steps"].number);
  REQUIRE(thin["tree_hash"].text == full["tree_hash"].text);
  success({"verify", folder.file("thin")});
}

TEST_CASE("verify fails for a trace whose checks failed or whose tree is another") {
  const Folder folder;
  const std::string path = ten_points(folder);
  Trace trace = **load_trace(path);
  trace.steps[2].checks[0].passed = false;
  trace.steps[2].checks[0].detail = "position 7";
  REQUIRE(save_trace(trace, path));
  CommandRun r = run({"verify", path});
  REQUIRE(r.code == 4);
  REQUIRE(contains(r.out, "step 2 (build / level 0 / update tags)"));
  REQUIRE(contains(r.out, "position 7"));
  trace.steps[2].checks[0].passed = true;
  trace.header.tree_hash ^= 1;
  REQUIRE(save_trace(trace, path));
  r = run({"verify", path});
  REQUIRE(r.code == 4);
  REQUIRE(contains(r.out, "FAILED  tree hash"));
  failure({"verify", path, "--data", "wald-10"}, 2);
  put(path, content_of(path).substr(0, 5000));
  REQUIRE(contains(failure({"verify", path}, 3), "cut short"));
}

TEST_CASE("diff names the first step that differs, and there all arrays, with elements and values") {
  const Folder folder;
  const std::string a = ten_points(folder), b = folder.file("b.kdtrace");
  REQUIRE(contains(success({"diff", a, a}), "equal: 9 steps"));
  REQUIRE(json({"diff", a, a})["equal"].truth);

  // Plant differences in elements of one version.
  Trace trace = **load_trace(a);
  for (Trace::Array& array : trace.arrays) {
    if (array.info.name != "tags") continue;
    for (ArrayVersion& v : array.versions)
      if (v.step == 4 && v.keyframe) v.values.bytes()[4 * 6] = v.values.bytes()[4 * 8] = std::byte{9};
  }
  REQUIRE_FALSE(equal(trace, **load_trace(a)));
  REQUIRE(save_trace(trace, b));
  const CommandRun r = run({"diff", a, b});
  REQUIRE(r.code == 4);
  INFO(r.out);
  REQUIRE(r.out ==
          "step 4 (build / level 1 / update tags), array tags: 2 of 10 elements differ\n"
          "  index 6 (point 6, node 4): 4 in " +
              a + ", 9 in " + b + "\n  index 8 (point 9, node 2): 2 in " + a + ", 9 in " + b +
              "\n  around the first: 1 4 [4] 5 2 in " + a + ", 1 4 [9] 5 9 in " + b + "\nto see it: kdscope " + a +
              " " + b + "\n");
  const CommandRun as_json = run({"diff", a, b, "--json"});
  REQUIRE(as_json.code == 4);
  const Json report = JsonReader::read(as_json.out);
  REQUIRE(report["step"].number == 4);
  REQUIRE(report["arrays"].list.size() == 1);
  REQUIRE(report["arrays"].list[0]["array"].text == "tags");
  REQUIRE(report["arrays"].list[0]["different"].number == 2);
  REQUIRE(report["arrays"].list[0]["first"].list[0]["index"].number == 6);
  REQUIRE(report["arrays"].list[0]["first"].list[0]["b"].text == "9");
  REQUIRE(report["arrays"].list[0]["first"].list[0]["node"].number == 4);
  success({"diff", a, b, "--array", "index"});

  // A derived row is compared by the elements that it gathers.
  put(folder.file("points.csv"), "x,y\n10,15\n46,63\n68,21\n41,33\n25,54\n15,43\n44,58\n45,40\n62,69\n53,67\n");
  const std::string moved = folder.file("moved.kdtrace");
  const auto record_points = [&](const std::string& points, const std::string& to) {
    success({"record", "--data", points, "--param", "sort=comparator", "--backend", "cpu", "-o", to});
  };
  record_points(folder.file("points.csv"), moved);
  const CommandRun derived = run({"diff", a, moved, "--array", "data[i].x"});
  INFO(derived.out);
  REQUIRE(derived.code == 4);
  REQUIRE(contains(derived.out,
                   "step 0 (build / initialise tags), array data[i].x: 1 of 10 elements differs\n  index 3 (point 3, "
                   "node 0): 40 in " +
                       a + ", 41 in " + moved + "\n"));
  REQUIRE(contains(derived.out, "tree hash: 0x"));
  REQUIRE(contains(derived.out, "compared only data[i].x\n"));
  REQUIRE(contains(success({"diff", a, moved, "--array", "data[i].y"}), "equal"));
  put(folder.file("nine.csv"), "x,y\n10,15\n46,63\n68,21\n40,33\n25,54\n15,43\n44,58\n45,40\n62,69\n");
  record_points(folder.file("nine.csv"), b);
  for (const auto& [first, second] : {std::pair(a, b), std::pair(b, a)})
    REQUIRE(contains(run({"diff", first, second, "--array", "data[i].x"}).out,
                     "array data[i].x: " + std::string(first == a ? "10 elements" : "9 elements") + " in "));

  // Variants with different steps diverge there. Their common steps can still be compared array by array.
  const std::string radix = ten_points(folder, "radix");
  const CommandRun variants = run({"diff", a, radix});
  REQUIRE(variants.code == 4);
  REQUIRE(contains(variants.out, "steps: 9 in " + a + ", 10 in " + radix + "\n"));
  REQUIRE(contains(variants.out, "array rank: only in " + radix + "\n"));
  REQUIRE(contains(variants.out,
                   "step 1: build / level 0 / sort in " + a + ", build / rank coordinates in " + radix + "\n"));
  REQUIRE(success({"diff", a, radix, "--array", "tags", "--array", "index"}) ==
          "steps: 9 in " + a + ", 10 in " + radix +
              "\ntags, index are equal at the 9 steps of the same name\ncompared only tags, index\n");
  REQUIRE(contains(failure({"diff", a, b, "--array", "tgas"}, 2), "did you mean tags?"));
  failure({"diff", a}, 2);
  failure({"diff", a, folder.file("absent")}, 3);
}
#endif

TEST_CASE("what a run is over is counted as what it is: triangles or points") {
  const Folder folder;
  int of_points = 0, of_triangles = 0, with_leaves = 0;
  for (const AlgorithmSpec& algorithm : algorithms()) {
    INFO(algorithm.id);
    const std::string data = algorithm.takes_triangles ? "zhou-8" : "wald-10",
                      over = algorithm.takes_triangles ? "8 triangles, " : "10 points, ";
    if (open_data_set(data).value()->points.dim < algorithm.min_dim) continue;
    ++(algorithm.takes_triangles ? of_triangles : of_points);
    const std::string trace = folder.file(algorithm.id + ".kdtrace"), tree = folder.file(algorithm.id + ".csv");
    CHECK(contains(success({"record", "--algorithm", algorithm.id, "--data", data, "--backend", "cpu", "-o", trace}),
                   " on " + over));
    CHECK(contains(success({"verify", trace}), "trace of " + over));
    const std::string built =
        success({"build", "--algorithm", algorithm.id, "--data", data, "--backend", "cpu", "--tree-out", tree});
    CHECK(contains(success({"verify", tree}), "tree of " + over));
    // The contents of the leaves of split planes.
    with_leaves += contains(built, "\ntree  ");
    if (contains(built, "\ntree  "))
      CHECK(contains(built, algorithm.takes_triangles ? "9 triangles listed in them" : "10 points listed in them"));
    CHECK_FALSE(contains(built, "only by a bound"));
    const std::string refused = failure(
        {"record", "--algorithm", algorithm.id, "--data", data, "--backend", "cpu", "--budget", "1", "-o", trace}, 5);
    CHECK(contains(refused, "recording " + over.substr(0, over.size() - 2)));
  }
  CHECK(of_points > 0);
  CHECK(of_triangles > 0);
  CHECK(with_leaves > 0);
}

TEST_CASE("variant new: the command that it prints can be typed, whatever the file is called") {
  const Folder folder;
  for (const char* name : {"my.cu", "my variant.cu", "it's $mine.cu"}) {
    const CommandRun r = ended({"variant", "new", "wald", "update_tags", "--out", folder.file(name)});
    CHECK(r.out.find("kdscope-cli variant build " + shell_word(folder.file(name))) != std::string::npos);
  }
  CHECK(shell_word("my variant.cu") == "'my variant.cu'");
}
