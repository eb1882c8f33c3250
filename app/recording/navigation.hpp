#pragma once
// Names and finds places in a trace: the starts of levels, and the phases as a tree.

#include <string>
#include <vector>

#include "algorithms/trace/trace.hpp"

namespace kdscope {

/// Steps at which the tree level changes, the first step included; the slider's ticks. Ascending.
std::vector<std::uint32_t> level_starts(const Trace& trace);

/// Returns the start of the next level after a step, or the last step if there is none.
std::uint32_t next_level(const Trace& trace, std::uint32_t step);
/// Returns the start of this level, or of the previous one if the step is a start itself; 0 if there is none.
std::uint32_t previous_level(const Trace& trace, std::uint32_t step);

/// A phase that lasts for consecutive steps, shown by the colour and the letter of its kind.
struct PhaseBand {
  std::string name;
  std::uint32_t first = 0, last = 0;  ///< steps, both included
  int kind = 0;                       ///< equal names have equal kinds, numbered as they first appear
};

/// Step::phase along the run: a band reaches over all steps of the levels that it works on, and over neighbouring
/// levels of the same strategy. Where no step names one, a band is the part of a step's path below its level:
/// "sort". Ascending, disjoint. Work O(steps).
std::vector<PhaseBand> phase_bands(const Trace& trace);
/// Returns the band that contains a step; null between bands.
const PhaseBand* band_at(const std::vector<PhaseBand>& bands, std::uint32_t step);
/// The first band of each kind, by kind: what a legend lists.
std::vector<PhaseBand> band_kinds(const std::vector<PhaseBand>& bands);
/// Returns "A" to "Z", then "27" and so on. Letters distinguish kinds without colours.
std::string letter_of_kind(int kind);

/// A phase of the run and the steps in it. Leaves are single steps; steps of one path share their parents.
struct Phase {
  std::string name;
  std::uint32_t first = 0, last = 0;  ///< steps, both included
  bool is_step = false;
  std::vector<Phase> children;
};

/// The trace's phases, outermost first. Work O(steps x depth).
std::vector<Phase> phase_tree(const Trace& trace);

}  // namespace kdscope
