#include "algorithms/builders/zhou/recording.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>

namespace kdscope::zhou {
namespace {

constexpr double no_number = std::numeric_limits<double>::quiet_NaN();

/// Six coordinates a box.
std::vector<float> sides_of(std::span<const Box3> boxes) {
  std::vector<float> sides;
  for (const Box3& box : boxes)
    for (const float* ends : {box.lo, box.hi}) sides.insert(sides.end(), ends, ends + 3);
  return sides;
}

bool same(const Box3& a, const Box3& b) {
  for (int d = 0; d < 3; ++d)
    if (a.lo[d] != b.lo[d] || a.hi[d] != b.hi[d]) return false;
  return true;
}

std::string count_text(std::size_t count, const char* one, const char* many) { return std::to_string(count) + " " + (count == 1 ? one : many); }

/// Two numbers a pair.
std::vector<std::uint32_t> both_of(std::span<const SideCounts> counts) {
  std::vector<std::uint32_t> numbers;
  for (const SideCounts& c : counts) numbers.insert(numbers.end(), {c.left, c.right});
  return numbers;
}

}  // namespace

Recording::Recording(PointSet points, Ids triangles, const ZhouOptions& options)
    : points_(std::move(points)), triangles_(std::move(triangles)), options_(options), node_of_point_(points_.size(), 0) {}

Recording::Ids Recording::range(std::uint32_t begin, std::uint32_t count) {
  Ids ids(count);
  std::iota(ids.begin(), ids.end(), begin);
  return ids;
}

std::string Recording::primitives(std::size_t count) const { return triangles_.empty() ? count_text(count, "point", "points") : count_text(count, "triangle", "triangles"); }

void Recording::add_nodes(StepReport& report) const {
  const std::uint32_t m = nodes_.size();
  std::vector<double> value(m, no_number);
  for (std::uint32_t i = 0; i < m; ++i)
    if (nodes_.split_dim[i] != no_id) value[i] = nodes_.split_value[i];
  report.add("left_child", nodes_.left_child);
  report.add("split_dim", nodes_.split_dim);
  report.add("split_value", value);
  report.add("count", nodes_.count);
  report.add("depth", nodes_.depth);
  report.add("set", nodes_.set);
}

/// The level's list of references, and the node of each.
void Recording::add_references(StepReport& report) const {
  Ids owner;
  Highlight segments{Role::segment, Space::position, {}, {}};
  for (std::size_t i = 0; i < active_.size(); ++i) {
    const std::uint64_t end = i + 1 < active_.size() ? first_[i + 1] : primitive_.size();
    owner.resize(end, active_[i]);
    segments.ranges.push_back({first_[i], end});
    segments.nodes.push_back(active_[i]);
  }
  report.add("reference", primitive_);
  report.add("reference.node", owner);
  if (!triangles_.empty()) report.add("reference.box", sides_of(box_));
  if (!segments.ranges.empty()) report.highlights.push_back(std::move(segments));
}

/// Chunks as segments of their nodes.
void Recording::add_chunk_segments(StepReport& report) const {
  Highlight segments{Role::segment, Space::chunk, {}, {}};
  for (std::uint64_t k = 0; k < owner_.size();) {
    std::uint64_t end = k + 1;
    while (end < owner_.size() && owner_[end] == owner_[k]) ++end;
    segments.ranges.push_back({k, end});
    segments.nodes.push_back(active_[owner_[k]]);
    k = end;
  }
  if (!segments.ranges.empty()) report.highlights.push_back(std::move(segments));
}

/// Volumes as they are cut; a vertex belongs to the lowest node around it.
void Recording::add_partition(StepReport& report) {
  const std::uint32_t m = nodes_.size(), k = points_.dim;
  Ids parent(m, no_id), point(m, no_id);
  std::vector<double> value(m), box, tight(std::size_t(m) * 2 * k, no_number);
  std::vector<std::uint8_t> leaf;
  tight_of_node_.resize(m, empty_box());
  for (std::uint32_t i = 0; i < m; ++i) {
    if (nodes_.split_dim[i] != no_id) {
      value[i] = nodes_.split_value[i];
      parent[nodes_.left_child[i]] = parent[nodes_.left_child[i] + 1] = i;
    }
    for (std::uint32_t d = 0; d < k; ++d) box.push_back(nodes_.volume[i].lo[d]);
    for (std::uint32_t d = 0; d < k; ++d) box.push_back(nodes_.volume[i].hi[d]);
    leaf.push_back(i < leaf_.size() ? leaf_[i] : 0);
    for (std::uint32_t d = 0; d < k && tight_of_node_[i].lo[0] <= tight_of_node_[i].hi[0]; ++d)
      tight[std::size_t(i) * 2 * k + d] = tight_of_node_[i].lo[d], tight[std::size_t(i) * 2 * k + k + d] = tight_of_node_[i].hi[d];
  }
  for (std::uint32_t p = 0; p < n(); ++p)
    for (std::uint32_t& node = node_of_point_[p]; nodes_.left_child[node] != no_id && nodes_.left_child[node] + 1 < m;)
      node = nodes_.left_child[node] + (goes_left(float_of(points_.word(p, nodes_.split_dim[node])), nodes_.split_value[node]) ? 0 : 1);
  report.add(partition_arrays::parent, parent);
  report.add(partition_arrays::split_dim, nodes_.split_dim);
  report.add(partition_arrays::split_value, value);
  report.add(partition_arrays::box, box);
  report.add(partition_arrays::tight_box, tight);
  report.add(partition_arrays::leaf, leaf);
  report.add(partition_arrays::point, point);
  report.add(partition_arrays::node_of_point, node_of_point_);
}

StepReport Recording::boxed(const std::vector<Box3>& boxes) {
  StepReport report;
  report.arrays.emplace_back(points_array, coordinates_of(points_));
  report.add("aabb", sides_of(boxes));
  report.title = "The box of each of " + primitives(boxes.size());
  return report;
}

StepReport Recording::rooted(NodeList nodes, double radius) {
  StepReport report;
  radius_ = radius;
  nodes_ = std::move(nodes);
  leaf_.assign(1, 0);
  add_nodes(report);
  add_partition(report);
  report.title = "The root holds " + primitives(nodes_.count[0]) + (nodes_.count[0] <= options_.rules.small ? ": it is small" : "");
  return report;
}

StepReport Recording::chunked(Ids active, Ids first, Ids primitive, std::vector<Box3> box, Ids owner, Ids chunk_first, Ids chunk_size) {
  StepReport report;
  active_ = std::move(active), first_ = std::move(first), primitive_ = std::move(primitive), box_ = std::move(box);
  owner_ = std::move(owner), chunk_first_ = std::move(chunk_first), chunk_size_ = std::move(chunk_size);
  add_references(report);
  add_chunk_segments(report);
  Ids node;
  std::uint64_t next = 0;
  Finding f{"chunks", "chunks cover the references of the level's nodes one after the other, none longer than N", true, ""};
  for (std::size_t k = 0; k < owner_.size(); ++k) {
    node.push_back(active_[owner_[k]]);
    if (chunk_first_[k] != next || chunk_size_[k] == 0 || chunk_size_[k] > options_.chunk) f.fail("chunk " + std::to_string(k) + " begins at " + std::to_string(chunk_first_[k]) + ", not at " + std::to_string(next));
    next = std::uint64_t(chunk_first_[k]) + chunk_size_[k];
  }
  if (next != primitive_.size()) f.fail("they end at " + std::to_string(next) + " of " + std::to_string(primitive_.size()));
  report.add("active", active_);
  report.add("chunk.node", node);
  report.add("chunk.first", chunk_first_);
  report.add("chunk.size", chunk_size_);
  report.checks.push_back(std::move(f));
  report.title = count_text(active_.size(), "large node", "large nodes") + ", " + primitives(primitive_.size()) + " in " + count_text(owner_.size(), "chunk", "chunks");
  return report;
}

StepReport Recording::boxed_chunks(std::vector<Box3> boxes) {
  StepReport report;
  chunk_box_ = std::move(boxes);
  report.add("chunk.box", sides_of(chunk_box_));
  add_chunk_segments(report);
  Finding f{"chunk boxes", "a chunk's box is the smallest around its references' boxes", true, ""};
  for (std::size_t k = 0; k < chunk_box_.size(); ++k) {
    Box3 box = empty_box();
    for (std::uint32_t i = 0; i < chunk_size_[k]; ++i) box = united(box, box_[chunk_first_[k] + i]);
    if (!same(box, chunk_box_[k])) f.fail("chunk " + std::to_string(k));
  }
  report.checks.push_back(std::move(f));
  report.title = "Reduce each chunk to its box";
  return report;
}

/// What a pass of the segmented reduction leaves of its data and does with it.
void Recording::add_pass(StepReport& report, std::uint32_t passes) const {
  Ids owner;
  for (const std::uint32_t o : owner_) owner.push_back(o);
  report.add("owner", owner);
  add_chunk_segments(report);
  const std::uint64_t c = owner_.size(), stride = 1ull << passes;
  Highlight settled{Role::settled, Space::chunk, {}, {}}, pairs{Role::compare, Space::chunk, {}, {}};
  for (std::uint64_t k = 0; k < c; k += stride) {
    if (k + 1 < std::min(c, k + stride)) settled.ranges.push_back({k + 1, std::min(c, k + stride)});
    if (passes > 0 && k + stride / 2 < c) pairs.ranges.push_back({k, k + 1}), pairs.ranges.push_back({k + stride / 2, k + stride / 2 + 1});
  }
  for (Highlight* h : {&settled, &pairs})
    if (!h->ranges.empty()) report.highlights.push_back(std::move(*h));
  const std::uint32_t all = reduction_passes(static_cast<std::uint32_t>(c));
  report.title = "Pass " + std::to_string(passes) + " of " + std::to_string(all) + ": pairs " + std::to_string(passes > 0 ? stride / 2 : 0) + " apart; one owner: combine, two: to the result";
  if (all == 0) report.title = "One chunk: its value is the result";
}

StepReport Recording::reduced_boxes(std::uint32_t passes, const std::vector<Box3>& data, const std::vector<Box3>& result) {
  StepReport report;
  report.add("data.box", sides_of(data));
  report.add("result.box", sides_of(result));
  add_pass(report, passes);
  if (passes < reduction_passes(static_cast<std::uint32_t>(data.size()))) return report;
  std::vector<Box3> wanted(result.size(), empty_box());
  for (std::size_t k = 0; k < owner_.size(); ++k) wanted[owner_[k]] = united(wanted[owner_[k]], chunk_box_[k]);
  Finding f{"segmented reduction", "each node's result is the box of all its chunks", true, ""};
  for (std::size_t i = 0; i < result.size(); ++i)
    if (!same(wanted[i], result[i])) f.fail("node " + std::to_string(active_[i]));
  report.checks.push_back(std::move(f));
  return report;
}

StepReport Recording::reduced_counts(std::uint32_t passes, const std::vector<SideCounts>& data, const std::vector<SideCounts>& result) {
  StepReport report;
  report.add("data.count", both_of(data));
  report.add("result.count", both_of(result));
  add_pass(report, passes);
  if (passes < reduction_passes(static_cast<std::uint32_t>(data.size()))) return report;
  std::vector<SideCounts> wanted(result.size(), {0, 0});
  for (std::size_t k = 0; k < owner_.size(); ++k) wanted[owner_[k]] = AddCounts::combine(wanted[owner_[k]], chunk_counts_[k]);
  Finding f{"segmented reduction", "each node's result is the sum of all its chunks", true, ""};
  for (std::size_t i = 0; i < result.size(); ++i)
    if (wanted[i].left != result[i].left || wanted[i].right != result[i].right) f.fail("node " + std::to_string(active_[i]));
  report.checks.push_back(std::move(f));
  return report;
}

StepReport Recording::planned(std::vector<PlannedSplit> planes, Ids pairs, const Ids& half, std::vector<Box3> tight) {
  StepReport report;
  planes_ = std::move(planes), pairs_ = std::move(pairs);
  Ids side(planes_.size(), no_id), cuts;
  std::vector<double> value(planes_.size(), no_number);
  std::size_t all_cuts = 0, halved = 0;
  for (std::size_t i = 0; i < pairs_.size(); ++i) {
    cuts.push_back(pairs_[i] - half[i]);
    all_cuts += cuts.back(), halved += half[i];
    for (std::size_t p = 0; p < pairs_[i]; ++p) side[i * most_planes + p] = planes_[i * most_planes + p].side, value[i * most_planes + p] = planes_[i * most_planes + p].value;
    tight_of_node_[active_[i]] = tight[i];
  }
  report.add("node_box", sides_of(tight));
  report.add("cuts", cuts);
  report.add("plane.side", side);
  report.add("plane.value", value);
  report.title = all_cuts == 0 ? "No side is empty enough: halve " + count_text(halved, "node", "nodes") + " along the longest side"
                               : "Cut off empty space " + (all_cuts == 1 ? "once" : std::to_string(all_cuts) + " times") + ", then halve " + count_text(halved, "node", "nodes");
  return report;
}

std::uint32_t Recording::planned_nodes(std::uint32_t begin) const { return begin + 2 * std::accumulate(pairs_.begin(), pairs_.end(), 0u); }

StepReport Recording::created(std::uint32_t begin, Ids halved, Ids child, NodeList nodes) {
  StepReport report;
  nodes_ = std::move(nodes);
  child_ = std::move(child);
  // Empty space that a cut took off; the children of a median are leaves or not once they are counted.
  leaf_.resize(nodes_.size(), 0);
  for (std::uint32_t i = begin; i < nodes_.size(); ++i) leaf_[i] = nodes_.left_child[i] == no_id;
  for (const std::uint32_t node : child_)
    if (node != no_id) leaf_[node] = 0;
  tight_of_node_.resize(nodes_.size(), empty_box());
  for (std::size_t i = 0; i < halved.size(); ++i) std::swap(tight_of_node_[halved[i]], tight_of_node_[active_[i]]);
  add_nodes(report);
  add_partition(report);
  report.add("halved", halved);
  report.add("child", child_);
  report.title = "Nodes " + std::to_string(begin) + " to " + std::to_string(nodes_.size() - 1) + ": empty leaves, and the halves";
  if (nodes_.size() == begin) report.title = "No node can be split";
  return report;
}

StepReport Recording::marked(const std::vector<SideRanks>& ranks, std::vector<SideCounts> counts) {
  StepReport report;
  chunk_counts_ = std::move(counts);
  std::vector<std::uint8_t> left, right;
  Ids left_rank, right_rank;
  std::size_t both = 0;
  for (const SideRanks& r : ranks) {
    left.push_back(r.goes_left), right.push_back(r.goes_right), left_rank.push_back(r.left), right_rank.push_back(r.right);
    both += r.goes_left && r.goes_right;
  }
  add_references(report);
  report.add("in_left", left);
  report.add("in_right", right);
  report.add("rank_left", left_rank);
  report.add("rank_right", right_rank);
  report.add("chunk.counts", both_of(chunk_counts_));
  Finding f{"sides", "every reference goes to one child at least", true, ""};
  for (std::size_t i = 0; i < ranks.size(); ++i)
    if (!left[i] && !right[i]) f.fail("reference " + std::to_string(i));
  report.checks.push_back(std::move(f));
  report.title = "Mark the sides: " + std::to_string(both) + " of " + primitives(ranks.size()) + " on both";
  return report;
}

StepReport Recording::filtered(NodeList nodes, std::vector<ChildKind> kind) {
  StepReport report;
  nodes_ = std::move(nodes);
  std::size_t counts[4] = {};
  std::vector<std::uint8_t> kinds;
  for (std::size_t i = 0; i < kind.size(); ++i) {
    ++counts[static_cast<int>(kind[i])];
    kinds.push_back(static_cast<std::uint8_t>(kind[i]));
    if (kind[i] == ChildKind::leaf) leaf_[child_[i]] = 1;
  }
  add_nodes(report);
  add_partition(report);
  report.add("kind", kinds);
  report.title = std::to_string(counts[1]) + " of " + count_text(kind.size() - counts[0], "child", "children") + " stay large, " + std::to_string(counts[2]) + " are small, " +
                 count_text(counts[3], "is a leaf", "are leaves");
  return report;
}

StepReport Recording::clipped(NodeList nodes, const Ids& pending, const Ids& halved, const std::vector<Box3>& tight, const Ids& primitive, const std::vector<Box3>& box, const Ids& kept, std::uint32_t before,
                              std::uint32_t both) {
  StepReport report;
  nodes_ = std::move(nodes);
  leaf_.clear();
  for (const std::uint32_t left : nodes_.left_child) leaf_.push_back(left == no_id);
  for (const std::uint32_t node : pending) leaf_[node] = 0;
  tight_of_node_.resize(nodes_.size(), empty_box());
  for (std::size_t i = 0; i < halved.size(); ++i) tight_of_node_[halved[i]] = tight[i];
  add_nodes(report);
  add_partition(report);
  report.add("next", primitive);
  report.add("next.box", sides_of(box));
  report.add("kept", kept);
  Finding f{"clipped boxes", "the box of a part is not empty", true, ""};
  for (std::size_t i = 0; i < box.size(); ++i)
    for (int d = 0; d < 3; ++d)
      if (!(box[i].lo[d] <= box[i].hi[d])) f.fail("reference " + std::to_string(i));
  report.checks.push_back(std::move(f));
  report.title = "Sort " + primitives(before) + " into the children" + (triangles_.empty() ? "" : ", clip the " + std::to_string(both) + " of both");
  return report;
}

StepReport Recording::candidates(std::uint32_t of_primitive, const Ids& roots, Ids kept, std::vector<Box3> box, std::vector<SplitSets> sets) {
  StepReport report;
  of_primitive_ = of_primitive, kept_ = std::move(kept), kept_box_ = std::move(box), sets_ = std::move(sets);
  const std::size_t all = sets_.size();
  Ids node(all, no_id), primitive(all, no_id), dim(all, no_id);
  std::vector<double> value(all, no_number);
  std::vector<std::uint64_t> left(all), right(all);
  Finding f{"split sets", "each primitive of a small root is on one side of a candidate at least, as its box says", true, ""};
  std::size_t there = 0;
  for (const std::uint32_t root : roots)
    for (std::uint32_t t = 0; t < nodes_.count[root]; ++t)
      for (std::uint32_t c = 0; c < of_primitive; ++c, ++there) {
        const std::size_t r = nodes_.first[root] + t, i = r * of_primitive + c;
        const SplitPlane plane = plane_of(i);
        node[i] = root, primitive[i] = kept_[r], dim[i] = plane.dim, value[i] = plane.value, left[i] = sets_[i].left, right[i] = sets_[i].right;
        for (std::uint32_t other = 0; other < nodes_.count[root]; ++other) {
          const Box3& b = kept_box_[nodes_.first[root] + other];
          const bool in_left = left[i] >> other & 1, in_right = right[i] >> other & 1;
          if (in_left != goes_left(b.lo[plane.dim], plane.value) || in_right != goes_right(b.lo[plane.dim], b.hi[plane.dim], plane.value)) f.fail("candidate " + std::to_string(i));
        }
      }
  report.add("small_root", roots);
  report.add("kept", kept_);
  report.add("kept.box", sides_of(kept_box_));
  report.add("candidate.root", node);
  report.add("candidate.primitive", primitive);
  report.add("candidate.dim", dim);
  report.add("candidate.value", value);
  report.add("candidate.left", left);
  report.add("candidate.right", right);
  report.checks.push_back(std::move(f));
  report.title = count_text(there, "split candidate", "split candidates") + " of " + count_text(roots.size(), "small root", "small roots") + ", with the sets on either side";
  return report;
}

double Recording::measure_of(const Box3& volume) const {
  return triangles_.empty() && of_primitive_ == PointPositions::of_primitive ? VoxelVolumeCost{0, radius_, points_.dim}.measure(volume) : SurfaceAreaCost{}.measure(volume);
}

SplitPlane Recording::plane_of(std::size_t candidate) const {
  const Box3& box = kept_box_[candidate / of_primitive_];
  const auto c = static_cast<std::uint32_t>(candidate % of_primitive_);
  return of_primitive_ == BoxFaces::of_primitive ? BoxFaces::plane(box, c) : PointPositions::plane(box, c);
}

StepReport Recording::evaluated(NodeList nodes, Ids level, Ids choice, const std::vector<double>& costs) {
  StepReport report;
  nodes_ = std::move(nodes);
  const std::size_t row = 64 * std::size_t(of_primitive_);
  Ids node, candidate, chosen(nodes_.size(), no_id);
  std::vector<double> cost;
  std::size_t leaves = 0;
  Finding f{"choice", "the chosen candidate costs least, and less than a leaf", true, ""};
  for (std::size_t i = 0; i < level.size(); ++i) {
    const double measure = measure_of(nodes_.volume[level[i]]), leaf = nodes_.count[level[i]];
    const std::size_t begin = cost.size(), first = std::size_t(nodes_.first[level[i]]) * of_primitive_;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t c = 0; c < row; ++c) {
      if (std::isnan(costs[i * row + c])) continue;
      node.push_back(level[i]);
      candidate.push_back(static_cast<std::uint32_t>(first + c));
      cost.push_back(costs[i * row + c] / measure);
      least = std::min(least, costs[i * row + c]);
    }
    // Along each dimension, as a curve.
    std::vector<std::size_t> order(cost.size() - begin);
    std::iota(order.begin(), order.end(), begin);
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      const SplitPlane p = plane_of(candidate[a]), q = plane_of(candidate[b]);
      return p.dim != q.dim ? p.dim < q.dim : p.value < q.value;
    });
    const Ids unordered(candidate.begin() + std::ptrdiff_t(begin), candidate.end());
    const std::vector<double> costs_before(cost.begin() + std::ptrdiff_t(begin), cost.end());
    for (std::size_t j = 0; j < order.size(); ++j) candidate[begin + j] = unordered[order[j] - begin], cost[begin + j] = costs_before[order[j] - begin];
    chosen[level[i]] = choice[i];
    if (choice[i] == no_id) {
      ++leaves;
      leaf_[level[i]] = 1;
      if (least < leaf * measure && !nodes_.bounded[level[i]]) f.fail("node " + std::to_string(level[i]) + " is a leaf, a split costs less");
    } else if (costs[i * row + choice[i] - first] != least || !(least < leaf * measure)) f.fail("node " + std::to_string(level[i]));
  }
  report.add("cost.node", node);
  report.add("cost.candidate", candidate);
  report.add("cost", cost);
  report.add("choice", chosen);
  add_nodes(report);
  add_partition(report);
  report.checks.push_back(std::move(f));
  report.title = count_text(cost.size(), "cost", "costs") + " for " + count_text(level.size(), "node", "nodes") + ": " + std::to_string(level.size() - leaves) + " to split, " +
                 count_text(leaves, "leaf", "leaves");
  return report;
}

