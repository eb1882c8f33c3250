#pragma once
// What a person has open, as one value: undo, autosave and session files copy it. No Qt here.

#include <cstdint>
#include <string>

#include "algorithms/registry/registry.hpp"
#include "algorithms/trace/trace.hpp"

namespace kdscope {

/// What is run: enough to make the same trace again.
struct RunSpec {
  std::string data;       ///< data specification, as open_data_set() takes it
  std::string algorithm;  ///< id in the registry
  Parameters parameters;  ///< those that differ from the defaults may be left out
  Backend backend = Backend::automatic;
  bool thin = false;  ///< keep the last step of each level only
  bool operator==(const RunSpec&) const = default;
};

/// One thing that a person picked: an index of a space (point, position, node), or a cell of an array of counts
/// (Space::count), which stands for what it counts. Space::none: nothing.
struct Selection {
  Space space = Space::none;
  std::uint64_t index = 0;
  std::string array = {};  ///< of a cell: the array of which `index` is an element
  explicit operator bool() const { return space != Space::none; }
  bool operator==(const Selection&) const = default;
};

/// Range of the text scale, per cent.
inline constexpr int min_text_scale = 80, max_text_scale = 300;

/// The lesson with which the workbench starts when nothing else is asked for.
inline constexpr const char* start_lesson = "wald/ten-points";

struct Session {
  RunSpec run;
  std::string trace_file;  ///< set when the trace was opened from a file instead of run
  std::string lesson;      ///< id of the open lesson; empty for none
  std::uint32_t step = 0;
  Selection selection;
  std::string theme = "light";  ///< "light", "dark" or "high-contrast"
  int text_scale = 100;         ///< per cent
  bool operator==(const Session&) const = default;
};

}  // namespace kdscope
