#include "visualizer/model/question_concealment.hpp"

namespace kdscope {

Concealment concealment_of(const Question& question) {
  Concealment concealed;
  for (const HiddenPart part : question.hides) {
    switch (part) {
      case HiddenPart::marks:
        concealed.marks = true;
        break;
      case HiddenPart::changes:
        concealed.changes = true;
        break;
      case HiddenPart::tree:
        concealed.tree = true;
        break;
      case HiddenPart::splits:
        concealed.splits = true;
        break;
      case HiddenPart::strips:
        concealed.strips = true;
        break;
      case HiddenPart::counts:
        concealed.counts = true;
        break;
      case HiddenPart::code:
        concealed.code = true;
        break;
    }
  }
  concealed.rows = question.hidden_rows;
  return concealed;
}

}  // namespace kdscope
