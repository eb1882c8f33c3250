#pragma once
// Uploads, downloads and checks for builders that distribute points over a group of executors. timed_run.hpp has the
// same functions for one executor.

#include <algorithm>
#include <vector>

#include "algorithms/builders/timed_run.hpp"
#include "algorithms/exec/device_group.hpp"

namespace kdscope {

/// Uploads the points in equal parts, in their order. The last parts may be shorter or empty.
template <class Exec>
std::vector<PointsOnDevice<Exec>> upload_points(DeviceGroup<Exec>& group, const PointSet& points,
                                                const std::uint32_t* there = nullptr) {
  const std::size_t n = points.size(), width = (n + group.size() - 1) / group.size(), stride = points.stride();
  std::vector<PointsOnDevice<Exec>> parts;
  for (std::uint32_t part = 0; part < group.size(); ++part) {
    const std::size_t begin = std::min(n, part * width), end = std::min(n, begin + width);
    auto words = group[part].template array<std::uint32_t>("points", (end - begin) * stride);
    group[part].upload(words.data(), uploaded_words(points, there).subspan(begin * stride, (end - begin) * stride));
    parts.push_back(
        {std::move(words), static_cast<std::uint32_t>(end - begin), points.dim, points.stride(), points.type});
  }
  return parts;
}

/// Downloads the results from the group's first member.
template <class Exec, class OnDevice>
auto download_tree(DeviceGroup<Exec>& group, const OnDevice& tree, const std::shared_ptr<const DataSet>& data) {
  return download_tree(group.first(), tree, data);
}

template <class Exec>
Exec& recording_member(DeviceGroup<Exec>& group) {
  return group.first();
}

}  // namespace kdscope
