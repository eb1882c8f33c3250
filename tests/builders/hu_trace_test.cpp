// Recorded runs of the hu builder: all checks hold, the tree equals the timed run's, and the steps are the source's
// tables.
#include <set>

#include "tests/builders/replay.hpp"
#include "tests/builders/runs.hpp"
#include "tests/support/cases.hpp"

namespace kdscope::hu_trace_test {

namespace {

const test::RunsOf runs{"hu"};

const std::vector<std::string> sets{"uniform:n=0,dim=3,seed=1",         "uniform:n=1,dim=2,seed=1",
                                    "uniform:n=2,dim=1,seed=1",         "wald-10",
                                    "grid:n=130,dim=3,seed=2,type=int", "equal:n=65,dim=2",
                                    "clustered:n=517,dim=4,seed=3",     "uniform:n=60,dim=64,seed=1"};
const std::vector<Parameters> ways{
    {{"leaf_size", "1"}, {"dimensions_at_once", "1"}}, {{"leaf_size", "2"}, {"dimensions_at_once", "3"}}, {}};

}  // namespace

TEST_CASE("hu: every check holds at every step, and the recorded tree is the timed one") {
  for (const std::string& specification : sets)
    for (const Parameters& parameters : ways) {
      INFO(specification);
      const auto trace = test::check_recording(runs.request(specification, parameters));
      CHECK(trace->header.parameters.at("dimensions_at_once") != "auto");
    }
}

TEST_CASE("hu: steps have the grain of the source's tables") {
  const auto trace = runs.recorded("wald-10", {{"leaf_size", "7"}, {"dimensions_at_once", "1"}});
  std::vector<std::string> wanted{"build / initialise sequences", "build / sort dimensions", "build / bounding box"},
      found;
  for (int level = 0; level <= 1; ++level) {
    const std::string at = "build / level " + std::to_string(level) + " / ";
    for (const char* step : {"split nodes", "number children", "settle leaves"}) wanted.push_back(at + step);
    if (level == 1) break;
    for (const char* pass : {"pass 0", "pass 1"})
      for (const char* step : {"mark", "left counter", "relocate"})
        wanted.push_back(at + "relocation / " + pass + " / " + step);
    for (const char* step : {"new owners", "bounding boxes"}) wanted.push_back(at + step);
  }
  for (const Step& step : trace->steps) found.push_back(path_text(step));
  CHECK(found == wanted);
}

TEST_CASE("hu: the partition follows the build: cells, smallest boxes, points of children once they are marked") {
  const auto trace = runs.recorded("wald-10", {{"leaf_size", "7"}, {"dimensions_at_once", "1"}});
  Cursor cursor(trace);
  const auto at = [&](const char* path) { cursor.seek(steps_matching(*trace, path).at(0)); };
  at("level 0 / split nodes");
  CHECK(cursor.row_size(partition_arrays::parent) == 1);
  CHECK(cursor.number(partition_arrays::split_dim, 0) == 0);
  CHECK(cursor.number(partition_arrays::split_value, 0) == 39);
  CHECK(cursor.row_size("left_right_mark(x)") == 0);
  at("level 0 / number children");
  CHECK(cursor.row_size(partition_arrays::parent) == 1);
  CHECK(cursor.row_size("parent") == 3);
  CHECK(cursor.row_size("count") == 1);
  at("pass 0 / mark");
  CHECK(cursor.row_size(partition_arrays::parent) == 3);
  CHECK(cursor.row_size("left_right_mark(y)") == 0);
  for (std::uint64_t i = 0; i < 10; ++i) {
    const auto point = static_cast<std::uint64_t>(cursor.number("sequence(x)", i));
    const double side = cursor.number("left_right_mark(x)", i);
    CHECK(side == (cursor.number("points", 2 * point) >= 39));
    CHECK(cursor.number("owner(x)", i) == 1 + side);
    CHECK(cursor.number(partition_arrays::node_of_point, point) == 1 + side);
    CHECK(cursor.number("owner", i) == 0);
  }
  cursor.seek(cursor.step_count() - 1);
  std::set<double> points;
  for (std::uint64_t i = 0; i < 10; ++i) {
    points.insert(cursor.number("bucket", i));
    CHECK(cursor.number(partition_arrays::node_of_point, static_cast<std::uint64_t>(cursor.number("bucket", i))) ==
          cursor.number("owner", i));
  }
  CHECK(points.size() == 10);
  CHECK(cursor.row_size("aabbMin") == 2 * cursor.row_size("parent"));
  for (std::uint64_t node = 0; node < 3; ++node)
    for (std::uint64_t d = 0; d < 2; ++d) {
      CHECK(cursor.number(partition_arrays::tight_box, node * 4 + d) == cursor.number("aabbMin", node * 2 + d));
      CHECK(cursor.number(partition_arrays::tight_box, node * 4 + 2 + d) == cursor.number("aabbMax", node * 2 + d));
      CHECK(cursor.number(partition_arrays::box, node * 4 + d) <=
            cursor.number(partition_arrays::tight_box, node * 4 + d));
      CHECK(cursor.number(partition_arrays::box, node * 4 + 2 + d) >=
            cursor.number(partition_arrays::tight_box, node * 4 + 2 + d));
    }
}

TEST_CASE("hu: arrays of a dimension say so, and a saved trace is equal") {
  const auto trace = runs.recorded("clustered:n=100,dim=5,seed=2", {});
  for (const char* name :
       {"sequence(x3)", "value(x3)", "left_right_mark(x3)", "owner(x3)", "left_counter(x3)", "new_index(x3)"}) {
    INFO(name);
    REQUIRE(trace->find(name));
    CHECK(trace->find(name)->info.dimension == 3);
  }
  CHECK(trace->find("owner")->info.dimension == no_id);
  test::check_replay(trace);
}

TEST_CASE("hu: budgets, thinning, stopping and step times are kept to") {
  for (const char* specification :
       {"uniform:n=3000,dim=3,seed=1", "clustered:n=800,dim=8,seed=1", "uniform:n=100,dim=64,seed=1"})
    for (const Parameters& parameters : ways) {
      INFO(specification);
      const auto recorded = test::check_budget_and_thinning(
          runs.request(specification, parameters), {"bucket", "owner", "parent", "child", "split_dim", "aabbMin",
                                                    partition_arrays::box, partition_arrays::node_of_point});
      CHECK(recorded.thin->steps.size() < recorded.full->steps.size());
    }
  test::check_stop_and_step_times(runs.request("uniform:n=1000,dim=3,seed=1", {}));
}

DEVICE_CASE("hu: recordings on CUDA equal those on the CPU", "[sanitize]") {
  for (const char* specification : {"wald-10", "grid:n=300,dim=3,seed=2,type=int", "uniform:n=60,dim=64,seed=1"})
    for (const Parameters& parameters : ways) {
      INFO(specification);
      test::check_same_states(runs.recorded(specification, parameters),
                              runs.recorded(specification, parameters, Backend::cuda));
    }
}

}  // namespace kdscope::hu_trace_test
