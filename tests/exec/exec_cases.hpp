#pragma once
// Tests the requirements of every back end: arrays, launches, blocks, sorts, reductions, stopping. They are written
// once and run on each back end. Kernels are functors, as in builders, so that nvcc can compile them for the device.

#include <algorithm>
#include <numeric>
#include <stop_token>
#include <vector>

#include "algorithms/core/error.hpp"
#include "algorithms/core/hash.hpp"
#include "algorithms/core/ids.hpp"
#include "algorithms/core/platform.hpp"
#include "algorithms/exec/comparison_sort.hpp"
#include "algorithms/exec/growing_array.hpp"
#include "algorithms/exec/memory.hpp"
#include "algorithms/exec/scans.hpp"
#include "tests/support/catch.hpp"

namespace kdscope::test {

struct Doubling {
  std::uint32_t* out;
  KDSCOPE_HD void operator()(std::uint32_t i) const { out[i] = 2 * i; }
};

struct DoublingFrom {
  std::uint32_t* out;
  std::uint32_t first;
  KDSCOPE_HD void operator()(std::uint32_t i) const { out[i] = 2 * (first + i); }
};

/// Counts bytes per block in shared memory with atomics, scans the counts by a tree with barriers, and writes the
/// result.
struct BlockHistogram {
  const std::uint32_t* values;
  std::uint32_t n;
  std::uint32_t* counts;    // [blocks][16], inclusive sums of the block's digits
  std::uint32_t* mirrored;  // [n] each block's elements in reverse, through per-lane storage
  template <class Block>
  KDSCOPE_HD void operator()(Block& block) const {
    auto* histogram = block.template shared<std::uint32_t>(16);
    auto* ping = block.template shared<std::uint32_t>(16);
    auto mine = block.template per_lane<std::uint32_t>();
    const std::uint32_t lanes = block.lane_count(), begin = block.index() * lanes,
                        count = n - begin < lanes ? n - begin : lanes;
    block.lanes([&](int lane) {
      if (lane < 16) histogram[lane] = 0;
    });
    block.lanes([&](int lane) {
      if (std::uint32_t(lane) >= count) return;
      mine[lane] = values[begin + lane];
      block.atomic_add(&histogram[mine[lane] % 16], 1u);
    });
    for (int step = 1; step < 16; step *= 2) {
      block.lanes([&](int lane) {
        if (lane < 16) ping[lane] = histogram[lane] + (lane >= step ? histogram[lane - step] : 0);
      });
      block.lanes([&](int lane) {
        if (lane < 16) histogram[lane] = ping[lane];
      });
    }
    block.lanes([&](int lane) {
      if (lane < 16) counts[block.index() * 16 + lane] = histogram[lane];
      if (std::uint32_t(lane) < count) mirrored[begin + count - 1 - lane] = mine[lane];
    });
  }
};

struct ByLastDigit {
  KDSCOPE_HD bool operator()(std::uint32_t a, std::uint32_t b) const {
    return a % 10 != b % 10 ? a % 10 < b % 10 : a < b;
  }
};
struct MixedSum {
  KDSCOPE_HD std::uint64_t operator()(std::uint32_t i) const { return mix64(i); }
};
struct Plus {
  KDSCOPE_HD std::uint64_t operator()(std::uint64_t a, std::uint64_t b) const { return a + b; }
};

/// Moves the odd values of each warp's 32 to the front, with ballot and popcount, through shared memory. A shuffle
/// fills the rest with the values of lanes 31 - l.
struct WarpCompaction {
  const std::uint32_t* values;
  std::uint32_t* out;     // [warps * 32]
  std::uint32_t* masks;   // [warps]
  std::uint32_t* turned;  // [warps * 32]
  template <class Warp>
  KDSCOPE_HD void operator()(Warp& warp) const {
    auto* kept = warp.template shared<std::uint32_t>(32);
    auto mine = warp.template per_lane<std::uint32_t>();
    const std::uint32_t begin = warp.index() * 32;
    warp.lanes([&](int lane) { mine[lane] = values[begin + lane], kept[lane] = 0; });
    const std::uint32_t mask = warp.ballot([&](int lane) { return mine[lane] % 2 == 1; });
    warp.lanes([&](int lane) {
      if (mask >> lane & 1) kept[popcount(mask & ((1u << lane) - 1))] = mine[lane];
    });
    auto other = warp.shuffle(mine, [](int lane) { return 31 - lane; });
    warp.lanes([&](int lane) {
      out[begin + lane] = kept[lane];
      turned[begin + lane] = other[lane];
      if (lane == 0) masks[warp.index()] = mask;
    });
  }
};

template <class T, class Exec>
std::vector<T> to_host(Exec& exec, const T* from, std::size_t n) {
  std::vector<T> host(n);
  exec.download(std::span<T>(host), from);
  return host;
}

inline std::vector<std::uint32_t> scrambled(std::uint32_t n) {
  std::vector<std::uint32_t> values(n);
  for (std::uint32_t i = 0; i < n; ++i) values[i] = static_cast<std::uint32_t>(mix64(i + 1) % 1000);
  return values;
}

template <class Exec>
void check_exec() {
  for (std::uint32_t n : {0u, 1u, 255u, 256u, 257u, 100000u}) {
    INFO("n = " << n);
    Exec exec;
    auto out = exec.template array<std::uint32_t>("out", n);
    exec.for_each("doubling", n, Doubling{out.data()});
    const auto doubled = to_host(exec, out.data(), n);
    bool all = true;
    for (std::uint32_t i = 0; i < n; ++i) all = all && doubled[i] == 2 * i;
    CHECK(all);

    // Sort pairs stably by the lowest bits of the key.
    const auto values = scrambled(n);
    auto keys = exec.template array<std::uint32_t>("keys", n),
         other_keys = exec.template array<std::uint32_t>("keys", n);
    auto ids = exec.template array<std::uint32_t>("ids", n), other_ids = exec.template array<std::uint32_t>("ids", n);
    std::vector<std::uint32_t> order(n);
    std::iota(order.begin(), order.end(), 0u);
    exec.upload(keys.data(), std::span<const std::uint32_t>(values));
    exec.upload(ids.data(), std::span<const std::uint32_t>(order));
    DoubleBuffer<std::uint32_t> k{keys.data(), other_keys.data()}, v{ids.data(), other_ids.data()};
    exec.sort_pairs("pairs", k, v, n, 10);
    std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return values[a] < values[b]; });
    CHECK(to_host(exec, v.current, n) == order);

