#pragma once
// Brown's O(kn log n) builder (Brown 2015) as Robinson runs it on GPUs: one array of references per dimension, sorted
// once by super key. On each level the median of one array becomes a node, and the other arrays are partitioned by it,
// keeping their order. The executors and the recorder decide whether the function runs on the CPU or the GPU, stepped
// or timed, in one part or several.

#include <algorithm>
#include <bit>
#include <utility>

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

/// Lists the references of a dimension in which distribute() has left the points.
template <class Exec, class Recorder>
void list_in_order(Build<Exec, Recorder>& build, std::uint32_t dim) {
  build.rec.step(
      steps::references_in_order.of(phase_of(dim)),
      [&] {
        for (Part<Exec>& part : build.parts)
          part.exec->for_each("in order", part.n, InOrder{part.of_dimension[dim].data()});
      },
      [&](auto& writer) {
        placed(build, writer, references_of<Exec>).in_order(writer, dim, read_references(build, writer, dim));
      });
}

/// Copies sorted references of a dimension, which unsorted(part) described, to the part's array. before(part) runs in
/// the same step.
template <class Exec, class Recorder, class Of, class Before>
void copy_references(Build<Exec, Recorder>& build, std::uint32_t dim, Of unsorted, Before before) {
  build.rec.step(
      steps::copy_references.of(phase_of(dim)),
      [&](const char* name) {
        for (Part<Exec>& part : build.parts) {
          before(part);
          const Unsorted of = unsorted(part);
          part.exec->for_each(name, of.n, PointsOfReferences{part.sorted, part.of_dimension[dim].data() + of.begin});
        }
      },
      [](auto& writer) { writer.title() = "Keep the references, and leave out the values that they were sorted by"; });
}

/// Sorts the halves before and after the median of dimension 0 separately, so that the arrays of one part are
/// partitioned before they are sorted.
template <class Exec, class Recorder>
void sort_halves(Build<Exec, Recorder>& build, std::uint32_t dim) {
  const std::uint32_t n = build.parts.front().n, median = median_position({0, n});
  for (const PositionRange half : {PositionRange{0, median}, PositionRange{median + 1, n}}) {
    const auto unsorted = [half](const Part<Exec>& part) {
      return Unsorted{part.of_dimension[0].data() + half.begin, half.begin, half.size()};
    };
    sort_references(build, dim, unsorted);
    copy_references(build, dim, unsorted, [&](Part<Exec>& part) {
      if (half.begin == 0)
        part.exec->copy(part.of_dimension[dim].data() + median, part.of_dimension[0].data() + median, 1);
    });
  }
}

/// Sorts the arrays of all dimensions and removes duplicates. A dimension that distribute() has sorted is not sorted
/// again.
template <class Exec, class Recorder>
void sort_dimensions(Build<Exec, Recorder>& build) {
  std::vector<Part<Exec>>& parts = build.parts;
  const std::uint32_t k = parts.front().points.dim;
  const auto all = [](const Part<Exec>& part) { return Unsorted{nullptr, 0, part.n}; };
  for (std::uint32_t d = 0; d < k; ++d) {
    if (parts.size() > 1 && d == static_cast<std::uint32_t>(std::bit_width(parts.size()) - 2) % k) {
      list_in_order(build, d);
    } else if (parts.size() > 1) {
      sort_references(build, d, all);
      copy_references(build, d, all, [](Part<Exec>&) {});
    } else if (build.options.sorted == SortedFirst::first && d > 0 && parts.front().n > 0) {
      sort_halves(build, d);
    } else {
      sort_references(build, d, [](const Part<Exec>& part) { return Unsorted{nullptr, 0, part.points.n}; });
      remove_duplicates(build, d);
    }
  }
  for (Part<Exec>& part : parts) part.references = {}, part.merged = {};
}

/// A level whose arrays are partitioned.
struct Level {
  int level;              ///< counted from the roots of the parts
  int of_tree;            ///< counted from the root of the tree
  std::uint32_t dim;      ///< of its medians
  std::uint32_t longest;  ///< the largest n of the parts
  Partitioner partitioner;
};

