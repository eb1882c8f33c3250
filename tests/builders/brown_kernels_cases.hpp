#pragma once
// Tests the kernels of the brown builder separately, on any back end: every partitioner against std::stable_partition,
// the hand-written merge sort against std::sort, and the removal of duplicates against std::unique.

#include <algorithm>
#include <vector>

#include "algorithms/builders/brown/distribute.hpp"
#include "algorithms/builders/brown/duplicates.hpp"
#include "algorithms/builders/brown/merge_sort.hpp"
#include "algorithms/builders/brown/partition.hpp"
#include "algorithms/builders/brown/verify.hpp"
#include "algorithms/core/hash.hpp"
#include "algorithms/core/index_range.hpp"
#include "algorithms/exec/scans.hpp"
#include "algorithms/trees/median_stores/on_device.hpp"
#include "algorithms/trees/median_stores/reference.hpp"
#include "tests/support/catch.hpp"

namespace kdscope::test {

/// Returns points with few distinct values. unique: makes them unique by their last coordinate.
inline PointSet brown_points(std::uint32_t n, bool unique) {
  PointSet points{ScalarType::int32, 3, 0, {}};
  for (std::uint32_t i = 0; i < n; ++i)
    for (std::uint32_t d = 0; d < 3; ++d)
      points.words.push_back(
          word_of(static_cast<std::int32_t>(d == 2 && unique ? mix64(i) % 5 * 100000 + i : mix64(i * 3 + d) % 11)));
  return points;
}

template <class T, class Exec>
std::vector<T> fetched(Exec& exec, const T* from, std::size_t n) {
  std::vector<T> host(n);
  exec.download(std::span<T>(host), from);
  return host;
}

template <class Exec>
Array<std::uint32_t, Exec> uploaded_words(Exec& exec, const PointSet& points) {
  auto words = exec.template array<std::uint32_t>("points", points.words.size());
  exec.upload(words.data(), std::span<const std::uint32_t>(points.words));
  return words;
}

/// Returns all points, sorted by the super key of a dimension.
inline std::vector<PointId> by_super_key(const PointSet& points, std::uint32_t dim) {
  const PointsView view = view_of(points);
  std::vector<PointId> order;
  for (std::uint32_t i = 0; i < view.n; ++i) order.push_back({i});
  std::stable_sort(order.begin(), order.end(),
                   [&](PointId a, PointId b) { return compare_super_keys(view, a.value, b.value, dim) < 0; });
  return order;
}

template <class Exec>
void check_brown_partitioners() {
  using namespace brown;
  for (const std::uint32_t n : {4u, 5u, 16u, 17u, 33u, 100u, 1000u, 5000u}) {
    const PointSet points = brown_points(n, true);
    const PointsView view = view_of(points);
    Exec exec;
    const auto words = uploaded_words(exec, points);
    const PointsView there{words.data(), n, 3, 3, points.type};
    std::vector<PointId> primary = by_super_key(points, 0), array = by_super_key(points, 1);
    for (int level = 0; longest_array(n, level) >= 4; ++level) {
      // At a deeper level, fill each array with its own points: those of a range of the sorted array, ordered by
      // another dimension.
      std::vector<PointId> from, stores(store_begin(level + 1), PointId{no_id}), expected(n, PointId{no_id});
      from.assign(n, PointId{no_id});
      for (std::uint32_t a = 0; a < 1u << level; ++a) {
        const PositionRange range = array_at(n, level, a);
        std::copy(primary.begin() + range.begin, primary.begin() + range.end, from.begin() + range.begin);
        std::sort(from.begin() + range.begin, from.begin() + range.end,
                  [&](PointId x, PointId y) { return compare_super_keys(view, x.value, y.value, 1) < 0; });
        const PointId median = primary[median_position(range)];
        stores[store_begin(level) + a] = median;
        std::vector<PointId> parted(from.begin() + range.begin, from.begin() + range.end);
        parted.erase(std::find(parted.begin(), parted.end(), median));
        std::stable_partition(parted.begin(), parted.end(),
                              [&](PointId p) { return compare_super_keys(view, p.value, median.value, 0) < 0; });
        parted.insert(parted.begin() + (median_position(range) - range.begin), PointId{no_id});
        std::copy(parted.begin(), parted.end(), expected.begin() + range.begin);
      }
      const auto medians_and_settled_out = [&](std::vector<PointId> got) {
        for (std::uint32_t i = 0; i < n; ++i)
          if (const int side = side_of_position(n, level, i); side == 0 || side == settled) got[i] = {no_id};
        return got;
      };
      auto from_there = exec.template array<PointId>("from", n),
           stores_there = exec.template array<PointId>("stores", stores.size()),
           primary_there = exec.template array<PointId>("primary", n);
      auto to = exec.template array<PointId>("to", n), less = exec.template array<PointId>("less", n),
           greater = exec.template array<PointId>("greater", n);
      auto sides = exec.template array<std::uint32_t>("sides", PointSides::size<Exec>(n));
      exec.upload(from_there.data(), std::span<const PointId>(from));
      exec.upload(stores_there.data(), std::span<const PointId>(stores));
      exec.upload(primary_there.data(), std::span<const PointId>(primary));
      // Whatever the level before has left is replaced.
      const std::vector<std::uint32_t> left_over(sides.size(), 0x5a5a5a5au);
      exec.upload(sides.data(), std::span<const std::uint32_t>(left_over));
      exec.for_each("mark sides", n, MarkSides{n, level, primary_there.data(), PointSides{sides.data()}});
      for (const auto& [known, coalesces] :
           {std::pair<std::uint32_t*, bool>{nullptr, true}, {sides.data(), true}, {sides.data(), false}}) {
        const PartitionTask parting{there,    n, level, 0, stores_there.data(), from_there.data(), PointSides{known},
                                    coalesces};
        INFO("n = " << n << ", level " << level << (known ? ", sides" : ", tuples") << ", coalesced " << coalesces);
        const std::size_t shared = 2 * (CoalescingBuffer::size * sizeof(PointId) + 16);
        for (const std::uint32_t warps : {1u << level, 2u << level, 16u << level}) {
          auto counts = exec.template array<std::uint32_t>("counts", 2 * warps),
               before = exec.template array<std::uint32_t>("before", 2 * warps);
          exec.for_each_warp("many warps", warps, shared,
                             WarpsPerArray{parting, warps, less.data(), greater.data(), counts.data()});
          exec.transform_exclusive_scan("before", 2 * warps, CountOf{counts.data(), 2 * warps}, before.data());
          exec.for_each_warp(
              "close gaps", warps, 0,
              CloseArrayGaps{n, level, warps, less.data(), greater.data(), counts.data(), before.data(), to.data()});
          CHECK(medians_and_settled_out(fetched(exec, to.data(), n)) == expected);
        }
        for (const std::uint32_t warps : {1u, 3u, 64u}) {
          exec.for_each_warp("one warp", warps, shared, WarpPerArray{parting, warps, to.data()});
          CHECK(medians_and_settled_out(fetched(exec, to.data(), n)) == expected);
        }
        if (const std::uint32_t longest = longest_array(n, level); longest <= 16) {
          const std::uint32_t width = sub_warp_width(longest), arrays_per_warp = 32 / width;
          exec.for_each_warp("sub-warps", ((1u << level) + arrays_per_warp - 1) / arrays_per_warp, 0,
                             SubWarps{parting, width, to.data()});
          CHECK(medians_and_settled_out(fetched(exec, to.data(), n)) == expected);
        }
      }
    }
  }
}

/// Sorts [n] references with the kernels. Returns the buffer that holds the result.
template <class Exec>
brown::Reference* merge_sort(Exec& exec, brown::Reference* references, brown::Reference* other, std::uint32_t n,
                             const brown::SuperKeyLess& less) {
  using namespace brown;
  exec.for_each_block("sort tiles", tiles_of(n), sort_lanes, merge_shared_bytes, SortTiles{references, n, less});
  for (std::uint32_t run = tile; run < n; run *= 2) {
    exec.for_each_block("merge runs", tiles_of(n), sort_lanes, merge_shared_bytes,
                        MergeRuns{references, other, n, run, less});
    std::swap(references, other);
  }
  return references;
}

template <class Exec>
void check_brown_merge_sort_and_removal() {
  using namespace brown;
  for (const std::uint32_t n : {1u, 2u, 33u, 1023u, 1024u, 1025u, 2048u, 5000u, 20000u})
    for (const bool unique : {false, true})
      for (const std::uint32_t dim : {0u, 2u}) {
        INFO("n = " << n << ", dimension " << dim);
        const PointSet points = brown_points(n, unique);
        const PointsView view = view_of(points);
        Exec exec;
        const auto words = uploaded_words(exec, points);
        const PointsView there{words.data(), n, 3, 3, points.type};
        auto references = exec.template array<Reference>("references", n),
             other = exec.template array<Reference>("other", n);
        exec.for_each("initialise", n, InitialiseReferences{there, dim, nullptr, references.data()});
        const Reference* const sorted = merge_sort(exec, references.data(), other.data(), n, SuperKeyLess{there, dim});
        std::vector<PointId> got, expected = by_super_key(points, dim);
        bool beside = true;
        for (const Reference& r : fetched(exec, sorted, n))
          got.push_back(r.point), beside = beside && r.value == view.key(r.point.value, dim);
        CHECK(got == expected);
        CHECK(beside);

        expected.erase(
            std::unique(expected.begin(), expected.end(),
                        [&](PointId a, PointId b) { return compare_super_keys(view, a.value, b.value, dim) == 0; }),
            expected.end());
        for (const std::uint32_t warps : {1u, 2u, 64u}) {
          auto segments = exec.template array<PointId>("segments", n),
               unique_points = exec.template array<PointId>("unique", n);
          auto kept = exec.template array<std::uint32_t>("kept", warps),
               before = exec.template array<std::uint32_t>("before", warps + 1);
          auto removed = exec.template array<std::uint8_t>("removed", n);
          const std::vector<std::uint8_t> none(n);
          exec.upload(removed.data(), std::span<const std::uint8_t>(none));
          const bool coalesces = warps != 2;
          exec.for_each_warp("remove duplicates", warps, CoalescingBuffer::size * sizeof(PointId) + 16,
                             RemoveDuplicates<NoProbe>{{there, nullptr, sorted, n},
                                                       dim,
                                                       warps,
                                                       segments.data(),
                                                       kept.data(),
                                                       removed.data(),
                                                       {},
                                                       coalesces,
                                                       {},
                                                       0});
          exec.transform_exclusive_scan("before", warps + 1, CountOf{kept.data(), warps}, before.data());
          exec.for_each_warp("close gaps", warps, 0,
                             CloseGaps{segments.data(), before.data(), kept.data(), n, warps, unique_points.data()});
          CHECK(fetched(exec, before.data() + warps, 1)[0] == expected.size());
          CHECK(fetched(exec, unique_points.data(), expected.size()) == expected);
          const auto flags = fetched(exec, removed.data(), n);
          CHECK(static_cast<std::size_t>(std::count(flags.begin(), flags.end(), 0)) == expected.size());
          CHECK(std::all_of(expected.begin(), expected.end(), [&](PointId p) { return flags[p.value] == 0; }));
        }
      }
}

/// Compares the pivot of two sorted parts with the result of counting, and the merge of two runs of any lengths with a
/// full sort.
template <class Exec>
void check_brown_pivot_and_merge() {
  using namespace brown;
  for (const std::uint32_t n : {1u, 2u, 3u, 100u, 3000u})
    for (const std::uint32_t of_low : {0u, n / 3, (n + 1) / 2, n}) {
      INFO("n = " << n << ", " << of_low << " in the first part");
      const PointSet points = brown_points(n, false);
      Exec exec;
      const auto words = uploaded_words(exec, points);
      auto references = exec.template array<Reference>("references", n),
           other = exec.template array<Reference>("other", n);
      auto original = exec.template array<std::uint32_t>("original", n),
           pivot = exec.template array<std::uint32_t>("pivot", 1);
      exec.for_each("original", n, OriginalIndices{0, original.data()});
      // Make both parts ranges of one set. Their references index that set, and those of high begin where those of low
      // end.
      const PointsView there{words.data(), n, 3, 3, points.type};
      exec.for_each("initialise", n, InitialiseReferences{there, 1, nullptr, references.data()});
      const SuperKeyLess less{there, 1, original.data()};
      exec.sort("low", references.data(), of_low, less);
      exec.sort("high", references.data() + of_low, n - of_low, less);
      exec.for_each("find pivot", 1,
                    FindPivot{{there, original.data(), references.data(), of_low},
                              {there, original.data(), references.data() + of_low, n - of_low},
                              1,
                              pivot.data()});
      const std::vector<PointId> order = by_super_key(points, 1);
      const auto leaving =
          std::count_if(order.begin(), order.begin() + of_low, [&](PointId p) { return p.value >= of_low; });
      CHECK(fetched(exec, pivot.data(), 1)[0] == static_cast<std::uint32_t>(leaving));
      exec.for_each_block("merge", tiles_of(n), sort_lanes, merge_shared_bytes,
                          MergeTwoRuns{references.data(), other.data(), n, of_low, less});
      std::vector<PointId> merged;
      for (const Reference& r : fetched(exec, other.data(), n)) merged.push_back(r.point);
      CHECK(merged == order);
    }
}

/// Checks that the verifier on the device accepts a sound tree and names the entry of planted damage.
template <class Exec>
void check_brown_verifier() {
  using namespace brown;
  auto points = std::make_shared<PointSet>(brown_points(200, true));
  for (std::uint32_t d = 0; d < 3; ++d)
    points->words.push_back(points->words[3 * 7 + d]);  // point 200 duplicates point 7
  const MedianStoreTree sound = reference_median_store_tree(points);
  REQUIRE(sound.removed == std::vector<PointId>{{200}});
  Exec exec;
  const auto words = uploaded_words(exec, *points);
  const PointsView there{words.data(), 201, 3, 3, points->type};
  const auto verdict = [&](const MedianStoreTree& tree) {
    exec.upload(words.data(), std::span<const std::uint32_t>(points->words));
    MedianStoreTreeOnDevice<Exec> uploaded;
    const auto put = [&](auto& to, const auto& from, const char* name) {
      to = exec.template array<std::remove_cvref_t<decltype(from[0])>>(name, from.size());
      exec.upload(to.data(), std::span(from));
    };
    std::vector<std::uint8_t> removed(201);
    for (const PointId point : tree.removed) removed[point.value] = 1;
    put(uploaded.stores, tree.stores, "stores");
    put(uploaded.less, tree.less, "less");
    put(uploaded.greater, tree.greater, "greater");
    put(uploaded.removed, removed, "removed");
    return first_violation(exec, there, 200, uploaded);
  };
  CHECK(verdict(sound) == no_id);
  MedianStoreTree tree = sound;
  std::swap(tree.stores[60], tree.stores[61]);
  CHECK(verdict(tree) <= 61);
  for (const std::uint32_t entry : {0u, 1u, 30u, 126u}) {
    tree = sound;
    tree.stores[entry] = {no_id};
    CHECK(verdict(tree) <= entry);
    tree.stores[entry] = {200};
    CHECK(verdict(tree) <= entry);
    tree.stores[entry] = sound.stores[entry == 0 ? 1 : 0];
    CHECK(verdict(tree) <= entry);
    tree = sound;
    tree.less[tree.stores[entry].value] = 3;
    CHECK(verdict(tree) == entry);
    tree = sound;
    tree.greater[tree.stores[entry].value] = tree.stores[5].value;
    CHECK(verdict(tree) == entry);
  }
  tree = sound;
  tree.less.clear(), tree.greater.clear();
  CHECK(verdict(tree) == no_id);
  // Plant wrong removals: a point that is neither a node nor marked as removed; the point with the lower index; a point
  // that is not a duplicate.
  tree.removed.clear();
  CHECK(verdict(tree) == 0);
  tree = sound;
  tree.less.clear(), tree.greater.clear();
  const auto of_7 = std::find(tree.stores.begin(), tree.stores.end(), PointId{7});
  *of_7 = {200}, tree.removed = {{7}};
  CHECK(verdict(tree) == static_cast<std::uint32_t>(of_7 - tree.stores.begin()));
  points->words[3 * 200 + 2] = word_of(-1);
  CHECK(verdict(sound) != no_id);
}

}  // namespace kdscope::test
