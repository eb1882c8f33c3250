#include "algorithms/builders/zhou/recording.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>

#include "algorithms/builders/zhou/arrays.hpp"
#include "algorithms/builders/zhou/recording_parts.hpp"
#include "algorithms/builders/zhou/step_checks.hpp"

namespace kdscope::zhou {

StepPresenter::StepPresenter(PointSet points, Ids triangles, const ZhouOptions& options)
    : points_(std::move(points)),
      triangles_(std::move(triangles)),
      options_(options),
      node_of_point_(points_.size(), 0) {}

StepPresenter::Ids StepPresenter::range(std::uint32_t begin, std::uint32_t count) {
  Ids ids(count);
  std::iota(ids.begin(), ids.end(), begin);
  return ids;
}

std::string StepPresenter::primitives(std::size_t count) const {
  return triangles_.empty() ? count_text(count, "point", "points") : count_text(count, "triangle", "triangles");
}

void StepPresenter::add_nodes(StepWriter& step) const {
  const std::uint32_t m = nodes_.size();
  Checked<double> value(m, no_number);
  for (std::uint32_t i = 0; i < m; ++i)
    if (nodes_.split_dim[i] != no_id) value[i] = nodes_.split_value[i];
  step.wrote(arrays::left_child, nodes_.left_child);
  step.wrote(arrays::split_dim, nodes_.split_dim);
  step.wrote(arrays::split_value, value);
  step.wrote(arrays::count, nodes_.count);
  step.wrote(arrays::depth, nodes_.depth);
  step.wrote(arrays::set, nodes_.set);
}

/// Writes the standard partition with the volumes as they are cut. A vertex belongs to the deepest node around it.
void StepPresenter::add_partition(StepWriter& step) {
  const std::uint32_t m = nodes_.size(), k = points_.dim;
  Ids parent(m, no_id), point(m, no_id);
  Checked<double> value(m), box, tight(std::size_t(m) * 2 * k, no_number);
  Checked<std::uint8_t> leaf;
  tight_of_node_.resize(m, empty_box());
  for (std::uint32_t i = 0; i < m; ++i) {
    if (nodes_.split_dim[i] != no_id) {
      value[i] = nodes_.split_value[i];
      parent[child_of(i)] = parent[child_of(i) + 1] = i;
    }
    for (std::uint32_t d = 0; d < k; ++d) box.push_back(nodes_.volume[i].lo[d]);
    for (std::uint32_t d = 0; d < k; ++d) box.push_back(nodes_.volume[i].hi[d]);
    leaf.push_back(i < leaf_.size() ? leaf_[i] : 0);
    for (std::uint32_t d = 0; d < k && tight_of_node_[i].lo[0] <= tight_of_node_[i].hi[0]; ++d)
      tight[std::size_t(i) * 2 * k + d] = tight_of_node_[i].lo[d],
                                     tight[std::size_t(i) * 2 * k + k + d] = tight_of_node_[i].hi[d];
  }
  for (std::uint32_t p = 0; p < n(); ++p)
    for (std::uint32_t& node = node_of_point_[p]; nodes_.left_child[node] != no_id && nodes_.left_child[node] + 1 < m;)
      node =
          child_of(node) +
          (goes_left(float_coordinate(points_.word(p, static_cast<std::uint32_t>(followed(nodes_.split_dim[node], k))),
                                      points_.type),
                     nodes_.split_value[node])
               ? 0
               : 1);
  // Compute the boxes of leaves here, because the small node stage does not need them. For points they follow from the
  // points.
  for (std::uint32_t p = 0; p < n() && triangles_.empty(); ++p) {
    const std::uint32_t node = node_of_point_[p];
    for (std::uint32_t d = 0; d < k && leaf[node]; ++d) {
      double &lo = tight[std::size_t(node) * 2 * k + d], &hi = tight[std::size_t(node) * 2 * k + k + d];
      lo = std::fmin(lo, points_.value(p, d)), hi = std::fmax(hi, points_.value(p, d));
    }
  }
  step.wrote(arrays::partition::parent, parent);
  step.wrote(arrays::partition::split_dim, nodes_.split_dim);
  step.wrote(arrays::partition::split_value, value);
  step.wrote(arrays::partition::box, box);
  step.wrote(arrays::partition::tight_box, tight);
  step.wrote(arrays::partition::leaf, leaf);
  if (!triangles_.empty()) step.wrote(arrays::partition::count, nodes_.count);
  step.wrote(arrays::partition::point, point);
  step.wrote(arrays::partition::node_of_point, node_of_point_);
}

void StepPresenter::boxed(StepWriter& step, const Checked<Box3>& boxes) {
  step.wrote(arrays::points, coordinates_of(points_));
  step.wrote(arrays::aabb, sides_of(boxes, points_.dim));
  step.title() = "The box of each of " + primitives(boxes.size());
}

void StepPresenter::rooted(StepWriter& step, NodeList nodes, double radius) {
  radius_ = radius;
  nodes_ = std::move(nodes);
  leaf_.assign(1, 0);
  add_nodes(step);
  add_partition(step);
  step.title() = "The root holds " + primitives(nodes_.count[0]) +
                 (nodes_.count[0] <= options_.rules.small ? ": it is small" : "");
}

void StepPresenter::candidates(StepWriter& step, std::uint32_t of_primitive, const Ids& roots, Ids kept,
                               Checked<Box3> box, Checked<SplitSets> sets) {
  of_primitive_ = of_primitive, kept_ = std::move(kept), kept_box_ = std::move(box), sets_ = std::move(sets);
  const std::size_t all = sets_.size();
  Ids node(all, no_id), primitive(all, no_id), dim(all, no_id);
  Checked<double> value(all, no_number);
  Checked<std::uint64_t> left(all), right(all);
  CheckResult f{"split sets", "each primitive of a small root is on one side of a candidate at least, as its box says",
                true, ""};
  std::size_t there = 0;
  constexpr std::size_t bits = 64;  // bits per set
  for (const std::uint32_t root : roots)
    for (std::uint32_t t = 0; t < followed(nodes_.count[root], bits + 1); ++t)
      for (std::uint32_t c = 0; c < of_primitive; ++c, ++there) {
        const std::size_t r = nodes_.first[root] + t, i = r * of_primitive + c;
        const SplitPlane plane = plane_of(i);
        node[i] = root, primitive[i] = kept_[r], dim[i] = plane.dim, value[i] = plane.value, left[i] = sets_[i].left,
        right[i] = sets_[i].right;
        for (std::uint32_t other = 0; other < nodes_.count[root]; ++other) {
          const Box3& b = kept_box_[nodes_.first[root] + other];
          const bool in_left = left[i] >> other & 1, in_right = right[i] >> other & 1;
          if (in_left != goes_left(b.lo[plane.dim], plane.value) ||
              in_right != goes_right(b.lo[plane.dim], b.hi[plane.dim], plane.value))
            f.fail("candidate " + std::to_string(i));
        }
      }
  step.wrote(arrays::small_root, roots);
  add_kept(step, kept_);
  step.wrote(arrays::kept_box, sides_of(kept_box_, points_.dim));
  step.wrote(arrays::candidate_root, node);
  step.wrote(arrays::candidate_primitive, primitive);
  step.wrote(arrays::candidate_dim, dim);
  step.wrote(arrays::candidate_value, value);
  step.wrote(arrays::candidate_left, left);
  step.wrote(arrays::candidate_right, right);
  step.check(std::move(f));
  step.title() = count_text(there, "split candidate", "split candidates") + " of " +
                 count_text(roots.size(), "small root", "small roots") + ", with the sets on either side";
}

double StepPresenter::measure_of(const Box3& volume) const {
  return triangles_.empty() && of_primitive_ == PointPositions::of_primitive
             ? VoxelVolumeCost{0, radius_, points_.dim}.measure(volume)
             : SurfaceAreaCost{}.measure(volume);
}

SplitPlane StepPresenter::plane_of(std::size_t candidate) const {
  const Box3& box = kept_box_[candidate / of_primitive_];
  const auto c = static_cast<std::uint32_t>(candidate % of_primitive_);
  return of_primitive_ == BoxFaces::of_primitive ? BoxFaces::plane(box, c) : PointPositions::plane(box, c);
}

void StepPresenter::evaluated(StepWriter& step, NodeList nodes, Ids level, Ids choice, const Checked<double>& costs) {
  nodes_ = std::move(nodes);
  const std::size_t row = 64 * std::size_t(of_primitive_);
  Ids node, candidate, chosen(nodes_.size(), no_id);
  Checked<double> cost, leaf_cost(nodes_.size(), no_number);
  std::size_t leaves = 0;
  CheckResult f{"choice", "the chosen candidate costs least, and less than a leaf", true, ""};
  for (std::size_t i = 0; i < level.size(); ++i) {
    const double measure = measure_of(nodes_.volume[level[i]]), leaf = nodes_.count[level[i]];
    const std::size_t begin = cost.size(), first = std::size_t(nodes_.first[level[i]]) * of_primitive_;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t c = 0; c < row; ++c) {
      if (std::isnan(costs[i * row + c])) continue;
      node.push_back(level[i]);
      candidate.push_back(static_cast<std::uint32_t>(first + c));
      cost.push_back(costs[i * row + c] / measure);
      least = std::min(least, costs[i * row + c]);
    }
    // Order the candidates along each dimension for a curve.
    Checked<std::size_t> order(cost.size() - begin);
    std::iota(order.begin(), order.end(), begin);
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      const SplitPlane p = plane_of(candidate[a]), q = plane_of(candidate[b]);
      return p.dim != q.dim ? p.dim < q.dim : p.value < q.value;
    });
    const Ids unordered(candidate.begin() + std::ptrdiff_t(begin), candidate.end());
    const Checked<double> costs_before(cost.begin() + std::ptrdiff_t(begin), cost.end());
    for (std::size_t j = 0; j < order.size(); ++j)
      candidate[begin + j] = unordered[order[j] - begin], cost[begin + j] = costs_before[order[j] - begin];
    chosen[level[i]] = choice[i];
    leaf_cost[level[i]] = leaf;
    if (choice[i] == no_id) {
      ++leaves;
      leaf_[level[i]] = 1;
      if (least < leaf * measure && !nodes_.bounded[level[i]])
        f.fail("node " + std::to_string(level[i]) + " is a leaf, a split costs less");
    } else if (costs[i * row + choice[i] - first] != least || !(least < leaf * measure))
      f.fail("node " + std::to_string(level[i]));
  }
  step.wrote(arrays::cost_node, node);
  step.wrote(arrays::cost_candidate, candidate);
  step.wrote(arrays::cost, cost);
  step.wrote(arrays::leaf_cost, leaf_cost);
  step.wrote(arrays::choice, chosen);
  add_nodes(step);
  add_partition(step);
  step.check(std::move(f));
  step.title() = count_text(cost.size(), "cost", "costs") + " for " + count_text(level.size(), "node", "nodes") + ": " +
                 grouped(level.size() - leaves) + " to split, " + count_text(leaves, "leaf", "leaves");
}

