#include "algorithms/builders/brown/recording.hpp"

#include <algorithm>

#include "algorithms/builders/brown/arrays.hpp"
#include "algorithms/builders/brown/compaction.hpp"
#include "algorithms/checks/super_key_checks.hpp"
#include "algorithms/core/index_range.hpp"
#include "algorithms/core/level_order.hpp"
#include "algorithms/record/partition_so_far.hpp"
#include "algorithms/trees/median_stores/super_key.hpp"

namespace kdscope::brown {

namespace {

/// The dimension whose order applies to a step's rows by position.
Highlight works_on(std::uint32_t dim) { return {Role::read, Space::dimension, {{dim, dim + 1ull}}, {}}; }

}  // namespace

int StepPresenter::order(std::uint32_t a, std::uint32_t b, std::uint32_t dim) const {
  return compare_super_keys(view_of(original_), static_cast<std::uint32_t>(followed(a, n())),
                            static_cast<std::uint32_t>(followed(b, n())), dim);
}

/// Adds the arrays that a level partitions as segments, their medians as pivots, and the medians of the levels above as
/// settled. At the beginning of the level, it also writes each position's node (the median of its array) and the bits
/// of its address.
void StepPresenter::add_arrays_of_level(StepWriter& step, int level, bool begins) const {
  Highlight segments{Role::segment, Space::position, {}, {}}, pivots{Role::pivot, Space::position, {}, {}},
      settled{Role::settled, Space::position, {}, {}};
  Checked<std::uint32_t> node(unique_, no_id), address(unique_, no_id);
  std::uint32_t end = 0;
  for (std::uint32_t a = 0; a < 1u << level; ++a) {
    const PositionRange range = array_at(unique_, level, a);
    if (range.size() == 0) continue;
    if (range.begin > end) settled.ranges.push_back({end, range.begin});
    end = range.end;
    segments.ranges.push_back({range.begin, range.end});
    segments.nodes.push_back(store_begin(level) + a);
    const std::uint32_t median = median_position(range);
    pivots.ranges.push_back({median, median + 1ull});
    pivots.nodes.push_back(store_begin(level) + a);
    for (std::uint32_t i = range.begin; i < range.end; ++i) node[i] = store_begin(level) + a, address[i] = a;
  }
  if (end < unique_) settled.ranges.push_back({end, unique_});
  if (begins) {
    step.wrote(arrays::node, node);
    step.wrote(arrays::address, address);
    step.wrote(arrays::median, medians_);
  }
  for (Highlight* h : {&settled, &segments, &pivots})
    if (!h->ranges.empty()) step.highlight(std::move(*h));
}

/// Copies the arrays at the beginning of the level. Positions of earlier medians keep their contents, because a device
/// leaves stale values there.
void StepPresenter::open_level(StepWriter& step, int level, const std::vector<Checked<PointId>>& arrays) {
  unique_ = arrays.empty() ? 0 : static_cast<std::uint32_t>(arrays[0].size());
  level_ = level;
  for (std::uint32_t d = 0; d < k(); ++d) {
    Checked<PointId> now = arrays[d];
    for (std::uint32_t i = 0; i < unique_ && arrays_[d].size() == unique_; ++i)
      if (side_of_position(unique_, level, i) == settled) now[i] = arrays_[d][i];
    if (now == arrays_[d]) continue;
    arrays_[d] = std::move(now);
    step.wrote(arrays::reference, d, arrays_[d]);
  }
  medians_.resize(unique_, no_id);
  const bool all = longest_array(unique_, level) <= 3;  // the nodes below are also in place
  for (std::uint32_t a = 0; a < 1u << level; ++a) {
    const PositionRange range = array_at(unique_, level, a);
    for (std::uint32_t i = range.begin; i < range.end; ++i)
      if (all || i == median_position(range)) medians_[i] = arrays_[dim_of_level()][i].value;
  }
  add_arrays_of_level(step, level, true);
}

/// Writes the standard partition. Node i is entry i of the stores: the first `levels` levels hold their medians, and
/// the arrays of the next level are their children.
void StepPresenter::add_partition(StepWriter& step, const Checked<PointId>& stores, int levels) const {
  const std::uint32_t settled = store_begin(levels);
  PartitionSoFar partition(
      original_,
      unique_ == 0 ? 0
                   : std::clamp<std::uint32_t>(static_cast<std::uint32_t>(stores.size()), 1, store_begin(levels + 1)));
  const auto entry = [&](std::uint32_t node) {
    return node < settled && node < stores.size() ? stores[node].value : no_id;
  };
  for (NodeId node{0}; node.value < partition.size(); ++node.value) {
    if (node.value > 0) partition.add_child(node.value, parent_of(node).value, node != left_child(parent_of(node)));
    const std::uint32_t point = entry(node.value);
    partition.set_point(node.value, point);
    const PositionRange range = array_at(unique_, level_of(node), node.value - store_begin(level_of(node)));
    if (point >= n() || range.size() < 2) continue;
    const std::uint32_t dim = static_cast<std::uint32_t>(level_of(node)) % k();
    partition.split(node.value, dim, original_.value(point, dim));
  }
  // Place each point in its node or in its array of the next level. Duplicates are in neither.
  for (std::uint32_t point = 0; point < n(); ++point) partition.place(point, no_id);
  // The array from which the last medians were taken is already partitioned by them; the others are not.
  const auto& parted = arrays_[levels == 0 ? 0 : static_cast<std::uint32_t>(levels - 1) % k()];
  for (std::uint32_t a = 0; a < 1u << levels && store_begin(levels) + a < partition.size(); ++a) {
    const PositionRange range = array_at(unique_, levels, a);
    for (std::uint32_t i = range.begin; i < range.end && i < parted.size(); ++i)
      if (parted[i].value < n()) partition.place(parted[i].value, store_begin(levels) + a);
  }
  for (std::uint32_t node = 0; node < partition.size(); ++node)
    if (const std::uint32_t point = entry(node); point < n()) partition.place(point, node);
  partition.add_to(step);
}

void StepPresenter::add_tree(StepWriter& step, const TreeSoFar& tree, int levels) {
  const Checked<PointId>& stores = tree.stores;
  if (!stores_opened_) {
    stores_opened_ = true;
    Checked<std::uint32_t> level(stores.size()), entry(stores.size());
    for (std::uint32_t i = 0; i < stores.size(); ++i)
      level[i] = static_cast<std::uint32_t>(level_of(NodeId{i})), entry[i] = i - store_begin(level_of(NodeId{i}));
    step.wrote(arrays::store_level, level);
    step.wrote(arrays::store_entry, entry);
  }
  step.wrote(arrays::median_store, stores);
  if (!tree.less.empty()) step.wrote(arrays::less, tree.less), step.wrote(arrays::greater, tree.greater);
  add_partition(step, stores, levels);
}

/// Shows the points with the first step; the root holds all of them.
void StepPresenter::open(StepWriter& step) {
  opened_ = true;
  step.wrote(arrays::points, coordinates_of(original_));
  for (std::uint32_t i = 0; i < n(); ++i) arrays_[0].push_back({i});
  unique_ = n();
  add_partition(step, {}, 0);
}

void StepPresenter::sorted(StepWriter& step, std::uint32_t dim, std::uint32_t begin,
                           const Checked<Reference>& references, bool done) {
  if (!opened_) open(step);
  Checked<PointId> points;
  Checked<std::uint32_t> values;
  for (const Reference& r : references)
    points.push_back(r.point), values.push_back(word_of_ordered_key(r.value, original_.type));
  CheckResult beside{"values beside references", "each value is the coordinate of the reference beside it", true, ""};
  for (std::size_t i = 0; i < points.size(); ++i)
    if (points[i].value >= n() || original_.value(points[i].value, dim) != scalar_value(values[i], original_.type))
      beside.fail_at(name_of(arrays::reference, dim, original_.dim), begin + i,
                     [&] { return "position " + std::to_string(i); });
  // Sorting one half leaves the rest of the array unchanged: the other half, and the median between them.
  const bool half = begin > 0 || references.size() < unique_;
  if (half && arrays_[dim].empty()) arrays_[dim] = arrays_[0];
  if (half)
    std::copy(points.begin(), points.end(), arrays_[dim].begin() + begin);
  else
    arrays_[dim] = points;
  step.wrote(arrays::reference, dim, arrays_[dim]);
  step.check(std::move(beside));
  if (done) {
    CheckResult order =
        check_super_key_order(points, view_of(original_), dim, false, name_of(arrays::reference, dim, original_.dim));
    for (IndexRange& r : order.elements) r.begin += begin, r.end += begin;
    step.check(std::move(order));
  }
  step.title() =
      (done ? "References sorted by the super key of " : "References and values of ") + coordinate_name(dim, k());
}

void StepPresenter::compacted(StepWriter& step, std::uint32_t dim, const Checked<PointId>& segments,
                              const Checked<std::uint32_t>& kept, const Checked<std::uint32_t>& masks,
                              int masks_per_warp) {
  const auto warps = static_cast<std::uint32_t>(kept.size());
  Checked<std::uint32_t> warp(n()), shown(n(), no_id), compare(n());
  CheckResult f{
      "compare masks",
      "a bit is 1 where the reference is the first of its kind, and a warp keeps as many as its masks have ones", true,
      ""};
  std::uint64_t removed = 0;
  Checked<std::uint32_t> written(masks.size());  // a warp without references writes no mask
  Checked<std::uint32_t> popcounts;              // [warps that have references][compare]
  for (std::uint32_t w = 0; w < warps; ++w) {
    const WarpShare share = share_of(n(), w, warps);
    std::uint32_t ones = 0;
    for (std::uint32_t i = share.begin; i < share.end; ++i) {
      const std::uint32_t mask =
          masks[std::size_t(w) * static_cast<std::size_t>(masks_per_warp) + (i - share.begin) / 32];
      warp[i] = w;
      written[std::size_t(w) * static_cast<std::size_t>(masks_per_warp) + (i - share.begin) / 32] = mask;
      compare[i] = mask >> ((i - share.begin) % 32) & 1;
      ones += compare[i];
      const bool first = i == 0 || order(arrays_[dim][i - 1].value, arrays_[dim][i].value, dim) != 0;
      if (compare[i] != first) f.fail_at("compare", i, [&] { return "position " + std::to_string(i); });
      if (i - share.begin < kept[w]) shown[i] = segments[i].value;
    }
    if (share.end > share.begin)
      popcounts.resize(2 * (std::size_t(w) + 1)), popcounts[2 * w] = share.end - share.begin - ones,
                                                                popcounts[2 * w + 1] = ones;
    if (ones != kept[w])
      f.fail_at("kept", w, [&] {
        return "warp " + std::to_string(w) + " kept " + std::to_string(kept[w]) + " of " + std::to_string(ones);
      });
    removed += share.end - share.begin - kept[w];
  }
  step.wrote(arrays::compare, compare);
  step.wrote(arrays::segments, shown);
  step.wrote(arrays::warp, warp);
  step.highlight(works_on(dim));
  step.wrote(arrays::kept, kept);
  step.wrote(arrays::compare_mask, written);
  if (removed > 0 && popcounts.size() > 2) step.wrote(arrays::popcount, popcounts);
  step.check(std::move(f));
  step.title() = removed == 0 ? "No duplicates among " + std::to_string(n()) + " references"
                              : std::to_string(removed) + " of " + std::to_string(n()) +
                                    " references are duplicates; each warp closes up its own";
}

void StepPresenter::unique(StepWriter& step, std::uint32_t dim, Checked<PointId> references) {
  step.wrote(arrays::reference, dim, references);
  step.check(
      check_super_key_order(references, view_of(original_), dim, true, name_of(arrays::reference, dim, original_.dim)));
  unique_ = static_cast<std::uint32_t>(references.size());
  step.title() = std::to_string(unique_) + " unique points; the gaps between the warps' segments are closed";
  arrays_[dim] = std::move(references);
  if (dim == 0) add_partition(step, {}, 0);  // without the duplicates
}

void StepPresenter::picked(StepWriter& step, int level, Partitioner partitioner, const TreeSoFar& tree,
                           const std::vector<Checked<PointId>>& arrays) {
  open_level(step, level, arrays);
  CheckResult f{"medians", "entry k of the level's store is the median of the array at address k", true, ""};
  for (std::uint32_t a = 0; a < 1u << level; ++a)
    if (const PositionRange range = array_at(unique_, level, a);
        range.size() > 0 && !(tree.stores[store_begin(level) + a] == arrays_[dim_of_level()][median_position(range)]))
      f.fail_at("median_store", store_begin(level) + a, [&] { return "entry " + std::to_string(a); });
  step.check(std::move(f));
  add_tree(step, tree, level + 1);
  step.title() = std::to_string(1u << level) + (level == 0 ? " median" : " medians") + " by " +
                 coordinate_name(dim_of_level(), k()) + " into the store of level " + std::to_string(level) +
                 "; next: " + name_of(partitioner);
}

void StepPresenter::marked(StepWriter& step, const Checked<std::uint8_t>& greater) {
  CheckResult f{"sides", "each point's side follows from its super key and its median's", true, ""};
  Checked<std::int32_t> shown(n());  // 0 for points that are no longer in an array: settled, or removed as duplicates
  for (std::uint32_t a = 0; a < 1u << level_; ++a) {
    const PositionRange range = array_at(unique_, level_, a);
    if (range.size() == 0) continue;
    const std::uint32_t median = arrays_[dim_of_level()][median_position(range)].value;
    for (std::uint32_t i = range.begin; i < range.end; ++i) {
      const std::uint32_t point = arrays_[dim_of_level()][i].value;
      shown[point] = point == median ? 0 : greater[point] ? 1 : -1;
      if (shown[point] != order(point, median, dim_of_level()))
        f.fail_at("side", point, [&] { return "point " + std::to_string(point); });
    }
  }
  add_arrays_of_level(step, level_, false);
  step.wrote(arrays::side, shown);
  step.check(std::move(f));
  step.title() = "Mark each point's side of its median by " + coordinate_name(dim_of_level(), k());
}

void StepPresenter::segmented(StepWriter& step, std::uint32_t dim, std::uint32_t warps, const Checked<PointId>& less,
                              const Checked<PointId>& greater, const Checked<std::uint32_t>& counts) {
  const std::uint32_t warps_per_array = warps >> level_;
  Checked<std::uint32_t> warp(unique_, no_id), less_shown(unique_, no_id), greater_shown(unique_, no_id);
  for (std::uint32_t w = 0; w < warps; ++w) {
    const PositionRange range = array_at(unique_, level_, w / warps_per_array);
    const WarpShare share = share_of(range.size(), w % warps_per_array, warps_per_array);
    for (std::uint32_t i = share.begin; i < share.end; ++i) {
      const std::uint32_t at = range.begin + i;
      warp[at] = w;
      if (i - share.begin < counts[w]) less_shown[at] = less[at].value;
      if (i - share.begin < counts[warps + w]) greater_shown[at] = greater[at].value;
    }
  }
  add_arrays_of_level(step, level_, false);
  step.highlight(works_on(dim));
  step.wrote(arrays::warp, warp);
  step.wrote(arrays::less_segments, less_shown);
  step.wrote(arrays::greater_segments, greater_shown);
  step.wrote(arrays::counts, counts);
  step.title() = "Part the array of " + coordinate_name(dim, k()) + " by the medians: each warp its own segments";
}

void StepPresenter::parted(StepWriter& step, std::uint32_t dim, Checked<PointId> references) {
  CheckResult sides{
      "sides",
      "in front of a median are the points less than it, behind it the greater ones, in the order that they had", true,
      ""};
  Checked<PointId> expected = arrays_[dim];
  for (std::uint32_t a = 0; a < 1u << level_; ++a) {
    const PositionRange range = array_at(unique_, level_, a);
    if (range.size() == 0) continue;
    const PointId median = arrays_[dim_of_level()][median_position(range)];
    std::uint32_t less = range.begin, greater = median_position(range) + 1;
    for (std::uint32_t i = range.begin; i < range.end; ++i) {
      const int side = order(arrays_[dim][i].value, median.value, dim_of_level());
      if (side != 0 && (side < 0 ? less : greater) < range.end)
        expected[side < 0 ? less++ : greater++] = arrays_[dim][i];
    }
    // Accept any value at a median's own position, because no later step reads it.
    expected[median_position(range)] = references[median_position(range)] = median;
    for (std::uint32_t i = range.begin; i < range.end; ++i)
      if (!(references[i] == expected[i]))
        sides.fail_at(name_of(arrays::reference, dim, original_.dim), i,
                      [&] { return "position " + std::to_string(i) + " of dimension " + std::to_string(dim); });
  }
  // Positions of earlier medians hold stale values.
  Checked<bool> settled(unique_, true);
  for (std::uint32_t a = 0; a < 1u << level_; ++a) {
    const PositionRange range = array_at(unique_, level_, a);
    std::fill(settled.begin() + range.begin, settled.begin() + range.end, false);
  }
  for (std::uint32_t i = 0; i < unique_; ++i)
    if (settled[i]) references[i] = arrays_[dim][i];
  arrays_[dim] = std::move(references);
  add_arrays_of_level(step, level_, false);
  step.wrote(arrays::reference, dim, arrays_[dim]);
  step.check(std::move(sides));
  step.title() =
      "The array of " + coordinate_name(dim, k()) + ": less than the medians in front of them, greater behind";
}

void StepPresenter::terminated(StepWriter& step, int level, const TreeSoFar& tree, const Checked<std::uint8_t>& removed,
                               const std::vector<Checked<PointId>>& arrays) {
  open_level(step, level, arrays);
  Checked<std::uint32_t> left_out;
  for (std::uint32_t i = 0; i < removed.size(); ++i)
    if (removed[i]) left_out.push_back(i);
  step.wrote(arrays::removed, left_out);
  add_tree(step, tree, store_levels(unique_));
  step.title() = "Arrays of one, two and three references become nodes and leaves";
}

}  // namespace kdscope::brown
