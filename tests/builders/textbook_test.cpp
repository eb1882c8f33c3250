// Tests the textbook builder, which uses one thread per node and makes the tree of `wald`.
#include "algorithms/builders/textbook/recording.hpp"
#include "algorithms/core/hash.hpp"
#include "algorithms/trees/left_balanced/reference.hpp"
#include "tests/builders/golden_hashes.hpp"
#include "tests/builders/replay.hpp"
#include "tests/builders/runs.hpp"
#include "tests/builders/shown_step.hpp"
#include "tests/support/cases.hpp"

namespace kdscope::textbook_test {

namespace {

const test::RunsOf runs{"textbook"};

const std::vector<std::string> sets{
    "uniform:n=0,dim=3,seed=1",         "uniform:n=1,dim=2,seed=1", "uniform:n=2,dim=1,seed=1",    "wald-10",
    "grid:n=130,dim=3,seed=2,type=int", "equal:n=65,dim=2",         "presorted:n=300,dim=8,seed=3"};

/// Compares with the golden trees of the wald builder with round-robin splits, up to `most` points.
std::string differences_from_golden(Backend backend, std::size_t most) {
  std::string failures;
  for (const auto& [name, hash] : test::golden_hashes(test::golden_path("wald-trees.txt"))) {
    const std::size_t end = name.find(" round-robin");
    if (end == name.npos) continue;
    const auto data = test::data(name.substr(0, end));
    if (data->points.size() > most) continue;
    const auto report = build({{}, "textbook", {}, backend, false, data});
    if (!report)
      failures += name + ": " + report.error().message() + "\n";
    else if (report->tree_hash != hash)
      failures += name + "\n";
  }
  return failures;
}

}  // namespace

TEST_CASE("textbook: trees are those of wald, on the CPU") {
  CHECK(differences_from_golden(Backend::cpu, 100'000) == "");
}

DEVICE_CASE("textbook: trees are those of wald, on CUDA") { CHECK(differences_from_golden(Backend::cuda, 1025) == ""); }

TEST_CASE("textbook: trees equal the plain reference") {
  for (const std::string& specification : sets) {
    INFO(specification);
    const auto data = test::data(specification);
    const auto report = build(runs.request(specification)).value();
    const auto& tree = report.tree.as<LeftBalancedTree>();
    const LeftBalancedTree reference = reference_left_balanced_tree(data->points, Split::round_robin);
    CHECK(tree.point_of_node == reference.point_of_node);
    CHECK(tree.points.words == reference.points.words);
    CHECK(tree.split_dim == reference.split_dim);
  }
}

TEST_CASE("textbook: every check holds at every step, and the recorded tree is the timed one") {
  for (const std::string& specification : sets) {
    INFO(specification);
    const auto trace = runs.recorded(specification);
    CHECK(test::first_failure(*trace) == "");
    CHECK(trace->header.tree_hash == build(runs.request(specification)).value().tree_hash);
    CHECK(trace->steps.size() == 2 + static_cast<std::size_t>(num_levels(static_cast<std::uint32_t>(trace->header.n))));
  }
}

TEST_CASE("textbook: budgets, thinning, stopping, step times and replay are kept to") {
  test::check_replay(runs.recorded("grid:n=130,dim=3,seed=2,type=int"));
  test::check_stop_and_step_times(runs.request("uniform:n=1000,dim=3,seed=1"));
}

DEVICE_CASE("textbook: recordings on CUDA equal those on the CPU", "[sanitize]") {
  for (const char* specification : {"wald-10", "grid:n=300,dim=3,seed=2,type=int"})
    test::check_same_states(runs.recorded(specification), runs.recorded(specification, {}, Backend::cuda));
}

TEST_CASE("textbook: any state is shown, and each kind of damage turns a check red") {
  const auto data = test::data("wald-10");
  const textbook::StepPresenter recording{data->points};
  const std::vector<PointId> index{{0}, {3}, {7}, {5}, {4}, {6}, {1}, {2}, {9}, {8}},
      tree{{1}, {5}, {9}, {0}, {0}, {0}, {0}, {0}, {0}, {0}};
  const std::vector<std::uint32_t> first{0, 0, 7, 0, 4, 7, 9, 0, 0, 0};
  const auto shown = [&](int level, const auto& ids, const auto& firsts, const auto& nodes) {
    return test::shown_step(data->points, textbook::declare,
                            [&](StepWriter& step) { recording.after(step, level, ids, firsts, nodes); });
  };
  const auto failed = [](const Step& step) {
    std::string names;
    for (const CheckResult& check : step.checks)
      if (!check.passed) names += check.name + " in " + check.array + ";";
    return names;
  };
  CHECK(failed(shown(1, index, first, tree)) == "");
  auto swapped = index;
  std::swap(swapped[0], swapped[5]);
  CHECK(failed(shown(1, swapped, first, tree)) == "medians in index;");
  auto twice = index;
  twice[0] = twice[1];
  CHECK(failed(shown(1, twice, first, tree)) == "permutation in index;");
  auto other = tree;
  other[1] = {4};
  CHECK(failed(shown(1, index, first, other)) == "medians in tree;");
  auto beyond = first;
  beyond[2] = 8;
  CHECK(failed(shown(1, index, beyond, tree)) == "medians in first;");
  // Show random contents; all of them must appear.
  std::uint64_t state = 1;
  const auto any = [&] {
    return static_cast<std::uint32_t>(mix64(state += 0x9e3779b97f4a7c15ull) >> (mix64(state) % 33 + 28));
  };
  for (int round = 0; round < 2000; ++round) {
    std::vector<PointId> ids(10), nodes(10);
    std::vector<std::uint32_t> firsts(10);
    for (std::size_t i = 0; i < 10; ++i) ids[i] = {any()}, nodes[i] = {any()}, firsts[i] = any();
    CHECK(shown(round % 5 - 1, ids, firsts, nodes).wrote.size() >= 4);
  }
}

}  // namespace kdscope::textbook_test
