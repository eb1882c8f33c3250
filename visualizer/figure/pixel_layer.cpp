#include "visualizer/figure/pixel_layer.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "algorithms/trace/coordinate_names.hpp"
#include "visualizer/style/axis.hpp"

namespace kdscope {

void PixelLayer::begin(double width, double height) {
  width_ = width, height_ = height;
  marks_ = rims_ = strokes_ = words_ = {};
  written_.clear();
  rooms_.clear();
  kept_.clear();
}

void PixelLayer::text(const std::string& words, double x, double y, const TextStyle& style) {
  if (words.empty()) return;
  const Room at = room(words, x, y, style);
  const double left = at.left, right = at.right, high = at.top - at.bottom;
  if (style.ground) words_.box(left, height_ - at.top, right - left, high, style.ground);
  using Anchor = DisplayItem::Anchor;
  const bool start = style.across == Align::start, end = style.across == Align::end;
  // Descenders reach further below the middle of a text than capitals reach above it.
  DisplayItem& item =
      words_.words(start ? left
                   : end ? right
                         : (left + right) / 2,
                   height_ - at.top + high / 2 - (style.ground ? 0 : 0.12) * style.size, words, style.ink, style.size,
                   start ? Anchor::left
                   : end ? Anchor::right
                         : Anchor::middle);
  item.bold = style.bold, item.halo = style.halo;
  written_.emplace_back(words, style.size);
  rooms_.push_back(at);
}

Room PixelLayer::room(const std::string& words, double x, double y, const TextStyle& style) const {
  const auto before = [](Align align, double length) {
    return align == Align::start ? 0 : align == Align::end ? length : length / 2;
  };
  const double wide =
      width_of_ ? width_of_(words, style.size, style.bold) : text_width(words, 1.17 * style.size, style.bold);
  const double high = (style.ground ? 1.4 : 1) * style.size;
  const double left = x - before(style.across, wide), bottom = y - before(style.up, high);
  return {left, bottom, left + wide, bottom + high};
}

bool PixelLayer::free(const Room& room) const {
  const auto taken = [&](const Room& other) { return room.overlaps(other); };
  return std::none_of(rooms_.begin(), rooms_.end(), taken) && std::none_of(kept_.begin(), kept_.end(), taken);
}

void PixelLayer::mark(const std::array<double, 2>& at, double diameter, Glyph glyph, DisplayInk fill, DisplayInk rim,
                      double width) {
  marks_.add({.shape = DisplayItem::Shape::marks,
              .at = {at[0], at[1]},
              .ink = std::move(rim),
              .width = width,
              .size = (diameter - width) / 2,
              .cells = {std::move(fill)},
              .glyphs = {glyph}});
}

void PixelLayer::line(double x0, double y0, double x1, double y1, DisplayInk ink, double width, bool under) {
  (under ? rims_ : strokes_).line({x0, height_ - y0, x1, height_ - y1}, std::move(ink), width);
}

void PixelLayer::circle(double x, double y, double radius, DisplayInk ink, double width, bool under) {
  (under ? rims_ : strokes_).ring(x, height_ - y, radius, std::move(ink), width);
}

DisplayList PixelLayer::list() const {
  DisplayList list{width_, height_, {}};
  for (const DisplayList* layer : {&marks_, &rims_, &strokes_, &words_})
    list.items.insert(list.items.end(), layer->items.begin(), layer->items.end());
  return list;
}

namespace {

using Pixel = Projection::Place;

double text_width(const std::vector<std::string>& texts, double size) {
  std::size_t widest = 0;
  for (const std::string& t : texts) widest = std::max(widest, t.size());
  return widest_character * size * static_cast<double>(widest);
}

double line_width(const Measures& m) { return std::round(1.5 * m.pixel); }

/// The nearest place at which a level or upright line of an axis covers whole pixels.
Pixel on_pixels(const Pixel& at, const Measures& m) {
  const double half = std::fmod(line_width(m), 2) / 2;
  return {std::round(at.x - half) + half, std::round(at.y - half) + half};
}

struct AxisPainter {
  PixelLayer& layer;
  const Frame& frame;
  const Projection& projection;
  const Measures& m;
  std::vector<double> draw(int axis, const std::string& name, std::array<double, 3> a, std::array<double, 3> b,
                           Pixel out) const;
};

/// Draws one axis along the edge from `a` to `b`, with its texts on the side to which `out` points. Returns its ticks.
std::vector<double> AxisPainter::draw(int axis, const std::string& name, std::array<double, 3> a,
                                      std::array<double, 3> b, Pixel out) const {
  const auto from = projection.place(a), to = projection.place(b);
  if (!from || !to) return {};
  const double length = std::hypot(to->x - from->x, to->y - from->y);
  if (length < (frame.is_2d() ? 0.75 : 1.5) * m.text) return {};
  if (!frame.is_2d()) layer.line(from->x, from->y, to->x, to->y, of_theme(&Theme::axis), line_width(m));

  const bool level = std::abs(out.y) > std::abs(out.x);  // texts are below or above the axis
  TextStyle style;
  style.size = m.text;
  style.ink = of_theme(&Theme::text);
  style.across = std::abs(out.x) < 0.35 ? Align::centre : out.x < 0 ? Align::end : Align::start;
  style.up = std::abs(out.y) < 0.35 ? Align::centre : out.y < 0 ? Align::end : Align::start;
  // Only the part inside the window has ticks, so that zooming in refines them.
  const double world_a = frame.to_world(axis, a[axis]), world_b = frame.to_world(axis, b[axis]);
  double t0 = 0, t1 = 1;
  const auto clip = [&](double start, double end, double limit) {
    const double d = end - start;
    if (std::abs(d) < 1e-9) return;
    const double u = (0 - start) / d, v = (limit - start) / d;
    t0 = std::max(t0, std::min(u, v));
    t1 = std::min(t1, std::max(u, v));
  };
  clip(from->x, to->x, projection.width);
  clip(from->y, to->y, projection.height);
  if (t1 <= t0) return {};
  const double lo = world_a + (world_b - world_a) * t0, hi = world_a + (world_b - world_a) * t1;
  // Choose as many ticks as their texts have room for, side by side or one above the other.
  const double room = length * (t1 - t0);
  int count = std::max(3, static_cast<int>(room / ((level ? 4 : 3) * m.text)));
  std::vector<double> values = tick_values(lo, hi, count);
  std::vector<std::string> texts = tick_texts(values);
  // In 3D, oblique axes need room across or up.
  const double across = std::abs(to->x - from->x) / length * room, up = std::abs(to->y - from->y) / length * room;
  const auto crowded = [&] {
    const double gaps = static_cast<double>(texts.size()) - 1, apart = texts.size() > 3 ? 1 : 0.25;
    const bool beside = text_width(texts, m.text) + apart * m.text <= across / gaps;
    return level ? !beside : !frame.is_2d() && !beside && 1.3 * m.text > up / gaps;
  };
  const auto choose = [&](int wanted) {
    count = wanted;
    values = tick_values(lo, hi, count);
    texts = tick_texts(values);
  };
  // Round steps may leave one tick, which shows no scale.
  while (!frame.is_2d() && texts.size() < 3 && count < 12) choose(count + 1);
  while (count > 1 && texts.size() > 1 && crowded()) choose(count - 1);
  const bool low = m.low && frame.is_2d();
  const double tick = (low ? 0.3 : 0.4) * m.text, gap = (low ? 0.5 : 0.75) * m.text;
  for (std::size_t i = 0; i < values.size(); ++i) {
    std::array<double, 3> at = a;
    at[axis] = frame.to_scene(axis, values[i]);
    auto p = projection.place(at);
    if (!p) continue;
    if (frame.is_2d()) p = on_pixels(*p, m);
    layer.line(p->x, p->y, p->x + tick * out.x, p->y + tick * out.y, of_theme(&Theme::axis), line_width(m));
    const double x = p->x + gap * out.x, y = p->y + gap * out.y;
    if (layer.free(layer.room(texts[i], x, y, style))) layer.text(texts[i], x, y, style);
  }
  if (low) {
    style.bold = true;
    style.across = level ? Align::start : Align::end;
    style.up = level ? Align::centre : Align::end;
    layer.text(name, to->x + (level ? 0.5 * m.text : -gap - text_width(texts, m.text) - 0.3 * m.text), to->y, style);
    return values;
  }
  const double clear = gap + (level ? 1.7 * m.text : text_width(texts, m.text) + 0.9 * m.text);
  style.bold = true;
  style.size = 1.15 * m.text;
  // Ticks of another axis may stand there.
  double away = clear;
  const auto middle = [&](double f, double t, double along) { return (f + t) / 2 + away * along; };
  while (away < clear + 1.5 * m.text &&
         !layer.free(layer.room(name, middle(from->x, to->x, out.x), middle(from->y, to->y, out.y), style)))
    away += 0.25 * m.text;
  layer.text(name, middle(from->x, to->x, out.x), middle(from->y, to->y, out.y), style);
  return values;
}

}  // namespace

double tick_width(const Frame& frame, int axis, double size) {
  return text_width(
      tick_texts(tick_values(frame.to_world(axis, frame.lo(axis)), frame.to_world(axis, frame.hi(axis)), 8)), size);
}

std::array<double, 4> axes_margins(const Frame& frame, std::uint32_t dim, const Measures& m) {
  const bool upright = frame.dims()[1] >= 0;
  const double ticks = upright ? tick_width(frame, 1, m.text) : 0;
  if (!m.low) return {upright ? ticks + 3 * m.text : 1.8 * m.text, 3.8 * m.text, 1.8 * m.text, 1.2 * m.text};
  // The name of the level axis stands behind its end, that of the upright axis beside its uppermost tick.
  const std::string name = coordinate_name(static_cast<std::uint32_t>(std::max(0, frame.dims()[0])), dim);
  return {upright ? ticks + 1.9 * m.text : 1.8 * m.text, 1.6 * m.text,
          std::max(1.8, 0.7 + 0.7 * static_cast<double>(name.size())) * m.text, 0.6 * m.text};
}

Ticks draw_axes(PixelLayer& layer, const Frame& frame, std::uint32_t dim, const Projection& projection,
                const Measures& m) {
  Ticks ticks;
  const auto corner = [&](int bits) {
    return std::array<double, 3>{bits & 1 ? frame.hi(0) : frame.lo(0), bits & 2 ? frame.hi(1) : frame.lo(1),
                                 bits & 4 ? frame.hi(2) : frame.lo(2)};
  };
  const std::array<double, 3> middle{(frame.lo(0) + frame.hi(0)) / 2, (frame.lo(1) + frame.hi(1)) / 2,
                                     (frame.lo(2) + frame.hi(2)) / 2};
  const auto centre = projection.place(middle);
  if (!centre) return ticks;
  if (const auto lo = projection.place(corner(0)), hi = projection.place(corner(3)); frame.is_2d() && lo && hi) {
    const Pixel a = on_pixels(*lo, m), b = on_pixels(*hi, m);
    const double half = line_width(m) / 2;  // whole corners
    for (const double x : {a.x, b.x}) layer.line(x, a.y - half, x, b.y + half, of_theme(&Theme::axis), line_width(m));
    for (const double y : {a.y, b.y}) layer.line(a.x - half, y, b.x + half, y, of_theme(&Theme::axis), line_width(m));
  }
  const AxisPainter painter{layer, frame, projection, m};
  for (int axis = 0; axis < 3; ++axis) {
    const int d = frame.dims()[axis];
    if (d < 0) continue;
    if (frame.is_2d()) {
      ticks[axis] = painter.draw(axis, coordinate_name(d, dim), corner(0), corner(1 << axis),
                                 axis == 0 ? Pixel{0, -1} : Pixel{-1, 0});
      continue;
    }
    // Choose the outermost of the four parallel edges: preferably low for level axes, left or right for upright axes.
    int best = -1;
    double best_score = -1e300;
    Pixel best_out;
    for (int bits = 0; bits < 8; ++bits) {
      if (bits & (1 << axis)) continue;
      const auto p = projection.place(corner(bits)), q = projection.place(corner(bits | 1 << axis));
      if (!p || !q) continue;
      const double ex = q->x - p->x, ey = q->y - p->y, length = std::hypot(ex, ey);
      if (length < 1) continue;
      Pixel out{-ey / length, ex / length};
      const double mx = (p->x + q->x) / 2 - centre->x, my = (p->y + q->y) / 2 - centre->y;
      if (out.x * mx + out.y * my < 0) out = {-out.x, -out.y};
      const bool upright = std::abs(ey) > 2 * std::abs(ex);
      const double score = out.x * mx + out.y * my + (upright ? -0.25 * mx : -1.0 * my);
      if (score > best_score) {
        best_score = score;
        best = bits;
        best_out = out;
      }
    }
    if (best < 0) continue;
    ticks[axis] = painter.draw(axis, coordinate_name(d, dim), corner(best), corner(best | 1 << axis), best_out);
  }
  return ticks;
}

void draw_axes_cross(PixelLayer& layer, const Frame& frame, std::uint32_t dim, const Projection& projection,
                     const Measures& m) {
  const std::array<double, 3> middle{(frame.lo(0) + frame.hi(0)) / 2, (frame.lo(1) + frame.hi(1)) / 2,
                                     (frame.lo(2) + frame.hi(2)) / 2};
  const auto centre = projection.place(middle);
  if (frame.is_2d() || !centre) return;
  struct Arm {
    double x, y, away;
    std::string name;
    double length() const { return std::hypot(x, y); }
  };
  std::vector<Arm> arms;
  double longest = 0;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    constexpr double step = 1e-3;  // in which perspective bends nothing
    std::array<double, 3> along = middle;
    along[axis] += step;
    const auto tip = projection.place(along);
    if (!tip) return;
    arms.push_back({tip->x - centre->x, tip->y - centre->y, tip->depth - centre->depth,
                    coordinate_name(static_cast<std::uint32_t>(frame.dims()[axis]), dim)});
    longest = std::max(longest, arms.back().length());
  }
  // Edges of the box, by places on them
  std::vector<Pixel> edges;
  for (int bits = 0; bits < 8; ++bits)
    for (int axis = 0; axis < 3; ++axis)
      for (double share = 0; share <= 1 && !(bits & 1 << axis); share += 0.05) {
        std::array<double, 3> at{};
        for (int each = 0; each < 3; ++each)
          at[each] = each == axis       ? std::lerp(frame.lo(each), frame.hi(each), share)
                     : bits & 1 << each ? frame.hi(each)
                                        : frame.lo(each);
        if (const auto on = projection.place(at)) edges.push_back({on->x, on->y});
      }
  for (const double arm : {1.5 * m.text, 0.9 * m.text}) {
    const double half = arm + 1.1 * m.text, x = half, y = half;
    const Room room{x - half, y - half, x + half, y + half};
    if (!layer.free(room) || std::ranges::any_of(edges, [&](const Pixel& on) {
          return on.x > room.left && on.x < room.right && on.y > room.bottom && on.y < room.top;
        }))
      continue;
    const auto ink = [](const Arm& of) -> DisplayInk {
      return [faint = of.away > 0 ? 0.5 : 0.0](const Theme& t) { return mix(t.text, t.base, faint); };
    };
    std::ranges::sort(arms, std::greater(), &Arm::away);  // the nearest above the others
    for (const Arm& each : arms)
      layer.line(x, y, x + arm * each.x / longest, y + arm * each.y / longest, ink(each), line_width(m));
    std::ranges::sort(arms, std::greater(), &Arm::length);
    for (const Arm& each : arms) {
      if (each.length() < 0.3 * longest) continue;  // it points at the eye
      const double out = arm / longest + 0.6 * m.text / each.length();
      const TextStyle style{.size = 0.85 * m.text, .ink = ink(each), .bold = true};
      if (layer.free(layer.room(each.name, x + out * each.x, y + out * each.y, style)))
        layer.text(each.name, x + out * each.x, y + out * each.y, style);
    }
    return layer.keep_clear(room);
  }
}

}  // namespace kdscope
