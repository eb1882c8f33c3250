#pragma once
// A run with what belonged to it while it was open.

#include <cstdint>
#include <optional>

#include "app/recording/run.hpp"
#include "app/workbench/point_edits.hpp"

namespace kdscope {

/// What undo and "What if" go back to.
struct KeptRun {
  RecordedRun recording;
  std::optional<Lesson> lesson;
  PointState points;
  std::uint32_t step = 0;
};

}  // namespace kdscope