    auto mixed = exec.template array<std::uint32_t>("mixed", n);
    exec.upload(mixed.data(), std::span<const std::uint32_t>(values));
    exec.sort("by last digit", mixed.data(), n, ByLastDigit{});
    auto expected = values;
    std::sort(expected.begin(), expected.end(), ByLastDigit{});
    CHECK(to_host(exec, mixed.data(), n) == expected);

    std::uint64_t sum = 0;
    for (std::uint32_t i = 0; i < n; ++i) sum += mix64(i);
    CHECK(exec.template reduce<std::uint64_t>("sum", n, MixedSum{}, Plus{}, 0) == sum);
    CHECK(Exec().template reduce<std::uint64_t>("sum of nothing", 0, MixedSum{}, Plus{}, 9) == 9);

    auto sums = exec.template array<std::uint64_t>("sums", n);
    exec.transform_exclusive_scan("sums", n, MixedSum{}, sums.data());
    const auto summed = to_host(exec, sums.data(), n);
    std::uint64_t before = 0;
    for (std::uint32_t i = 0; i < n; ++i) all = all && summed[i] == before, before += mix64(i);
    CHECK(all);
  }
}

struct RaiseByOne {
  std::uint32_t* value;
  KDSCOPE_HD void operator()(std::uint32_t i) const { ++value[i]; }
};
struct ValueOf {
  const std::uint32_t* value;
  KDSCOPE_HD std::uint32_t operator()(std::uint32_t i) const { return value[i]; }
};
struct NumberOf {
  const std::uint32_t* before;
  std::uint32_t* number;
  KDSCOPE_HD void operator()(std::uint32_t i) const { number[i] = before[i] + before[i + 1]; }
};

