#pragma once
// Brown's O(kn log n) builder (Brown 2015) as Robinson runs it on GPUs: one array of references per dimension, sorted
// once by super key. On each level the median of one array becomes a node, and the other arrays are partitioned by it,
// keeping their order. The executors and the recorder decide whether the function runs on the CPU or the GPU, stepped
// or timed, in one part or several.

#include "algorithms/builders/brown/arrays.hpp"
#include "algorithms/builders/brown/distribute.hpp"
#include "algorithms/builders/brown/partition.hpp"
#include "algorithms/builders/brown/verify.hpp"
#include "algorithms/core/index_range.hpp"
#include "algorithms/exec/scans.hpp"
#include "algorithms/trees/median_stores/on_device.hpp"

namespace kdscope::brown {

/// The steps, in the order of the construction.
namespace steps {
inline constexpr StepLabel copy_references{"copy references", "brown/copy_references"};
inline constexpr StepLabel references_in_order{"references in order", "brown/in_order"};
inline constexpr StepLabel partition{"partition"};
inline constexpr StepLabel close_array_gaps{"close gaps", "brown/warps_per_array"};
inline constexpr StepLabel terminate{"terminate", "brown/terminating", "", StepKind::launch, true};
inline constexpr StepLabel pick_medians{"pick medians", "brown/pick_medians", "", StepKind::launch, true};
inline constexpr StepLabel mark_sides{"mark sides", "brown/mark_sides"};
inline constexpr StepLabel join_stores{"join stores", "brown/join"};
inline constexpr StepLabel verify{"verify", "brown/verify", "", StepKind::library};
}  // namespace steps

// [region brown/in_order]
/// Lists references in the order of the points.
struct InOrder {
  PointId* references;
  KDSCOPE_HD void operator()(std::uint32_t i) const { references[i] = {i}; }
};
// [endregion]

/// Sorts the arrays of all dimensions and removes duplicates. A dimension that distribute() has sorted is not sorted
/// again.
template <class Exec, class Recorder>
void sort_dimensions(DeviceGroup<Exec>& group, std::vector<Part<Exec>>& parts, const BrownOptions& options,
                     MedianStoreTreeOnDevice<Exec>& tree, Recorder& rec, std::optional<StepPresenter>& recording) {
  const std::uint32_t k = parts.front().points.dim;
  // Copies references [begin, begin + count of the part) of a dimension once they are sorted.
  const auto copy_references = [&](std::uint32_t d, std::uint32_t begin, auto count) {
    rec.step(
        steps::copy_references.of(phase_of(d)),
        [&](const char* name) {
          for (Part<Exec>& part : parts)
            part.exec->for_each(name, count(part),
                                PointsOfReferences{part.sorted, part.of_dimension[d].data() + begin});
        },
        [](auto& writer) {
          writer.title() = "Keep the references, and leave out the values that they were sorted by";
        });
  };
  const auto all_of = [](const Part<Exec>& part) { return part.n; };
  for (std::uint32_t d = 0; d < k; ++d) {
    if (parts.size() > 1) {
      if (d == static_cast<std::uint32_t>(std::bit_width(parts.size()) - 2) % k) {
        rec.step(
            steps::references_in_order.of(phase_of(d)),
            [&] {
              for (Part<Exec>& part : parts)
                part.exec->for_each("in order", part.n, InOrder{part.of_dimension[d].data()});
            },
            [](auto& writer) { writer.title() = "The points were distributed in this order"; });
        continue;
      }
      sort_references(
          parts, d,
          [](const Part<Exec>& part) {
            return Unsorted{nullptr, 0, part.n};
          },
          options, rec, recording);
      copy_references(d, 0, all_of);
    } else if (Part<Exec>& part = parts.front(); options.sorted == SortedFirst::first && d > 0 && part.n > 0) {
      // Partition the points by their median before sorting, so that each half is sorted separately.
      const std::uint32_t median = median_position({0, part.n});
      part.exec->copy(part.of_dimension[d].data() + median, part.of_dimension[0].data() + median, 1);
      for (const PositionRange half : {PositionRange{0, median}, PositionRange{median + 1, part.n}}) {
        sort_references(
            parts, d,
            [&](const Part<Exec>&) {
              return Unsorted{part.of_dimension[0].data() + half.begin, half.begin, half.size()};
            },
            options, rec, recording);
        copy_references(d, half.begin, [&](const Part<Exec>&) { return half.size(); });
      }
    } else {
      sort_references(
          parts, d,
          [](const Part<Exec>& all) {
            return Unsorted{nullptr, 0, all.points.n};
          },
          options, rec, recording);
      remove_duplicates(group, parts, d, options, tree, rec, recording);
    }
  }
  for (Part<Exec>& part : parts) part.references = {}, part.merged = {};
}

/// Partitions the arrays of one dimension in every part by the level's medians; the results are the next level's
/// arrays. longest: the largest n of the parts.
template <class Exec, class Recorder>
void partition(std::vector<Part<Exec>>& parts, std::uint32_t longest, int level, std::uint32_t dim_of_level,
               std::uint32_t dim, Partitioner partitioner, const BrownOptions& options, Recorder& rec,
               std::optional<StepPresenter>& recording) {
  const std::uint32_t warps = options.warps;
  const auto parting = [&](const Part<Exec>& part) {
    return PartitionTask{part.points.view(),
                         part.n,
                         level,
                         dim_of_level,
                         part.stores.data(),
                         part.of_dimension[dim].data(),
                         PointSides{part.sides.data()},
                         options.writes == Writes::coalesced};
  };
  const std::size_t buffer = CoalescingBuffer::size * sizeof(PointId) + 16;
  const Part<Exec>& shown = parts.front();
  const auto parted = [&](auto& writer) {
    recording->parted(writer, dim, writer.read(shown.of_dimension[dim].data(), shown.n));
  };
  if (partitioner == Partitioner::warps_per_array) {
    rec.step(
        steps::partition.at(level).of(phase_of(dim)).done_by("brown/warps_per_array"),
        [&](const char* name) {
          for (Part<Exec>& part : parts)
            part.exec->for_each_warp(
                name, warps, 2 * buffer,
                WarpsPerArray{parting(part), warps, part.less.data(), part.greater.data(), part.counts.data()});
        },
        [&](auto& writer) {
          recording->segmented(writer, dim, warps, writer.read(shown.less.data(), shown.n),
                               writer.read(shown.greater.data(), shown.n),
                               writer.read(shown.counts.data(), 2 * std::size_t(warps)));
        });
    rec.step(
        steps::close_array_gaps.at(level).of(phase_of(dim)),
        [&](const char* name) {
          for (Part<Exec>& part : parts) {
            part.exec->transform_exclusive_scan(name, 2 * warps, CountOf{part.counts.data(), 2 * warps},
                                                part.before.data());
            part.exec->for_each_warp(
                name, warps, 0,
                CloseArrayGaps{part.n, level, warps, part.less.data(), part.greater.data(), part.counts.data(),
                               part.before.data(), part.of_dimension[dim].data()});
          }
        },
        parted);
    return;
  }
  const bool whole = partitioner == Partitioner::warp_per_array;
  rec.step(
      steps::partition.at(level).of(phase_of(dim)).done_by(whole ? "brown/warp_per_array" : "brown/sub_warps"),
      [&](const char* name) {
        const std::uint32_t width = sub_warp_width(longest_array(longest, level)), arrays_per_warp = 32 / width,
                            needed = ((1u << level) + arrays_per_warp - 1) / arrays_per_warp;
        for (Part<Exec>& part : parts) {
          if (whole)
            part.exec->for_each_warp(name, warps, 2 * buffer, WarpPerArray{parting(part), warps, part.less.data()});
          else
            part.exec->for_each_warp(name, needed, 0, SubWarps{parting(part), width, part.less.data()});
          part.of_dimension[dim].swap(part.less);
        }
      },
      parted);
}

/// Builds each part's tree from its sorted arrays: the part's stores and, in a build of one part, also the nodes.
template <class Exec, class Recorder>
void grow(std::vector<Part<Exec>>& parts, const BrownOptions& options, MedianStoreTreeOnDevice<Exec>& tree,
          Recorder& rec, std::optional<StepPresenter>& recording) {
  const std::uint32_t k = parts.front().points.dim,
                      above = static_cast<std::uint32_t>(std::bit_width(parts.size()) - 1);
  std::uint32_t longest = 0;
  for (const Part<Exec>& part : parts) longest = std::max(longest, part.n);
  const std::uint64_t slots = store_slots(longest);
  for (Part<Exec>& part : parts) {
    part.sides = part.exec->template array<std::uint32_t>(
        "sides", options.compare == Compare::sides && k > 1 ? PointSides::size<Exec>(part.points.n) : 0);
    part.stores = part.exec->template array<PointId>("median stores", slots);
  }
  const auto medians = [&](const Part<Exec>& part, int level, std::uint32_t dim) {
    if (level == 0)
      part.exec->for_each("median stores", static_cast<std::uint32_t>(slots), NoPoint{part.stores.data()});
    const bool alone = parts.size() == 1;
    return PickMedians{part.n,
                       level,
                       part.of_dimension[dim].data(),
                       part.stores.data(),
                       alone ? tree.less.data() : nullptr,
                       alone ? tree.greater.data() : nullptr};
  };
  const Part<Exec>& shown = parts.front();
  const auto read_arrays = [&](auto& writer) {
    std::vector<Checked<PointId>> there;
    for (const auto& array : shown.of_dimension) there.push_back(writer.read(array.data(), shown.n));
    return there;
  };
  const auto read = [](auto& writer, const auto& array) { return writer.read(array.data(), array.size()); };
  bool has_sides = false;
  for (int level = 0; longest > 0; ++level) {
    const std::uint32_t dim = (static_cast<std::uint32_t>(level) + above) % k;
    const Partitioner partitioner = partitioner_of(longest, level, options.warps);
    if (partitioner == Partitioner::terminating) {
      rec.step(
          steps::terminate.at(level),
          [&](const char* name) {
            for (Part<Exec>& part : parts) part.exec->for_each(name, 1u << level, Terminate{medians(part, level, dim)});
          },
          [&](auto& writer) {
            recording->terminated(writer, level, read(writer, shown.stores), read(writer, tree.less),
                                  read(writer, tree.greater), read(writer, tree.removed), read_arrays(writer));
          });
      return;
    }
    rec.step(
        steps::pick_medians.at(level),
        [&](const char* name) {
          for (Part<Exec>& part : parts) part.exec->for_each(name, 1u << level, medians(part, level, dim));
        },
        [&](auto& writer) {
          recording->picked(writer, level, partitioner, read(writer, shown.stores), read(writer, tree.less),
                            read(writer, tree.greater), read_arrays(writer));
        });
    if (k == 1 || (level == 0 && parts.size() == 1 && options.sorted == SortedFirst::first))
      continue;  // halves that were sorted separately are already the arrays of level 1
    if (options.compare == Compare::sides)
      rec.step(
          steps::mark_sides.at(level),
          [&](const char* name) {
            for (Part<Exec>& part : parts) {
              if (!has_sides)
                part.exec->for_each("clear sides", static_cast<std::uint32_t>(part.sides.size()),
                                    ClearSides{part.sides.data()});
              part.exec->for_each(
                  name, part.n, MarkSides{part.n, level, part.of_dimension[dim].data(), PointSides{part.sides.data()}});
            }
            has_sides = true;
          },
          [&](auto& writer) {
            recording->marked(
                writer, sides_of_points<Exec>(writer.read(shown.sides.data(), shown.sides.size()), shown.points.n));
          });
    for (std::uint32_t d = 0; d < k; ++d)
      if (d != dim) partition(parts, longest, level, dim, d, partitioner, options, rec, recording);
  }
}

/// Builds the tree of the parts' points, which it consumes: [n] records in total, 0 <= n < 2^31, 1 to 16 dimensions,
/// float or int32. There is one part per member of the group; their number is a power of two. Among points with equal
/// coordinates, only the one with the lowest index is kept. Nodes are the lower medians of their arrays in the
/// super-key order of dimension level mod k. The tree is balanced and does not depend on the sort, the partitioners or
/// the number of parts. Work O(k n log n). Memory beside the points: k + 2 references per point; two more values and
/// references per point while one dimension is sorted; up to two entries of the stores per point; and two references
/// per node. With several parts, the first member also holds the whole stores and nodes and, for verify, all points;
/// every part holds its points twice. Throws ErrorException.
template <class Exec, class Recorder>
MedianStoreTreeOnDevice<Exec> build(DeviceGroup<Exec>& group, std::vector<PointsOnDevice<Exec>> points,
                                    const BrownOptions& options, Recorder& rec) {
  std::vector<Part<Exec>> parts = parts_of(group, std::move(points), options);
  Exec& first = group.first();
  const std::uint32_t stride = parts.front().points.stride;
  std::uint32_t all = 0;
  for (const Part<Exec>& part : parts) all += part.points.n;
  MedianStoreTreeOnDevice<Exec> tree;
  tree.removed = first.template array<std::uint8_t>("removed", all);
  if (options.form == Form::nodes) {
    tree.less = first.template array<std::uint32_t>("less than", all);
    tree.greater = first.template array<std::uint32_t>("greater than", all);
  }
  // Only a recording shows the steps; a full-speed build does not compile this code.
  std::optional<StepPresenter> recording;
  std::uint32_t unique = 0;
  Array<std::uint32_t, Exec> gathered;
  if (parts.size() > 1) {
    if (options.verify)
      gathered = first.template array<std::uint32_t>("gathered points", std::size_t(all) * stride, Allocation::scratch);
    unique = distribute(group, parts, options, tree, gathered.data(), rec, recording);
  }
  sort_dimensions(group, parts, options, tree, rec, recording);
  grow(parts, options, tree, rec, recording);
  if (parts.size() == 1) {
    unique = parts.front().n;
    tree.stores = std::move(parts.front().stores);
  } else {
    const int top = std::bit_width(parts.size()) - 1;
    rec.step(
        steps::join_stores.at(top),
        [&](const char* name) {
          for (std::uint32_t p = 0; p < parts.size(); ++p) {
            Part<Exec>& part = parts[p];
            part.exec->for_each(name, static_cast<std::uint32_t>(part.stores.size()),
                                JoinStores{part.stores.data(), part.original.data(), p, top, tree.stores.data()});
          }
          group.meet();
          const std::uint32_t slots = static_cast<std::uint32_t>(tree.stores.size());
          if (options.form == Form::nodes)
            first.for_each("nodes", slots,
                           NodesOfStores{tree.stores.data(), slots, tree.less.data(), tree.greater.data()});
        },
        [](auto&) {});
  }
  if (options.verify) {
    PointsView view = parts.front().points.view();
    if (parts.size() > 1) view.words = gathered.data(), view.n = all;
    rec.step(
        steps::verify,
        [&] {
          if (const std::uint32_t entry = first_violation(first, view, unique, tree); entry != no_id)
            throw ErrorException(
                {ErrorKind::failed_check,
                 "the finished tree is wrong at entry " + std::to_string(entry) + " of the median stores", "",
                 "run again, or on another device"});
        },
        [&](auto& writer) {
          writer.title() = "Every entry holds: its array's median, on its side of all nodes above it";
        });
  }
  return tree;
}

/// The builder in the form that builders/timed_run.hpp runs.
struct Construction {
  using Tree = MedianStoreTree;
  using Options = BrownOptions;
  static constexpr UploadPoints upload{};
  static constexpr bool in_parts = true;
  static const OptionTable<Options>& option_table() { return brown::option_table(); }
  static void declare(ArrayList& list, const Options& options) { brown::declare(list, options); }
  template <class Exec, class Recorder>
  static auto build(DeviceGroup<Exec>& group, std::vector<PointsOnDevice<Exec>> points, const Options& options,
                    Recorder& rec) {
    return brown::build(group, std::move(points), options, rec);
  }
};

}  // namespace kdscope::brown
