// Tests untrusted files: for any bytes, a reader quickly returns sound results or a sentence with a place.

#include "tests/fuzz/trials.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/share.hpp"

using namespace kdscope::fuzz;

TEST_CASE("readers take their seeds, and files that were read wrongly once do no harm") {
  for (const Reader& reader : readers()) {
    for (const std::string& seed : reader.seeds()) {
      const Outcome outcome = end_of(reader, seed);
      INFO(reader.name << ": " << outcome.unsound);
      CHECK(outcome.accepted);
      CHECK(outcome.unsound.empty());
    }
    for (const std::string& file : corpus(reader)) {
      const Outcome outcome = end_of(reader, file);
      INFO(reader.name << ": " << outcome.unsound);
      CHECK(outcome.unsound.empty());
    }
  }
}

TEST_CASE("damaged files are read or refused", "[share]") {
  struct Share {
    const char* reader;
    std::uint64_t trials;
  };
  const auto [name, trials] = GENERATE(values<Share>({{"csv", 20'000},
                                                      {"xyz", 20'000},
                                                      {"npy", 20'000},
                                                      {"pcd", 20'000},
                                                      {"ply", 20'000},
                                                      {"obj", 20'000},
                                                      {"stl", 20'000},
                                                      {"specification", 20'000},
                                                      {"pasted", 20'000},
                                                      {"tuning", 20'000},
                                                      {"window-options", 20'000},
                                                      {"command-options", 20'000},
                                                      {"lesson", 2'000},
                                                      {"session", 4'000},
                                                      {"results", 20'000},
                                                      {"tree-csv", 4'000},
                                                      {"tree-npy", 4'000},
                                                      {"trace", 300}}));
  for (const Reader& reader : readers()) {
    if (std::string(reader.name) != name || trial_seeds(reader).empty()) continue;
    const TrialReport report = run_trials(reader, 0, trials / kdscope::test::every_nth(10), std::chrono::seconds(100));
    INFO(name << ": " << report.accepted << " of " << report.executions << " accepted");
    for (std::size_t i = 0; i < report.bad.size(); ++i)
      UNSCOPED_INFO("trial " << report.bad[i] << ": " << report.findings[i]);
    CHECK(report.bad.empty());
    // Both outcomes occur often enough.
    CHECK(report.accepted > report.executions / 100);
    CHECK(report.accepted < report.executions);
  }
  SUCCEED();
}
