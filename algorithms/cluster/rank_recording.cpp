#include "algorithms/cluster/rank_recording.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "algorithms/builders/rank/arrays.hpp"
#include "algorithms/core/available_memory.hpp"
#include "algorithms/core/level_order.hpp"
#include "algorithms/record/partition_so_far.hpp"
#include "algorithms/record/recorders.hpp"
#include "algorithms/registry/build_provenance.hpp"
#include "algorithms/registry/registry.hpp"
#include "algorithms/registry/source_regions.hpp"
#include "algorithms/text/counts.hpp"
#include "algorithms/trees/left_balanced/layout.hpp"
#include "algorithms/trees/left_balanced/tree.hpp"
#include "algorithms/trees/permutation.hpp"
#include "algorithms/trees/tree.hpp"

namespace kdscope::cluster {

namespace arrays {
using namespace kdscope::arrays;
// What a rank knows of points and nodes is what one process knows; the counts are those of all ranks.
using kdscope::rank::arrays::below, kdscope::rank::arrays::bracket_hi, kdscope::rank::arrays::bracket_lo,
    kdscope::rank::arrays::in_window, kdscope::rank::arrays::index, kdscope::rank::arrays::split_dim,
    kdscope::rank::arrays::tree, kdscope::rank::arrays::window;
inline constexpr Space of_ranks{"rank"};
/// By position, in the memories of all ranks, one behind the other, as `index` is.
inline constexpr ArrayDef<std::uint32_t> rank{{.name = "rank", .values = of_ranks}};
inline constexpr ArrayDef<std::uint32_t> record{{.name = "record"}};  ///< place in the rank's own memory
inline constexpr ArrayDef<std::uint32_t> came_from{{.name = "came from", .values = of_ranks}};
inline constexpr ArrayDef<NodeId> node{{.name = "node", .values = Space::node}};
/// 1 for points whose order all ranks saw in the last narrowing.
inline constexpr ArrayDef<std::uint8_t> sampled{{.name = "sampled"}};
inline constexpr ArrayDef<std::uint32_t> rank_of_point{
    {.name = "rank_of_point", .index = Space::point, .values = of_ranks}};
/// How many of a node's points are smaller than its pivot.
inline constexpr ArrayDef<std::uint32_t> smaller{{.name = "smaller", .index = Space::node, .values = Space::count}};
inline constexpr ArrayDef<std::uint32_t> rank_of_node{
    {.name = "rank_of_node", .index = Space::node, .values = of_ranks}};
/// What each rank holds, and the bytes that it sent to others in the last step.
inline constexpr ArrayDef<std::uint32_t> held{{.name = "points held", .index = of_ranks, .values = Space::count}};
inline constexpr ArrayDef<std::uint64_t> bytes_of_samples{
    {.name = "bytes of samples", .index = of_ranks, .values = Space::count}};
inline constexpr ArrayDef<std::uint64_t> bytes_of_counts{
    {.name = "bytes of counts", .index = of_ranks, .values = Space::count}};
inline constexpr ArrayDef<std::uint64_t> bytes_of_points{
    {.name = "bytes of points", .index = of_ranks, .values = Space::count}};
/// Points that the exchange moved, by the rank that held them and the rank that has received them.
inline constexpr ArrayDef<std::uint32_t> travelled{{.name = "travelled",
                                                    .index = Space::none,
                                                    .values = Space::count,
                                                    .shown_as_row = false,
                                                    .dimensions = {{{"from", "came from"}, {"to", "rank"}}}}};
}  // namespace arrays

namespace steps {
inline constexpr StepLabel share{"share", "", "Each rank has a share of the points, in their order", StepKind::host};
inline constexpr StepLabel narrow{"narrow", "cluster/narrow", "", StepKind::host};
inline constexpr StepLabel split{"split", "cluster/split_level", "", StepKind::host, true};
inline constexpr StepLabel keep_pivots{"keep pivots", "cluster/keep_pivots",
                                       "Each rank stores the pivots that it holds in its share of the tree, and closes "
                                       "the gaps",
                                       StepKind::host};
inline constexpr StepLabel exchange{"exchange", "cluster/exchange", "", StepKind::host};
inline constexpr StepLabel finish{"finish", "cluster/finish", "Each rank finishes its subtrees alone", StepKind::host};
}  // namespace steps

namespace {

constexpr BuildSizes sizes_of_recordings{64, 64, 64, 4};

/// Adds a position behind those that a highlight has.
void extend(Highlight& highlight, std::uint32_t position) {
  if (highlight.ranges.empty() || highlight.ranges.back().end != position)
    highlight.ranges.push_back({position, position});
  ++highlight.ranges.back().end;
}

/// Turns gathered stages into steps. Only the first rank has one.
class Presenter {
 public:
  Presenter(PointSet original, std::uint32_t ranks, const rank::RankOptions& options, TraceHeader header)
      : original_(std::move(original)), options_(options), trace_(std::move(header)), ranks_(ranks) {
    ArrayList list(trace_.header());
    using namespace arrays;
    list.add(points).add_each_dimension(data).add(index, rank, record, came_from, node, sampled, in_window);
    list.add(rank_of_point, smaller, split_dim, bracket_lo, bracket_hi, below, window, tree, rank_of_node);
    list.add(held, bytes_of_samples, bytes_of_counts, bytes_of_points, travelled);
    add_partition(list);
    for (const ArrayInfo& info : list.infos()) trace_.declare(info);
    tree_.assign(n(), PointId{no_id});
    dim_.assign(n(), 0);
    rank_of_point_.assign(n(), no_id);
  }

