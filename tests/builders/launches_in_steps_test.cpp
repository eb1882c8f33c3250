// Tests that every launch of every builder belongs to a step, so that the times of the steps add up to the build's
// time.
#include "tests/builders/runs.hpp"
#include "tests/builders/triangle_soups.hpp"
#include "tests/builders/ways_to_build.hpp"
#include "tests/support/catch.hpp"

namespace kdscope::launches_in_steps_test {

TEST_CASE("every launch of every builder lies in a step") {
  std::size_t ways_seen = 0;
  for (const AlgorithmSpec& spec : algorithms()) {
    const auto data =
        spec.takes_triangles ? test::triangle_soup(test::Soup::spread, 300) : test::data("uniform:n=300,dim=3");
    std::vector<Parameters> all = test::ways_to_build(spec);
    for (const ParameterSpec& parameter : spec.parameters) {
      // Few points take all steps if blocks finish small subtrees
      if (parameter.name == "subtree") all.push_back({{parameter.name, std::to_string(parameter.min)}});
      if (parameter.name == "parts") all.push_back({{parameter.name, "2"}});
    }
    for (const Parameters& parameters : all) {
      INFO(spec.id << (parameters.empty() ? "" : " " + parameters.begin()->first + "=" + parameters.begin()->second));
      RunRequest request{{}, spec.id, parameters, Backend::cpu, false, data};
      request.time_steps = true;
      request.repeat = 0;
      const auto built = build(request);
      if (parameters.empty() || parameters.contains("parts")) REQUIRE(built);
      if (!built) continue;  // the choice needs a value of another parameter
      std::uint64_t inside = 0;
      for (const StepTime& step : built->step_times) inside += step.launches;
      CHECK(inside == built->stepped_launches);
      ways_seen += inside > 3;
      if (parameters.empty() || parameters.contains("parts")) CHECK(inside > 3);
    }
  }
  CHECK(ways_seen > 20);
}

}  // namespace kdscope::launches_in_steps_test
