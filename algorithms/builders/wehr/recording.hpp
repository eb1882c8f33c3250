#pragma once
// What each step of the split-and-sort builder shows. Host code over downloaded state; it runs only while a trace is
// recorded, and is the same for all sorts and back ends.

#include <span>
#include <string>
#include <vector>

#include "algorithms/builders/wehr/histogram.hpp"
#include "algorithms/builders/wehr/keys.hpp"
#include "algorithms/checks/level_order_checks.hpp"
#include "algorithms/record/step_report.hpp"
#include "algorithms/trees/level_order/layout.hpp"

namespace kdscope::wehr {

/// Keeps what later steps need (the points, the state before a sort) and turns downloaded state into reports.
class Recording {
 public:
  Recording(PointSet original, const WehrOptions& options) : original_(std::move(original)), options_(options) {}

  StepReport indexed(std::vector<PointId> index);
  /// p: [k][n] as the device keeps it.
  StepReport split(std::vector<std::uint32_t> p);
  StepReport bounded(const std::vector<std::uint32_t>& max) const;

  /// The level's chunks; to be called before the level's first step.
  void open_level(const ChunksOfLevel& chunks);
  /// h: [blocks x 2 x base] of the blocks' own histograms; counts: H.
  StepReport counted(int pass, std::vector<std::uint32_t> h, std::vector<std::uint32_t> counts);
  StepReport summed(std::vector<std::uint32_t> sums);
  StepReport distributed(int pass, const std::vector<std::uint32_t>& t, const std::vector<PointId>& t_index);
  StepReport copied(int pass, bool last, std::vector<std::uint32_t> keys, std::vector<PointId> index);
  StepReport sorted(std::vector<std::uint32_t> keys, std::vector<PointId> index);
  StepReport reorganized(std::vector<std::uint32_t> p);
  /// index, p: as they are now; a thinned recording has not seen the steps that made them so.
  StepReport created(std::vector<PointId> tree, std::vector<PointId> index, std::vector<std::uint32_t> p);

  /// The arrays that a trace of this builder holds.
  static std::vector<ArrayInfo> arrays(const TraceHeader& header);

 private:
  std::uint32_t n() const { return static_cast<std::uint32_t>(original_.size()); }
  std::uint32_t sorted_dim() const { return static_cast<std::uint32_t>(chunks_.level) % original_.dim; }
  std::string sorted_name() const;
  RadixPass pass_of(int pass) const;
  Highlight medians() const;
  std::vector<std::uint32_t> columns() const;
  void add_chunks(StepReport& report);
  void add_order(StepReport& report, std::vector<std::uint32_t> keys, std::vector<PointId> index, bool sorted);
  void add_partition(StepReport& report, const std::vector<PointId>& tree) const;

  PointSet original_;
  WehrOptions options_;
  ChunksOfLevel chunks_;
  std::vector<PointId> index_, index_before_;  ///< now, and before the level's sort
  std::vector<std::uint32_t> p_;               ///< [k][n] now
  std::vector<std::uint32_t> point_keys_;      ///< [k][n] in original order
  std::vector<std::uint32_t> keys_before_;     ///< of the dimension being sorted, before the level's sort
  std::vector<std::uint32_t> counts_;          ///< H of the pass, before the scan
  bool chunks_shown_ = false;                  ///< the level's chunks have been recorded
};

}  // namespace kdscope::wehr
