#pragma once
// The differences between the trees of two runs, node by node: what an edit of a point changed. Only the partition.*
// arrays are read, so this works for every builder.

#include <cstdint>
#include <vector>

#include "algorithms/core/ids.hpp"
#include "algorithms/core/points.hpp"
#include "algorithms/trace/trace.hpp"

namespace kdscope {

/// Two nodes at the same place in their trees, reached by the same turns from the root.
struct NodeDifference {
  NodeId before{no_id}, after{no_id};  ///< no_id: only the other run has such a node
  bool split = false;                  ///< different dimension or value, or split in only one run
  bool point = false;                  ///< a different point is stored at it
  bool box = false;                    ///< different region of space
  bool tight_box = false;              ///< different smallest box of its points
  bool bucket = false;                 ///< a leaf that keeps different points, or keeps points in only one run
  bool cell = false;                   ///< a cell of the partition in either run, whose region differs
};

/// A split of the earlier run that the later run does not have.
struct OldSplit {
  Box box;  ///< of its node
  int dim = 0;
  double value = 0;
};

struct Difference {
  std::vector<NodeDifference> nodes;    ///< those that differ in any way, level by level from the left
  std::vector<std::uint32_t> points;    ///< of the later run, ascending: new, or in a node at a different place
  std::vector<OldSplit> old_splits;     ///< level by level, the first 2,000
  std::uint64_t splits = 0, cells = 0;  ///< numbers of nodes whose split or cell differs
  std::uint64_t stored_points = 0;
  bool empty() const { return nodes.empty() && points.empty(); }
};

/// Returns the differences between the states at two cursors. `earlier`: for each point of the later run, its index in
/// the earlier run, or no_id for a new point; empty if the indices are the same. Work O(nodes + points).
Difference difference(const Cursor& before, const Cursor& after, const std::vector<std::uint32_t>& earlier = {});

/// Returns the step of another run that does the same as this step: the same occurrence of the same path of phases, or
/// else the step at the same share of the run.
std::uint32_t corresponding_step(const Trace& from, std::uint32_t step, const Trace& to);

}  // namespace kdscope
