// Tests recordings that end at a condition, with every builder and with a search: they hold the steps of the whole
// recording up to the first one that meets it.
#include "algorithms/registry/recorded_until.hpp"

#include "algorithms/trace/divergence.hpp"
#include "datasets/datasets.hpp"
#include "tests/support/catch.hpp"

namespace kdscope::recorded_until_test {

namespace {

RunRequest request_for(const AlgorithmSpec& spec) {
  RunRequest request{spec.takes_triangles ? "triangles:n=20" : "uniform:n=40,dim=3,seed=5", spec.id, {}, Backend::cpu};
  request.points = open_data_set(request.data).value();
  return request;
}

/// Checks that a recording holds the first steps of the whole one and no more.
void check_begins(const Trace& begin, const std::shared_ptr<const Trace>& whole) {
  REQUIRE(begin.steps.size() <= whole->steps.size());
  const auto a = std::make_shared<const Trace>(begin);
  Cursor x(a), y(whole);
  for (std::uint32_t step = 0; step < begin.steps.size(); ++step) {
    INFO(path_text(begin.steps[step]));
    CHECK(path_text(begin.steps[step]) == path_text(whole->steps[step]));
    x.seek(step), y.seek(step);
    CHECK(x.state_hash() == y.state_hash());
  }
}

}  // namespace

TEST_CASE("every builder: a recording ends at the first step that a whole recording has for the condition") {
  for (const AlgorithmSpec& spec : algorithms()) {
    INFO(spec.id);
    const RunRequest request = request_for(spec);
    const auto whole = record(request).value();
    std::vector<std::string> conditions{"step == 0", "step > 2 && changed(partition.parent)",
                                        "count(partition.split_dim == 1) > 1", "any(partition.split_value > 0.5)"};
    // Each array that is shown: its second change
    for (const Trace::Array& array : whole->arrays)
      if (array.info.shown_as_row && array.info.components == 1)
        conditions.push_back("step > 3 && changed(" + array.info.name + ")");
    std::size_t met = 0;
    for (const std::string& condition : conditions) {
      INFO(condition);
      const auto expression = Expression::parse(condition, *whole).value();
      const std::vector<MetStep> steps = steps_where(expression, whole);
      const auto until = record_until(typed(request).value(), condition).value();
      CHECK(until.met.has_value() == !steps.empty());
      check_begins(*until.trace, whole);
      if (!until.met || steps.empty()) {
        CHECK(until.trace->steps.size() == whole->steps.size());
        CHECK(until.trace->header.tree_hash == whole->header.tree_hash);
        continue;
      }
      ++met;
      CHECK(until.met->step == steps.front().step);
      CHECK(until.met->reading == steps.front().reading);
      CHECK(until.trace->steps.size() == steps.front().step + 1);
      CHECK(until.trace->header.tree_hash == 0);  // no finished tree
    }
    CHECK(met > 3);
  }
}

TEST_CASE("a recording of Wald's ten points ends at the steps of the paper") {
  RunRequest request{"wald-10", "wald", {}, Backend::cpu};
  request.points = open_data_set(request.data).value();
  const auto ends_at = [&](const std::string& condition) {
    const auto until = record_until(typed(request).value(), condition).value();
    REQUIRE(until.met);
    const Step& step = until.trace->steps.back();
    CHECK(step.ordinal == until.met->step);
    return path_text(step) + ": " + until.met->reading;
  };
  CHECK(ends_at("any(tags == 2)") == "build / level 0 / update tags: any(tags == 2) holds at 7, 8, 9");
  CHECK(ends_at("tags[5] == 4") == "build / level 1 / update tags: tags[5] is 4");
  CHECK(ends_at("at(\"level 2\") && index[2] == p9") == "build / level 2 / sort: at(\"level 2\") is 1, index[2] is p9");
  CHECK(ends_at("step > 2 && changed(tags[index == p7])") ==
        "build / level 0 / update tags: step is 3, changed(tags[index == p7]): 1, before 0");
}

TEST_CASE("a recording of a search ends at a condition, and a wrong condition is an error") {
  RunRequest request{"wald-10", "wald", {}, Backend::cpu};
  request.points = open_data_set(request.data).value();
  request.search = {{"search", "stack-free"}, {"question", "nearest"}, {"query", "50,40"}, {"k", "2"}};
  const auto whole = record(request).value();
  const std::string condition = "size(search.found) == 2";
  const auto steps = steps_where(Expression::parse(condition, *whole).value(), whole);
  REQUIRE_FALSE(steps.empty());
  REQUIRE(steps.front().step > 0);
  const auto until = record_until(typed(request).value(), condition).value();
  REQUIRE(until.met);
  CHECK(until.met->step == steps.front().step);
  check_begins(*until.trace, whole);
  CHECK(until.trace->steps.size() == steps.front().step + 1);

  request.search.clear();
  const auto refusal = [&](const std::string& text) {
    const auto refused = record_until(typed(request).value(), text);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().kind == ErrorKind::bad_usage);
    return refused.error().message();
  };
  CHECK(refusal("tagz[17] == 4").find("did you mean tags") != std::string::npos);
  CHECK(refusal("tags[17] ==").find("character 12") != std::string::npos);
  CHECK(refusal("tags == 4").find("some elements") != std::string::npos);

  std::stop_source stop;
  stop.request_stop();
  const auto stopped = record_until(typed(request).value(), "tags[17] == 4", {stop.get_token(), {}});
  REQUIRE_FALSE(stopped);
  CHECK(stopped.error().kind == ErrorKind::cancelled);
}

}  // namespace kdscope::recorded_until_test
