#pragma once
// What each step of the builder by rank shows. This is host code over downloaded state. It runs only while a trace is
// recorded, and accepts any contents, even those that a broken kernel leaves.

#include <string>
#include <vector>

#include "algorithms/builders/rank/round.hpp"
#include "algorithms/record/checked.hpp"
#include "algorithms/record/step_writer.hpp"

namespace kdscope::rank {

/// Keeps the state that later steps need: the points, their positions, and the planes that are known.
class StepPresenter {
 public:
  StepPresenter(PointSet original, const RankOptions& options) : original_(std::move(original)), options_(options) {}

  /// Shows what n alone decides: each node's rank and first position.
  void started(StepWriter& step);
  /// Shows the brackets of a round that begins at `level`. brackets: [segments x nodes of a segment].
  void sampled(StepWriter& step, int level, int levels, Checked<Bracket> brackets);
  /// Shows the counts of level `level` of the round. counts: [nodes of the level x (bins + 1)].
  void counted(StepWriter& step, int level, const Bins& bins, Checked<std::uint32_t> counts);
  /// Shows the windows of a level. windows: [segments x nodes of a segment].
  void windowed(StepWriter& step, int level, Checked<Window> windows);
  /// Shows which points the windows of a level hold. listed: [nodes of the level]; list: [n], each node's from its
  /// first position on.
  void listed(StepWriter& step, int level, const Checked<std::uint32_t>& listed, const Checked<std::uint32_t>& list);
  /// Shows the exact pivots of a level. planes: those of all upper nodes so far.
  void found_pivots(StepWriter& step, int level, Checked<Plane> planes);
  /// Shows the points after a move below level `level`. points: [n], without those that are pivots.
  void partitioned(StepWriter& step, int level, Checked<PointId> points, Checked<Plane> planes);
  /// Shows the points of the subtrees below `upper` levels after level `level`. tags: [n] by position, the node within
  /// the subtree.
  void finished_level(StepWriter& step, int upper, int level, const Checked<std::uint32_t>& tags);

 private:
  std::uint32_t n() const { return static_cast<std::uint32_t>(original_.size()); }
  std::uint32_t nodes_above(int level) const { return std::min(n(), full_tree_size(level)); }
  Order order(PointId point, std::uint32_t dim) const;
  NodeId lead(PointId point, int levels);
  NodeId lead_by_window(PointId point, int level);
  bool is_known(NodeId node) const { return planes_[node.value].pivot != largest_order; }
  void set_dim(NodeId node, std::uint32_t dim);
  std::vector<std::uint8_t> dims(std::uint32_t nodes) const;
  std::uint32_t node_in_segment(NodeId node) const;
  std::size_t slot(NodeId node) const;
  void keep_planes(const Checked<Plane>& planes);
  void add_state(StepWriter& step, int levels) const;
  void add_segments(StepWriter& step, int level) const;
  CheckResult check_ranks(int level);
  CheckResult check_owners(int levels);

  PointSet original_;
  RankOptions options_;
  std::vector<Order> orders_;          ///< [n x dim] of each point's coordinates
  Checked<PointId> index_;             ///< [n] point at each position
  Checked<std::uint32_t> node_;        ///< [n] node that owns each position
  Checked<PointId> tree_;              ///< [n] pivot of each node, where it is known
  Checked<Plane> planes_;              ///< [n] of each node; the largest order until both pivot and dimension are known
  std::vector<std::uint32_t> domain_;  ///< [2 dim] keys of the box of all points
  int level_ = 0, levels_ = 0;         ///< of the round
  Checked<Bracket> brackets_;          ///< of the round
  Checked<Window> windows_;
  std::vector<std::uint32_t> below_, in_window_;  ///< [nodes so far] points below each node's window, and in it
  Checked<NodeId> led_;                           ///< [n] how far lead() has led each point; empty: not at all
};

}  // namespace kdscope::rank