/// Partitions the arrays of one dimension in every part by the level's medians; the results are the next level's
/// arrays.
template <class Exec, class Recorder>
void partition(Build<Exec, Recorder>& build, const Level& of, std::uint32_t dim) {
  std::vector<Part<Exec>>& parts = build.parts;
  Recorder& rec = build.rec;
  const int level = of.level;
  const std::uint32_t warps = build.options.warps;
  const auto parting = [&](const Part<Exec>& part) {
    return PartitionTask{part.points.view(),
                         part.n,
                         level,
                         of.dim,
                         part.stores.data(),
                         part.of_dimension[dim].data(),
                         PointSides{part.sides.data()},
                         build.options.writes == Writes::coalesced};
  };
  const std::size_t buffer = CoalescingBuffer::size * sizeof(PointId) + 16;
  const auto parted = [&](auto& writer) {
    placed(build, writer, references_of<Exec>).parted(writer, dim, read_references(build, writer, dim));
  };
  if (of.partitioner == Partitioner::warps_per_array) {
    rec.step(
        steps::partition.at(of.of_tree).of(phase_of(dim)).done_by("brown/warps_per_array"),
        [&](const char* name) {
          for (Part<Exec>& part : parts)
            part.exec->for_each_warp(
                name, warps, 2 * buffer,
                WarpsPerArray{parting(part), warps, part.less.data(), part.greater.data(), part.counts.data()});
        },
        [&](auto& writer) {
          const auto read = [&](auto array, auto count) {
            return read_parts(
                build, writer, [&](const Part<Exec>& part) { return (part.*array).data(); }, count);
          };
          placed(build, writer, references_of<Exec>)
              .segmented(writer, dim, read(&Part<Exec>::less, references_of<Exec>),
                         read(&Part<Exec>::greater, references_of<Exec>),
                         read(&Part<Exec>::counts, [&](const Part<Exec>&) { return 2 * std::size_t(warps); }));
        });
    rec.step(
        steps::close_array_gaps.at(of.of_tree).of(phase_of(dim)),
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
  const bool whole = of.partitioner == Partitioner::warp_per_array;
  rec.step(
      steps::partition.at(of.of_tree).of(phase_of(dim)).done_by(whole ? "brown/warp_per_array" : "brown/sub_warps"),
      [&](const char* name) {
        const std::uint32_t width = sub_warp_width(longest_array(of.longest, level)), arrays_per_warp = 32 / width,
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

/// Picks the medians of a level of a part: its entries of the stores and, in a build of one part, also the nodes.
template <class Exec, class Recorder>
PickMedians medians_of(Build<Exec, Recorder>& build, const Part<Exec>& part, const Level& of) {
  const bool alone = build.parts.size() == 1;
  return {part.n,
          of.level,
          part.of_dimension[of.dim].data(),
          part.stores.data(),
          alone ? build.tree.less.data() : nullptr,
          alone ? build.tree.greater.data() : nullptr};
}

/// What steps of a level show: the arrays of every dimension.
template <class Exec, class Recorder, class Writer>
std::vector<OfParts<PointId>> read_arrays(const Build<Exec, Recorder>& build, Writer& writer) {
  std::vector<OfParts<PointId>> there;
  for (std::uint32_t d = 0; d < build.parts.front().points.dim; ++d) there.push_back(read_references(build, writer, d));
  return there;
}

/// Empties a part's stores before their first level.
template <class Exec>
void clear_stores(Part<Exec>& part, const Level& of) {
  if (of.level > 0) return;
  part.exec->for_each("median stores", static_cast<std::uint32_t>(part.stores.size()), NoPoint{part.stores.data()});
}

/// Makes all entries of a level in one launch, without the arrays of the next.
template <class Exec, class Recorder>
void terminate(Build<Exec, Recorder>& build, const Level& of) {
  build.rec.step(
      steps::terminate.at(of.of_tree),
      [&](const char* name) {
        for (Part<Exec>& part : build.parts) {
          clear_stores(part, of);
          part.exec->for_each(name, 1u << of.level, Terminate{medians_of(build, part, of)});
        }
      },
      [&](auto& writer) {
        placed(build, writer, references_of<Exec>)
            .terminated(writer, of.of_tree, read_tree(build, writer), read_removed(build, writer),
                        read_arrays(build, writer));
      });
}

template <class Exec, class Recorder>
void pick_medians(Build<Exec, Recorder>& build, const Level& of) {
  build.rec.step(
      steps::pick_medians.at(of.of_tree),
      [&](const char* name) {
        for (Part<Exec>& part : build.parts) {
          clear_stores(part, of);
          part.exec->for_each(name, 1u << of.level, medians_of(build, part, of));
        }
      },
      [&](auto& writer) {
        placed(build, writer, references_of<Exec>)
            .picked(writer, of.of_tree, of.partitioner, read_tree(build, writer), read_arrays(build, writer));
      });
}

/// Marks the side of each point. first: no level has marked sides before.
template <class Exec, class Recorder>
void mark_sides(Build<Exec, Recorder>& build, const Level& of, bool first) {
  build.rec.step(
      steps::mark_sides.at(of.of_tree),
      [&](const char* name) {
        for (Part<Exec>& part : build.parts) {
          if (first)
            part.exec->for_each("clear sides", static_cast<std::uint32_t>(part.sides.size()),
                                ClearSides{part.sides.data()});
          part.exec->for_each(
              name, part.n,
              MarkSides{part.n, of.level, part.of_dimension[of.dim].data(), PointSides{part.sides.data()}});
        }
      },
      [&](auto& writer) {
        OfParts<std::uint8_t> greater;
        for (const Part<Exec>& part : build.parts)
          greater.push_back(sides_of_points<Exec>(writer.read(part.sides.data(), part.sides.size()), part.points.n));
        placed(build, writer, references_of<Exec>).marked(writer, greater);
      });
}

/// Builds each part's tree from its sorted arrays: the part's stores and, in a build of one part, also the nodes.
template <class Exec, class Recorder>
void grow(Build<Exec, Recorder>& build) {
  std::vector<Part<Exec>>& parts = build.parts;
  const BrownOptions& options = build.options;
  const std::uint32_t k = parts.front().points.dim;
  std::uint32_t longest = 0;
  for (const Part<Exec>& part : parts) longest = std::max(longest, part.n);
  for (Part<Exec>& part : parts) {
    part.sides = part.exec->template array<std::uint32_t>(
        "sides", options.compare == Compare::sides && k > 1 ? PointSides::size<Exec>(part.points.n) : 0);
    part.stores = part.exec->template array<PointId>("median stores", store_slots(longest));
  }
  bool has_sides = false;
  for (int level = 0; longest > 0; ++level) {
    const Level of{level, level + build.levels, static_cast<std::uint32_t>(level + build.levels) % k, longest,
                   partitioner_of(longest, level, options.warps)};
    if (of.partitioner == Partitioner::terminating) return terminate(build, of);
    pick_medians(build, of);
    if (k == 1 || (level == 0 && parts.size() == 1 && options.sorted == SortedFirst::first))
      continue;  // halves that were sorted separately are already the arrays of level 1
    if (options.compare == Compare::sides) mark_sides(build, of, !std::exchange(has_sides, true));
    for (std::uint32_t d = 0; d < k; ++d)
      if (d != of.dim) partition(build, of, d);
  }
}

/// Joins the stores of several parts, below those of the levels that distributed the points.
template <class Exec, class Recorder>
void join_stores(Build<Exec, Recorder>& build) {
  std::vector<Part<Exec>>& parts = build.parts;
  MedianStoreTreeOnDevice<Exec>& tree = build.tree;
  const int top = std::bit_width(parts.size()) - 1;
  build.rec.step(
      steps::join_stores.at(top),
      [&](const char* name) {
        for (std::uint32_t p = 0; p < parts.size(); ++p) {
          Part<Exec>& part = parts[p];
          part.exec->for_each(name, static_cast<std::uint32_t>(part.stores.size()),
                              JoinStores{part.stores.data(), part.original.data(), p, top, tree.stores.data()});
        }
        build.group.meet();
        const std::uint32_t slots = static_cast<std::uint32_t>(tree.stores.size());
        if (build.options.form == Form::nodes)
          build.group.first().for_each("nodes", slots,
                                       NodesOfStores{tree.stores.data(), slots, tree.less.data(), tree.greater.data()});
      },
      [&](auto& writer) {
        placed(build, writer, references_of<Exec>)
            .joined(writer, read_tree(build, writer), read_removed(build, writer));
      });
}

/// Throws if the tree breaks a rule. points: all records in their original order; unique: points without duplicates.
template <class Exec, class Recorder>
void verify(Build<Exec, Recorder>& build, const PointsView& points) {
  build.rec.step(
      steps::verify,
      [&] {
        if (const std::uint32_t entry = first_violation(build.group.first(), points, build.unique, build.tree);
            entry != no_id)
          throw ErrorException(
              {ErrorKind::failed_check,
               "the finished tree is wrong at entry " + std::to_string(entry) + " of the median stores", "",
               "run again, or on another device"});
      },
      [](auto& writer) {
        writer.title() = "Every entry holds: its array's median, on its side of all nodes above it";
      });
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
  Build<Exec, Recorder> under_way{group, parts_of(group, std::move(points), options), options, rec};
  std::vector<Part<Exec>>& parts = under_way.parts;
  MedianStoreTreeOnDevice<Exec>& tree = under_way.tree;
  Exec& first = group.first();
  std::uint32_t all = 0;
  for (const Part<Exec>& part : parts) all += part.points.n;
  tree.removed = first.template array<std::uint8_t>("removed", all);
  if (options.form == Form::nodes) {
    tree.less = first.template array<std::uint32_t>("less than", all);
    tree.greater = first.template array<std::uint32_t>("greater than", all);
  }
  Array<std::uint32_t, Exec> gathered;
  if (parts.size() > 1) {
    if (options.verify)
      gathered = first.template array<std::uint32_t>("gathered points", std::size_t(all) * parts.front().points.stride,
                                                     Allocation::scratch);
    distribute(under_way, gathered.data());
  }
  sort_dimensions(under_way);
  grow(under_way);
  if (parts.size() == 1) {
    under_way.unique = parts.front().n;
    tree.stores = std::move(parts.front().stores);
  } else {
    join_stores(under_way);
  }
  if (options.verify) {
    PointsView view = parts.front().points.view();
    if (parts.size() > 1) view.words = gathered.data(), view.n = all;
    verify(under_way, view);
  }
  return std::move(tree);
}

/// The builder in the form that builders/timed_run.hpp runs.
struct Construction {
  using Tree = MedianStoreTree;
  using Options = BrownOptions;
  static constexpr UploadPoints upload{};
  static constexpr bool in_parts = true;
  static void declare(ArrayList& list, const Options& options) { brown::declare(list, options); }
  template <class Exec, class Recorder>
  static auto build(DeviceGroup<Exec>& group, std::vector<PointsOnDevice<Exec>> points, const Options& options,
                    Recorder& rec) {
    return brown::build(group, std::move(points), options, rec);
  }
};

}  // namespace kdscope::brown
