#include "visualizer/model/search_overlay.hpp"

#include <algorithm>
#include <cmath>

#include "algorithms/text/from_chars.hpp"
#include "algorithms/text/numbers.hpp"
#include "visualizer/model/mesh.hpp"

namespace kdscope {
namespace {

constexpr std::size_t most_lines = 64, most_waiting = 24;

/// Returns the numbers of an array; empty if it was not written or has another type.
std::vector<double> numbers(const Cursor& cursor, const char* name) {
  const TypedArray* array = cursor.array(name);
  std::vector<double> all;
  if (array)
    for (std::size_t i = 0; i < array->size(); ++i) all.push_back(array->number(i));
  return all;
}

std::vector<double> point_at(const TypedArray& points, std::uint32_t dim, double index) {
  std::vector<double> at;
  if (index < 0 || (index + 1) * dim > static_cast<double>(points.size())) return at;
  for (std::uint32_t d = 0; d < dim; ++d) at.push_back(points.number(static_cast<std::size_t>(index) * dim + d));
  return at;
}

/// Returns a node's box from the standard partition.
std::optional<Box> box_of(const Cursor& cursor, double node) {
  const std::uint32_t dim = cursor.trace().header.dim;
  const TypedArray* boxes = cursor.array(partition_arrays::box);
  if (!boxes || node < 0 || (node + 1) * 2 * dim > static_cast<double>(boxes->size())) return std::nullopt;
  Box box;
  const std::size_t at = static_cast<std::size_t>(node) * 2 * dim;
  for (std::uint32_t d = 0; d < dim; ++d)
    box.lo.push_back(boxes->number(at + d)), box.hi.push_back(boxes->number(at + dim + d));
  return box;
}

/// Returns where a ray enters and leaves a box, as multiples of its direction; nothing if it never enters.
std::optional<std::pair<double, double>> way_through(const Box& box, const std::vector<double>& ray) {
  const std::size_t dim = box.lo.size();
  double begin = 0, end = HUGE_VAL;
  for (std::size_t d = 0; d < dim; ++d) {
    if (ray[dim + d] == 0) continue;
    double from = (box.lo[d] - ray[d]) / ray[dim + d], to = (box.hi[d] - ray[d]) / ray[dim + d];
    if (from > to) std::swap(from, to);
    begin = std::max(begin, from), end = std::min(end, to);
  }
  return std::isfinite(end) && begin <= end ? std::optional(std::pair(begin, end)) : std::nullopt;
}

std::vector<double> along(const std::vector<double>& ray, double multiple) {
  const std::size_t dim = ray.size() / 2;
  std::vector<double> at;
  for (std::size_t d = 0; d < dim; ++d) at.push_back(ray[d] + multiple * ray[dim + d]);
  return at;
}

void add_ray(const Cursor& cursor, const std::vector<double>& ray, bool found, Overlay& marks) {
  const std::size_t dim = ray.size() / 2;
  const std::vector<double> origin(ray.begin(), ray.begin() + static_cast<std::ptrdiff_t>(dim));
  const auto domain = box_of(cursor, 0);
  const auto way = domain ? way_through(*domain, ray) : std::nullopt;
  // The picture has room for the ray's last bit before the box. An origin further away would make the box small.
  const double begin = way ? std::max(0.0, way->first - 0.25 * (way->second - way->first)) : 0;
  const std::vector<double> start = along(ray, begin);
  if (way) {
    marks.reach = {start, start};
    for (std::size_t d = 0; d < dim; ++d)
      marks.reach.lo[d] = std::min(start[d], domain->lo[d]), marks.reach.hi[d] = std::max(start[d], domain->hi[d]);
    marks.segments.push_back({start, along(ray, way->second), {Ink::selected, 2, true}, true});
  }
  if (begin == 0) marks.balls.push_back({origin, 0, {Ink::selected, 3}});
  marks.labels.push_back({start, "ray", Ink::selected});
  if (!found) return;
  const std::vector<double> part = numbers(cursor, search_arrays::segment);
  if (part.size() == 2 && std::isfinite(part[1]))
    marks.segments.push_back({along(ray, part[0]), along(ray, part[1]), {Ink::selected, 5}});
  const std::vector<double> hits = numbers(cursor, search_arrays::found_distance),
                            items = numbers(cursor, search_arrays::found);
  if (hits.empty()) return;
  const std::vector<double> hit = along(ray, hits[0]);
  marks.segments.push_back({start, hit, {Ink::selected, 3.5}});
  marks.balls.push_back({hit, 0, {Ink::selected, 3.5}});
  marks.labels.push_back({hit, "hit at " + short_number(hits[0], 4), Ink::selected});
  const std::vector<std::uint32_t> corners = triangles_of(cursor);
  const TypedArray* points = cursor.array(points_array);
  for (std::size_t c = 0; points && !items.empty() && c < 3; ++c) {
    const auto at = [&](std::size_t k) {
      const double corner = 3 * items[0] + static_cast<double>(k % 3);
      return corner >= 0 && corner < static_cast<double>(corners.size())
                 ? point_at(*points, static_cast<std::uint32_t>(dim), corners[static_cast<std::size_t>(corner)])
                 : std::vector<double>();
    };
    if (!at(c).empty()) marks.segments.push_back({at(c), at(c + 1), {Ink::selected, 3}});
  }
}

/// Returns the sides of the period that a recording's search names.
std::vector<double> sides_of_period(const Trace& trace) {
  std::vector<double> sides;
  const auto named = trace.header.search.find("period");
  if (named == trace.header.search.end()) return sides;
  for (const char *at = named->second.data(), *end = at + named->second.size(); at < end; at += at < end)
    at = from_chars(at, end, sides.emplace_back()).ptr;
  return sides;
}

/// A space that repeats itself: the domain, where one repetition around it begins, and its sides. Empty for any other.
struct Period {
  Box domain;
  std::vector<double> lo, sides;
};

Period period_of(const Cursor& cursor, const std::vector<double>& query) {
  const auto domain = box_of(cursor, 0);
  if (!domain) return {};
  Period period{*domain, query, sides_of_period(cursor.trace())};
  if (period.sides.size() != query.size()) return {};
  for (std::size_t d = 0; d < query.size(); ++d) {
    const double side = period.sides[d], lo = std::min(query[d], domain->lo[d]), at = std::floor(lo / side) * side;
    if (!(side > 0) || !std::isfinite(at + side)) return {};
    // A multiple of the side, unless points and query lie around one
    period.lo[d] = std::max(query[d], domain->hi[d]) <= at + side ? at : lo;
  }
  return period;
}

/// Returns the places within a period at which the query stands: one, unless its reach crosses the ends of the period.
std::vector<std::vector<double>> images_of(const std::vector<double>& query, double reach, const Period& period) {
  std::vector<std::vector<double>> images{query};
  for (std::size_t d = 0; d < period.sides.size(); ++d) {
    const std::size_t before = images.size();
    for (const double shift : {-period.sides[d], period.sides[d]}) {
      const double at = query[d] + shift;
      if (at + reach < period.lo[d] || at - reach > period.lo[d] + period.sides[d]) continue;
      for (std::size_t i = 0; i < before && images.size() < most_lines; ++i) {
        images.push_back(images[i]);
        images.back()[d] = at;
      }
    }
  }
  return images;
}

/// Draws the places at a distance from the query.
void add_reach(const std::vector<double>& query, double reach, double shape, Overlay& marks) {
  const std::size_t dim = query.size();
  if (shape == 2) {
    // By the sum of differences: an edge between each two ends on different axes
    for (std::uint32_t d = 0; d < dim; ++d)
      for (std::uint32_t e = d + 1; e < dim; ++e)
        for (const double from : {-reach, reach})
          for (const double to : {-reach, reach}) {
            std::vector<double> one = query, other = query;
            one[d] += from, other[e] += to;
            marks.segments.push_back({one, other, {Ink::selected, 2.5}});
          }
  } else if (shape != 0) {
    Box around{query, query};
    for (std::uint32_t d = 0; d < dim; ++d) around.lo[d] -= reach, around.hi[d] += reach;
    marks.boxes.push_back({around, {Ink::selected, 2.5}});
  } else {
    marks.balls.push_back({query, reach, {Ink::selected, 2.5}});
  }
}

void add_query(const Cursor& cursor, const std::vector<double>& query, bool found_too, Overlay& marks) {
  const auto dim = static_cast<std::uint32_t>(query.size());
  const Period period = period_of(cursor, query);
  marks.reach = {query, query};
  for (std::uint32_t d = 0; d < period.sides.size(); ++d)
    for (const double end : {period.lo[d], period.lo[d] + period.sides[d]}) {
      marks.planes.push_back({period.domain, d, end, {Ink::muted, 2, true}});
      marks.reach.lo[d] = std::min(marks.reach.lo[d], end), marks.reach.hi[d] = std::max(marks.reach.hi[d], end);
    }
  marks.labels.push_back({query, "query", Ink::selected});
  const std::vector<double> reach = numbers(cursor, search_arrays::reach), box = numbers(cursor, search_arrays::box);
  const bool reaches = found_too && !reach.empty();
  const std::vector<double> rings = reaches ? numbers(cursor, search_arrays::bin_radius) : std::vector<double>();
  const auto images = images_of(query, reaches ? reach[0] : 0, period);
  for (const std::vector<double>& image : images) {
    marks.balls.push_back({image, 0, {Ink::selected, 3}});
    if (reaches && std::isfinite(reach[0])) add_reach(image, reach[0], box.empty() ? 0 : box[0], marks);
    for (const double ring : rings)
      if (ring < reach[0]) marks.balls.push_back({image, ring, {Ink::selected, 1}});
  }
  if (!found_too) return;
  const TypedArray* points = cursor.array(points_array);
  const std::vector<double> found = numbers(cursor, search_arrays::found);
  for (std::size_t i = 0; points && i < std::min(found.size(), most_lines); ++i) {
    const std::vector<double> at = point_at(*points, dim, found[i]);
    if (at.empty()) continue;
    // The shorter way may lead across ends of the period: it leaves at one and comes in at the other.
    std::vector<double> way = at;
    for (std::uint32_t d = 0; d < dim; ++d) {
      way[d] -= query[d];
      if (!period.sides.empty()) way[d] = std::remainder(way[d], period.sides[d]);
    }
    for (const std::vector<double>& image : images) {
      std::vector<double> to = image;
      bool between = true;
      for (std::uint32_t d = 0; d < dim; ++d) {
        to[d] += way[d];
        between = between && (image[d] == query[d] || std::abs(to[d] - at[d]) < period.sides[d] / 2);
      }
      if (between) marks.segments.push_back({image, to, {Ink::selected, 2}, false, true});
    }
    marks.rings.push_back({{static_cast<std::uint32_t>(found[i])}, {Ink::selected, 2.5}});
  }
}

}  // namespace

bool is_search(const Trace& trace) { return trace.find(search_arrays::query) || is_batch(trace); }

bool is_batch(const Trace& trace) { return trace.find(batch_arrays::visits) != nullptr; }

Overlay search_overlay(const Cursor& cursor, const Concealment& concealed) {
  Overlay marks;
  if (cursor.step_count() == 0 || !cursor.trace().find(search_arrays::query)) return marks;
  const std::uint32_t dim = cursor.trace().header.dim;
  const std::vector<double> query = numbers(cursor, search_arrays::query);
  if (dim > 0 && query.size() == 2 * std::size_t(dim)) {
    add_ray(cursor, query, !concealed.marks, marks);
  } else if (dim > 0 && query.size() == dim) {
    add_query(cursor, query, !concealed.marks, marks);
  }
  if (concealed.marks) return marks;
  if (const TypedArray* state = cursor.array(search_arrays::state); state && state->type() == ElementType::uint8) {
    const auto states = state->as<std::uint8_t>();
    for (std::uint32_t node = 0; node < states.size(); ++node) {
      const auto is = static_cast<SearchState>(states[node]);
      if (is == SearchState::skipped || is == SearchState::dropped) marks.faded_cells.push_back({node});
      if (is == SearchState::waiting && marks.boxes.size() < most_waiting)
        if (const auto box = box_of(cursor, node)) marks.boxes.push_back({*box, {Ink::muted, 1.5, true}});
    }
  }
  for (const Highlight& highlight : cursor.current().highlights)
    if (highlight.space == Space::node && highlight.role == Role::read && !highlight.ranges.empty())
      if (const auto box = box_of(cursor, static_cast<double>(highlight.ranges[0].begin)))
        marks.boxes.push_back({*box, {Ink::plain, 2.5}});
  return marks;
}

std::vector<SearchState> search_states(const Cursor& cursor) {
  std::vector<SearchState> states;
  const TypedArray* state = cursor.step_count() ? cursor.array(search_arrays::state) : nullptr;
  const TypedArray* parent = cursor.step_count() ? cursor.array(partition_arrays::parent) : nullptr;
  if (!state || state->type() != ElementType::uint8) return states;
  for (const std::uint8_t each : state->as<std::uint8_t>())
    states.push_back(each <= static_cast<std::uint8_t>(SearchState::dropped) ? static_cast<SearchState>(each)
                                                                             : SearchState::untouched);
  if (!parent || parent->type() != ElementType::uint32 || parent->size() != states.size()) return states;
  const auto parents = parent->as<std::uint32_t>();
  for (std::size_t node = 0; node < states.size(); ++node) {  // parents precede their children
    if (parents[node] >= node || states[node] != SearchState::untouched) continue;
    const SearchState above = states[parents[node]];
    if (above == SearchState::skipped || above == SearchState::dropped) states[node] = above;
  }
  return states;
}

}  // namespace kdscope
