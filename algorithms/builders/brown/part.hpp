#pragma once
// The state of one executor in a build, and the sort of one dimension's references on it. A build in one part is the
// plain algorithm; with several parts, each part runs it on its own points (distribute.hpp).

#include <algorithm>
#include <optional>
#include <type_traits>
#include <vector>

#include "algorithms/builders/brown/duplicates.hpp"
#include "algorithms/builders/brown/merge_sort.hpp"
#include "algorithms/builders/brown/recording.hpp"
#include "algorithms/builders/run_parts.hpp"
#include "algorithms/exec/comparison_sort.hpp"
#include "algorithms/exec/scans.hpp"
#include "algorithms/trees/median_stores/on_device.hpp"

namespace kdscope::brown {

/// The steps, in the order of the construction.
namespace steps {
inline constexpr StepLabel initialise_references{"initialise references", "brown/initialise_references"};
inline constexpr StepLabel sort{"sort", "brown/super_key", "", StepKind::library};
inline constexpr StepLabel sort_tiles{"sort tiles", "brown/merge_sort"};
inline constexpr StepLabel merge_runs{"merge runs", "brown/merge_sort"};
inline constexpr StepLabel remove_duplicates{"remove duplicates", "brown/remove_duplicates"};
inline constexpr StepLabel close_gaps{"close gaps", "brown/remove_duplicates"};
}  // namespace steps

/// Returns the name of a dimension's phase. The text is static, because labels outlive a run.
constexpr const char* phase_of(std::uint32_t dim) {
  constexpr const char* names[max_dim] = {"dimension 0",  "dimension 1",  "dimension 2",  "dimension 3",
                                          "dimension 4",  "dimension 5",  "dimension 6",  "dimension 7",
                                          "dimension 8",  "dimension 9",  "dimension 10", "dimension 11",
                                          "dimension 12", "dimension 13", "dimension 14", "dimension 15"};
  return names[dim];
}

/// The points of one executor and the arrays over them.
template <class Exec>
struct Part {
  Exec* exec = nullptr;
  PointsOnDevice<Exec> points;
  Array<std::uint32_t, Exec>
      original;         ///< [points.n] original index; empty if there is one part, whose points are in their order
  std::uint32_t n = 0;  ///< number of points; excludes duplicates once they are removed
  std::vector<Array<PointId, Exec>> of_dimension;  ///< [k], n references each, with room for the longest part's
  Array<PointId, Exec> less, greater;              ///< [n] scratch of partitioners and of the removal of duplicates
  Array<std::uint32_t, Exec> counts, before;       ///< [2 x warps], [2 x warps + 1]
  Array<Reference, Exec> references,
      merged;                          ///< [points.n] second buffer of the sorts; empty after the last sort
  Reference* sorted = nullptr;         ///< the buffer that holds the references now
  Array<std::uint32_t, Exec> leaving;  ///< points that are moving to another part
  Array<std::uint32_t, Exec> sides;    ///< PointSides of the points
  Array<PointId, Exec> stores;         ///< median stores of these points

