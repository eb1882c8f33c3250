#pragma once
// Requests for the wehr builder, and the reference tree from keys. The stated formula of the keys is computed here
// separately from the builder's code. The tests of the wehr builder share this header.

#include <algorithm>
#include <cmath>
#include <span>

#include "algorithms/trees/level_order/reference.hpp"
#include "algorithms/trees/level_order/tree.hpp"
#include "tests/builders/runs.hpp"

namespace kdscope::test {

inline RunRequest wehr_request(std::shared_ptr<const DataSet> data, Parameters parameters, Backend backend) {
  return {{}, "wehr", std::move(parameters), backend, false, std::move(data)};
}

/// Opens a data set. The prefix "reversed:" reverses the order of its points.
inline std::shared_ptr<const DataSet> data_or_reversed(const std::string& specification) {
  const std::string mark = "reversed:";
  if (specification.rfind(mark, 0) != 0) return data(specification);
  auto reversed = std::make_shared<DataSet>(*data(specification.substr(mark.size())));
  std::vector<std::uint32_t>& words = reversed->points.words;
  const std::uint32_t stride = reversed->points.stride();
  std::reverse(words.begin(), words.end());
  for (std::size_t i = 0; i < words.size(); i += stride) std::reverse(words.begin() + i, words.begin() + i + stride);
  return reversed;
}

/// Returns keys [k][n]: floor((x - lo) (F / extent)), at most F. The extent is that of the widest side or, with `each`,
/// of each dimension.
inline std::vector<std::uint32_t> quantized(const PointSet& points, std::uint32_t f, bool each) {
  const Box box = bounding_box(points);
  std::vector<std::uint32_t> keys;
  double widest = 0;
  for (std::size_t d = 0; d < box.lo.size(); ++d) widest = std::max(widest, box.hi[d] - box.lo[d]);
  for (std::uint32_t d = 0; d < box.lo.size(); ++d) {
    const double extent = each ? box.hi[d] - box.lo[d] : widest, factor = extent > 0 ? f / extent : 0;
    for (std::size_t i = 0; i < points.size(); ++i)
      keys.push_back(
          static_cast<std::uint32_t>(std::min<double>(f, std::floor((points.value(i, d) - box.lo[d]) * factor))));
  }
  return keys;
}

/// Returns keys [k][n] that keep all distinct coordinates distinct: their ranks.
inline std::vector<std::uint32_t> ranks(const PointSet& points) {
  std::vector<std::uint32_t> keys;
  for (std::uint32_t d = 0; d < points.dim; ++d) {
    std::vector<double> values;
    for (std::size_t i = 0; i < points.size(); ++i) values.push_back(points.value(i, d));
    std::vector<double> sorted = values;
    std::sort(sorted.begin(), sorted.end());
    for (const double value : values)
      keys.push_back(
          static_cast<std::uint32_t>(std::lower_bound(sorted.begin(), sorted.end(), value) - sorted.begin()));
  }
  return keys;
}

inline LevelOrderTree reference_of(const std::shared_ptr<const DataSet>& data, std::span<const std::uint32_t> keys) {
  return reference_median_tree(keys, std::shared_ptr<const PointSet>(data, &data->points));
}

}  // namespace kdscope::test
