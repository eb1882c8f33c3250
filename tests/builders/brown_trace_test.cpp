// Recorded runs of the brown builder: all checks hold, the tree equals the timed run's, and the steps are those of the
// source's sections.
#include <set>

#include "algorithms/core/level_order.hpp"
#include "algorithms/trees/median_stores/super_key.hpp"
#include "tests/builders/replay.hpp"
#include "tests/support/cases.hpp"

namespace kdscope::brown_trace_test {

namespace {

const test::RunsOf runs{"brown"};

const std::vector<std::string> sets{"uniform:n=0,dim=3,seed=1",         "uniform:n=1,dim=2,seed=1",
                                    "uniform:n=5,dim=1,seed=1",         "wald-10",
                                    "grid:n=130,dim=3,seed=2,type=int", "equal:n=65,dim=2",
                                    "clustered:n=517,dim=4,seed=3",     "grid:n=1300,dim=2,seed=4,type=int"};
const std::vector<Parameters> ways{{},
                                   {{"sort", "merge"}, {"warps", "4"}, {"compare", "tuples"}},
                                   {{"sorted", "first"}, {"form", "stores"}, {"warps", "2"}},
                                   {{"sort", "merge"}, {"sorted", "first"}, {"warps", "32"}},
                                   {{"parts", "2"}, {"warps", "4"}},
                                   {{"parts", "4"}, {"sort", "merge"}, {"compare", "tuples"}, {"warps", "2"}},
                                   {{"parts", "8"}, {"form", "stores"}, {"verify", "yes"}}};

}  // namespace

TEST_CASE("brown: every check holds at every step, and the recorded tree is the timed one") {
  for (const std::string& specification : sets)
    for (const Parameters& parameters : ways) {
      INFO(specification << (parameters.empty() ? ""
                                                : " " + parameters.begin()->first + "=" + parameters.begin()->second));
      const auto trace = test::check_recording(runs.request(specification, parameters));
      CHECK(trace->header.parameters.at("warps") != "auto");
    }
}

TEST_CASE("brown: steps have the grain of the source's sections, partitioners by level") {
  // 40 unique points with two warps: one level by the first partitioner, then one warp per array, then sub-warps of 16,
  // 8 and 4.
  const auto trace = runs.recorded("uniform:n=100,dim=2,seed=3", {{"warps", "2"}, {"compare", "tuples"}});
  std::vector<std::string> wanted, found, anchors;
  for (const char* d : {"dimension 0", "dimension 1"})
    for (const char* step : {"initialise references", "sort", "remove duplicates", "close gaps"})
      wanted.push_back("build / " + std::string(d) + " / " + step);
  for (int level = 0; level < 5; ++level) {
    const std::string at = "build / level " + std::to_string(level) + " / ",
                      other = level % 2 ? "dimension 0 / " : "dimension 1 / ";
    wanted.push_back(at + "pick medians");
    wanted.push_back(at + other + "partition");
    if (level == 0) wanted.push_back(at + other + "close gaps");
  }
  wanted.push_back("build / level 5 / terminate");
  for (const Step& step : trace->steps) {
    found.push_back(path_text(step));
    if (step.name == "partition") anchors.push_back(step.code_anchor);
  }
  CHECK(found == wanted);
  CHECK(anchors == std::vector<std::string>{"brown/warps_per_array", "brown/warp_per_array", "brown/warp_per_array",
                                            "brown/sub_warps", "brown/sub_warps"});
}

TEST_CASE("brown: masks, segments, stores and references are what the arrays say") {
  const auto trace = runs.recorded("grid:n=70,dim=2,seed=2,type=int", {{"warps", "2"}});
  Cursor cursor(trace);
  const auto at = [&](const char* path) { cursor.seek(steps_matching(*trace, path).at(0)); };
  at("dimension 0 / remove duplicates");
  // Shares are multiples of 32: 64 references for the first warp, 6 for the second.
  CHECK(cursor.number("warp", 63) == 0);
  CHECK(cursor.number("warp", 64) == 1);
  std::uint32_t kept = 0;
  for (std::uint64_t i = 0; i < 64; ++i) {
    const std::uint64_t mask = static_cast<std::uint64_t>(cursor.number("compare_mask", i / 32));
    CHECK(cursor.number("compare", i) == (mask >> (i % 32) & 1));
    kept += static_cast<std::uint32_t>(cursor.number("compare", i));
  }
  CHECK(cursor.number("kept", 0) == kept);
  for (std::uint64_t i = 0; i < 64; ++i) CHECK((cursor.number("segments", i) == no_id) == (i >= kept));
  at("dimension 0 / close gaps");
  const std::uint64_t unique = cursor.row_size("reference(x)");
  CHECK(unique == kept + static_cast<std::uint64_t>(cursor.number("kept", 1)));
  at("level 1 / pick medians");
  CHECK(cursor.number("address", 0) == 0);
  CHECK(cursor.number("address", unique - 1) == 1);
  CHECK(cursor.number("node", unique - 1) == 2);
  // Entries 2k and 2k + 1 of the next store are the references of entry k's node.
  const auto root = static_cast<std::uint64_t>(cursor.number("median_store", 0));
  CHECK(cursor.number("less", root) == cursor.number("median_store", 1));
  CHECK(cursor.number("greater", root) == cursor.number("median_store", 2));
  cursor.seek(cursor.step_count() - 1);
  CHECK(cursor.row_size("removed") == 70 - unique);
  std::set<double> nodes;
  for (std::uint64_t i = 0; i < cursor.row_size("median_store"); ++i)
    if (cursor.number("median_store", i) != no_id) nodes.insert(cursor.number("median_store", i));
  CHECK(nodes.size() == unique);
}

TEST_CASE(
    "brown: parts stand side by side; an exchange moves points under their references, and medians divide parts") {
  const std::uint32_t n = 90;
  const auto trace = runs.recorded("grid:n=90,dim=2,seed=5,side=60,type=int", {{"parts", "2"}, {"warps", "2"}});
  const auto alone = runs.recorded("grid:n=90,dim=2,seed=5,side=60,type=int", {});
  CHECK(trace->header.tree_hash == alone->header.tree_hash);
  Cursor cursor(trace), other(alone);
  const auto row = [](Cursor& at, const char* name) {
    std::vector<std::uint32_t> values;
    for (std::uint64_t i = 0; i < at.row_size(name); ++i)
      values.push_back(static_cast<std::uint32_t>(at.number(name, i)));
    return values;
  };
  const auto at = [&](const char* path) { cursor.seek(steps_matching(*trace, path).at(0)); };
  std::vector<std::uint32_t> halves(n, 0);
  std::fill(halves.begin() + n / 2, halves.end(), 1);
  at("original indices");
  CHECK(row(cursor, "part") == halves);
  CHECK(row(cursor, "part_of_point") == halves);
  CHECK(cursor.number("reference(x)", n - 1) == n - 1);
  CHECK(cursor.number("record", n - 1) == n / 2 - 1);

  at("pass 0 / find pivots");
  const auto pivot = static_cast<std::uint32_t>(cursor.number("pivot", 0));
  REQUIRE(pivot > 5);
  const auto before = row(cursor, "reference(x)"), records = row(cursor, "record");
  at("pass 0 / swap");
  const auto after = row(cursor, "reference(x)");
  CHECK(row(cursor, "record") == records);
  for (std::uint32_t i = 0; i < n; ++i) {
    INFO("position " << i);
    const bool moved = i >= n / 2 - pivot && i < n / 2 + pivot;
    const std::uint32_t partner = i < n / 2 ? i + pivot : i - pivot;
    CHECK(after[i] == before[moved ? partner : i]);
    CHECK(static_cast<std::uint32_t>(cursor.number("part_of_point", after[i])) == (i < n / 2 ? 0u : 1u));
  }
  at("pass 0 / merge");
  other.seek(steps_matching(*alone, "dimension 0 / sort").at(0));
  CHECK(row(cursor, "reference(x)") == row(other, "reference(x)"));

  at("dimension 0 / rebalance");
  const auto unique = static_cast<std::uint32_t>(cursor.row_size("reference(x)")), median = (unique - 1) / 2;
  REQUIRE(unique < n);
  std::vector<std::uint32_t> divided(unique, 0);
  std::fill(divided.begin() + median, divided.end(), 1);
  divided[median] = no_id;
  CHECK(row(cursor, "part") == divided);
  CHECK(cursor.number("median", median) == cursor.number("median_store", 0));

  // From the first level below the parts on, each step leaves the arrays of a build in one part
  for (const char* path : {"level 1 / mark sides", "level 2 / mark sides", "level 2 / dimension 1 / partition"}) {
    INFO(path);
    at(path);
    other.seek(steps_matching(*alone, path).at(0));
    CHECK(row(cursor, "reference(x)") == row(other, "reference(x)"));
    CHECK(row(cursor, "median_store") == row(other, "median_store"));
    CHECK(row(cursor, "side") == row(other, "side"));
  }
  cursor.seek(cursor.step_count() - 1);
  CHECK(cursor.current().name == "join stores");
}

TEST_CASE("brown: in the partition so far every point is on its side of all medians above it") {
  for (const char* specification :
       {"wald-10", "ties-12", "grid:n=70,dim=2,seed=2,type=int", "uniform:n=64,dim=3,seed=1"})
    for (const Parameters& parameters : ways) {
      const auto trace = runs.recorded(specification, parameters);
      const auto data = test::data(specification);
      const PointsView points = view_of(data->points);
      Cursor cursor(trace);
      cursor.seek(cursor.step_count() - 1);
      std::set<std::uint32_t> removed;
      for (std::uint64_t i = 0; i < cursor.row_size("removed"); ++i)
        removed.insert(static_cast<std::uint32_t>(cursor.number("removed", i)));
      for (std::uint32_t s = 0; s < cursor.step_count(); ++s) {
        cursor.seek(s);
        INFO(specification << " " << path_text(cursor.current()));
        std::uint32_t wrong = 0;
        for (std::uint32_t point = 0; point < points.n; ++point) {
          if (removed.contains(point)) continue;
          for (auto node = static_cast<std::uint32_t>(cursor.number(partition_arrays::node_of_point, point));
               node > 0 && node != no_id; node = (node - 1) / 2) {
            const auto median = static_cast<std::uint32_t>(cursor.number(partition_arrays::point, (node - 1) / 2));
            const auto dim = static_cast<std::uint32_t>(level_of(NodeId{(node - 1) / 2})) % points.dim;
            wrong += median == no_id || compare_super_keys(points, point, median, dim) != (node % 2 == 1 ? -1 : 1);
          }
        }
        CHECK(wrong == 0);
      }
    }
}

TEST_CASE("brown: budgets, thinning, stopping, step times and replay are kept to") {
  for (const char* specification :
       {"uniform:n=3000,dim=3,seed=1", "clustered:n=800,dim=8,seed=1", "grid:n=500,dim=1,seed=1"})
    for (const Parameters& parameters : ways) {
      INFO(specification);
      test::check_budget_and_thinning(runs.request(specification, parameters));
    }
  test::check_stop_and_step_times(runs.request("uniform:n=1000,dim=3,seed=1", {}));
  test::check_replay(runs.recorded("uniform:n=100,dim=3,seed=1", {}));
}

DEVICE_CASE("brown: recordings on CUDA equal those on the CPU", "[sanitize]") {
  for (const char* specification : {"wald-10", "grid:n=300,dim=3,seed=2,type=int"})
    for (Parameters parameters : ways) {
      INFO(specification);
      parameters.insert({"warps", "8"});  // the value of auto differs between back ends
      test::check_same_states(runs.recorded(specification, parameters),
                              runs.recorded(specification, parameters, Backend::cuda));
    }
}

}  // namespace kdscope::brown_trace_test