  /// One stage of all ranks: what each rank holds, rank 0 first, and the bytes that each has sent since the last.
  struct Gathered {
    std::vector<std::uint32_t> held;
    std::vector<PointId> points;
    std::vector<NodeId> nodes;
    std::vector<std::uint8_t> flags;  ///< of a narrowing: 1 in a window; at the end: dimensions
    std::vector<LinkTraffic> sent;
  };

  void take(const BuildStage& stage, Gathered all) {
    switch (stage.after) {
      case BuildStage::After::shares:
        return shares(std::move(all));
      case BuildStage::After::narrow:
        return narrowed(stage, std::move(all));
      case BuildStage::After::split:
        return level_split(stage.level, std::move(all));
      case BuildStage::After::keep_pivots:
        return pivots_kept(std::move(all));
      case BuildStage::After::exchange:
        return exchanged(std::move(all));
      case BuildStage::After::finish:
        return finished(std::move(all));
    }
  }
  std::uint64_t stored_bytes() const { return trace_.stored_bytes(); }

  std::shared_ptr<const Trace> finish() {
    LeftBalancedTree whole{{original_.type, original_.dim, 0, {}}, tree_, dim_};
    for (const PointId point : tree_)
      for (std::uint32_t d = 0; d < original_.dim; ++d) whole.points.words.push_back(original_.word(point.value, d));
    whole.split = options_.split;
    const Tree tree(std::move(whole));
    trace_.header().tree_hash = tree_hash(tree);
    for (CheckResult& found : verify_tree(tree, original_)) trace_.current_step().checks.push_back(std::move(found));
    return trace_.finish();
  }

 private:
  std::uint32_t n() const { return static_cast<std::uint32_t>(original_.size()); }
  std::uint32_t nodes_above(int level) const { return std::min(n(), full_tree_size(level)); }
  rank::Order order(PointId point, std::uint32_t dim) const {
    return rank::order_of(ordered_key(original_.word(point.value, dim), original_.type), point);
  }

