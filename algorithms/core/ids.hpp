#pragma once
// Distinct types for the index of an input point and of a tree node.

#include <cstdint>

#include "algorithms/core/platform.hpp"

namespace kdscope {

/// The original index of a point in its data set, from 0.
struct PointId {
  std::uint32_t value = 0;
  KDSCOPE_HD friend constexpr bool operator==(PointId a, PointId b) { return a.value == b.value; }
  KDSCOPE_HD friend constexpr bool operator<(PointId a, PointId b) { return a.value < b.value; }
};

/// The index of a tree node; in level order for left-balanced trees (root 0, children of i at 2i+1 and 2i+2).
struct NodeId {
  std::uint32_t value = 0;
  KDSCOPE_HD friend constexpr bool operator==(NodeId a, NodeId b) { return a.value == b.value; }
  KDSCOPE_HD friend constexpr bool operator<(NodeId a, NodeId b) { return a.value < b.value; }
};

/// The value that means "no node" or "no point" in arrays of ids.
inline constexpr std::uint32_t no_id = 0xffffffffu;

}  // namespace kdscope
