#pragma once
// The builder by super keys (algorithms/builders/brown) over the memories of several ranks, by the source's scheme for
// several GPUs: a rank holds one part of the points, or a few.

#include <cstdint>
#include <stop_token>

#include "algorithms/builders/brown/options.hpp"
#include "algorithms/cluster/rank_build.hpp"

namespace kdscope::cluster {

/// Returns the number of parts for so many ranks: the least power of two that gives each of them one.
std::uint32_t parts_for(std::uint32_t ranks);

/// Builds the tree of all ranks' points without duplicates, which is that of one process, bit for bit, at any number of
/// ranks and parts. parts: a power of two, at least one per rank; part p is on rank p * ranks / parts. options: `warps`
/// must be chosen; `parts` and `form` are ignored. Collective.
///
/// The points are distributed evenly over the parts in the order of their indices. Each part sorts them by super key;
/// in odd-even rounds, neighbours swap the points that are out of order and merge. Duplicates are removed, the median
/// divides the parts into two groups, and each group continues with the next dimension. Each part then builds its
/// subtree alone. All kernels are those of one process; only the search for the number of points to swap tests 63
/// numbers at a time, since a message costs as much as thousands of comparisons.
///
/// Work O(n / ranks (k log n + parts)). Memory beside the share: twice the points, and k + 10 words per point. Rows of
/// the result: those of the parts' subtrees, the medians of the upper levels that this rank held, and the duplicates
/// that it removed, which have no node.
/// Throws ErrorException, on all ranks alike except where memory or the stop token ends one of them.
TreeShare build_by_brown(Communicator& ranks, PointShare share, const brown::BrownOptions& options, std::uint32_t parts,
                         std::stop_token stop);

}  // namespace kdscope::cluster
