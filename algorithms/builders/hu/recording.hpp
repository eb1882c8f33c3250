#pragma once
// What each step of the index-array builder shows. Host code over downloaded state; it runs only while a trace is
// recorded, and is the same for all back ends.

#include <string>
#include <vector>

#include "algorithms/builders/hu/options.hpp"
#include "algorithms/record/step_report.hpp"
#include "algorithms/trees/leaf_buckets/tree.hpp"

namespace kdscope::hu {

/// Keeps what later steps need (points, nodes, sequences) and turns downloaded state into reports. Nodes come as a
/// BucketTree without buckets. What a device leaves as it was at positions of leaves is kept here instead of read.
class Recording {
 public:
  using Sequences = std::vector<std::vector<PointId>>;  ///< [k][n]

  Recording(PointSet original, const HuOptions& options);

  StepReport initialised(Sequences sequences);
  StepReport sorted(Sequences sequences);
  StepReport rooted(BucketTree nodes);
  /// Nodes from `begin` on are the level's.
  StepReport split(BucketTree nodes, std::uint32_t begin);
  StepReport numbered(BucketTree nodes);
  StepReport settled(std::vector<PointId> buckets, bool last);
  /// marks: [dims x m], of the dimensions from first_dim on, for the active positions one after the other.
  StepReport marked(std::uint32_t first_dim, const std::vector<std::uint8_t>& marks);
  /// counters: [dims x m], summed up over all of them.
  StepReport counted(std::uint32_t first_dim, const std::vector<std::uint32_t>& counters, BucketTree nodes);
  /// new_index: [dims x n].
  StepReport relocated(std::uint32_t first_dim, const std::vector<PointId>& new_index);
  /// owners: [m].
  StepReport renewed(const std::vector<std::uint32_t>& owners);
  /// sequences: as they are now; a thinned recording has not seen the steps that made them so.
  StepReport bounded(BucketTree nodes, Sequences sequences);

  /// The arrays that a trace of this builder holds.
  static std::vector<ArrayInfo> arrays(const TraceHeader& header);

 private:
  std::uint32_t n() const { return static_cast<std::uint32_t>(original_.size()); }
  std::uint32_t k() const { return original_.dim; }
  std::string of(const char* array, std::uint32_t dim) const;
  /// The names of an array for every dimension.
  std::vector<std::string> all_of(const char* array) const;
  double value(std::uint32_t word) const { return scalar_value(word, original_.type); }
  void find_active();
  void move_to(const Sequences& sequences);
  void add_sequences(StepReport& report) const;
  void add_owners(StepReport& report) const;
  void add_nodes(StepReport& report) const;
  void add_segments(StepReport& report) const;
  bool keeps_bucket(std::uint32_t node) const;
  void add_partition(StepReport& report) const;
  CheckResult check_boxes(std::uint32_t begin) const;

  PointSet original_;
  HuOptions options_;
  BucketTree nodes_;                       ///< points_of_position: the buckets as far as leaves have settled
  std::uint32_t begin_ = 0;                ///< first node of the level
  std::uint32_t counted_ = 0, boxed_ = 0;  ///< nodes whose points, and whose boxes are known
  Sequences sequences_, new_index_;
  std::vector<std::uint32_t> owner_;   ///< [n]
  std::vector<std::uint32_t> active_;  ///< [m] the active positions, ascending
  std::vector<bool> settled_;          ///< [n] positions of leaves
  std::vector<std::uint8_t> side_;     ///< [n] by point: 1 right, while the level's marks are known
};

}  // namespace kdscope::hu
