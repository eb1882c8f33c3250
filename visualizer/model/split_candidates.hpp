#pragma once
// The split candidates that were tried at a node: the cost of each, and the sets of primitives on its sides as bits of
// a mask. They are found by the spaces that a trace's arrays declare, so this works for every builder.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "algorithms/core/error.hpp"
#include "algorithms/core/ids.hpp"
#include "algorithms/trace/trace.hpp"

namespace kdscope {

/// The arrays of candidates: their positions, the masks of the primitives on each side, and which candidates were tried
/// at which node and cost. A null pointer means that the trace lacks the array. A trace has candidates if it has at
/// least their positions and masks.
struct CandidateArrays {
  explicit CandidateArrays(const Trace& trace);
  explicit operator bool() const { return root && dim && value && left && right && primitive; }
  const Trace::Array *root = nullptr, *primitive = nullptr, *dim = nullptr,
                     *value = nullptr;  ///< candidate -> node, point or triangle, dimension, split value
  const Trace::Array *left = nullptr, *right = nullptr;                        ///< candidate -> bit mask, in this order
  const Trace::Array *tried_at = nullptr, *tried = nullptr, *cost = nullptr;   ///< evaluation -> node, candidate, cost
  const Trace::Array *set = nullptr, *choice = nullptr, *leaf_cost = nullptr;  ///< node -> bit mask, candidate, cost
};

struct TriedCandidate {
  std::uint32_t candidate = 0;
  std::uint32_t dim = 0;
  double position = 0;
  double cost = 0;                    ///< NaN while it was not evaluated
  std::uint64_t left = 0, right = 0;  ///< bits among all primitives of the root
  std::optional<std::uint64_t>
      evaluation;  ///< index among the evaluations of the cursor's step; none once another step has replaced them
};

/// Everything that is known about one node. Bit i of every mask stands for primitives[i].
struct NodeCandidates {
  NodeId node;
  bool first_split = false;               ///< no node was requested, and this is the first that the step evaluates
  std::uint32_t root = no_id;             ///< node to whose primitives the masks refer
  Space primitive_space = Space::point;   ///< point or triangle
  std::vector<std::uint32_t> primitives;  ///< at most 64
  std::uint64_t set = 0;                  ///< mask of the node's own primitives
  std::vector<TriedCandidate> tried;      ///< ordered by dimension, then position
  std::optional<std::size_t> chosen;      ///< index into tried
  std::optional<double> leaf_cost;
  std::uint32_t step = 0;  ///< step that evaluated the candidates, or that found them
  bool evaluated = false;
  std::uint32_t left_child = no_id, right_child = no_id;  ///< set once the node is split
  std::uint64_t left_set = 0, right_set = 0;              ///< masks of the children, as recorded

  /// Returns the dimensions of tried, ascending.
  std::vector<std::uint32_t> dimensions() const;
  std::optional<std::size_t> place_of(std::uint32_t candidate) const;
  /// Returns the position of tried[place] with four digits, or with as many as distinguish it from its neighbours.
  std::string position_text(std::size_t place) const;
};

/// Returns one candidate in words: "x = 0.3125, candidate 14: cost 4.2; 3 left, 5 right". `place`: an index into tried.
/// `dims`: the dimension of the points, which decides how coordinates are named.
std::string candidate_words(const NodeCandidates& node, std::size_t place, std::uint32_t dims);
/// Returns a sentence or two on the node: how many primitives it has, and what was chosen.
std::string headline_of(const NodeCandidates& node, std::uint32_t dims);

/// Returns the candidates of a node as the last step that evaluated it left them. Without a node, returns those of the
/// first node that the step splits, or otherwise of the first node that exists. Errors: the trace has no candidates,
/// none so far, or none of this node. Work O(candidates + evaluations), times levels for a node that was evaluated
/// before the cursor's step.
Result<NodeCandidates> node_candidates(const Cursor& cursor, std::optional<NodeId> node);

/// Returns the node at which a candidate was last tried (the first of several), or otherwise the node whose primitives
/// it splits. Returns nullopt if there is no such candidate.
std::optional<NodeId> node_of_candidate(const Cursor& cursor, std::uint32_t candidate);

/// Returns the primitives of a node by its mask, ascending; empty without a mask. Work O(candidates).
std::vector<std::uint32_t> primitives_by_mask(const Cursor& cursor, NodeId node);

/// Returns the nodes that are not split and whose masks contain a primitive, ascending. Work O(candidates + nodes).
std::vector<std::uint32_t> nodes_with_primitive(const Cursor& cursor, std::uint32_t primitive);

}  // namespace kdscope
