#include "visualizer/web/engine/engine.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

#include "algorithms/builders/builders.hpp"
#include "algorithms/registry/registry.hpp"
#include "algorithms/registry/searches.hpp"
#include "algorithms/text/numbers.hpp"
#include "app/pseudocode/page_code.hpp"
#include "datasets/datasets.hpp"
#include "datasets/loaders/loaders.hpp"
#include "visualizer/web/baked_question.hpp"
#include "visualizer/web/baked_steps.hpp"
#include "walkthroughs/practice/results.hpp"

namespace kdscope {
namespace {

constexpr std::size_t most_questions = 6;
constexpr std::int64_t most_seed = 1'000'000'000;
constexpr std::int64_t most_trace_steps = 1'000'000'000;
/// Memory that a recording may take. A page has at most 2 GiB.
constexpr std::uint64_t trace_budget = 768ull << 20;

[[noreturn]] void refuse(std::string what, std::string remedy) {
  throw ErrorException({ErrorKind::bad_input, std::move(what), "", std::move(remedy)});
}

std::string text_of(const JsonValue& request, std::string_view name) {
  const JsonValue* member = request.find(name);
  return member ? member->text() : std::string();
}

Parameters texts_of(const JsonValue& request, std::string_view name) {
  Parameters texts;
  if (const JsonValue* members = request.find(name))
    for (const auto& [parameter, text] : members->members()) texts[parameter] = text.text();
  return texts;
}

/// Opens the points of a request.
std::shared_ptr<const DataSet> points_in(const JsonValue& request) {
  const JsonValue* points = request.find("points");
  auto data = points ? Result<std::shared_ptr<const DataSet>>(nullptr) : open_data_set(text_of(request, "data"));
  if (points) {
    ReadOptions options;
    if (const JsonValue* rows_alone = request.find("rows_alone"); rows_alone && rows_alone->boolean())
      options.header = false;
    auto parsed = parse_points(FileFormat::csv, points->text(), "own points", options);
    if (!parsed) throw ErrorException(parsed.error());
    data = std::make_shared<const DataSet>(std::move(*parsed));
  }
  if (!data) throw ErrorException(data.error());
  if ((*data)->points.size() > Engine::most_points)
    refuse(grouped((*data)->points.size()) + " points are too many for a page, which takes " +
               grouped(Engine::most_points),
           "use fewer points, or the program kdscope");
  return *data;
}

std::string json_coordinates(const PointSet& points) {
  JsonList rows;
  for (std::size_t i = 0; i < points.size(); ++i) {
    JsonList row;
    for (std::uint32_t d = 0; d < points.dim; ++d) {
      const std::uint32_t word = points.word(i, d);
      row.add(json_text(points.type == ScalarType::int32 ? std::to_string(static_cast<std::int32_t>(word))
                                                         : shortest(float_of(word))));
    }
    rows.add(row.text());
  }
  return rows.text();
}

std::string json_parameter(const std::string& name, const std::string& title, const std::string& help,
                           const std::string& value, const std::vector<std::string>& choices, std::int64_t min,
                           std::int64_t max, bool automatic) {
  return JsonObject()
      .add("name", json_text(name))
      .add("title", json_text(title))
      .add("help", json_text(help))
      .add("value", json_text(value))
      .add("choices", json_texts(choices))
      .add("min", min)
      .add("max", max)
      .add("automatic", automatic ? 1 : 0)
      .text();
}

std::string json_parameter_list(const std::vector<ParameterSpec>& specs) {
  JsonList parameters;
  for (const ParameterSpec& parameter : specs) {
    std::vector<std::string> choices;
    for (const Choice& choice : parameter.choices) choices.push_back(choice.value);
    parameters.add(json_parameter(parameter.name, parameter.title, parameter.help, parameter.default_value, choices,
                                  parameter.min, parameter.max, parameter.automatic));
  }
  return parameters.text();
}

std::string json_search(const SearchSpec& spec) {
  JsonList questions;
  for (const SearchQuestion question : spec.questions)
    questions.add(JsonObject()
                      .add("id", json_text(name_of(question)))
                      .add("radius", needs_radius(question) ? 1 : 0)
                      .add("ray", is_about_rays(question) ? 1 : 0)
                      .text());
  return JsonObject()
      .add("id", json_text(spec.id))
      .add("title", json_text(spec.title))
      .add("citation", json_text(spec.citation))
      .add("summary", json_text(spec.summary))
      .add("questions", questions.text())
      .add("most_k", spec.most_k)
      .add("parameters", json_parameter_list(spec.parameters))
      .text();
}

std::string json_builder(const Builder& builder) {
  const AlgorithmSpec& spec = builder.spec;
  JsonList searches;
  for (const Search* search : searches_of(builder.tree_kind().id())) searches.add(json_search(search->spec));
  return JsonObject()
      .add("id", json_text(spec.id))
      .add("title", json_text(spec.title))
      .add("citation", json_text(spec.citation))
      .add("summary", json_text(spec.summary))
      .add("triangles", spec.takes_triangles ? 1 : 0)
      .add("parameters", json_parameter_list(spec.parameters))
      .add("searches", searches.text())
      .text();
}

/// Queries and a radius that show something of these points: the middle of their box, a ray along its diagonal, and a
/// quarter of its longest side.
void add_places(JsonObject& answer, const PointSet& points) {
  const Box box = bounding_box(points);
  JsonList middle, origin, direction;
  double longest = 0;
  for (std::uint32_t d = 0; d < box.lo.size(); ++d) {
    const double low = box.lo[d], extent = box.hi[d] - low, half = low + extent / 2;
    longest = std::max(longest, extent);
    middle.add(json_text(short_number(points.type == ScalarType::int32 ? std::floor(half) : half)));
    origin.add(json_text(short_number(low)));
    direction.add(json_text(short_number(extent)));
  }
  answer.add("middle", middle.text())
      .add("ray_origin", origin.text())
      .add("ray_direction", direction.text())
      .add("reach", json_text(short_number(longest / 4)));
}

std::string answer_builders() {
  JsonList all, sources;
  for (const Builder* builder : builders()) all.add(json_builder(*builder));
  for (const DataSource& source : data_sources()) {
    JsonList parameters;
    for (const DataParameter& parameter : source.parameters)
      if (!parameter.is_list)
        parameters.add(json_parameter(parameter.name, parameter.name, parameter.help, parameter.default_value,
                                      parameter.choices, parameter.min, parameter.max, false));
    sources.add(JsonObject()
                    .add("id", json_text(source.id))
                    .add("title", json_text(source.title))
                    .add("generated", source.generated ? 1 : 0)
                    .add("triangles", source.has_triangles ? 1 : 0)
                    .add("parameters", parameters.text())
                    .text());
  }
  return JsonObject()
      .add("program", json_text(std::string("kdscope ") + version()))
      .add("builders", all.text())
      .add("sources", sources.text())
      .text();
}

/// A question with what a result file says of it.
std::string json_generated(const GeneratedQuestion& question, const Trace& trace) {
  const Attempt attempt = attempt_at(question, trace);
  const std::string text = json_question(question.question, -1, attempt.asked);
  return "{\"stop\":" + json_text(attempt.stop) + "," + text.substr(1);
}

/// The cells of an exercise, thread by thread, arrays of one space together.
std::string json_cells(const KernelExercise& exercise) {
  const std::vector<KernelCell>& cells = exercise.cells();
  std::vector<std::size_t> order(cells.size());
  std::iota(order.begin(), order.end(), std::size_t(0));
  std::ranges::stable_sort(order, {}, [&](std::size_t i) {
    const ArrayInfo& info = exercise.trace().find(cells[i].array)->info;
    return std::tuple(info.dimensions.size() > 1, info.index_space, cells[i].index);
  });
  JsonList all;
  for (const std::size_t i : order)
    all.add(JsonList()
                .add(i)
                .add(json_text(cells[i].row))
                .add(json_text(cells[i].place))
                .add(json_text(cells[i].before))
                .add(json_text(exercise.shown(i)))
                .add(exercise.is_filled(i) + exercise.is_revealed(i))
                .text());
  return all.text();
}

std::string json_error(std::string_view sentence) { return JsonObject().add("error", json_text(sentence)).text(); }

}  // namespace

std::string Engine::answer(const std::string& text) {
  try {
    const JsonValue request = JsonValue::parse(text);
    const std::string& ask = request.at("ask").text();
    if (ask == "builders") return answer_builders();
    if (ask == "run") return answer_run(request);
    if (ask == "practice") return answer_practice(request);
    if (ask == "kernel") return answer_kernel(request);
    if (ask == "state") return answer_state(request);
    return json_error("The engine does not know '" + ask + "'; use the engine of the program that made the page.");
  } catch (const ErrorException& e) {
    return json_error(e.error().message());
  } catch (const JsonError& e) {
    return json_error(std::string("The request cannot be read: ") + e.what() + ".");
  } catch (const std::bad_alloc&) {
    return json_error("The browser gives the page no more memory; use fewer points.");
  }
}

std::string Engine::answer_run(const JsonValue& request) {
  RunRequest run{text_of(request, "data"), text_of(request, "algorithm"), texts_of(request, "parameters"),
                 Backend::cpu};
  run.points = points_in(request);
  run.search = texts_of(request, "search");
  keep(std::move(run));
  return description({});
}

std::string Engine::answer_practice(const JsonValue& request) {
  require_run();
  const auto seed = static_cast<std::uint64_t>(request.at("seed").integer(0, most_seed));
  if (request.at("fresh").boolean()) {
    RunRequest run = run_;
    run.data = fresh_data(*trace_, seed);
    const auto data = open_data_set(run.data);
    if (!data) throw ErrorException(data.error());
    run.points = *data;
    keep(std::move(run));
  }
  const auto questions = practice_questions(trace_, most_questions, {}, seed);
  if (questions.empty()) refuse("no step of this run has something to ask about", "choose more points");
  return description(questions);
}

void Engine::require_run() const {
  if (!trace_) refuse("there is no run yet", "ask for a run first");
}

/// Records a run, and keeps it if that goes well.
void Engine::keep(RunRequest run) {
  run.trace_budget_bytes = trace_budget;
  RunControl control;
  control.progress = progress_;
  const auto trace = record(run, control);
  if (!trace) throw ErrorException(trace.error());
  if ((*trace)->steps.empty()) refuse("the run has no steps, so there is nothing to show", "choose at least one point");
  exercise_.reset();
  run_ = std::move(run);
  trace_ = *trace;
  code_ = page_code(trace_, std::nullopt);
}

/// The run as a page's data without states. Steps with questions are its stops.
std::string Engine::description(const std::vector<GeneratedQuestion>& questions) const {
  BakedSteps baked(trace_, std::nullopt, false, code_);
  JsonList steps;
  std::size_t stops = 0;
  for (std::uint32_t step = 0; step < trace_->steps.size(); ++step) {
    JsonObject described = baked.describe(step, nullptr);
    JsonList asked;
    for (const GeneratedQuestion& question : questions)
      if (question.step == step) asked.add(json_generated(question, *trace_));
    if (asked.text() != "[]")
      described.add("stop", stops++)
          .add("heading", json_text(path_text(trace_->steps[step])))
          .add("narration", json_text(""))
          .add("questions", asked.text());
    steps.add(described.add("states", "[0]").text());
  }
  JsonObject answer;
  add_run(answer, *trace_);
  answer.add("stops", stops).add("steps", steps.text());
  baked.add_texts(answer);
  const PointSet& points = run_.points->points;
  answer.add("count", points.size())
      .add("dim", points.dim)
      .add("integers", points.type == ScalarType::int32 ? 1 : 0)
      .add("warnings", json_texts(run_.points->warnings))
      .add("hash", json_text(hash_text(trace_->header.tree_hash)));
  add_places(answer, points);
  if (points.size() <= most_listed_points && run_.points->triangles.empty())
    answer.add("points", json_coordinates(points));
  return answer.text();
}

std::string Engine::answer_kernel(const JsonValue& request) {
  require_run();
  if (const JsonValue* from = request.find("step")) {
    exercise_.reset();
    auto step = std::max<std::uint32_t>(1, static_cast<std::uint32_t>(from->integer(0, most_trace_steps)));
    for (; step < trace_->steps.size() && !exercise_; ++step)
      if (auto exercise = KernelExercise::at(trace_, step)) exercise_ = std::move(*exercise);
    if (!exercise_) refuse("no step from here on can be performed cell by cell", "go back to an earlier step");
  }
  if (!exercise_) refuse("no step is performed", "begin with a step");
  const std::size_t before = exercise_->entries().size();
  const auto cell_in = [&](const JsonValue& number) {
    return static_cast<std::size_t>(number.integer(0, std::ssize(exercise_->cells()) - 1));
  };
  const JsonValue *time = request.find("seconds"), *written = request.find("writes"), *hint = request.find("hint"),
                  *shown = request.find("reveal");
  const std::int64_t seconds = time ? time->integer(0, std::int64_t(1) << 53) : 0;
  std::vector<KernelWrite> writes;
  for (const JsonValue& write : written ? written->items() : std::vector<JsonValue>())
    writes.push_back({cell_in(write.at("cell")), write.at("text").text(), seconds, write.at("hinted").boolean()});
  JsonList verdicts, attempts;
  for (const Verdict verdict : exercise_->perform(writes)) verdicts.add(json_text(name_of(verdict)));
  if (shown)
    for (std::size_t cell = 0, at = cell_in(*shown); cell < exercise_->cells().size(); ++cell)
      if (exercise_->cells()[cell].place == exercise_->cells()[at].place) exercise_->reveal(cell, seconds);
  const std::vector<Attempt> all = exercise_->attempts();
  for (std::size_t i = before; i < all.size(); ++i) attempts.add(attempt_text(all[i]));
  return JsonObject()
      .add("step", exercise_->step())
      .add("task", json_text(exercise_->task()))
      .add("finding", json_text(exercise_->finding()))
      .add("complete", exercise_->progress().complete() ? 1 : 0)
      .add("cells", json_cells(*exercise_))
      .add("verdicts", verdicts.text())
      .add("attempts", attempts.text())
      .add("hint", json_text(hint ? exercise_->hint(cell_in(*hint)) : std::string()))
      .text();
}

std::string Engine::answer_state(const JsonValue& request) const {
  require_run();
  const std::int64_t step = request.at("step").integer(0, most_trace_steps), last = std::ssize(trace_->steps) - 1;
  if (step > last) refuse("the run has no step " + std::to_string(step), "its last step is " + std::to_string(last));
  BakedSteps baked(trace_, std::nullopt, trace_->header.dim > 3, code_);
  baked.bake(static_cast<std::uint32_t>(step), {});
  JsonObject answer;
  baked.add_states(answer);
  return answer.add("css", json_text(baked.css())).text();
}

}  // namespace kdscope
