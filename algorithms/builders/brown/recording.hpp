#pragma once
// What each step of Brown's builder shows. This is host code over downloaded state. It runs only while a trace is
// recorded, and is the same for all back ends.

#include <string>
#include <vector>

#include "algorithms/builders/brown/merge_sort.hpp"
#include "algorithms/builders/brown/options.hpp"
#include "algorithms/record/checked.hpp"
#include "algorithms/record/step_writer.hpp"

namespace kdscope::brown {

/// The median stores on the host, and the nodes that follow from them; of stores alone, these are empty.
struct TreeSoFar {
  Checked<PointId> stores;
  Checked<std::uint32_t> less, greater;
};

/// Keeps the state that later steps need (points, arrays, stores) and turns downloaded state into steps of the trace.
class StepPresenter {
 public:
  StepPresenter(PointSet original, const BrownOptions& options)
      : original_(std::move(original)), options_(options), arrays_(original_.dim) {}

  /// Shows a dimension's references before, during or after their sort, from position begin on.
  void sorted(StepWriter& step, std::uint32_t dim, std::uint32_t begin, const Checked<Reference>& references,
              bool done);
  /// Shows a pass that removes duplicates. segments: [n] with gaps; kept: [warps]; masks: [warps x masks_per_warp].
  void compacted(StepWriter& step, std::uint32_t dim, const Checked<PointId>& segments,
                 const Checked<std::uint32_t>& kept, const Checked<std::uint32_t>& masks, int masks_per_warp);
  void unique(StepWriter& step, std::uint32_t dim, Checked<PointId> references);
  /// Shows the medians of a level. arrays: [k][n] current contents, because a thinned recording skips the steps that
  /// made them.
  void picked(StepWriter& step, int level, Partitioner partitioner, const TreeSoFar& tree,
              const std::vector<Checked<PointId>>& arrays);
  /// Shows the sides of the points. greater: [n] by point, 1 if it is greater than its median.
  void marked(StepWriter& step, const Checked<std::uint8_t>& greater);
  /// Shows the segments that the warps wrote. less, greater: [n] segments with gaps; counts: [2 x warps].
  void segmented(StepWriter& step, std::uint32_t dim, std::uint32_t warps, const Checked<PointId>& less,
                 const Checked<PointId>& greater, const Checked<std::uint32_t>& counts);
  void parted(StepWriter& step, std::uint32_t dim, Checked<PointId> references);
  void terminated(StepWriter& step, int level, const TreeSoFar& tree, const Checked<std::uint8_t>& removed,
                  const std::vector<Checked<PointId>>& arrays);

 private:
  std::uint32_t n() const { return static_cast<std::uint32_t>(original_.size()); }
  std::uint32_t k() const { return original_.dim; }
  std::uint32_t dim_of_level() const { return static_cast<std::uint32_t>(level_) % k(); }
  /// Returns -1, 0 or 1 if point a's super key is below, equal to or above b's. Throws BrokenState for points that do
  /// not exist.
  int order(std::uint32_t a, std::uint32_t b, std::uint32_t dim) const;
  void open(StepWriter& step);
  void open_level(StepWriter& step, int level, const std::vector<Checked<PointId>>& arrays);
  void add_tree(StepWriter& step, const TreeSoFar& tree, int levels);
  void add_arrays_of_level(StepWriter& step, int level, bool begins) const;
  void add_partition(StepWriter& step, const Checked<PointId>& stores, int levels) const;

  PointSet original_;
  BrownOptions options_;
  std::vector<Checked<PointId>> arrays_;  ///< [k] current references of each dimension
  std::uint32_t unique_ = 0;              ///< points without duplicates
  int level_ = 0;
  bool opened_ = false, stores_opened_ = false;
  Checked<std::uint32_t> medians_;  ///< [unique] the point that was the median at this position, or no_id
};

}  // namespace kdscope::brown
