// The engine of pages: what it answers here and, where it was built, under node.

#include "visualizer/web/engine/engine.hpp"

#include <algorithm>
#include <random>

#include "algorithms/registry/registry.hpp"
#include "algorithms/text/numbers.hpp"
#include "app/pseudocode/page_code.hpp"
#include "datasets/datasets.hpp"
#include "datasets/loaders/loaders.hpp"
#include "tests/support/share.hpp"
#include "tests/web/engine_run.hpp"
#include "visualizer/web/baked_steps.hpp"
#include "walkthroughs/practice/kernel_exercise.hpp"

using namespace kdscope;
using namespace kdscope::test;

namespace {

std::string run_of_points(const std::string& algorithm, const std::string& csv) {
  return JsonObject().add("ask", "\"run\"").add("algorithm", json_text(algorithm)).add("points", json_text(csv)).text();
}
std::string run_of_data(const std::string& algorithm, const std::string& data) {
  return JsonObject().add("ask", "\"run\"").add("algorithm", json_text(algorithm)).add("data", json_text(data)).text();
}
std::string state_at(std::uint32_t step) { return "{\"ask\":\"state\",\"step\":" + std::to_string(step) + "}"; }

std::string error_in(const std::string& answer) {
  const JsonValue value = JsonValue::parse(answer);
  const JsonValue* error = value.find("error");
  return error ? error->text() : std::string();
}

/// Points as a CSV file, with many equal coordinates and some equal points.
std::string points_with_ties(std::mt19937& random, std::uint32_t n, std::uint32_t dim, bool whole) {
  std::string csv;
  for (std::uint32_t i = 0; i < n; ++i) {
    for (std::uint32_t d = 0; d < dim; ++d)
      csv += (d > 0 ? "," : "") + std::to_string(random() % 7) + (whole ? "" : d > 0 ? ".5" : ".25");
    csv += "\n";
  }
  return csv;
}

std::shared_ptr<const DataSet> read_csv(const std::string& csv) {
  auto read = parse_points(FileFormat::csv, csv, "own points");
  REQUIRE(read);
  return std::make_shared<const DataSet>(std::move(*read));
}

/// The hash of a tree that this machine's back end builds; the reason if it builds none.
std::string hash_or_reason(RunRequest request) {
  request.backend = Backend::cpu;
  const auto built = build(request);
  return built ? hash_text(built->tree_hash) : built.error().message();
}

std::string hash_or_error(const std::string& answer) {
  const JsonValue value = JsonValue::parse(answer);
  const JsonValue* hash = value.find("hash");
  return hash ? hash->text() : value.at("error").text();
}

/// Where two texts begin to differ, with what stands around; empty if they are equal.
std::string first_difference(const std::string& found, const std::string& expected) {
  if (found == expected) return {};
  const auto at = static_cast<std::size_t>(
      std::mismatch(found.begin(), found.end(), expected.begin(), expected.end()).first - found.begin());
  const std::size_t from = at > 60 ? at - 60 : 0;
  return found.substr(from, 120) + " instead of " + expected.substr(from, 120);
}

}  // namespace

TEST_CASE("the engine returns the states that a page of the same run has") {
  Engine engine;
  for (const char* algorithm : {"wald", "textbook"}) {
    const JsonValue run = JsonValue::parse(engine.answer(run_of_data(algorithm, "wald-10")));
    RunRequest request{"wald-10", algorithm, {}, Backend::cpu};
    request.points = *open_data_set("wald-10");
    const auto trace = record(request);
    REQUIRE(trace);
    CHECK(run.at("hash").text() == hash_or_reason(request));
    REQUIRE(run.at("steps").items().size() == (*trace)->steps.size());
    const PageCode code = page_code(*trace, std::nullopt);
    for (std::uint32_t step = 0; step < (*trace)->steps.size(); ++step) {
      BakedSteps baked(*trace, std::nullopt, false, code);
      baked.bake(step, {});
      JsonObject expected;
      baked.add_states(expected);
      CHECK(first_difference(engine.answer(state_at(step)), expected.add("css", json_text(baked.css())).text()) == "");
    }
  }
}

TEST_CASE("the engine lists points as it reads them") {
  Engine engine;
  const JsonValue run = JsonValue::parse(engine.answer(run_of_points("wald", "x,y\n1,2.5\n-3,1e-3\n0.1,7\n")));
  std::vector<std::string> texts;
  for (const JsonValue& point : run.at("points").items())
    for (const JsonValue& coordinate : point.items()) texts.push_back(coordinate.text());
  CHECK(texts == std::vector<std::string>{"1", "2.5", "-3", "0.001", "0.1", "7"});
  CHECK(run.at("count").integer(0, 100) == 3);
  CHECK(run.at("dim").integer(0, 100) == 2);
  CHECK(run.at("integers").integer(0, 1) == 0);
  CHECK(JsonValue::parse(engine.answer(run_of_points("wald", "1,2\n3,4\n"))).at("integers").integer(0, 1) == 1);
  // A first row of 0 and 1 may name columns, unless the rows are points alone.
  const std::string guessed = run_of_points("wald", "0,1\n3.5,4\n");
  CHECK(JsonValue::parse(engine.answer(guessed)).at("warnings").items().size() == 1);
  const std::string alone = "{\"rows_alone\":true," + guessed.substr(1);
  CHECK(JsonValue::parse(engine.answer(alone)).at("warnings").items().empty());
}

