#pragma once
// A trace without points, for tests of the tree.

#include "algorithms/trace/trace.hpp"
#include "visualizer/model/partition.hpp"

namespace kdscope {

/// Returns the builder of a trace that consists only of nodes, in one dimension.
inline TraceBuilder nodes_by_hand() {
  TraceHeader header;
  header.dim = 1;
  TraceBuilder builder(header);
  ArrayInfo parent, dim, value;
  parent.name = partition_arrays::parent;
  dim.name = partition_arrays::split_dim;
  dim.type = ElementType::uint32;
  value.name = partition_arrays::split_value;
  value.type = ElementType::float64;
  for (const ArrayInfo& info : {parent, dim, value}) builder.declare(info);
  return builder;
}

}  // namespace kdscope
