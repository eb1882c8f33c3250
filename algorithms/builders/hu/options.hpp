#pragma once
// Parameters of the breadth-first index-array builder, and the sizes that follow from the number of points.

#include <algorithm>
#include <cstdint>
#include <string>

#include "algorithms/builders/option_table.hpp"

namespace kdscope::hu {

inline constexpr std::uint32_t max_dim = 512;
/// Number of indices that "auto" moves at once. A batch of this size keeps any device busy, and its scratch memory is
/// small.
inline constexpr std::uint64_t default_batch = 1u << 26;

struct HuOptions {
  std::uint32_t leaf_size = 16;                 ///< nodes of at most this many points become leaves
  Automatic<std::uint32_t> dimensions_at_once;  ///< sorted and relocated together; values above k mean k
};

const OptionTable<HuOptions>& option_table();

/// Divides the k dimensions into batches of equal size; the last one may be narrower.
struct Batches {
  std::uint32_t k, width;
  Batches(std::uint32_t dims, std::uint32_t at_once) : k(dims), width(std::min(dims, at_once)) {}
  std::uint32_t count() const { return (k + width - 1) / width; }
  std::uint32_t begin(std::uint32_t batch) const { return batch * width; }
  std::uint32_t size(std::uint32_t batch) const { return std::min(width, k - begin(batch)); }
};

/// Returns an upper bound of the number of nodes for evenly spread points, whose leaves are at least about half full.
/// The builder allocates more memory when needed.
constexpr std::uint64_t expected_nodes(std::uint64_t n, std::uint64_t leaf_size) {
  return n == 0 ? 0 : std::min<std::uint64_t>(2 * n - 1, 4 * n / leaf_size + 1);
}

}  // namespace kdscope::hu
