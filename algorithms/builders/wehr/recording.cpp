#include "algorithms/builders/wehr/recording.hpp"

#include <algorithm>

#include "algorithms/builders/wehr/arrays.hpp"
#include "algorithms/checks/key_loss.hpp"
#include "algorithms/checks/left_balanced_checks.hpp"
#include "algorithms/core/index_range.hpp"
#include "algorithms/core/level_order.hpp"
#include "algorithms/record/partition_so_far.hpp"
#include "algorithms/trees/permutation.hpp"

namespace kdscope::wehr {
std::string StepPresenter::sorted_name() const { return coordinate_name(sorted_dim(), original_.dim); }

RadixPass StepPresenter::pass_of(int pass) const {
  return {chunks_, options_.base, static_cast<std::uint32_t>(pass), options_.tpb};
}

/// Adds the level's chunks and splitting elements once, and their highlights in every step of the level.
void StepPresenter::add_chunks(StepWriter& step) {
  if (!chunks_shown_) {
    Checked<std::uint32_t> chunk(n());
    Checked<std::uint8_t> splitting(n());
    for (std::uint32_t i = 0; i < n(); ++i) chunk[i] = chunks_.chunk_at(i), splitting[i] = chunks_.is_splitting(i);
    step.wrote(arrays::chunk, chunk);
    step.wrote(arrays::splitting, splitting);
    chunks_shown_ = true;
  }
  Highlight segments{Role::segment, Space::position, {}, {}}, settled{Role::settled, Space::position, {}, {}};
  for (std::uint32_t c = 0; c < chunks_.count(); ++c) {
    const PositionRange chunk = chunks_.chunk(c);
    if (c > 0) settled.ranges.push_back({chunks_.edge(c), std::uint64_t(chunks_.edge(c)) + 1});
    if (chunk.size() == 0) continue;
    segments.ranges.push_back({chunk.begin, chunk.end});
    segments.nodes.push_back(chunks_.node(c).value);
  }
  if (!settled.ranges.empty()) step.highlight(std::move(settled));
  step.highlight(std::move(segments));
}

Highlight StepPresenter::medians() const {
  Highlight medians{Role::pivot, Space::position, {}, {}};
  for (std::uint32_t c = 0; c < chunks_.count(); ++c) {
    medians.ranges.push_back({chunks_.median(c), std::uint64_t(chunks_.median(c)) + 1});
    medians.nodes.push_back(chunks_.node(c).value);
  }
  return medians;
}

/// Returns where each chunk's columns of H begin, and where the last ones end.
Checked<std::uint32_t> StepPresenter::columns() const {
  const HistogramLayout layout{chunks_, options_.base, options_.tpb};
  Checked<std::uint32_t> columns;
  for (std::uint32_t c = 0; c <= chunks_.count(); ++c) columns.push_back(layout.columns(c));
  return columns;
}

/// Writes p_d and index after a pass or a whole sort. After a whole sort, also highlights the medians.
void StepPresenter::add_order(StepWriter& step, Checked<std::uint32_t> keys, Checked<PointId> index, bool sorted) {
  add_chunks(step);
  step.wrote(arrays::keys, sorted_dim(), keys);
  step.wrote(arrays::index, index);
  step.check(check_permutation(index));
  const KeyState before{index_before_, keys_before_}, after{index, keys};
  step.check(check_keys_follow_index(after, std::span(point_keys_).subspan(std::size_t(sorted_dim()) * n(), n()),
                                     sorted_dim()));
  step.check(check_splitting_elements(before, after, chunks_));
  if (sorted) {
    step.check(check_chunks_sorted(before, after, chunks_));
    step.highlight(medians());
  }
  std::copy(keys.begin(), keys.end(), p_.begin() + std::ptrdiff_t(sorted_dim()) * n());
  index_ = std::move(index);
}

void StepPresenter::indexed(StepWriter& step, Checked<PointId> index) {
  step.wrote(arrays::points, coordinates_of(original_));
  step.wrote(arrays::index, index);
  step.check(check_permutation(index));
  index_ = std::move(index);
  const Checked<PointId> no_nodes(median_tree_slots(n()), PointId{no_id});
  step.wrote(arrays::tree, no_nodes);
  chunks_ = {n(), -1};
  add_partition(step, no_nodes);
  if (n() > 0) step.highlight({Role::segment, Space::position, {{0, n()}}, {0}});
  step.title() = "Position i starts with point i";
}

void StepPresenter::split(StepWriter& step, Checked<std::uint32_t> p) {
  for (std::uint32_t d = 0; d < original_.dim; ++d)
    step.wrote(arrays::keys, d, std::span<const std::uint32_t>(p).subspan(std::size_t(d) * n(), n()));
  const bool exact = options_.keys == KeyChoice::exact;
  const KeyLoss loss = key_loss(p, view_of(original_));
  step.check(check_keys(loss, exact));
  step.title() = std::string("Split into one array per dimension, ") +
                 (exact ? "exact keys" : "keys 0 to " + std::to_string(options_.f)) + ": " + text_of(loss);
  point_keys_ = p_ = std::move(p);
}

void StepPresenter::bounded(StepWriter& step, const Checked<std::uint32_t>& max) const {
  step.wrote(arrays::max, max);
  CheckResult f{"maxima", "each dimension's largest key bounds the passes of its sorts", true, ""};
  for (std::uint32_t d = 0; d < original_.dim && n() > 0; ++d) {
    const std::uint32_t largest =
        *std::max_element(p_.begin() + std::ptrdiff_t(d) * n(), p_.begin() + std::ptrdiff_t(d + 1) * n());
    if (largest != max[d])
      f.fail(name_of(arrays::keys, d, original_.dim) + " reaches " + std::to_string(largest) + ", not " +
             std::to_string(max[d]));
    step.title() += (d == 0 ? "Largest keys: " : ", ") + name_of(arrays::keys, d, original_.dim) + " " +
                    std::to_string(max[d]) + " (" + std::to_string(passes_for(max[d], options_.base)) + " digits)";
  }
  step.check(std::move(f));
}

void StepPresenter::open_level(const ChunksOfLevel& chunks) {
  chunks_ = chunks;
  chunks_shown_ = false;
  index_before_ = index_;
  if (n() == 0) return;
  const auto begin = p_.begin() + std::ptrdiff_t(sorted_dim()) * n();
  keys_before_.assign(begin, begin + n());
}

void StepPresenter::counted(StepWriter& step, int pass, Checked<std::uint32_t> h, Checked<std::uint32_t> counts) {
  add_chunks(step);
  const Digit digit = Digit::of_pass(options_.base, pass);
  Checked<std::uint32_t> block(n()), digits(n()), columns = this->columns();
  const std::uint32_t* keys = p_.data() + std::size_t(sorted_dim()) * n();
  for (std::uint32_t i = 0; i < n(); ++i) {
    block[i] = i / options_.tpb;
    digits[i] = chunks_.is_splitting(i) ? no_id : digit.of(keys[i]);
  }
  step.wrote(arrays::block, block);
  step.wrote(arrays::digit, digits);
  step.wrote(arrays::h, h);
  step.wrote(arrays::H, counts);
  step.wrote(arrays::H_columns, columns);
  step.check(check_block_histograms({keys, n()}, h, pass_of(pass)));
  step.check(check_histogram_layout(h, columns, counts, pass_of(pass)));
  step.title() =
      "Count digit " + std::to_string(pass) + " of " + sorted_name() + " in each block, one histogram a chunk";
  counts_ = std::move(counts);
}

void StepPresenter::summed(StepWriter& step, Checked<std::uint32_t> sums) {
  add_chunks(step);
  step.check(check_prefix_sum(counts_, sums, chunks_));
  step.wrote(arrays::H_sum, sums);
  step.wrote(arrays::H_sum_columns, columns());
  step.title() = "Inclusive prefix sum: where each block's elements of each digit end";
}

void StepPresenter::distributed(StepWriter& step, int pass, const Checked<std::uint32_t>& t,
                                const Checked<PointId>& t_index) {
  add_chunks(step);
  step.wrote(arrays::T, t);
  step.wrote(arrays::T_index, t_index);
  const std::span<const std::uint32_t> keys(p_.data() + std::size_t(sorted_dim()) * n(), n());
  step.check(check_distribution({index_, keys}, {t_index, t}, pass_of(pass)));
  step.title() = "Distribute by digit " + std::to_string(pass) +
                 " into T, each block backwards, so that equal digits keep their order";
}

void StepPresenter::copied(StepWriter& step, int pass, bool last, Checked<std::uint32_t> keys, Checked<PointId> index) {
  add_order(step, std::move(keys), std::move(index), last);
  step.title() = last ? "Copy T back: each chunk is sorted by " + sorted_name()
                      : "Copy T back: each chunk is sorted by the " +
                            (pass == 0 ? "lowest digit" : std::to_string(pass + 1) + " lowest digits") + " of " +
                            sorted_name();
}

void StepPresenter::sorted(StepWriter& step, Checked<std::uint32_t> keys, Checked<PointId> index) {
  add_order(step, std::move(keys), std::move(index), true);
  step.title() = "Sort each chunk by " + sorted_name() + ", one thread per chunk";
}

void StepPresenter::reorganized(StepWriter& step, Checked<std::uint32_t> p) {
  add_chunks(step);
  for (std::uint32_t d = 0; d < original_.dim; ++d) {
    const std::span<const std::uint32_t> keys = std::span<const std::uint32_t>(p).subspan(std::size_t(d) * n(), n());
    if (d != sorted_dim()) step.wrote(arrays::keys, d, keys);
    step.check(check_keys_follow_index({index_, keys}, std::span(point_keys_).subspan(std::size_t(d) * n(), n()), d));
  }
  p_ = std::move(p);
  step.title() = "Bring the other dimensions into the order of " + sorted_name();
}

void StepPresenter::created(StepWriter& step, Checked<PointId> tree, Checked<PointId> index, Checked<std::uint32_t> p) {
  add_chunks(step);
  if (index != index_ || p != p_) {
    step.wrote(arrays::index, index);
    step.check(check_permutation(index));
    for (std::uint32_t d = 0; d < original_.dim; ++d) {
      const std::size_t begin = std::size_t(d) * n();
      step.wrote(arrays::keys, d, std::span<const std::uint32_t>(p).subspan(begin, n()));
      step.check(check_keys_follow_index({index, std::span(p).subspan(begin, n())},
                                         std::span(point_keys_).subspan(begin, n()), d));
    }
    index_ = std::move(index);
    p_ = std::move(p);
  }
  const bool leaves = chunks_.level == median_levels(n());
  step.wrote(arrays::tree, tree);
  step.check(check_level_nodes(tree, index_, chunks_.level));
  add_partition(step, tree);
  if (!leaves) step.highlight(medians());
  step.title() = leaves ? "What is left of each chunk becomes a leaf" : "Each chunk's median becomes a node";
}

/// Writes the standard partition. Node i is slot i: the levels whose nodes are known and, below them, the chunks of the
/// next level. An empty leaf is a node without a point.
void StepPresenter::add_partition(StepWriter& step, const Checked<PointId>& tree) const {
  const std::uint32_t k = original_.dim, settled = full_tree_size(chunks_.level + 1);
  PartitionSoFar partition(
      original_, std::min<std::uint32_t>(static_cast<std::uint32_t>(tree.size()), full_tree_size(chunks_.level + 2)));
  for (NodeId node{0}; node.value < partition.size(); ++node.value) {
    if (node.value > 0) partition.add_child(node.value, parent_of(node).value, node != left_child(parent_of(node)));
    if (node.value >= settled) continue;
    const std::uint32_t point = tree[node.value].value;
    partition.set_point(node.value, point);
    const int level = level_of(node);
    if (level == median_levels(n()) || point >= n()) continue;
    const std::uint32_t dim = static_cast<std::uint32_t>(level) % k;
    partition.split(node.value, dim, original_.value(point, dim));
  }
  // Place each point in its node or in its chunk of the next level.
  const ChunksOfLevel next{n(), std::min(chunks_.level + 1, median_levels(n()))};
  for (std::uint32_t i = 0; i < n(); ++i)
    if (index_[i].value < n()) partition.place(index_[i].value, next.node(next.chunk_at(i)).value);
  for (std::uint32_t node = 0; node < partition.size(); ++node)
    if (partition.stored(node) < n()) partition.place(partition.stored(node), node);
  partition.add_to(step);
}

}  // namespace kdscope::wehr
