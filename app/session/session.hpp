#pragma once
// What a person has open, as one value: undo, autosave and session files copy it. No Qt here.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "algorithms/registry/registry.hpp"
#include "algorithms/trace/trace.hpp"
#include "datasets/datasets.hpp"
#include "visualizer/model/axes.hpp"
#include "visualizer/model/camera.hpp"
#include "visualizer/model/heat.hpp"

namespace kdscope {

/// One thing that a person picked: an index of a space (point, position, node), a segment of positions, or a cell of an
/// array of counts (Space::count), which stands for what it counts. Space::none: nothing.
struct Selection {
  Space space = Space::none;
  std::uint64_t index = 0;
  /// Of a cell: the array of which `index` is an element. Of positions: an array whose order they are in, where there
  /// are several.
  std::string array = {};
  std::uint64_t count = 1;  ///< of a segment: positions index to index + count - 1
  explicit operator bool() const { return space != Space::none; }
  bool operator==(const Selection&) const = default;
};

/// Several picked elements: points and triangles by their numbers, which all runs on the same data share, and positions
/// and nodes of one run.
struct SelectedElements {
  std::vector<std::uint32_t> points, triangles, positions, nodes;
  bool operator==(const SelectedElements&) const = default;
};

/// A step worth coming back to.
struct Bookmark {
  std::uint32_t step = 0;
  std::string note;
  bool operator==(const Bookmark&) const = default;
};

/// What the state at a step is compared with, to show what changed.
/// Session files do not keep other_run.
enum class ComparedWith : std::uint8_t { previous_step, previous_level, bookmark, other_run };
struct Baseline {
  ComparedWith with = ComparedWith::previous_step;
  std::uint32_t step = 0;  ///< of the bookmark
  bool operator==(const Baseline&) const = default;
};

/// Range of the text scale, per cent.
inline constexpr int min_text_scale = 80, max_text_scale = 300;

/// The lesson with which the workbench starts when nothing else is asked for.
inline constexpr const char* start_lesson = "wald/ten-points";

/// The place in a run: all that differs between two views of one trace.
struct Place {
  std::uint32_t step = 0;
  Selection selection = {};
  Baseline baseline = {};
  std::optional<Axes> axes = {};  ///< dimensions that a person put on the axes; none: the first ones
  bool operator==(const Place&) const = default;
};

/// How the window shows a run: colours, sizes, and what views of space draw.
struct Appearance {
  std::optional<CameraState> camera;         ///< as the user left it; none: fitted to the points
  bool smallest_boxes = true;                ///< outlines of them in views of space
  bool surface = true;                       ///< triangles as a surface in views of space
  bool all_planes = false;                   ///< in 3D, also those of older levels
  bool equal_scales = true;                  ///< of the axes; otherwise each axis fills the view
  Colouring colouring = Colouring::subtree;  ///< what colours stand for in views of space
  std::string theme = "light";               ///< "light", "dark" or "high-contrast"
  int text_scale = 100;                      ///< percent
  bool operator==(const Appearance&) const = default;
};

struct Session {
  RunRequest run;                   ///< enough to make the same trace again
  std::string trace_file;           ///< set when the trace was opened from a file instead of run
  std::string lesson;               ///< id of the open lesson; empty for none
  std::vector<Bookmark> bookmarks;  ///< ascending step, one per step
  Appearance looks;
  bool operator==(const Session&) const = default;
};

}  // namespace kdscope
