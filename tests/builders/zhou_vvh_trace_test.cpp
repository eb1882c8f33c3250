// Recorded runs of the zhou-vvh builder: all checks hold, the tree equals the timed run's, and lists and counters are
// shown.
#include "tests/builders/replay.hpp"
#include "tests/builders/runs.hpp"
#include "tests/support/cases.hpp"

namespace kdscope::zhou_vvh_trace_test {

namespace {

const test::RunsOf runs{"zhou-vvh"};

const std::vector<std::string> sets{"uniform:n=0,dim=3",           "uniform:n=1,dim=2",       "wald-10",
                                    "uniform:n=33,dim=1",          "grid:n=130,dim=3,seed=2", "equal:n=65,dim=2",
                                    "clustered:n=300,dim=3,seed=3"};
const std::vector<Parameters> ways{
    {},
    {{"small", "4"}, {"radius", "100"}},
    {{"small", "1"}, {"empty", "0"}, {"traversal", "0"}, {"radius", "0"}, {"depth", "12"}}};

}  // namespace

TEST_CASE("zhou-vvh: every check holds at every step, and the recorded tree is the timed one") {
  for (const std::string& specification : sets)
    for (const Parameters& parameters : ways) {
      INFO(specification);
      test::check_recording(runs.request(specification, parameters));
    }
}

TEST_CASE("zhou-vvh: a large level finds boxes, splits, marks, counts, filters and moves") {
  const auto trace = runs.recorded("uniform:n=60,dim=2,seed=3", {});
  std::vector<std::string> found, wanted{"build / sort points", "build / root"};
  for (const char* name : {"node boxes", "split large nodes", "create children", "mark sides", "count sides",
                           "filter small nodes", "move points"})
    wanted.push_back(std::string("build / level 0 / large nodes / ") + name);
  for (const Step& step : trace->steps) found.push_back(path_text(step));
  REQUIRE(found.size() > wanted.size());
  CHECK(std::vector<std::string>(found.begin(), found.begin() + std::ptrdiff_t(wanted.size())) == wanted);
  CHECK(trace->find("order(y)")->info.dimension == 1);
  CHECK(trace->find("node_box")->info.component_names ==
        std::vector<std::string>{"low.x", "low.y", "high.x", "high.y"});
  Cursor cursor(trace);
  cursor.seek(steps_matching(*trace, "count sides").at(0));
  // The last value of a counter is the left child's number of points, in every list.
  for (const char* row : {"lefts(x)", "lefts(y)"}) {
    const double last = cursor.number("result.count", 0) - cursor.number(row, 59);  // 1 if the last one goes left
    CHECK((last == 0 || last == 1));
  }
  test::check_replay(trace);
}

TEST_CASE("zhou-vvh: budgets, thinning, stopping and step times are kept to") {
  for (const char* specification :
       {"uniform:n=2000,dim=3,seed=1", "clustered:n=800,dim=2,seed=1", "line:n=500,dim=1,seed=1"})
    for (const Parameters& parameters : ways) {
      INFO(specification);
      test::check_budget_and_thinning(runs.request(specification, parameters),
                                      {"left_child", "set", "size", "address", "tree.parent", "tree.references",
                                       partition_arrays::box, partition_arrays::leaf, partition_arrays::node_of_point});
    }
  test::check_stop_and_step_times(runs.request("uniform:n=300,dim=3,seed=1", {}));
}

DEVICE_CASE("zhou-vvh: recordings on CUDA equal those on the CPU", "[sanitize]") {
  for (const std::string& specification : sets)
    for (const Parameters& parameters : ways) {
      INFO(specification);
      test::check_same_states(runs.recorded(specification, parameters),
                              runs.recorded(specification, parameters, Backend::cuda));
    }
}

}  // namespace kdscope::zhou_vvh_trace_test
