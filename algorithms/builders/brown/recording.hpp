#pragma once
// What each step of Brown's builder shows. This is host code over downloaded state. It runs only while a trace is
// recorded, and is the same for all back ends.

#include <string>
#include <vector>

#include "algorithms/builders/brown/merge_sort.hpp"
#include "algorithms/builders/brown/options.hpp"
#include "algorithms/core/index_range.hpp"
#include "algorithms/record/checked.hpp"
#include "algorithms/record/step_writer.hpp"

namespace kdscope::brown {

/// State of every part, in the order of the parts. References are those of the kernels: indices into the part's memory.
template <class T>
using OfParts = std::vector<Checked<T>>;

/// The median stores on the host, and the nodes that follow from them; of stores alone, these are empty.
struct TreeSoFar {
  Checked<PointId> stores;  ///< of the whole tree; with several parts, their levels are joined last
  Checked<std::uint32_t> less, greater;
  OfParts<PointId> of_parts = {};  ///< stores of the parts that are not joined yet
};

/// What one part holds: its share of all positions, and the original index of each record in its memory. A build in one
/// part has no such indices, because its records stand in their original order.
struct Shard {
  PositionRange positions;
  Checked<std::uint32_t> original;
};

/// Two neighbouring parts that exchange `count` points.
struct ExchangingPair {
  std::uint32_t low, high, count;
};

/// Keeps the state that later steps need (points, arrays, stores) and turns downloaded state into steps of the trace.
/// The arrays of all parts are shown side by side: the positions of a part follow those of the part before it, and
/// between parts that a median has divided stands the median.
class StepPresenter {
 public:
  StepPresenter(PointSet original, const BrownOptions& options)
      : original_(std::move(original)), options_(options), arrays_(original_.dim) {}

  /// Says where the references of each part stand from now on. levels: upper levels whose medians divide the parts.
  void place(std::vector<Shard> shards, int levels);
  /// Shows the points as they were distributed at first.
  void distributed(StepWriter& step);
  /// Shows a dimension's references before, during or after their sort. In a build of one part, they may begin at a
  /// later position than the first. together: parts that are sorted as a whole; 0 while none is sorted.
  void sorted(StepWriter& step, std::uint32_t dim, std::uint32_t begin, const OfParts<Reference>& references,
              std::uint32_t together);
  /// Shows how many points neighbours will exchange, or their references after the exchange.
  void found_pivots(StepWriter& step, std::uint32_t dim, const std::vector<ExchangingPair>& pairs);
  void swapped(StepWriter& step, std::uint32_t dim, const OfParts<Reference>& references,
               const std::vector<ExchangingPair>& pairs);
  /// Shows the parts after they were divided at the medians of a level. The points stand in the order of the level's
  /// dimension, in the parts' memory as well.
  void rebalanced(StepWriter& step, int level, const TreeSoFar& tree);
  /// Shows a dimension whose order the points have already.
  void in_order(StepWriter& step, std::uint32_t dim, const OfParts<PointId>& references);
  /// Shows a pass that removes duplicates. segments: [n] with gaps; kept: [warps]; masks: [warps x masks_per_warp] of
  /// all parts, one after the other.
  void compacted(StepWriter& step, std::uint32_t dim, const OfParts<PointId>& segments,
                 const OfParts<std::uint32_t>& kept, const Checked<std::uint32_t>& masks, int masks_per_warp);
  void unique(StepWriter& step, std::uint32_t dim, const OfParts<PointId>& references);
  /// Shows the medians of a level. arrays: [k] current contents, because a thinned recording skips the steps that made
  /// them.
  void picked(StepWriter& step, int level, Partitioner partitioner, const TreeSoFar& tree,
              const std::vector<OfParts<PointId>>& arrays);
  /// Shows the sides of the points. greater: [n] by point, 1 if it is greater than its median.
  void marked(StepWriter& step, const OfParts<std::uint8_t>& greater);
  /// Shows the segments that the warps wrote. less, greater: [n] segments with gaps; counts: [2 x warps].
  void segmented(StepWriter& step, std::uint32_t dim, const OfParts<PointId>& less, const OfParts<PointId>& greater,
                 const OfParts<std::uint32_t>& counts);
  void parted(StepWriter& step, std::uint32_t dim, const OfParts<PointId>& references);
  void terminated(StepWriter& step, int level, const TreeSoFar& tree, const Checked<std::uint8_t>& removed,
                  const std::vector<OfParts<PointId>>& arrays);
  /// Shows the stores of all parts below those of the upper levels.
  void joined(StepWriter& step, const TreeSoFar& tree, const Checked<std::uint8_t>& removed);

 private:
  bool in_parts() const { return shards_.size() > 1; }
  std::string points_of(std::uint32_t part, std::uint32_t count, const char* which) const;
  /// Returns the original index of a record in a part's memory, no_id for one that does not exist.
  PointId point_at(std::size_t part, std::uint32_t record) const;
  /// Returns the references of all parts by position. Medians of the upper levels stand between the parts.
  Checked<PointId> side_by_side(const OfParts<PointId>& references) const;
  OfParts<PointId> all_records() const;
  void show_shards(StepWriter& step, std::uint32_t dim, const OfParts<PointId>& references);
  void mark_shards(StepWriter& step) const;
  bool stands_before(std::uint32_t a, std::uint32_t b, std::uint32_t dim) const;
  Checked<PointId> joined_stores(const TreeSoFar& tree) const;
  void write_removed(StepWriter& step, const Checked<std::uint8_t>& removed) const;
  std::uint32_t n() const { return static_cast<std::uint32_t>(original_.size()); }
  std::uint32_t k() const { return original_.dim; }
  std::uint32_t dim_of_level() const { return static_cast<std::uint32_t>(level_) % k(); }
  /// Returns -1, 0 or 1 if point a's super key is below, equal to or above b's. Throws BrokenState for points that do
  /// not exist.
  int order(std::uint32_t a, std::uint32_t b, std::uint32_t dim) const;
  void open(StepWriter& step);
  void open_level(StepWriter& step, int level, const std::vector<OfParts<PointId>>& arrays);
  void begin_level(StepWriter& step, int level);
  void check_medians(StepWriter& step, const Checked<PointId>& stores) const;
  void add_tree(StepWriter& step, const TreeSoFar& tree, const Checked<PointId>& stores, int levels);
  void add_arrays_of_level(StepWriter& step, int level, bool begins) const;
  void add_partition(StepWriter& step, const Checked<PointId>& stores, int levels) const;

  PointSet original_;
  BrownOptions options_;
  std::vector<Checked<PointId>> arrays_;  ///< [k] current references of each dimension
  std::vector<Shard> shards_;
  std::uint32_t total_ = 0;   ///< positions of all parts, with the medians between them
  int upper_ = 0;             ///< levels whose medians divide the parts
  std::uint32_t unique_ = 0;  ///< points without duplicates
  int level_ = 0;
  bool opened_ = false, stores_opened_ = false;
  Checked<std::uint32_t> medians_;  ///< [unique] the point that was the median at this position, or no_id
};

}  // namespace kdscope::brown
