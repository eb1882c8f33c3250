#pragma once
// Left-balanced trees in a back end's memory.

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "algorithms/core/level_order.hpp"
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

// [region left_balanced/lay_out]
/// Copies each record to the node of its point. records, out: [n * stride]. Work O(n stride).
struct GatherRecords {
  const std::uint32_t* records;
  const PointId* point_of_node;
  std::uint32_t* out;
  std::uint32_t stride;
  KDSCOPE_HD void operator()(std::uint32_t node) const {
    // Read whole records at random, and write them one after another
    const std::size_t from = std::size_t(point_of_node[node].value) * stride, to = std::size_t(node) * stride;
    for (std::uint32_t w = 0; w < stride; ++w) out[to + w] = records[from + w];
  }
};

/// Sets each node's split dimension to level mod k.
struct RoundRobinDimensions {
  std::uint8_t* split_dim;
  std::uint32_t k;
  KDSCOPE_HD void operator()(std::uint32_t node) const {
    split_dim[node] = static_cast<std::uint8_t>(static_cast<std::uint32_t>(level_of(NodeId{node})) % k);
  }
};
// [endregion]

/// Puts the records into the order of the tree. Extra memory: a second copy of the records.
template <class Exec>
void gather_records(Exec& exec, PointsOnDevice<Exec>& points, const PointId* point_of_node) {
  auto in_order = exec.template array<std::uint32_t>("tree", points.words.size(), Allocation::scratch);
  exec.for_each("gather records", points.n,
                GatherRecords{points.words.data(), point_of_node, in_order.data(), points.stride});
  points.words.swap(in_order);
}

/// Lays out the finished round-robin tree of points that are still in their original order.
template <class Exec>
LeftBalancedTreeOnDevice<Exec> lay_out_by_level(Exec& exec, PointsOnDevice<Exec> points,
                                                Array<PointId, Exec> point_of_node) {
  gather_records(exec, points, point_of_node.data());
  auto split_dim = exec.template array<std::uint8_t>("split dimensions", points.n);
  exec.for_each("split dimensions", points.n, RoundRobinDimensions{split_dim.data(), points.dim});
  return {std::move(points), std::move(point_of_node), std::move(split_dim)};
}

template <class Exec>
LeftBalancedTree download_tree(Exec& exec, const LeftBalancedTreeOnDevice<Exec>& tree,
                               const std::shared_ptr<const DataSet>& data) {
  LeftBalancedTree host;
  host.points = {tree.points.type, tree.points.dim, data->points.payload_words,
                 std::vector<std::uint32_t>(tree.points.words.size())};
  host.point_of_node.resize(tree.points.n);
  host.split_dim.resize(tree.points.n);
  exec.download(std::span(host.points.words), tree.points.words.data());
  exec.download(std::span(host.point_of_node), tree.point_of_node.data());
  exec.download(std::span(host.split_dim), tree.split_dim.data());
  return host;
}

}  // namespace kdscope