StepReport Recording::split_small(NodeList nodes, std::uint32_t begin) {
  StepReport report;
  nodes_ = std::move(nodes);
  leaf_.clear();
  for (std::uint32_t i = 0; i < nodes_.size(); ++i) leaf_.push_back(i < begin && nodes_.left_child[i] == no_id);
  add_nodes(report);
  add_partition(report);
  Finding f{"sets", "the children's sets together are their parent's", true, ""};
  for (std::uint32_t i = 0; i < nodes_.size(); ++i)
    if (const std::uint32_t left = nodes_.left_child[i]; left != no_id && left >= begin && (nodes_.set[left] | nodes_.set[left + 1]) != nodes_.set[i]) f.fail("node " + std::to_string(i));
  report.checks.push_back(std::move(f));
  report.title = nodes_.size() == begin ? "No node is split: all are leaves" : "Nodes " + std::to_string(begin) + " to " + std::to_string(nodes_.size() - 1) + ", by and of bit masks";
  return report;
}

void Recording::add_extents(StepReport& report, const char* nodes, const char* references, const std::vector<std::uint64_t>& extents) const {
  Ids of_nodes, of_primitives;
  for (std::size_t i = 0; i < extents.size(); ++i) {
    of_nodes.push_back(known_[i] ? static_cast<std::uint32_t>(extents[i]) : no_id);
    of_primitives.push_back(known_[i] ? static_cast<std::uint32_t>(extents[i] >> 32) : no_id);
  }
  report.add(nodes, of_nodes);
  report.add(references, of_primitives);
}

