#pragma once
// Records runs on the CPU.

#include <bit>

#include "algorithms/registry/registry.hpp"
#include "datasets/datasets.hpp"
#include "tests/support/catch.hpp"

namespace kdscope {

/// Returns points in two dimensions with these coordinates, x and y in turn.
inline std::shared_ptr<const DataSet> points_in_plane(const std::vector<float>& coordinates) {
  auto points = std::make_shared<DataSet>();
  points->points.dim = 2;
  for (const float c : coordinates) points->points.words.push_back(std::bit_cast<std::uint32_t>(c));
  return points;
}

/// Returns a run on the CPU. algorithm: empty for the usual one.
inline std::shared_ptr<const Trace> recorded(std::shared_ptr<const DataSet> points, const std::string& algorithm = {},
                                             const Parameters& parameters = {}, const Parameters& search = {}) {
  auto trace = record({{}, algorithm, parameters, Backend::cpu, false, std::move(points), 0, search});
  if (!trace) FAIL(algorithm << ": " << trace.error().message());
  return *trace;
}
inline std::shared_ptr<const Trace> recorded(const std::string& specification, const std::string& algorithm = {},
                                             const Parameters& parameters = {}, const Parameters& search = {}) {
  return recorded(open_data_set(specification).value(), algorithm, parameters, search);
}

}  // namespace kdscope
