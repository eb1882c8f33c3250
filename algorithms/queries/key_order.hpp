#pragma once
// The order of queries by keys, for searches that are faster if neighbouring threads serve neighbouring queries.

#include <cstdint>

#include "algorithms/exec/memory.hpp"

namespace kdscope::queries {

/// Keys of queries in a back end's memory, and the queries' indices, sorted by them.
template <class Exec>
class KeyOrder {
 public:
  /// Takes the memory for `count` queries.
  KeyOrder(Exec& exec, std::uint32_t count)
      : count_(count),
        keys_(exec.template array<std::uint32_t>("keys of queries", count)),
        indices_(exec.template array<std::uint32_t>("order of queries", count)),
        other_keys_(exec.template array<std::uint32_t>("keys of queries", Exec::sorts_in_one_buffer ? 0 : count)),
        other_indices_(exec.template array<std::uint32_t>("order of queries", Exec::sorts_in_one_buffer ? 0 : count)) {}

  /// [count] each, to be written before sort().
  std::uint32_t* keys() { return keys_.data(); }
  std::uint32_t* indices() { return indices_.data(); }

  /// Sorts by the lowest key_bits of the keys, which it overwrites. Returns the indices in order: [count], valid until
  /// the next call. Work O(n).
  const std::uint32_t* sort(Exec& exec, int key_bits) {
    DoubleBuffer<std::uint32_t> keys{keys_.data(), other_keys_.data()}, indices{indices_.data(), other_indices_.data()};
    exec.sort_pairs("sort queries", keys, indices, count_, key_bits);
    return indices.current;
  }

 private:
  std::uint32_t count_;
  Array<std::uint32_t, Exec> keys_, indices_, other_keys_, other_indices_;
};

}  // namespace kdscope::queries