  /// Opens a step and writes what every step shows: where the points lie, and what the ranks have sent.
  StepWriter begin(const StepLabel& label, Gathered all) {
    Step step;
    step.name = label.name, step.path = path_of(label), step.title = label.title, step.level = label.level;
    step.phase = label.phase, step.kind = label.kind, step.code_anchor = label.anchor;
    trace_.begin_step(std::move(step));
    StepWriter writer(trace_);
    now_ = std::move(all);
    rank_.clear();
    std::vector<std::uint32_t> record;
    for (std::uint32_t r = 0; r < ranks_; ++r)
      for (std::uint32_t i = 0; i < now_.held[r]; ++i) rank_.push_back(r), record.push_back(i);
    came_from_.assign(n(), no_id);
    for (std::uint32_t p = 0; p < n(); ++p)
      came_from_[p] = std::exchange(rank_of_point_[now_.points[p].value], rank_[p]);
    writer.wrote(arrays::index, now_.points);
    writer.wrote(arrays::node, now_.nodes);
    writer.wrote(arrays::rank, rank_);
    writer.wrote(arrays::record, record);
    writer.wrote(arrays::rank_of_point, rank_of_point_);
    writer.wrote(arrays::held, now_.held);
    std::vector<std::uint64_t> samples, counts, points;
    for (const LinkTraffic& sent : now_.sent)
      samples.push_back(sent.samples), counts.push_back(sent.counts), points.push_back(sent.points);
    writer.wrote(arrays::bytes_of_samples, samples);
    writer.wrote(arrays::bytes_of_counts, counts);
    writer.wrote(arrays::bytes_of_points, points);
    writer.check(check_permutation(now_.points));
    return writer;
  }

  /// Writes the partition of the first `levels` levels.
  void add_partition_of(StepWriter& step, int levels) const {
    const std::uint32_t nodes = nodes_above(levels + 1);
    PartitionSoFar partition(original_, nodes);
    for (NodeId node{0}; node.value < nodes; ++node.value) {
      if (node.value > 0) partition.add_child(node.value, parent_of(node).value, node == right_child(parent_of(node)));
      const std::uint32_t point = tree_[node.value].value, dim = dim_[node.value];
      if (level_of(node) >= levels || point == no_id) continue;
      partition.set_point(node.value, point);
      if (left_child(node).value < n()) partition.split(node.value, dim, original_.value(point, dim));
    }
    for (std::uint32_t p = 0; p < n(); ++p) partition.place(now_.points[p].value, now_.nodes[p].value);
    partition.add_to(step);
    step.wrote(arrays::tree, std::vector<PointId>(tree_.begin(), tree_.begin() + nodes_above(levels)));
  }

  /// Highlights each rank's points of each node, and the pivots that are found.
  void add_segments(StepWriter& step) const {
    Highlight segments{Role::segment, Space::position, {}, {}}, settled{Role::settled, Space::position, {}, {}};
    for (std::uint32_t begin = 0, end = 0; begin < n(); begin = end) {
      for (end = begin + 1; end < n() && now_.nodes[end] == now_.nodes[begin] && rank_[end] == rank_[begin];) ++end;
      const NodeId node = now_.nodes[begin];
      Highlight& to = tree_[node.value] == now_.points[begin] ? settled : segments;
      to.ranges.push_back({begin, end});
      to.nodes.push_back(node.value);
    }
    for (Highlight* each : {&settled, &segments})
      if (!each->ranges.empty()) step.highlight(std::move(*each));
  }

  /// Returns the points of each node of a level, sorted in its split dimension.
  std::vector<std::vector<rank::Order>> sorted_nodes(int level) const {
    std::vector<std::vector<rank::Order>> sorted(nodes_above(level + 1) - nodes_above(level));
    for (std::uint32_t p = 0; p < n(); ++p)
      if (const NodeId node = level_ancestor(now_.nodes[p], level); level_of(node) == level)
        sorted[node.value - full_tree_size(level)].push_back(order(now_.points[p], dim_[node.value]));
    for (auto& orders : sorted) std::ranges::sort(orders);
    return sorted;
  }

  /// Checks that every point lies on its side of the planes above its node.
  CheckResult check_owners() const {
    CheckResult f{"owners", "every point lies on its side of the planes above its node", true, ""};
    for (std::uint32_t p = 0; p < n(); ++p)
      for (NodeId at = now_.nodes[p]; at.value > 0; at = parent_of(at)) {
        const NodeId above = parent_of(at);
        const std::uint32_t dim = dim_[above.value];
        if ((order(now_.points[p], dim) < order(tree_[above.value], dim)) != (at == left_child(above)))
          f.fail_at("node", p, [&] { return "position " + std::to_string(p) + " is in the wrong node"; });
      }
    return f;
  }

