#pragma once
// A run that evaluates split candidates, as a hand-written trace with array names that no builder uses: five points on
// a line and two small roots. The first root is split between its second and third point, then its left part is split.

#include <cmath>
#include <memory>
#include <vector>

#include "algorithms/trace/trace.hpp"
#include "tests/trace/hand_made_traces.hpp"

namespace kdscope {

/// Returns the run. Steps: 0 start; 1 candidates; 2 evaluation of nodes 1 and 2; 3 split of node 1; 4 evaluation of
/// nodes 3 and 4. Node 0 is the root; 1 (points 4, 2, 0) and 2 (points 1, 3) are small; 3 and 4 are the children of 1.
inline std::shared_ptr<const Trace> candidates_trace(Space primitive = Space::point) {
  TraceHeader header;
  header.algorithm = header.title = "by hand";
  header.n = 5;
  header.dim = 1;
  TraceBuilder builder(header);
  using enum ElementType;
  namespace names = partition_arrays;
  const auto declare = [&](const char* name, ElementType type, Space index, Space value, Side side = Side::none) {
    ArrayInfo info{name, name, type, index, value};
    info.side = side;
    builder.declare(info);
  };
  builder.declare({points_array, points_array, float32, Space::point, Space::coordinate, 1, {}, false, {}});
  builder.declare({triangles_array, triangles_array, uint32, Space::triangle, Space::point, 3, {}, false, {}});
  declare("of", uint32, Space::candidate, Space::node);
  declare("what", uint32, Space::candidate, primitive);
  declare("d", uint32, Space::candidate, Space::dimension);
  declare("at", float64, Space::candidate, Space::split_value);
  declare("L", uint64, Space::candidate, Space::bit_mask, Side::left);
  declare("R", uint64, Space::candidate, Space::bit_mask, Side::right);
  declare("tried at", uint32, Space::evaluation, Space::node);
  declare("tried", uint32, Space::evaluation, Space::candidate);
  declare("price", float64, Space::evaluation, Space::cost);
  declare("s", uint64, Space::node, Space::bit_mask);
  declare("taken", uint32, Space::node, Space::candidate);
  declare("price of a leaf", float64, Space::node, Space::cost);
  declare(names::parent, uint32, Space::node, Space::node);
  declare(names::split_dim, uint32, Space::node, Space::dimension);
  declare(names::split_value, float64, Space::node, Space::split_value);
  declare(names::node_of_point, uint32, Space::point, Space::node);
  declare(names::leaf, uint8, Space::node, Space::none);
  using Ids = std::vector<std::uint32_t>;
  using Masks = std::vector<std::uint64_t>;
  using Numbers = std::vector<double>;
  const double none = std::nan("");
  const auto step = [&](const char* name) { builder.begin_step(tests::named_step({"build", name})); };
  const auto ids = [&](const char* name, const Ids& values) { builder.write(name, TypedArray::of(values)); };
  const auto numbers = [&](const char* name, const Numbers& values) { builder.write(name, TypedArray::of(values)); };
  const auto masks = [&](const char* name, const Masks& values) { builder.write(name, TypedArray::of(values)); };

  step("start");
  builder.write(points_array, TypedArray::of(std::vector<float>{2, 10, 1, 11, 0}));
  ids(names::parent, {no_id, 0, 0});
  ids(names::split_dim, {0, no_id, no_id});
  numbers(names::split_value, {5, none, none});
  ids(names::node_of_point, {1, 2, 1, 2, 1});
  builder.write(names::leaf, TypedArray::of(std::vector<std::uint8_t>{0, 0, 0}));
  masks("s", {0, 0b111, 0b11});
  step("candidates");
  ids("of", {1, 1, 1, 2, 2});
  ids("what", {4, 2, 0, 1, 3});
  ids("d", {0, 0, 0, 0, 0});
  numbers("at", {0, 1, 2, 10, 11});
  masks("L", {0, 0b001, 0b011, 0, 0b01});
  masks("R", {0b111, 0b110, 0b100, 0b11, 0b10});
  step("evaluation");
  ids("tried at", {1, 1, 2});
  ids("tried", {2, 1, 4});  // not in the order of positions
  numbers("price", {1.5, 2.5, 4});
  ids("taken", {no_id, 2, no_id});
  numbers("price of a leaf", {none, 3, 2});
  step("split");
  ids(names::parent, {no_id, 0, 0, 1, 1});
  ids(names::split_dim, {0, 0, no_id, no_id, no_id});
  numbers(names::split_value, {5, 2, none, none, none});
  ids(names::node_of_point, {4, 2, 3, 2, 3});
  builder.write(names::leaf, TypedArray::of(std::vector<std::uint8_t>{0, 0, 1, 0, 1}));
  masks("s", {0, 0b111, 0b11, 0b011, 0b100});
  step("evaluation");
  ids("tried at", {3});
  ids("tried", {1});
  numbers("price", {2.25});
  ids("taken", {no_id, no_id, no_id, no_id, no_id});
  numbers("price of a leaf", {none, none, none, 2, 1});
  return builder.finish();
}

}  // namespace kdscope
