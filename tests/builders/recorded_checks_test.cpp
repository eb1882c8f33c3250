// Tests that the last step of a recording contains all checks of the verifier of its tree's kind.
#include <algorithm>

#include "algorithms/builders/builders.hpp"
#include "algorithms/builders/timed_run.hpp"
#include "algorithms/trees/split_planes/tree.hpp"
#include "algorithms/trees/tree.hpp"
#include "tests/builders/runs.hpp"
#include "tests/builders/triangle_soups.hpp"
#include "tests/support/catch.hpp"

using namespace kdscope;

TEST_CASE("every builder's recording ends with every check of its tree") {
  for (const Builder* builder : builders())
    for (const bool thin : {false, true})
      for (const std::uint32_t n : {0u, 1u, 90u}) {
        INFO(builder->spec.id << " " << n);
        RunRequest request{{}, builder->spec.id, {}, Backend::cpu, thin};
        request.points = builder->spec.takes_triangles ? test::triangle_soup(test::Soup::spread, n)
                                                       : test::data("uniform:dim=3,n=" + std::to_string(n));
        const auto report = build(request).value();
        const auto findings = verify_tree(report.tree, request.points->points);
        const auto trace = record(request).value();
        const std::vector<CheckResult>& checks = trace->steps.back().checks;
        for (const CheckResult& f : findings) {
          INFO(f.name);
          CHECK(std::count_if(checks.begin(), checks.end(), [&](const CheckResult& c) {
                  return c.name == f.name && c.statement == f.statement && c.passed == f.passed;
                }) == 1);
        }
        CHECK(test::first_failure(*trace) == "");
        // Trees of split planes follow from their parameters, so they are also checked against their rules.
        const bool planes = report.tree.is<SplitPlaneTree>();
        CHECK(std::any_of(checks.begin(), checks.end(), [](const CheckResult& c) { return c.name == "rules"; }) ==
              planes);
      }
}

TEST_CASE("what a verifier finds takes the place of a step's check of the same name") {
  Step step;
  step.checks = {{"kd-order", "of a prefix", true, ""}, {"chunks", "are there", true, ""}};
  CheckResult wrong{"kd-order", "of the tree", true, ""};
  wrong.fail("node 3");
  add_checks(step, {wrong, {"size", "as large as the input", true, ""}});
  REQUIRE(step.checks.size() == 3);
  CHECK(step.checks[0].name == "chunks");
  CHECK((step.checks[1].name == "kd-order" && step.checks[1].statement == "of the tree" && !step.checks[1].passed &&
         step.checks[1].detail == "node 3"));
  CHECK((step.checks[2].name == "size" && step.checks[2].passed));
}