void StepPresenter::split_small(StepWriter& step, NodeList nodes, std::uint32_t begin) {
  nodes_ = std::move(nodes);
  leaf_.clear();
  for (std::uint32_t i = 0; i < nodes_.size(); ++i) leaf_.push_back(i < begin && nodes_.left_child[i] == no_id);
  add_nodes(step);
  add_partition(step);
  step.check(check_sets(nodes_, begin));
  step.title() = nodes_.size() == begin
                     ? "No node is split: all are leaves"
                     : "Nodes " + std::to_string(begin) + " to " + std::to_string(nodes_.size() - 1) +
                           ": a set is its parent's AND a side of the candidate";
}

void StepPresenter::add_extents(StepWriter& step, const ArrayDef<std::uint32_t>& nodes,
                                const ArrayDef<std::uint32_t>& references,
                                const Checked<std::uint64_t>& extents) const {
  Ids of_nodes, of_primitives;
  for (std::size_t i = 0; i < extents.size(); ++i) {
    of_nodes.push_back(known_[i] ? static_cast<std::uint32_t>(extents[i]) : no_id);
    of_primitives.push_back(known_[i] ? static_cast<std::uint32_t>(extents[i] >> 32) : no_id);
  }
  step.wrote(nodes, of_nodes);
  step.wrote(references, of_primitives);
}

