// Tests the builder's kernels separately, on the CPU back end.
#include <algorithm>
#include <numeric>

#include "algorithms/builders/wald/bitonic_sort.hpp"
#include "algorithms/builders/wald/update_tags.hpp"
#include "algorithms/core/level_order.hpp"
#include "algorithms/exec/cpu_exec.hpp"
#include "tests/support/catch.hpp"

using namespace kdscope;
using namespace kdscope::wald;

TEST_CASE("update tags alone: the paper's step 0 and step 1") {
  std::vector<std::uint32_t> tags(10, 0);
  const auto update = [&](int level) {
    const SplitRule rule{Split::round_robin, 0, 2, ScalarType::int32};
    const UpdateTags kernel{tags.data(), PointAt{nullptr, nullptr, 2, ScalarType::int32}, rule, 10, level};
    for (std::uint32_t i = 0; i < 10 - full_tree_size(level); ++i) kernel(i);
  };
  update(0);
  CHECK(tags == std::vector<std::uint32_t>{1, 1, 1, 1, 1, 1, 0, 2, 2, 2});
  std::sort(tags.begin(), tags.end());
  update(1);
  CHECK(tags == std::vector<std::uint32_t>{0, 3, 3, 3, 1, 4, 4, 5, 2, 6});
}

TEST_CASE("every pass of the bitonic network compares each place at most once, all ascending") {
  for (std::uint32_t size : {2u, 8u, 64u})
    for (std::uint32_t stride = size / 2; stride > 0; stride /= 2) {
      std::vector<int> met(128);
      for (std::uint32_t e = 0; e < 64; ++e) {
        const ExchangePlaces at = ExchangePlaces::of(e, size, stride == size / 2 ? 0 : stride);
        CHECK(at.low < at.high);
        ++met[at.low], ++met[at.high];
      }
      CHECK(std::all_of(met.begin(), met.end(), [](int m) { return m == 1; }));
    }
}

TEST_CASE("a tile's passes end for the largest merge there is") {
  // Merge 2^31, as for more than 2^30 points. The tile performs strides 512 to 1; here it is one tile of two sorted
  // runs.
  CpuExec exec;
  std::vector<std::uint32_t> tags(1024), records(1024);
  std::vector<PointId> ids(1024);
  for (std::uint32_t i = 0; i < 1024; ++i) ids[i] = {i}, records[i] = i < 512 ? 2 * i : 2 * (1023 - i) + 1;
  const SplitRule rule{Split::round_robin, 0, 1, ScalarType::int32};
  const TaggedRange range{tags.data(), ids.data(), records.data(), 1024, 1, rule, 0};
  exec.for_each_block("bitonic tile", 1, TilePasses::lane_count, TilePasses::shared_bytes,
                      TilePasses{range, 1u << 31, 1u << 31, 512});
  std::vector<std::uint32_t> sorted(1024);
  std::iota(sorted.begin(), sorted.end(), 0u);
  CHECK(records == sorted);
}
