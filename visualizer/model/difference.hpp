#pragma once
// How one run's tree differs from another's, node by node, for instance after an edit of a point. Reads only the
// partition.* arrays, so it works for every builder.

#include <cstdint>
#include <vector>

#include "algorithms/core/ids.hpp"
#include "algorithms/core/points.hpp"
#include "algorithms/trace/trace.hpp"

namespace kdscope {

/// Two nodes at the same place in their trees, reached by the same turns from the root.
struct NodeDifference {
  NodeId before{no_id}, after{no_id};  ///< no_id: only the other run has such a node
  bool split = false;                  ///< the dimension or value differs, or only one run splits it
  bool point = false;                  ///< a different point is stored at it
  bool box = false;                    ///< its region of space differs
  bool tight_box = false;              ///< the smallest box of its points differs
  bool bucket = false;                 ///< a leaf that keeps different points, or keeps points in only one run
  bool cell = false;                   ///< a cell of the partition in either run, whose region differs
};

/// A split of the earlier run that the later run does not have.
struct OldSplit {
  Box box;  ///< box of its node
  int dim = 0;
  double value = 0;
};

struct Difference {
  std::vector<NodeDifference> nodes;  ///< nodes that differ in any way, level by level from the left
  std::vector<std::uint32_t>
      points;  ///< points of the later run, ascending: new ones, and those whose node is at another place
  std::vector<OldSplit> old_splits;     ///< level by level; at most 2,000
  std::uint64_t splits = 0, cells = 0;  ///< number of nodes whose splits or cells differ
  std::uint64_t stored_points = 0;
  bool empty() const { return nodes.empty() && points.empty(); }
};

/// Compares the states of two cursors. For each point of the later run, `earlier` holds its index in the earlier run,
/// or no_id for new points; if it is empty, the indices are the same. Work O(nodes + points).
Difference difference(const Cursor& before, const Cursor& after, const std::vector<std::uint32_t>& earlier = {});

/// Returns the step of another run that corresponds to this step: the same occurrence of the same phases, or otherwise
/// the step at the same relative progress.
std::uint32_t corresponding_step(const Trace& from, std::uint32_t step, const Trace& to);

}  // namespace kdscope
