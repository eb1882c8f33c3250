#pragma once
// Construction on several devices (Robinson, "Multiple GPU Extensions", based on the sort of Tanasic et al.): the
// points are sorted across all parts by the first dimension, and their median divides the parts into two groups. Each
// group continues with the next dimension until each part holds one subtree. The source has two parts. Here there are
// 2^m parts, and neighbours exchange points by the source's steps, in the rounds of an odd-even transposition sort.

#include <bit>

#include "algorithms/builders/brown/part.hpp"
#include "algorithms/core/index_range.hpp"
#include "algorithms/core/level_order.hpp"
#include "algorithms/trees/median_stores/layout.hpp"
#include "algorithms/trees/median_stores/on_device.hpp"

namespace kdscope::brown {

/// The steps, in the order of the construction.
namespace steps {
inline constexpr StepLabel find_pivots{"find pivots", "brown/find_pivot"};
inline constexpr StepLabel swap{"swap", "brown/swap"};
inline constexpr StepLabel merge{"merge", "brown/merge_sort"};
inline constexpr StepLabel original_indices{"original indices", "brown/rebalance"};
inline constexpr StepLabel rebalance{"rebalance", "brown/rebalance", "", StepKind::launch, true};
}  // namespace steps

// [region brown/find_pivot]
/// Finds by binary search how many of the greatest points of `low` to swap with as many of the least points of `high`:
/// the first p with low[n - p - 1] < high[p]. (The source counts one list from 1, the other from 0.) pivot: [1].
struct FindPivot {
  SortedPart low, high;
  std::uint32_t dim;
  std::uint32_t* pivot;

  KDSCOPE_HD void operator()(std::uint32_t) const {
    // low[n - p - 1] falls and high[p] rises with p, so the test holds from some p on: bisect for the first such p. One
    // thread suffices for O(log n) reads, half of them from the other part's memory.
    std::uint32_t from = 0, to = low.n < high.n ? low.n : high.n;
    while (from < to) {
      const std::uint32_t p = (from + to) / 2;
      if (less(low.references[low.n - p - 1], high.references[p]))
        to = p;
      else
        from = p + 1;
    }
    *pivot = from;
  }

 private:
  KDSCOPE_HD bool less(const Reference& a, const Reference& b) const {
    if (a.value != b.value) return a.value < b.value;
    const int order = compare_super_keys(low.points, a.point.value, high.points, b.point.value, dim);
    return order != 0 ? order < 0 : low.original[a.point.value] < high.original[b.point.value];
  }
};
// [endregion]

// [region brown/swap]
/// Packs the points that leave a part, in order, for one contiguous copy: long contiguous copies are fastest between
/// devices. The points themselves are swapped, not their references. Each point goes to the place that the other
/// point's reference names, so references stay unique but refer to other points afterwards.
struct PackLeaving {
  const std::uint32_t *words, *original;
  std::uint32_t stride;
  const Reference* references;  ///< references of the leaving points
  std::uint32_t* packed;        ///< [leaving x (stride + 2)] record, original index, value

  KDSCOPE_HD void operator()(std::uint32_t i) const {
    // References are read in order, records at random; the packed points lie one after another
    const Reference leaving = references[i];
    std::uint32_t* const to = packed + std::size_t(i) * (stride + 2);
    for (std::uint32_t w = 0; w < stride; ++w) to[w] = words[std::size_t(leaving.point.value) * stride + w];
    to[stride] = original[leaving.point.value];
    to[stride + 1] = leaving.value;
  }
};

/// Unpacks the points that arrive from the other part.
struct TakeArriving {
  std::uint32_t *words, *original;
  std::uint32_t stride;
  Reference* references;  ///< references of the points that left
  const std::uint32_t* packed;

  KDSCOPE_HD void operator()(std::uint32_t i) const {
    // The reference keeps its index. The arriving record goes to that index, and its coordinate to the reference
    Reference& reference = references[i];
    const std::uint32_t* const from = packed + std::size_t(i) * (stride + 2);
    for (std::uint32_t w = 0; w < stride; ++w) words[std::size_t(reference.point.value) * stride + w] = from[w];
    original[reference.point.value] = from[stride];
    reference.value = from[stride + 1];
  }
};
// [endregion]

// [region brown/rebalance]
/// Moves points of one part, in the order of its references, to their new places in another part or in the same one.
/// words: [n x stride], original: [n]. i counts places in the new order, w words.
struct MovePoints {
  PointsView from;
  const std::uint32_t* original;
  const PointId* order;
  std::uint32_t *to_words, *to_original;

