// Compares changes between two steps with a simple comparison of every element, for every algorithm.

#include "visualizer/model/changes.hpp"

#include "app/recording/run.hpp"
#include "tests/app/plain_changes.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/point_algorithms.hpp"

namespace kdscope::changes_test {

namespace {

void compare(const Cursor& before, const Cursor& now) {
  const ChangeList changes(before, now);
  const std::set<Element> expected = plain_changes(before, now);
  std::set<Element> found;
  for (std::uint64_t number = 0; number < changes.size(); ++number) {
    const Change change = changes.at(number);
    INFO(change.array << "[" << change.index << "]: " << change.before << " -> " << change.after);
    REQUIRE(found.insert({change.array, change.component, change.index}).second);  // each change occurs once
    REQUIRE_FALSE(change.after.empty());
    REQUIRE(change.before != change.after);
  }
  CHECK(found == expected);
}

std::shared_ptr<const Trace> recorded(const std::string& algorithm, const std::string& data) {
  RunRequest run{data, algorithm, {}};
  return record_run(run).value().trace;
}

}  // namespace

TEST_CASE("the changes of every step of every algorithm are those that a plain comparison finds") {
  REQUIRE_FALSE(algorithms().empty());
  for (const AlgorithmSpec& algorithm : test::point_algorithms())
    for (const char* data : {"wald-10", "uniform:n=70,dim=3,seed=3", "equal:n=9,dim=1"}) {
      const auto trace = recorded(algorithm.id, data);
      Cursor before(trace), now(trace);
      std::uint64_t all = 0;
      for (std::uint32_t step = 1; step < now.step_count(); ++step) {
        INFO(algorithm.id << " on " << data << ", step " << step);
        before.seek(step - 1);
        now.seek(step);
        compare(before, now);
        all += ChangeList(before, now).size();
      }
      CHECK(all > 0);
      for (const auto& [from, to] :
           {std::pair{0u, now.step_count() - 1}, {now.step_count() - 1, now.step_count() / 2}}) {
        INFO(algorithm.id << " on " << data << ", step " << to << " against " << from);
        before.seek(from);
        now.seek(to);
        compare(before, now);
      }
    }
}

TEST_CASE("nothing changes between a step and itself") {
  for (const AlgorithmSpec& algorithm : test::point_algorithms()) {
    const auto trace = recorded(algorithm.id, "wald-10");
    const Cursor last(trace);
    CHECK(ChangeList(last, last).size() == 0);
    CHECK(changed_nodes(last, last).empty());
  }
}

TEST_CASE("a node tells what it was and what it is") {
  for (const AlgorithmSpec& algorithm : test::point_algorithms()) {
    INFO(algorithm.id);
    const auto trace = recorded(algorithm.id, "uniform:n=70,dim=2,seed=3");
    Cursor before(trace), now(trace);
    bool split = false, created = false;
    for (std::uint32_t step = 1; step < now.step_count(); ++step) {
      before.seek(step - 1);
      now.seek(step);
      for (const NodeChange& change : changed_nodes(before, now)) {
        created = created || change.is_new;
        const NodeWords words = node_words(before, now, change.node);
        CHECK(words.before.empty() == change.is_new);
        split = split || words.after.find(" = ") != std::string::npos;
      }
    }
    CHECK(split);
    CHECK(created);
  }
}

}  // namespace kdscope::changes_test
