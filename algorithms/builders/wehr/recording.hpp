#pragma once
// What each step of the split-and-sort builder shows. This is host code over downloaded state. It runs only while a
// trace is recorded, and is the same for all sorts and back ends.

#include <span>
#include <string>
#include <vector>

#include "algorithms/builders/wehr/histogram.hpp"
#include "algorithms/builders/wehr/keys.hpp"
#include "algorithms/checks/level_order_checks.hpp"
#include "algorithms/record/checked.hpp"
#include "algorithms/record/step_writer.hpp"
#include "algorithms/trees/level_order/layout.hpp"

namespace kdscope::wehr {

/// Keeps the state that later steps need (the points, the state before a sort) and turns downloaded state into steps of
/// the trace.
class StepPresenter {
 public:
  StepPresenter(PointSet original, const WehrOptions& options) : original_(std::move(original)), options_(options) {}

  void indexed(StepWriter& step, Checked<PointId> index);
  /// Shows the keys. p: [k][n] as on the device.
  void split(StepWriter& step, Checked<std::uint32_t> p);
  void bounded(StepWriter& step, const Checked<std::uint32_t>& max) const;

  /// Sets the level's chunks. Call it before the level's first step.
  void open_level(const ChunksOfLevel& chunks);
  /// Shows the counts of a pass. h: [blocks x 2 x base] the blocks' own histograms; counts: H.
  void counted(StepWriter& step, int pass, Checked<std::uint32_t> h, Checked<std::uint32_t> counts);
  void summed(StepWriter& step, Checked<std::uint32_t> sums);
  void distributed(StepWriter& step, int pass, const Checked<std::uint32_t>& t, const Checked<PointId>& t_index);
  void copied(StepWriter& step, int pass, bool last, Checked<std::uint32_t> keys, Checked<PointId> index);
  void sorted(StepWriter& step, Checked<std::uint32_t> keys, Checked<PointId> index);
  void reorganized(StepWriter& step, Checked<std::uint32_t> p);
  /// Shows the nodes of a level. index, p: current contents, because a thinned recording skips the steps that made
  /// them.
  void created(StepWriter& step, Checked<PointId> tree, Checked<PointId> index, Checked<std::uint32_t> p);

 private:
  std::uint32_t n() const { return static_cast<std::uint32_t>(original_.size()); }
  std::uint32_t sorted_dim() const { return static_cast<std::uint32_t>(chunks_.level) % original_.dim; }
  std::string sorted_name() const;
  RadixPass pass_of(int pass) const;
  Highlight medians() const;
  Checked<std::uint32_t> columns() const;
  void add_chunks(StepWriter& step);
  void add_order(StepWriter& step, Checked<std::uint32_t> keys, Checked<PointId> index, bool sorted);
  void add_partition(StepWriter& step, const Checked<PointId>& tree) const;

  PointSet original_;
  WehrOptions options_;
  ChunksOfLevel chunks_;
  Checked<PointId> index_, index_before_;  ///< current, and before the level's sort
  Checked<std::uint32_t> p_;               ///< [k][n] current keys
  Checked<std::uint32_t> point_keys_;      ///< [k][n] in original order
  Checked<std::uint32_t> keys_before_;     ///< keys of the dimension to sort, before the level's sort
  Checked<std::uint32_t> counts_;          ///< H of the pass, before the scan
  bool chunks_shown_ = false;              ///< whether the level's chunks have been recorded
};

}  // namespace kdscope::wehr
