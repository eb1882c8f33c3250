// Tests the command query.
#include <cmath>

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
