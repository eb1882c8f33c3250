#include "visualizer/model/step_heading.hpp"

#include <cctype>

namespace kdscope {

std::string step_heading(const Step& step) {
  std::string words = step.title.empty() ? step.name : step.title;
  const auto is = [&](std::size_t i, auto&& kind) {
    return i < words.size() && kind(static_cast<unsigned char>(words[i])) != 0;
  };
  if (step.level < 0) {
    if (is(0, islower)) words[0] = static_cast<char>(toupper(words[0]));
    return words;
  }
  // The sentence goes on in small letters, unless it begins with a name, such as T
  if (is(0, isupper) && (is(1, islower) || words.starts_with("A "))) words[0] = static_cast<char>(tolower(words[0]));
  if (const std::size_t colon = words.find(": "); colon != std::string::npos) words.replace(colon, 1, " \u2013");
  return "Level " + std::to_string(step.level) + ": " + words;
}

}  // namespace kdscope
