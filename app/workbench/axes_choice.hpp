#pragma once
// The dimensions on the axes, as a person chooses them.

#include "app/workbench/workbench.hpp"

namespace kdscope {

/// One choice that undo takes back; the camera is fitted anew. Axes that the open run does not have are refused.
void choose_axes(Workbench& workbench, const Axes& axes);

/// The same without undo; nullopt: the first dimensions.
void set_axes(Workbench& workbench, const std::optional<Axes>& axes);

}  // namespace kdscope
