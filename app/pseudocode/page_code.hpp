#pragma once
// The pseudo-code of a run for a web page, with the values that the window shows beside its lines.

#include <memory>
#include <optional>

#include "visualizer/model/axes.hpp"
#include "visualizer/web/page_code.hpp"

namespace kdscope {

/// Returns the embedded pseudo-code of the run's algorithm; without lines if there is none. Values of a selection are
/// left out, because a page is baked without one.
PageCode page_code(std::shared_ptr<const Trace> trace, const std::optional<Axes>& axes);

}  // namespace kdscope
