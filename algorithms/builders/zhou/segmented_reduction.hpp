#pragma once
// Segmented reduction (Zhou et al. 2008, Alg. 3): computes one result per segment of a list, in log2 n passes over the
// whole list.

#include <algorithm>
#include <bit>
#include <cstdint>

#include "algorithms/core/boxes.hpp"
#include "algorithms/core/platform.hpp"
#include "algorithms/record/recorders.hpp"

namespace kdscope::zhou {

/// The operators of Table 1: min and max, which unite boxes, and +, which adds numbers of primitives.
struct UniteBoxes {
  using Value = Box3;
  KDSCOPE_HD static Box3 identity() { return empty_box(); }
  KDSCOPE_HD static Box3 combine(const Box3& a, const Box3& b) { return united(a, b); }
};

/// The number of primitives that go to each child.
struct SideCounts {
  std::uint32_t left, right;
};
struct AddCounts {
  using Value = SideCounts;
  KDSCOPE_HD static SideCounts identity() { return {0, 0}; }
  KDSCOPE_HD static SideCounts combine(const SideCounts& a, const SideCounts& b) {
    return {a.left + b.left, a.right + b.right};
  }
};

/// Number of passes that a block performs in one launch, on twice as many elements of a list as it has lanes.
inline constexpr std::uint32_t passes_per_block = 11;

// [region zhou/segmented_reduction]
/// Performs passes [first_pass, first_pass + passes) of the reduction. Before pass d, only the elements at multiples of
/// 2^d remain in `data`. Each pass takes them in pairs. Two elements of one owner are combined; if the owners differ,
/// the right element is combined with its owner's result. Segments are contiguous, so no two threads write the same
/// result, whichever blocks they are in. A block processes 2^passes remaining elements, so its passes can follow one
/// another without a new launch. data, owner: [n]; result: [owners]. The source's listing stops before it adds data[0]
/// to the result of owner[0]; here the last pass adds it.
template <class Operator>
struct ReducePasses {
  using Value = typename Operator::Value;
  Value* data;
  const std::uint32_t* owner;
  std::uint32_t n;
  Value* result;
  std::uint32_t first_pass, passes;
  bool last;

  template <class Block>
  KDSCOPE_HD void operator()(Block& block) const {
    // The block's passes reduce its tile to one element and read no element of another tile
    const std::uint64_t tile = std::uint64_t(block.index()) << (first_pass + passes);
    for (std::uint32_t pass = first_pass; pass < first_pass + passes; ++pass) {
      // Each pass halves the elements that remain, and with them the lanes at work. A barrier ends it, because the next
      // pass reads what other lanes have combined
      const std::uint32_t pairs = 1u << (first_pass + passes - pass - 1);
      block.lanes([&](int lane) {
        for (std::uint32_t pair = static_cast<std::uint32_t>(lane); pair < pairs;
             pair += static_cast<std::uint32_t>(block.lane_count())) {
          // w0 and w1 of the source: elements 2^(d+1) i and 2^(d+1) i + 2^d. A right element behind the end does not
          // exist, nor do later ones.
          const std::uint64_t a = tile + (std::uint64_t(pair) << (pass + 1)), b = a + (1ull << pass);
          if (b >= n) break;
          // Same owner: the left element takes both values. Different owners: the right value goes to its segment's
          // result, and the left one remains. The right segment begins in (a, b], so no other pair of the pass writes
          // its result.
          if (owner[a] == owner[b])
            data[a] = Operator::combine(data[a], data[b]);
          else
            result[owner[b]] = Operator::combine(result[owner[b]], data[b]);
        }
      });
    }
    // After the last pass only data[0] remains, which belongs to the first segment
    block.lanes([&](int lane) {
      if (last && lane == 0 && block.index() == 0) result[owner[0]] = Operator::combine(result[owner[0]], data[0]);
    });
  }
};
// [endregion]

/// Returns ceil(log2 n).
constexpr std::uint32_t reduction_passes(std::uint32_t n) {
  return n <= 1 ? 0 : static_cast<std::uint32_t>(std::bit_width(n - 1));
}

/// A list in segments and the results of its segments. The results must initially hold the identity.
template <class Operator>
struct SegmentedReduction {
  using Value = typename Operator::Value;
  Value* data;                 ///< [n] overwritten
  const std::uint32_t* owner;  ///< [n]
  std::uint32_t n;
  Value* result;          ///< [owners]
  std::uint32_t at_once;  ///< passes per launch and step

  /// Computes the results. Work O(n) in ceil(log2 n) passes. show(writer, passes) shows the step and receives the
  /// number of passes done so far.
  template <class Exec, class Recorder, class Show>
  void run(Exec& exec, Recorder& rec, StepLabel label, Show show) const {
    if (n == 0) return;
    const std::uint32_t all = reduction_passes(n);
    for (std::uint32_t first = 0; first == 0 || first < all; first += at_once) {
      const std::uint32_t passes = std::min(at_once, all - first);
      const auto blocks = static_cast<std::uint32_t>((std::uint64_t(n - 1) >> (first + passes)) + 1);
      const int lanes = static_cast<int>(std::clamp(1u << passes >> 1, 32u, 512u));
      label.pass = static_cast<int>(first);
      rec.step(
          label,
          [&] {
            exec.for_each_block(label.name, blocks, lanes, 0,
                                ReducePasses<Operator>{data, owner, n, result, first, passes, first + passes == all});
          },
          [&](auto& writer) { show(writer, first + passes); });
    }
  }
};

}  // namespace kdscope::zhou
