#include "visualizer/model/parallel_coordinates.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "algorithms/core/hash.hpp"
#include "algorithms/text/numbers.hpp"
#include "visualizer/model/node_list.hpp"
#include "visualizer/model/trace_lookup.hpp"

namespace kdscope {
namespace {

/// Finds the range of every axis. It goes row by row, so that each point is read once and in order.
template <class T>
void find_ranges(std::span<const T> values, std::vector<CoordinateAxis>& axes) {
  const std::size_t k = axes.size();
  std::vector<T> lo(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(k)), hi = lo;
  for (std::size_t row = k; row + k <= values.size(); row += k)
    for (std::size_t d = 0; d < k; ++d) {
      lo[d] = std::min(lo[d], values[row + d]);
      hi[d] = std::max(hi[d], values[row + d]);
    }
  for (std::size_t d = 0; d < k; ++d) axes[d] = {static_cast<std::uint32_t>(d), double(lo[d]), double(hi[d])};
}

void find_ranges(const TypedArray& points, std::vector<CoordinateAxis>& axes) {
  switch (points.type()) {
    case ElementType::float32:
      return find_ranges(points.as<float>(), axes);
    case ElementType::int32:
      return find_ranges(points.as<std::int32_t>(), axes);
    case ElementType::float64:
      return find_ranges(points.as<double>(), axes);
    default:
      axes.clear();
  }
}

constexpr std::size_t most_dimmed = 200000;

std::uint64_t rank_of(std::uint32_t point) { return mix64(point); }

/// Returns the nodes that a step's highlights name, ascending.
std::vector<NodeId> nodes_in_work(const Cursor& cursor) {
  std::vector<NodeId> nodes;
  for (const Highlight& h : cursor.current().highlights) {
    if (h.role == Role::settled) continue;
    for (const std::uint32_t node : h.nodes)
      if (node != no_id) nodes.push_back({node});
    if (h.space != Space::node) continue;
    for (const IndexRange& r : h.ranges)
      for (std::uint64_t node = r.begin; node < r.end; ++node) nodes.push_back({static_cast<std::uint32_t>(node)});
  }
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  return nodes;
}

bool is_below(const NodeList& list, std::uint32_t node, std::span<const NodeId> ancestors) {
  for (std::size_t walked = 0; node < list.size() && walked <= list.size(); node = list.parent(node), ++walked)
    for (const NodeId ancestor : ancestors)
      if (ancestor.value == node) return true;
  return false;
}

double distance_to_segment(double x, double y, double x0, double y0, double x1, double y1) {
  const double dx = x1 - x0, dy = y1 - y0, length = dx * dx + dy * dy;
  const double t = length > 0 ? std::clamp(((x - x0) * dx + (y - y0) * dy) / length, 0.0, 1.0) : 0;
  return std::hypot(x - x0 - t * dx, y - y0 - t * dy);
}

}  // namespace

ParallelCoordinates::ParallelCoordinates(std::shared_ptr<const Trace> trace, std::size_t most_lines)
    : trace_(std::move(trace)), dim_(trace_->header.dim) {
  const Trace::Array* points = trace_->find(points_array);
  if (!points || points->versions.empty() || dim_ == 0 || points->versions.front().values.size() < dim_) return;
  points_ = &points->versions.front().values;
  all_axes_.resize(dim_);
  find_ranges(*points_, all_axes_);
  for (const CoordinateAxis& axis : all_axes_) widest_ = std::max(widest_, axis.hi - axis.lo);

  if (const Trace::Array* splits = trace_->find(partition_arrays::split_dim);
      splits && splits->info.type == ElementType::uint32) {
    std::vector<bool> split(dim_);
    const TypedArray last = contents_at(*splits, no_id);
    for (const std::uint32_t d : last.as<std::uint32_t>())
      if (d < dim_) split[d] = true;
    for (std::uint32_t d = 0; d < all_axes_.size(); ++d)
      if (split[d]) split_dims_.push_back(d), split_axes_.push_back(all_axes_[d]);
  }

  // Rank only points whose hash is low enough to get a place, with some to spare.
  const std::uint64_t n = point_count();
  const double wanted = 2.0 * static_cast<double>(most_lines) + 1000, all = static_cast<double>(n);
  const std::uint64_t below =
      wanted >= all ? std::numeric_limits<std::uint64_t>::max() : static_cast<std::uint64_t>(wanted / all * 0x1p64);
  std::vector<std::uint32_t> sample;
  for (std::uint32_t i = 0; i < n; ++i)
    if (rank_of(i) <= below) sample.push_back(i);
  const auto kept = static_cast<std::ptrdiff_t>(std::min(most_lines, sample.size()));
  std::partial_sort(sample.begin(), sample.begin() + kept, sample.end(),
                    [](std::uint32_t a, std::uint32_t b) { return rank_of(a) < rank_of(b); });
  for (std::ptrdiff_t i = 0; i < kept; ++i)
    lines_.push_back({{sample[static_cast<std::size_t>(i)]}, {}, {}, false, false});
}

void ParallelCoordinates::show(const Cursor& cursor, std::span<const PointId> points, std::span<const NodeId> nodes) {
  chooses_ = !points.empty() || !nodes.empty();
  const NodeList list(cursor);
  // If all points are settled, dim none of them: nothing would stand out. For very many points, this test takes too
  // long.
  std::vector<PointId> settled;
  if (point_count() <= most_dimmed) settled = points_with_role(cursor, Role::settled, most_dimmed);
  const bool all_settled = settled.size() >= point_count();
  std::map<std::uint32_t, TreePlace> places;
  std::map<std::uint32_t, bool> below;
  for (CoordinateLine& line : lines_) {
    line.node = node_of_point(cursor, line.point);
    line.left_out = is_left_out(cursor, line.point);
    line.place = {};
    line.settled = !all_settled && std::binary_search(settled.begin(), settled.end(), line.point);
    line.chosen = std::binary_search(points.begin(), points.end(), line.point);
    if (!line.node) continue;
    const auto [place, is_new] = places.try_emplace(line.node->value);
    if (is_new) {
      place->second = place_of(cursor, *line.node);
      below[line.node->value] = !nodes.empty() && is_below(list, line.node->value, nodes);
    }
    line.place = place->second;
    line.chosen = line.chosen || below[line.node->value];
  }
  find_boxes(cursor, nodes);
}

void ParallelCoordinates::find_boxes(const Cursor& cursor, std::span<const NodeId> selected) {
  boxes_.clear();
  left_out_.clear();
  const NodeList list(cursor);
  std::vector<NodeId> nodes(selected.begin(), selected.end());
  if (nodes.empty()) nodes = nodes_in_work(cursor);
  std::erase_if(nodes, [&](NodeId node) { return node.value >= list.size(); });
  if (nodes.empty() && list.size() > 0) nodes.push_back({list.children().root});
  if (nodes.empty() || nodes.front().value == no_id) return;

  const std::size_t count = nodes.size();
  if (count > most_splits) nodes.resize(most_splits);
  if (count > most_splits)
    left_out_ = "Only the splits of the first " + grouped(most_splits) + " of " + grouped(count) +
                " nodes are shown; select one for its box.";
  else if (count > most_boxes)
    left_out_ = "Only the splits of " + grouped(count) + " nodes are shown; select one for its box.";
  const TypedArray* tight = cursor.array(partition_arrays::tight_box);
  const std::vector<std::uint32_t> before = split_dims_before(cursor.trace(), cursor.step());
  for (const NodeId node : nodes) {
    const std::size_t i = node.value, k = dim_;
    CoordinateBox box{
        node, place_of(cursor, node), {}, {}, false, list.split_dim(node.value), list.split_value(node.value), false};
    box.fresh = box.split_dim >= 0 && !(i < before.size() && before[i] < k);
    if (count <= most_boxes) {
      if (tight && tight->type() == ElementType::float64 && (i + 1) * 2 * k <= tight->size()) {
        const auto ends = tight->as<double>().subspan(i * 2 * k, 2 * k);
        if (std::all_of(ends.begin(), ends.end(), [](double v) { return std::isfinite(v); })) {
          box.lo.assign(ends.begin(), ends.begin() + static_cast<std::ptrdiff_t>(k));
          box.hi.assign(ends.begin() + static_cast<std::ptrdiff_t>(k), ends.end());
          box.tight = true;
        }
      }
      if (const auto cell = list.box(node.value); !box.tight && !cell.empty() && all_axes_.size() == k) {
        for (std::size_t d = 0; d < k; ++d) {  // cells may be unbounded
          box.lo.push_back(std::max(cell[d], all_axes_[d].lo));
          box.hi.push_back(std::min(cell[k + d], all_axes_[d].hi));
        }
      }
    }
    boxes_.push_back(std::move(box));
  }
}

CoordinateLine ParallelCoordinates::line_of(const Cursor& cursor, PointId point) const {
  const auto node = node_of_point(cursor, point);
  return {point, node, node ? place_of(cursor, *node) : TreePlace{}, false, true, is_left_out(cursor, point)};
}

void ParallelCoordinates::show_split_only(bool split_only) { split_only_ = split_only && !split_axes_.empty(); }

std::optional<std::size_t> ParallelCoordinates::axis_of(std::uint32_t dim) const {
  const auto& shown = axes();
  const auto found = std::lower_bound(shown.begin(), shown.end(), dim,
                                      [](const CoordinateAxis& axis, std::uint32_t d) { return axis.dim < d; });
  if (found == shown.end() || found->dim != dim) return std::nullopt;
  return static_cast<std::size_t>(found - shown.begin());
}

double ParallelCoordinates::length(std::size_t axis) const {
  const CoordinateAxis& a = axes()[axis];
  return same_unit_ && widest_ > 0 ? (a.hi - a.lo) / widest_ : 1;
}

double ParallelCoordinates::share(std::size_t axis, double value) const {
  const CoordinateAxis& a = axes()[axis];
  if (same_unit_ && widest_ > 0) return (value - a.lo) / widest_;
  return a.hi > a.lo ? (value - a.lo) / (a.hi - a.lo) : 0.5;
}

double ParallelCoordinates::distance(const CoordinateFrame& frame, PointId point, double x, double y) const {
  const std::size_t count = axes().size();
  const auto height = [&](std::size_t axis) { return frame.y(share(axis, coordinate(point, axes()[axis].dim))); };
  const double along = std::clamp((x - frame.left) / frame.spacing, 0.0, static_cast<double>(count - 1));
  const std::size_t axis = std::min(static_cast<std::size_t>(along), count < 2 ? 0 : count - 2);
  if (count < 2) return std::hypot(x - frame.x(0), y - height(0));
  return distance_to_segment(x, y, frame.x(axis), height(axis), frame.x(axis + 1), height(axis + 1));
}

std::vector<PointId> ParallelCoordinates::points_near(const CoordinateFrame& frame, double x, double y, double reach,
                                                      std::size_t drawn, std::span<const PointId> more) const {
  std::vector<std::pair<double, PointId>> near;
  if (axes().empty() || !points_) return {};
  const auto look = [&](PointId point) {
    if (const double away = distance(frame, point, x, y); away <= reach) near.emplace_back(away, point);
  };
  for (std::size_t i = 0; i < std::min(drawn, lines_.size()); ++i) look(lines_[i].point);
  for (const PointId point : more)
    if (point.value < point_count()) look(point);
  std::sort(near.begin(), near.end());
  std::vector<PointId> points;
  for (const auto& [away, point] : near)
    if (std::find(points.begin(), points.end(), point) == points.end()) points.push_back(point);
  return points;
}

std::optional<PointId> ParallelCoordinates::neighbour(std::uint32_t dim, std::optional<PointId> point, int direction,
                                                      std::size_t drawn) const {
  const auto key = [&](PointId p) { return std::pair(coordinate(p, dim), p); };
  std::optional<PointId> best;
  for (std::size_t i = 0; i < std::min(drawn, lines_.size()); ++i) {
    const PointId at = lines_[i].point;
    if (point && (direction > 0 ? !(key(*point) < key(at)) : !(key(at) < key(*point)))) continue;
    if (!best || (direction > 0 ? key(at) < key(*best) : key(*best) < key(at))) best = at;
  }
  return best;
}

}  // namespace kdscope