StepReport Recording::sized(NodeList nodes, const std::vector<std::uint64_t>& size, const Ids& done) {
  StepReport report;
  const bool leaves = done.empty();
  if (leaves) {
    nodes_ = std::move(nodes);
    known_.clear();
    for (const std::uint32_t left : nodes_.left_child) known_.push_back(left == no_id);
  }
  Highlight wrote{Role::write, Space::node, {}, {}};
  // A large node's cuts lie between it and its halves.
  const auto learn = [&](auto& self, std::uint32_t node) -> void {
    if (known_[node]) return;
    self(self, nodes_.left_child[node]), self(self, nodes_.left_child[node] + 1);
    known_[node] = true;
    wrote.ranges.push_back({node, node + 1});
  };
  for (const std::uint32_t node : done) learn(learn, node);
  Finding f{"sizes", "a node's size is that of its children and itself", true, ""};
  for (std::uint32_t i = 0; i < nodes_.size(); ++i)
    if (const std::uint32_t left = nodes_.left_child[i]; known_[i] && size[i] != (left == no_id ? 1 | std::uint64_t(nodes_.count[i]) << 32 : size[left] + size[left + 1] + 1)) f.fail("node " + std::to_string(i));
  add_extents(report, "size", "size.references", size);
  std::sort(wrote.ranges.begin(), wrote.ranges.end(), [](const IndexRange& a, const IndexRange& b) { return a.begin < b.begin; });
  report.title = leaves ? "A leaf takes one place, and its " + std::string(triangles_.empty() ? "points" : "triangles") : "Sizes of " + count_text(wrote.ranges.size(), "node", "nodes") + " from those below";
  if (!wrote.ranges.empty()) report.highlights.push_back(std::move(wrote));
  report.checks.push_back(std::move(f));
  size_ = size;
  return report;
}

