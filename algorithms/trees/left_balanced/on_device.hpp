#pragma once
// Left-balanced trees in a back end's memory.

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "algorithms/exec/memory.hpp"
#include "algorithms/exec/points_on_device.hpp"
#include "algorithms/trees/left_balanced/tree.hpp"

namespace kdscope {

/// A left-balanced tree in a back end's memory, in level order.
template <class Exec>
struct LeftBalancedTreeOnDevice {
  PointsOnDevice<Exec> points;
  Array<PointId, Exec> point_of_node;
  Array<std::uint8_t, Exec> split_dim;
};

template <class Exec>
LeftBalancedTree download_tree(Exec& exec, const LeftBalancedTreeOnDevice<Exec>& tree, const std::shared_ptr<const DataSet>& data) {
  LeftBalancedTree host;
  host.points = {tree.points.type, tree.points.dim, data->points.payload_words, std::vector<std::uint32_t>(tree.points.words.size())};
  host.point_of_node.resize(tree.points.n);
  host.split_dim.resize(tree.points.n);
  exec.download(std::span(host.points.words), tree.points.words.data());
  exec.download(std::span(host.point_of_node), tree.point_of_node.data());
  exec.download(std::span(host.split_dim), tree.split_dim.data());
  return host;
}

}  // namespace kdscope
