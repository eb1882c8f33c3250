#include "app/recording/navigation.hpp"

#include <algorithm>

namespace kdscope {

namespace {

/// Paths are build > level > phase > pass; steps outside of a level have their phase in the level's place.
const std::string& name_below_level(const Step& step) {
  if (step.path.empty()) return step.name;
  return step.path[std::min<std::size_t>(step.level >= 0 ? 2 : 1, step.path.size() - 1)];
}

}  // namespace

std::vector<std::uint32_t> level_starts(const Trace& trace) {
  std::vector<std::uint32_t> starts;
  for (std::size_t i = 0; i < trace.steps.size(); ++i)
    if (i == 0 || trace.steps[i].level != trace.steps[i - 1].level) starts.push_back(static_cast<std::uint32_t>(i));
  return starts;
}

std::uint32_t next_level(const Trace& trace, std::uint32_t step) {
  const std::vector<std::uint32_t> starts = level_starts(trace);
  const auto next = std::upper_bound(starts.begin(), starts.end(), step);
  if (next != starts.end()) return *next;
  return trace.steps.empty() ? 0 : static_cast<std::uint32_t>(trace.steps.size() - 1);
}

std::uint32_t previous_level(const Trace& trace, std::uint32_t step) {
  const std::vector<std::uint32_t> starts = level_starts(trace);
  const auto here = std::lower_bound(starts.begin(), starts.end(), step);
  return here == starts.begin() ? 0 : *(here - 1);
}

std::vector<PhaseBand> phase_bands(const Trace& trace) {
  std::vector<PhaseBand> bands;
  std::vector<std::string> kinds;
  const bool strategies =
      std::any_of(trace.steps.begin(), trace.steps.end(), [](const Step& s) { return !s.phase.empty(); });
  for (const Step& step : trace.steps) {
    const int level_before = step.ordinal > 0 ? trace.steps[step.ordinal - 1].level : -1;
    const bool reaches = !bands.empty() && bands.back().last + 1 == step.ordinal;
    const std::string& name = strategies ? step.phase : name_below_level(step);
    if (name.empty()) {  // the rest of a level belongs to the strategy that it was begun with
      if (reaches && step.level >= 0 && step.level == level_before) bands.back().last = step.ordinal;
      continue;
    }
    if (reaches && bands.back().name == name) {
      bands.back().last = step.ordinal;
      continue;
    }
    const auto kind = std::find(kinds.begin(), kinds.end(), name);
    bands.push_back({name, step.ordinal, step.ordinal, static_cast<int>(kind - kinds.begin())});
    if (kind == kinds.end()) kinds.push_back(name);
  }
  return bands;
}

const PhaseBand* band_at(const std::vector<PhaseBand>& bands, std::uint32_t step) {
  const auto after = std::upper_bound(bands.begin(), bands.end(), step,
                                      [](std::uint32_t s, const PhaseBand& b) { return s < b.first; });
  return after != bands.begin() && step <= std::prev(after)->last ? &*std::prev(after) : nullptr;
}

std::vector<PhaseBand> band_kinds(const std::vector<PhaseBand>& bands) {
  std::vector<PhaseBand> kinds;
  for (const PhaseBand& band : bands)
    if (band.kind == static_cast<int>(kinds.size())) kinds.push_back(band);
  return kinds;
}

std::string letter_of_kind(int kind) {
  return kind < 26 ? std::string(1, static_cast<char>('A' + kind)) : std::to_string(kind + 1);
}

std::vector<Phase> phase_tree(const Trace& trace) {
  std::vector<Phase> roots;
  for (const Step& step : trace.steps) {
    std::vector<Phase>* siblings = &roots;
    for (std::size_t depth = 0; depth + 1 < step.path.size(); ++depth) {
      if (siblings->empty() || siblings->back().is_step || siblings->back().name != step.path[depth])
        siblings->push_back({step.path[depth], step.ordinal, step.ordinal, false, {}});
      siblings->back().last = step.ordinal;
      siblings = &siblings->back().children;
    }
    siblings->push_back({step.path.empty() ? step.name : step.path.back(), step.ordinal, step.ordinal, true, {}});
  }
  return roots;
}

}  // namespace kdscope