/// Tests compact_indices with sizes on both sides of the limit of one launch.
template <class Exec>
void check_number_each() {
  for (const std::uint32_t n : {0u, 1u, 256u, 257u, 511u, 2046u, 2047u, 2048u, 2049u, 30000u})
    for (const std::uint32_t items : {0u, n / 2, n}) {
      INFO("n = " << n << ", items = " << items);
      Exec exec;
      std::vector<std::uint32_t> values = scrambled(n);
      auto there = exec.template array<std::uint32_t>("values", n),
           sums = exec.template array<std::uint32_t>("sums", n + 1),
           numbers = exec.template array<std::uint32_t>("numbers", n);
      exec.upload(there.data(), std::span<const std::uint32_t>(values));
      std::uint32_t sum = 7;
      exec.compact_indices("numbers", Compaction{items, RaiseByOne{there.data()}, n, ValueOf{there.data()}, sums.data(),
                                                 NumberOf{sums.data(), numbers.data()}, &sum});
      for (std::uint32_t i = 0; i < items; ++i) ++values[i];
      std::vector<std::uint32_t> expected(n + 1, 0), numbered(n);
      for (std::uint32_t i = 0; i < n; ++i)
        expected[i + 1] = expected[i] + values[i], numbered[i] = expected[i] + expected[i + 1];
      CHECK(sum == expected[n]);
      CHECK(to_host(exec, sums.data(), n + 1) == expected);
      CHECK(to_host(exec, numbers.data(), n) == numbered);
    }
}

template <class Exec>
void check_blocks() {
  for (std::uint32_t n : {1u, 64u, 1000u, 20000u})
    for (int lanes : {32, 128, 512}) {
      INFO("n = " << n << ", lanes = " << lanes);
      Exec exec;
      const auto values = scrambled(n);
      const std::uint32_t blocks = (n - 1) / lanes + 1;
      auto in = exec.template array<std::uint32_t>("values", n),
           mirrored = exec.template array<std::uint32_t>("mirrored", n);
      auto counts = exec.template array<std::uint32_t>("counts", blocks * 16);
      exec.upload(in.data(), std::span<const std::uint32_t>(values));
      exec.for_each_block("histogram", blocks, lanes, 2 * 16 * sizeof(std::uint32_t),
                          BlockHistogram{in.data(), n, counts.data(), mirrored.data()});
      std::vector<std::uint32_t> expected_counts(blocks * 16), expected_mirrored = values;
      for (std::uint32_t b = 0; b < blocks; ++b) {
        const std::uint32_t begin = b * lanes, end = std::min<std::uint32_t>(n, begin + lanes);
        for (std::uint32_t i = begin; i < end; ++i) ++expected_counts[b * 16 + values[i] % 16];
        for (int d = 1; d < 16; ++d) expected_counts[b * 16 + d] += expected_counts[b * 16 + d - 1];
        std::reverse(expected_mirrored.begin() + begin, expected_mirrored.begin() + end);
      }
      CHECK(to_host(exec, counts.data(), blocks * 16) == expected_counts);
      CHECK(to_host(exec, mirrored.data(), n) == expected_mirrored);
    }
}

template <class Exec>
void check_warps() {
  for (std::uint32_t warps : {1u, 7u, 8u, 9u, 1000u}) {
    INFO("warps = " << warps);
    Exec exec;
    const auto values = scrambled(warps * 32);
    auto in = exec.template array<std::uint32_t>("values", values.size()),
         out = exec.template array<std::uint32_t>("out", values.size());
    auto turned = exec.template array<std::uint32_t>("turned", values.size()),
         masks = exec.template array<std::uint32_t>("masks", warps);
    exec.upload(in.data(), std::span<const std::uint32_t>(values));
    exec.for_each_warp("compaction", warps, 32 * sizeof(std::uint32_t),
                       WarpCompaction{in.data(), out.data(), masks.data(), turned.data()});
    std::vector<std::uint32_t> kept(values.size()), expected_masks(warps), reversed(values);
    for (std::uint32_t w = 0; w < warps; ++w) {
      std::uint32_t to = w * 32;
      for (std::uint32_t lane = 0; lane < 32; ++lane)
        if (values[w * 32 + lane] % 2 == 1) kept[to++] = values[w * 32 + lane], expected_masks[w] |= 1u << lane;
      std::reverse(reversed.begin() + w * 32, reversed.begin() + (w + 1) * 32);
    }
    CHECK(to_host(exec, out.data(), values.size()) == kept);
    CHECK(to_host(exec, masks.data(), warps) == expected_masks);
    CHECK(to_host(exec, turned.data(), values.size()) == reversed);
  }
}

