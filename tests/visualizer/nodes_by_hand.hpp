#pragma once
// A trace without points, for tests of the tree.

#include "algorithms/trace/trace.hpp"
#include "tests/trace/hand_made_traces.hpp"
#include "visualizer/model/partition.hpp"

namespace kdscope {

/// Returns the builder of a trace that consists only of nodes, in one dimension.
inline TraceBuilder nodes_by_hand() {
  TraceBuilder builder(tests::header_of(0, 1));
  for (const char* name : {partition_arrays::parent, partition_arrays::split_dim}) builder.declare({name, ""});
  builder.declare({partition_arrays::split_value, "", ElementType::float64});
  return builder;
}

}  // namespace kdscope