StepReport Recording::addressed(const std::vector<std::uint64_t>& address, const Ids& done, const Ids& pairs) {
  StepReport report;
  if (done.empty()) {
    known_.assign(address.size(), false);
    known_[0] = true;
  }
  Highlight wrote{Role::write, Space::node, {}, {}};
  Finding f{"addresses", "a left child follows its parent, a right one the left one's sub-tree", true, ""};
  for (std::size_t i = 0; i < done.size(); ++i) {
    std::uint32_t node = done[i], left = nodes_.left_child[node];
    for (std::uint32_t pair = left == no_id ? pairs[i] : 0; pair < pairs[i]; ++pair, left += 2) {
      known_[left] = known_[left + 1] = true;
      wrote.ranges.push_back({left, left + 2ull});
      if (address[left] != address[node] + 1 || address[left + 1] != address[left] + size_[left]) f.fail("children of node " + std::to_string(node));
      node = nodes_.left_child[left] == left + 2 ? left : left + 1;
    }
  }
  add_extents(report, "address", "address.references", address);
  report.checks.push_back(std::move(f));
  report.title = done.empty() ? "The tree takes " + count_text(static_cast<std::uint32_t>(size_[0]), "place", "places") + ", its leaves list " + primitives(size_[0] >> 32) + "; the root is first"
                              : "Addresses of " + count_text(2 * wrote.ranges.size(), "child", "children");
  std::sort(wrote.ranges.begin(), wrote.ranges.end(), [](const IndexRange& l, const IndexRange& r) { return l.begin < r.begin; });
  if (!wrote.ranges.empty()) report.highlights.push_back(std::move(wrote));
  return report;
}

