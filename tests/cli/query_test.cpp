// Tests the command query.
#include <cstring>

#include "algorithms/core/ids.hpp"
#include "algorithms/trace/trace_file.hpp"
#include "tests/cli/command_runs.hpp"

using namespace kdscope;
using namespace kdscope::tests;

TEST_CASE("query: Wald's ten points, by hand") {
  const Folder folder;
  const std::string out = folder.file("near.csv");
  const CommandRun r = run({"query", "--data", "wald-10", "--k", "2", "--verify", "--out", out, "--backend", "cpu"});
  INFO(r.err);
  CHECK(r.code == cli::exit_ok);
  CHECK(r.out.find("equal to a comparison with every point") != std::string::npos);
  const std::string rows = content_of(out);
  CHECK(rows.starts_with("query,rank,point,distance\n0,1,0,0\n0,2,"));
  CHECK(std::count(rows.begin(), rows.end(), '\n') == 21);
}

TEST_CASE("query: all searches, other queries, and a radius") {
  for (const char* id : {"stack", "stack-free", "closest-corner"}) {
    const CommandRun r =
        run({"query", "--data", "uniform:n=3000,dim=3,seed=1", "--queries", "uniform:n=200,dim=3,seed=2", "--k", "20",
             "--radius", "0.1", "--search", id, "--verify", "--json", "--backend", "cpu"});
    INFO(r.err);
    REQUIRE(r.code == cli::exit_ok);
    const Json json = JsonReader::read(r.out);
    CHECK(json["query_count"].number == 200);
    CHECK(json["verified"].truth);
    CHECK(json["visited_mean"].number < 600);
    CHECK(json["radius"].number == 0.1);
  }
}

TEST_CASE("query: neighbours as a NumPy array") {
  const Folder folder;
  const std::string out = folder.file("near.npy");
  const CommandRun r =
      run({"query", "--data", "wald-10", "--k", "3", "--radius", "15", "--out", out, "--backend", "cpu"});
  INFO(r.err);
  REQUIRE(r.code == cli::exit_ok);
  const std::string bytes = content_of(out);
  CHECK(bytes.starts_with("\x93NUMPY"));
  const std::size_t begin = bytes.find('\n') + 1;
  constexpr std::size_t row_bytes = 4 + 4 + 4 + 8;
  const std::size_t rows = (bytes.size() - begin) / row_bytes;
  REQUIRE(bytes.size() == begin + rows * row_bytes);
  CHECK(bytes.find("'shape': (" + std::to_string(rows) + ",)") != std::string::npos);
  CHECK(rows > 10);
  CHECK(rows < 30);  // the radius leaves some out
  const auto number = [&](std::size_t row, std::size_t column) {
    std::uint32_t value = 0;
    std::memcpy(&value, bytes.data() + begin + row_bytes * row + 4 * column, sizeof value);
    return value;
  };
  std::size_t first_ranks = 0;
  for (std::size_t row = 0; row < rows; ++row) {
    double squared_distance = 0;
    std::memcpy(&squared_distance, bytes.data() + begin + row_bytes * row + 12, sizeof squared_distance);
    CHECK(squared_distance <= 225);
    if (number(row, 1) != 1) continue;
    CHECK(number(row, 0) == first_ranks++);
    CHECK(number(row, 2) == number(row, 0));
    CHECK(squared_distance == 0);
  }
  CHECK(first_ranks == 10);
}

TEST_CASE("query: all points in a ball and in a box") {
  std::vector<double> results;
  for (const char* question : {"ball", "box"}) {
    const CommandRun r = run({"query", "--data", "uniform:n=2000,dim=3,seed=1", "--question", question, "--radius",
                              "0.1", "--verify", "--json", "--backend", "cpu"});
    INFO(r.err);
    REQUIRE(r.code == cli::exit_ok);
    const Json json = JsonReader::read(r.out);
    CHECK(json["question"].text == question);
    CHECK(json["recall"].number == 1);
    results.push_back(json["results"].number);
  }
  CHECK(results[0] > 2000);
  CHECK(results[1] > 1.5 * results[0]);
  CHECK(refusal({"query", "--data", "wald-10", "--question", "ball"}, cli::exit_bad_usage).find("needs a radius") !=
        std::string::npos);
}

