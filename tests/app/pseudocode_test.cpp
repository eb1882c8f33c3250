// Tests pseudo-code: the file, the steps to which its lines refer, and the values in them, for every algorithm.

#include "app/pseudocode/pseudocode.hpp"

#include <set>

#include "algorithms/registry/source_regions.hpp"
#include "app/pseudocode/step_values.hpp"
#include "app/recording/run.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/point_algorithms.hpp"

using namespace kdscope;

namespace {

/// Returns small runs of an algorithm: one per choice of each parameter and per number that a search would try, one
/// with the defaults, and one per least number, unless the algorithm refuses it beside the other defaults.
std::vector<RecordedRun> small_runs(const AlgorithmSpec& algorithm) {
  const std::string data = algorithm.takes_triangles ? "triangles:n=300" : "uniform:n=60,dim=2,seed=3";
  std::vector<Parameters> all{{}};
  std::set<Parameters> least;
  for (const ParameterSpec& parameter : algorithm.parameters) {
    for (const Choice& choice : parameter.choices) all.push_back(test::parameters_with(parameter, choice));
    if (!parameter.candidates.empty()) all.push_back({{parameter.name, parameter.candidates.front()}});
    if (parameter.choices.empty()) least.insert(Parameters{{parameter.name, std::to_string(parameter.min)}});
  }
  all.insert(all.end(), least.begin(), least.end());
  std::vector<RecordedRun> runs;
  for (const Parameters& parameters : all) {
    auto recording = record_run({data, algorithm.id, parameters, Backend::cpu});
    if (!recording && least.contains(parameters)) continue;
    REQUIRE(recording);
    runs.push_back(std::move(*recording));
  }
  return runs;
}

std::shared_ptr<const Trace> steps(std::initializer_list<std::pair<const char*, const char*>> anchors_and_names,
                                   std::vector<RecordedSource> sources = {}) {
  TraceHeader header;
  header.sources = std::move(sources);
  TraceBuilder builder(std::move(header));
  for (const auto& [anchor, name] : anchors_and_names) {
    Step step;
    step.code_anchor = anchor;
    step.name = name;
    builder.begin_step(step);
  }
  return builder.finish();
}

}  // namespace

TEST_CASE("every pseudo-code of this build is read, and names algorithms and regions that there are") {
  CHECK_FALSE(pseudocode_files().empty());
  for (const PseudocodeFile& file : pseudocode_files()) {
    INFO(file.algorithm);
    CHECK(find_algorithm(file.algorithm) != nullptr);
    const auto code = parse_pseudocode(file.text).value();
    CHECK(find_pseudocode(file.algorithm) != nullptr);
    for (const PseudocodeLine& line : code.lines)
      for (const auto& binding : line.bindings) {
        INFO(binding.region);
        CHECK(find_source_region(binding.region) != nullptr);
      }
  }
  CHECK(find_pseudocode("no-such-algorithm") == nullptr);
}

TEST_CASE("every step of every algorithm with pseudo-code runs a line of it, and every line of it runs somewhere") {
  for (const AlgorithmSpec& algorithm : algorithms()) {
    INFO(algorithm.id);
    const Pseudocode* code = find_pseudocode(algorithm.id);
    REQUIRE(code);
    std::set<int> ran;
    std::set<std::string> steps_run;  // region: step
    for (const RecordedRun& run : small_runs(algorithm)) {
      const CodeOfSteps map(*run.trace, code);
      for (const Step& step : run.trace->steps) {
        INFO(path_text(step) << " " << step.code_anchor);
        const auto lines = map.lines(step.ordinal);
        CHECK_FALSE(lines.empty());
        ran.insert(lines.begin(), lines.end());
        steps_run.insert(step.code_anchor + ": " + step.name);
        for (const int line : lines) {
          const auto& runs = map.steps_of_line(line);
          CHECK(std::binary_search(runs.begin(), runs.end(), step.ordinal));
        }
      }
      for (const PseudocodeLine& line : code->lines)
        for (const auto& piece : line.pieces) {
          INFO("value " << piece.source);
          CHECK((piece.source.empty() || StepValues::is_known(piece.source, *run.trace)));
        }
    }
    for (const PseudocodeLine& line : code->lines) {
      INFO("line " << line.number);
      for (const auto& binding : line.bindings)
        if (!binding.step.empty() && find_source_region(binding.region)) {
          bool anchored = false;
          for (const std::string& step : steps_run) anchored |= step.rfind(binding.region + ":", 0) == 0;
          INFO(binding.region << ": " << binding.step);
          CHECK((!anchored || steps_run.contains(binding.region + ": " + binding.step)));
        }
    }
    CHECK(ran.size() * 2 > code->lines.size());
  }
}

TEST_CASE("a line of pseudo-code goes on behind a backslash, and rows are counted on") {
  const auto code = parse_pseudocode("one {k = k} \\\n    and more @ a/b \\\n    @ c/d: step\ntwo @ e/f\n").value();
  REQUIRE(code.lines.size() == 2);
  CHECK(code.lines[0].pieces.back().text == " and more");
  REQUIRE(code.lines[0].bindings.size() == 2);
  CHECK(code.lines[0].bindings[1].region == "c/d");
  CHECK(code.lines[0].bindings[1].step == "step");
  const auto wrong = parse_pseudocode("one \\\n  more\n two\n");
  REQUIRE_FALSE(wrong);
  CHECK(wrong.error().where == "line 3");
}

