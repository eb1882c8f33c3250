#include "visualizer/figure/plot_labels.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <span>
#include <utility>

#include "algorithms/text/point_name.hpp"
#include "visualizer/figure/overlay_drawing.hpp"
#include "visualizer/style/role_line.hpp"

namespace kdscope {
namespace {

/// Names of more points than these stand close to their marks or are left out.
constexpr std::size_t most_joined = 20;
constexpr std::size_t most_cell_labels = 40, most_named_points = 6, most_avoided_boxes = 40;
constexpr std::size_t most_bold = 24;  // of more names, only those of ringed marks stand out
constexpr double small_print = 0.87;   // of the text's size
/// A name is read as that of the nearest mark, unless the next one is so many times as far from its middle line.
constexpr double clearly_nearer = 1.4, surely_nearer = 2.2;
constexpr double far_cost = 2.5;
constexpr int rounds = 6, turns = 3;  // in which names look for places, and then for better ones

/// Returns the place in a room that is nearest to a place outside of it.
std::array<double, 2> nearest_in(const Room& room, const std::array<double, 2>& to) {
  return {std::clamp(to[0], room.left, std::max(room.left, room.right)),
          std::clamp(to[1], room.bottom, std::max(room.bottom, room.top))};
}

double length(double x, double y) { return std::sqrt(x * x + y * y); }  // std::hypot() takes many times as long

/// Returns the distance of a place from a line.
double distance(const std::array<double, 2>& from, const std::array<double, 2>& to, const std::array<double, 2>& at) {
  const double x = to[0] - from[0], y = to[1] - from[1], square = x * x + y * y;
  const double along = square > 0 ? std::clamp(((at[0] - from[0]) * x + (at[1] - from[1]) * y) / square, 0.0, 1.0) : 0;
  return length(from[0] + along * x - at[0], from[1] + along * y - at[1]);
}

double distance(const Room& room, const std::array<double, 2>& to) {
  const auto [x, y] = nearest_in(room, to);
  return length(x - to[0], y - to[1]);
}

/// Whether a line from (x0, y0) to (x1, y1) passes through a room.
bool crosses(const std::array<double, 4>& line, const Room& room) {
  double begin = 0, end = 1;
  const auto clip = [&](double from, double to, double low, double high) {
    const double way = to - from;
    if (way == 0) return low < from && from < high;
    const double a = (low - from) / way, b = (high - from) / way;
    begin = std::max(begin, std::min(a, b));
    end = std::min(end, std::max(a, b));
    return true;
  };
  return clip(line[0], line[2], room.left, room.right) && clip(line[1], line[3], room.bottom, room.top) && begin < end;
}

/// Whether two lines cross each other.
bool crosses(const std::array<double, 4>& a, const std::array<double, 4>& b) {
  const auto parts = [](const auto& line, const auto& other) {
    const auto side = [&](double x, double y) {
      return (line[2] - line[0]) * (y - line[1]) - (line[3] - line[1]) * (x - line[0]);
    };
    return side(other[0], other[1]) * side(other[2], other[3]) < 0;
  };
  return parts(a, b) && parts(b, a);
}

/// Where a text may stand around its mark: diagonally first, because planes run straight through their points.
constexpr std::pair<double, double> around[]{{1, 1},  {-1, 1},  {1, -1},  {-1, -1}, {1, 0},   {-1, 0},
                                             {0, 1},  {0, -1},  {1, .5},  {-1, .5}, {1, -.5}, {-1, -.5},
                                             {.5, 1}, {-.5, 1}, {.5, -1}, {-.5, -1}};

}  // namespace

std::array<double, 4> LabelPlace::leader() const {
  const auto [x, y] = nearest_in(room, mark);
  return {mark[0], mark[1], x, y};
}

bool LabelPlace::clear_of(const Room& other) const {
  const double gap = 0.55 * style.size;
  return !Room{room.left - gap, room.bottom, room.right + gap, room.top}.overlaps(other);
}

void PlotLabels::begin(const Measures& measures, double mark_diameter, std::vector<std::array<double, 2>> marks) {
  measures_ = measures, mark_diameter_ = mark_diameter, marks_ = std::move(marks);
  planes_.clear();
  lines_.clear();
  leaders_.clear();
}

std::optional<Room> PlotLabels::room_between(const std::array<double, 3>& lo, const std::array<double, 3>& hi) const {
  const auto a = projection_.place({lo[0], lo[1], 0.0}), b = projection_.place({hi[0], hi[1], 0.0});
  return a && b ? std::optional(Room{a->x, a->y, b->x, b->y}) : std::nullopt;
}

std::optional<Room> PlotLabels::cell_of(const Partition& partition, std::uint32_t node) const {
  std::array<double, 3> lo{}, hi{};
  if (!frame_.is_2d() || !shows_whole(partition, frame_.dims()) || !partition.alive({node}) ||
      !scene_box(partition, frame_, {node}, lo, hi))
    return std::nullopt;
  return room_between(lo, hi);
}

void PlotLabels::avoid(const Partition& partition) {
  if (!frame_.is_2d()) return;
  for (const PartitionPlane& plane : partition.planes()) {
    const PartitionNode& node = partition.nodes()[plane.node.value];
    std::array<double, 3> lo{}, hi{};
    if (scene_plane(partition, frame_, plane.node, node.split_dim, node.split_value, lo, hi) < 0) continue;
    const double half = measures_.pixel;
    if (const auto line = room_between(lo, hi))
      planes_.push_back({line->left - half, line->bottom - half, line->right + half, line->top + half});
  }
  std::array<double, 3> lo{}, hi{};
  for (const NodeId node : partition.cells()) {
    if (partition.cells().size() > most_avoided_boxes || !scene_tight_box(partition, frame_, node, lo, hi)) continue;
    if (const auto box = room_between(lo, hi)) {
      const auto [left, bottom, right, top] = *box;
      for (const std::array<double, 4>& edge : {std::array{left, bottom, right, bottom},
                                                {left, top, right, top},
                                                {left, bottom, left, top},
                                                {right, bottom, right, top}})
        lines_.push_back(edge);
    }
  }
}

void PlotLabels::avoid(const Overlay& overlay) {
  for (const Overlay::Ball& ball : overlay.balls) {
    const auto middle = scene_place(frame_, ball.centre);
    const auto at = middle ? projection_.place(*middle) : std::nullopt;
    if (!at || lines_.size() >= most_overlay_marks) continue;
    if (ball.radius == 0) {
      marks_.push_back({at->x, at->y});
      continue;
    }
    if (!frame_.is_2d()) continue;
    const double across = std::abs(frame_.to_scene(0, ball.radius) - frame_.to_scene(0, 0)),
                 up = std::abs(frame_.to_scene(1, ball.radius) - frame_.to_scene(1, 0));
    constexpr int corners = 24;
    std::array<double, 2> before{};
    for (int i = 0; i <= corners; ++i) {
      const double angle = 2 * std::numbers::pi * i / corners;
      const auto on =
          projection_.place({(*middle)[0] + across * std::cos(angle), (*middle)[1] + up * std::sin(angle), 0.0});
      if (!on) break;
      if (i > 0) lines_.push_back({before[0], before[1], on->x, on->y});
      before = {on->x, on->y};
    }
  }
  for (const Overlay::Segment& mark : overlay.segments) {
    if (lines_.size() >= most_overlay_marks) return;
    const auto from = scene_place(frame_, mark.from), to = scene_place(frame_, mark.to);
    if (from && to) avoid_line(*from, *to);
  }
}

void PlotLabels::avoid(const std::array<std::array<double, 3>, 3>& triangle) {
  for (std::size_t c = 0; c < 3; ++c) avoid_line(triangle[c], triangle[(c + 1) % 3]);
}

void PlotLabels::avoid_line(const std::array<double, 3>& from, const std::array<double, 3>& to) {
  const auto a = projection_.place(from), b = projection_.place(to);
  if (a && b) lines_.push_back({a->x, a->y, b->x, b->y});
}

std::optional<LabelPlace> PlotLabels::beside(const LabelWish& wish) const {
  const double edge = 2 * measures_.pixel;
  const auto& mark = wish.mark;
  std::optional<Room> plot;
  if (frame_.is_2d()) plot = room_between({frame_.lo(0), frame_.lo(1), 0}, {frame_.hi(0), frame_.hi(1), 0});
  std::optional<LabelPlace> best;
  double least = 1e300;
  // Many lines to distant names would cover the picture. A box covers more than a name, and may go further away.
  const bool keeps_off = wish.keeps_off || wish.style.ground;
  const double furthest = !wish.far                                                       ? 1
                          : keeps_off                                                     ? 9
                          : wish.covers == Covers::nothing && marks_.size() > most_joined ? 2.6
                                                                                          : 4;
  const Room size = layer_.room(wish.words, 0, 0, wish.style);
  const double half_width = (size.right - size.left) / 2, half_height = (size.top - size.bottom) / 2;
  for (const double times : {1.0, 1.7, 2.6, 4.0, 6.0, 9.0}) {
    if (times > furthest || far_cost * (times - 1) >= least) break;
    for (const auto& [across, up] : around) {
      LabelPlace at;
      at.style = wish.style, at.mark = mark;
      const bool diagonal = across * up != 0;
      // The middle of the text, inside the picture
      const double x = mark[0] + across * (times * wish.apart * (diagonal ? 0.8 : 1) + half_width),
                   y = mark[1] + up * (times * wish.apart * (diagonal ? 0.6 : 1) + half_height);
      const double right = projection_.width - edge - half_width, top = projection_.height - edge - half_height;
      at.x = std::max(std::min(x, right), edge + half_width);
      at.y = std::max(std::min(y, top), edge + half_height);
      at.room = {at.x - half_width, at.y - half_height, at.x + half_width, at.y + half_height};
      // The end of the text beside the mark stays there where letters are wider than expected
      at.style.across = across == 1 ? Align::start : across == -1 ? Align::end : Align::centre;
      at.style.up = Align::centre;
      at.x += at.style.across == Align::start ? -half_width : at.style.across == Align::end ? half_width : 0;
      if (const auto cost = cost_of(wish, at, plot, times); cost && *cost < least) {
        least = *cost;
        best = at;
      }
    }
  }
  return best;
}

bool PlotLabels::free(const LabelPlace& at) const {
  const auto clear = [&](const Room& other) { return at.clear_of(other); };
  return layer_.free(at.room) && std::ranges::all_of(layer_.rooms(), clear) &&
         std::ranges::all_of(planned_, [&](const auto& other) { return !other || clear(other->room); });
}

/// Returns how bad a place is; nullopt if it covers more than it may. Finds whether a line must join it to its mark.
std::optional<double> PlotLabels::cost_of(const LabelWish& wish, LabelPlace& at, const std::optional<Room>& plot,
                                          double times) const {
  const auto& mark = wish.mark;
  const double reach = (wish.covers == Covers::nothing ? 0.6 : 0.45) * mark_diameter_;
  const bool free = this->free(at);
  if (wish.covers != Covers::marks_and_texts && !free) return std::nullopt;
  const auto hidden = std::ranges::count_if(marks_, [&](const auto& o) { return distance(at.room, o) < reach; });
  const double own = distance(at.room, mark);
  const bool on_itself = own < std::min(0.45 * mark_diameter_, 0.5 * wish.apart);
  if (wish.covers == Covers::nothing && (hidden > 0 || on_itself)) return std::nullopt;
  bool leaves_cell = false;
  if (wish.cell && plot) {
    const Room inside{std::max(at.room.left, plot->left), std::max(at.room.bottom, plot->bottom),
                      std::min(at.room.right, plot->right), std::min(at.room.top, plot->top)};
    const double slack = measures_.pixel;
    leaves_cell = inside.left < inside.right && inside.bottom < inside.top &&
                  (inside.left < wish.cell->left - slack || inside.right > wish.cell->right + slack ||
                   inside.bottom < wish.cell->bottom - slack || inside.top > wish.cell->top + slack);
  }
  // A name that is about as near to another mark would be read as that mark's.
  const auto is_other = [&](const auto& o) { return length(o[0] - mark[0], o[1] - mark[1]) > 0.25 * mark_diameter_; };
  const double half_way = (at.room.bottom + at.room.top) / 2;
  const Room middle{at.room.left, half_way, at.room.right, half_way};
  const double from_middle = std::max(distance(middle, mark), 1e-9);
  double nearer = surely_nearer;  // than the next mark
  for (const auto& o : marks_)
    if (is_other(o)) nearer = std::min(nearer, distance(middle, o) / from_middle);
  const bool ambiguous = nearer < clearly_nearer;
  at.joined = wish.far && (times > 1 || leaves_cell || ambiguous);
  if (wish.covers == Covers::nothing && ambiguous && !at.joined) return std::nullopt;
  const std::array<double, 4> leader = at.leader();
  auto struck = std::ranges::count_if(marks_, [&](const auto& o) {
    return at.joined && is_other(o) && distance(mark, {leader[2], leader[3]}, {o[0], o[1]}) < reach;
  });
  // Neither do lines strike through texts, nor cross each other
  const auto meets = [&](const Room& room) { return at.joined && crosses(leader, room); };
  const auto meets_line = [&](const std::array<double, 4>& other) {
    return crosses(other, at.room) || (at.joined && crosses(other, leader));
  };
  struck += std::ranges::count_if(layer_.rooms(), meets) + std::ranges::count_if(leaders_, meets_line);
  for (const auto& other : planned_)
    if (other) struck += meets(other->room) + (other->joined && meets_line(other->leader()));
  const auto crossed = std::ranges::count_if(planes_, [&](const Room& line) { return line.overlaps(at.room); });
  const auto under = std::ranges::count_if(lines_, [&](const auto& line) { return crosses(line, at.room); });
  const bool leaves_plot = plot && (at.room.left < plot->left || at.room.right > plot->right ||
                                    at.room.bottom < plot->bottom || at.room.top > plot->top);
  if (leaves_plot && measures_.low && wish.covers == Covers::nothing) return std::nullopt;  // only axes have room there
  const double hides_line = wish.keeps_off || wish.style.ground ? 9 : 3;
  return 10.0 * static_cast<double>(hidden) + 100 * on_itself + 40 * !free + 20 * leaves_plot + far_cost * (times - 1) +
         12 * leaves_cell + 6 * (ambiguous && at.joined) + 4 * (surely_nearer - std::max(nearer, clearly_nearer)) +
         8.0 * static_cast<double>(struck) + 2.0 * static_cast<double>(crossed) +
         hides_line * static_cast<double>(under);
}

void PlotLabels::write(const std::string& words, const LabelPlace& place, double radius) {
  const Measures& m = measures_;
  const auto [from_x, from_y, to_x, to_y] = place.leader();
  const double away = length(to_x - from_x, to_y - from_y);
  if (place.joined || away > radius + 0.6 * m.text) {
    const double share = std::min(1.0, radius / std::max(away, 1.0));
    const double x = from_x + share * (to_x - from_x), y = from_y + share * (to_y - from_y);
    const DisplayInk& ink = place.style.halo ? place.style.ink : place.style.ground;
    if (place.style.halo) layer_.line(x, y, to_x, to_y, of_theme(&Theme::base), 3.5 * m.pixel, true);
    layer_.line(x, y, to_x, to_y, ink, 1.5 * m.pixel);
    leaders_.push_back(place.leader());
  }
  layer_.text(words, place.x, place.y, place.style);
}

double PlotLabels::role_thickness() const { return std::max(2.0 * measures_.pixel, 0.14 * measures_.text); }

void PlotLabels::draw_role(std::array<double, 2> at, double above, Role role, bool of_point, bool faded) {
  const double thick = role_thickness(), width = std::max(1.1 * mark_diameter_, 1.6 * measures_.text);
  const auto [x, y] = at;
  // A line alone would seem to hang beside a dot, or in front of what hides it; many lines would hide the next dots.
  if (of_point && mark_diameter_ < 0.4 * measures_.text) {
    const double radius = mark_diameter_ / 2 + 2 * measures_.pixel + thick / 2;
    layer_.strokes().ring(x, projection_.height - y, radius, role_ink(role, faded), thick);
    layer_.keep_clear({x - radius, y - radius, x + radius, y + radius});
    if (role == Role::compare) return;
    above = std::max(above, radius + 2 * thick);
  }
  const Room room{x - width / 2, y + above - thick, x + width / 2, y + above + (role_line_height + 1) * thick};
  // Of triangles that stand close together, some lines say it for all
  if (!of_point && !layer_.free(room)) return;
  draw_role_line(layer_.strokes(), role, x, projection_.height - y - above, width, thick, measures_.pixel, faded);
  layer_.keep_clear(room);
}

std::vector<WrittenName> PlotLabels::name(std::vector<NamedPoint> points, const NameRules& rules) {
  struct Spot {
    NamedPoint top;
    std::vector<std::uint32_t> points;
    double room() const {
      return top.cell ? (top.cell->right - top.cell->left) * (top.cell->top - top.cell->bottom) : 1e300;
    }
  };
  std::vector<Spot> spots;
  for (NamedPoint& point : points) {
    const auto is_here = [&](const Spot& spot) {
      return std::hypot(spot.top.at[0] - point.at[0], spot.top.at[1] - point.at[1]) <= 0.2 * mark_diameter_;
    };
    const auto found = std::ranges::find_if(spots, is_here);
    if (found == spots.end()) {
      spots.push_back({point, {point.point}});
      continue;
    }
    found->points.push_back(point.point);
    // The later mark of equally raised ones lies above.
    if (point.raised >= found->top.raised) found->top = std::move(point);
  }
  std::ranges::stable_sort(spots, [](const Spot& a, const Spot& b) {
    return a.top.raised != b.top.raised ? a.top.raised > b.top.raised : a.room() < b.room();
  });
  // A mark below another label needs no name.
  std::erase_if(spots, [&](const Spot& spot) {
    const auto [x, y] = spot.top.at;
    return (spot.top.point == rules.labelled && spot.points.size() == 1) || !layer_.free({x, y, x + 1, y + 1});
  });
  std::vector<LabelWish> wishes;
  const bool quiet = spots.size() > most_bold;
  for (const Spot& spot : spots) wishes.push_back(wish_for(spot.top, spot.points, rules, quiet));
  // Names that find no place choose before the others in the next round
  std::vector<std::size_t> order(spots.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::vector<std::optional<LabelPlace>> best(spots.size());
  const auto is_placed = [](const auto& place) { return place.has_value(); };
  for (int round = 0; round < rounds && !std::ranges::all_of(best, is_placed); ++round) {
    planned_.assign(spots.size(), std::nullopt);
    bool moved = true;
    for (int turn = 0; moved && turn < turns; ++turn) {
      moved = false;
      for (const std::size_t i : order) {
        const auto before = std::exchange(planned_[i], std::nullopt);
        planned_[i] = beside(wishes[i]);
        moved |= planned_[i] && (!before || before->x != planned_[i]->x || before->y != planned_[i]->y);
      }
    }
    if (round == 0 || std::ranges::count_if(planned_, is_placed) > std::ranges::count_if(best, is_placed))
      best = planned_;
    std::ranges::stable_partition(order, [&](std::size_t i) { return !planned_[i]; });
  }
  planned_.clear();
  std::vector<WrittenName> names;
  for (std::size_t i = 0; i < spots.size(); ++i) {
    if (!best[i]) continue;
    const auto& [left, bottom, right, top] = best[i]->room;
    write(wishes[i].words, *best[i], (spots[i].top.ringed ? 1.0 : 0.55) * mark_diameter_);
    names.push_back({{spots[i].top.point}, {left, bottom, right, top}, best[i]->joined});
  }
  return names;
}

/// Returns the wish for the name of a point, or for the names of all points on its spot.
LabelWish PlotLabels::wish_for(const NamedPoint& top, const std::vector<std::uint32_t>& spot, const NameRules& rules,
                               bool quiet) const {
  LabelWish wish;
  if (rules.words) wish.words = rules.words(top.point) + (spot.size() > 1 ? " " : "");
  if (!rules.words || spot.size() > 1) wish.words += point_names(spot, most_named_points);
  wish.style.bold = !top.faded && !(quiet && !top.ringed);
  wish.style.halo = true;
  wish.style.size = small_print * measures_.text;
  wish.style.ink = of_theme(top.faded ? &Theme::muted_text : &Theme::text);
  wish.mark = top.at;
  wish.apart = (top.ringed ? 1.0 : 0.5) * mark_diameter_ + 0.3 * measures_.text;
  wish.covers = rules.covers;
  wish.far = rules.far;
  wish.cell = top.cell;
  return wish;
}

void PlotLabels::number_cells(const Partition& partition, const Growth& growth) {
  if (!frame_.is_2d() || !shows_whole(partition, frame_.dims()) || partition.cells().size() > most_cell_labels) return;
  const double size = 1.5 * measures_.text;
  for (const NodeId node : partition.cells()) {
    const PartitionNode& info = partition.nodes()[node.value];
    if (info.point != no_id || info.empty || growth.of_children({info.parent}) < Growth::shows_children) continue;
    const auto cell = cell_of(partition, node.value);
    if (!cell) continue;
    const std::string words = std::to_string(node.value);
    const double half_width = 0.3 * size * static_cast<double>(words.size()) + 0.45 * size, half_height = 0.85 * size;
    if (cell->right - cell->left < 2 * half_width || cell->top - cell->bottom < 2 * half_height) continue;
    // Use the first place with enough room and off all lines, starting at the corners, or else the place furthest from
    // any point.
    std::array<double, 2> best{};
    const double enough = mark_diameter_ / 2 + 1.4 * half_width;
    double best_room = -1;
    for (const double v : {1.0, 0.0, 0.5, 0.75, 0.25})
      for (const double u : {0.0, 1.0, 0.5, 0.25, 0.75}) {
        const double x = cell->left + half_width + u * (cell->right - cell->left - 2 * half_width),
                     y = cell->bottom + half_height + v * (cell->top - cell->bottom - 2 * half_height);
        const Room place{x - half_width, y - half_height, x + half_width, y + half_height};
        if (best_room >= enough || !layer_.free(place) ||
            std::ranges::any_of(planes_, [&](const Room& line) { return line.overlaps(place); }))
          continue;
        double room = 1e6;
        for (const auto& mark : marks_) room = std::min(room, std::hypot(mark[0] - x, mark[1] - y));
        if (std::ranges::any_of(lines_, [&](const auto& line) { return crosses(line, place); }))
          room = std::min(room, enough / 2);
        if (room > best_room) best_room = room, best = {x, y};
      }
    if (best_room < mark_diameter_ / 2 + half_width) continue;
    const auto ink = [place = info.place](const Theme& t) { return mix(subtree_colour(t, place), t.text, 0.35); };
    layer_.text(words, best[0], best[1], {.size = size, .ink = ink, .bold = true, .halo = true});
  }
}

void PlotLabels::write_labels(const Overlay& overlay) {
  for (const Overlay::Label& mark :
       std::span(overlay.labels).first(std::min(overlay.labels.size(), most_overlay_marks))) {
    const auto scene = scene_place(frame_, mark.at);
    const auto at = scene ? projection_.place(*scene) : std::nullopt;
    if (!at || at->x < 0 || at->y < 0 || at->x > projection_.width || at->y > projection_.height) continue;
    const TextStyle style{
        .size = measures_.text, .ink = [ink = mark.ink](const Theme& t) { return ink_colour(t, ink); }, .halo = true};
    constexpr double circle = 6.5;  // the radius of a place's small circle, with its line, in pixels
    const double apart = std::max(mark_diameter_ / 2, circle * measures_.pixel) + 4 * measures_.pixel;
    if (const auto found = beside({mark.text, style, {at->x, at->y}, 1.2 * apart, Covers::marks, true, {}, true}))
      write(mark.text, *found, apart);
  }
}

}  // namespace kdscope