  void shares(Gathered all) {
    StepWriter step = begin(steps::share, std::move(all));
    step.wrote(arrays::points, coordinates_of(original_));
    std::vector<std::uint32_t> smaller;
    for (NodeId node{0}; node.value < n(); ++node.value) {
      smaller.push_back(left_size(subtree_size(node, n())));
      if (options_.split == Split::round_robin)
        dim_[node.value] = static_cast<std::uint8_t>(static_cast<std::uint32_t>(level_of(node)) % original_.dim);
    }
    step.wrote(arrays::smaller, smaller);
    if (options_.split == Split::round_robin) step.wrote(arrays::split_dim, dim_);
    add_partition_of(step, 0);
    add_segments(step);
  }

  void narrowed(const BuildStage& stage, Gathered all) {
    StepWriter step = begin(steps::narrow.at(stage.level, stage.pass), std::move(all));
    const std::uint32_t first = full_tree_size(stage.level);
    for (std::uint32_t i = 0; i < stage.searches.size(); ++i)
      dim_[first + i] = static_cast<std::uint8_t>(stage.searches[i].dim);
    std::vector<std::uint8_t> sampled(n(), 0), of_point(n(), 0);
    for (const PointId point : stage.sampled) of_point[point.value] = 1;
    Highlight seen{Role::read, Space::position, {}, {}};
    for (std::uint32_t p = 0; p < n(); ++p)
      if ((sampled[p] = of_point[now_.points[p].value]) != 0) extend(seen, p);
    step.wrote(arrays::sampled, sampled);
    step.wrote(arrays::in_window, now_.flags);
    // Each node's pivot, by a sort of its points, must lie in the window that the ranks have found
    CheckResult windows{
        "windows", "the pivot of each node lies in its window, and the ranks together have counted right", true, ""};
    const auto sorted = sorted_nodes(stage.level);
    std::vector<std::uint32_t> in_window(stage.searches.size(), 0);
    for (std::uint32_t p = 0; p < n(); ++p)
      if (now_.flags[p]) ++in_window[now_.nodes[p].value - first];
    constexpr double open_end = std::numeric_limits<double>::quiet_NaN();
    std::vector<double> lo(nodes_above(stage.level + 1), open_end), hi(lo);
    below_.resize(lo.size(), no_id), window_.resize(lo.size(), no_id);
    std::size_t open = 0, points = 0;
    for (std::uint32_t i = 0; i < stage.searches.size(); ++i) {
      const PivotSearch& s = stage.searches[i];
      const auto value = [&](rank::Order edge) {
        return scalar_value(word_of_ordered_key(rank::key_of(edge), original_.type), original_.type);
      };
      if (s.lo > 0) lo[first + i] = value(s.lo);
      if (s.hi < rank::largest_order) hi[first + i] = value(s.hi);
      below_[first + i] = static_cast<std::uint32_t>(s.found ? s.rank : s.below);
      window_[first + i] = s.found ? 1 : static_cast<std::uint32_t>(s.count);
      open += !s.found, points += s.found ? 0 : s.count;
      const bool holds = s.rank >= below_[first + i] && s.rank - below_[first + i] < window_[first + i] &&
                         in_window[i] == window_[first + i] && s.rank < sorted[i].size();
      if (!holds || (s.found && sorted[i][s.rank] != s.lo))
        windows.fail_at("window", first + i, [&] { return "node " + std::to_string(first + i); });
    }
    step.wrote(arrays::bracket_lo, lo);
    step.wrote(arrays::bracket_hi, hi);
    step.wrote(arrays::below, below_);
    step.wrote(arrays::window, window_);
    step.check(std::move(windows));
    add_segments(step);
    if (!seen.ranges.empty()) step.highlight(std::move(seen));
    step.title() = "All ranks see " + count_text(stage.sampled.size(), "point", "points") + " and count; ";
    step.title() += open == 0 ? "every pivot of the level is found"
                              : count_text(points, "point stays", "points stay") + " in the " +
                                    count_text(open, "window", "windows");
  }

