#include "walkthroughs/reader/question.hpp"

#include <algorithm>

namespace kdscope {

const char* name_of(AnswerKind kind) {
  switch (kind) {
    case AnswerKind::positions:
      return "positions";
    case AnswerKind::points:
      return "points";
    case AnswerKind::nodes:
      return "nodes";
    case AnswerKind::cell:
      return "cell";
    case AnswerKind::split:
      return "split";
    case AnswerKind::number:
      return "number";
    case AnswerKind::words:
      return "words";
    case AnswerKind::choice:
      return "choice";
  }
  return "";
}

const char* name_of(HiddenPart part) {
  switch (part) {
    case HiddenPart::marks:
      return "marks";
    case HiddenPart::changes:
      return "changes";
    case HiddenPart::tree:
      return "tree";
    case HiddenPart::splits:
      return "splits";
    case HiddenPart::strips:
      return "strips";
    case HiddenPart::counts:
      return "counts";
    case HiddenPart::code:
      return "code";
  }
  return "";
}

std::optional<HiddenPart> hidden_part_named(const std::string& name) {
  const auto found =
      std::find_if(hidden_parts.begin(), hidden_parts.end(), [&](HiddenPart part) { return name == name_of(part); });
  if (found == hidden_parts.end()) return std::nullopt;
  return *found;
}

}  // namespace kdscope