TEST_CASE("query: the order of queries changes no answer") {
  const Folder folder;
  std::vector<std::string> rows;
  for (const char* order : {"given", "morton", "tree"}) {
    rows.push_back(folder.file(order + std::string(".csv")));
    const CommandRun r = run({"query", "--data", "uniform:n=2000,dim=3,seed=1", "--k", "4", "--order", order, "--json",
                              "--out", rows.back(), "--backend", "cpu"});
    INFO(r.err);
    REQUIRE(r.code == cli::exit_ok);
    const Json json = JsonReader::read(r.out);
    CHECK(json["order"].text == order);
    CHECK((json["sort_ms"].list.size() == 1) == (order == std::string("morton")));
  }
  CHECK(content_of(rows[0]) == content_of(rows[1]));
  CHECK(content_of(rows[0]) == content_of(rows[2]));
  const std::string refused = refusal({"query", "--data", "wald-10", "--order", "mortn"}, cli::exit_bad_usage);
  CHECK(refused.find("given, morton or tree") != std::string::npos);
}

TEST_CASE("query: what it refuses, in one sentence") {
  CHECK(refusal({"query", "--data", "wald-10", "--k", "0"}, cli::exit_bad_usage).find("--k") != std::string::npos);
  CHECK(refusal({"query", "--data", "wald-10", "--k", "11"}, cli::exit_bad_usage).find("only 10 points") !=
        std::string::npos);
  CHECK(refusal({"query", "--data", "wald-10", "--radius", "-1"}, cli::exit_bad_usage).find("radius is -1") !=
        std::string::npos);
  CHECK(refusal({"query", "--data", "wald-10", "--radius", "wide"}, cli::exit_bad_usage).find("give a number") !=
        std::string::npos);
  const std::string unknown = refusal({"query", "--data", "wald-10", "--search", "nothing-like"}, cli::exit_bad_usage);
  CHECK(unknown.find("there is no search 'nothing-like'; choose ") != std::string::npos);
  CHECK(unknown.find("stack-free") != std::string::npos);
  CHECK(refusal({"query", "--data", "hu-10", "--algorithm", "hu", "--search", "stack"}, cli::exit_bad_usage)
            .find("searches trees of kind left-balanced") != std::string::npos);
  CHECK(refusal({"query", "--data", "wald-10", "--queries", "uniform:n=3,dim=3"}, cli::exit_bad_input)
            .find("3 dimensions") != std::string::npos);
  CHECK(refusal({"query", "--data", "uniform:n=1,dim=2", "--k", "2"}, cli::exit_bad_usage).find("only 1 point;") !=
        std::string::npos);
}

TEST_CASE("query, record: what a search cannot answer is refused before a tree is built") {
  // A build would be cancelled at once.
  std::stop_source stopped;
  stopped.request_stop();
  const Folder folder;
  const std::string points = "uniform:n=2000,dim=2,seed=1";
  REQUIRE(run({"query", "--data", points}, stopped.get_token()).code != cli::exit_ok);
  struct Case {
    std::vector<std::string> words;
    std::string says;
  };
  const std::vector<Case> cases{{{"--question", "ball"}, "a ball needs a radius"},
                                {{"--question", "box"}, "a box needs a radius"},
                                {{"--k", "32", "--search", "no-such"}, "there is no search"},
                                {{"--search", "best-bin-first"}, "searches trees of kind"},
                                {{"--search", "stack", "--search-param", "queue=3"}, "has no parameter 'queue'"},
                                {{"--question", "any-hit"}, "is about rays"},
                                {{"--radius", "-1"}, "the radius is -1"}};
  for (const Case& each : cases)
    for (const bool records : {false, true}) {
      std::vector<std::string> words{"query", "--data", points};
      if (records)
        words = {"record",  "--data",  points, "--algorithm",           "wald",
                 "--query", "0.5,0.5", "-o",   folder.file("a.kdtrace")};
      words.insert(words.end(), each.words.begin(), each.words.end());
      const CommandRun r = run(words, stopped.get_token());
      INFO(words.front() << " " << each.words.front() << ": " << r.err);
      CHECK(r.code == cli::exit_bad_usage);
      CHECK(r.err.find(each.says) != std::string::npos);
    }
  const CommandRun many = run({"query", "--data", "uniform:n=9,dim=2,seed=1", "--k", "10"}, stopped.get_token());
  CHECK(many.err.find("k is 10, and the tree has only 9 points") != std::string::npos);
  const CommandRun rays = run({"query", "--data", "zhou-8", "--algorithm", "zhou-sah", "--queries", "random-rays:n=3"},
                              stopped.get_token());
  CHECK(rays.err.find("is about points") != std::string::npos);
}