  KDSCOPE_HD void operator()(std::uint32_t i) const {
    const std::uint32_t point = order[i].value;
    for (std::uint32_t w = 0; w < from.stride; ++w)
      to_words[std::size_t(i) * from.stride + w] = from.words[std::size_t(point) * from.stride + w];
    to_original[i] = original[point];
  }
};
// [endregion]

/// Stores the median of several parts' points.
struct TakeMedian {
  const std::uint32_t* original;
  const PointId* median;
  PointId* entry;
  KDSCOPE_HD void operator()(std::uint32_t) const { *entry = {original[median->value]}; }
};

/// Copies a part's records, still in their order, to the array of all records. to: the place of the part's first
/// record. One thread per record; w counts words.
struct GatherRecords {
  PointsView from;
  std::uint32_t* to;
  KDSCOPE_HD void operator()(std::uint32_t i) const {
    for (std::size_t w = std::size_t(i) * from.stride; w < (std::size_t(i) + 1) * from.stride; ++w)
      to[w] = from.words[w];
  }
};

// [region brown/join]
/// Copies a part's stores into the stores of the whole tree, below its `top` uppermost levels. stores, original: the
/// part's.
struct JoinStores {
  const PointId* stores;
  const std::uint32_t* original;
  std::uint32_t part;
  int top;
  PointId* joined;
  KDSCOPE_HD void operator()(std::uint32_t i) const {
    // The part's number is the path to its subtree, so it precedes the entry's own address, bit by bit
    const int level = level_of(NodeId{i});
    const std::uint32_t address = (part << level) + (i - store_begin(level)), point = stores[i].value;
    joined[store_begin(level + top) + address] = {point == no_id ? no_id : original[point]};
  }
};

/// Sets the references of all nodes from the finished stores.
struct NodesOfStores {
  const PointId* stores;
  std::uint32_t slots;
  std::uint32_t *less, *greater;
  KDSCOPE_HD void operator()(std::uint32_t i) const {
    const std::uint32_t point = stores[i].value;
    if (point == no_id || 2 * std::uint64_t(i) + 2 >= slots) return;  // the entries of the last level have no children
    less[point] = stores[2 * i + 1].value;
    greater[point] = stores[2 * i + 2].value;
  }
};
// [endregion]

/// Marks the entries of a store as empty.
struct NoPoint {
  PointId* stores;
  KDSCOPE_HD void operator()(std::uint32_t i) const { stores[i] = {no_id}; }
};

struct OriginalIndices {
  std::uint32_t first;
  std::uint32_t* original;
  KDSCOPE_HD void operator()(std::uint32_t i) const { original[i] = first + i; }
};

/// Exchanges points between pairs of neighbouring parts, the first pair beginning at part `first`. The greatest points
/// of the lower part are swapped with the least of the upper part until every point of the lower part is less than
/// every point of the upper one. Each part then merges its two runs. Work O(n), and O(log n) by a single thread.
template <class Exec, class Recorder>
void exchange(Build<Exec, Recorder>& build, std::uint32_t together, std::uint32_t round, std::uint32_t dim) {
  DeviceGroup<Exec>& group = build.group;
  std::vector<Part<Exec>>& parts = build.parts;
  Recorder& rec = build.rec;
  struct Pair {
    Part<Exec>*low, *high;
    std::uint32_t pivot = 0;
  };
  std::vector<Pair> pairs;
  for (std::uint32_t group_begin = 0; group_begin < parts.size(); group_begin += together)
    for (std::uint32_t p = round % 2; p + 1 < together; p += 2)
      pairs.push_back({&parts[group_begin + p], &parts[group_begin + p + 1]});
  const int pass = static_cast<int>(round);
  const auto shown_pairs = [&] {
    std::vector<ExchangingPair> shown;
    for (const Pair& pair : pairs) {
      const auto low = static_cast<std::uint32_t>(pair.low - parts.data());
      shown.push_back({low, low + 1, pair.pivot});
    }
    return shown;
  };
  const auto sorted_references = [&](auto& writer) {
    return read_parts(
        build, writer, [](const Part<Exec>& part) { return part.sorted; }, records_of<Exec>);
  };
  rec.step(
      steps::find_pivots.at(-1, pass).of(phase_of(dim)),
      [&] {
        group.meet();
        for (Pair& pair : pairs)
          pair.low->exec->for_each(
              "find pivot", 1,
              FindPivot{pair.low->sorted_part(), pair.high->sorted_part(), dim, pair.low->counts.data()});
        for (Pair& pair : pairs) pair.low->exec->download(std::span(&pair.pivot, 1), pair.low->counts.data());
      },
      [&](auto& writer) { placed(build, writer, records_of<Exec>).found_pivots(writer, dim, shown_pairs()); });
  rec.step(
      steps::swap.at(-1, pass).of(phase_of(dim)),
      [&] {
        const auto leaving = [&](const Pair& pair, const Part<Exec>* part) {
          return part == pair.low ? part->sorted + (part->points.n - pair.pivot) : part->sorted;
        };
        for (Pair& pair : pairs)
          for (Part<Exec>* part : {pair.low, pair.high}) {
            part->leaving = part->exec->template array<std::uint32_t>(
                "leaving points", std::size_t(pair.pivot) * (part->points.stride + 2), Allocation::scratch);
            part->exec->for_each("pack leaving", pair.pivot,
                                 PackLeaving{part->points.words.data(), part->original.data(), part->points.stride,
                                             leaving(pair, part), part->leaving.data()});
          }
        group.meet();
        for (Pair& pair : pairs)
          for (auto [part, other] : {std::pair{pair.low, pair.high}, std::pair{pair.high, pair.low}})
            part->exec->for_each("take arriving", pair.pivot,
                                 TakeArriving{part->points.words.data(), part->original.data(), part->points.stride,
                                              leaving(pair, part), other->leaving.data()});
        group.meet();
        for (Part<Exec>& part : parts) part.leaving = {};
      },
      [&](auto& writer) {
        placed(build, writer, records_of<Exec>).swapped(writer, dim, sorted_references(writer), shown_pairs());
      });
  rec.step(
      steps::merge.at(-1, pass).of(phase_of(dim)),
      [&](const char* name) {
        for (Pair& pair : pairs) {
          if (pair.pivot == 0) continue;
          for (Part<Exec>* part : {pair.low, pair.high}) {
            Reference* const to =
                part->sorted == part->references.data() ? part->merged.data() : part->references.data();
            const std::uint32_t n = part->points.n, first_run = part == pair.low ? n - pair.pivot : pair.pivot;
            part->exec->for_each_block(name, tiles_of(n), sort_lanes, merge_shared_bytes,
                                       MergeTwoRuns{part->sorted, to, n, first_run, part->less_by(dim)});
            part->sorted = to;
          }
        }
      },
      [&](auto& writer) {
        const bool last = together == 2 || round + 1 == together;
        placed(build, writer, records_of<Exec>).sorted(writer, dim, 0, sorted_references(writer), last ? together : 1);
      });
}

/// Divides each group of `together` parts, sorted across the group, at its median. The median goes into the store of
/// `level`. Lesser points are spread evenly over the first half of the parts and greater points over the second half,
/// with records in the order of the dimension. The parts' references must be free of duplicates.
template <class Exec>
void rebalance(DeviceGroup<Exec>& group, std::vector<Part<Exec>>& parts, std::uint32_t together, int level,
               std::uint32_t dim, PointId* stores) {
  std::vector<PointsOnDevice<Exec>> points(parts.size());
  std::vector<Array<std::uint32_t, Exec>> original(parts.size());
  std::vector<std::uint64_t> first(parts.size());  // position of each part's first point in its group
  std::vector<PositionRange> wanted(parts.size());
  for (std::uint32_t p = 0; p < parts.size(); ++p) first[p] = p % together == 0 ? 0 : first[p - 1] + parts[p - 1].n;
  for (std::uint32_t p = 0; p < parts.size(); ++p) {
    const std::uint32_t last = p / together * together + together - 1, in_half = p % (together / 2);
    const PositionRange all{0, static_cast<std::uint32_t>(first[last] + parts[last].n)};
    const std::uint32_t median = all.size() == 0 ? 0 : median_position(all);
    const PositionRange half =
        p % together < together / 2 ? PositionRange{0, median} : PositionRange{std::min(median + 1, all.end), all.end};
    const std::uint32_t width = (half.size() + together / 2 - 1) / (together / 2);
    wanted[p].begin = std::min(half.end, half.begin + in_half * width);
    wanted[p].end = std::min(half.end, wanted[p].begin + width);
    Exec& exec = *parts[p].exec;
    points[p] = {exec.template array<std::uint32_t>("points", std::size_t(wanted[p].size()) * parts[p].points.stride),
                 wanted[p].size(), parts[p].points.dim, parts[p].points.stride, parts[p].points.type};
    original[p] = exec.template array<std::uint32_t>("original", wanted[p].size());
    if (p % together == 0 && all.size() > 0) {
      std::uint32_t holder = p;
      while (first[holder] + parts[holder].n <= median) ++holder;
      const Part<Exec>& part = parts[holder];
      part.exec->for_each("take median", 1,
                          TakeMedian{part.original.data(), part.of_dimension[dim].data() + (median - first[holder]),
                                     stores + store_begin(level) + p / together});
    }
  }
  group.meet();
  for (std::uint32_t p = 0; p < parts.size(); ++p)
    for (std::uint32_t to = p / together * together; to < p / together * together + together; ++to) {
      const std::uint64_t begin = std::max<std::uint64_t>(first[p], wanted[to].begin),
                          end = std::min<std::uint64_t>(first[p] + parts[p].n, wanted[to].end);
      if (begin >= end) continue;
      const Part<Exec>& part = parts[p];
      part.exec->for_each(
          "rebalance", static_cast<std::uint32_t>(end - begin),
          MovePoints{part.points.view(), part.original.data(), part.of_dimension[dim].data() + (begin - first[p]),
                     points[to].words.data() + (begin - wanted[to].begin) * part.points.stride,
                     original[to].data() + (begin - wanted[to].begin)});
    }
  group.meet();
  for (std::uint32_t p = 0; p < parts.size(); ++p) {
    parts[p].points = std::move(points[p]);
    parts[p].original = std::move(original[p]);
    parts[p].n = parts[p].points.n;
  }
}

/// Distributes the points over the parts so that each part holds the array of one address of level log2(parts), with
/// its records in the order of the last dimension used. Fills the stores of the levels above. gathered: [all x stride],
/// receives a copy of all records in their original order for the verifier; may be null. Work O(n log n + parts n).
/// Memory: a second copy of the points.
template <class Exec, class Recorder>
void distribute(Build<Exec, Recorder>& build, std::uint32_t* gathered) {
  DeviceGroup<Exec>& group = build.group;
  std::vector<Part<Exec>>& parts = build.parts;
  MedianStoreTreeOnDevice<Exec>& tree = build.tree;
  Recorder& rec = build.rec;
  if (gathered) group.meet();  // the first member has allocated it; only after this may others write to it
  rec.step(
      steps::original_indices,
      [&] {
        for (std::uint32_t p = 0, first = 0; p < parts.size(); first += parts[p++].points.n) {
          parts[p].original = parts[p].exec->template array<std::uint32_t>("original", parts[p].points.n);
          parts[p].exec->for_each("original", parts[p].points.n, OriginalIndices{first, parts[p].original.data()});
          if (gathered)
            parts[p].exec->for_each(
                "gather points", parts[p].points.n,
                GatherRecords{parts[p].points.view(), gathered + std::size_t(first) * parts[p].points.stride});
        }
      },
      [&](auto& writer) { placed(build, writer, records_of<Exec>).distributed(writer); });
  int& level = build.levels;
  for (std::uint32_t together = static_cast<std::uint32_t>(parts.size()); together > 1; together /= 2) {
    const std::uint32_t dim = static_cast<std::uint32_t>(level) % parts.front().points.dim;
    sort_references(build, dim, [](const Part<Exec>& part) { return Unsorted{nullptr, 0, part.points.n}; });
    for (std::uint32_t round = 0; round < (together == 2 ? 1 : together); ++round)
      exchange(build, together, round, dim);
    if (level == 0) remove_duplicates(build, dim);
    rec.step(
        steps::rebalance.at(level).of(phase_of(dim)),
        [&] {
          if (level == 0) {
            for (const Part<Exec>& part : parts) build.unique += part.n;
            tree.stores = group.first().template array<PointId>("median stores", store_slots(build.unique));
            group.first().for_each("median stores", static_cast<std::uint32_t>(tree.stores.size()),
                                   NoPoint{tree.stores.data()});
            group.meet();
          } else
            for (Part<Exec>& part : parts)
              part.exec->for_each("copy references", part.n,
                                  PointsOfReferences{part.sorted, part.of_dimension[dim].data()});
          rebalance(group, parts, together, level++, dim, tree.stores.data());
        },
        [&](auto& writer) {
          placed(build, writer, references_of<Exec>).rebalanced(writer, level - 1, read_tree(build, writer));
        });
  }
}

}  // namespace kdscope::brown
