#pragma once
// How a build in slabs divides its work, and what it will need. Follows from the size of the input and the limit alone.

#include <cstdint>
#include <string>

#include "algorithms/core/error.hpp"
#include "algorithms/core/scalar.hpp"

namespace kdscope::slabs {

/// The most levels above the subtrees that are built in memory.
inline constexpr int most_upper_levels = 10;

/// The points of an input file.
struct Shape {
  std::uint64_t n = 0;
  std::uint32_t dim = 0;
  ScalarType type = ScalarType::float32;
  std::uint64_t point_bytes() const { return std::uint64_t{4} * dim; }
  std::uint64_t row_bytes() const { return point_bytes() + 5; }  ///< of a node in the tree's file
};

struct Plan {
  Shape input;
  std::uint64_t memory = 0;         ///< the limit
  int upper = 0;                    ///< levels above the subtrees
  std::uint32_t subtrees = 0;       ///< that have points
  std::uint32_t largest = 0;        ///< points of the largest subtree
  std::uint64_t subtree_bytes = 0;  ///< memory that it takes where it is built
  std::uint64_t slab_points = 0;    ///< points that are read and moved at once
  std::uint64_t slabs = 0;          ///< of each pass over the file
  std::uint64_t piece_points = 0;   ///< points that move between a file and the builder at once
  std::uint64_t sample_points = 0;  ///< points from which the pivots of all levels are bracketed
  std::uint64_t window_points = 0;  ///< points of all windows of a level
  std::uint64_t scratch_bytes = 0;
  std::uint64_t tree_bytes = 0;
  std::uint64_t passes = 0;  ///< over the input; more where brackets miss or windows are long
  std::uint64_t bytes_read = 0, bytes_written = 0;
};

/// Plans a build. on_cpu: the subtrees are built in the host's memory, which the limit is then for; otherwise in the
/// memory of a device. Errors: bad_input for shapes that `rank` does not take; out_of_memory for a limit that is too
/// small, with the least one.
Result<Plan> plan_build(const Shape& input, std::uint64_t memory, bool on_cpu, const std::string& file);

/// Returns the largest number of points in a subtree `upper` levels below the root.
std::uint32_t largest_subtree(std::uint64_t n, int upper);

}  // namespace kdscope::slabs
