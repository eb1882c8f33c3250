#pragma once
// The split candidates that were tried at a node: the cost of each, and the sets of primitives on its two sides as bit
// masks. They are found through the spaces that a trace's arrays declare, so this works for every builder.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "algorithms/core/error.hpp"
#include "algorithms/core/ids.hpp"
#include "algorithms/trace/trace.hpp"

namespace kdscope {

/// The arrays of candidates: their positions, the masks of the primitives on each side, and the evaluations, each of
/// which is a candidate tried at a node with a cost. A null pointer means that the trace has no such array. A trace has
/// candidates if it has at least their positions and masks.
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
  double cost = 0;                          ///< NaN while it was not evaluated
  std::uint64_t left = 0, right = 0;        ///< masks over all primitives of the root
  std::optional<std::uint64_t> evaluation;  ///< its index at the cursor's step; none if replaced since
};

/// The candidates of one node. Bit i of every mask represents primitives[i].
struct NodeCandidates {
  NodeId node;
  bool first_split = false;               ///< no node was requested: this is the first that the step evaluates
  std::uint32_t root = no_id;             ///< the node whose primitives the masks represent
  Space primitive_space = Space::point;   ///< point or triangle
  std::vector<std::uint32_t> primitives;  ///< at most 64
  std::uint64_t set = 0;                  ///< mask of the node's own primitives
  std::vector<TriedCandidate> tried;      ///< by dimension, then position
  std::optional<std::size_t> chosen;      ///< index in `tried`
  std::optional<double> leaf_cost;
  std::uint32_t step = 0;  ///< the step that evaluated them, or that found them
  bool evaluated = false;
  std::uint32_t left_child = no_id, right_child = no_id;  ///< once it is split
  std::uint64_t left_set = 0, right_set = 0;              ///< masks of the children, as recorded

  /// Returns the dimensions of `tried`, ascending.
  std::vector<std::uint32_t> dimensions() const;
  std::optional<std::size_t> place_of(std::uint32_t candidate) const;
  /// Returns the position of tried[place] with four digits, or with as many as distinguish it from its neighbours.
  std::string position_text(std::size_t place) const;
};

/// Returns the candidates of a node as the last step that evaluated it left them. Without a node, returns those of the
/// first node that the step splits, or else of the first node that has candidates. Errors: the trace has no candidates,
/// none yet, or none for this node. Work O(candidates + evaluations), times the number of levels for a node that was
/// evaluated before the cursor's step.
Result<NodeCandidates> node_candidates(const Cursor& cursor, std::optional<NodeId> node);

/// Returns the node at which a candidate was last tried (the first of several), or else the node whose primitives it
/// splits; nullopt if there is no such candidate.
std::optional<NodeId> node_of_candidate(const Cursor& cursor, std::uint32_t candidate);

/// Returns the primitives in a node's mask, ascending; empty without a mask. Work O(candidates).
std::vector<std::uint32_t> primitives_by_mask(const Cursor& cursor, NodeId node);

/// Returns the nodes that are not split and whose masks contain a primitive, ascending. Work O(candidates + nodes).
std::vector<std::uint32_t> nodes_with_primitive(const Cursor& cursor, std::uint32_t primitive);

}  // namespace kdscope