void StepPresenter::sized(StepWriter& step, NodeList nodes, const Checked<std::uint64_t>& size, const Ids& done) {
  const bool leaves = done.empty();
  if (leaves) {
    nodes_ = std::move(nodes);
    known_.clear();
    for (const std::uint32_t left : nodes_.left_child) known_.push_back(left == no_id);
  }
  Highlight wrote{Role::write, Space::node, {}, {}};
  // Follow the cuts of a large node, which lie between it and its halves.
  constexpr int deepest = 1000;  // depths are bytes
  const auto learn = [&](auto& self, std::uint32_t node, int depth) -> void {
    if (known_[node]) return;
    if (depth == deepest) throw BrokenState("node " + std::to_string(node) + " is deeper than any tree");
    self(self, child_of(node), depth + 1), self(self, child_of(node) + 1, depth + 1);
    known_[node] = true;
    wrote.ranges.push_back({node, node + 1});
  };
  for (const std::uint32_t node : done) learn(learn, node, 0);
  add_extents(step, arrays::size, arrays::size_references, size);
  std::sort(wrote.ranges.begin(), wrote.ranges.end(),
            [](const IndexRange& a, const IndexRange& b) { return a.begin < b.begin; });
  step.title() = leaves ? "A leaf takes one place, and its " + std::string(triangles_.empty() ? "points" : "triangles")
                 : wrote.ranges.empty()
                     ? "No size to add up: all nodes of this pass are leaves"
                     : "Sizes of " + count_text(wrote.ranges.size(), "node", "nodes") + " from those below";
  if (!wrote.ranges.empty()) step.highlight(std::move(wrote));
  step.check(check_sizes(nodes_, size, known_));
  size_ = size;
}

