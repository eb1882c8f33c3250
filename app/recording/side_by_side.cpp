#include "app/recording/side_by_side.hpp"

#include <algorithm>

#include "algorithms/registry/searches.hpp"
#include "algorithms/registry/usual_algorithm.hpp"
#include "algorithms/trace/beside_state.hpp"

namespace kdscope {

LevelAlignment::LevelAlignment(std::vector<std::shared_ptr<const Trace>> traces) {
  for (const auto& trace : traces) {
    Run run;
    for (std::size_t i = 0; trace && i < trace->steps.size(); ++i) {
      const int level = trace->steps[i].level;
      // Levels only count up: a step that returns to an earlier one belongs to where the run has come.
      const std::size_t stage = std::max<std::size_t>(level < 0 ? 0 : static_cast<std::size_t>(level) + 1,
                                                      run.ends.empty() ? 0 : run.ends.size() - 1);
      while (run.ends.size() <= stage) run.ends.push_back(static_cast<std::uint32_t>(i));
      run.ends[stage] = static_cast<std::uint32_t>(i + 1);
    }
    stage_count_ = std::max(stage_count_, run.ends.size());
    runs_.push_back(std::move(run));
  }
  for (Run& run : runs_) run.ends.resize(stage_count_, run.ends.empty() ? 0 : run.ends.back());
  first();
}

std::uint32_t LevelAlignment::longest(std::size_t stage) const {
  std::uint32_t most = 0;
  for (const Run& run : runs_) most = std::max(most, length(run, stage));
  return most;
}

void LevelAlignment::place(std::size_t stage, std::uint32_t tick) {
  stage_ = stage;
  tick_ = tick;
  for (Run& run : runs_) run.moved = false;
}

std::uint32_t LevelAlignment::step(std::size_t column) const {
  const Run& run = runs_[column];
  const std::uint32_t tick = run.moved ? run.alone : tick_, steps = length(run, stage_), from = begin(run, stage_);
  if (steps == 0) return from == 0 ? 0 : from - 1;
  return from + std::min(tick, steps - 1);
}

bool LevelAlignment::waits(std::size_t column) const { return length(runs_[column], stage_) == 0; }

void LevelAlignment::first() {
  std::size_t stage = 0;
  while (stage + 1 < stage_count_ && longest(stage) == 0) ++stage;
  place(stage, 0);
}

void LevelAlignment::last() { go_to(stage_count_ - 1); }

void LevelAlignment::go_to(std::size_t stage) {
  stage = std::min(stage, stage_count_ - 1);
  place(stage, std::max(1u, longest(stage)) - 1);
}

bool LevelAlignment::at_end() const { return stage_ + 1 == stage_count_ && tick_ + 1 >= longest(stage_); }

bool LevelAlignment::at_start() const {
  LevelAlignment start = *this;
  start.first();
  return stage_ == start.stage_ && tick_ == 0;
}

void LevelAlignment::forward() {
  if (tick_ + 1 < longest(stage_)) return place(stage_, tick_ + 1);
  for (std::size_t next = stage_ + 1; next < stage_count_; ++next)
    if (longest(next) > 0) return place(next, 0);
}

void LevelAlignment::back() {
  if (tick_ > 0) return place(stage_, tick_ - 1);
  for (std::size_t before = stage_; before-- > 0;)
    if (longest(before) > 0) return go_to(before);
}

void LevelAlignment::level_forward() {
  if (tick_ + 1 < longest(stage_)) return go_to(stage_);
  for (std::size_t next = stage_ + 1; next < stage_count_; ++next)
    if (longest(next) > 0) return go_to(next);
}

void LevelAlignment::level_back() {
  for (std::size_t before = stage_; before-- > 0;)
    if (longest(before) > 0) return go_to(before);
  first();
}

void LevelAlignment::move(std::size_t column, int steps) {
  Run& run = runs_[column];
  const std::uint32_t here = step(column) - std::min(step(column), begin(run, stage_)),
                      most = std::max(1u, length(run, stage_)) - 1;
  run.alone = static_cast<std::uint32_t>(std::clamp<std::int64_t>(std::int64_t(here) + steps, 0, most));
  run.moved = true;
}

RunCosts costs_until(const Trace& trace, std::uint32_t last) {
  RunCosts costs;
  for (const Step& step : trace.steps) {
    if (step.ordinal > last) break;
    if (!trace.header.search.empty())
      costs.visited = costs.visited.value_or(0) + (step.path.size() == 3 && step.path.back() == "visit");
    costs.launches += step.kind != StepKind::host;
    costs.collectives += step.kind == StepKind::library;
  }
  for (const Trace::Array& array : trace.arrays) {
    if (array.info.name.starts_with("partition.") || array.info.name == points_array ||
        array.info.name == triangles_array || is_beside_state(array.info))
      continue;
    std::uint64_t before = 0;
    for (const ArrayVersion& version : array.versions) {
      if (version.step > last) break;
      costs.bytes_moved += (before + version.size) * size_of(array.info.type);
      before = version.size;
    }
  }
  return costs;
}

RunRequest with_search(RunRequest run, const std::string& search) {
  for (auto at = run.search.begin(); at != run.search.end();) {
    const std::string& name = at->first;
    const bool asked = name == "question" || name == "k" || name == "radius" || name == "query";
    at = asked ? std::next(at) : run.search.erase(at);
  }
  if (!search.empty()) run.search["search"] = search;
  return run;
}

RunRequest with_algorithm(RunRequest run, const std::string& algorithm) {
  run.algorithm = algorithm;
  run.parameters.clear();
  return with_search(std::move(run), "");
}

std::optional<RunRequest> another_algorithm(const std::vector<RunRequest>& present, const PointSet& points) {
  const AlgorithmSpec* first = find_algorithm(present.front().algorithm);
  for (const AlgorithmSpec& spec : algorithms()) {
    const bool fits = (!first || spec.takes_triangles == first->takes_triangles) && takes(spec, points);
    const bool there =
        std::any_of(present.begin(), present.end(), [&](const RunRequest& run) { return run.algorithm == spec.id; });
    if (there || !fits) continue;
    RunRequest next = with_algorithm(present.front(), spec.id);
    // One leaf would show nothing of its builder
    for (const ParameterSpec& parameter : spec.parameters)
      if (parameter.name == "leaf_size" && points.size() <= std::stoul(parameter.default_value))
        next.parameters[parameter.name] = "1";
    return next;
  }
  return std::nullopt;
}

std::vector<RunRequest> usual_columns(const RunRequest& open, const PointSet& points) {
  std::vector<RunRequest> columns{open};
  if (const auto id = open.search.find("search"); id != open.search.end())
    if (const Search* search = find_search(id->second)) {
      const std::vector<const Search*> same = searches_of(search->spec.tree_kind);
      const auto at = std::find(same.begin(), same.end(), search);
      for (std::size_t i = 1; i < same.size(); ++i) {
        const SearchSpec& next = same[(static_cast<std::size_t>(at - same.begin()) + i) % same.size()]->spec;
        if (std::ranges::count(next.questions, search->spec.questions.front()) == 0) continue;
        columns.push_back(with_search(open, next.id));
        return columns;
      }
    }
  if (auto other = another_algorithm(columns, points)) {
    columns.push_back(std::move(*other));
    return columns;
  }
  RunRequest other = open;
  if (const AlgorithmSpec* spec = find_algorithm(open.algorithm))
    for (const ParameterSpec& parameter : spec->parameters)
      for (const Choice& choice : parameter.choices) {
        const auto given = open.parameters.find(parameter.name);
        if (choice.value == (given == open.parameters.end() ? parameter.default_value : given->second)) continue;
        other.parameters[parameter.name] = choice.value;
        columns.push_back(other);
        return columns;
      }
  columns.push_back(open);
  return columns;
}

std::string parameter_words(const RunRequest& run) {
  std::string words;
  const AlgorithmSpec* spec = find_algorithm(run.algorithm);
  for (const auto& [name, value] : run.parameters) {
    bool usual = false;
    if (spec)
      for (const ParameterSpec& parameter : spec->parameters)
        usual |= parameter.name == name && parameter.default_value == value;
    if (!usual) words += (words.empty() ? "" : ", ") + name + " " + value;
  }
  const auto search = run.search.find("search");
  if (const Search* found = search == run.search.end() ? nullptr : find_search(search->second))
    words += (words.empty() ? "" : ", ") + found->spec.title;
  return words;
}

}  // namespace kdscope
