#pragma once
// The examples of algorithms/exec/README.md, which holds the same lines; executor_examples_test.cpp compares them. They
// run on every executor.

#include <algorithm>
#include <vector>

#include "algorithms/exec/comparison_sort.hpp"
#include "algorithms/exec/memory.hpp"
#include "algorithms/exec/numbering.hpp"
#include "algorithms/exec/scans.hpp"
#include "tests/support/catch.hpp"

namespace kdscope::executor_examples {

// [snippet kernel]
struct Square {
  std::uint32_t* values;
  KDSCOPE_HD void operator()(std::uint32_t i) const { values[i] *= values[i]; }
};

template <class Exec>
std::vector<std::uint32_t> squares(Exec& exec, const std::vector<std::uint32_t>& values) {
  auto there = exec.template array<std::uint32_t>("values", values.size());
  exec.upload(there.data(), std::span(values));
  exec.for_each("square", static_cast<std::uint32_t>(values.size()), Square{there.data()});
  std::vector<std::uint32_t> back(values.size());
  exec.download(std::span(back), there.data());
  return back;
}
// [endsnippet]

// [snippet block]
struct SumOfBlock {
  const std::uint32_t* values;
  std::uint32_t* sums;
  template <class Block>
  KDSCOPE_HD void operator()(Block& block) const {
    auto* sum = block.template shared<std::uint32_t>(1);
    block.lanes([&](int lane) {
      if (lane == 0) *sum = 0;
    });
    block.lanes([&](int lane) { block.atomic_add(sum, values[block.index() * block.lane_count() + lane]); });
    block.lanes([&](int lane) {
      if (lane == 0) sums[block.index()] = *sum;
    });
  }
};

template <class Exec>
void sum_blocks(Exec& exec, const std::uint32_t* values, std::uint32_t* sums, std::uint32_t blocks) {
  exec.for_each_block("sum of block", blocks, 64, sizeof(std::uint32_t), SumOfBlock{values, sums});
}
// [endsnippet]

// [snippet warp]
struct OddOfWarp {
  const std::uint32_t* values;
  std::uint32_t* counts;
  template <class Warp>
  KDSCOPE_HD void operator()(Warp& warp) const {
    const std::uint32_t first = warp.index() * Warp::lane_count;
    const std::uint32_t odd = warp.ballot([&](int lane) { return values[first + lane] % 2 == 1; });
    warp.lanes([&](int lane) {
      if (lane == 0) counts[warp.index()] = static_cast<std::uint32_t>(popcount(odd));
    });
  }
};

template <class Exec>
void count_odd(Exec& exec, const std::uint32_t* values, std::uint32_t* counts, std::uint32_t warps) {
  exec.for_each_warp("odd of warp", warps, 0, OddOfWarp{values, counts});
}
// [endsnippet]

// [snippet sort]
template <class Exec>
void sort_by_key(Exec& exec, std::uint32_t* keys, std::uint32_t* values, std::uint32_t n) {
  auto other_keys = exec.template array<std::uint32_t>("keys", n, Allocation::scratch);
  auto other_values = exec.template array<std::uint32_t>("values", n, Allocation::scratch);
  DoubleBuffer<std::uint32_t> by_key{keys, other_keys.data()}, with{values, other_values.data()};
  exec.sort_pairs("sort", by_key, with, n, 32);
  if (by_key.current != keys) {  // the sorted pairs are in either buffer
    exec.copy(keys, by_key.current, n);
    exec.copy(values, with.current, n);
  }
}
// [endsnippet]

// [snippet numbering]
struct IsOdd {
  const std::uint32_t* values;
  KDSCOPE_HD std::uint32_t operator()(std::uint32_t i) const { return values[i] % 2; }
};
struct PlaceOdd {
  const std::uint32_t *values, *places;
  std::uint32_t* out;
  KDSCOPE_HD void operator()(std::uint32_t i) const {
    if (values[i] % 2 == 1) out[places[i]] = values[i];
  }
};

/// Copies the odd values to `out`, in their order, and returns their number. places: [n + 1].
template <class Exec>
std::uint32_t keep_odd(Exec& exec, const std::uint32_t* values, std::uint32_t n, std::uint32_t* places,
                       std::uint32_t* out) {
  std::uint32_t kept = 0;
  exec.compact_indices("keep odd",
                       Compaction{n, NoOp{}, n, IsOdd{values}, places, PlaceOdd{values, places, out}, &kept});
  exec.synchronize();
  return kept;
}
// [endsnippet]

// [snippet reduce]
struct ValueAt {
  const std::uint32_t* values;
  KDSCOPE_HD std::uint32_t operator()(std::uint32_t i) const { return values[i]; }
};
struct Larger {
  KDSCOPE_HD std::uint32_t operator()(std::uint32_t a, std::uint32_t b) const { return a < b ? b : a; }
};

template <class Exec>
std::uint32_t largest(Exec& exec, const std::uint32_t* values, std::uint32_t n) {
  return exec.template reduce<std::uint32_t>("largest", n, ValueAt{values}, Larger{}, 0u);
}
// [endsnippet]

// [snippet time]
template <class Exec>
double milliseconds_of_squares(Exec& exec, std::uint32_t* values, std::uint32_t n) {
  const auto before = exec.event();
  exec.for_each("square", n, Square{values});
  const auto after = exec.event();
  return exec.elapsed_ms(before, after);  // waits for `after`
}
// [endsnippet]

/// Runs all of them.
template <class Exec>
void check_examples(Exec& exec) {
  CHECK(squares(exec, {1, 2, 3, 40}) == std::vector<std::uint32_t>{1, 4, 9, 1600});
  constexpr std::uint32_t n = 256;
  std::vector<std::uint32_t> values(n), keys(n);
  for (std::uint32_t i = 0; i < n; ++i) values[i] = i, keys[i] = (i * 37) % 64;
  const auto uploaded = [&](const std::vector<std::uint32_t>& from) {
    auto there = exec.template array<std::uint32_t>("from", from.size());
    exec.upload(there.data(), std::span(from));
    return there;
  };
  const auto downloaded = [&](const std::uint32_t* from, std::size_t count) {
    std::vector<std::uint32_t> here(count);
    exec.download(std::span(here), from);
    return here;
  };
  auto there = uploaded(values), results = exec.template array<std::uint32_t>("results", n + 1);
  sum_blocks(exec, there.data(), results.data(), 4);
  CHECK(downloaded(results.data(), 4) == std::vector<std::uint32_t>{2016, 6112, 10208, 14304});
  count_odd(exec, there.data(), results.data(), 8);
  CHECK(downloaded(results.data(), 8) == std::vector<std::uint32_t>(8, 16));
  CHECK(largest(exec, there.data(), n) == 255);
  auto odd = exec.template array<std::uint32_t>("odd", n);
  CHECK(keep_odd(exec, there.data(), n, results.data(), odd.data()) == 128);
  const auto kept = downloaded(odd.data(), 128);
  for (std::uint32_t i = 0; i < 128; ++i) CHECK(kept[i] == 2 * i + 1);
  auto keys_there = uploaded(keys);
  sort_by_key(exec, keys_there.data(), there.data(), n);
  const auto sorted = downloaded(keys_there.data(), n), with = downloaded(there.data(), n);
  CHECK(std::is_sorted(sorted.begin(), sorted.end()));
  for (std::uint32_t i = 0; i < n; ++i) CHECK(keys[with[i]] == sorted[i]);
  for (std::uint32_t i = 1; i < n; ++i) CHECK((sorted[i - 1] != sorted[i] || with[i - 1] < with[i]));  // stable
  CHECK(milliseconds_of_squares(exec, there.data(), n) >= 0);
}

}  // namespace kdscope::executor_examples
