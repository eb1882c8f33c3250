#pragma once
// Parameters of Brown's builder as Robinson runs it, and the choice of partitioner for a level.

#include <bit>
#include <cstdint>

#include "algorithms/builders/option_table.hpp"
#include "algorithms/trees/median_stores/layout.hpp"

namespace kdscope::brown {

inline constexpr std::uint32_t max_dim = 16;

enum class SortMethod : std::uint8_t { merge, library };
/// The dimensions that are sorted in full: all of them, or only the first. In the second case, a build of one part
/// sorts the others separately before and behind the median of the first.
enum class SortedFirst : std::uint8_t { all, first };
enum class Form : std::uint8_t { nodes, stores };
/// How a partitioner determines the side of a reference: by the tuple's super key, as in the source, or by a byte per
/// point that was set from the sorted array. Tuples are scattered in memory; the bytes of about ten million points fit
/// into a GPU's second-level cache.
enum class Compare : std::uint8_t { sides, tuples };
/// Whether warps collect references into whole segments before they write them. Robinson measured a gain of about 5 %.
enum class Writes : std::uint8_t { coalesced, direct };

struct BrownOptions {
  SortMethod sort = SortMethod::library;
  SortedFirst sorted = SortedFirst::all;
  Form form = Form::nodes;
  Compare compare = Compare::sides;
  Writes writes = Writes::coalesced;
  bool verify = false;
  Automatic<std::uint32_t> warps;  ///< warps used to remove duplicates and partition arrays; a power of two
  std::uint32_t parts = 1;         ///< parts over which the points are distributed; a power of two
};

const OptionTable<BrownOptions>& option_table();

/// The four partitioners. The level determines which one runs.
enum class Partitioner : std::uint8_t { warps_per_array, warp_per_array, sub_warps, terminating };
constexpr const char* name_of(Partitioner p) {
  constexpr const char* names[] = {"many warps per array", "one warp per array", "sub-warps", "terminating"};
  return names[static_cast<int>(p)];
}

inline Partitioner partitioner_of(std::uint32_t n, int level, std::uint32_t warps) {
  const std::uint32_t longest = longest_array(n, level);
  if (longest <= 3) return Partitioner::terminating;
  if (longest <= 16) return Partitioner::sub_warps;
  return (1ull << level) < warps ? Partitioner::warps_per_array : Partitioner::warp_per_array;
}

/// Lanes of a sub-warp for arrays of this length: 16, 8 or 4.
constexpr std::uint32_t sub_warp_width(std::uint32_t longest) { return longest > 8 ? 16 : longest > 4 ? 8 : 4; }

}  // namespace kdscope::brown
