#include "visualizer/model/question_concealment.hpp"

#include <algorithm>
#include <cmath>

#include "algorithms/trace/row_reader.hpp"

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

std::optional<NodeCandidates> drawn_candidates(const Cursor& cursor, const Concealment& concealed,
                                               std::optional<NodeId> node) {
  const CandidateArrays arrays(cursor.trace());
  if (!arrays || !arrays.tried_at || concealed.splits) return std::nullopt;
  const auto hidden = [&](const Trace::Array* array) { return array && concealed.hides(array->info); };
  for (const Trace::Array* array : {arrays.root, arrays.dim, arrays.value, arrays.tried_at, arrays.tried})
    if (hidden(array)) return std::nullopt;
  const bool hides_costs = concealed.counts || hidden(arrays.cost) || hidden(arrays.choice);
  // Which node is split first may be an answer
  const RowReader nodes(cursor, arrays.tried_at, cursor.step());
  if (!node && hides_costs && nodes.size() > 0) node = NodeId{nodes.id(0)};
  const Result<NodeCandidates> found = node_candidates(cursor, node);
  if (!found || !found->evaluated) return std::nullopt;
  NodeCandidates drawn = *found;
  if (!hides_costs) return drawn;
  for (TriedCandidate& candidate : drawn.tried) candidate.cost = std::nan("");
  drawn.leaf_cost.reset();
  drawn.chosen.reset();
  return drawn;
}

}  // namespace kdscope
