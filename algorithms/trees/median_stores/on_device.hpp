#pragma once
// Median stores in a back end's memory.

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "algorithms/exec/memory.hpp"
#include "algorithms/trees/median_stores/tree.hpp"

namespace kdscope {

/// Median stores in a back end's memory; the fields are those of MedianStoreTree.
template <class Exec>
struct MedianStoreTreeOnDevice {
  Array<PointId, Exec> stores;
  Array<std::uint32_t, Exec> less, greater;  ///< [n] or empty
  Array<std::uint8_t, Exec> removed;         ///< [n] by point, 1 if it was removed
};

template <class Exec>
MedianStoreTree download_tree(Exec& exec, const MedianStoreTreeOnDevice<Exec>& tree,
                              const std::shared_ptr<const DataSet>& data) {
  const auto fetch = [&](auto& to, const auto& from) {
    to.resize(from.size());
    exec.download(std::span(to), from.data());
  };
  MedianStoreTree host;
  host.points = std::shared_ptr<const PointSet>(data, &data->points);
  fetch(host.stores, tree.stores);
  fetch(host.less, tree.less);
  fetch(host.greater, tree.greater);
  std::vector<std::uint8_t> removed;
  fetch(removed, tree.removed);
  for (std::uint32_t i = 0; i < removed.size(); ++i)
    if (removed[i]) host.removed.push_back({i});
  return host;
}

}  // namespace kdscope
