#pragma once
// What a step does, as every reader sees it: in the window, on stage, in exports and on pages.

#include <string>

#include "algorithms/trace/trace.hpp"

namespace kdscope {

/// Returns what a step does as a sentence for a reader, with its level: "Level 1: sort by tag, then by y".
std::string step_heading(const Step& step);

}  // namespace kdscope
