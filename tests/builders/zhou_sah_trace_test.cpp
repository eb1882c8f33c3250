// Recorded runs of the zhou-sah builder: all checks hold, the tree equals the timed run's, and the steps correspond to
// the source's algorithms.
#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <set>

#include "tests/builders/replay.hpp"
#include "tests/builders/runs.hpp"
#include "tests/builders/triangle_soups.hpp"
#include "tests/support/cases.hpp"
#include "tests/support/share.hpp"

namespace kdscope::zhou_sah_trace_test {
using test::Soup;

namespace {

RunRequest request_of(Soup soup, std::uint32_t n, const Parameters& parameters, Backend backend = Backend::cpu) {
  return {{}, "zhou-sah", parameters, backend, false, test::triangle_soup(soup, n)};
}

std::shared_ptr<const Trace> recorded(Soup soup, std::uint32_t n, const Parameters& parameters,
                                      Backend backend = Backend::cpu) {
  auto trace = record(request_of(soup, n, parameters, backend));
  if (!trace) FAIL(test::name_of(soup) << " " << n << ": " << trace.error().message());
  return *trace;
}

const std::vector<Parameters> ways{
    {},
    {{"small", "4"}, {"chunk", "4"}},
    {{"small", "16"}, {"chunk", "32"}, {"empty", "5"}, {"traversal", "20"}, {"depth", "12"}}};

}  // namespace

TEST_CASE("zhou-sah: every check holds at every step, and the recorded tree is the timed one") {
  for (const Soup soup : test::all_soups)
    for (const std::uint32_t n : {0u, 1u, 2u, 64u, 65u, 150u})
      for (const Parameters& parameters : ways) {
        if (soup == Soup::fan && n > 100) continue;
        INFO(test::name_of(soup) << " " << n);
        test::check_recording(request_of(soup, n, parameters));
      }
}

TEST_CASE("zhou-sah: steps have the grain of the source's algorithms") {
  const auto trace = recorded(Soup::spread, 20, {{"small", "10"}, {"chunk", "4"}});
  std::vector<std::string> found;
  for (const Step& step : trace->steps) found.push_back(path_text(step));
  const std::string large = "build / level 0 / large nodes / ", node_boxes = "build / level 0 / node boxes / ",
                    child_counts = "build / level 0 / child counts / ";
  std::vector<std::string> wanted{"build / triangle boxes", "build / root", large + "make chunks",
                                  large + "chunk boxes"};
  for (const char* pass : {"pass 0", "pass 1", "pass 2"}) wanted.push_back(node_boxes + pass + " / reduce boxes");
  for (const char* name : {"split large nodes", "create children", "mark sides"}) wanted.push_back(large + name);
  for (const char* pass : {"pass 0", "pass 1", "pass 2"}) wanted.push_back(child_counts + pass + " / reduce counts");
  for (const char* name : {"filter small nodes", "sort and clip"}) wanted.push_back(large + name);
  REQUIRE(found.size() > wanted.size());
  CHECK(std::vector<std::string>(found.begin(), found.begin() + std::ptrdiff_t(wanted.size())) == wanted);
  CHECK(steps_matching(*trace, "split candidates").size() == 1);
  CHECK(steps_matching(*trace, "evaluate costs").size() == steps_matching(*trace, "split small nodes").size());
  CHECK(steps_matching(*trace, "up pass").size() == steps_matching(*trace, "down pass").size());
  CHECK(found.back() == "build / output / store nodes");
}

TEST_CASE("zhou-sah: the segmented reduction's results are the sums of the chunks") {
  const auto trace = recorded(Soup::clustered, 400, {{"small", "20"}, {"chunk", "8"}});
  Cursor cursor(trace);
  const auto passes = steps_matching(*trace, "level 1 / child counts");
  REQUIRE(passes.size() > 2);
  // No value is lost; the error in the source's listing would lose the first value of the first segment.
  cursor.seek(passes.back());
  for (std::uint64_t side = 0; side < 2; ++side) {
    std::vector<double> sums(cursor.row_size("active"));
    for (std::uint64_t k = 0; k < cursor.row_size("owner"); ++k)
      sums[static_cast<std::size_t>(cursor.number("owner", k))] += cursor.number("chunk.counts", 2 * k + side);
    for (std::uint64_t i = 0; i < sums.size(); ++i) CHECK(cursor.number("result.count", 2 * i + side) == sums[i]);
  }
}

TEST_CASE("zhou-sah: how a large node is split stands by owner: what is cut off at which side, and the median") {
  const auto trace = recorded(Soup::clustered, 400, {{"small", "20"}, {"chunk", "8"}});
  CHECK(trace->find("cut")->info.component_names ==
        std::vector<std::string>{"low.x", "low.y", "low.z", "high.x", "high.y", "high.z"});
  CHECK(trace->find("result.count")->info.component_names == std::vector<std::string>{"left", "right"});
  Cursor cursor(trace);
  std::uint64_t cut = 0;
  for (const std::uint32_t step : steps_matching(*trace, "split large nodes")) {
    cursor.seek(step);
    for (std::uint64_t i = 0; i < cursor.row_size("active"); ++i) {
      std::uint64_t cuts = 0;
      for (std::uint64_t side = 0; side < 6; ++side) {
        const double at = cursor.number("cut", 6 * i + side);
        if (std::isnan(at)) continue;
        ++cuts;
        // No part of the node lies beyond the plane.
        if (side < 3)
          CHECK(at <= cursor.number("node_box", 6 * i + side));
        else
          CHECK(at >= cursor.number("node_box", 6 * i + side));
      }
      CHECK(static_cast<double>(cuts) == cursor.number("cuts", i));
      cut += cuts;
      if (const double dim = cursor.number("median.dim", i); dim != no_id)
        CHECK(!std::isnan(cursor.number("median", i)));
    }
  }
  CHECK(cut > 0);
}

TEST_CASE("zhou-sah: costs stand node by node along each dimension, and the chosen candidate costs least") {
  const auto trace = recorded(Soup::spread, 60, {});
  Cursor cursor(trace);
  int chosen = 0, neighbours = 0;
  for (const std::uint32_t step : steps_matching(*trace, "evaluate costs")) {
    cursor.seek(step);
    const auto least_of = [&](std::uint64_t node) {
      double least = std::numeric_limits<double>::infinity();
      for (std::uint64_t i = 0; i < cursor.row_size("cost"); ++i)
        if (cursor.number("cost.node", i) == static_cast<double>(node))
          least = std::min(least, cursor.number("cost", i));
      return least;
    };
    for (std::uint64_t i = 0; i < cursor.row_size("cost"); ++i) {
      const auto node = static_cast<std::uint64_t>(cursor.number("cost.node", i)),
                 candidate = static_cast<std::uint64_t>(cursor.number("cost.candidate", i));
      if (const double choice = cursor.number("choice", node); choice != no_id) {
        CHECK(cursor.number("cost", i) >= least_of(node));
        chosen += candidate == choice;
        if (candidate == choice)
          CHECK((cursor.number("cost", i) == least_of(node) && least_of(node) < cursor.number("count", node)));
      }
      if (i == 0 || cursor.number("cost.node", i - 1) != static_cast<double>(node)) continue;
      ++neighbours;
      const auto before = static_cast<std::uint64_t>(cursor.number("cost.candidate", i - 1));
      const double dim = cursor.number("candidate.dim", candidate), dim_before = cursor.number("candidate.dim", before);
      CHECK((dim_before < dim || (dim_before == dim && cursor.number("candidate.value", before) <=
                                                           cursor.number("candidate.value", candidate))));
    }
  }
  CHECK(chosen > 5);
  CHECK(neighbours > 100);
  cursor.seek(cursor.step_count() - 1);
  // The number of ones in a mask is the number of triangles of the node.
  for (std::uint64_t node = 0; node < cursor.row_size("set"); ++node)
    CHECK(std::popcount(cursor.array("set")->as<std::uint64_t>()[node]) == cursor.number("count", node));
  double leaves = 0;
  for (std::uint64_t node = 0; node < cursor.row_size(partition_arrays::leaf); ++node)
    leaves += cursor.number(partition_arrays::leaf, node);
  CHECK(2 * leaves - 1 == static_cast<double>(cursor.row_size("tree.parent")));
}

TEST_CASE("zhou-sah: vertices belong to the leaf around them") {
  const auto trace = recorded(Soup::clustered, 300, {{"small", "16"}, {"chunk", "16"}});
  Cursor cursor(trace);
  int steps = 0;
  for (std::uint32_t s = 0; s < cursor.step_count(); s += 7) {
    cursor.seek(s);
    if (!cursor.array(partition_arrays::box)) continue;
    ++steps;
    for (std::uint64_t p = 0; p < trace->header.n; ++p) {
      const auto node = static_cast<std::uint64_t>(cursor.number(partition_arrays::node_of_point, p));
      bool inside = true;
      for (std::uint64_t d = 0; d < 3; ++d) {
        const double x = cursor.number(points_array, 3 * p + d);
        inside = inside && x >= cursor.number(partition_arrays::box, 6 * node + d) &&
                 x <= cursor.number(partition_arrays::box, 6 * node + 3 + d);
      }
      if (!inside) FAIL("vertex " << p << " at step " << s);
    }
  }
  CHECK(steps > 5);
}

TEST_CASE("zhou-sah: a saved trace is equal, and triangles and candidates keep their spaces") {
  const auto trace = recorded(Soup::needles, 90, {{"small", "16"}, {"chunk", "8"}});
  CHECK(trace->find("reference")->info.value_space == Space::triangle);
  CHECK(trace->find("choice")->info.value_space == Space::candidate);
  CHECK(trace->find("cost")->info.index_space == Space::evaluation);
  // Check the address of each node in the finished tree, and its inverse.
  Cursor cursor(trace);
  cursor.seek(cursor.step_count() - 1);
  for (std::uint64_t node = 0; node < cursor.row_size("address"); ++node)
    CHECK(cursor.number("tree.node", static_cast<std::uint64_t>(cursor.number("address", node))) ==
          static_cast<double>(node));
  test::check_replay(trace);
}

TEST_CASE("zhou-sah: budgets, thinning, stopping and step times are kept to", "[share]") {
  std::size_t number = 0;
  for (const Soup soup : {Soup::spread, Soup::needles, Soup::flat, Soup::grid})
    for (const Parameters& parameters : ways) {
      if (number++ % test::every_nth(5) != 0) continue;
      INFO(test::name_of(soup));
      const auto recorded = test::check_budget_and_thinning(
          request_of(soup, 600, parameters),
          {"left_child", "split_dim", "count", "set", "size", "address", "tree.parent", "tree.references",
           partition_arrays::box, partition_arrays::leaf, partition_arrays::node_of_point});
      CHECK(recorded.thin->steps.size() < recorded.full->steps.size());
      CHECK(recorded.refusal.starts_with("recording 600 triangles takes about "));
      CHECK(recorded.refusal.ends_with(
          "; raise the budget, record only the last step of each level, or use a smaller mesh."));
    }
  test::check_stop_and_step_times(request_of(Soup::spread, 1000, {}));
}

DEVICE_CASE("zhou-sah: recordings on CUDA equal those on the CPU", "[sanitize]") {
  for (const Soup soup : {Soup::spread, Soup::flat, Soup::equal, Soup::grid})
    for (const Parameters& parameters : ways) {
      INFO(test::name_of(soup));
      test::check_same_states(recorded(soup, 150, parameters), recorded(soup, 150, parameters, Backend::cuda));
    }
}

}  // namespace kdscope::zhou_sah_trace_test
