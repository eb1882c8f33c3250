#include "algorithms/builders/wald/recording.hpp"

#include <algorithm>

namespace kdscope::wald {
namespace {

/// x, y, z, w up to four dimensions; x0, x1, ... beyond.
std::string coordinate_name(std::uint32_t dim, std::uint32_t k) {
  static constexpr const char* letters[] = {"x", "y", "z", "w"};
  return k <= 4 ? letters[dim] : "x" + std::to_string(dim);
}

}  // namespace

/// Tags taken apart.
struct Recording::Decoded {
  std::vector<std::uint32_t> node;   ///< [n]
  std::vector<std::uint8_t> dim;     ///< [n], empty for round-robin
  TagState state;
  bool sound = true;                 ///< indices, nodes and dimensions exist, so that other checks may follow them
};

Recording::Decoded Recording::decode(const DownloadedState& state) const {
  Decoded decoded;
  for (std::uint32_t tag : state.tags) {
    decoded.node.push_back(rule_.node_of(tag).value);
    if (rule_.split == Split::widest) decoded.dim.push_back(static_cast<std::uint8_t>(rule_.dim_of(tag, 0)));
  }
  decoded.state = {decoded.node, state.ids, decoded.dim, view_of(original_)};
  const std::size_t n = original_.size();
  decoded.sound = check_permutation(state.ids).passed && std::all_of(decoded.node.begin(), decoded.node.end(), [&](auto node) { return node < n; }) &&
                  std::all_of(decoded.dim.begin(), decoded.dim.end(), [&](auto dim) { return dim < rule_.k; });
  return decoded;
}

void Recording::add_state(StepReport& report, const DownloadedState& state, const Decoded& decoded) const {
  std::vector<std::uint32_t> index;
  for (PointId id : state.ids) index.push_back(id.value);
  report.arrays.emplace_back("tags", TypedArray::of(decoded.node));
  report.arrays.emplace_back("index", TypedArray::of(index));
  if (!decoded.dim.empty()) report.arrays.emplace_back("split_dim", TypedArray::of(decoded.dim));
  report.checks.push_back(check_permutation(state.ids));
  if (state.records.empty() || !decoded.sound) return;
  Finding records{"records", "each moved record is that of the index beside it", true, ""};
  const std::uint32_t stride = original_.stride();
  for (std::size_t i = 0; i < index.size() && records.passed; ++i)
    if (!std::equal(state.records.begin() + i * stride, state.records.begin() + (i + 1) * stride, original_.words.begin() + std::size_t(index[i]) * stride))
      records.fail("position " + std::to_string(i) + " does not hold the record of point " + std::to_string(index[i]));
  report.checks.push_back(std::move(records));
}

/// The standard partition: nodes [0, nodes), of which [0, settled) hold a point and split their box.
void Recording::add_partition(StepReport& report, const Decoded& decoded, std::uint32_t settled, std::uint32_t nodes) const {
  if (!decoded.sound) return;
  const std::uint32_t n = static_cast<std::uint32_t>(original_.size()), k = original_.dim;
  std::vector<std::uint32_t> parent(nodes, no_id), point(nodes, no_id), node_of_point(n);
  std::vector<std::uint8_t> split_dim(nodes, 255);
  std::vector<double> split_value(nodes, 0.0), box(std::size_t(nodes) * 2 * k, 0.0);
  for (std::uint32_t i = 0; i < n; ++i) {
    node_of_point[decoded.state.point_of_position[i].value] = decoded.node[i];
    if (decoded.node[i] < settled) point[decoded.node[i]] = decoded.state.point_of_position[i].value;
  }
  std::vector<std::uint8_t> dim_of_node(nodes, 0);
  for (std::uint32_t i = 0; i < n && !decoded.dim.empty(); ++i)
    if (decoded.node[i] < nodes) dim_of_node[decoded.node[i]] = decoded.dim[i];
  const Box domain = bounding_box(original_);
  for (std::uint32_t i = 0; i < nodes; ++i) {
    double* lo = box.data() + std::size_t(i) * 2 * k;
    if (i == 0) {
      std::copy(domain.lo.begin(), domain.lo.end(), lo);
      std::copy(domain.hi.begin(), domain.hi.end(), lo + k);
    } else {
      const std::uint32_t above = parent_of(NodeId{i}).value;
      parent[i] = above;
      std::copy_n(box.data() + std::size_t(above) * 2 * k, 2 * k, lo);
      if (split_dim[above] != 255) lo[split_dim[above] + (i == left_child(NodeId{above}).value ? k : 0)] = split_value[above];
    }
    if (i >= settled || point[i] == no_id || left_child(NodeId{i}).value >= n) continue;
    split_dim[i] = static_cast<std::uint8_t>(decoded.dim.empty() ? static_cast<std::uint32_t>(level_of(NodeId{i})) % k : dim_of_node[i]);
    split_value[i] = original_.value(point[i], split_dim[i]);
  }
  report.arrays.emplace_back(partition_arrays::parent, TypedArray::of(parent));
  report.arrays.emplace_back(partition_arrays::split_dim, TypedArray::of(split_dim));
  report.arrays.emplace_back(partition_arrays::split_value, TypedArray::of(split_value));
  report.arrays.emplace_back(partition_arrays::box, TypedArray::of(box));
  report.arrays.emplace_back(partition_arrays::point, TypedArray::of(point));
  report.arrays.emplace_back(partition_arrays::node_of_point, TypedArray::of(node_of_point));
}

/// Observation 3.2 and kd-order follow indices and dimensions, so both must exist; what does not is reported elsewhere.
void Recording::add_order_checks(StepReport& report, const Decoded& decoded, int level, std::uint32_t settled) const {
  if (!decoded.sound) return;
  report.checks.push_back(check_observation_3_2(decoded.state, level));
  report.checks.push_back(check_kd_order_of_prefix(decoded.state, settled));
}

void Recording::add_segments(StepReport& report, int level) const {
  const std::uint32_t n = static_cast<std::uint32_t>(original_.size()), settled = std::min(n, full_tree_size(level));
  Highlight segments{Role::segment, Space::position, {}, {}}, pivots{Role::pivot, Space::position, {}, {}};
  for (NodeId s{settled}; s.value < std::min(n, full_tree_size(level + 1)); ++s.value) {
    const std::uint32_t begin = segment_begin(s, n), pivot = pivot_position(s, n);
    segments.ranges.push_back({begin, begin + subtree_size(s, n)});
    pivots.ranges.push_back({pivot, pivot + 1});
    segments.nodes.push_back(s.value);
    pivots.nodes.push_back(s.value);
  }
  if (settled > 0) report.highlights.push_back({Role::settled, Space::position, {{0, settled}}, {}});
  report.highlights.push_back(std::move(segments));
  report.highlights.push_back(std::move(pivots));
}

StepReport Recording::initialised(const DownloadedState& state) const {
  StepReport report;
  const std::uint32_t n = static_cast<std::uint32_t>(original_.size());
  std::vector<std::uint32_t> coordinates;
  for (std::uint32_t i = 0; i < n; ++i)
    for (std::uint32_t d = 0; d < original_.dim; ++d) coordinates.push_back(original_.word(i, d));
  TypedArray points(original_.type == ScalarType::int32 ? ElementType::int32 : ElementType::float32, coordinates.size());
  std::copy_n(reinterpret_cast<const std::byte*>(coordinates.data()), points.bytes().size(), points.bytes().begin());
  report.arrays.emplace_back(points_array, std::move(points));

  const Decoded decoded = decode(state);
  add_state(report, state, decoded);
  add_partition(report, decoded, 0, std::min(n, 1u));
  report.checks.push_back(check_tags_in_range(decoded.state, 0));
  if (n > 0) report.highlights.push_back({Role::segment, Space::position, {{0, n}}, {0}});
  report.title = "Give every point the tag 0: all of them are in the root's sub-tree";
  return report;
}

StepReport Recording::ranked(const std::vector<std::uint32_t>& rank) const {
  StepReport report;
  const std::size_t n = original_.size(), k = original_.dim;
  std::vector<std::uint32_t> by_point(rank.size());
  for (std::size_t d = 0; d < k; ++d)
    for (std::size_t i = 0; i < n; ++i) by_point[i * k + d] = rank[d * n + i];
  report.arrays.emplace_back("rank", TypedArray::of(by_point));
  for (std::size_t d = 0; d < k; ++d) {
    std::vector<PointId> places(n);
    for (std::size_t i = 0; i < n; ++i) places[i] = {rank[d * n + i]};
    Finding f = check_permutation(places);
    f.check = "ranks in " + coordinate_name(static_cast<std::uint32_t>(d), rule_.k);
    f.statement = "the ranks are 0 to n-1, each once";
    report.checks.push_back(std::move(f));
  }
  report.title = "Rank every coordinate once: equal ones by original index, so that no two keys are equal";
  return report;
}

StepReport Recording::sorted(const DownloadedState& state, int level) const {
  StepReport report;
  const Decoded decoded = decode(state);
  add_state(report, state, decoded);
  add_segments(report, level);
  report.checks.push_back(check_tags_in_range(decoded.state, level));
  report.checks.push_back(check_observation_3_1(decoded.state, level));
  add_order_checks(report, decoded, level, std::min(decoded.state.points.n, full_tree_size(level)));
  report.title = "Sort by tag, points of one tag by " +
                 (rule_.split == Split::widest ? "the widest side of their sub-tree" : coordinate_name(static_cast<std::uint32_t>(level) % rule_.k, rule_.k));
  return report;
}

StepReport Recording::updated(const DownloadedState& state, int level) const {
  StepReport report;
  const std::uint32_t n = static_cast<std::uint32_t>(original_.size());
  const Decoded decoded = decode(state);
  add_state(report, state, decoded);
  add_segments(report, level);
  add_partition(report, decoded, std::min(n, full_tree_size(level + 1)), std::min(n, full_tree_size(level + 2)));
  report.checks.push_back(check_tags_in_range(decoded.state, level + 1));
  report.checks.push_back(check_observation_3_1(decoded.state, level + 1));
  report.title = "Update tags: left of the pivot to the left child, right of it to the right child";
  return report;
}

StepReport Recording::finished(const DownloadedState& state) const {
  StepReport report;
  const std::uint32_t n = static_cast<std::uint32_t>(original_.size());
  const Decoded decoded = decode(state);
  add_state(report, state, decoded);
  add_partition(report, decoded, n, n);
  report.checks.push_back(check_observation_3_1(decoded.state, num_levels(n)));
  add_order_checks(report, decoded, num_levels(n), n);
  if (n > 0) report.highlights.push_back({Role::settled, Space::position, {{0, n}}, {}});
  report.title = "Sort by tag once more: the array is the tree";
  return report;
}

std::vector<ArrayInfo> Recording::arrays(const TraceHeader& header, bool with_ranks, bool with_split_dim) {
  const ElementType coordinate = header.scalar == ScalarType::int32 ? ElementType::int32 : ElementType::float32;
  std::vector<ArrayInfo> infos;
  const auto add = [&](const char* name, ElementType type, Space index, Space value, std::uint32_t components, bool row) -> ArrayInfo& {
    infos.push_back({name, name, type, index, value, components, {}, row, {}});
    return infos.back();
  };
  const auto add_rows = [&](const char* source, const std::string& label, ElementType type, Space value) {
    for (std::uint32_t d = 0; d < header.dim; ++d) {
      const std::string name = label + "[i]." + coordinate_name(d, header.dim);
      infos.push_back({name, name, type, Space::position, value, 1, {}, true, Gather{source, "index", d}});
    }
  };
  add("tags", ElementType::uint32, Space::position, Space::node, 1, true);
  if (with_split_dim) add("split_dim", ElementType::uint8, Space::position, Space::dimension, 1, true);
  add(points_array, coordinate, Space::point, Space::coordinate, header.dim, false).dimension_names = {"point", "dimension"};
  add_rows(points_array, "data", coordinate, Space::coordinate);
  add("index", ElementType::uint32, Space::position, Space::point, 1, true);
  if (with_ranks) {
    add("rank", ElementType::uint32, Space::point, Space::key, header.dim, false).dimension_names = {"point", "dimension"};
    add_rows("rank", "rank", ElementType::uint32, Space::key);
  }
  add(partition_arrays::parent, ElementType::uint32, Space::node, Space::node, 1, false);
  add(partition_arrays::split_dim, ElementType::uint8, Space::node, Space::dimension, 1, false);
  add(partition_arrays::split_value, ElementType::float64, Space::node, Space::split_value, 1, false);
  add(partition_arrays::box, ElementType::float64, Space::node, Space::coordinate, 2 * header.dim, false).dimension_names = {"node", "side"};
  add(partition_arrays::point, ElementType::uint32, Space::node, Space::point, 1, false);
  add(partition_arrays::node_of_point, ElementType::uint32, Space::point, Space::node, 1, false);
  return infos;
}

}  // namespace kdscope::wald
