#pragma once
// How what a step makes enters a picture: all of it at once, as parallel threads make it, in every picture at the same
// time. What comes of several steps, or of one search, enters one after the other.

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
  std::vector<std::uint32_t> turns = {};  ///< of each node: a child's follows its parent's; none: all at once

  bool under_way() const { return time < 1; }
  /// Returns the share of its way that what is new has come.
  double of_all() const { return tokens::eased(time); }
  /// Returns the same of what a node makes; 1 if the node is not one of `split`. Work O(log split).
  double of(NodeId node) const {
    const auto at = under_way() ? std::lower_bound(split.begin(), split.end(), node) : split.end();
    if (at == split.end() || *at != node) return 1;
    return turns.empty() ? of_all()
                         : of_one(turns[static_cast<std::size_t>(at - split.begin())], std::ranges::max(turns) + 1);
  }
  /// Returns the same of the colours of a node's children: they come when half of its plane stands.
  double of_children(NodeId parent) const { return std::max(0.0, 2 * of(parent) - 1); }
  /// Returns the same of one of several things that enter one after the other.
  double of_one(std::size_t one, std::size_t count) const {
    return count < 2 ? of_all() : tokens::entered(time, static_cast<double>(one) / static_cast<double>(count - 1));
  }
  /// The share of of_children() from which names and shapes are the children's, too.
  static constexpr double shows_children = 0.5;
  bool operator==(const Growth&) const = default;
};

}  // namespace kdscope
