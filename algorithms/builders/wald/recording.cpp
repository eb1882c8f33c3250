#include "algorithms/builders/wald/recording.hpp"

#include <algorithm>
#include <cstring>

#include "algorithms/builders/wald/arrays.hpp"
#include "algorithms/checks/left_balanced_checks.hpp"
#include "algorithms/core/level_order.hpp"
#include "algorithms/record/partition_so_far.hpp"
#include "algorithms/trees/left_balanced/layout.hpp"
#include "algorithms/trees/permutation.hpp"

namespace kdscope::wald {
/// Tags, split into node and dimension.
struct StepPresenter::Decoded {
  std::vector<std::uint32_t> node;  ///< [n]
  std::vector<std::uint8_t> dim;    ///< [n], empty for round-robin
  TagState state;
  bool sound = true;  ///< whether all indices, nodes and dimensions exist; only then can other checks follow them
};

StepPresenter::Decoded StepPresenter::decode(const DownloadedState& state) const {
  Decoded decoded;
  for (std::uint32_t tag : state.tags) {
    decoded.node.push_back(rule_.node_of(tag).value);
    if (rule_.split == Split::widest) decoded.dim.push_back(static_cast<std::uint8_t>(rule_.dim_of(tag, 0)));
  }
  decoded.state = {decoded.node, state.ids, decoded.dim, view_of(original_)};
  const std::size_t n = original_.size();
  decoded.sound = check_permutation(state.ids).passed &&
                  std::all_of(decoded.node.begin(), decoded.node.end(), [&](auto node) { return node < n; }) &&
                  std::all_of(decoded.dim.begin(), decoded.dim.end(), [&](auto dim) { return dim < rule_.k; });
  return decoded;
}

void StepPresenter::add_tags(StepWriter& step, const Decoded& decoded) const {
  step.wrote(arrays::tags, decoded.node);
  if (!decoded.dim.empty()) step.wrote(arrays::split_dim, decoded.dim);
}

void StepPresenter::add_state(StepWriter& step, const DownloadedState& state, const Decoded& decoded) const {
  add_tags(step, decoded);
  step.wrote(arrays::index, state.ids);
  step.check(check_permutation(state.ids));
  if (state.records.empty()) return;
  const std::uint32_t stride = original_.stride();
  for (std::uint32_t d = 0; d < rule_.k; ++d) {
    TypedArray column(original_.type == ScalarType::int32 ? ElementType::int32 : ElementType::float32,
                      state.ids.size());
    for (std::size_t i = 0; i < state.ids.size(); ++i)
      std::memcpy(column.bytes().data() + 4 * i, &state.records[i * stride + d], 4);
    step.wrote(arrays::record, d, column);
  }
  if (!decoded.sound) return;
  CheckResult records{"records", "each moved record is that of the index beside it", true, ""};
  for (std::size_t i = 0; i < state.ids.size(); ++i)
    if (!std::equal(state.records.begin() + i * stride, state.records.begin() + (i + 1) * stride,
                    original_.words.begin() + std::size_t(state.ids[i].value) * stride))
      records.fail_at("index", i, [&] {
        return "position " + std::to_string(i) + " does not hold the record of point " +
               std::to_string(state.ids[i].value);
      });
  step.check(std::move(records));
}

/// Writes the standard partition: nodes [0, nodes), of which [0, settled) hold a point and split their box.
void StepPresenter::add_partition(StepWriter& step, const Decoded& decoded, std::uint32_t settled,
                                  std::uint32_t nodes) const {
  if (!decoded.sound) return;
  const std::uint32_t n = static_cast<std::uint32_t>(original_.size()), k = original_.dim;
  PartitionSoFar partition(original_, nodes);
  std::vector<std::uint8_t> dim_of_node(nodes, 0);
  for (std::uint32_t i = 0; i < n; ++i) {
    const std::uint32_t point = decoded.state.point_of_position[i].value, node = decoded.node[i];
    partition.place(point, node);
    if (node < settled) partition.set_point(node, point);
    if (node < nodes && !decoded.dim.empty()) dim_of_node[node] = decoded.dim[i];
  }
  for (NodeId node{0}; node.value < nodes; ++node.value) {
    if (node.value > 0) partition.add_child(node.value, parent_of(node).value, node != left_child(parent_of(node)));
    const std::uint32_t point = partition.stored(node.value);
    if (node.value >= settled || point == no_id || left_child(node).value >= n) continue;
    const std::uint32_t dim =
        decoded.dim.empty() ? static_cast<std::uint32_t>(level_of(node)) % k : dim_of_node[node.value];
    partition.split(node.value, dim, original_.value(point, dim));
  }
  partition.add_to(step);
}

/// Adds the checks of observation 3.2 and of the kd-order. They follow indices and dimensions, so both must exist;
/// other checks report those that do not.
void StepPresenter::add_order_checks(StepWriter& step, const Decoded& decoded, int level, std::uint32_t settled) const {
  if (!decoded.sound) return;
  step.check(check_observation_3_2(decoded.state, level));
  step.check(check_kd_order_of_prefix(decoded.state, settled));
}

void StepPresenter::add_segments(StepWriter& step, int level) const {
  const std::uint32_t n = static_cast<std::uint32_t>(original_.size()), settled = std::min(n, full_tree_size(level));
  Highlight segments{Role::segment, Space::position, {}, {}}, pivots{Role::pivot, Space::position, {}, {}};
  for (NodeId s{settled}; s.value < std::min(n, full_tree_size(level + 1)); ++s.value) {
    const std::uint32_t begin = segment_begin(s, n), pivot = pivot_position(s, n);
    segments.ranges.push_back({begin, begin + subtree_size(s, n)});
    pivots.ranges.push_back({pivot, pivot + 1});
    segments.nodes.push_back(s.value);
    pivots.nodes.push_back(s.value);
  }
  if (settled > 0) step.highlight({Role::settled, Space::position, {{0, settled}}, {}});
  step.highlight(std::move(segments));
  step.highlight(std::move(pivots));
}

void StepPresenter::initialised(StepWriter& step, const DownloadedState& state) const {
  const std::uint32_t n = static_cast<std::uint32_t>(original_.size());
  step.wrote(arrays::points, coordinates_of(original_));

  const Decoded decoded = decode(state);
  add_state(step, state, decoded);
  add_partition(step, decoded, 0, std::min(n, 1u));
  step.check(check_tags_in_range(decoded.state, 0));
  if (n > 0) step.highlight({Role::segment, Space::position, {{0, n}}, {0}});
  step.title() = "Give every point the tag 0: all of them are in the root's subtree";
}

void StepPresenter::ranked(StepWriter& step, const std::vector<std::uint32_t>& rank) const {
  const std::size_t n = original_.size(), k = original_.dim;
  std::vector<std::uint32_t> by_point(rank.size());
  for (std::size_t d = 0; d < k; ++d)
    for (std::size_t i = 0; i < n; ++i) by_point[i * k + d] = rank[d * n + i];
  step.wrote(arrays::rank, by_point);
  for (std::size_t d = 0; d < k; ++d) {
    std::vector<PointId> places(n);
    for (std::size_t i = 0; i < n; ++i) places[i] = {rank[d * n + i]};
    CheckResult f = check_permutation(places, "rank");
    f.name = "ranks in " + coordinate_name(static_cast<std::uint32_t>(d), rule_.k);
    f.statement = "the ranks are 0 to n-1, each once";
    step.check(std::move(f));
  }
  step.title() = "Rank every coordinate once: equal ones by original index, so that no two keys are equal";
}

void StepPresenter::sorted(StepWriter& step, const DownloadedState& state, int level) const {
  const Decoded decoded = decode(state);
  add_state(step, state, decoded);
  add_segments(step, level);
  step.check(check_tags_in_range(decoded.state, level));
  step.check(check_observation_3_1(decoded.state, level));
  add_order_checks(step, decoded, level, std::min(decoded.state.points.n, full_tree_size(level)));
  step.title() = "Sort by tag, points of one tag by " +
                 (rule_.split == Split::widest ? "the widest side of their subtree"
                                               : coordinate_name(static_cast<std::uint32_t>(level) % rule_.k, rule_.k));
}

void StepPresenter::updated(StepWriter& step, const DownloadedState& state, int level) const {
  const std::uint32_t n = static_cast<std::uint32_t>(original_.size());
  const Decoded decoded = decode(state);
  add_tags(step, decoded);
  step.check(check_permutation(state.ids));
  add_segments(step, level);
  add_partition(step, decoded, std::min(n, full_tree_size(level + 1)), std::min(n, full_tree_size(level + 2)));
  step.check(check_tags_in_range(decoded.state, level + 1));
  step.check(check_observation_3_1(decoded.state, level + 1));
  step.title() = "Update tags: left of the pivot to the left child, right of it to the right child";
}

void StepPresenter::finished(StepWriter& step, const DownloadedState& state) const {
  const std::uint32_t n = static_cast<std::uint32_t>(original_.size());
  const Decoded decoded = decode(state);
  add_state(step, state, decoded);
  add_partition(step, decoded, n, n);
  step.check(check_observation_3_1(decoded.state, num_levels(n)));
  add_order_checks(step, decoded, num_levels(n), n);
  if (n > 0) step.highlight({Role::settled, Space::position, {{0, n}}, {}});
  step.title() = "Sort by tag once more: the array is the tree";
}

}  // namespace kdscope::wald
