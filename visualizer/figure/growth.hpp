#pragma once
// How what a step makes enters a picture: one after the other, in every picture at the same time.

#include <algorithm>
#include <cstdint>
#include <vector>

#include "algorithms/core/ids.hpp"
#include "visualizer/style/motion_tokens.hpp"

namespace kdscope {

/// A moment of it. By default, everything has entered.
struct Growth {
  std::vector<NodeId> split = {};  ///< ascending: their planes grow, and their children drop from them
  double time = 1;                 ///< the share of the time that has passed
  bool from_old =
      true;  ///< values pass from their old ones; otherwise they appear, because a question hid the old ones

  bool under_way() const { return time < 1; }
  /// Returns the share of its way that what a node makes has come; 1 if the node is not one of `split`. Work O(log
  /// split).
  double of(NodeId node) const {
    const auto at = under_way() ? std::lower_bound(split.begin(), split.end(), node) : split.end();
    return at == split.end() || *at != node ? 1 : of_one(static_cast<std::size_t>(at - split.begin()), split.size());
  }
  /// Returns the same of the colours of a node's children: they come when half of its plane stands.
  double of_children(NodeId parent) const { return std::max(0.0, 2 * of(parent) - 1); }
  /// Returns the same of one of several other things.
  double of_one(std::size_t one, std::size_t count) const {
    return count < 2 ? tokens::eased(time)
                     : tokens::entered(time, static_cast<double>(one) / static_cast<double>(count - 1));
  }
  bool operator==(const Growth&) const = default;
};

}  // namespace kdscope
