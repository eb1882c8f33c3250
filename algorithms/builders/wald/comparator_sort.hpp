#pragma once
// Sorts by comparison with less() as the paper prints it (Wald 2023, §3.1), and with a rule for ties, for which the
// paper has none.

#include "algorithms/builders/timed_run.hpp"
#include "algorithms/builders/wald/split_rule.hpp"
#include "algorithms/exec/comparison_sort.hpp"

namespace kdscope::wald {

/// An element of the sort: a tag and its point.
struct TaggedPoint {
  std::uint32_t tag;
  PointId id;
};

// [region wald/comparator_sort]
/// Implements less() of §3.1: orders by tag, within a tag by the coordinate in the dimension that the subtree splits,
/// then by index.
struct LessByTagThenCoordinate {
  PointsView points;
  SplitRule rule;
  int level;
  KDSCOPE_HD bool operator()(const TaggedPoint& a, const TaggedPoint& b) const {
    // Major order: by tag, so that subtrees become segments. With split=widest, a tag's low bits hold the dimension
    // that its subtree splits: all its points have the same, so a subtree stays one segment.
    if (a.tag != b.tag) return a.tag < b.tag;
    // Minor order: along the subtree's dimension. Equal coordinates, for which the source has no rule, are ordered by
    // index.
    const std::uint32_t dim = rule.dim_of(a.tag, level);
    const std::uint32_t x = points.key(a.id.value, dim), y = points.key(b.id.value, dim);
    return x != y ? x < y : a.id < b.id;
  }
};
// [endregion]

struct PairTagsWithPoints {
  const std::uint32_t* tags;
  const PointId* ids;
  TaggedPoint* pairs;
  KDSCOPE_HD void operator()(std::uint32_t j) const { pairs[j] = {tags[j], ids[j]}; }
};

struct UnpairTagsAndPoints {
  const TaggedPoint* pairs;
  std::uint32_t* tags;
  PointId* ids;
  KDSCOPE_HD void operator()(std::uint32_t j) const {
    tags[j] = pairs[j].tag;
    ids[j] = pairs[j].id;
  }
};

/// The comparator sort of a build. Extra memory: a pair and an index per point, and the scratch of the library's merge
/// sort.
template <class Exec>
class ComparatorSort {
 public:
  static constexpr bool moves_records = false;
  static constexpr const char* anchor = "wald/comparator_sort";

  ComparatorSort(Exec& exec, PointsOnDevice<Exec>& points, const SplitRule& rule)
      : exec_(exec),
        points_(points),
        rule_(rule),
        pairs_(exec.template array<TaggedPoint>("tagged points", points.n, Allocation::scratch)),
        ids_(exec.template array<PointId>("indices", points.n)) {}
  /// Assigns point i to position i.
  void start() { exec_.for_each("indices", points_.n, Identity{ids_.data()}); }
  template <class Recorder, class Show>
  void prepare(Recorder&, Show) {}

  void sort(int level, bool, std::uint32_t* tags) {
    const std::uint32_t begin = sort_begin(level), count = points_.n - begin;
    exec_.for_each("pair tags with points", count,
                   PairTagsWithPoints{tags + begin, ids_.data() + begin, pairs_.data()});
    exec_.sort("sort by comparison", pairs_.data(), count, LessByTagThenCoordinate{points_.view(), rule_, level});
    exec_.for_each("unpair", count, UnpairTagsAndPoints{pairs_.data(), tags + begin, ids_.data() + begin});
  }

  PointId* ids() { return ids_.data(); }
  Array<PointId, Exec> release() {
    pairs_ = {};
    return std::move(ids_);
  }

 private:
  Exec& exec_;
  PointsOnDevice<Exec>& points_;
  const SplitRule& rule_;
  Array<TaggedPoint, Exec> pairs_;
  Array<PointId, Exec> ids_;
};

}  // namespace kdscope::wald
