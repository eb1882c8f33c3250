#pragma once
// The adaptive split-and-sort builder (Wehr & Radkowski 2018): level by level, it sorts all chunks along the level's
// dimension and makes their medians nodes. Exec and Recorder decide whether the function runs on the CPU or the GPU,
// stepped or timed.

#include <algorithm>
#include <optional>
#include <string>

#include "algorithms/builders/timed_run.hpp"
#include "algorithms/builders/wehr/arrays.hpp"
#include "algorithms/builders/wehr/chunk_sorts.hpp"
#include "algorithms/builders/wehr/level_steps.hpp"
#include "algorithms/builders/wehr/recording.hpp"
#include "algorithms/core/level_order.hpp"
#include "algorithms/exec/scans.hpp"
#include "algorithms/trees/level_order/layout.hpp"
#include "algorithms/trees/level_order/on_device.hpp"

namespace kdscope::wehr {

/// The steps, in the order of the construction.
namespace steps {
constexpr StepLabel radix_pass(const char* name, const char* anchor, StepKind kind = StepKind::launch) {
  return {name, anchor, "", kind, false, name_of(Strategy::parallel_radix)};
}
constexpr StepLabel whole_sort(Strategy strategy, const char* anchor, StepKind kind = StepKind::launch) {
  return {name_of(strategy), anchor, "", kind, false, name_of(strategy)};
}
inline constexpr StepLabel index_generation{"index generation", "wehr/index_generation"};
inline constexpr StepLabel split_into_keys{"split into keys", "wehr/keys"};
inline constexpr StepLabel quantize{"split, scale and quantize", "wehr/keys"};
inline constexpr StepLabel maxima{"maxima", "wehr/keys", "", StepKind::host};
inline constexpr StepLabel histogram_creation = radix_pass("histogram creation", "wehr/histogram_creation");
inline constexpr StepLabel prefix_sum = radix_pass("prefix sum", "wehr/parallel_radix_sort", StepKind::library);
inline constexpr StepLabel distribution = radix_pass("distribution", "wehr/distribution");
inline constexpr StepLabel copy = radix_pass("copy", "wehr/copy");
inline constexpr StepLabel sequential_radix_sort = whole_sort(Strategy::sequential_radix, "wehr/sequential_radix_sort");
inline constexpr StepLabel insertion_sort = whole_sort(Strategy::insertion, "wehr/insertion_sort");
inline constexpr StepLabel sequential_sort = whole_sort(Strategy::sequential, "wehr/sequential_sort", StepKind::host);
inline constexpr StepLabel reorganization{"reorganization", "wehr/reorganization"};
inline constexpr StepLabel create_nodes{"create nodes", "wehr/create_nodes", "", StepKind::launch, true};
}  // namespace steps

/// The keys and indices of the dimension to sort, and a second pair of arrays for the sorts' output.
template <class Exec>
struct SortArrays {
  std::uint32_t* keys;  ///< p_d
  PointId* index;
  Array<std::uint32_t, Exec> t;
  Array<PointId, Exec> t_index;
  Array<std::uint32_t, Exec> counts;  ///< H, large enough for every level
};

/// What the sorts of a build share.
template <class Exec, class Recorder>
struct Sorts {
  Exec& exec;
  SortArrays<Exec>& arrays;
  const WehrOptions& options;
  Recorder& rec;
  std::optional<StepPresenter>& presenter;
};

// [region wehr/parallel_radix_sort]
/// Sorts every chunk with a parallel segmented radix sort (Alg. 3). Work O((n + H) passes); three launches and a scan
/// per pass. max: the largest key.
template <class Exec, class Recorder>
void parallel_radix_sort(Sorts<Exec, Recorder>& sorts, const ChunksOfLevel& chunks, std::uint32_t max) {
  Exec& exec = sorts.exec;
  SortArrays<Exec>& a = sorts.arrays;
  const WehrOptions& options = sorts.options;
  Recorder& rec = sorts.rec;
  std::optional<StepPresenter>& recording = sorts.presenter;
  const HistogramLayout layout{chunks, options.base, options.tpb};
  const std::uint32_t n = chunks.n, base = options.base, counts = static_cast<std::uint32_t>(layout.size());
  const int level = chunks.level, passes = passes_for(max, base);
  for (int pass = 0; pass < passes; ++pass) {
    const Digit digit = Digit::of_pass(base, pass);
    const auto h = rec.template probe_rows<std::uint32_t>("h", layout.blocks(), static_cast<int>(2 * base));
    rec.step(
        steps::histogram_creation.at(level, pass),
        [&](const char* name) {
          exec.for_each_block(
              name, layout.blocks(), static_cast<int>(options.tpb), 2 * base * sizeof(std::uint32_t),
              HistogramCreation<decltype(h.probe())>{a.keys, a.counts.data(), layout, digit, h.probe()});
        },
        [&](auto& writer) {
          writer.launched(layout.blocks(), options.tpb);
          recording->counted(writer, pass, writer.read(h.data(), std::size_t(layout.blocks()) * 2 * base),
                             writer.read(a.counts.data(), counts));
        });
    rec.step(
        steps::prefix_sum.at(level, pass), [&](const char* name) { exec.inclusive_sum(name, a.counts.data(), counts); },
        [&](auto& writer) { recording->summed(writer, writer.read(a.counts.data(), counts)); });

    const Distribution distribution{a.keys, a.index, a.t.data(), a.t_index.data(), a.counts.data(), layout, digit};
    const int lanes = lanes_with_counters(base, distribution.pairs());
    const std::uint32_t blocks = (distribution.pairs() - 1) / static_cast<std::uint32_t>(lanes) + 1;
    rec.step(
        steps::distribution.at(level, pass),
        [&](const char* name) {
          exec.for_each_block(name, blocks, lanes, base * static_cast<std::size_t>(lanes) * sizeof(std::uint32_t),
                              distribution);
        },
        [&](auto& writer) {
          writer.launched(blocks, static_cast<std::uint64_t>(lanes));
          recording->distributed(writer, pass, writer.read(a.t.data(), n), writer.read(a.t_index.data(), n));
        });
    rec.step(
        steps::copy.at(level, pass),
        [&](const char* name) {
          exec.for_each(name, n, CopyBack{a.t.data(), a.t_index.data(), a.keys, a.index});
        },
        [&](auto& writer) {
          recording->copied(writer, pass, pass + 1 == passes, writer.read(a.keys, n), writer.read(a.index, n));
        });
  }
}
// [endregion]

// [region wehr/sort]
/// Sorts every chunk with the level's strategy (Alg. 2). max: the largest key.
template <class Exec, class Recorder>
void sort_level(Sorts<Exec, Recorder>& sorts, const ChunksOfLevel& chunks, std::uint32_t max) {
  Exec& exec = sorts.exec;
  SortArrays<Exec>& a = sorts.arrays;
  const WehrOptions& options = sorts.options;
  Recorder& rec = sorts.rec;
  const Strategy strategy = strategy_of(options, chunks.n, chunks.level);
  if (strategy == Strategy::parallel_radix) return parallel_radix_sort(sorts, chunks, max);
  const auto show = [&](auto& writer) {
    sorts.presenter->sorted(writer, writer.read(a.keys, chunks.n), writer.read(a.index, chunks.n));
  };
  if (strategy == Strategy::sequential_radix) {
    const int lanes = lanes_with_counters(options.base, chunks.count());
    const std::uint32_t blocks = (chunks.count() - 1) / static_cast<std::uint32_t>(lanes) + 1;
    rec.step(
        steps::sequential_radix_sort.at(chunks.level),
        [&](const char* name) {
          exec.for_each_block(name, blocks, lanes,
                              options.base * static_cast<std::size_t>(lanes) * sizeof(std::uint32_t),
                              SequentialRadixSort{a.keys, a.index, a.t.data(), a.t_index.data(), chunks, options.base,
                                                  passes_for(max, options.base)});
        },
        show);
  } else if (strategy == Strategy::insertion) {
    rec.step(
        steps::insertion_sort.at(chunks.level),
        [&](const char* name) {
          exec.for_each(name, chunks.count(), InsertionSort{a.keys, a.index, chunks});
        },
        show);
  } else if constexpr (Exec::runs_on_host) {
    rec.step(
        steps::sequential_sort.at(chunks.level),
        [&] { sort_on_one_thread(exec, a.keys, a.index, a.t.data(), a.t_index.data(), chunks); }, show);
  }
}
// [endregion]

/// Builds the tree of medians of `points`, which it consumes: [n] records, 0 <= n < 2^31, 1 to 8 dimensions, float or
/// int32. Level l splits dimension l mod k at the medians of chunks of the real width n / 2^l. The tree is in level
/// order with one point per node: the 2^floor(log2 n) - 1 medians, and the remaining points as leaves. The last level
/// may have gaps. Points are ordered by their keys; equal keys keep the order of the level before, initially the order
/// of the points. The result is an exact kd-tree if no two distinct coordinates share a key; exact keys guarantee this.
/// Work O(n log n) times the digits of a key. Memory beside the points, per point: k keys, an index, a scratch key and
/// a scratch index, and up to two slots of the tree. H is additional (histogram.hpp). Throws ErrorException.
template <class Exec, class Recorder>
LevelOrderTreeOnDevice<Exec> build(Exec& exec, PointsOnDevice<Exec> points, const WehrOptions& options, Recorder& rec) {
  const std::uint32_t n = points.n, k = points.dim;
  const int levels = median_levels(n);
  auto p = exec.template array<std::uint32_t>("p", std::size_t(k) * n);
  auto index = exec.template array<PointId>("index", n);
  LevelOrderTreeOnDevice<Exec> tree{exec.template array<PointId>("tree", median_tree_slots(n))};
  SortArrays<Exec> a{nullptr, index.data(), exec.template array<std::uint32_t>("T", n, Allocation::scratch),
                     exec.template array<PointId>("T", n, Allocation::scratch),
                     exec.template array<std::uint32_t>("H", largest_histogram(options, n), Allocation::scratch)};
  KeyFunction key_function;
  std::uint32_t max[max_dim] = {};
  // Empty unless a trace is recorded: a full-speed build shows no step
  std::optional<StepPresenter> recording;
  Sorts<Exec, Recorder> sorts{exec, a, options, rec, recording};

  rec.step(
      steps::index_generation, [&](const char* name) { exec.for_each(name, n, IndexGeneration{index.data()}); },
      [&](auto& writer) {
        recording.emplace(
            PointSet{points.type, k, points.stride - k, writer.read(points.words.data(), points.words.size())},
            options);
        recording->indexed(writer, writer.read(index.data(), n));
      });
  rec.step(
      options.keys == KeyChoice::exact ? steps::split_into_keys : steps::quantize,
      [&](const char* name) {
        if (n == 0) return;
        const KeyBox box =
            exec.template reduce<KeyBox>("box", n, BoxOfPoint{points.view()}, Enclose{}, empty_key_box());
        key_function = keys_of(box, k, points.type, options);
        std::visit(
            [&]<class Keys>(const Keys& keys) {
              for (std::uint32_t d = 0; d < k; ++d) max[d] = keys.key(word_of_ordered_key(box.hi[d], points.type), d);
              exec.for_each(name, n, SplitIntoKeys<Keys>{points.view(), keys, p.data()});
            },
            key_function);
      },
      [&](auto& writer) { recording->split(writer, writer.read(p.data(), p.size())); });
  // Keys preserve the order, so the largest coordinate has the largest key and no second reduction is needed.
  rec.step(
      steps::maxima, [] {},
      [&](auto& writer) {
        recording->bounded(writer, {max, max + k});
      });

  for (int level = 0; level <= levels && n > 0; ++level) {
    const ChunksOfLevel chunks{n, level};
    if (recording) recording->open_level(chunks);
    if (level < levels) {
      const std::uint32_t dim = static_cast<std::uint32_t>(level) % k;
      a.keys = p.data() + std::size_t(dim) * n;
      sort_level(sorts, chunks, max[dim]);
      if (k > 1)
        rec.step(
            steps::reorganization.at(level),
            [&](const char* name) {
              std::visit(
                  [&]<class Keys>(const Keys& keys) {
                    exec.for_each(name, n, Reorganization<Keys>{points.view(), keys, index.data(), p.data(), dim});
                  },
                  key_function);
            },
            [&](auto& writer) { recording->reorganized(writer, writer.read(p.data(), p.size())); });
    }
    rec.step(
        steps::create_nodes.at(level),
        [&](const char* name) {
          exec.for_each(name, chunks.count(),
                        CreateNodes{index.data(), tree.point_of_node.data(), chunks, level == levels});
        },
        [&](auto& writer) {
          std::vector<PointId> now = writer.read(tree.point_of_node.data(), tree.point_of_node.size());
          std::fill(now.begin() + full_tree_size(level + 1), now.end(), PointId{no_id});  // not written yet
          recording->created(writer, std::move(now), writer.read(index.data(), n), writer.read(p.data(), p.size()));
        });
  }
  return tree;
}

/// The builder in the form that builders/timed_run.hpp runs.
struct Construction {
  using Tree = LevelOrderTree;
  using Options = WehrOptions;
  static constexpr UploadPoints upload{};
  static void declare(ArrayList& list, const Options&) { wehr::declare(list); }
  template <class Exec, class Recorder>
  static auto build(Exec& exec, PointsOnDevice<Exec> points, const Options& options, Recorder& rec) {
    return wehr::build(exec, std::move(points), options, rec);
  }
};

}  // namespace kdscope::wehr
