#pragma once
// The split candidates that were tried at a node: what each would cost, and the sets of primitives on its sides as bits
// of a mask. Found by the spaces that a trace's arrays declare, whatever builder recorded them.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "algorithms/core/error.hpp"
#include "algorithms/core/ids.hpp"
#include "algorithms/trace/trace.hpp"

namespace kdscope {

/// The arrays of candidates: their positions, the masks of what lies on each side, and what was tried
/// where at which cost. Null: the trace has none. A trace has candidates if it has at least their positions, and
/// their masks.
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
  std::uint64_t left = 0, right = 0;  ///< of all primitives of the root
  std::optional<std::uint64_t>
      evaluation;  ///< its index among those of the cursor's step; none where these are others by now
};

/// What is known of one node. Bit i of every mask stands for primitives[i].
struct NodeCandidates {
  NodeId node;
  bool first_split = false;               ///< no node was asked for: this is the first that the step evaluates
  std::uint32_t root = no_id;             ///< the node whose primitives the masks are of
  Space primitive_space = Space::point;   ///< point or triangle
  std::vector<std::uint32_t> primitives;  ///< at most 64
  std::uint64_t set = 0;                  ///< the node's own
  std::vector<TriedCandidate> tried;      ///< by dimension, then position
  std::optional<std::size_t> chosen;      ///< among tried
  std::optional<double> leaf_cost;
  std::uint32_t step = 0;  ///< that evaluated them, or that found them
  bool evaluated = false;
  std::uint32_t left_child = no_id, right_child = no_id;  ///< once it is split
  std::uint64_t left_set = 0, right_set = 0;              ///< of the children, as recorded

  /// The dimensions of tried, ascending.
  std::vector<std::uint32_t> dimensions() const;
  std::optional<std::size_t> place_of(std::uint32_t candidate) const;
  /// Position of tried[place]: in four digits, or as many as distinguish it from its neighbours.
  std::string position_text(std::size_t place) const;
};

/// The candidates of a node, as the last step that evaluated it left them; of no node, those of the first node that the
/// step splits, or the first that there is. Errors: the trace has no candidates, none yet, none of this node. Work
/// O(candidates + evaluations), times levels for a node that was evaluated before the cursor's step.
Result<NodeCandidates> node_candidates(const Cursor& cursor, std::optional<NodeId> node);

/// The node at which a candidate was tried last, the first of several; else the one whose primitives it splits; none
/// outside.
std::optional<NodeId> node_of_candidate(const Cursor& cursor, std::uint32_t candidate);

/// The primitives of a node by its mask, ascending; empty without a mask. Work O(candidates).
std::vector<std::uint32_t> primitives_by_mask(const Cursor& cursor, NodeId node);

/// The nodes that are not split and have a primitive, by their masks, ascending. Work O(candidates + nodes).
std::vector<std::uint32_t> nodes_with_primitive(const Cursor& cursor, std::uint32_t primitive);

}  // namespace kdscope