StepReport Recording::stored(SplitPlaneTree tree) {
  StepReport report;
  const std::uint32_t m = tree.size();
  std::vector<double> value(m, no_number);
  std::vector<float> box;
  for (std::uint32_t i = 0; i < m; ++i)
    if (!tree.is_leaf(i)) value[i] = float_of(tree.split_value[i]);
  for (const std::uint32_t word : tree.box) box.push_back(float_of(word));
  report.add("tree.parent", tree.parent);
  report.add("tree.right_child", tree.right_child);
  report.add("tree.split_dim", tree.split_dim);
  report.add("tree.split_value", value);
  report.add("tree.first", tree.first);
  report.add("tree.count", tree.count);
  report.add("tree.box", box);
  report.add("tree.references", tree.primitive_of_position);
  report.add("tree.bounded", Ids{tree.depth_bounded});
  Finding order{"pre-order", "parents precede their children, a left child follows its parent", true, ""};
  Finding listed{"references", "the leaves' spans follow one another, and every " + std::string(triangles_.empty() ? "point" : "triangle") + " is in one of them", true, ""};
  std::uint32_t next = 0;
  for (std::uint32_t i = 0; i < m; ++i) {
    if (tree.is_leaf(i)) {
      if (tree.first[i] != next) listed.fail("leaf " + std::to_string(i) + " begins at " + std::to_string(tree.first[i]) + ", not at " + std::to_string(next));
      next += tree.count[i];
    } else if (i + 1 >= m || tree.right_child[i] >= m || tree.right_child[i] <= i + 1 || tree.parent[i + 1] != i || tree.parent[tree.right_child[i]] != i) order.fail("node " + std::to_string(i));
  }
  std::vector<bool> there(triangles_.empty() ? n() : triangles_.size() / 3);
  for (const std::uint32_t p : tree.primitive_of_position)
    if (p < there.size()) there[p] = true;
  if (const auto lost = std::find(there.begin(), there.end(), false); lost != there.end()) listed.fail("number " + std::to_string(lost - there.begin()) + " is in none");
  report.checks = {std::move(order), std::move(listed)};
  report.title = "The tree in pre-order: " + count_text(m, "node", "nodes") + (tree.depth_bounded == 0 ? "" : "; " + count_text(tree.depth_bounded, "leaf", "leaves") + " only by a bound");
  return report;
}

