#pragma once
// Trees with leaf buckets in a back end's memory.

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "algorithms/exec/growing_array.hpp"
#include "algorithms/exec/memory.hpp"
#include "algorithms/trees/leaf_buckets/tree.hpp"

namespace kdscope {

/// A list of nodes with their buckets in a back end's memory; the fields are those of BucketTree.
template <class Exec>
struct BucketTreeOnDevice {
  std::uint32_t nodes = 0;
  Array<PointId, Exec> point_of_position;
  GrowingArray<std::uint32_t, Exec> parent, left_child, split_dim, split_value, first, count, box;
};

/// Downloads a list of nodes without their buckets. read(from, n) fetches n elements from the device.
template <class Exec, class Read>
BucketTree download_nodes(const BucketTreeOnDevice<Exec>& tree, std::uint32_t dim, Read read) {
  const auto column = [&](const auto& from) { return read(from.data(), std::size_t(tree.nodes)); };
  BucketTree host;
  host.parent = column(tree.parent), host.left_child = column(tree.left_child);
  host.split_dim = column(tree.split_dim), host.split_value = column(tree.split_value);
  host.first = column(tree.first), host.count = column(tree.count);
  host.box = read(tree.box.data(), std::size_t(tree.nodes) * 2 * dim);
  return host;
}

template <class Exec>
BucketTree download_tree(Exec& exec, const BucketTreeOnDevice<Exec>& tree, const std::shared_ptr<const DataSet>& data) {
  const auto read = [&]<class T>(const T* from, std::size_t n) {
    std::vector<T> there(n);
    exec.download(std::span(there), from);
    return there;
  };
  BucketTree host = download_nodes(tree, data->points.dim, read);
  host.points = std::shared_ptr<const PointSet>(data, &data->points);
  host.point_of_position = read(tree.point_of_position.data(), tree.point_of_position.size());
  return host;
}

}  // namespace kdscope