TEST_CASE("the engine asks about a run and about one like it, the same for the same seed") {
  Engine engine;
  const auto practice = [&](int seed, bool fresh) {
    return engine.answer(R"({"ask":"practice","seed":)" + std::to_string(seed) + R"(,"fresh":)" +
                         (fresh ? "true}" : "false}"));
  };
  CHECK(error_in(practice(1, true)) == "there is no run yet; ask for a run first.");
  const JsonValue run = JsonValue::parse(engine.answer(run_of_data("wald", "wald-10")));
  CHECK(run.at("stops").integer(0, 100) == 0);
  const std::string first = practice(1, false);
  CHECK(first == practice(1, false));
  CHECK(first != practice(2, false));
  const JsonValue asked = JsonValue::parse(first);
  CHECK(asked.at("hash").text() == run.at("hash").text());
  std::int64_t stops = 0;
  for (const JsonValue& step : asked.at("steps").items())
    if (const JsonValue* questions = step.find("questions")) {
      CHECK(step.at("stop").integer(0, 100) == stops++);
      for (const JsonValue& question : questions->items()) CHECK(question.find("expects"));
    }
  CHECK(stops > 0);
  CHECK(asked.at("stops").integer(0, 100) == stops);
  const JsonValue fresh = JsonValue::parse(practice(1, true));
  CHECK(fresh.at("count").integer(0, 100) == 10);
  CHECK(fresh.at("hash").text() != run.at("hash").text());
}

TEST_CASE("a reader performs a step cell by cell, and what is written is graded") {
  Engine engine;
  const auto kernel = [&](const std::string& members) { return engine.answer(R"({"ask":"kernel",)" + members + "}"); };
  CHECK(error_in(kernel("\"step\":1")) == "there is no run yet; ask for a run first.");
  REQUIRE(error_in(engine.answer(run_of_data("wald", "wald-10"))).empty());
  CHECK(error_in(kernel("\"hint\":0")) == "no step is performed; begin with a step.");
  CHECK(error_in(kernel("\"step\":1000")).starts_with("no step from here on can be performed"));
  const JsonValue begun = JsonValue::parse(kernel("\"step\":1"));
  RunRequest request{"wald-10", "wald", {}, Backend::cpu};
  request.points = *open_data_set(request.data);
  const auto trace = record(request);
  REQUIRE(trace);
  const auto step = static_cast<std::uint32_t>(begun.at("step").integer(1, 100));
  const auto exercise = KernelExercise::at(*trace, step);
  REQUIRE(exercise);
  const auto& cells = begun.at("cells").items();
  REQUIRE(cells.size() == exercise->cells().size());
  REQUIRE(cells.size() > 2);
  std::string writes;
  for (const JsonValue& cell : cells) {
    CHECK(cell.items()[4].text().empty());  // no answer is given away
    const auto number = static_cast<std::size_t>(cell.items()[0].integer(0, 1000));
    CHECK(cell.items()[2].text() == exercise->cells()[number].place);
    const std::string text = writes.empty() ? "77777" : exercise->model_answer(number);
    writes += (writes.empty() ? "" : ",") +
              JsonObject().add("cell", number).add("text", json_text(text)).add("hinted", "false").text();
  }
  const JsonValue graded = JsonValue::parse(kernel("\"seconds\":9,\"writes\":[" + writes + "]"));
  CHECK(graded.at("verdicts").items().front().text() == "wrong");
  CHECK(graded.at("verdicts").items().back().text() == "right");
  CHECK(graded.at("finding").text().starts_with("The first wrong write is number 1 of"));
  CHECK(graded.at("complete").integer(0, 1) == 0);
  REQUIRE(graded.at("attempts").items().size() == cells.size());
  CHECK(graded.at("attempts").items().front().at("outcome").text() == "wrong");
  CHECK(graded.at("attempts").items().front().at("given").at("text").text() == "77777");
  const std::string first = std::to_string(cells.front().items()[0].integer(0, 1000));
  CHECK_FALSE(JsonValue::parse(kernel("\"hint\":" + first)).at("hint").text().empty());
  const JsonValue shown = JsonValue::parse(kernel("\"reveal\":" + first));
  CHECK(shown.at("complete").integer(0, 1) == 1);
  CHECK(shown.at("cells").items().front().items()[5].integer(0, 2) == 2);
  CHECK(shown.at("attempts").items().front().at("outcome").text() == "revealed");
  CHECK_FALSE(error_in(kernel("\"reveal\":5000")).empty());
}