TEST_CASE("query: the points of boxes are counted") {
  const Folder folder;
  const std::string out = folder.file("counts.csv"), array = folder.file("counts.npy");
  const CommandRun r = run({"query", "--data", "wald-10", "--question", "count", "--radius", "20", "--verify",
                            "--backend", "cpu", "--out", out});
  INFO(r.err);
  REQUIRE(r.code == cli::exit_ok);
  CHECK(r.out.find("search            box-count, count, radius 20\n") != std::string::npos);
  CHECK(r.out.find("equal to a comparison with every point") != std::string::npos);
  // Of the ten points, those whose x and y differ from (10, 15) by at most 20: itself, and (15, 35) does not
  const std::string rows = content_of(out);
  CHECK(rows.starts_with("query,count\n0,"));
  CHECK(std::count(rows.begin(), rows.end(), '\n') == 11);
  REQUIRE(
      run({"query", "--data", "wald-10", "--question", "count", "--radius", "1000", "--backend", "cpu", "--out", array})
          .code == cli::exit_ok);
  const std::string bytes = content_of(array);
  CHECK(bytes.find("('query', '<u4'), ('count', '<u4')") != std::string::npos);
  REQUIRE(bytes.size() == bytes.find('\n') + 1 + 10 * 8);
  for (std::uint32_t query = 0; query < 10; ++query) {
    std::uint32_t row[2];
    std::memcpy(row, bytes.data() + bytes.find('\n') + 1 + 8 * query, sizeof row);
    CHECK(row[0] == query);
    CHECK(row[1] == 10);
  }
}

TEST_CASE("query: other metrics and periods") {
  for (const char* metric : {"euclidean", "l1", "max"}) {
    const CommandRun r = run({"query", "--data", "uniform:n=2000,dim=2,seed=1", "--k", "5", "--metric", metric,
                              "--period", "1,1", "--verify", "--json", "--backend", "cpu"});
    INFO(r.err);
    REQUIRE(r.code == cli::exit_ok);
    const Json json = JsonReader::read(r.out);
    CHECK(json["metric"].text == metric);
    CHECK(json["period"].list.at(1).number == 1);
    CHECK(json["verified"].truth);
  }
  CHECK(contains(run({"query", "--data", "wald-10", "--metric", "l1", "--period", "100,90"}).out,
                 "nearest, k 1, metric l1, period 100,90\n"));
  CHECK(contains(refusal({"query", "--data", "wald-10", "--metric", "l3"}, cli::exit_bad_usage),
                 "there is no metric 'l3'; choose euclidean, l1 or max"));
  CHECK(contains(refusal({"query", "--data", "wald-10", "--period", "10,10", "--backend", "cpu"}, cli::exit_bad_input),
                 "more than the period 10"));
}

TEST_CASE("query: a tree that was written is searched again, and a damaged one is not") {
  const Folder folder;
  const std::string csv = folder.file("tree.csv"), npy = folder.file("tree.npy"), one = folder.file("one.csv"),
                    other = folder.file("other.csv");
  for (const char* algorithm : {"wald", "hu", "brown", "wehr", "zhou-vvh"}) {
    INFO(algorithm);
    REQUIRE(run({"query", "--data", "uniform:n=300,dim=2,seed=1", "--algorithm", algorithm, "--k", "3", "--backend",
                 "cpu", "--out", one})
                .code == cli::exit_ok);
    for (const std::string& tree : {csv, npy}) {
      REQUIRE(run({"build", "--data", "uniform:n=300,dim=2,seed=1", "--algorithm", algorithm, "--backend", "cpu",
                   "--tree-out", tree})
                  .code == cli::exit_ok);
      const CommandRun again =
          run({"query", "--tree", tree, "--k", "3", "--verify", "--backend", "cpu", "--out", other});
      INFO(again.out << again.err);
      REQUIRE(again.code == cli::exit_ok);
      CHECK(content_of(other) == content_of(one));
    }
  }
  // A tree whose two points have changed places, as a foreign builder's may
  REQUIRE(run({"build", "--data", "wald-10", "--backend", "cpu", "--tree-out", csv}).code == cli::exit_ok);
  std::string text = content_of(csv);
  CHECK(run({"query", "--tree", csv, "--backend", "cpu"}).code == cli::exit_ok);
  const std::size_t first = text.find('\n') + 1, second = text.find('\n', first) + 1,
                    third = text.find('\n', second) + 1;
  put(csv, text.substr(0, first) + text.substr(second, third - second) + text.substr(first, second - first) +
               text.substr(third));
  const std::string refused = refusal({"query", "--tree", csv, "--backend", "cpu"}, cli::exit_bad_input);
  CHECK(contains(refused, "the tree cannot be searched: "));
  put(csv, "no tree");
  refusal({"query", "--tree", csv, "--backend", "cpu"}, cli::exit_bad_input);
  CHECK(contains(refusal({"query", "--tree", npy, "--data", "wald-10"}, cli::exit_bad_usage),
                 "--tree and --data exclude each other"));
  CHECK(contains(refusal({"query", "--k", "2"}, cli::exit_bad_usage), "query needs --data SPEC or --tree FILE"));
  if (!trace_files_available()) return;
  const std::string trace = folder.file("run.kdtrace");
  REQUIRE(run({"record", "--data", "wald-10", "--backend", "cpu", "-o", trace}).code == cli::exit_ok);
  const CommandRun r = run({"query", "--tree", trace, "--k", "2", "--verify", "--backend", "cpu"});
  INFO(r.err);
  CHECK(r.code == cli::exit_ok);
  CHECK(contains(r.out, "tree              wald over 10 points"));
}