TEST_CASE("pseudo-code that cannot be read names its line") {
  for (const char* text : {"a\n   b", "a\n    b", "a {l}", "a {l = level", "a { = level}", "a {l = }"}) {
    INFO(text);
    const auto code = parse_pseudocode(text);
    REQUIRE_FALSE(code);
    CHECK(code.error().where.find("line ") == 0);
  }
  const auto code =
      parse_pseudocode(
          "# remark\n\nfor each l {l = level} do {n = n}\n  sort @ a/sort: final sort, twice @ b/sort\n  rest")
          .value();
  REQUIRE(code.lines.size() == 3);
  CHECK(code.lines[0].pieces.size() == 2);
  CHECK(code.lines[0].pieces[1].text == " do ");
  CHECK(code.lines[0].pieces[1].source == "n");
  CHECK(code.lines[1].parent == 0);
  CHECK(code.lines[1].bindings[0].step == "final sort, twice");
  CHECK(code.lines[1].bindings[1].region == "b/sort");
  CHECK(code.lines[2].parent == 0);
}

TEST_CASE(
    "a line that names a step goes before one that names its region, and one that holds others stands for the first") {
  const auto code = parse_pseudocode("loop\n  sort @ a/sort\nend @ a/sort: final sort\nnever @ a/other\nnote").value();
  const auto trace = steps({{"a/sort", "sort"}, {"a/sort", "sort"}, {"a/sort", "final sort"}});
  const CodeOfSteps map(*trace, &code);
  CHECK(map.lines(0) == std::vector<int>{1});
  CHECK(map.lines(2) == std::vector<int>{2});
  CHECK(map.steps_of_line(0) == std::vector<std::uint32_t>{0, 1});
  CHECK(map.steps_of_line(3).empty());
  CHECK(map.steps_of_line(4).empty());
  CHECK(map.steps_of_region("a/sort") == std::vector<std::uint32_t>{0, 1, 2});
  CHECK(map.steps_of_region("a/other").empty());
  CHECK(map.encloses(0, map.lines(1)));
  CHECK_FALSE(map.encloses(0, map.lines(2)));
}

TEST_CASE("a region of a variant runs the lines of the regions that its text names") {
  const auto code =
      parse_pseudocode("sort @ a/sort: sort\nend @ a/sort: final sort\nmark @ a/mark\nnever @ a/none").value();
  const auto trace = steps({{"a/mine", "first half"}, {"a/both", "sort"}, {"a/silent", "sort"}, {"a/mark", "mark"}},
                           {{"a/mine", "/my.cu", 3, "// @ a/mark\r\nstruct Mine {};\n  // @ a/sort: final sort"},
                            {"a/both", "/my.cu", 9, "  // @ a/sort\n// @ a/unknown\n//@ a/none\n"},
                            {"a/silent", "/my.cu", 15, "struct Silent {};\n"}});
  const CodeOfSteps map(*trace, &code);
  CHECK(map.lines(0) == std::vector<int>{1});
  CHECK(map.lines(1) == std::vector<int>{0});
  CHECK(map.lines(2).empty());
  CHECK(map.lines(3) == std::vector<int>{2});
  CHECK(map.steps_of_line(1) == std::vector<std::uint32_t>{0});
  CHECK(map.steps_of_line(3).empty());
  CHECK(map.steps_of_region("a/mine") == std::vector<std::uint32_t>{0});
}

TEST_CASE("the next run wraps around, and there is none where the step is the only one") {
  const std::vector<std::uint32_t> at{2, 5, 9};
  CHECK(execution_after(at, 2, false)->step == 5);
  CHECK(execution_after(at, 3, false)->step == 5);
  CHECK(execution_after(at, 9, false)->step == 2);
  CHECK(execution_after(at, 9, false)->wrapped);
  CHECK(execution_after(at, 5, true)->step == 2);
  CHECK(execution_after(at, 1, true)->step == 9);
  CHECK(execution_after(at, 1, true)->wrapped);
  CHECK_FALSE(execution_after({4}, 4, false));
  CHECK(execution_after({4}, 0, false)->step == 4);
  CHECK_FALSE(execution_after({}, 0, true));
}

TEST_CASE("values are those of the trace, and of the selected point before and after") {
  for (const AlgorithmSpec& algorithm : algorithms()) {
    INFO(algorithm.id);
    const auto recording =
        record_run({algorithm.takes_triangles ? "triangles:n=300" : "wald-10", algorithm.id, {}, Backend::cpu}).value();
    const Trace& trace = *recording.trace;
    const StepValues values(trace);
    Cursor now(recording.trace), before(recording.trace);
    std::set<std::string> dimensions;
    for (const Step& step : trace.steps) {
      now.seek(step.ordinal);
      ValueScope scope{now};
      const Selection point{Space::point, 0};
      scope.selected = resolve_selection(now, point);
      if (step.ordinal > 0) {
        before.seek(step.ordinal - 1);
        scope.before = &before;
        scope.selected_before = resolve_selection(before, point);
      }
      CHECK(values.value("n", scope) == grouped(trace.header.n));
      CHECK(values.value("level", scope).has_value() == (step.level >= 0));
      CHECK_FALSE(values.value("no such value", scope));
      if (const auto d = values.value("dimension", scope)) dimensions.insert(*d);
      for (const auto& [name, parameter] : trace.header.parameters) CHECK(values.value(name, scope) == parameter);
      for (const SelectedElement& element : selected_elements(scope)) {
        CHECK_FALSE(element.now.empty());
        CHECK(element.before != element.now);
        CHECK(element.now.find("p4294967295") == std::string::npos);
        if (element.name == "point") CHECK(element.now == "p0");
      }
    }
    CHECK((dimensions.empty() || dimensions.contains("x")));
    CHECK(selected_elements(ValueScope{now}).empty());
  }
  CHECK(grouped(0) == "0");
  CHECK(grouped(1000) == "1,000");
  CHECK(grouped(12345678) == "12,345,678");
}