void StepPresenter::addressed(StepWriter& step, const Checked<std::uint64_t>& address, const Ids& done,
                              const Ids& pairs) {
  if (done.empty()) {
    known_.assign(address.size(), false);
    known_[0] = true;
  }
  Highlight wrote{Role::write, Space::node, {}, {}};
  CheckResult f{"addresses", "a left child follows its parent, a right one the left one's subtree", true, ""};
  for (std::size_t i = 0; i < done.size(); ++i) {
    std::uint32_t node = done[i], left = nodes_.left_child[node];
    for (std::uint32_t pair = left == no_id ? pairs[i] : 0; pair < pairs[i]; ++pair, left += 2) {
      known_[left] = known_[left + 1] = true;
      wrote.ranges.push_back({left, left + 2ull});
      if (address[left] != address[node] + 1 || address[left + 1] != address[left] + size_[left])
        f.fail("children of node " + std::to_string(node));
      node = nodes_.left_child[left] == left + 2 ? left : left + 1;
    }
  }
  add_extents(step, arrays::address, arrays::address_references, address);
  address_ = address;
  step.check(std::move(f));
  step.title() = done.empty()
                     ? "The tree takes " + count_text(static_cast<std::uint32_t>(size_[0]), "place", "places") +
                           ", its leaves list " + primitives(size_[0] >> 32) + "; the root is first"
                     : "Addresses of " + count_text(2 * wrote.ranges.size(), "child", "children");
  std::sort(wrote.ranges.begin(), wrote.ranges.end(),
            [](const IndexRange& l, const IndexRange& r) { return l.begin < r.begin; });
  if (!wrote.ranges.empty()) step.highlight(std::move(wrote));
}

void StepPresenter::stored(StepWriter& step, SplitPlaneTree tree) {
  const std::uint32_t m = tree.size();
  Checked<double> value(m, no_number);
  TypedArray box(points_.type == ScalarType::int32 ? ElementType::int32 : ElementType::float32, tree.box.size());
  if (!tree.box.empty()) std::memcpy(box.bytes().data(), tree.box.data(), box.bytes().size());
  for (std::uint32_t i = 0; i < m; ++i)
    if (!tree.is_leaf(i)) value[i] = scalar_value(tree.split_value[i], points_.type);
  Ids node(m, no_id);
  for (std::uint32_t i = 0; i < address_.size(); ++i)
    if (const auto at = static_cast<std::uint32_t>(address_[i]); at < m) node[at] = i;
  step.wrote(arrays::tree_node, node);
  step.wrote(arrays::tree_parent, tree.parent);
  step.wrote(arrays::tree_right_child, tree.right_child);
  step.wrote(arrays::tree_split_dim, tree.split_dim);
  step.wrote(arrays::tree_split_value, value);
  step.wrote(arrays::tree_first, tree.first);
  step.wrote(arrays::tree_count, tree.count);
  step.wrote(arrays::tree_box, std::move(box));
  step.wrote(arrays::tree_references, tree.primitive_of_position);
  step.wrote(arrays::tree_bounded, Ids{tree.depth_bounded});
  step.title() =
      "The tree in pre-order: " + count_text(m, "node", "nodes") +
      (tree.depth_bounded == 0 ? "" : "; " + count_text(tree.depth_bounded, "leaf", "leaves") + " only by a bound");
}

}  // namespace kdscope::zhou
