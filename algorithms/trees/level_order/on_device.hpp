#pragma once
// Level-order trees in a back end's memory.

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "algorithms/core/level_order.hpp"
#include "algorithms/exec/memory.hpp"
#include "algorithms/trees/level_order/tree.hpp"

namespace kdscope {

/// A level-order tree whose points stay in their original order; level l splits dimension l mod k.
template <class Exec>
struct LevelOrderTreeOnDevice {
  Array<PointId, Exec> point_of_node;  ///< [slots]
};

template <class Exec>
LevelOrderTree download_tree(Exec& exec, const LevelOrderTreeOnDevice<Exec>& tree,
                             const std::shared_ptr<const DataSet>& data) {
  LevelOrderTree host{
      std::shared_ptr<const PointSet>(data, &data->points), std::vector<PointId>(tree.point_of_node.size()), {}};
  exec.download(std::span(host.point_of_node), tree.point_of_node.data());
  host.split_dim.resize(host.size());
  for (std::uint32_t node = 0; node < host.size(); ++node)
    host.split_dim[node] =
        static_cast<std::uint8_t>(static_cast<std::uint32_t>(level_of(NodeId{node})) % data->points.dim);
  return host;
}

}  // namespace kdscope
