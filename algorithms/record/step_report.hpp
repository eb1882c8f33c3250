#pragma once
// What a step says about itself while a trace is recorded, and the parts of it that every builder writes alike.

#include <string>
#include <utility>
#include <vector>

#include "algorithms/core/check_result.hpp"
#include "algorithms/core/ids.hpp"
#include "algorithms/core/points.hpp"
#include "algorithms/trace/trace.hpp"

namespace kdscope {

/// Everything a step says about itself.
struct StepReport {
  std::vector<std::pair<std::string, TypedArray>> arrays;
  std::vector<Highlight> highlights;
  std::vector<CheckResult> checks;
  std::string title;

  template <class Contents>
  void add(const std::string& array, const Contents& contents) {
    arrays.emplace_back(array, TypedArray::of(contents));
  }
};

/// Hands a report to a step's writer.
template <class Writer>
void write(Writer& writer, StepReport report) {
  for (auto& [name, contents] : report.arrays) writer.wrote(name, std::move(contents));
  for (Highlight& h : report.highlights) writer.highlight(std::move(h));
  for (CheckResult& f : report.checks) writer.check(std::move(f));
  writer.title(std::move(report.title));
}

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