  void level_split(int level, Gathered all) {
    const std::uint32_t first = full_tree_size(level);
    for (std::uint32_t p = 0; p < n(); ++p)
      if (const NodeId node = all.nodes[p]; level_of(node) == level) tree_[node.value] = all.points[p];
    StepWriter step = begin(steps::split.at(level), std::move(all));
    if (options_.split == Split::widest)
      step.wrote(arrays::split_dim, std::vector<std::uint8_t>(dim_.begin(), dim_.begin() + nodes_above(level + 1)));
    CheckResult pivots{"pivots", "each pivot has as many smaller points in its node as n decides", true, ""};
    const auto sorted = sorted_nodes(level);
    Highlight found{Role::pivot, Space::position, {}, {}};
    for (std::uint32_t i = 0; i < sorted.size(); ++i) {
      const NodeId node{first + i};
      const std::uint32_t size = subtree_size(node, n()), rank = left_size(size);
      if (sorted[i].size() != size || sorted[i][rank] != order(tree_[node.value], dim_[node.value]))
        pivots.fail_at("tree", node.value, [&] { return "node " + std::to_string(node.value); });
    }
    for (std::uint32_t p = 0; p < n(); ++p)
      if (level_of(now_.nodes[p]) == level)
        found.ranges.push_back({p, p + 1}), found.nodes.push_back(now_.nodes[p].value);
    add_partition_of(step, level + 1);
    upper_ = level + 1;
    step.check(std::move(pivots));
    step.check(check_owners());
    add_segments(step);
    step.highlight(std::move(found));
    step.title() = "The pivots stand between both sides, each on the rank that has it; no point has left its rank";
  }

  void pivots_kept(Gathered all) {
    StepWriter step = begin(steps::keep_pivots, std::move(all));
    std::vector<std::uint32_t> rank_of_node(nodes_above(upper_), no_id);
    for (std::uint32_t p = 0; p < n(); ++p)
      if (now_.nodes[p].value < rank_of_node.size()) rank_of_node[now_.nodes[p].value] = rank_[p];
    step.wrote(arrays::rank_of_node, rank_of_node);
    step.wrote(arrays::sampled, std::vector<std::uint8_t>(n(), 0));
    step.wrote(arrays::in_window, std::vector<std::uint8_t>(n(), 0));
    add_segments(step);
  }

  void exchanged(Gathered all) {
    StepWriter step = begin(steps::exchange, std::move(all));
    step.wrote(arrays::came_from, came_from_);
    std::vector<std::uint32_t> travelled(std::size_t(ranks_) * ranks_, 0);
    // A subtree belongs to one rank
    CheckResult whole{"whole subtrees", "all points of a subtree lie on one rank", true, ""};
    std::vector<std::uint32_t> rank_of_node(nodes_above(upper_ + 1), no_id);
    Highlight arrived{Role::write, Space::position, {}, {}};
    std::uint64_t moved = 0, bytes = 0, zeros = 0;
    for (std::uint32_t p = 0; p < n(); ++p) {
      std::uint32_t& there = rank_of_node[now_.nodes[p].value];
      if (there != no_id && there != rank_[p])
        whole.fail_at("rank", p, [&] { return "position " + std::to_string(p); });
      there = rank_[p];
      ++travelled[std::size_t(came_from_[p]) * ranks_ + rank_[p]];
      if (came_from_[p] == rank_[p]) continue;
      ++moved;
      extend(arrived, p);
      for (std::uint32_t d = 0; d < original_.dim; ++d)
        if (original_.type == ScalarType::float32 && original_.word(now_.points[p].value, d) == word_of(-0.0f)) {
          ++zeros;
          break;
        }
    }
    for (const LinkTraffic& sent : now_.sent) bytes += sent.points;
    // What travels beside the points: the sizes of subtrees, and zeros that are negative
    CheckResult model{"bytes", "the ranks have sent what the points that moved take, and no more", true, ""};
    const std::uint64_t subtrees = n() == 0 ? 0 : std::uint64_t{1} << upper_;
    const std::uint64_t expected = moved * 4 * (original_.dim + 1) + 8 * zeros + 4 * subtrees * (ranks_ - 1);
    if (bytes != expected) model.fail(std::to_string(bytes) + " bytes, expected " + std::to_string(expected));
    step.wrote(arrays::travelled, travelled);
    step.wrote(arrays::rank_of_node, rank_of_node);
    step.check(std::move(whole));
    step.check(std::move(model));
    add_segments(step);
    if (!arrived.ranges.empty()) step.highlight(std::move(arrived));
    step.title() = moved == 0 ? "Every point lies on the rank of its subtree already"
                              : count_text(moved, "point travels to the rank of its subtree",
                                           "points travel to the ranks of their subtrees") +
                                    ", " + std::to_string(n() - moved) + (n() - moved == 1 ? " stays" : " stay");
  }

