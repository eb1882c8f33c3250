#include "visualizer/model/question_concealment.hpp"

#include <algorithm>

#include "visualizer/model/split_candidates.hpp"

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
  concealed.place = concealed && question.expects && question.expects->kind == AnswerKind::split;
  return concealed;
}

std::optional<std::uint32_t> stop_before(std::span<const std::uint32_t> stop_steps, std::uint32_t step) {
  std::optional<std::uint32_t> before;
  for (const std::uint32_t stop : stop_steps)
    if (stop < step) before = std::max(before.value_or(0), stop);
  return before;
}

bool hides_statements(const Concealment& concealed) {
  return concealed.marks || concealed.strips || concealed.hides_values();
}

bool hides_steps(const Concealment& concealed, const Trace& trace) {
  return concealed.tree || concealed.strips || (!trace.header.search.empty() && hides_statements(concealed));
}

bool hides_candidates(const Concealment& concealed, const Trace& trace) {
  const CandidateArrays arrays(trace);
  const auto hidden = [&](const Trace::Array* array) { return array && concealed.hides(array->info); };
  return concealed.counts || hidden(arrays.set) || hidden(arrays.cost) || hidden(arrays.choice);
}

}  // namespace kdscope
