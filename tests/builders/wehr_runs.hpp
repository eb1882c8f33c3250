#pragma once
// Shared by the tests of the wehr builder: requests, and the reference tree from keys by the stated formula, worked out
// here once more and not by the builder's code.

#include <algorithm>
#include <cmath>

#include "algorithms/checks/level_order_checks.hpp"
#include "tests/builders/runs.hpp"

namespace kdscope::test {

inline BuildRequest wehr_request(std::shared_ptr<const DataSet> data, Parameters parameters, Backend backend) {
  BuildRequest request;
  request.algorithm = "wehr";
  request.data = std::move(data);
  request.parameters = std::move(parameters);
  request.backend = backend;
  return request;
}

/// A data set, or with "reversed:" in front its points from the last to the first.
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

/// Keys [k][n]: floor((x - lo) (F / extent)), at most F; the extent is the widest side's, or each dimension's own.
inline std::vector<std::uint32_t> quantized(const PointSet& points, std::uint32_t f, bool each) {
  const Box box = bounding_box(points);
  std::vector<std::uint32_t> keys;
  double widest = 0;
  for (std::size_t d = 0; d < box.lo.size(); ++d) widest = std::max(widest, box.hi[d] - box.lo[d]);
  for (std::uint32_t d = 0; d < box.lo.size(); ++d) {
    const double extent = each ? box.hi[d] - box.lo[d] : widest, factor = extent > 0 ? f / extent : 0;
    for (std::size_t i = 0; i < points.size(); ++i)
      keys.push_back(static_cast<std::uint32_t>(std::min<double>(f, std::floor((points.value(i, d) - box.lo[d]) * factor))));
  }
  return keys;
}

/// Whether no two distinct coordinates of a dimension share a key, so that the tree must be an exact kd-tree.
inline bool keeps_coordinates_apart(const std::vector<std::uint32_t>& keys, const PointSet& points) {
  const PointsView view = view_of(points);
  std::vector<std::uint32_t> order(view.n);
  for (std::uint32_t d = 0; d < view.dim; ++d) {
    for (std::uint32_t i = 0; i < view.n; ++i) order[i] = i;
    std::sort(order.begin(), order.end(), [&](auto a, auto b) { return view.key(a, d) < view.key(b, d); });
    const std::uint32_t* key = keys.data() + std::size_t(d) * view.n;
    for (std::uint32_t i = 1; i < view.n; ++i)
      if (key[order[i - 1]] == key[order[i]] && view.key(order[i - 1], d) != view.key(order[i], d)) return false;
  }
  return true;
}

inline LevelOrderTree reference_of(const std::shared_ptr<const DataSet>& data, std::uint32_t f, bool each) {
  return reference_median_tree(quantized(data->points, f, each), std::shared_ptr<const PointSet>(data, &data->points));
}

}  // namespace kdscope::test
