#pragma once
// The marks of a lesson's stops as an overlay of the picture.

#include "visualizer/model/overlay.hpp"
#include "walkthroughs/reader/lesson.hpp"

namespace kdscope {

/// Returns what a stop draws; null: nothing, as between stops. The picture has room for the marks of all stops, so that
/// it does not jump between them.
Overlay overlay_of(const Lesson& lesson, const Stop* stop);

}  // namespace kdscope
