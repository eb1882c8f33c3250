// Tests which rows travel in which steps of the builders' recorded runs, and that each travel is true.

#include <set>

#include "algorithms/core/hash.hpp"
#include "algorithms/trace/row_reader.hpp"
#include "tests/walkthroughs/practice_runs.hpp"
#include "visualizer/model/array_table.hpp"
#include "visualizer/model/motion.hpp"

using namespace kdscope;

namespace {

using Rows = std::set<std::string>;

/// Returns the rows that travel in a step, from the step before it or back to that.
Rows travelling(const std::shared_ptr<const Trace>& trace, std::uint32_t step, bool forward = true) {
  Cursor before(trace), after(trace);
  before.seek(step - 1);
  after.seek(step);
  Rows rows;
  for (const Space space : table_spaces(*trace)) {
    const Motion motion = forward ? Motion(before, after, space) : Motion(after, before, space);
    for (const Trace::Array& array : trace->arrays)
      if (motion.of(array.info.name)) rows.insert(array.info.name);
  }
  return rows;
}

/// Returns the only step of a path.
std::uint32_t step_at(const Trace& trace, const std::string& path) {
  const auto steps = steps_matching(trace, path);
  INFO(path);
  REQUIRE(steps.size() == 1);
  return steps.front();
}

}  // namespace

TEST_CASE("wald: sorts move every row, updates of tags none") {
  const auto trace = test::record_run("wald", "wald-10");
  const Rows all{"tags", "data[i].x", "data[i].y", "index", "rank[i].x", "rank[i].y"};
  for (std::uint32_t step = 1; step < trace->steps.size(); ++step) {
    INFO(path_text(trace->steps[step]));
    const bool sorts = trace->steps[step].name.find("sort") != std::string::npos;
    const Rows rows = sorts ? all : Rows{};
    CHECK(travelling(trace, step) == rows);
    CHECK(travelling(trace, step, false) == rows);
  }
}

TEST_CASE("wehr: a digit is scattered to the second list, and copied back; other keys follow later") {
  const auto trace =
      test::record_run("wehr", "uniform:n=40,dim=2,seed=4", {{"base", "4"}, {"tpb", "4"}, {"cutoff", "8"}});
  const auto scatters = steps_matching(*trace, "level 0 / parallel radix sort");
  REQUIRE_FALSE(scatters.empty());
  for (const std::uint32_t step : scatters) {
    INFO(path_text(trace->steps[step]));
    const std::string& name = trace->steps[step].name;
    const Rows rows = travelling(trace, step);
    if (name == "distribution")
      CHECK(rows == Rows{"T_index"});
    else if (name == "copy")
      CHECK(rows == Rows{"data[i].x", "data[i].y", "index", "p_0"});
    else
      CHECK(rows.empty());
  }
  CHECK(travelling(trace, step_at(*trace, "level 0 / reorganization")) == Rows{"p_1"});
}

TEST_CASE("hu: points are relocated in the other dimension's list, which then becomes the order") {
  const auto trace = test::record_run("hu", "hu-10", {{"leaf_size", "2"}});
  CHECK(travelling(trace, step_at(*trace, "build / sort dimensions")) ==
        Rows{"sequence(x)", "value(x)", "sequence(y)", "value(y)"});
  CHECK(travelling(trace, step_at(*trace, "level 0 / new owners")) == Rows{"sequence(y)", "value(y)"});
  Rows relocated;
  for (const std::uint32_t step : steps_matching(*trace, "level 0 / relocation"))
    relocated.merge(travelling(trace, step));
  CHECK(relocated == Rows{"new_index(y)"});
}

TEST_CASE("brown: a partition by two warps fills their segments from the references; then the gaps are closed") {
  const auto trace = test::record_run("brown", "uniform:n=40,dim=2,type=int,range=100,seed=47", {{"warps", "2"}});
  CHECK(travelling(trace, step_at(*trace, "dimension 0 / sort")) == Rows{"reference(x)", "value(x)", "side(x)"});
  CHECK(travelling(trace, step_at(*trace, "level 0 / pick medians")).empty());
  CHECK(travelling(trace, step_at(*trace, "level 0 / mark sides")).empty());
  const std::uint32_t partition = step_at(*trace, "level 0 / dimension 1 / partition");
  CHECK(travelling(trace, partition) == Rows{"less_segments", "greater_segments"});
  CHECK(travelling(trace, partition, false).empty());  // nothing was in the segments before
  const Rows second{"reference(y)", "value(y)", "side(y)"};
  CHECK(travelling(trace, step_at(*trace, "level 0 / dimension 1 / close gaps")) == second);
  CHECK(travelling(trace, step_at(*trace, "level 2 / dimension 1 / partition")) == second);
}

TEST_CASE("zhou: points of large nodes move to their children in every list") {
  const auto trace = test::record_run("zhou-vvh", "uniform:n=100,dim=2,seed=3", {{"small", "8"}});
  const auto moves = steps_matching(*trace, "large nodes / move points");
  REQUIRE(moves.size() > 2);
  CHECK(travelling(trace, moves[0]) == Rows{"order(x)", "reference"});
  CHECK(travelling(trace, moves[1]).count("order(y)") == 1);
  CHECK(travelling(trace, moves[2]).count("kept") == 1);  // small nodes keep their points
}

TEST_CASE("whatever travels has the same value where it came from, in every builder's runs") {
  std::uint64_t elements = 0;
  for (const AlgorithmSpec& algorithm : algorithms())
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
      const auto trace = test::small_run(algorithm, seed);
      Cursor before(trace), after(trace);
      for (std::uint32_t step = 1; step < trace->steps.size(); ++step) {
        INFO(algorithm.id << " " << seed << ": " << path_text(trace->steps[step]));
        before.seek(step - 1);
        after.seek(step);
        for (const Space space : table_spaces(*trace))
          for (const bool forward : {true, false}) {
            const Cursor &from = forward ? before : after, &to = forward ? after : before;
            const Motion motion(from, to, space);
            for (const Trace::Array& array : trace->arrays) {
              const Travel* travel = motion.of(array.info.name);
              // The target of a scatter held something else before.
              if (!travel || array.info.value_space == Space::point || array.info.value_space == Space::triangle)
                continue;
              const RowReader was(from, array.info.name), is(to, array.info.name);
              for (std::uint64_t c = 0; c < travel->origins().size(); ++c) {
                const auto origin = travel->came_from(c);
                if (!origin) continue;
                ++elements;
                if (was.text(*origin) != is.text(c)) FAIL_CHECK(array.info.name << "[" << c << "]");
                if (travel->went_to(*origin) != c) FAIL_CHECK(array.info.name << "[" << c << "] does not go back");
              }
            }
          }
      }
    }
  CHECK(elements > 1000);
}