  void finished(Gathered all) {
    std::vector<std::uint32_t> rank_of_node(n(), no_id);
    for (std::uint32_t p = 0; p < n(); ++p) tree_[all.nodes[p].value] = all.points[p];
    StepWriter step = begin(steps::finish, std::move(all));
    for (std::uint32_t p = 0; p < n(); ++p) rank_of_node[now_.nodes[p].value] = rank_[p];
    step.wrote(arrays::rank_of_node, rank_of_node);
    for (std::uint32_t p = 0; p < n(); ++p) dim_[now_.nodes[p].value] = now_.flags[p];
    step.wrote(arrays::split_dim, dim_);
    add_partition_of(step, num_levels(n()));
    step.check(check_owners());
    add_segments(step);
  }

  PointSet original_;
  const rank::RankOptions& options_;
  TraceBuilder trace_;
  std::uint32_t ranks_;
  int upper_ = 0;  ///< levels that all ranks have split
  Gathered now_;
  std::vector<std::uint32_t> rank_, came_from_;  ///< [n] by position
  std::vector<std::uint32_t> rank_of_point_;     ///< [n]
  std::vector<PointId> tree_;                    ///< [n] pivot of each node, where it is known
  std::vector<std::uint8_t> dim_;                ///< [n] dimension of each node, where it is known
  std::vector<std::uint32_t> below_, window_;    ///< [nodes so far]
};

/// Returns the memory that a recording takes, about: the arrays by point of every stage, in full, and the partition.
std::uint64_t estimated_bytes(std::uint64_t n, std::uint32_t dim, std::uint32_t ranks) {
  const int levels = num_levels(static_cast<std::uint32_t>(n));
  int upper = 0;
  double per_point = 60 + 4.0 * dim;
  for (; upper < levels - 1 && (std::uint64_t{1} << upper) < sizes_of_recordings.subtrees * ranks; ++upper) {
    // A narrowing leaves about two thirds of a window, down to the few points that all ranks compare
    per_point += 12;
    for (double count = double(n) / (1u << upper); count > double(sizes_of_recordings.few); count *= 0.6)
      per_point += 12 * 0.8;
  }
  return static_cast<std::uint64_t>(double(n) * (per_point + 16 * dim + 24) + double(n) * 12 * ranks);
}

TraceHeader header_of(const Communicator& ranks, const RecordingOf& of, std::uint64_t n,
                      const rank::RankOptions& options) {
  TraceHeader header;
  header.algorithm = "rank";
  header.title = "Multiway partition by rank, on " + count_text(ranks.size(), "rank", "ranks");
  header.citation = "kdscope";
  header.parameters = {{"split", options.split == Split::widest ? "widest" : "round-robin"}};
  header.data_set = of.data->name;
  header.n = n, header.dim = of.data->points.dim, header.scalar = of.data->points.type;
  header.up_axis = of.data->up_axis;
  header.backend = name_of(Backend::cpu);
  header.device = count_text(ranks.size(), "rank", "ranks") + " on " + count_text(ranks.hosts(), "host", "hosts");
  header.version = version();
  header.tree_kind = LeftBalancedTree::kind().id();
  header.build = build_provenance();
  header.data_warnings = of.data->warnings;
  for (const SourceRegion& region : source_regions())
    if (region.file.find("/cluster/") != region.file.npos)
      header.sources.push_back({std::string(region.name), std::string(region.file),
                                static_cast<std::uint32_t>(region.first_line), std::string(region.text)});
  return header;
}

/// Gathers the stages of all ranks.
class Gatherer {
 public:
  Gatherer(Communicator& ranks, const RecordingOf& of) : ranks_(ranks), of_(of), before_(ranks.traffic()) {}

