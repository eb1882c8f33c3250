#pragma once
// What each step of the left-balanced builder shows. This is host code over downloaded state. It runs only while a
// trace is recorded, and is the same for all sorts and back ends.

#include <string>
#include <vector>

#include "algorithms/builders/wald/split_rule.hpp"
#include "algorithms/record/step_writer.hpp"

namespace kdscope::wald {

/// The device's arrays after a step.
struct DownloadedState {
  std::vector<std::uint32_t> tags;     ///< [n], including the dimension bits
  std::vector<PointId> ids;            ///< [n] the point at each position
  std::vector<std::uint32_t> records;  ///< [n * stride] if the sort moves records, else empty
};

/// Keeps the state that later steps need (the points in their original order) and turns downloaded state into steps of
/// the trace.
class StepPresenter {
 public:
  StepPresenter(PointSet original, const SplitRule& rule) : original_(std::move(original)), rule_(rule) {}

  void initialised(StepWriter& step, const DownloadedState& state) const;
  /// Shows the ranks. rank: [k][n] in the layout of the radix sort.
  void ranked(StepWriter& step, const std::vector<std::uint32_t>& rank) const;
  void sorted(StepWriter& step, const DownloadedState& state, int level) const;
  void updated(StepWriter& step, const DownloadedState& state, int level) const;
  void finished(StepWriter& step, const DownloadedState& state) const;

 private:
  struct Decoded;
  Decoded decode(const DownloadedState& state) const;
  void add_tags(StepWriter& step, const Decoded& decoded) const;
  void add_state(StepWriter& step, const DownloadedState& state, const Decoded& decoded) const;
  void add_partition(StepWriter& step, const Decoded& decoded, std::uint32_t settled, std::uint32_t nodes) const;
  void add_order_checks(StepWriter& step, const Decoded& decoded, int level, std::uint32_t settled) const;
  void add_segments(StepWriter& step, int level) const;

  PointSet original_;
  SplitRule rule_;
};

}  // namespace kdscope::wald
