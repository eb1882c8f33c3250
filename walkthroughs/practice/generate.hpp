#pragma once
// Questions that any recorded run answers: one's own points, any builder, any search. No Qt here.

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "algorithms/trace/trace.hpp"
#include "walkthroughs/practice/answer.hpp"
#include "walkthroughs/reader/question.hpp"

namespace kdscope {

/// What a generated question asks about the next step. The declarations of the trace decide which kinds a step has:
/// spaces, dimensions of arrays and roles of highlights. Names of a builder's arrays play no part.
enum class QuestionKind : std::uint8_t {
  next_tag,     ///< the node that a row of nodes by position holds at a position
  pivot,        ///< the position of a segment's pivot
  segment,      ///< the node whose segment holds a position; its first position if segments have no nodes
  count,        ///< how many elements a cell of a histogram counts
  destination,  ///< where a sort or a scatter moves an element of a list of points or triangles
  next_node     ///< the node that a search visits next
};
inline constexpr std::array question_kinds{QuestionKind::next_tag, QuestionKind::pivot,       QuestionKind::segment,
                                           QuestionKind::count,    QuestionKind::destination, QuestionKind::next_node};
/// Returns "next-tag", "pivot", "segment", "count", "destination" or "next-node".
const char* name_of(QuestionKind kind);
std::optional<QuestionKind> question_kind_named(const std::string& name);

/// A question with its place in the run. It is asked at `step`, before what it asks about has happened, so that nothing
/// has to be hidden there. The trace at `answered_at` holds the answer.
struct GeneratedQuestion {
  QuestionKind kind = QuestionKind::next_tag;
  std::uint32_t step = 0;
  std::uint32_t answered_at = 0;
  Question question;
};

/// Returns the questions that can be asked at a step about the next one, at most one per kind. The seed chooses the
/// element; the same seed gives the same questions on every machine. A kind is left out if the step offers
/// nothing to ask about, or if the state at `step` shows the answer already. Work O(arrays of the two steps, log n).
std::vector<GeneratedQuestion> generated_questions(const std::shared_ptr<const Trace>& trace, std::uint32_t step,
                                                   std::uint64_t seed);

/// Returns the first question of a kind that can be asked at `step` or later, or nullopt. Work O(steps of the trace).
std::optional<GeneratedQuestion> next_question(const std::shared_ptr<const Trace>& trace, std::uint32_t step,
                                               QuestionKind kind, std::uint64_t seed);

/// Returns the step at which a search visits its next node after `step`. Reads no values. Work O(steps of the trace).
std::optional<std::uint32_t> next_visit(const Trace& trace, std::uint32_t step);

/// Returns up to `count` questions of the given kinds (all kinds if empty), in the order of the steps. Takes the kinds
/// in turn and spreads each over the run. Work: that of the steps that it looks at, at most all.
std::vector<GeneratedQuestion> practice_questions(const std::shared_ptr<const Trace>& trace, std::size_t count,
                                                  const std::vector<QuestionKind>& kinds, std::uint64_t seed);

/// Returns the specification of fresh data of the same shape as a run's, for "another one like this": the run's own
/// generator with another seed, random triangles for a mesh, otherwise uniform points of the same number, dimensions,
/// type and order of magnitude.
std::string fresh_data(const Trace& trace, std::uint64_t seed);

/// Returns a question of the same kind in a run on other data, at the corresponding step or at the next one that has
/// such a question, or nullopt if the run has none.
std::optional<GeneratedQuestion> another_like(const GeneratedQuestion& question, const Trace& from,
                                              const std::shared_ptr<const Trace>& to, std::uint64_t seed);

/// Returns "(wald on wald-10)", which tells attempts on different data apart in a result file.
std::string run_text(const TraceHeader& header);

/// Returns an attempt at a generated question, to be completed with outcome, answer and time. It names the step, the
/// kind and the run.
Attempt attempt_at(const GeneratedQuestion& question, const Trace& trace);

}  // namespace kdscope
