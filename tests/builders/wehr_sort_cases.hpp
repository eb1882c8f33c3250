#pragma once
// Tests the sorts of the wehr builder separately, on any back end: each strategy against std::stable_sort per chunk.

#include <algorithm>
#include <numeric>
#include <span>

#include "algorithms/builders/wehr/wehr.hpp"
#include "algorithms/core/hash.hpp"
#include "algorithms/trees/level_order/layout.hpp"
#include "tests/support/catch.hpp"

namespace kdscope::test {

/// Sorts artificial keys of one level, compares them, and returns the failure or "". max: the largest key.
template <class Exec>
std::string sort_failure(std::uint32_t n, int level, const wehr::WehrOptions& options, std::uint32_t max,
                         std::uint32_t seed) {
  std::vector<std::uint32_t> keys(n), wanted_keys;
  std::vector<PointId> ids(n), wanted_ids;
  for (std::uint32_t i = 0; i < n; ++i) {
    keys[i] = static_cast<std::uint32_t>(mix64(std::uint64_t(seed) << 32 | i) % (std::uint64_t(max) + 1));
    ids[i] = {n - 1 - i};
  }
  if (n > 0) keys[seed % n] = max;
  const ChunksOfLevel chunks{n, level};
  std::vector<std::uint32_t> order(n);
  std::iota(order.begin(), order.end(), 0u);
  for (std::uint32_t c = 0; c < chunks.count(); ++c)
    std::stable_sort(order.begin() + chunks.chunk(c).begin, order.begin() + chunks.chunk(c).end,
                     [&](auto a, auto b) { return keys[a] < keys[b]; });
  for (std::uint32_t i : order) wanted_keys.push_back(keys[i]), wanted_ids.push_back(ids[i]);

  Exec exec;
  auto p = exec.template array<std::uint32_t>("p", n);
  auto index = exec.template array<PointId>("index", n);
  exec.upload(p.data(), std::span<const std::uint32_t>(keys));
  exec.upload(index.data(), std::span<const PointId>(ids));
  wehr::SortArrays<Exec> arrays{p.data(), index.data(), exec.template array<std::uint32_t>("T", n),
                                exec.template array<PointId>("T", n),
                                exec.template array<std::uint32_t>("H", wehr::largest_histogram(options, n))};
  NullRecorder recorder;
  std::optional<wehr::StepPresenter> recording;
  wehr::Sorts<Exec, NullRecorder> sorts{exec, arrays, options, recorder, recording};
  wehr::sort_level(sorts, chunks, max);
  exec.download(std::span(keys), p.data());
  exec.download(std::span(ids), index.data());
  if (keys == wanted_keys && ids == wanted_ids) return "";
  return std::string(name_of(wehr::strategy_of(options, n, level))) + ", n " + std::to_string(n) + ", level " +
         std::to_string(level) + ", base " + std::to_string(options.base) + ", tpb " + std::to_string(options.tpb) +
         ", largest key " + std::to_string(max) + "\n";
}

/// Tests the parallel sort on every level whose chunks are at least as wide as a block, for all given bases and blocks.
template <class Exec>
void check_parallel_sort(const std::vector<std::uint32_t>& sizes, const std::vector<std::uint32_t>& tpbs,
                         const std::vector<std::uint32_t>& bases) {
  std::string failures;
  std::uint32_t seed = 0, parallel = 0;
  for (std::uint32_t n : sizes)
    for (std::uint32_t tpb : tpbs)
      for (std::uint32_t base : bases)
        for (int level = 0; level <= median_levels(n) && n >= std::uint64_t(tpb) << level; ++level)
          for (std::uint32_t max : {0xffffffffu, base - 1, 700u}) {
            wehr::WehrOptions options{base, tpb, tpb};
            parallel += wehr::strategy_of(options, n, level) == wehr::Strategy::parallel_radix;
            failures += sort_failure<Exec>(n, level, options, max, ++seed);
          }
  CHECK(failures == "");
  CHECK(parallel == seed);
  CHECK(seed > 10);
}

/// Tests the sorts with one thread per chunk, by radix and by insertion, on every level.
template <class Exec>
void check_sorts_by_chunk(const std::vector<std::uint32_t>& sizes, const std::vector<std::uint32_t>& bases) {
  std::string failures;
  std::uint32_t seed = 0;
  for (std::uint32_t n : sizes)
    for (int level = 0; level <= median_levels(n); ++level)
      for (std::uint32_t base : bases)
        for (std::uint32_t max : {0xffffffffu, base - 1, 0u})
          for (wehr::SortChoice sort :
               {wehr::SortChoice::naive_radix, wehr::SortChoice::naive_insertion, wehr::SortChoice::sequential}) {
            if (sort == wehr::SortChoice::sequential && !Exec::runs_on_host) continue;
            failures += sort_failure<Exec>(n, level, {base, 32, 32, 1, wehr::Scale::common, sort}, max, ++seed);
          }
  CHECK(failures == "");
}

}  // namespace kdscope::test