TEST_CASE("the engine answers what it cannot do in one sentence, and keeps the run before") {
  Engine engine;
  CHECK(error_in(engine.answer(state_at(0))) == "there is no run yet; ask for a run first.");
  REQUIRE(error_in(engine.answer(run_of_data("wald", "wald-10"))).empty());
  const std::string state = engine.answer(state_at(3));
  for (const auto& [request, words] :
       {std::pair<std::string, const char*>{run_of_points("wald", "1,2\n3,x\n"), "own points:2:3"},
        {run_of_points("wald", ""), "own points"},
        {run_of_data("wald", "no-such-set"), "no-such-set"},
        {run_of_data("no-such-algorithm", "wald-10"), "no-such-algorithm"},
        {run_of_data("wald", "uniform:n=100001"), "100,001 points are too many for a page"},
        {run_of_data("zhou-sah", "wald-10"), "triangles"},
        {state_at(1000), "1000"},
        {"{\"ask\":\"fly\"}", "does not know 'fly'"},
        {"{\"ask\":", "The request cannot be read"},
        {"[]", "The request cannot be read"}}) {
    const std::string error = error_in(engine.answer(request));
    INFO(request << ": " << error);
    CHECK(error.find(words) != std::string::npos);
    CHECK(error.ends_with('.'));
    CHECK(first_difference(engine.answer(state_at(3)), state) == "");
  }
}

TEST_CASE("under node the engine builds the trees of this machine's back end, with ties, and answers the same texts",
          "[share]") {
  if (const std::string reason = why_no_engine(); !reason.empty()) KDSCOPE_SKIP(reason.c_str());
  if (std::system("command -v node >/dev/null 2>&1") != 0) KDSCOPE_SKIP("node is not installed (Debian: nodejs)");
  std::mt19937 random(45);
  std::vector<std::string> requests, hashes;
  const std::size_t sets = everything() ? 200 : 8;
  for (const AlgorithmSpec& spec : algorithms()) {
    for (std::size_t i = 0; i < sets; ++i) {
      RunRequest request{"", spec.id, {}};
      if (spec.takes_triangles) {
        request.data = "triangles:n=" + std::to_string(3 + random() % 40) + ",seed=" + std::to_string(i);
        request.points = *open_data_set(request.data);
        requests.push_back(run_of_data(spec.id, request.data));
      } else {
        const std::string csv = points_with_ties(random, 1 + random() % 60, 2 + i % 2, i % 4 < 2);
        request.points = read_csv(csv);
        requests.push_back(run_of_points(spec.id, csv));
      }
      hashes.push_back(hash_or_reason(request));
    }
  }
  const std::size_t trees = requests.size();
  // Every state of the ten points, and every form of answer.
  for (const char* algorithm : {"wald", "rank", "textbook", "wehr", "hu", "brown"}) {
    requests.push_back(run_of_data(algorithm, "wald-10"));
    const JsonValue run = JsonValue::parse(Engine().answer(requests.back()));
    for (std::uint32_t step = 0; !run.find("error") && step < run.at("steps").items().size(); ++step)
      requests.push_back(state_at(step));
  }
  requests.push_back(run_of_data("zhou-sah", "zhou-8"));
  requests.push_back(state_at(2));
  requests.push_back(run_of_points("wald", "1,2\n3,x\n"));
  requests.push_back("{\"ask\":\"builders\"}");
  requests.push_back(run_of_data("wald", "wald-10"));
  requests.push_back("{\"ask\":\"practice\",\"seed\":5,\"fresh\":true}");
  requests.push_back(R"({"ask":"kernel","step":1})");
  requests.push_back(R"({"ask":"kernel","writes":[{"cell":0,"text":"7","hinted":false}],"seconds":9})");
  requests.push_back(R"({"ask":"run","data":"uniform:n=100","algorithm":"wald","search":{"search":"stack-free",)"
                     R"("question":"nearest","k":"3","query":"0.3,0.4"}})");
  for (const std::uint32_t step : {0, 4, 9}) requests.push_back(state_at(step));
  std::vector<std::string> answers = answers_under_node(requests);
  REQUIRE(answers.size() == requests.size());
  std::size_t built = 0;
  Engine engine;
  for (std::size_t i = 0; i < requests.size(); ++i) {
    INFO(requests[i]);
    if (i < trees) {
      CHECK(hash_or_error(answers[i]) == hashes[i]);
      built += hashes[i].starts_with("0x");
    }
    std::string here = engine.answer(requests[i]);
    // A page has no large scenes.
    if (const auto sources = here.find("\"sources\":"); here.starts_with("{\"program\"")) {
      here.resize(sources);
      answers[i].resize(std::min(answers[i].size(), sources));
    }
    if (i >= trees || i % 7 == 0) CHECK(first_difference(answers[i], here) == "");
  }
  CHECK(built > trees / 2);
}