  void begin(const PointShare& share, std::uint64_t n, const rank::RankOptions& options) {
    const auto words = gathered(std::span<const std::uint32_t>(share.points.words));
    if (ranks_.rank() == 0)
      presenter_.emplace(PointSet{share.points.type, share.points.dim, 0, words}, ranks_.size(), options,
                         header_of(ranks_, of_, n, options));
    before_ = ranks_.traffic();
  }

  void take(const BuildStage& stage) {
    const LinkTraffic now = ranks_.traffic();
    const LinkTraffic sent{now.samples - before_.samples, now.counts - before_.counts, now.points - before_.points, 0};
    const auto held = static_cast<std::uint32_t>(stage.points.size());
    std::vector<std::uint8_t> flags(held, 0);
    for (const PivotSearch& s : stage.searches) std::fill(flags.begin() + s.begin, flags.begin() + s.end, 1);
    if (!stage.split_dim.empty()) flags = stage.split_dim;
    Presenter::Gathered all{gathered(std::span(&held, 1)), gathered(std::span<const PointId>(stage.points)),
                            gathered(std::span<const NodeId>(stage.nodes)),
                            gathered(std::span<const std::uint8_t>(flags)), gathered(std::span(&sent, 1))};
    before_ = now;
    Result<void> within;
    if (presenter_) {
      presenter_->take(stage, std::move(all));
      if (presenter_->stored_bytes() > of_.budget)
        within = Error{ErrorKind::over_budget,
                       "the recording has passed its budget of " + memory_text(of_.budget) + " before its end", "",
                       "raise the budget, or use less data"};
    }
    if (auto agreed = ranks_.uncounted([&] { return ranks_.agree(within); }); !agreed)
      throw AgreedError{agreed.error()};
  }

  struct AgreedError {
    Error error;
  };
  std::shared_ptr<const Trace> finish() { return presenter_ ? presenter_->finish() : nullptr; }

 private:
  template <class T>
  std::vector<T> gathered(std::span<const T> own) {
    return ranks_.uncounted([&] { return ranks_.gather_all(own); });
  }
  Communicator& ranks_;
  const RecordingOf& of_;
  LinkTraffic before_;
  std::optional<Presenter> presenter_;
};

}  // namespace

Result<std::shared_ptr<const Trace>> record_by_rank(Communicator& ranks, PointShare share,
                                                    const rank::RankOptions& options, const RecordingOf& of,
                                                    std::stop_token stop) {
  const std::uint64_t n = ranks.sum(std::uint64_t{share.points.size()});
  const std::uint64_t estimate = estimated_bytes(n, share.points.dim, ranks.size());
  Result<void> possible;
  if (ranks.rank() == 0 && estimate / 3 * 2 > of.budget)
    possible =
        Error{ErrorKind::over_budget,
              "recording " + std::to_string(n) + " points on " + count_text(ranks.size(), "rank", "ranks") +
                  " takes about " + memory_text(estimate) + " of memory, its budget is " + memory_text(of.budget),
              "", "raise the budget, or use less data"};
  if (auto all = ranks.agree(possible); !all) return all.error();
  Gatherer gatherer(ranks, of);
  gatherer.begin(share, n, options);
  try {
    build_by_rank(ranks, std::move(share), options, std::move(stop), sizes_of_recordings,
                  [&](const BuildStage& stage) { gatherer.take(stage); });
  } catch (const Gatherer::AgreedError& agreed) {
    return agreed.error;
  }
  return gatherer.finish();
}

}  // namespace kdscope::cluster
