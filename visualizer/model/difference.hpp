#pragma once
// How one run's tree differs from another's, node by node: what an edit of a point changed. Reads the partition.*
// arrays alone, so it works for every builder.

#include <cstdint>
#include <vector>

#include "algorithms/core/ids.hpp"
#include "algorithms/core/points.hpp"
#include "algorithms/trace/trace.hpp"

namespace kdscope {

/// Two nodes at one place in the tree, reached by the same turns from the root.
struct NodeDifference {
  NodeId before{no_id}, after{no_id};  ///< no_id: only the other run has such a node
  bool split = false;                  ///< another dimension or value, or split in one run alone
  bool point = false;                  ///< another point is stored at it
  bool box = false;                    ///< another region of space
  bool tight_box = false;              ///< another smallest box of its points
  bool bucket = false;                 ///< a leaf that keeps other points, or keeps them in one run alone
  bool cell = false;                   ///< a cell of the partition, in either run, of which the region differs
};

/// A split of the run before that the later one has not.
struct OldSplit {
  Box box;  ///< of its node
  int dim = 0;
  double value = 0;
};

struct Difference {
  std::vector<NodeDifference> nodes;    ///< that differ in anything, level by level from the left
  std::vector<std::uint32_t> points;    ///< of the later run, ascending: new, or belonging to a node at another place
  std::vector<OldSplit> old_splits;     ///< level by level, the first 2,000
  std::uint64_t splits = 0, cells = 0;  ///< how many of the nodes differ so
  std::uint64_t stored_points = 0;
  bool empty() const { return nodes.empty() && points.empty(); }
};

/// Compares the states at which two cursors stand. `earlier`: for each point of the later run its index in the run
/// before, no_id for new ones; empty: the same. Work O(nodes + points).
Difference difference(const Cursor& before, const Cursor& after, const std::vector<std::uint32_t>& earlier = {});

/// The step of another run that does what this step does: the same phases, as often; else as far along.
std::uint32_t corresponding_step(const Trace& from, std::uint32_t step, const Trace& to);

}  // namespace kdscope