void Recording::add_lists(StepReport& report) const {
  const std::size_t lists = points_.dim + 1, m = lists_.size() / lists;
  for (std::uint32_t d = 0; d < points_.dim; ++d) report.add("order(" + coordinate_name(d, points_.dim) + ")", Ids(lists_.begin() + std::ptrdiff_t(d * m), lists_.begin() + std::ptrdiff_t((d + 1) * m)));
  report.add("reference", Ids(lists_.end() - std::ptrdiff_t(m), lists_.end()));
}

StepReport Recording::sorted(const Ids& lists) {
  StepReport report;
  lists_ = lists;
  report.arrays.emplace_back(points_array, coordinates_of(points_));
  add_lists(report);
  Finding f{"sorted", "each dimension's list ascends", true, ""};
  const PointsView points = view_of(points_);
  for (std::uint32_t d = 0; d < points.dim; ++d)
    for (std::size_t i = std::size_t(d) * n() + 1; i < std::size_t(d + 1) * n(); ++i)
      if (points.key(lists[i - 1], d) > points.key(lists[i], d)) f.fail("dimension " + std::to_string(d) + " at position " + std::to_string(i - std::size_t(d) * n()));
  report.checks.push_back(std::move(f));
  report.title = "Sort the points once in each dimension; one list more by index";
  return report;
}

