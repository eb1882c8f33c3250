// Tests the command query.
#include <cmath>
#include <cstring>

#include "algorithms/core/ids.hpp"
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
      run({"query", "--data", "wald-10", "--k", "3", "--radius", "5", "--out", out, "--backend", "cpu"});
  INFO(r.err);
  REQUIRE(r.code == cli::exit_ok);
  const std::string bytes = content_of(out);
  CHECK(bytes.starts_with("\x93NUMPY"));
  CHECK(bytes.find("'shape': (10, 3)") != std::string::npos);
  const std::size_t begin = bytes.find('\n') + 1;
  REQUIRE(bytes.size() == begin + 10 * 3 * 12);
  const auto point = [&](std::size_t i) {
    std::uint32_t value = 0;
    std::memcpy(&value, bytes.data() + begin + 12 * i, sizeof value);
    return value;
  };
  const auto squared_distance = [&](std::size_t i) {
    double value = 0;
    std::memcpy(&value, bytes.data() + begin + 12 * i + 4, sizeof value);
    return value;
  };
  for (std::uint32_t query = 0; query < 10; ++query) {
    CHECK(point(3 * query) == query);
    CHECK(squared_distance(3 * query) == 0);
    for (std::uint32_t rank = 1; rank < 3; ++rank)
      CHECK((point(3 * query + rank) == no_id ? std::isinf(squared_distance(3 * query + rank))
                                              : squared_distance(3 * query + rank) <= 25));
  }
}

TEST_CASE("query: the order of queries changes no answer") {
  const Folder folder;
  std::vector<std::string> rows;
  for (const char* order : {"given", "morton"}) {
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
  CHECK(
      refusal({"query", "--data", "wald-10", "--order", "mortn"}, cli::exit_bad_usage).find("choose given or morton") !=
      std::string::npos);
}

TEST_CASE("query: what it refuses, in one sentence") {
  CHECK(refusal({"query", "--data", "wald-10", "--k", "0"}, cli::exit_bad_usage).find("--k") != std::string::npos);
  CHECK(refusal({"query", "--data", "wald-10", "--k", "11"}, cli::exit_bad_usage).find("only 10 points") !=
        std::string::npos);
  CHECK(refusal({"query", "--data", "wald-10", "--radius", "-1"}, cli::exit_bad_usage).find("radius is -1") !=
        std::string::npos);
  CHECK(refusal({"query", "--data", "wald-10", "--radius", "wide"}, cli::exit_bad_usage).find("give a number") !=
        std::string::npos);
  CHECK(refusal({"query", "--data", "wald-10", "--search", "best-bin"}, cli::exit_bad_usage).find("choose stack") !=
        std::string::npos);
  CHECK(refusal({"query", "--data", "hu-10", "--algorithm", "hu"}, cli::exit_bad_usage)
            .find("searches trees of kind left-balanced") != std::string::npos);
  CHECK(refusal({"query", "--data", "wald-10", "--queries", "uniform:n=3,dim=3"}, cli::exit_bad_input)
            .find("3 dimensions") != std::string::npos);
}
