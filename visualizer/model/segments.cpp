#include "visualizer/model/segments.hpp"

#include <algorithm>
#include <cmath>

#include "algorithms/core/hash.hpp"
#include "algorithms/core/ids.hpp"
#include "visualizer/model/node_list.hpp"
#include "visualizer/model/trace_lookup.hpp"

namespace kdscope {
namespace {

/// Columns sampled per column of pixels; enough for a density that the eye judges.
constexpr std::uint64_t samples_per_pixel = 24;
constexpr std::uint64_t range_samples = 4096;
constexpr std::uint64_t piece_count = 64;

std::uint64_t at_share(IndexRange range, std::uint64_t i, std::uint64_t of) {
  return range.begin + static_cast<std::uint64_t>(static_cast<double>(range.end - range.begin) *
                                                  static_cast<double>(i) / static_cast<double>(of));
}

const TypedArray* ids_of(const Cursor& cursor, const std::string& name) {
  const TypedArray* array = name.empty() ? nullptr : cursor.array(name);
  return array && array->type() == ElementType::uint32 ? array : nullptr;
}

/// Returns the levels of nodes whose parents precede them in the list; empty for other lists.
std::vector<int> levels_of_nodes(const NodeList& nodes) {
  std::vector<int> levels(nodes.size(), 0);
  for (std::uint32_t i = 0; i < nodes.size(); ++i) {
    const std::uint32_t up = nodes.parent(i);
    if (up == no_id) continue;
    if (up >= i) return {};
    levels[i] = levels[up] + 1;
  }
  return levels;
}

/// Returns the smallest subtree that holds both nodes, or no_id if the list does not connect them.
std::uint32_t common_ancestor(const NodeList& nodes, std::uint32_t a, std::uint32_t b) {
  const auto depth = [&](std::uint32_t i) {
    int d = 0;
    for (; i != no_id && d < 4096; i = nodes.parent(i)) ++d;
    return d;
  };
  if (a >= nodes.size() || b >= nodes.size()) return no_id;
  int da = depth(a), db = depth(b);
  for (; da > db; --da) a = nodes.parent(a);
  for (; db > da; --db) b = nodes.parent(b);
  while (a != b && a != no_id) a = nodes.parent(a), b = nodes.parent(b);
  return a == b ? a : no_id;
}

}  // namespace

RowValues::RowValues(const Cursor& cursor, const TableRow& row)
    : row_(cursor, row.name, row.component), index_row_(row.name.empty()) {
  if (!row.concealed && (row_ || index_row_)) size_ = row.size;
}

double RowValues::operator[](std::uint64_t column) const {
  return index_row_ ? static_cast<double>(column) : row_.known_number(column);
}

SegmentList::SegmentList(const Cursor& cursor, std::uint64_t columns, Space space)
    : cursor_(&cursor), space_(space), all_(columns) {
  if (columns == 0 || cursor.step_count() == 0) return;
  const Trace& trace = cursor.trace();
  node_of_point_ = ids_of(cursor, partition_arrays::node_of_point);
  if (space == Space::position) {
    node_at_ = ids_of(cursor, node_of_position_array(trace));
    point_at_ = ids_of(cursor, point_of_position_array(trace));
  }
  std::vector<Highlight> segments;
  for (const Highlight& h : cursor.current().highlights)
    if (h.space == space && (h.role == Role::segment || h.role == Role::settled)) segments.push_back(h);
  if (std::any_of(segments.begin(), segments.end(),
                  [](const Highlight& h) { return h.role == Role::segment && !h.ranges.empty(); })) {
    source_ = Source::highlights;
    from_highlights(segments);
  } else if (space == Space::node || node_at_ || (node_of_point_ && (point_at_ || space == Space::point))) {
    from_nodes();
  }
  if (starts_.empty()) {
    source_ = Source::pieces;
    const std::uint64_t pieces = std::min(columns, piece_count);
    for (std::uint64_t i = 0; i <= pieces; ++i) starts_.push_back(at_share({0, columns}, i, pieces));
  }
}

void SegmentList::from_highlights(const std::vector<Highlight>& highlights) {
  struct Part {
    IndexRange range;
    std::uint32_t node;
    bool settled;
  };
  std::vector<Part> parts;
  for (const Highlight& h : highlights)
    for (std::size_t i = 0; i < h.ranges.size(); ++i)
      if (const IndexRange r{h.ranges[i].begin, std::min(h.ranges[i].end, all_)}; r.begin < r.end)
        parts.push_back({r, i < h.nodes.size() ? h.nodes[i] : no_id, h.role == Role::settled});
  const auto earlier = [](const Part& a, const Part& b) { return a.range.begin < b.range.begin; };
  if (!std::is_sorted(parts.begin(), parts.end(), earlier)) std::stable_sort(parts.begin(), parts.end(), earlier);
  std::uint64_t at = 0;
  const auto add = [&](std::uint64_t begin, std::uint32_t node, bool settled) {
    starts_.push_back(begin);
    nodes_.push_back(node);
    settled_.push_back(settled);
  };
  for (const Part& part : parts) {
    if (part.range.begin < at) continue;  // it overlaps a segment that is already placed
    if (part.range.begin > at) add(at, no_id, false);
    add(part.range.begin, part.node, part.settled);
    at = part.range.end;
  }
  if (at < all_) add(at, no_id, false);
  starts_.push_back(all_);
}

void SegmentList::from_nodes() {
  const auto cut = [this](auto&& value_of, std::uint64_t count) {
    starts_.push_back(0);
    auto last = value_of(0);
    for (std::uint64_t i = 1; i < count; ++i)
      if (const auto value = value_of(i); value != last) {
        starts_.push_back(i);
        last = value;
      }
    if (count < all_) starts_.push_back(count);
    starts_.push_back(all_);
  };
  if (space_ == Space::node) {
    const std::vector<int> levels = levels_of_nodes(NodeList(*cursor_));
    if (levels.empty()) return;
    source_ = Source::levels;
    cut([&](std::uint64_t i) { return levels[i]; }, std::min<std::uint64_t>(levels.size(), all_));
    return;
  }
  source_ = Source::subtrees;
  const TypedArray* counted = node_at_ ? node_at_ : space_ == Space::point ? node_of_point_ : point_at_;
  if (counted->size() == 0) return;
  if (node_at_ || space_ == Space::point) {
    const auto nodes = counted->as<std::uint32_t>();
    cut([&](std::uint64_t i) { return nodes[i]; }, std::min<std::uint64_t>(nodes.size(), all_));
  } else {
    cut([&](std::uint64_t i) { return node_of_column(i); }, std::min<std::uint64_t>(counted->size(), all_));
  }
}

std::uint32_t SegmentList::node_of_column(std::uint64_t column) const {
  const auto value = [](const TypedArray* array, std::uint64_t i) {
    return array && i < array->size() ? array->as<std::uint32_t>()[i] : no_id;
  };
  if (space_ == Space::node) return static_cast<std::uint32_t>(column);
  if (space_ == Space::point) return value(node_of_point_, column);
  if (node_at_) return value(node_at_, column);
  const std::uint32_t point = value(point_at_, column);
  return point == no_id ? no_id : value(node_of_point_, point);
}

std::uint64_t SegmentList::segment_at(std::uint64_t column) const {
  const auto after = std::upper_bound(starts_.begin(), starts_.end(), column);
  return static_cast<std::uint64_t>(std::max<std::ptrdiff_t>(
      0, std::min<std::ptrdiff_t>(after - starts_.begin(), static_cast<std::ptrdiff_t>(size())) - 1));
}

Strip SegmentList::strip_of(std::uint64_t first, std::uint64_t end) const {
  Strip strip{{starts_[first], starts_[end]}, first, end - first, {}, {}, -1, !settled_.empty()};
  const NodeList nodes(*cursor_);
  // Of many segments, sample a few, including the first and the last.
  constexpr std::uint64_t asked = 8;
  std::uint32_t node = no_id;
  for (std::uint64_t i = 0; i < std::min(asked, end - first); ++i) {
    const std::uint64_t segment = end - first <= asked ? first + i : first + (end - 1 - first) * i / (asked - 1);
    if (!settled_.empty()) strip.settled = strip.settled && settled_[segment];
    std::uint32_t here = segment < nodes_.size() ? nodes_[segment] : no_id;
    if (here == no_id && source_ != Source::pieces && source_ != Source::levels) {
      here = node_of_column(starts_[segment]);
      const std::uint32_t last = node_of_column(starts_[segment + 1] - 1);
      // A settled segment belongs to no subtree, unless a single node holds all of it.
      if (here != last)
        here = segment < settled_.size() && settled_[segment] ? no_id : common_ancestor(nodes, here, last);
    }
    node = i == 0 ? here : node == here ? node : common_ancestor(nodes, node, here);
  }
  if (node != no_id) {
    strip.node = NodeId{node};
    strip.place = place_of(*cursor_, *strip.node);
  }
  if (source_ == Source::levels) {
    std::uint32_t at = nodes.parent(static_cast<std::uint32_t>(starts_[first]));
    for (strip.level = 0; at != no_id && strip.level < 4096; at = nodes.parent(at)) ++strip.level;
  }
  return strip;
}

std::vector<Strip> SegmentList::strips(IndexRange columns, std::size_t most) const {
  std::vector<Strip> strips;
  columns.end = std::min(columns.end, all_);
  if (size() == 0 || columns.begin >= columns.end || most == 0) return strips;
  const std::uint64_t first = segment_at(columns.begin), end = segment_at(columns.end - 1) + 1;
  // Keep the settled segments at the front apart, so that groups of segments are whole subtrees.
  std::uint64_t lead = 0;
  while (lead < settled_.size() && settled_[lead]) ++lead;
  const std::uint64_t rest = std::clamp(lead, first, end);
  std::uint64_t group = 1;
  const auto count = [&] {
    return (rest > first) + (end > rest ? (end - 1 - lead) / group - (rest - lead) / group + 1 : 0);
  };
  if (end - first > most)
    while (count() > most && group < end - lead) group *= 2;
  for (std::uint64_t i = first; i < end;) {
    const std::uint64_t next = group > 1 && i < rest ? rest
                               : i < lead            ? i + 1
                                                     : lead + (i - lead) / group * group + group;
    strips.push_back(strip_of(i, std::min(next, end)));
    i = next;
    strips.back().columns = {std::max(strips.back().columns.begin, columns.begin),
                             std::min(strips.back().columns.end, columns.end)};
  }
  return strips;
}

std::size_t ValueSummary::bin_of(double value) const {
  if (bins.empty() || bin_width <= 0) return 0;
  return std::min(bins.size() - 1, static_cast<std::size_t>(std::max(0.0, (value - least) / bin_width)));
}

ValueSummary summarise(const RowValues& values, IndexRange columns, std::size_t bins, std::uint64_t most) {
  ValueSummary summary;
  columns.end = std::min(columns.end, values.size());
  if (columns.begin >= columns.end) return summary;
  summary.columns = columns.end - columns.begin;
  summary.read = std::min(summary.columns, most);
  std::vector<double> read;
  read.reserve(summary.read);
  for (std::uint64_t i = 0; i < summary.read; ++i) {
    const double value =
        values[summary.read == summary.columns ? columns.begin + i : at_share(columns, i, summary.read)];
    if (std::isnan(value)) {
      ++summary.none;
      continue;
    }
    if (!read.empty() && value < read.back()) summary.ascending = false;
    read.push_back(value);
  }
  if (read.empty() || bins == 0) return summary;
  const auto [low, high] = std::minmax_element(read.begin(), read.end());
  summary.least = *low;
  summary.greatest = *high;
  const double span = summary.greatest - summary.least;
  if (values.whole() && span < static_cast<double>(bins)) {
    bins = static_cast<std::size_t>(span) + 1;
    summary.bin_width = 1;
  } else {
    summary.bin_width = span / static_cast<double>(bins);
  }
  if (span <= 0 || !std::isfinite(span)) bins = 1;
  summary.bins.assign(bins, 0);
  for (const double value : read) ++summary.bins[summary.bin_of(value)];
  const auto middle = read.begin() + static_cast<std::ptrdiff_t>(read.size() / 2);
  std::nth_element(read.begin(), middle, read.end());
  summary.median = *middle;
  return summary;
}

std::optional<IndexRange> run_in_bin(const RowValues& values, IndexRange columns, const ValueSummary& summary,
                                     std::size_t bin) {
  columns.end = std::min(columns.end, values.size());
  const auto inside = [&](std::uint64_t column) {
    const double value = values[column];
    return value >= summary.least && value <= summary.greatest && summary.bin_of(value) == bin;
  };
  std::uint64_t first = columns.begin;
  while (first < columns.end && !inside(first)) ++first;
  if (first >= columns.end) return std::nullopt;
  std::uint64_t end = first + 1;
  while (end < columns.end && inside(end)) ++end;
  return IndexRange{first, end};
}

std::vector<float> density_of(const RowValues& values, IndexRange columns, int width, int height, double low,
                              double high) {
  std::vector<float> density(static_cast<std::size_t>(width) * static_cast<std::size_t>(height), 0);
  const double per_pixel = static_cast<double>(columns.end - columns.begin) / std::max(1, width);
  const double rows_per_unit = high > low ? (height - 1) / (high - low) : 0;
  for (int x = 0; x < width; ++x) {
    const auto from = columns.begin + static_cast<std::uint64_t>(per_pixel * x);
    const auto to = std::max(from + 1, columns.begin + static_cast<std::uint64_t>(per_pixel * (x + 1)));
    const std::uint64_t count = std::min(samples_per_pixel, to - from), room = (to - from) / count;
    for (std::uint64_t i = 0; i < count; ++i) {
      // Choose a pseudorandom column within the sample's share: equal distances would alias with repeating values.
      const std::uint64_t column = from + (to - from) * i / count + (room > 1 ? mix64(from + i) % room : 0);
      if (column >= values.size()) continue;
      const double value = values[column];
      if (!(value >= low && value <= high)) continue;
      const int y =
          height - 1 - static_cast<int>(std::lround(high > low ? (value - low) * rows_per_unit : (height - 1) / 2.0));
      density[static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x)] +=
          1.0f / static_cast<float>(count);
    }
  }
  return density;
}

std::pair<double, double> value_range(const RowValues& values, IndexRange columns) {
  columns.end = std::min(columns.end, values.size());
  if (columns.begin >= columns.end) return {0, 0};
  const std::uint64_t count = std::min(range_samples, columns.end - columns.begin);
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (std::uint64_t i = 0; i < count; ++i) {
    const double value = values[i + 1 == count ? columns.end - 1 : at_share(columns, i, count)];
    if (!std::isfinite(value)) continue;
    low = std::min(low, value);
    high = std::max(high, value);
  }
  return low <= high ? std::pair(low, high) : std::pair(0.0, 0.0);
}

}  // namespace kdscope