StepReport Recording::owned(Ids active, Ids first, Ids lists) {
  StepReport report;
  active_ = std::move(active), first_ = std::move(first), lists_ = std::move(lists);
  const std::size_t all = points_.dim + 1, m = lists_.size() / all;
  primitive_.assign(lists_.end() - std::ptrdiff_t(m), lists_.end());
  box_.clear();
  add_lists(report);
  add_references(report);
  report.add("active", active_);
  Finding f{"lists", "a node has the same points at the same positions of every list", true, ""};
  for (std::size_t i = 0; i < active_.size(); ++i) {
    const std::size_t end = i + 1 < active_.size() ? first_[i + 1] : m;
    for (std::size_t l = 0; l + 1 < all; ++l) {
      Ids here(lists_.begin() + std::ptrdiff_t(l * m + first_[i]), lists_.begin() + std::ptrdiff_t(l * m + end));
      std::sort(here.begin(), here.end());
      if (!std::equal(here.begin(), here.end(), primitive_.begin() + first_[i])) f.fail("node " + std::to_string(active_[i]) + " in dimension " + std::to_string(l));
    }
  }
  report.checks.push_back(std::move(f));
  report.title = count_text(active_.size(), "large node", "large nodes") + " with " + primitives(m);
  return report;
}

StepReport Recording::bounded(const std::vector<Box3>& tight) {
  StepReport report;
  report.add("node_box", sides_of(tight));
  Finding f{"node boxes", "a node's box is the smallest around its points", true, ""};
  for (std::size_t i = 0; i < tight.size(); ++i) {
    Box3 box = empty_box();
    for (std::size_t j = first_[i]; j < (i + 1 < active_.size() ? first_[i + 1] : primitive_.size()); ++j) {
      Box3 point{{0, 0, 0}, {0, 0, 0}};
      for (std::uint32_t d = 0; d < points_.dim; ++d) point.lo[d] = point.hi[d] = float_of(points_.word(primitive_[j], d)) + 0.0f;
      box = united(box, point);
    }
    if (!same(box, tight[i])) f.fail("node " + std::to_string(active_[i]));
  }
  report.checks.push_back(std::move(f));
  report.title = "Boxes of " + count_text(tight.size(), "node", "nodes") + " from the ends of their lists";
  return report;
}

StepReport Recording::sided(const std::vector<std::uint8_t>& side) {
  StepReport report;
  left_.assign(n(), 0);
  std::vector<std::uint8_t> right;
  std::size_t lefts = 0;
  for (const std::uint32_t point : primitive_) {
    right.push_back(side[point]);
    left_[point] = side[point] == 0;
    lefts += side[point] == 0;
  }
  add_references(report);
  report.add("in_right", right);
  report.title = std::to_string(lefts) + " of " + primitives(primitive_.size()) + " go left";
  return report;
}

StepReport Recording::summed(const Ids& left_before, const std::vector<SideCounts>& counts) {
  StepReport report;
  const std::size_t m = primitive_.size();
  Finding f{"lefts before", "it is the number of points before it, in all lists, that go left", true, ""};
  std::uint32_t before = 0;
  for (std::size_t i = 0; i < lists_.size(); ++i) {
    if (left_before[i] != before) f.fail("position " + std::to_string(i % m) + " of list " + std::to_string(i / m));
    before += left_[lists_[i]];
  }
  for (std::uint32_t d = 0; d < points_.dim; ++d) {
    Ids row(left_before.begin() + std::ptrdiff_t(d * m), left_before.begin() + std::ptrdiff_t((d + 1) * m));
    for (std::size_t j = m; j-- > 0;) row[j] -= row[0];
    report.add("lefts(" + coordinate_name(d, points_.dim) + ")", row);
  }
  report.add("result.count", both_of(counts));
  report.checks.push_back(std::move(f));
  report.title = "Count those that go left in every list";
  return report;
}

