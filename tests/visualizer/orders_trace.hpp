#pragma once
// A hand-written run of a builder that keeps an order of its four points for each of two dimensions. Node 0 is split in
// x at 5, and points 3 and 0 go left.

#include "algorithms/trace/trace.hpp"
#include "tests/trace/hand_made_traces.hpp"

namespace kdscope {

/// Returns the run. Steps: 0 the orders; 1 mark (children 1 and 2 named by dimension); 2 relocate; 3 new owners; 4 a
/// mark in y alone; 5 lanes work on y; 6 y is relocated.
inline std::shared_ptr<const Trace> orders_trace() {
  TraceBuilder builder(tests::header_of(4, 2, "hand-made"));
  const auto declare = [&](const std::string& name, Space index, Space value, std::uint32_t dimension,
                           ElementType type = ElementType::uint32, std::uint32_t components = 1) {
    builder.declare({name, name, type, index, value, components, {}, true, {}, dimension});
  };
  declare(points_array, Space::point, Space::coordinate, no_id, ElementType::float32, 2);
  declare("owner", Space::position, Space::node, no_id);
  declare("lane", Space::position, Space::none, no_id);
  for (std::uint32_t d = 0; d < 2; ++d) {
    const std::string of = std::string("(") + "xy"[d] + ")";
    declare("sequence" + of, Space::position, Space::point, d);
    builder.declare(tests::gathered_row("value" + of, std::string(1, "xy"[d]), ElementType::float32,
                                        Gather{points_array, "sequence" + of, d}, d));
    declare("mark" + of, Space::position, Space::none, d);
    declare("owner" + of, Space::position, Space::node, d);
    declare("new_index" + of, Space::position, Space::point, d);
  }
  declare("bucket", Space::position, Space::point, no_id);
  declare(partition_arrays::parent, Space::node, Space::node, no_id);
  declare(partition_arrays::node_of_point, Space::point, Space::node, no_id);
  using Ids = std::vector<std::uint32_t>;
  const auto step = [&](const char* name) { builder.begin_step(tests::named_step({"build", name})); };
  const auto write = [&](const char* name, const Ids& ids) { builder.write(name, TypedArray::of(ids)); };
  step("initialise sequences");
  builder.write(points_array,
                TypedArray::of(std::vector<float>{2, 7, 8, 1, 9, 9, 1, 4}));  // 0 (2,7) 1 (8,1) 2 (9,9) 3 (1,4)
  write("owner", {0, 0, 0, 0});
  write("sequence(x)", {3, 0, 1, 2});
  write("sequence(y)", {1, 3, 0, 2});
  write("bucket", {no_id, no_id, no_id, no_id});
  write(partition_arrays::parent, {no_id});
  write(partition_arrays::node_of_point, {0, 0, 0, 0});
  step("mark");
  write("mark(x)", {0, 0, 1, 1});
  write("mark(y)", {1, 0, 0, 1});
  write("owner(x)", {1, 1, 2, 2});
  write("owner(y)", {2, 1, 1, 2});
  step("relocate");
  write("new_index(x)", {3, 0, 1, 2});
  write("new_index(y)", {3, 0, 1, 2});
  step("new owners");
  write("sequence(x)", {3, 0, 1, 2});
  write("sequence(y)", {3, 0, 1, 2});
  write("owner", {1, 1, 2, 2});
  write("bucket", {0, 3, no_id, no_id});
  write(partition_arrays::parent, {no_id, 0, 0});
  write(partition_arrays::node_of_point, {1, 2, 2, 1});
  step("mark again");
  write("mark(y)", {1, 0, 0, 1});
  step("lanes");
  builder.highlight({Role::read, Space::dimension, {{1, 2}}, {}});
  write("lane", {7, 7, 8, 8});
  step("move on");
  write("sequence(y)", {0, 3, 2, 1});
  return builder.finish();
}

}  // namespace kdscope
