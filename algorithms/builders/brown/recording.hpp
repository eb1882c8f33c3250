#pragma once
// What each step of Brown's builder shows. Host code over downloaded state; it runs only while a trace is recorded, and
// is the same for all back ends.

#include <string>
#include <vector>

#include "algorithms/builders/brown/merge_sort.hpp"
#include "algorithms/builders/brown/options.hpp"
#include "algorithms/record/step_report.hpp"

namespace kdscope::brown {

/// Keeps what later steps need (points, arrays, stores) and turns downloaded state into reports.
class Recording {
 public:
  Recording(PointSet original, const BrownOptions& options)
      : original_(std::move(original)), options_(options), arrays_(original_.dim) {}

  /// A dimension's references before, during or after its sort; from position begin on.
  StepReport sorted(std::uint32_t dim, std::uint32_t begin, const std::vector<Reference>& references, bool done);
  /// segments: [n] with gaps; kept: [warps]; masks: [warps x masks_a_warp].
  StepReport compacted(std::uint32_t dim, std::uint32_t warps, const std::vector<PointId>& segments,
                       const std::vector<std::uint32_t>& kept, const std::vector<std::uint32_t>& masks,
                       int masks_a_warp);
  StepReport unique(std::uint32_t dim, std::vector<PointId> references);
  /// arrays: [k][n] as they are now; a thinned recording has not seen the steps that made them so.
  StepReport picked(int level, Partitioner partitioner, const std::vector<PointId>& stores,
                    const std::vector<std::uint32_t>& less, const std::vector<std::uint32_t>& greater,
                    const std::vector<std::vector<PointId>>& arrays);
  /// sides: [n] by point.
  StepReport marked(const std::vector<std::int8_t>& sides);
  /// less, greater: [n] segments with gaps; counts: [2 x warps].
  StepReport segmented(std::uint32_t dim, std::uint32_t warps, const std::vector<PointId>& less,
                       const std::vector<PointId>& greater, const std::vector<std::uint32_t>& counts);
  StepReport parted(std::uint32_t dim, std::vector<PointId> references);
  StepReport terminated(int level, const std::vector<PointId>& stores, const std::vector<std::uint32_t>& less,
                        const std::vector<std::uint32_t>& greater, const std::vector<std::uint8_t>& removed,
                        const std::vector<std::vector<PointId>>& arrays);

  /// The arrays that a trace of this builder holds.
  static std::vector<ArrayInfo> arrays(const TraceHeader& header, const BrownOptions& options);

 private:
  std::uint32_t n() const { return static_cast<std::uint32_t>(original_.size()); }
  std::uint32_t k() const { return original_.dim; }
  std::uint32_t dim_of_level() const { return static_cast<std::uint32_t>(level_) % k(); }
  std::string of(const char* array, std::uint32_t dim) const;
  void open(StepReport& report);
  void open_level(StepReport& report, int level, const std::vector<std::vector<PointId>>& arrays);
  void add_tree(StepReport& report, const std::vector<PointId>& stores, const std::vector<std::uint32_t>& less,
                const std::vector<std::uint32_t>& greater, int levels);
  void add_arrays_of_level(StepReport& report, int level, bool begins) const;
  void add_partition(StepReport& report, const std::vector<PointId>& stores, int levels) const;

  PointSet original_;
  BrownOptions options_;
  std::vector<std::vector<PointId>> arrays_;  ///< [k] references of each dimension as they are now
  std::uint32_t unique_ = 0;                  ///< points without duplicates
  int level_ = 0;
  bool opened_ = false, stores_opened_ = false;
  std::vector<std::uint32_t> medians_;  ///< [unique] the point that was a median where it stood, no_id elsewhere
};

}  // namespace kdscope::brown
