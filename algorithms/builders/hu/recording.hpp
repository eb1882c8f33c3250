#pragma once
// What each step of the index-array builder shows. This is host code over downloaded state. It runs only while a trace
// is recorded, and is the same for all back ends.

#include <string>
#include <vector>

#include "algorithms/builders/hu/options.hpp"
#include "algorithms/record/checked.hpp"
#include "algorithms/record/step_writer.hpp"
#include "algorithms/trees/leaf_buckets/tree.hpp"

namespace kdscope::hu {

/// A BucketTree whose indices are read through followed().
struct NodeList {
  Checked<PointId> point_of_position;
  Checked<std::uint32_t> parent, left_child, split_dim, split_value, first, count, box;
  NodeList() = default;
  NodeList(BucketTree tree)
      : point_of_position(std::move(tree.point_of_position)),
        parent(std::move(tree.parent)),
        left_child(std::move(tree.left_child)),
        split_dim(std::move(tree.split_dim)),
        split_value(std::move(tree.split_value)),
        first(std::move(tree.first)),
        count(std::move(tree.count)),
        box(std::move(tree.box)) {}
  std::uint32_t size() const { return static_cast<std::uint32_t>(parent.size()); }
};

/// Keeps the state that later steps need (points, nodes, sequences) and turns downloaded state into steps of the trace.
/// Nodes arrive as a BucketTree without buckets. Positions of leaves, which a device leaves stale, are kept here and
/// not read again.
class StepPresenter {
 public:
  using Sequences = Checked<std::vector<PointId>>;  ///< [k][n]

  StepPresenter(PointSet original, const HuOptions& options);

  void initialised(StepWriter& step, Sequences sequences);
  void sorted(StepWriter& step, Sequences sequences);
  void rooted(StepWriter& step, NodeList nodes);
  /// Shows the splits of a level, whose nodes start at `begin`.
  void split(StepWriter& step, NodeList nodes, std::uint32_t begin);
  void numbered(StepWriter& step, NodeList nodes);
  void settled(StepWriter& step, Checked<PointId> buckets, bool last);
  /// Shows marks: [dims x m], for the dimensions from first_dim on and for the active positions in order.
  void marked(StepWriter& step, std::uint32_t first_dim, const Checked<std::uint8_t>& marks);
  /// Shows counters: [dims x m], summed over all of them.
  void counted(StepWriter& step, std::uint32_t first_dim, const Checked<std::uint32_t>& counters, NodeList nodes);
  /// Shows new_index: [dims x n].
  void relocated(StepWriter& step, std::uint32_t first_dim, const Checked<PointId>& new_index);
  /// Shows owners: [m].
  void renewed(StepWriter& step, const Checked<std::uint32_t>& owners);
  /// Shows the boxes. sequences, owners [m]: current contents, because a thinned recording skips the steps that made
  /// them.
  void bounded(StepWriter& step, NodeList nodes, Sequences sequences, const Checked<std::uint32_t>& owners);

 private:
  std::uint32_t n() const { return static_cast<std::uint32_t>(original_.size()); }
  std::uint32_t k() const { return original_.dim; }
  double value(std::uint32_t word) const { return scalar_value(word, original_.type); }
  /// Returns the node's positions, all of which exist. Throws BrokenState otherwise.
  IndexRange positions_of(std::uint32_t node) const;
  std::uint32_t dimension_of(std::uint32_t node) const {
    return static_cast<std::uint32_t>(followed(nodes_.split_dim[node], k()));
  }
  void find_active();
  void move_to(const Sequences& sequences);
  void add_sequences(StepWriter& step) const;
  void add_owners(StepWriter& step) const;
  void add_nodes(StepWriter& step) const;
  void add_segments(StepWriter& step) const;
  bool keeps_bucket(std::uint32_t node) const;
  void add_partition(StepWriter& step) const;
  CheckResult check_boxes(std::uint32_t begin) const;

  PointSet original_;
  HuOptions options_;
  NodeList nodes_;                         ///< points_of_position: the buckets of settled leaves
  std::uint32_t begin_ = 0;                ///< first node of the level
  std::uint32_t counted_ = 0, boxed_ = 0;  ///< number of nodes whose points, and whose boxes, are known
  Sequences sequences_, new_index_;
  Checked<std::uint32_t> owner_;   ///< [n]
  Checked<std::uint32_t> active_;  ///< [m] the active positions, ascending
  Checked<bool> settled_;          ///< [n] set for positions of leaves
  Checked<std::uint8_t> side_;     ///< [n] by point: 1 for right; valid while the level's marks are known
};

}  // namespace kdscope::hu
