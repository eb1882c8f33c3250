#pragma once
// The differences between the trees of two runs, node by node. Reads only the partition.* arrays, so it works for every
// builder.

#include <cstdint>
#include <vector>

#include "algorithms/core/ids.hpp"
#include "algorithms/core/points.hpp"
#include "algorithms/trace/trace.hpp"

namespace kdscope {

/// Two nodes at the same place in their trees, reached by the same turns from the root.
struct NodeDifference {
  NodeId before{no_id}, after{no_id};  ///< no_id: only the other run has such a node
  bool split = false;                  ///< another dimension or value, or split in one run alone
  bool point = false;                  ///< another point is stored at it
  bool box = false;                    ///< another region of space
  bool tight_box = false;              ///< another smallest box of its points
  bool bucket = false;                 ///< a leaf that keeps other points, or keeps them in one run alone
  bool cell = false;                   ///< a cell of the partition, in either run, whose region differs
};

/// A split of the earlier run that the later one lacks.
struct OldSplit {
  Box box;  ///< of its node
  int dim = 0;
  double value = 0;
};

struct Difference {
  std::vector<NodeDifference> nodes;  ///< that differ in any way, level by level from the left
  std::vector<std::uint32_t>
      points;  ///< of the later run, ascending: new points, and points that belong to a node at another place
  std::vector<OldSplit> old_splits;     ///< level by level, the first 2,000
  std::uint64_t splits = 0, cells = 0;  ///< numbers of nodes with a different split or cell
  std::uint64_t stored_points = 0;
  bool empty() const { return nodes.empty() && points.empty(); }
};

/// Compares the states at two cursors. `earlier`: for each point of the later run, its index in the earlier one, or
/// no_id for new points; empty: the same indices. Work O(nodes + points).
Difference difference(const Cursor& before, const Cursor& after, const std::vector<std::uint32_t>& earlier = {});

/// Returns the step of another run that corresponds to a step: step_of_same_path(), or the step at the same fraction of
/// the run.
std::uint32_t corresponding_step(const Trace& from, std::uint32_t step, const Trace& to);

}  // namespace kdscope
