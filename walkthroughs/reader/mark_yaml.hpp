#pragma once
// Reads the marks of a stop.

#include <vector>

#include "walkthroughs/reader/lesson_mark.hpp"
#include "walkthroughs/reader/yaml_field.hpp"

namespace kdscope {

/// A list of marks. Throws YamlFieldError for one that draws nothing, or several things, or has places of different
/// dimensions.
std::vector<LessonMark> read_marks(const YamlField& field);

}  // namespace kdscope
