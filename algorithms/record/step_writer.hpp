#pragma once
// What a step shows while a trace is recorded, and the parts of it that every builder writes alike.

#include <string>
#include <utility>
#include <vector>

#include "algorithms/core/check_result.hpp"
#include "algorithms/core/ids.hpp"
#include "algorithms/core/points.hpp"
#include "algorithms/trace/trace.hpp"

namespace kdscope {

/// The open step of a trace, as presenters write it: the arrays as they are after the step, highlights, checks, a
/// title.
class StepWriter {
 public:
  explicit StepWriter(TraceBuilder& trace) : trace_(trace) {}
  /// An array's contents after the step: a TypedArray, or a vector of the declared element type.
  void wrote(std::string_view array, TypedArray contents) { trace_.write(array, std::move(contents)); }
  template <class T>
  void wrote(std::string_view array, const std::vector<T>& contents) {
    trace_.write(array, TypedArray::of(contents));
  }
  void highlight(Highlight h) { trace_.highlight(std::move(h)); }
  void check(CheckResult result) { trace_.current_step().checks.push_back(std::move(result)); }
  /// For people; starts as the title of the step's label.
  std::string& title() { return trace_.current_step().title; }
  /// The step launched `blocks` blocks of `lanes` lanes.
  void launched(std::uint64_t blocks, std::uint64_t lanes) {
    trace_.current_step().grid = blocks, trace_.current_step().block = lanes;
  }

 private:
  TraceBuilder& trace_;
};

/// x, y, z, w up to four dimensions; x0, x1, ... beyond.
std::string coordinate_name(std::uint32_t dim, std::uint32_t k);

/// The plain numbers of ids, as arrays of a trace hold them.
std::vector<std::uint32_t> values_of(const std::vector<PointId>& ids);

/// Contents of the standard array of coordinates (points_array), in the points' own type. Payload words are left out.
TypedArray coordinates_of(const PointSet& points);

/// Describes the standard arrays: points with a row data[i].x, data[i].y, ... for each dimension, gathered through the
/// array `point_of_position`.
std::vector<ArrayInfo> points_and_rows(const TraceHeader& header, const std::string& point_of_position);
/// Describes the partition so far; buckets: with the smallest boxes and settled leaves of trees that keep buckets.
std::vector<ArrayInfo> partition_infos(std::uint32_t dim, bool buckets = false);

}  // namespace kdscope