std::vector<ArrayInfo> Recording::arrays(const TraceHeader& header, Primitive primitive) {
  using enum ElementType;
  const bool triangle = primitive == Primitive::triangle;
  const Space of = triangle ? Space::triangle : Space::point;
  std::vector<ArrayInfo> infos{{points_array, points_array, float32, Space::point, Space::coordinate, header.dim, {"point", "dimension"}, false, {}}};
  const auto add = [&](const char* name, ElementType type, Space index, Space value, std::uint32_t components = 1, bool row = true) { infos.push_back({name, name, type, index, value, components, {}, row, {}}); };
  if (triangle) add("aabb", float32, Space::triangle, Space::coordinate, 6);
  for (std::uint32_t d = 0; d < header.dim && !triangle; ++d) {
    const std::string c = "(" + coordinate_name(d, header.dim) + ")";
    for (const auto& [name, space] : {std::pair{"order" + c, Space::point}, {"lefts" + c, Space::count}}) {
      infos.push_back({name, name, uint32, Space::position, space, 1, {}, true, {}});
      infos.back().dimension = d;
    }
  }
  add("reference", uint32, Space::position, of);
  add("reference.node", uint32, Space::position, Space::node);
  add("reference.box", float32, Space::position, Space::coordinate, 6);
  add("in_left", uint8, Space::position, Space::none);
  add("in_right", uint8, Space::position, Space::none);
  add("rank_left", uint32, Space::position, Space::count);
  add("rank_right", uint32, Space::position, Space::count);
  add("active", uint32, Space::none, Space::node);
  add("chunk.node", uint32, Space::chunk, Space::node);
  add("chunk.first", uint32, Space::chunk, Space::position);
  add("chunk.size", uint32, Space::chunk, Space::count);
  add("chunk.box", float32, Space::chunk, Space::coordinate, 6);
  add("chunk.counts", uint32, Space::chunk, Space::count, 2);
  add("owner", uint32, Space::chunk, Space::none);
  add("data.box", float32, Space::chunk, Space::coordinate, 6);
  add("result.box", float32, Space::none, Space::coordinate, 6);
  add("data.count", uint32, Space::chunk, Space::count, 2);
  add("result.count", uint32, Space::none, Space::count, 2);
  add("node_box", float32, Space::none, Space::coordinate, 6);
  add("cuts", uint32, Space::none, Space::count);
  add("plane.side", uint32, Space::none, Space::none, most_planes);
  add("plane.value", float64, Space::none, Space::split_value, most_planes);
  add("halved", uint32, Space::none, Space::node);
  add("child", uint32, Space::none, Space::node);
  add("kind", uint8, Space::none, Space::none);
  add("next", uint32, Space::none, of);
  add("next.box", float32, Space::none, Space::coordinate, 6);
  add("kept", uint32, Space::none, of);
  add("kept.box", float32, Space::none, Space::coordinate, 6);
  add("small_root", uint32, Space::none, Space::node);
  add("candidate.root", uint32, Space::candidate, Space::node);
  add("candidate.primitive", uint32, Space::candidate, of);
  add("candidate.dim", uint32, Space::candidate, Space::dimension);
  add("candidate.value", float64, Space::candidate, Space::split_value);
  add("candidate.left", uint64, Space::candidate, Space::bit_mask);
  add("candidate.right", uint64, Space::candidate, Space::bit_mask);
  add("cost.node", uint32, Space::none, Space::node);
  add("cost.candidate", uint32, Space::none, Space::candidate);
  add("cost", float64, Space::none, Space::none);
  add("left_child", uint32, Space::node, Space::node);
  add("split_dim", uint32, Space::node, Space::dimension);
  add("split_value", float64, Space::node, Space::split_value);
  add("count", uint32, Space::node, Space::count);
  add("depth", uint8, Space::node, Space::level);
  add("set", uint64, Space::node, Space::bit_mask);
  add("choice", uint32, Space::node, Space::candidate);
  add("size", uint32, Space::node, Space::count);
  add("size.references", uint32, Space::node, Space::count);
  add("address", uint32, Space::node, Space::count);
  add("address.references", uint32, Space::node, Space::count);
  // Of the finished tree, whose nodes have other numbers.
  add("tree.parent", uint32, Space::none, Space::none);
  add("tree.right_child", uint32, Space::none, Space::none);
  add("tree.split_dim", uint32, Space::none, Space::dimension);
  add("tree.split_value", float64, Space::none, Space::split_value);
  add("tree.first", uint32, Space::none, Space::none);
  add("tree.count", uint32, Space::none, Space::count);
  add("tree.box", float32, Space::none, Space::coordinate, 2 * header.dim, false);
  add("tree.references", uint32, Space::none, of);
  add("tree.bounded", uint32, Space::none, Space::count, 1, false);
  for (ArrayInfo& info : partition_infos(header.dim, true)) infos.push_back(std::move(info));
  return infos;
}

}  // namespace kdscope::zhou
