#include "algorithms/builders/brown/recording.hpp"

#include <algorithm>

#include "algorithms/builders/brown/arrays.hpp"
#include "algorithms/builders/brown/compaction.hpp"
#include "algorithms/checks/super_key_checks.hpp"
#include "algorithms/core/level_order.hpp"
#include "algorithms/record/partition_so_far.hpp"
#include "algorithms/text/counts.hpp"
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
void StepPresenter::open_level(StepWriter& step, int level, const std::vector<OfParts<PointId>>& arrays) {
  unique_ = total_;
  for (std::uint32_t d = 0; d < k(); ++d) {
    Checked<PointId> now = side_by_side(arrays[d]);
    for (std::uint32_t i = 0; i < unique_ && arrays_[d].size() == unique_; ++i)
      if (side_of_position(unique_, level, i) == settled) now[i] = arrays_[d][i];
    if (now == arrays_[d]) continue;
    arrays_[d] = std::move(now);
    step.wrote(arrays::reference, d, arrays_[d]);
  }
  // From here on, kernels of each dimension have an order of their own
  if (in_parts()) step.wrote(arrays::record, Checked<std::uint32_t>(total_, no_id));
  begin_level(step, level);
}

/// Enters the medians of a level, whose arrays are known, and shows what belongs to it.
void StepPresenter::begin_level(StepWriter& step, int level) {
  level_ = level;
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

void StepPresenter::add_tree(StepWriter& step, const TreeSoFar& tree, const Checked<PointId>& stores, int levels) {
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

void StepPresenter::place(std::vector<Shard> shards, int levels) {
  shards_ = std::move(shards);
  upper_ = levels;
  total_ = levels > 0 ? unique_ : shards_.back().positions.end;
}

PointId StepPresenter::point_at(std::size_t part, std::uint32_t record) const {
  if (!in_parts()) return {record};
  const Checked<std::uint32_t>& original = shards_[part].original;
  return {record < original.size() ? original[record] : no_id};
}

Checked<PointId> StepPresenter::side_by_side(const OfParts<PointId>& references) const {
  if (!in_parts()) return references[0];
  Checked<PointId> all(total_, {no_id});
  for (std::size_t i = 0; i < medians_.size() && upper_ > 0; ++i) all[i] = {medians_[i]};
  for (std::size_t p = 0; p < shards_.size(); ++p)
    for (std::uint32_t i = 0; i < references[p].size(); ++i)
      all[shards_[p].positions.begin + i] = point_at(p, references[p][i].value);
  return all;
}

/// Shows which part holds what, with the records that the references name.
void StepPresenter::show_shards(StepWriter& step, std::uint32_t dim, const OfParts<PointId>& references) {
  if (!in_parts()) return;
  Checked<std::uint32_t> part(total_, no_id), record(total_, no_id), of_point(n(), no_id);
  for (std::uint32_t p = 0; p < shards_.size(); ++p) {
    const auto& [positions, original] = shards_[p];
    for (std::uint32_t i = positions.begin; i < positions.end; ++i) part[i] = p;
    for (std::uint32_t i = 0; i < references[p].size(); ++i) record[positions.begin + i] = references[p][i].value;
    for (const std::uint32_t point : original)
      if (point < n()) of_point[point] = p;
  }
  step.wrote(arrays::part_of_position, part);
  step.wrote(arrays::record, record);
  step.wrote(arrays::part_of_point, of_point);
  step.highlight(works_on(dim));
}

void StepPresenter::mark_shards(StepWriter& step) const {
  if (!in_parts()) return;
  Highlight segments{Role::segment, Space::position, {}, {}};
  for (const Shard& shard : shards_)
    if (shard.positions.size() > 0) segments.ranges.push_back({shard.positions.begin, shard.positions.end});
  if (!segments.ranges.empty()) step.highlight(std::move(segments));
}

/// Returns the references to the records of all parts, in the order of their memory.
OfParts<PointId> StepPresenter::all_records() const {
  OfParts<PointId> records(shards_.size());
  for (std::size_t p = 0; p < shards_.size(); ++p)
    for (std::uint32_t i = 0; i < shards_[p].original.size(); ++i) records[p].push_back({i});
  return records;
}

void StepPresenter::distributed(StepWriter& step) {
  open(step);
  const OfParts<PointId> records = all_records();
  arrays_[0] = side_by_side(records);
  step.wrote(arrays::reference, 0, arrays_[0]);
  show_shards(step, 0, records);
  mark_shards(step);
  step.title() = std::to_string(shards_.size()) + " parts; each holds an equal share of the points";
}

void StepPresenter::sorted(StepWriter& step, std::uint32_t dim, std::uint32_t begin,
                           const OfParts<Reference>& references, std::uint32_t together) {
  if (!opened_) open(step);
  CheckResult beside{"values beside references", "each value is the coordinate of the reference beside it", true, ""};
  OfParts<PointId> points(references.size());
  for (std::size_t p = 0; p < references.size(); ++p) {
    for (const Reference& r : references[p]) points[p].push_back(r.point);
    for (std::uint32_t i = 0; i < points[p].size(); ++i) {
      const std::uint32_t point = point_at(p, points[p][i].value).value,
                          value = word_of_ordered_key(references[p][i].value, original_.type);
      if (point >= n() || original_.value(point, dim) != scalar_value(value, original_.type))
        beside.fail_at(name_of(arrays::reference, dim, original_.dim), shards_[p].positions.begin + begin + i,
                       [&] { return "position " + std::to_string(i); });
    }
  }
  // Sorting one half leaves the rest of the array unchanged: the other half, and the median between them.
  const bool half = !in_parts() && (begin > 0 || points[0].size() < unique_);
  if (half && arrays_[dim].empty()) arrays_[dim] = arrays_[0];
  if (half)
    std::copy(points[0].begin(), points[0].end(), arrays_[dim].begin() + begin);
  else
    arrays_[dim] = side_by_side(points);
  step.wrote(arrays::reference, dim, arrays_[dim]);
  show_shards(step, dim, points);
  mark_shards(step);
  step.check(std::move(beside));
  // Parts that are sorted together are checked across their borders
  CheckResult order = check_super_key_order({}, view_of(original_), dim, false);
  for (std::size_t p = 0; together > 0 && p < shards_.size(); p += together) {
    const std::uint32_t from = shards_[p].positions.begin + begin,
                        to = half ? from + static_cast<std::uint32_t>(points[0].size())
                                  : shards_[std::min(p + together, shards_.size()) - 1].positions.end;
    CheckResult of_group = check_super_key_order(arrays_[dim].slice(from, to), view_of(original_), dim, false,
                                                 name_of(arrays::reference, dim, original_.dim));
    for (IndexRange& r : of_group.elements) r.begin += from, r.end += from;
    if (order.passed) order = std::move(of_group);
  }
  if (together > 0) step.check(std::move(order));
  step.title() = (together == 0 ? "References and values of " : "References sorted by the super key of ") +
                 coordinate_name(dim, k()) +
                 (!in_parts() || together == 0 ? ""
                  : together == 1              ? ", in each part by itself"
                                               : ", across the parts");
}

/// Returns whether the point at a position of a dimension belongs before that at another.
bool StepPresenter::stands_before(std::uint32_t a, std::uint32_t b, std::uint32_t dim) const {
  const std::uint32_t first = arrays_[dim][a].value, second = arrays_[dim][b].value;
  const int by_key = order(first, second, dim);
  return by_key != 0 ? by_key < 0 : first < second;
}

/// Returns "the 3 greatest of part 0".
std::string StepPresenter::points_of(std::uint32_t part, std::uint32_t count, const char* which) const {
  return "the " + (count == 1 ? std::string() : std::to_string(count) + " ") + which + " of part " +
         std::to_string(part);
}

void StepPresenter::found_pivots(StepWriter& step, std::uint32_t dim, const std::vector<ExchangingPair>& pairs) {
  CheckResult f{"pivots", "exactly the points that are out of order between two parts change places", true, ""};
  Checked<std::uint32_t> pivots;
  Highlight compared{Role::compare, Space::position, {}, {}};
  std::string texts;
  const auto before = [&](std::uint32_t a, std::uint32_t b) { return stands_before(a, b, dim); };
  for (const auto& [low, high, count] : pairs) {
    const PositionRange of_low = shards_[low].positions, of_high = shards_[high].positions;
    const std::uint32_t most = std::min(of_low.size(), of_high.size());
    pivots.push_back(count);
    if (count > most || (count > 0 && before(of_low.end - count, of_high.begin + count - 1)) ||
        (count < most && !before(of_low.end - count - 1, of_high.begin + count)))
      f.fail_at("pivot", pivots.size() - 1,
                [&] { return "parts " + std::to_string(low) + " and " + std::to_string(high); });
    if (count == 0 || count > most) continue;
    compared.ranges.push_back({of_low.end - count, of_low.end});
    compared.ranges.push_back({of_high.begin, of_high.begin + count});
    texts +=
        (texts.empty() ? "" : "; ") + points_of(low, count, "greatest") + " and " + points_of(high, count, "least");
  }
  step.wrote(arrays::pivot, pivots);
  std::ranges::sort(compared.ranges, {}, &IndexRange::begin);
  step.highlight(works_on(dim));
  mark_shards(step);
  if (!compared.ranges.empty()) step.highlight(std::move(compared));
  step.check(std::move(f));
  step.title() = texts.empty() ? "No point is out of order between the parts" : "Out of order: " + texts;
}

void StepPresenter::swapped(StepWriter& step, std::uint32_t dim, const OfParts<Reference>& references,
                            const std::vector<ExchangingPair>& pairs) {
  sorted(step, dim, 0, references, 0);
  CheckResult f{"parts in order", "every point of the lower part is less than every point of the upper one", true, ""};
  Highlight written{Role::write, Space::position, {}, {}};
  const auto before = [&](std::uint32_t a, std::uint32_t b) { return stands_before(a, b, dim); };
  for (const auto& [low, high, count] : pairs) {
    const PositionRange of_low = shards_[low].positions, of_high = shards_[high].positions;
    if (of_low.size() == 0 || of_high.size() == 0) continue;
    std::uint32_t greatest = of_low.begin, least = of_high.begin;
    for (std::uint32_t i = of_low.begin; i < of_low.end; ++i)
      if (before(greatest, i)) greatest = i;
    for (std::uint32_t i = of_high.begin; i < of_high.end; ++i)
      if (before(i, least)) least = i;
    if (!before(greatest, least))
      f.fail_at(name_of(arrays::reference, dim, original_.dim), greatest,
                [&] { return "parts " + std::to_string(low) + " and " + std::to_string(high); });
    if (count == 0 || count > std::min(of_low.size(), of_high.size())) continue;
    written.ranges.push_back({of_low.end - count, of_low.end});
    written.ranges.push_back({of_high.begin, of_high.begin + count});
  }
  std::ranges::sort(written.ranges, {}, &IndexRange::begin);
  const bool none = written.ranges.empty();
  if (!none) step.highlight(std::move(written));
  step.check(std::move(f));
  step.title() = none ? "No point changes places" : "These points change places; each part now holds two sorted runs";
}

void StepPresenter::rebalanced(StepWriter& step, int level, const TreeSoFar& tree) {
  const std::uint32_t dim = static_cast<std::uint32_t>(level) % k();
  // The order of the points stays what it was; they only change parts
  const Checked<PointId> before = arrays_[dim];
  for (std::uint32_t d = 0; d < k(); ++d)
    if (d != dim && !arrays_[d].empty()) arrays_[d].clear(), step.wrote(arrays::reference, d, arrays_[d]);
  begin_level(step, level);
  const OfParts<PointId> records = all_records();
  arrays_[dim] = side_by_side(records);
  step.wrote(arrays::reference, dim, arrays_[dim]);
  show_shards(step, dim, records);
  CheckResult kept{"order kept", "the points and the medians between them stand in the order of the sort", true, ""};
  for (std::uint32_t i = 0; i < total_; ++i)
    if (!(arrays_[dim][i] == before[i]))
      kept.fail_at(name_of(arrays::reference, dim, original_.dim), i, [&] { return "position " + std::to_string(i); });
  step.check(std::move(kept));
  check_medians(step, tree.stores);
  add_tree(step, tree, tree.stores, level + 1);
  step.title() = "The " + std::string(level == 0 ? "median divides" : "medians divide") +
                 " the parts: less than it in the first half of them, greater in the second";
}

void StepPresenter::in_order(StepWriter& step, std::uint32_t dim, const OfParts<PointId>& references) {
  const Checked<PointId> now = side_by_side(references);
  CheckResult kept{"order kept", "the references name the points in the order of the sort", true, ""};
  for (std::uint32_t i = 0; i < total_; ++i)
    if (!(now[i] == arrays_[dim][i]))
      kept.fail_at(name_of(arrays::reference, dim, original_.dim), i, [&] { return "position " + std::to_string(i); });
  arrays_[dim] = now;
  step.wrote(arrays::reference, dim, now);
  show_shards(step, dim, references);
  mark_shards(step);
  step.check(std::move(kept));
  step.title() = "The points were distributed in this order";
}

void StepPresenter::compacted(StepWriter& step, std::uint32_t dim, const OfParts<PointId>& segments,
                              const OfParts<std::uint32_t>& kept, const Checked<std::uint32_t>& masks,
                              int masks_per_warp) {
  const auto warps = static_cast<std::uint32_t>(kept[0].size());
  Checked<std::uint32_t> warp(n()), shown(n(), no_id), compare(n()), all_kept;
  CheckResult f{
      "compare masks",
      "a bit is 1 where the reference is the first of its kind, and a warp keeps as many as its masks have ones", true,
      ""};
  std::uint64_t removed = 0;
  Checked<std::uint32_t> written(masks.size());  // a warp without references writes no mask
  Checked<std::uint32_t> popcounts;              // [warps that have references][compare]
  for (std::uint32_t p = 0; p < shards_.size(); ++p) {
    const PositionRange positions = shards_[p].positions;
    for (std::uint32_t of_part = 0; of_part < warps; ++of_part) {
      const std::uint32_t w = p * warps + of_part;  // among the warps of all parts
      const WarpShare share = share_of(positions.size(), of_part, warps);
      const std::uint32_t keeps = kept[p][of_part];
      std::uint32_t ones = 0;
      for (std::uint32_t i = share.begin; i < share.end; ++i) {
        const std::size_t at = std::size_t(w) * static_cast<std::size_t>(masks_per_warp) + (i - share.begin) / 32;
        const std::uint32_t position = positions.begin + i, mask = masks[at];
        warp[position] = w;
        written[at] = mask;
        compare[position] = mask >> ((i - share.begin) % 32) & 1;
        ones += compare[position];
        const bool first =
            position == 0 || order(arrays_[dim][position - 1].value, arrays_[dim][position].value, dim) != 0;
        if (compare[position] != first)
          f.fail_at("compare", position, [&] { return "position " + std::to_string(position); });
        if (i - share.begin < keeps) shown[position] = point_at(p, segments[p][i].value).value;
      }
      if (share.end > share.begin)
        popcounts.resize(2 * (std::size_t(w) + 1)), popcounts[2 * w] = share.end - share.begin - ones,
                                                                  popcounts[2 * w + 1] = ones;
      if (ones != keeps)
        f.fail_at("kept", w, [&] {
          return "warp " + std::to_string(w) + " kept " + std::to_string(keeps) + " of " + std::to_string(ones);
        });
      removed += share.end - share.begin - keeps;
      all_kept.push_back(keeps);
    }
  }
  step.wrote(arrays::compare, compare);
  step.wrote(arrays::segments, shown);
  step.wrote(arrays::warp, warp);
  step.highlight(works_on(dim));
  step.wrote(arrays::kept, all_kept);
  step.wrote(arrays::compare_mask, written);
  if (removed > 0 && popcounts.size() > 2) step.wrote(arrays::popcount, popcounts);
  step.check(std::move(f));
  step.title() = removed == 0 ? "No duplicates among " + grouped(n()) + " references"
                              : grouped(removed) + " of " + grouped(n()) +
                                    " references are duplicates; each warp closes up its own";
}

void StepPresenter::unique(StepWriter& step, std::uint32_t dim, const OfParts<PointId>& of_parts) {
  Checked<PointId> references = side_by_side(of_parts);
  step.wrote(arrays::reference, dim, references);
  show_shards(step, dim, of_parts);
  mark_shards(step);
  step.check(
      check_super_key_order(references, view_of(original_), dim, true, name_of(arrays::reference, dim, original_.dim)));
  unique_ = static_cast<std::uint32_t>(references.size());
  step.title() = grouped(unique_) + " unique points; the gaps between the warps' segments are closed";
  arrays_[dim] = std::move(references);
  if (dim == 0) add_partition(step, {}, 0);  // without the duplicates
}

void StepPresenter::check_medians(StepWriter& step, const Checked<PointId>& stores) const {
  CheckResult f{"medians", "entry k of the level's store is the median of the array at address k", true, ""};
  for (std::uint32_t a = 0; a < 1u << level_; ++a)
    if (const PositionRange range = array_at(unique_, level_, a);
        range.size() > 0 && !(stores[store_begin(level_) + a] == arrays_[dim_of_level()][median_position(range)]))
      f.fail_at("median_store", store_begin(level_) + a, [&] { return "entry " + std::to_string(a); });
  step.check(std::move(f));
}

/// Returns the stores of the whole tree: those of the upper levels, and below them those of the parts.
Checked<PointId> StepPresenter::joined_stores(const TreeSoFar& tree) const {
  Checked<PointId> all = tree.stores;
  for (std::uint32_t p = 0; p < tree.of_parts.size(); ++p)
    for (std::uint32_t i = 0; i < tree.of_parts[p].size(); ++i) {
      const int level = level_of(NodeId{i});
      all[store_begin(level + upper_) + (p << level) + (i - store_begin(level))] =
          point_at(p, tree.of_parts[p][i].value);
    }
  return all;
}

void StepPresenter::picked(StepWriter& step, int level, Partitioner partitioner, const TreeSoFar& tree,
                           const std::vector<OfParts<PointId>>& arrays) {
  open_level(step, level, arrays);
  const Checked<PointId> stores = joined_stores(tree);
  check_medians(step, stores);
  add_tree(step, tree, stores, level + 1);
  step.title() = count_text(1u << level, "median", "medians") + " by " + coordinate_name(dim_of_level(), k()) +
                 " into the store of level " + std::to_string(level) + "; next: " + name_of(partitioner);
}

void StepPresenter::marked(StepWriter& step, const OfParts<std::uint8_t>& of_parts) {
  Checked<std::uint8_t> greater = of_parts[0];
  if (in_parts()) greater.assign(n(), 0);
  for (std::size_t p = 0; p < shards_.size() && in_parts(); ++p)
    for (std::uint32_t i = 0; i < of_parts[p].size(); ++i) greater[point_at(p, i).value] = of_parts[p][i];
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

void StepPresenter::segmented(StepWriter& step, std::uint32_t dim, const OfParts<PointId>& less_of_parts,
                              const OfParts<PointId>& greater_of_parts, const OfParts<std::uint32_t>& counts_of_parts) {
  const Checked<PointId> less = side_by_side(less_of_parts), greater = side_by_side(greater_of_parts);
  Checked<std::uint32_t> counts;  // of all warps, all counts of less first
  for (const std::size_t half : {0, 1})
    for (const Checked<std::uint32_t>& of_part : counts_of_parts)
      for (std::size_t w = half * of_part.size() / 2; w < (half + 1) * of_part.size() / 2; ++w)
        counts.push_back(of_part[w]);
  const std::uint32_t warps = static_cast<std::uint32_t>(counts.size() / 2), warps_per_array = warps >> level_;
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

void StepPresenter::parted(StepWriter& step, std::uint32_t dim, const OfParts<PointId>& of_parts) {
  Checked<PointId> references = side_by_side(of_parts);
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

void StepPresenter::write_removed(StepWriter& step, const Checked<std::uint8_t>& removed) const {
  Checked<std::uint32_t> left_out;
  for (std::uint32_t i = 0; i < removed.size(); ++i)
    if (removed[i]) left_out.push_back(i);
  step.wrote(arrays::removed, left_out);
}

void StepPresenter::terminated(StepWriter& step, int level, const TreeSoFar& tree, const Checked<std::uint8_t>& removed,
                               const std::vector<OfParts<PointId>>& arrays) {
  open_level(step, level, arrays);
  write_removed(step, removed);
  add_tree(step, tree, joined_stores(tree), store_levels(unique_));
  step.title() = "Arrays of one, two and three references become nodes and leaves";
}

void StepPresenter::joined(StepWriter& step, const TreeSoFar& tree, const Checked<std::uint8_t>& removed) {
  write_removed(step, removed);
  const Checked<PointId> expected = joined_stores(tree);
  CheckResult f{"joined stores", "a part's stores follow below the medians that divided the parts", true, ""};
  for (std::uint32_t i = store_begin(upper_); i < tree.stores.size(); ++i)
    if (!(tree.stores[i] == expected[i])) f.fail_at("median_store", i, [&] { return "entry " + std::to_string(i); });
  step.check(std::move(f));
  add_tree(step, tree, tree.stores, store_levels(unique_));
  step.title() = "The stores of all parts, joined below the medians that divided them";
}

}  // namespace kdscope::brown
