#include <algorithm>

#include "algorithms/builders/zhou/arrays.hpp"
#include "algorithms/builders/zhou/recording.hpp"
#include "algorithms/builders/zhou/recording_parts.hpp"
#include "algorithms/builders/zhou/step_checks.hpp"

namespace kdscope::zhou {

/// Writes the level's list of references and the node of each.
void StepPresenter::add_references(StepWriter& step) const {
  Ids owner;
  Highlight segments{Role::segment, Space::position, {}, {}};
  for (std::size_t i = 0; i < level_.active.size(); ++i) {
    const std::uint64_t end = i + 1 < level_.active.size() ? level_.first[i + 1] : level_.primitive.size();
    owner.resize(followed(end, level_.primitive.size() + 1), level_.active[i]);
    segments.ranges.push_back({level_.first[i], end});
    segments.nodes.push_back(level_.active[i]);
  }
  step.wrote(arrays::reference, level_.primitive);
  step.wrote(arrays::reference_node, owner);
  if (!triangles_.empty()) step.wrote(arrays::reference_box, sides_of(level_.box, points_.dim));
  if (!segments.ranges.empty()) step.highlight(std::move(segments));
}

/// Replaces the lists after a level by those of the nodes that stay large. Clears the arrays by position, which
/// describe the previous lists.
void StepPresenter::move_references(StepWriter& step, const Ids& pending, const Ids& lists, const Checked<Box3>& box) {
  level_.active.clear(), level_.first.clear();
  std::uint32_t all = 0;
  for (const std::uint32_t node : pending)
    if (nodes_.set[node] == 0) level_.active.push_back(node), level_.first.push_back(all), all += nodes_.count[node];
  lists_ = lists, level_.primitive = lists.slice(lists.size() - all, lists.size()), level_.box = box;
  if (triangles_.empty()) add_lists(step);
  add_references(step);
  step.wrote(arrays::in_right, Checked<std::uint8_t>{});
  if (!triangles_.empty()) {
    step.wrote(arrays::in_left, Checked<std::uint8_t>{});
    step.wrote(arrays::rank_left, Ids{});
    step.wrote(arrays::rank_right, Ids{});
  }
  for (std::uint32_t d = 0; d < points_.dim && triangles_.empty(); ++d) step.wrote(arrays::lefts, d, Ids{});
}

/// Writes the references kept for small nodes and leaves, with the small root or leaf of each.
void StepPresenter::add_kept(StepWriter& step, const Ids& kept) const {
  Ids node(kept.size(), no_id);
  for (std::uint32_t i = 0; i < nodes_.size(); ++i)
    for (std::uint32_t t = 0; (nodes_.set[i] != 0 || leaf_[i]) && nodes_.left_child[i] == no_id && t < nodes_.count[i];
         ++t)
      node[std::size_t(nodes_.first[i]) + t] = i;
  step.wrote(arrays::kept, kept);
  step.wrote(arrays::kept_node, node);
}

/// Highlights chunks as segments of their nodes.
void StepPresenter::add_chunk_segments(StepWriter& step) const {
  Highlight segments{Role::segment, Space::chunk, {}, {}};
  for (std::uint64_t k = 0; k < level_.owner.size();) {
    std::uint64_t end = k + 1;
    while (end < level_.owner.size() && level_.owner[end] == level_.owner[k]) ++end;
    segments.ranges.push_back({k, end});
    segments.nodes.push_back(level_.active[level_.owner[k]]);
    k = end;
  }
  if (!segments.ranges.empty()) step.highlight(std::move(segments));
}

void StepPresenter::chunked(StepWriter& step, ChunkedLevel level) {
  level_ = std::move(level);
  add_references(step);
  add_chunk_segments(step);
  Ids node;
  for (const std::uint32_t owner : level_.owner) node.push_back(level_.active[owner]);
  step.wrote(arrays::active, level_.active);
  step.wrote(arrays::chunk_node, node);
  step.wrote(arrays::chunk_first, level_.chunk_first);
  step.wrote(arrays::chunk_size, level_.chunk_size);
  // Clear the boxes of the previous chunks.
  for (const auto* boxes : {&arrays::chunk_box, &arrays::data_box, &arrays::result_box})
    step.wrote(*boxes, Checked<float>{});
  for (const auto* numbers : {&arrays::owner, &arrays::chunk_counts, &arrays::data_count, &arrays::result_count})
    step.wrote(*numbers, Ids{});
  step.check(check_chunks(level_.chunk_first, level_.chunk_size, options_.chunk, level_.primitive.size()));
  step.title() = count_text(level_.active.size(), "large node", "large nodes") + ", " +
                 primitives(level_.primitive.size()) + " in " + count_text(level_.owner.size(), "chunk", "chunks");
}

void StepPresenter::boxed_chunks(StepWriter& step, Checked<Box3> boxes) {
  chunk_box_ = std::move(boxes);
  step.wrote(arrays::chunk_box, sides_of(chunk_box_, points_.dim));
  add_chunk_segments(step);
  step.check(check_chunk_boxes(chunk_box_, level_.chunk_first, level_.chunk_size, level_.box));
  step.title() = "Reduce each chunk to its box";
}

/// Shows the data that remain after a pass of the segmented reduction, and the elements that the pass combined.
void StepPresenter::add_pass(StepWriter& step, std::uint32_t passes) const {
  step.wrote(arrays::owner, level_.owner);
  add_chunk_segments(step);
  const std::uint64_t c = level_.owner.size(), stride = 1ull << passes;
  Highlight settled{Role::settled, Space::chunk, {}, {}}, pairs{Role::compare, Space::chunk, {}, {}};
  for (std::uint64_t k = 0; k < c; k += stride) {
    if (k + 1 < std::min(c, k + stride)) settled.ranges.push_back({k + 1, std::min(c, k + stride)});
    if (passes > 0 && k + stride / 2 < c)
      pairs.ranges.push_back({k, k + 1}), pairs.ranges.push_back({k + stride / 2, k + stride / 2 + 1});
  }
  for (Highlight* h : {&settled, &pairs})
    if (!h->ranges.empty()) step.highlight(std::move(*h));
  if (passes == 0) {
    step.title() = "One chunk: its value is the result";
    return;
  }
  const bool last = passes == reduction_passes(static_cast<std::uint32_t>(c));
  std::size_t combined = 0, finished = last;
  for (std::uint64_t a = 0, b = stride / 2; b < c; a += stride, b += stride)
    ++(level_.owner[a] == level_.owner[b] ? combined : finished);
  step.title() = "Pass " + std::to_string(passes - 1) + ", chunks " + grouped(stride / 2) + " apart: ";
  if (combined > 0)
    step.title() +=
        count_text(combined, "pair of one owner combined", "pairs of one owner combined") + (finished > 0 ? ", " : "");
  if (finished > 0) step.title() += count_text(finished, "value to its result", "values to their results");
}

void StepPresenter::reduced_boxes(StepWriter& step, std::uint32_t passes, const Checked<Box3>& data,
                                  const Checked<Box3>& result) {
  step.wrote(arrays::data_box, sides_of(data, points_.dim));
  step.wrote(arrays::result_box, sides_of(result, points_.dim));
  add_pass(step, passes);
  if (passes < reduction_passes(static_cast<std::uint32_t>(data.size()))) return;
  step.check(check_reduction(result, chunk_box_, level_.owner, level_.active));
}

void StepPresenter::reduced_counts(StepWriter& step, std::uint32_t passes, const Checked<SideCounts>& data,
                                   const Checked<SideCounts>& result) {
  step.wrote(arrays::data_count, both_of(data));
  step.wrote(arrays::result_count, both_of(result));
  add_pass(step, passes);
  if (passes < reduction_passes(static_cast<std::uint32_t>(data.size()))) return;
  step.check(check_reduction(result, chunk_counts_, level_.owner, level_.active));
}

void StepPresenter::planned(StepWriter& step, Checked<PlannedSplit> planes, Ids pairs, const Ids& half,
                            Checked<Box3> tight) {
  planes_ = std::move(planes), pairs_ = std::move(pairs);
  const std::uint32_t k = points_.dim;
  Ids cuts, median_dim(pairs_.size(), no_id);
  Checked<double> cut(pairs_.size() * 2 * k, no_number), median(pairs_.size(), no_number);
  std::size_t all_cuts = 0, halved = 0;
  for (std::size_t i = 0; i < pairs_.size(); ++i) {
    cuts.push_back(pairs_[i] - half[i]);
    all_cuts += cuts.back(), halved += half[i];
    const PlannedSplit* const planned = &planes_[i * most_planes];
    for (std::uint32_t p = 0; p < cuts.back(); ++p)
      cut[i * 2 * k + planned[p].side % 2 * k + planned[p].side / 2] = planned[p].value;
    if (half[i]) median_dim[i] = planned[cuts.back()].side / 2, median[i] = planned[cuts.back()].value;
    tight_of_node_[level_.active[i]] = tight[i];
  }
  step.wrote(arrays::node_box, sides_of(tight, points_.dim));
  step.wrote(arrays::cuts, cuts);
  step.wrote(arrays::cut, cut);
  step.wrote(arrays::median_dim, median_dim);
  step.wrote(arrays::median, median);
  step.title() = all_cuts == 0 ? "No side is empty enough: halve " + count_text(halved, "node", "nodes") +
                                     " along the longest side"
                               : "Cut off empty space " + (all_cuts == 1 ? "once" : grouped(all_cuts) + " times") +
                                     ", then halve " + count_text(halved, "node", "nodes");
}

std::uint32_t StepPresenter::planned_nodes(std::uint32_t begin) const {
  std::uint32_t pairs = 0;
  for (const std::uint32_t of_node : pairs_) pairs += static_cast<std::uint32_t>(followed(of_node, most_planes + 1));
  return begin + 2 * pairs;
}

void StepPresenter::created(StepWriter& step, std::uint32_t begin, Ids halved, Ids child, NodeList nodes) {
  nodes_ = std::move(nodes);
  child_ = std::move(child);
  // Mark the empty space that a cut took off as leaves. The children of a median are classified once they are counted.
  leaf_.resize(nodes_.size(), 0);
  for (std::uint32_t i = begin; i < nodes_.size(); ++i) leaf_[i] = nodes_.left_child[i] == no_id;
  for (const std::uint32_t node : child_)
    if (node != no_id) leaf_[node] = 0;
  tight_of_node_.resize(nodes_.size(), empty_box());
  for (std::size_t i = 0; i < halved.size(); ++i)
    std::swap(tight_of_node_[halved[i]], tight_of_node_[level_.active[i]]);
  add_nodes(step);
  add_partition(step);
  step.wrote(arrays::halved, halved);
  step.wrote(arrays::child, child_);
  const auto empty = std::count(leaf_.begin() + begin, leaf_.end(), 1);
  std::size_t halves = 0;
  for (std::size_t right = 1; right < child_.size(); right += 2) halves += child_[right] == no_id ? 0 : 2;
  step.title() = "Nodes " + std::to_string(begin) + " to " + std::to_string(nodes_.size() - 1) + ": ";
  if (empty > 0)
    step.title() +=
        count_text(static_cast<std::uint64_t>(empty), "empty leaf", "empty leaves") + (halves > 0 ? ", " : "");
  if (halves > 0) step.title() += grouped(halves) + " halves";
  if (nodes_.size() == begin) step.title() = "No node can be split";
}

void StepPresenter::marked(StepWriter& step, const Checked<SideRanks>& ranks, Checked<SideCounts> counts) {
  chunk_counts_ = std::move(counts);
  Checked<std::uint8_t> left, right;
  Ids left_rank, right_rank;
  std::size_t both = 0;
  for (const SideRanks& r : ranks) {
    left.push_back(r.goes_left), right.push_back(r.goes_right), left_rank.push_back(r.left),
        right_rank.push_back(r.right);
    both += r.goes_left && r.goes_right;
  }
  add_references(step);
  step.wrote(arrays::in_left, left);
  step.wrote(arrays::in_right, right);
  step.wrote(arrays::rank_left, left_rank);
  step.wrote(arrays::rank_right, right_rank);
  step.wrote(arrays::chunk_counts, both_of(chunk_counts_));
  step.check(check_sides(left, right));
  step.title() = "Mark the sides: " + grouped(both) + " of " + primitives(ranks.size()) +
                 (both == 1 ? " is on both" : " are on both");
}

void StepPresenter::filtered(StepWriter& step, NodeList nodes, Checked<ChildKind> kind) {
  nodes_ = std::move(nodes);
  Checked<std::size_t> counts(4);
  Checked<std::uint8_t> kinds;
  for (std::size_t i = 0; i < kind.size(); ++i) {
    ++counts[static_cast<std::size_t>(kind[i])];
    kinds.push_back(static_cast<std::uint8_t>(kind[i]));
    if (kind[i] == ChildKind::leaf) leaf_[child_[i]] = 1;
  }
  add_nodes(step);
  add_partition(step);
  step.wrote(arrays::kind, kinds);
  step.title() = grouped(counts[1]) + " of " + count_text(kind.size() - counts[0], "child", "children") +
                 (counts[1] == 1 ? " stays large, " : " stay large, ") +
                 count_text(counts[2], "is small, ", "are small, ") + count_text(counts[3], "is a leaf", "are leaves");
}

void StepPresenter::clipped(StepWriter& step, NodeList nodes, const MovedReferences& moved) {
  nodes_ = std::move(nodes);
  leaf_.clear();
  for (const std::uint32_t left : nodes_.left_child) leaf_.push_back(left == no_id);
  for (const std::uint32_t node : moved.pending) leaf_[node] = 0;
  tight_of_node_.resize(nodes_.size(), empty_box());
  for (std::size_t i = 0; i < moved.halved.size(); ++i) tight_of_node_[moved.halved[i]] = moved.tight[i];
  add_nodes(step);
  add_partition(step);
  move_references(step, moved.pending, moved.primitive, moved.box);
  add_kept(step, moved.kept);
  if (!triangles_.empty()) step.check(check_clipped(moved.box));
  step.title() = "Sort " + primitives(moved.before) + " into the children";
  if (!triangles_.empty())
    step.title() += moved.both == 0 ? "; none is on both sides"
                                    : ", and clip " + grouped(moved.both) + " that " +
                                          (moved.both == 1 ? "is" : "are") + " on both sides";
}

}  // namespace kdscope::zhou