TEST_CASE("record: a search is recorded on the tree of a trace, as on one that is built") {
  if (!trace_files_available()) return;
  const Folder folder;
  const std::string build = folder.file("build.kdtrace"), built = folder.file("built.kdtrace"),
                    read = folder.file("read.kdtrace"), table = folder.file("tree.csv"), far = folder.file("far.csv");
  for (const char* algorithm : {"wald", "hu", "zhou-vvh"}) {
    INFO(algorithm);
    const std::vector<std::string> run_words{
        "record", "--data", "uniform:n=50,dim=2,seed=1", "--algorithm", algorithm, "--backend", "cpu"};
    const auto record = [&](std::vector<std::string> words, std::initializer_list<std::string> more) {
      words.insert(words.end(), more);
      const CommandRun r = run(words);
      INFO(r.err);
      REQUIRE(r.code == cli::exit_ok);
    };
    record(run_words, {"--thin", "-o", build});  // as a build is recorded whose search is wanted
    record(run_words, {"--query", "0.3,0.6", "--k", "3", "-o", built});
    record({"record", "--tree", build, "--backend", "cpu"}, {"--query", "0.3,0.6", "--k", "3", "-o", read});
    const CommandRun same = run({"diff", built, read});
    INFO(same.out << same.err);
    CHECK(same.code == cli::exit_ok);
    CHECK(run({"show", read, "--all"}).out == run({"show", built, "--all"}).out);
  }
  // The coordinates are those of the file that the run has read
  put(far, "1000000.5,2000000.5\n1000001.5,2000001.5\n1000009.5,2000009.5\n");
  REQUIRE(run({"record", "--data", far + ":shift=1000000,2000000", "--backend", "cpu", "-o", build}).code ==
          cli::exit_ok);
  REQUIRE(run({"record", "--tree", build, "--query", "1000009,2000009", "--backend", "cpu", "-o", read}).code ==
          cli::exit_ok);
  CHECK(contains(run({"show", read, "--all"}).out, "The answer is p2"));

  const auto refused = [&](const std::string& tree, std::initializer_list<std::string> more, int code) {
    std::vector<std::string> words{"record", "--tree", tree, "--backend", "cpu"};
    words.insert(words.end(), more);
    return refusal(words, code);
  };
  REQUIRE(run({"build", "--data", "wald-10", "--backend", "cpu", "--tree-out", table}).code == cli::exit_ok);
  CHECK(contains(refused(table, {"--query", "1,2", "-o", built}, cli::exit_bad_usage), "the table of a tree"));
  CHECK(contains(refused(read, {"--query", "1,2", "-o", built}, cli::exit_bad_usage), "the recording of a search"));
  CHECK(contains(refused(build, {"-o", built}, cli::exit_bad_usage), "there is no query"));
  CHECK(contains(refused(build, {"--query", "1,2", "--until", "step > 1", "-o", built}, cli::exit_bad_usage),
                 "--until is for a run"));
  CHECK(contains(refused(build, {"--query", "1,2", "--data", "wald-10", "-o", built}, cli::exit_bad_usage),
                 "--tree and --data exclude each other"));
  CHECK(contains(refused(build, {"--query", "1,2", "-o", build}, cli::exit_bad_usage), build));
  CHECK(contains(refusal({"record", "-o", built}, cli::exit_bad_usage), "record needs --data SPEC or --tree FILE"));
}

TEST_CASE("record: a query is given in the coordinates of the file") {
  if (!trace_files_available()) return;
  const Folder folder;
  const std::string data = folder.file("far.csv"), trace = folder.file("search.kdtrace");
  put(data, "1000000.5,2000000.5\n1000001.5,2000001.5\n1000009.5,2000009.5\n");
  const CommandRun r = run({"record", "--data", data + ":shift=1000000,2000000", "--query", "1000009,2000009",
                            "--backend", "cpu", "-o", trace});
  INFO(r.err);
  REQUIRE(r.code == cli::exit_ok);
  const CommandRun shown = run({"show", trace, "--all"});
  CHECK(contains(shown.out, "The answer is p2"));
}