  SuperKeyLess less_by(std::uint32_t dim) const { return {points.view(), dim, original.data()}; }
  SortedPart sorted_part() const { return {points.view(), original.data(), sorted, points.n}; }
};

template <class Exec>
std::vector<Part<Exec>> parts_of(DeviceGroup<Exec>& group, std::vector<PointsOnDevice<Exec>> points,
                                 const BrownOptions& options) {
  std::vector<Part<Exec>> parts;
  const std::uint32_t n = points.front().n, k = points.front().dim;  // the longest; others may grow to its length
  for (std::uint32_t p = 0; p < points.size(); ++p) {
    Exec& exec = group[p];
    Part<Exec>& part = parts.emplace_back();
    part.exec = &exec, part.n = points[p].n, part.points = std::move(points[p]);
    for (std::uint32_t d = 0; d < k; ++d) part.of_dimension.push_back(exec.template array<PointId>("references", n));
    part.less = exec.template array<PointId>("less", n);
    part.greater = exec.template array<PointId>("greater", n);
    part.counts = exec.template array<std::uint32_t>("counts", 2 * std::size_t(options.warps));
    part.before = exec.template array<std::uint32_t>("counts before", 2 * std::size_t(options.warps) + 1);
    part.references = exec.template array<Reference>("sort", n, Allocation::scratch);
    // A library sort in one part has no runs to merge.
    part.merged = exec.template array<Reference>("sort", options.sort == SortMethod::merge || points.size() > 1 ? n : 0,
                                                 Allocation::scratch);
  }
  return parts;
}

/// A build under way: what its steps share.
template <class Exec, class Recorder>
struct Build {
  DeviceGroup<Exec>& group;
  std::vector<Part<Exec>> parts;
  const BrownOptions& options;
  Recorder& rec;
  MedianStoreTreeOnDevice<Exec> tree = {};      ///< on the group's first member
  std::uint32_t unique = 0;                     ///< points without duplicates, once parts are divided
  int levels = 0;                               ///< upper levels whose medians divide the parts
  std::optional<StepPresenter> presenter = {};  ///< empty unless a trace is recorded: a full-speed build shows no step
};

/// Tells the presenter where the references of each part stand, and opens it with the points, which all parts still
/// hold in their order. count(part): references of a part.
template <class Exec, class Recorder, class Writer, class Count>
StepPresenter& placed(Build<Exec, Recorder>& build, Writer& writer, Count count) {
  std::vector<Part<Exec>>& parts = build.parts;
  build.group.meet();  // the first member reads what the others have written
  if (!build.presenter) {
    const PointsOnDevice<Exec>& points = parts.front().points;
    PointSet original{points.type, points.dim, points.stride - points.dim, {}};
    for (const Part<Exec>& part : parts) {
      const auto words = writer.read(part.points.words.data(), std::size_t(part.points.n) * points.stride);
      original.words.insert(original.words.end(), words.begin(), words.end());
    }
    build.presenter.emplace(std::move(original), build.options);
  }
  const std::uint32_t together = static_cast<std::uint32_t>(parts.size()) >> build.levels;
  std::vector<Shard> shards;
  for (std::uint32_t p = 0; p < parts.size(); ++p) {
    const std::uint32_t begin = p % together > 0    ? shards.back().positions.end
                                : build.levels == 0 ? 0
                                                    : array_at(build.unique, build.levels, p / together).begin;
    shards.push_back(
        {{begin, begin + count(parts[p])}, writer.read(parts[p].original.data(), parts[p].original.size())});
  }
  build.presenter->place(std::move(shards), build.levels);
  return *build.presenter;
}
template <class Exec>
std::uint32_t records_of(const Part<Exec>& part) {
  return part.points.n;
}
template <class Exec>
std::uint32_t references_of(const Part<Exec>& part) {
  return part.n;
}

/// Copies an array of every part. of(part): its beginning; count(part): its length.
template <class Exec, class Recorder, class Writer, class Of, class Count>
auto read_parts(const Build<Exec, Recorder>& build, Writer& writer, Of of, Count count) {
  OfParts<std::remove_cvref_t<decltype(*of(build.parts.front()))>> all;
  for (const Part<Exec>& part : build.parts) all.push_back(writer.read(of(part), count(part)));
  return all;
}

/// Copies the references of a dimension.
template <class Exec, class Recorder, class Writer>
OfParts<PointId> read_references(const Build<Exec, Recorder>& build, Writer& writer, std::uint32_t dim) {
  return read_parts(
      build, writer, [dim](const Part<Exec>& part) { return part.of_dimension[dim].data(); }, references_of<Exec>);
}

/// Copies the stores so far with the nodes, and which points were removed.
template <class Exec, class Recorder, class Writer>
TreeSoFar read_tree(const Build<Exec, Recorder>& build, Writer& writer) {
  const auto read = [&](const auto& array) { return writer.read(array.data(), array.size()); };
  const bool alone = build.parts.size() == 1;
  TreeSoFar tree{read(alone ? build.parts.front().stores : build.tree.stores), read(build.tree.less),
                 read(build.tree.greater)};
  if (!alone)
    for (const Part<Exec>& part : build.parts) tree.of_parts.push_back(read(part.stores));
  return tree;
}
template <class Exec, class Recorder, class Writer>
Checked<std::uint8_t> read_removed(const Build<Exec, Recorder>& build, Writer& writer) {
  return writer.read(build.tree.removed.data(), build.tree.removed.size());
}

// [region brown/copy_references]
/// Copies the points of sorted references.
struct PointsOfReferences {
  const Reference* references;
  PointId* points;
  KDSCOPE_HD void operator()(std::uint32_t i) const { points[i] = references[i].point; }
};
// [endregion]

/// Initial state: no point is removed, no node has children.
struct NothingKnown {
  std::uint8_t* removed;
  std::uint32_t *less, *greater;  ///< null for stores alone
  KDSCOPE_HD void operator()(std::uint32_t i) const {
    removed[i] = 0;
    if (less) less[i] = greater[i] = no_id;
  }
};

/// The references to sort: the first `n` of `order`, or all points if `order` is null. In their array they start at
/// position `begin`.
struct Unsorted {
  const PointId* order;
  std::uint32_t begin, n;
};

/// Sorts references of one dimension in every part. unsorted(part) returns an Unsorted.
template <class Exec, class Recorder, class Of>
void sort_references(Build<Exec, Recorder>& build, std::uint32_t dim, Of unsorted) {
  std::vector<Part<Exec>>& parts = build.parts;
  Recorder& rec = build.rec;
  const auto show = [&](bool sorted) {
    return [&, sorted](auto& writer) {
      placed(build, writer, records_of<Exec>)
          .sorted(writer, dim, unsorted(parts.front()).begin,
                  read_parts(
                      build, writer, [](const Part<Exec>& part) { return part.sorted; },
                      [&](const Part<Exec>& part) { return unsorted(part).n; }),
                  sorted ? 1 : 0);
    };
  };
  std::uint32_t most = 0;
  for (const Part<Exec>& part : parts) most = std::max(most, unsorted(part).n);
  rec.step(
      steps::initialise_references.of(phase_of(dim)),
      [&](const char* name) {
        for (Part<Exec>& part : parts) {
          const Unsorted of = unsorted(part);
          part.sorted = part.references.data();
          part.exec->for_each(name, of.n, InitialiseReferences{part.points.view(), dim, of.order, part.sorted});
        }
      },
      show(false));
  if (build.options.sort == SortMethod::library) {
    rec.step(
        steps::sort.of(phase_of(dim)),
        [&](const char* name) {
          for (Part<Exec>& part : parts) part.exec->sort(name, part.sorted, unsorted(part).n, part.less_by(dim));
        },
        show(true));
    return;
  }
  rec.step(
      steps::sort_tiles.of(phase_of(dim)),
      [&](const char* name) {
        for (Part<Exec>& part : parts)
          part.exec->for_each_block(name, tiles_of(unsorted(part).n), sort_lanes, merge_shared_bytes,
                                    SortTiles{part.sorted, unsorted(part).n, part.less_by(dim)});
      },
      show(most <= tile));
  int pass = 0;
  for (std::uint64_t run = tile; run < most; run *= 2, ++pass) {
    rec.step(
        steps::merge_runs.at(-1, pass).of(phase_of(dim)),
        [&](const char* name) {
          for (Part<Exec>& part : parts) {
            Reference* const to = part.sorted == part.references.data() ? part.merged.data() : part.references.data();
            const std::uint32_t n = unsorted(part).n;
            part.exec->for_each_block(
                name, tiles_of(n), sort_lanes, merge_shared_bytes,
                MergeRuns{part.sorted, to, n, static_cast<std::uint32_t>(run), part.less_by(dim)});
            part.sorted = to;
          }
        },
        show(2 * run >= most));
  }
}

/// Removes duplicates from the sorted references of all parts, one part after the other. The remaining references
/// become each part's array of the dimension. For dimension 0, it also records the removed points in the tree and
/// subtracts their number.
template <class Exec, class Recorder>
void remove_duplicates(Build<Exec, Recorder>& build, std::uint32_t dim) {
  std::vector<Part<Exec>>& parts = build.parts;
  MedianStoreTreeOnDevice<Exec>& tree = build.tree;
  Recorder& rec = build.rec;
  const std::uint32_t held = parts.front().points.n, warps = build.options.warps;
  const WarpShare share = share_of(held, 0, warps);
  const int masks_per_warp = static_cast<int>((share.end - share.begin) / 32 + 1);
  const auto masks = rec.template probe_rows<std::uint32_t>(
      "compare mask", static_cast<std::uint32_t>(parts.size()) * warps, masks_per_warp);
  rec.step(
      steps::remove_duplicates.of(phase_of(dim)),
      [&](const char* name) {
        if (dim == 0)
          build.group.first().for_each("nothing known", static_cast<std::uint32_t>(tree.removed.size()),
                                       NothingKnown{tree.removed.data(), tree.less.data(), tree.greater.data()});
        build.group.meet();
        SortedPart previous{};
        std::uint32_t warps_before = 0;
        for (Part<Exec>& part : parts) {
          part.exec->for_each_warp(
              name, warps, CoalescingBuffer::size * sizeof(PointId) + 16,
              RemoveDuplicates<decltype(masks.probe())>{part.sorted_part(), dim, warps, part.less.data(),
                                                        part.counts.data(), dim == 0 ? tree.removed.data() : nullptr,
                                                        previous, build.options.writes == Writes::coalesced,
                                                        masks.probe(warps_before), masks_per_warp});
          previous = part.sorted_part();
          warps_before += warps;
        }
      },
      [&](auto& writer) {
        placed(build, writer, records_of<Exec>)
            .compacted(writer, dim,
                       read_parts(
                           build, writer, [](const Part<Exec>& part) { return part.less.data(); }, records_of<Exec>),
                       read_parts(
                           build, writer, [](const Part<Exec>& part) { return part.counts.data(); },
                           [&](const Part<Exec>&) { return warps; }),
                       writer.read(masks.data(), parts.size() * warps * masks_per_warp), masks_per_warp);
      });
  rec.step(
      steps::close_gaps.of(phase_of(dim)),
      [&](const char* name) {
        for (Part<Exec>& part : parts) {
          part.exec->transform_exclusive_scan(name, warps + 1, CountOf{part.counts.data(), warps}, part.before.data());
          part.exec->for_each_warp(name, warps, 0,
                                   CloseGaps{part.less.data(), part.before.data(), part.counts.data(), part.points.n,
                                             warps, part.of_dimension[dim].data()});
        }
        if (dim == 0)
          for (Part<Exec>& part : parts) part.exec->download(std::span(&part.n, 1), part.before.data() + warps);
      },
      [&](auto& writer) {
        placed(build, writer, references_of<Exec>).unique(writer, dim, read_references(build, writer, dim));
      });
}

}  // namespace kdscope::brown