/// Checks that a growing array keeps its elements, doubles, and frees all of its memory.
template <class Exec>
void check_growing_array() {
  Exec exec;
  {
    GrowingArray<std::uint32_t, Exec> list(exec, "list");
    CHECK(list.data() == nullptr);
    std::size_t allocations = 0, size = 0;
    for (const void* at = nullptr; size < 1000; size += 7) {
      list.grow_to(size + 7);
      if (list.data() != at) ++allocations, at = list.data();
      exec.for_each("doubling", 7, DoublingFrom{list.data() + size, static_cast<std::uint32_t>(size)});
    }
    CHECK(list.size() == size);
    CHECK(allocations == 9);  // 7, 14, ..., 1792
    const auto held = to_host(exec, list.data(), size);
    bool all = true;
    for (std::uint32_t i = 0; i < size; ++i) all = all && held[i] == 2 * i;
    CHECK(all);
    list.grow_to(3);  // the array never shrinks
    CHECK(list.size() == size);
    list.reserve(5000);
    const void* const there = list.data();
    list.grow_to(5000);
    CHECK(list.data() == there);
    CHECK(to_host(exec, list.data(), size) == held);
  }
  CHECK(exec.memory().live() == 0);
}

template <class Exec>
void check_memory_ledger() {
  Exec exec;
  {
    auto a = exec.template array<std::uint32_t>("a", 100);
    auto b = exec.template array<std::uint64_t>("b", 10, Allocation::scratch);
    auto moved = std::move(a);
    CHECK(exec.memory().live() == 480);
    moved = {};
    CHECK(exec.memory().live() == 80);
  }
  CHECK(exec.memory().live() == 0);
  CHECK(exec.memory().peak() == 480);
  CHECK(exec.memory().peak_temporary() == 80);
}

/// Checks that an allocation larger than any machine's memory is an error of kind out_of_memory, and that the executor
/// remains usable.
template <class Exec>
void check_out_of_memory(std::size_t too_many_bytes) {
  Exec exec;
  bool refused = false;
  try {
    exec.template array<std::byte>("far too much", too_many_bytes);
  } catch (const ErrorException& e) {
    refused =
        e.error().kind == ErrorKind::out_of_memory && e.error().message().find("far too much") != std::string::npos;
  }
  CHECK(refused);
  CHECK(exec.memory().live() == 0);
  auto out = exec.template array<std::uint32_t>("out", 3);
  exec.for_each("doubling", 3, Doubling{out.data()});
  CHECK(to_host(exec, out.data(), 3) == std::vector<std::uint32_t>{0, 2, 4});
}

/// Checks that, after mark_unwritten(), each byte of a new array is the given one, even if the memory was used before.
template <class Exec>
void check_unwritten_memory() {
  Exec exec;
  const std::uint32_t n = 1000;
  const std::vector<std::uint32_t> written(n, 7);
  exec.upload(exec.template array<std::uint32_t>("used before", n).data(), std::span<const std::uint32_t>(written));
  exec.mark_unwritten();
  const auto fresh = exec.template array<std::uint32_t>("fresh", n);
  std::vector<std::uint32_t> there(n);
  exec.download(std::span(there), fresh.data());
  CHECK(there == std::vector<std::uint32_t>(n, no_id));
}

/// Checks that arrays and the scratch of sorts fail above a limit as if the memory were used up, and that everything
/// works below it.
template <class Exec>
void check_memory_limit() {
  Exec exec;
  const std::uint32_t n = 100000;
  const auto refused = [&](auto work) {
    try {
      work();
    } catch (const ErrorException& e) {
      return e.error().kind == ErrorKind::out_of_memory;
    }
    return false;
  };
  exec.memory().limit_to(4 * n);
  const auto values = scrambled(n);
  auto keys = exec.template array<std::uint32_t>("keys", n);
  exec.upload(keys.data(), std::span<const std::uint32_t>(values));
  CHECK(refused([&] { exec.template array<std::byte>("one more", 1); }));
  CHECK(refused([&] { exec.sort("by last digit", keys.data(), n, ByLastDigit{}); }));
  CHECK(exec.memory().peak() == 4 * n);
  exec.memory().limit_to(100);  // less than the arrays hold
  CHECK(refused([&] { exec.template array<std::byte>("one more", 1); }));
  exec.memory().limit_to(~0ull);
  exec.sort("by last digit", keys.data(), n, ByLastDigit{});
  auto expected = values;
  std::sort(expected.begin(), expected.end(), ByLastDigit{});
  CHECK(to_host(exec, keys.data(), n) == expected);
}

