#pragma once
// Trees of split planes in a back end's memory.

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "algorithms/exec/memory.hpp"
#include "algorithms/trees/split_planes/tree.hpp"

namespace kdscope {

/// A tree of split planes in a back end's memory; the fields are those of SplitPlaneTree.
template <class Exec>
struct SplitPlaneTreeOnDevice {
  Primitive primitive = Primitive::triangle;
  std::uint32_t depth_bounded = 0;
  Array<std::uint32_t, Exec> parent, right_child, split_dim, split_value, first, count, box, primitive_of_position;
};

template <class Exec>
SplitPlaneTree download_tree(Exec& exec, const SplitPlaneTreeOnDevice<Exec>& tree,
                             const std::shared_ptr<const DataSet>& data) {
  const auto fetch = [&](const auto& from) {
    std::vector<std::uint32_t> there(from.size());
    exec.download(std::span(there), from.data());
    return there;
  };
  SplitPlaneTree host;
  host.data = data;
  host.primitive = tree.primitive;
  host.depth_bounded = tree.depth_bounded;
  host.parent = fetch(tree.parent), host.right_child = fetch(tree.right_child);
  host.split_dim = fetch(tree.split_dim), host.split_value = fetch(tree.split_value);
  host.first = fetch(tree.first), host.count = fetch(tree.count);
  host.box = fetch(tree.box), host.primitive_of_position = fetch(tree.primitive_of_position);
  return host;
}

}  // namespace kdscope
