#pragma once
// Questions as the YAML of a lesson has them (the format: walkthroughs/AUTHORING.md).

#include "walkthroughs/reader/question.hpp"
#include "walkthroughs/reader/yaml_field.hpp"

namespace kdscope {

/// Reads one question. Throws YamlFieldError with the line of what is wrong.
Question question_of(const YamlField& field);

/// The different words of a field, each of which must be one of `names`.
std::vector<std::string> words_among(const YamlField& field, const std::vector<std::string>& names);
/// The texts of a list.
std::vector<std::string> texts_of(const YamlField& field);

}  // namespace kdscope
