#pragma once
// What a question hides until it is answered.

#include <cstdint>
#include <optional>
#include <span>

#include "visualizer/model/concealment.hpp"
#include "visualizer/model/split_candidates.hpp"
#include "walkthroughs/reader/question.hpp"

namespace kdscope {

/// Returns what the views leave out while a question is open.
Concealment concealment_of(const Question& question);
/// Returns the last stop before a step, whose tree and partition are shown in place of those that a question hides.
std::optional<std::uint32_t> stop_before(std::span<const std::uint32_t> stop_steps, std::uint32_t step);
/// Returns whether statements about the state are hidden: what checks state, or what a search has found.
bool hides_statements(const Concealment& concealed);
/// Returns whether the names of the run's steps are hidden: they count the levels of the tree, and those of a search
/// name the nodes that it visits.
bool hides_steps(const Concealment& concealed, const Trace& trace);
/// Returns whether the candidates of splits are hidden, with the sets on their sides.
bool hides_candidates(const Concealment& concealed, const Trace& trace);
/// Returns what may be drawn of the candidates of a node that hides_candidates(): their places and, unless these are
/// hidden, their costs; nullopt if the places are hidden, or if none was evaluated. Without a node, and without costs,
/// returns those of the first node that the step evaluates. Work as node_candidates().
std::optional<NodeCandidates> drawn_candidates(const Cursor& cursor, const Concealment& concealed,
                                               std::optional<NodeId> node);

}  // namespace kdscope
