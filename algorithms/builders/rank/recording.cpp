#include "algorithms/builders/rank/recording.hpp"

#include <algorithm>
#include <limits>

#include "algorithms/builders/rank/arrays.hpp"
#include "algorithms/trees/permutation.hpp"

namespace kdscope::rank {
namespace {

constexpr double open_end = std::numeric_limits<double>::quiet_NaN();

std::string names_of_level(int level) {
  return level == 0 ? "the root" : "the nodes of level " + std::to_string(level);
}

}  // namespace

Order StepPresenter::order(PointId point, std::uint32_t dim) const {
  return orders_[followed(point.value, n()) * original_.dim + followed(dim, original_.dim)];
}

/// Returns the node on level `levels`, or the pivot above it, to which the known planes lead a point: from where they
/// led it before, since each step knows more of them.
NodeId StepPresenter::lead(PointId point, int levels) {
  if (led_.empty()) led_.assign(n(), NodeId{0});
  NodeId& at = led_[point.value];
  while (level_of(at) < levels && at.value < n() && is_known(at)) {
    const Plane& plane = planes_[at.value];
    const Order own = order(point, plane.dim);
    if (own == plane.pivot) break;
    at = own < plane.pivot ? left_child(at) : right_child(at);
  }
  return level_ancestor(at, levels);
}

/// Returns the node of a level to which a counting pass leads a point, or a node above it where the point stays: the
/// planes above the last level are known, and the windows on it.
NodeId StepPresenter::lead_by_window(PointId point, int level) {
  const NodeId above = lead(point, level == level_ ? level : level - 1);
  if (level == level_ || level_of(above) < level - 1) return above;
  const Window& window = windows_[slot(above)];
  const Order own = order(point, window.dim);
  return own < window.lo ? left_child(above) : own > window.hi ? right_child(above) : above;
}

/// Returns the place of a node of the round among those of its segment, and among those of all segments.
std::uint32_t StepPresenter::node_in_segment(NodeId node) const {
  const int down = level_of(node) - level_;
  return full_tree_size(down) + ((node.value - full_tree_size(level_of(node))) & ((1u << down) - 1));
}
std::size_t StepPresenter::slot(NodeId node) const {
  const std::uint32_t segment = (node.value - full_tree_size(level_of(node))) >> (level_of(node) - level_);
  return std::size_t(segment) * full_tree_size(levels_) + node_in_segment(node);
}

void StepPresenter::keep_planes(const Checked<Plane>& planes) {
  for (NodeId node{0}; node.value < std::min<std::size_t>(planes.size(), n()); ++node.value) {
    tree_[node.value] = point_of(planes[node.value].pivot);
    set_dim(node, planes[node.value].dim);
  }
}

/// Sets the dimension of a node whose pivot is in `tree`. If both exist, the node's plane is known.
void StepPresenter::set_dim(NodeId node, std::uint32_t dim) {
  const PointId pivot = tree_[node.value];
  const bool exist = pivot.value < n() && dim < original_.dim;
  const Plane plane{exist ? order(pivot, dim) : largest_order, dim};
  if (is_known(node) && planes_[node.value].pivot != plane.pivot) led_.clear();
  planes_[node.value] = plane;
}

/// Returns the dimensions of the first nodes.
std::vector<std::uint8_t> StepPresenter::dims(std::uint32_t nodes) const {
  std::vector<std::uint8_t> dims(nodes);
  for (std::uint32_t node = 0; node < nodes; ++node) dims[node] = static_cast<std::uint8_t>(planes_[node].dim);
  return dims;
}

/// Writes the points' positions and nodes, and the partition of the first `levels` levels.
void StepPresenter::add_state(StepWriter& step, int levels) const {
  step.wrote(arrays::index, index_);
  step.wrote(arrays::node, node_);
  const std::uint32_t nodes = nodes_above(levels + 1);
  std::vector<PointId> tree(tree_.begin(), tree_.begin() + nodes_above(levels));
  step.wrote(arrays::tree, tree);
  PartitionSoFar partition(original_, nodes);
  for (NodeId node{0}; node.value < nodes; ++node.value) {
    if (node.value > 0) partition.add_child(node.value, parent_of(node).value, node == right_child(parent_of(node)));
    if (level_of(node) >= levels || !is_known(node)) continue;
    const std::uint32_t point = tree_[node.value].value, dim = planes_[node.value].dim;
    partition.set_point(node.value, point);
    if (left_child(node).value < n()) partition.split(node.value, dim, original_.value(point, dim));
  }
  for (std::uint32_t p = 0; p < n(); ++p)
    if (index_[p].value < n() && node_[p] < nodes) partition.place(index_[p].value, node_[p]);
  partition.add_to(step);
}

/// Highlights the segments of a level, and the pivots above it, which keep their positions.
void StepPresenter::add_segments(StepWriter& step, int level) const {
  Highlight segments{Role::segment, Space::position, {}, {}}, settled{Role::settled, Space::position, {}, {}};
  for (NodeId node{0}; node.value < nodes_above(level + 1); ++node.value) {
    const std::uint32_t begin = in_order_begin(node, n()), at = in_order_position(node, n());
    Highlight& to = level_of(node) < level ? settled : segments;
    to.ranges.push_back(level_of(node) < level ? IndexRange{at, at + 1}
                                               : IndexRange{begin, begin + subtree_size(node, n())});
    to.nodes.push_back(node.value);
  }
  if (!settled.ranges.empty()) step.highlight(std::move(settled));
  step.highlight(std::move(segments));
}

/// Checks that the pivot of each node of a level has as many smaller points in its node as its rank says.
CheckResult StepPresenter::check_ranks(int level) {
  CheckResult f{"ranks",
                "each pivot of level " + std::to_string(level) + " has as many smaller points in its node as its rank",
                true, ""};
  std::vector<std::uint32_t> smaller(nodes_above(level + 1), 0), points(smaller);
  for (std::uint32_t i = 0; i < n(); ++i) {
    const NodeId node = lead({i}, level);
    if (level_of(node) < level || node.value >= smaller.size() || !is_known(node)) continue;
    ++points[node.value];
    smaller[node.value] += order({i}, planes_[node.value].dim) < planes_[node.value].pivot;
  }
  for (NodeId node{full_tree_size(level)}; node.value < smaller.size(); ++node.value) {
    if (!is_known(node) || points[node.value] != subtree_size(node, n()) ||
        smaller[node.value] != rank_of_pivot(node, n()))
      f.fail_at("tree", node.value, [&] {
        return "node " + std::to_string(node.value) + " has " + std::to_string(smaller[node.value]) + " smaller of " +
               std::to_string(points[node.value]) + " points, not " + std::to_string(rank_of_pivot(node, n())) +
               " of " + std::to_string(subtree_size(node, n()));
      });
  }
  return f;
}

/// Checks that the point at each position belongs to the node that owns it, by the planes of the first `levels` levels.
CheckResult StepPresenter::check_owners(int levels) {
  CheckResult f{"owners", "every point lies on its side of the planes above its node", true, ""};
  for (std::uint32_t p = 0; p < n(); ++p)
    if (index_[p].value >= n() || lead(index_[p], levels).value != node_[p])
      f.fail_at("node", p, [&] { return "position " + std::to_string(p) + " is in the wrong node"; });
  return f;
}

void StepPresenter::started(StepWriter& step) {
  step.wrote(arrays::points, coordinates_of(original_));
  index_.resize(n()), node_.assign(n(), 0), tree_.assign(n(), PointId{no_id});
  planes_.assign(n(), {largest_order, 0}), led_.clear();
  orders_.reserve(std::size_t(n()) * original_.dim);
  domain_.assign(original_.dim, no_id), domain_.resize(2 * original_.dim, 0);
  std::vector<std::uint32_t> first(n()), rank(n());
  for (NodeId i{0}; i.value < n(); ++i.value) {
    for (std::uint32_t dim = 0; dim < original_.dim; ++dim) {
      const std::uint32_t key = ordered_key(original_.word(i.value, dim), original_.type);
      orders_.push_back(order_of(key, {i.value}));
      domain_[dim] = std::min(domain_[dim], key);
      domain_[original_.dim + dim] = std::max(domain_[original_.dim + dim], key);
    }
    index_[i.value] = {i.value};
    first[i.value] = in_order_begin(i, n());
    rank[i.value] = rank_of_pivot(i, n());
    if (options_.split == Split::round_robin)
      planes_[i.value].dim = static_cast<std::uint32_t>(level_of(i)) % original_.dim;
  }
  step.wrote(arrays::first, first);
  step.wrote(arrays::rank, rank);
  if (options_.split == Split::round_robin) step.wrote(arrays::split_dim, dims(n()));
  add_state(step, 0);
  if (n() > 0) step.highlight({Role::segment, Space::position, {{0, n()}}, {0}});
}

void StepPresenter::sampled(StepWriter& step, int level, int levels, Checked<Bracket> brackets) {
  level_ = level, levels_ = levels, brackets_ = std::move(brackets);
  std::vector<double> lo(nodes_above(level + levels), open_end), hi(lo);
  for (NodeId node{full_tree_size(level)}; node.value < lo.size(); ++node.value) {
    const Bracket& bracket = brackets_[slot(node)];
    planes_[node.value].dim = static_cast<std::uint32_t>(followed(bracket.dim, original_.dim));
    const auto value = [&](Order edge) {
      return scalar_value(word_of_ordered_key(key_of(edge), original_.type), original_.type);
    };
    const Order first = bracket.edge[0], last = bracket.edge[options_.intervals];
    if (first > 0) lo[node.value] = value(first);
    if (last < largest_order) hi[node.value] = value(last);
  }
  step.wrote(arrays::bracket_lo, lo);
  step.wrote(arrays::bracket_hi, hi);
  add_segments(step, level);
  step.title() = "Bracket the pivots of " + std::to_string(levels) + (levels == 1 ? " level" : " levels") +
                 " by a sample of each segment";
}

void StepPresenter::counted(StepWriter& step, int level, const Bins& bins, Checked<std::uint32_t> counts) {
  std::vector<std::uint32_t> bin(n(), no_id), led_to(n(), no_id);
  for (std::uint32_t p = 0; p < n(); ++p) {
    if (index_[p].value >= n()) continue;
    const NodeId node = lead_by_window(index_[p], level);
    if (level_of(node) != level) continue;
    const Bracket& bracket = brackets_[slot(node)];
    const std::uint32_t there = bins.bin_of(bracket, order(index_[p], bracket.dim));
    led_to[p] = node.value;
    if (there <= bins.count()) bin[p] = there;
  }
  step.wrote(arrays::led_to, led_to);
  step.wrote(arrays::bin, bin);
  step.wrote(arrays::counts, counts);
  add_segments(step, level_);
  step.title() = "Lead every point to level " + std::to_string(level) + ", and count the bins of its bracket";
}

void StepPresenter::windowed(StepWriter& step, int level, Checked<Window> windows) {
  windows_ = std::move(windows);
  below_.resize(nodes_above(level + 1), no_id), in_window_.resize(nodes_above(level + 1), no_id);
  for (NodeId node{full_tree_size(level)}; node.value < below_.size(); ++node.value) {
    const Window& window = windows_[slot(node)];
    below_[node.value] = window.below, in_window_[node.value] = window.count;
  }
  step.wrote(arrays::below, below_);
  step.wrote(arrays::window, in_window_);
  const std::string what = "ind the bin that holds the rank of " + names_of_level(level);
  step.title() = step.title().empty() ? "F" + what : step.title() + "; f" + what;
}

void StepPresenter::listed(StepWriter& step, int level, const Checked<std::uint32_t>& listed,
                           const Checked<std::uint32_t>& list) {
  std::vector<std::uint8_t> in_window(n(), 0);
  for (NodeId node{full_tree_size(level)}; node.value < nodes_above(level + 1); ++node.value) {
    const std::uint32_t begin = in_order_begin(node, n()), length = listed[node.value - full_tree_size(level)];
    for (std::uint32_t i = 0; i < length; ++i) in_window[followed(list[begin + i], n())] = 1;
  }
  step.wrote(arrays::in_window, in_window);
  step.title() = "List the points in the window of " + names_of_level(level);
}

void StepPresenter::found_pivots(StepWriter& step, int level, Checked<Plane> planes) {
  keep_planes(planes.first(std::min<std::size_t>(planes.size(), full_tree_size(level + 1))));
  step.wrote(arrays::tree, std::vector<PointId>(tree_.begin(), tree_.begin() + nodes_above(level + 1)));
  if (options_.split == Split::widest) step.wrote(arrays::split_dim, dims(nodes_above(level + 1)));
  step.check(check_ranks(level));
  Highlight pivots{Role::pivot, Space::position, {}, {}};
  std::vector<std::uint32_t> node_of(n(), no_id);
  for (NodeId node{full_tree_size(level)}; node.value < nodes_above(level + 1); ++node.value)
    if (is_known(node)) node_of[tree_[node.value].value] = node.value;
  for (std::uint32_t p = 0; p < n(); ++p)
    if (const std::uint32_t at = index_[p].value; at < n() && node_of[at] != no_id)
      pivots.ranges.push_back({p, p + 1}), pivots.nodes.push_back(node_of[at]);
  step.highlight(std::move(pivots));
  step.title() = "Find the pivot of " + names_of_level(level) + " among the few points of its window";
}

void StepPresenter::partitioned(StepWriter& step, int level, Checked<PointId> points, Checked<Plane> planes) {
  keep_planes(planes.first(std::min<std::size_t>(planes.size(), full_tree_size(level + 1))));
  index_ = std::move(points);
  index_.resize(n());
  for (NodeId node{0}; node.value < nodes_above(level + 2); ++node.value) {
    const std::uint32_t begin = in_order_begin(node, n());
    if (level_of(node) <= level) {
      const std::uint32_t at = in_order_position(node, n());
      index_[at] = tree_[node.value], node_[at] = node.value;
    } else {
      std::fill_n(node_.begin() + begin, subtree_size(node, n()), node.value);
    }
  }
  add_state(step, level + 1);
  add_segments(step, level + 1);
  // What the round found by position no longer holds
  const std::vector<std::uint32_t> missing(n(), no_id);
  step.wrote(arrays::led_to, missing);
  step.wrote(arrays::bin, missing);
  step.wrote(arrays::in_window, std::vector<std::uint8_t>(n(), 0));
  step.check(check_permutation(index_));
  step.check(check_owners(level + 1));
  step.title() = "Move every point to its segment of level " + std::to_string(level + 1) + "; pivots stay between them";
}

void StepPresenter::finished_level(StepWriter& step, int upper, int level, const Checked<std::uint32_t>& tags) {
  // The points of a subtree stay where they are; a tag counts nodes within its subtree
  for (NodeId root{full_tree_size(upper)}; root.value < nodes_above(upper + 1); ++root.value) {
    const std::uint32_t begin = in_order_begin(root, n());
    for (std::uint32_t p = begin; p < begin + subtree_size(root, n()); ++p) {
      const NodeId tag{tags[p]};
      const int down = level_of(tag);
      if (tag.value == no_id || upper + down > 31) throw BrokenState("position " + std::to_string(p) + " has no node");
      const std::uint32_t node = ((root.value + 1) << down) - 1 + (tag.value - full_tree_size(down));
      node_[p] = static_cast<std::uint32_t>(followed(node, n()));
    }
  }
  // The blocks keep the dimensions of widest sides to themselves, so the rule is applied to the planes above
  const SplitRule rule{options_.split, original_.dim, original_.type, domain_.data()};
  const auto plane_above = [&](NodeId above) {
    if (!is_known(above)) throw BrokenState("node " + std::to_string(above.value) + " has no pivot");
    return planes_[above.value];
  };
  for (std::uint32_t p = 0; p < n(); ++p)
    if (const NodeId node{node_[p]}; node.value < nodes_above(level + 1) && level_of(node) == level) {
      tree_[node.value] = index_[p];
      set_dim(node, rule.dim_of(node, plane_above));
    }
  if (options_.split == Split::widest) step.wrote(arrays::split_dim, dims(nodes_above(level + 1)));
  add_state(step, level + 1);
  add_segments(step, upper);
  step.check(check_ranks(level));
  step.check(check_owners(level + 1));
  step.title() = "Split " + names_of_level(level) + ", each subtree in the shared memory of one block";
}

}  // namespace kdscope::rank
