#pragma once
// What a question hides until it is answered.

#include "visualizer/model/concealment.hpp"
#include "walkthroughs/reader/question.hpp"

namespace kdscope {

/// Returns what the views leave out while a question is open.
Concealment concealment_of(const Question& question);

}  // namespace kdscope