/// Checks that a sort in any small amount of memory is correct or fails with an error.
template <class Exec>
void check_sorts_in_little_memory() {
  constexpr std::uint32_t n = 20000;
  const auto values = scrambled(n);
  auto expected = values;
  std::sort(expected.begin(), expected.end());
  std::uint64_t held = 0, peak = 1;
  std::size_t refused = 0;
  for (std::uint64_t part = 0; part <= 50; ++part) {
    Exec exec;
    auto keys = exec.template array<std::uint32_t>("keys", n),
         other_keys = exec.template array<std::uint32_t>("keys", n);
    auto ids = exec.template array<std::uint32_t>("ids", n), other_ids = exec.template array<std::uint32_t>("ids", n);
    exec.upload(keys.data(), std::span<const std::uint32_t>(values));
    exec.upload(ids.data(), std::span<const std::uint32_t>(values));
    held = exec.memory().live();
    // Measure the memory of a sort in the first run.
    if (part > 0) exec.memory().limit_to(held + (peak - held) * (part - 1) / 49);
    INFO("room for " << (part > 0 ? (peak - held) * (part - 1) / 49 : ~0ull) << " bytes of " << peak - held);
    DoubleBuffer<std::uint32_t> k{keys.data(), other_keys.data()}, v{ids.data(), other_ids.data()};
    try {
      exec.sort_pairs("pairs", k, v, n, 10);
      CHECK(to_host(exec, k.current, n) == expected);
      CHECK(to_host(exec, v.current, n) == expected);
    } catch (const ErrorException& e) {
      CHECK(e.error().kind == ErrorKind::out_of_memory);
      CHECK(exec.memory().live() == held);
      ++refused;
    }
    if (part == 0) peak = exec.memory().peak();
  }
  REQUIRE(peak > held);
  CHECK(refused > 0);
  CHECK(refused < 51);
}

/// Checks that launches are counted, but not loops over nothing.
template <class Exec>
void check_launch_count() {
  Exec exec;
  auto out = exec.template array<std::uint32_t>("out", 3);
  const std::uint64_t before = exec.launches();
  exec.for_each("doubling", 3, Doubling{out.data()});
  CHECK(exec.launches() == before + 1);
  exec.for_each("doubling", 0, Doubling{out.data()});
  CHECK(exec.launches() == before + 1);
  exec.inclusive_sum("sum", out.data(), 3);
  CHECK(exec.launches() == before + 2);
  exec.exclusive_sum("sum", out.data(), 3);
  CHECK(exec.launches() == before + 3);
}

/// Checks prefix sums in place, of 32-bit numbers modulo 2^32 and of 64-bit numbers, against a loop.
template <class Exec, class T>
void check_prefix_sums() {
  Exec exec;
  for (const std::uint32_t n : {0u, 1u, 2u, 255u, 4096u, 100'000u}) {
    INFO(n << " numbers of " << sizeof(T) << " bytes");
    std::vector<T> values(n), inclusive(n), exclusive(n);
    T sum = 0;
    for (std::uint32_t i = 0; i < n; ++i) {
      values[i] = static_cast<T>(mix64(i));
      exclusive[i] = sum;
      inclusive[i] = sum += values[i];
    }
    for (const bool including : {true, false}) {
      auto data = exec.template array<T>("numbers", n);
      exec.upload(data.data(), std::span<const T>(values));
      if (including)
        exec.inclusive_sum("sum", data.data(), n);
      else
        exec.exclusive_sum("sum", data.data(), n);
      std::vector<T> sums(n);
      exec.download(std::span(sums), static_cast<const T*>(data.data()));
      CHECK(sums == (including ? inclusive : exclusive));
    }
  }
}

/// Checks that executors stop on request. make(stop_token) returns a pointer to an executor.
template <class Make>
void check_stop(Make make) {
  std::stop_source stop;
  auto exec = make(stop.get_token());
  auto out = exec->template array<std::uint32_t>("out", 3);
  exec->for_each("doubling", 3, Doubling{out.data()});
  stop.request_stop();
  ErrorKind kind = ErrorKind::bad_usage;
  try {
    exec->for_each("doubling", 3, Doubling{out.data()});
  } catch (const ErrorException& e) {
    kind = e.error().kind;
  }
  CHECK(kind == ErrorKind::cancelled);
}

}  // namespace kdscope::test
