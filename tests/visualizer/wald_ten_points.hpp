#pragma once
// The ten points of Wald 2023, §5, as a hand-written trace, so that views can be tested without a builder.

#include <memory>
#include <vector>

#include "algorithms/core/level_order.hpp"
#include "algorithms/trace/trace.hpp"
#include "algorithms/trees/left_balanced/layout.hpp"
#include "tests/trace/hand_made_traces.hpp"

namespace kdscope {

/// A state printed in §5: the node in each position's tag, and the order of the points (numbered as in the input).
struct PrintedState {
  const char* phase;
  const char* name;
  int level;
  std::vector<std::uint32_t> tags, index;
  std::uint32_t settled;  ///< number of nodes that hold their point
};

inline const std::vector<std::int32_t>& ten_points() {
  // In the order after the first sort, so that point i has rank i in x.
  static const std::vector<std::int32_t> xy{10, 15, 15, 43, 25, 54, 40, 33, 44, 58,
                                            45, 40, 46, 63, 53, 67, 62, 69, 68, 21};
  return xy;
}

inline const std::vector<PrintedState>& printed_states() {
  static const std::vector<PrintedState> states{
      {"level 0", "sort", 0, {0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, 0},
      {"level 0", "update tags", 0, {1, 1, 1, 1, 1, 1, 0, 2, 2, 2}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, 1},
      {"level 1", "sort", 1, {0, 1, 1, 1, 1, 1, 1, 2, 2, 2}, {6, 0, 3, 5, 1, 2, 4, 9, 7, 8}, 1},
      {"level 1", "update tags", 1, {0, 3, 3, 3, 1, 4, 4, 5, 2, 6}, {6, 0, 3, 5, 1, 2, 4, 9, 7, 8}, 3},
      {"level 2", "sort", 2, {0, 1, 2, 3, 3, 3, 4, 4, 5, 6}, {6, 1, 7, 0, 3, 5, 2, 4, 9, 8}, 3},
      {"level 2", "update tags", 2, {0, 1, 2, 7, 3, 8, 9, 4, 5, 6}, {6, 1, 7, 0, 3, 5, 2, 4, 9, 8}, 7},
      {"build", "final sort", -1, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, {6, 1, 7, 3, 4, 9, 8, 0, 5, 2}, 10}};
  return states;
}

/// Returns the walkthrough as a trace. Without `with_partition`, the partition.* arrays are missing, as in a trace of
/// another kind.
inline std::shared_ptr<const Trace> ten_point_trace(bool with_partition = true) {
  constexpr std::uint32_t n = 10, k = 2;
  const auto& xy = ten_points();
  TraceHeader header;
  header.algorithm = "wald";
  header.n = n;
  header.dim = k;
  header.scalar = ScalarType::int32;
  TraceBuilder builder(header);
  const auto declare = [&](const char* name, ElementType type, Space index, Space value, std::uint32_t components,
                           bool row) {
    builder.declare({name, name, type, index, value, components, {}, row});
  };
  declare("tags", ElementType::uint32, Space::position, Space::node, 1, true);
  declare("index", ElementType::uint32, Space::position, Space::point, 1, true);
  declare(points_array, ElementType::int32, Space::point, Space::coordinate, k, false);
  for (std::uint32_t d = 0; d < k; ++d) {
    const std::string name = std::string("data[i].") + "xy"[d];
    builder.declare(tests::gathered_row(name, name, ElementType::int32, Gather{points_array, "index", d}));
  }
  if (with_partition) {
    declare(partition_arrays::parent, ElementType::uint32, Space::node, Space::node, 1, false);
    declare(partition_arrays::split_dim, ElementType::uint32, Space::node, Space::dimension, 1, false);
    declare(partition_arrays::split_value, ElementType::float64, Space::node, Space::split_value, 1, false);
    declare(partition_arrays::box, ElementType::float64, Space::node, Space::coordinate, 2 * k, false);
    declare(partition_arrays::point, ElementType::uint32, Space::node, Space::point, 1, false);
    declare(partition_arrays::node_of_point, ElementType::uint32, Space::point, Space::node, 1, false);
  }
  for (const PrintedState& state : printed_states()) {
    Step step;
    step.name = state.name;
    step.path = {"build", state.phase, state.name};
    step.level = state.level;
    if (state.level < 0) step.path = {"build", state.name};
    step.title = state.name;
    const std::uint32_t begin = state.level < 0 ? n : full_tree_size(state.level);
    if (begin > 0) step.highlights.push_back({Role::settled, Space::position, {{0, begin}}, {}});
    if (state.level >= 0) {
      Highlight segments{Role::segment, Space::position, {}, {}}, pivots{Role::pivot, Space::position, {}, {}};
      for (NodeId s{begin}; s.value < full_tree_size(state.level + 1); ++s.value) {
        const std::uint32_t from = segment_begin(s, n), pivot = pivot_position(s, n);
        segments.ranges.push_back({from, from + subtree_size(s, n)});
        pivots.ranges.push_back({pivot, pivot + 1});
        segments.nodes.push_back(s.value);
        pivots.nodes.push_back(s.value);
      }
      step.highlights.push_back(segments);
      step.highlights.push_back(pivots);
    }
    builder.begin_step(step);
    if (state.level == 0 && state.settled == 0) builder.write(points_array, TypedArray::of(xy));
    builder.write("tags", TypedArray::of(state.tags));
    builder.write("index", TypedArray::of(state.index));
    if (!with_partition) continue;

    const std::uint32_t m = state.level < 0 || state.settled == 7 ? n : 2 * state.settled + 1;
    std::vector<std::uint32_t> parent(m, no_id), point(m, no_id), node_of_point(n);
    std::vector<std::uint32_t> split_dim(m, no_id);
    std::vector<double> split_value(m, 0), box(m * 4, 0);
    for (std::uint32_t i = 0; i < n; ++i) {
      node_of_point[state.index[i]] = state.tags[i];
      if (state.tags[i] < state.settled) point[state.tags[i]] = state.index[i];
    }
    for (std::uint32_t i = 0; i < m; ++i) {
      double* b = &box[4 * i];
      if (i == 0) {
        b[0] = 10, b[1] = 15, b[2] = 68, b[3] = 69;
      } else {
        const std::uint32_t up = (i - 1) / 2;
        parent[i] = up;
        for (int e = 0; e < 4; ++e) b[e] = box[4 * up + e];
        b[split_dim[up] + (i % 2 == 1 ? 2 : 0)] = split_value[up];
      }
      if (i >= state.settled || 2 * i + 1 >= n) continue;
      split_dim[i] = static_cast<std::uint32_t>(level_of(NodeId{i})) % k;
      split_value[i] = xy[2 * point[i] + split_dim[i]];
    }
    builder.write(partition_arrays::parent, TypedArray::of(parent));
    builder.write(partition_arrays::split_dim, TypedArray::of(split_dim));
    builder.write(partition_arrays::split_value, TypedArray::of(split_value));
    builder.write(partition_arrays::box, TypedArray::of(box));
    builder.write(partition_arrays::point, TypedArray::of(point));
    builder.write(partition_arrays::node_of_point, TypedArray::of(node_of_point));
  }
  return builder.finish();
}

inline Cursor ten_points_at(std::uint32_t step) {
  Cursor cursor(ten_point_trace());
  cursor.seek(step);
  return cursor;
}

}  // namespace kdscope
