// Tests the values that a variant shows: how calls are joined, and the arrays that they become in a recording.
#include "algorithms/variants/shown_values.hpp"

#include <fstream>

#include "algorithms/registry/registry.hpp"
#include "algorithms/trace/divergence.hpp"
#include "algorithms/variants/lane_order.hpp"
#include "algorithms/variants/variant_run.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/temporary_folder.hpp"

namespace kdscope::shown_values_test {

TEST_CASE("shown values: calls are joined by blocks, lanes and calls, in any order of these") {
  const auto by = [](std::uint32_t group, std::int64_t lane, std::vector<std::uint32_t> values) {
    running_lane() = {"block", group, lane};
    show("sums", values.data(), values.size());
  };
  by(1, -1, {30, 31});
  by(0, 2, {12});
  by(0, 1, {11});
  by(0, 1, {99});
  by(0, -1, {10});
  running_lane() = {};
  const PointId point{7};
  show("point", &point, 1);
  const auto shown = shown_values::take();
  REQUIRE(shown.size() == 2);
  CHECK(shown[0].first == "point");
  CHECK(shown[0].second == TypedArray::of(std::vector<std::uint32_t>{7}));
  CHECK(shown[1].first == "sums");
  CHECK(shown[1].second == TypedArray::of(std::vector<std::uint32_t>{10, 11, 99, 12, 30, 31}));
  CHECK(shown_values::take().empty());
}

TEST_CASE("shown values: numbers keep their values as the types that traces have") {
  const bool yes = true;
  const std::int16_t low = -5;
  const std::uint16_t high = 65535;
  const std::int64_t far = -(std::int64_t(1) << 40);
  const std::uint64_t all = ~std::uint64_t(0);
  const double half = 0.5;
  show("a", &yes, 1), show("b", &low, 1), show("c", &high, 1), show("d", &far, 1), show("e", &all, 1);
  show("f", &half, 1);
  std::vector<std::string> texts;
  for (const auto& [name, values] : shown_values::take()) texts.push_back(name + " " + values.text(0));
  CHECK(texts ==
        std::vector<std::string>{"a 1", "b -5", "c 65535", "d -1099511627776", "e 18446744073709551615", "f 0.5"});
}

TEST_CASE("shown values: an array of the builder keeps its name and values") {
  TraceBuilder trace(TraceHeader{});
  trace.declare({"tags", "tags"});
  const std::vector<std::uint32_t> one{1}, two{2, 3};
  for (const auto& values : {one, two}) {
    trace.begin_step(Step{});
    trace.write("tags", TypedArray::of(std::vector<std::uint32_t>{77}));
    show("tags", values.data(), values.size());
    shown_values::write_to(trace);
  }
  Cursor end(trace.finish());
  end.seek(end.step_count());
  CHECK(*end.array("tags") == TypedArray::of(std::vector<std::uint32_t>{77}));
  CHECK(*end.array("tags (shown)") == TypedArray::of(two));
}

TEST_CASE("shown values: a variant's recording has them beside the builder's arrays, in any order of lanes", "[slow]") {
  using namespace kdscope::variants;
  const test::TemporaryFolder folder;
  const std::string file = folder.file("my.cu"), before = "if (i < pivot) tags[i]";
  std::string text = new_variant("wald", {*find_stage("wald", "update_tags")}, "my.cu");
  const std::size_t at = text.find(before);
  REQUIRE(at != std::string::npos);
  text.insert(at, "const bool left = i < pivot;\n    kdscope::show(\"goes left\", &left, 1);\n    ");
  std::ofstream(file) << text;
  const auto variant = read_variant(file).value();
  const auto kit = find_kit().value();
  CompilerErrors errors;
  const auto compiled = compile(variant, kit, errors);
  INFO(errors.output.substr(0, 2000));
  REQUIRE(compiled);
  for (const LaneOrder::Kind order : {LaneOrder::Kind::ascending, LaneOrder::Kind::shuffled}) {
    ProcessRequest request{{"wald-10", "wald", {}, Backend::cpu}};
    request.order.kind = order;
    const auto run = run_variant(compiled->program, kit, request).value();
    INFO(run.crash);
    REQUIRE(run.trace);
    Cursor cursor(run.trace);
    // After the first update: the pivot of ten points is at position 6
    const auto step = std::ranges::find(run.trace->steps, "build / level 0 / update tags",
                                        [](const Step& each) { return path_text(each); });
    REQUIRE(step != run.trace->steps.end());
    cursor.seek(step->ordinal);
    REQUIRE(cursor.array("goes left"));
    CHECK(*cursor.array("goes left") == TypedArray::of(std::vector<std::uint8_t>{1, 1, 1, 1, 1, 1, 0, 0, 0, 0}));
  }
}

}  // namespace kdscope::shown_values_test
