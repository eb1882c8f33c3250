#pragma once
// Parameters of the breadth-first index-array builder, and what it needs for a number of points.

#include <algorithm>
#include <cstdint>
#include <string>

#include "algorithms/builders/algorithm.hpp"

namespace kdscope::hu {

inline constexpr std::uint32_t max_dim = 512;
/// Indices that "auto" moves at once; a batch of dimensions this large keeps any device busy, and its scratch small.
inline constexpr std::uint64_t usual_batch = 1u << 26;

struct HuOptions {
  std::uint32_t leaf_size = 16;          ///< nodes of at most so many points become leaves
  std::uint32_t dimensions_at_once = 1;  ///< sorted and relocated in one go; 1 to k
};

/// Options from completed, resolved parameters.
inline HuOptions options_of(const Parameters& parameters, std::uint32_t dim) {
  const auto number = [&](const char* name) { return static_cast<std::uint32_t>(std::stoul(parameters.at(name))); };
  return {number("leaf_size"), std::min(number("dimensions_at_once"), dim)};
}

/// The k dimensions in batches of equal size, the last of which may be narrower.
struct Batches {
  std::uint32_t k = 1, width = 1;
  std::uint32_t count() const { return (k + width - 1) / width; }
  std::uint32_t begin(std::uint32_t batch) const { return batch * width; }
  std::uint32_t size(std::uint32_t batch) const { return std::min(width, k - begin(batch)); }
};

/// Nodes of evenly spread points, from above: leaves are about half full or more. More are made where there are.
constexpr std::uint64_t usual_nodes(std::uint64_t n, std::uint64_t leaf_size) {
  return n == 0 ? 0 : std::min<std::uint64_t>(2 * n - 1, 4 * n / leaf_size + 1);
}

}  // namespace kdscope::hu
