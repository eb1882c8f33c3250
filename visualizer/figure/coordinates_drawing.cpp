#include "visualizer/figure/coordinates_drawing.hpp"

#include <algorithm>
#include <cmath>

#include "algorithms/text/numbers.hpp"
#include "algorithms/text/point_name.hpp"
#include "algorithms/trace/coordinate_names.hpp"
#include "visualizer/style/axis.hpp"

namespace kdscope {
namespace {

constexpr std::size_t most_with_glyphs = 150, most_with_numbers = 30;
constexpr std::size_t fewest_lines = 100;
constexpr double drawn_pieces = 60000;  // line pieces in one picture
constexpr double least_bar = 4.5;
constexpr const char* arrows[] = {" \u2192", " \u2191", " \u2197"};

Rgb ink_of_line(const Theme& theme, const CoordinateLine& line) {
  const Rgb ink = line.node ? subtree_colour(theme, line.place) : theme.muted_text;
  return line.settled ? dimmed(theme, ink) : ink;
}

}  // namespace

CoordinateMargins coordinate_margins(double line_height) {
  return {2.75 * line_height, 1.4 * line_height, 2.2 * line_height};
}

double room_for_axes(double width, const CoordinateMargins& margins) {
  return std::max(40.0, width - 2 * margins.side);
}

std::size_t lines_to_draw(const ParallelCoordinates& model, double axes_in_sight) {
  return std::min(model.lines().size(),
                  std::max(fewest_lines, static_cast<std::size_t>(drawn_pieces / std::max(1.0, axes_in_sight))));
}

CoordinateDrawing::CoordinateDrawing(const ParallelCoordinates& model, const CoordinateFrame& frame, const Place& sight,
                                     const CoordinateLook& look)
    : model_(model), frame_(frame), sight_(sight), look_(look) {
  const std::size_t count = model.axes().size();
  const auto index = [&](double x) {
    return static_cast<std::size_t>(std::clamp((x - frame.left) / frame.spacing, 0.0, static_cast<double>(count)));
  };
  first_ = index(sight.left);
  end_ = std::min(count, index(sight.right()) + 2);
  double widest = 0;
  for (const std::uint32_t dim : {model.dim() - 1, std::min(model.dim(), 8u) - 1})
    if (model.dim() > 0) widest = std::max(widest, width_of(coordinate_name(dim, model.dim()) + arrows[0]));
  while (stride_ < count && static_cast<double>(stride_) * frame.spacing < widest + 0.4 * look.line_height)
    stride_ *= 2;
}

double CoordinateDrawing::width_of(std::string_view words) const {
  return look_.width_of ? look_.width_of(words) : text_width(words, look_.line_height);
}

std::string CoordinateDrawing::name(std::size_t axis) const {
  const std::uint32_t dim = model_.axes()[axis].dim;
  std::string words = coordinate_name(dim, model_.dim());
  for (std::size_t place = 0; place < look_.axes.size(); ++place)
    if (look_.axes[place] == static_cast<int>(dim)) words += arrows[place];
  return words;
}

CoordinateDrawing::Place CoordinateDrawing::heading(std::size_t axis) const {
  const double line = look_.line_height, wide = width_of(name(axis)) + 0.7 * line;
  return {frame_.x(axis) - wide / 2, sight_.top + 0.1 * line, wide, 1.25 * line};
}

double CoordinateDrawing::glyph_radius() const {
  return (model_.lines().size() <= most_with_numbers ? 5.5 : 4.2) * look_.scale;
}
/// Whether marks on neighbouring axes leave the lines between them in sight.
bool CoordinateDrawing::has_glyphs() const { return frame_.spacing > 8 * glyph_radius(); }
bool CoordinateDrawing::has_bars() const { return bar_room() >= least_bar * look_.scale; }

/// The width available to the bar of one box.
double CoordinateDrawing::bar_room() const {
  const double share = std::min(0.16, 0.4 / static_cast<double>(std::max<std::size_t>(1, model_.boxes().size())));
  return std::min(8 * look_.scale, share * frame_.spacing);
}

CoordinateDrawing::Place CoordinateDrawing::bar(std::size_t box, std::size_t axis) const {
  const CoordinateBox& b = model_.boxes()[box];
  const std::size_t dim = model_.axes()[axis].dim;
  // Place the bars of all boxes side by side, within two fifths of the room between an axis and the next.
  const double each = bar_room();
  if (b.lo.empty() || !has_bars()) return {};
  const double low = frame_.y(model_.share(axis, b.lo[dim])), high = frame_.y(model_.share(axis, b.hi[dim]));
  const double left = frame_.x(axis) + 3 * look_.scale + static_cast<double>(box) * each, least = 2 * look_.scale;
  return {left, std::min(high, low - least), std::max(1.5, each - 2 * look_.scale), std::max(least, low - high)};
}

CoordinateDrawing::Place CoordinateDrawing::split(std::size_t box) const {
  const CoordinateBox& b = model_.boxes()[box];
  const auto axis = b.split_dim < 0 ? std::nullopt : model_.axis_of(static_cast<std::uint32_t>(b.split_dim));
  if (!axis) return {};
  const double half = std::clamp(0.45 * frame_.spacing, 3.0, 14 * look_.scale), high = 3.0 * look_.scale;
  return {frame_.x(*axis) - half, frame_.y(model_.share(*axis, b.split_value)) - high / 2, 2 * half, high};
}

/// Draws one list.
class CoordinateDrawing::Pen {
 public:
  explicit Pen(const CoordinateDrawing& drawing)
      : d_(drawing),
        model_(drawing.model_),
        frame_(drawing.frame_),
        look_(drawing.look_),
        scale_(drawing.look_.scale),
        line_(drawing.look_.line_height) {
    list_.width = d_.sight_.right(), list_.height = d_.sight_.bottom();
  }

  DisplayList lines() {
    const std::size_t drawn = std::min(look_.drawn, model_.lines().size());
    const double width = drawn <= most_with_glyphs ? 1.6 * scale_ : 1.0;
    // The more lines there are, the more transparent they are.
    const double opacity =
        std::clamp(std::pow(150.0 / static_cast<double>(std::max<std::size_t>(drawn, 1)), 0.5), 0.2, 1.0);
    const bool glyphs = drawn <= most_with_glyphs && d_.has_glyphs();
    // Draw the lines that are not chosen first, so that they lie below.
    for (const bool above : {false, true})
      for (std::size_t i = 0; i < drawn; ++i) {
        const CoordinateLine& line = model_.lines()[i];
        const bool stands_out = !model_.chooses() || line.chosen;
        if (stands_out != above || (line.left_out && !line.chosen)) continue;
        const auto ink = [line, stands_out](const Theme& t) {
          return mix(ink_of_line(t, line), t.base, stands_out ? 0 : 0.8);
        };
        Item& drawn_line = polyline(line.point, ink, width);
        drawn_line.opacity = stands_out && model_.chooses() ? std::max(opacity, 0.7) : opacity;
        drawn_line.id = line.point.value;
        drawn_line.spoken = point_name(line.point.value);
        if (glyphs) marks(line, ink);
      }
    return std::move(list_);
  }

  DisplayList axes() {
    if (model_.axes().empty()) return std::move(list_);
    const bool sparse = frame_.spacing >= 6;
    for (std::size_t axis = d_.first_; axis < d_.end_; ++axis) {
      const bool named = axis % d_.stride_ == 0, current = look_.current == axis;
      if (!sparse && !named && !current) continue;
      const double x = std::floor(frame_.x(axis)) + 0.5;  // in the middle of a pixel
      list_.line({x, frame_.y(model_.length(axis)), x, frame_.y(0)},
                 of_theme(current           ? &Theme::focus
                          : sparse || named ? &Theme::axis
                                            : &Theme::line),
                 current ? 2 * scale_ : 1);
    }
    draw_bars();
    draw_points();
    draw_selected();
    draw_splits();
    draw_numbers();
    draw_headings();
    return std::move(list_);
  }

 private:
  using Item = DisplayItem;
  using Shape = DisplayItem::Shape;

  double y_of(std::size_t axis, double value) const { return frame_.y(model_.share(axis, value)); }
  double y_of(std::size_t axis, PointId point) const {
    return y_of(axis, model_.coordinate(point, model_.axes()[axis].dim));
  }
  Item& box(const Place& at, DisplayInk ink, double out_x = 0, double out_y = 0, double round = 0) {
    return list_.box(at.left - out_x, at.top - out_y, at.width + 2 * out_x, at.height + 2 * out_y, std::move(ink), 0,
                     round);
  }
  /// Words on a ground of their own, so that they stay legible above lines.
  void label(const Place& at, std::string text, Rgb Theme::*ground) {
    box(at, of_theme(ground), 0, 0, 2);
    list_.words(at.left + at.width / 2, at.top + at.height / 2, std::move(text),
                [ground](const Theme& t) { return text_on(t.*ground); });
  }

  Item& polyline(PointId point, DisplayInk ink, double width) {
    const std::size_t from = d_.first_ > 0 ? d_.first_ - 1 : 0, to = std::min(model_.axes().size(), d_.end_ + 1);
    std::vector<double> corners;
    corners.reserve(2 * (to - from));
    for (std::size_t axis = from; axis < to; ++axis) corners.insert(corners.end(), {frame_.x(axis), y_of(axis, point)});
    return list_.line(std::move(corners), std::move(ink), width);
  }
  void marks(const CoordinateLine& of, const DisplayInk& ink) {
    Item item{.shape = Shape::marks, .at = {}, .ink = ink, .size = d_.glyph_radius(), .stride = 0};
    for (std::size_t axis = d_.first_; axis < d_.end_; ++axis) {
      item.at.insert(item.at.end(), {frame_.x(axis), y_of(axis, of.point)});
      item.cells.push_back(ink);
      item.glyphs.push_back(of.node ? subtree_glyph(of.place) : Glyph::circle);
    }
    item.id = of.point.value;
    list_.add(std::move(item));
  }

  void draw_bars() {
    for (std::size_t i = 0; i < model_.boxes().size(); ++i) {
      const CoordinateBox& b = model_.boxes()[i];
      const auto ink = [place = b.place](const Theme& t) { return subtree_colour(t, place); };
      for (std::size_t axis = d_.first_; axis < d_.end_; ++axis) {
        const Place at = d_.bar(i, axis);
        if (at.empty()) continue;
        box(at, of_theme(&Theme::base), 1, 1);
        box(at, ink).spoken = "node " + std::to_string(b.node.value);
        if (at.width < 3.5 * scale_ || at.height < 5 * d_.glyph_radius()) continue;
        list_.add({.shape = Shape::marks,
                   .at = {at.left + at.width / 2, at.top + at.height / 2},
                   .ink = of_theme(&Theme::base),
                   .width = scale_,
                   .size = at.width * 0.8,
                   .cells = {ink},
                   .glyphs = {subtree_glyph(b.place)}});
      }
    }
  }

  /// Writes the numbers of the points before the first axis, if there are only a few points.
  void draw_points() {
    if (d_.first_ > 0 || model_.lines().size() > most_with_numbers) return;
    std::vector<Place> taken;
    for (const CoordinateLine& of : model_.lines()) {
      const std::string name = point_name(of.point.value);
      const double wide = d_.width_of(name), right = frame_.x(0) - 1.6 * d_.glyph_radius(), y = y_of(0, of.point);
      const Place core{right - wide, y - line_ / 2 + 3, wide, line_ - 6};
      if (std::ranges::any_of(taken, [&](const Place& other) { return other.meets(core); })) continue;
      taken.push_back({right - wide, y - line_ / 2, wide, line_});
      list_.words(right, y, name, of_theme(&Theme::text), 0, Item::Anchor::right);
    }
  }

  void draw_splits() {
    std::vector<Place> taken;
    for (std::size_t i = 0; i < model_.boxes().size(); ++i) {
      const CoordinateBox& b = model_.boxes()[i];
      const Place at = d_.split(i);
      if (at.empty() || !at.meets(d_.sight_)) continue;
      const auto ink = b.fresh ? &Theme::new_plane : &Theme::plane;
      const std::string value = with_minus_sign(short_number(b.split_value, 4));
      box(at, of_theme(&Theme::base), 1, 1.5);
      box(at, of_theme(ink)).spoken = split_words(b, model_.dim());
      // Write the split value where it hides neither another one nor the next axis.
      const double wide = d_.width_of(value) + 0.4 * line_;
      const bool to_left = at.right() + wide > d_.sight_.right();
      const Place place{to_left ? at.left - wide - 2 : at.right() + 2, at.top + at.height / 2 - line_ / 2, wide, line_};
      const bool free = std::ranges::none_of(taken, [&](const Place& other) { return other.meets(place); });
      if (!free || (model_.boxes().size() > 1 && wide > 1.6 * frame_.spacing)) continue;
      taken.push_back(place);
      label(place, value, ink);
    }
  }

  void draw_selected() {
    for (const CoordinateLine& of : look_.selected) {
      const auto ink = [node = of.node, place = of.place](const Theme& t) {
        return node ? subtree_colour(t, place) : t.muted_text;
      };
      polyline(of.point, of_theme(&Theme::base), 7 * scale_);
      polyline(of.point, of_theme(&Theme::selection), 5 * scale_);
      polyline(of.point, ink, 1.8 * scale_);
      if (d_.has_glyphs()) marks(of, ink);
    }
    // Write the coordinates of a point that is selected alone.
    if (look_.selected.size() != 1) return;
    const PointId point = look_.selected.front().point;
    for (std::size_t axis = d_.first_; axis < d_.end_; ++axis) {
      const std::string value = with_minus_sign(short_number(model_.coordinate(point, model_.axes()[axis].dim), 4));
      const double wide = d_.width_of(value) + 0.4 * line_;
      if (wide > 0.9 * frame_.spacing) return;
      const double y = y_of(axis, point), below = y - 1.2 * line_ < frame_.top ? 0.25 : -1.25;
      label({frame_.x(axis) - wide - d_.glyph_radius(), y + below * line_, wide, line_}, value, &Theme::selection);
    }
  }

  /// Writes the least and the greatest value of each axis.
  void draw_numbers() {
    const double room = static_cast<double>(d_.stride_) * frame_.spacing;
    for (std::size_t axis = d_.first_; axis < d_.end_; ++axis) {
      if (axis % d_.stride_ != 0) continue;
      const CoordinateAxis& a = model_.axes()[axis];
      for (const bool high : {false, true}) {
        std::string value = with_minus_sign(short_number(high ? a.hi : a.lo, 4));
        if (d_.width_of(value) > room - 0.3 * line_) value = with_minus_sign(short_number(high ? a.hi : a.lo, 2));
        const double wide = d_.width_of(value), left = frame_.x(axis) - wide / 2;
        if (wide > room - 0.2 * line_ || left < d_.sight_.left || left + wide > d_.sight_.right()) continue;
        list_
            .words(frame_.x(axis), high ? frame_.y(model_.length(axis)) - 0.65 * line_ : frame_.y(0) + 0.65 * line_,
                   value, of_theme(&Theme::muted_text))
            .ground = true;
      }
    }
  }

  void draw_headings() {
    const Place& sight = d_.sight_;
    box({sight.left, sight.top, sight.width, 1.45 * line_}, of_theme(&Theme::base));
    std::vector<bool> split(model_.axes().size());
    for (const CoordinateBox& b : model_.boxes())
      if (const auto axis = b.split_dim < 0 ? std::nullopt : model_.axis_of(static_cast<std::uint32_t>(b.split_dim)))
        split[*axis] = true;
    // Draw meaningful names first, and the others if there is room.
    std::vector<Place> taken;
    for (const bool special : {true, false})
      for (std::size_t axis = d_.first_; axis < d_.end_; ++axis) {
        const bool on_axis =
            std::ranges::find(look_.axes, static_cast<int>(model_.axes()[axis].dim)) != look_.axes.end();
        const bool is_special = look_.current == axis || split[axis] || on_axis;
        if (is_special != special || (!special && axis % d_.stride_ != 0)) continue;
        const Place at = d_.heading(axis);
        if (at.left < sight.left - 0.5 || at.right() > sight.right() + 0.5) continue;
        if (std::ranges::any_of(taken, [&](const Place& other) { return other.meets(at); })) continue;
        taken.push_back(at);
        const auto ground = on_axis ? &Theme::focus : &Theme::base;
        box(at, of_theme(ground), -1, 0, at.height / 4);
        box(at, of_theme(on_axis || look_.current == axis ? &Theme::focus : &Theme::line), -1, 0, at.height / 4).width =
            look_.current == axis ? 2 : 1;
        list_.words(frame_.x(axis), at.top + at.height / 2, d_.name(axis),
                    [on_axis, ground](const Theme& t) { return on_axis ? text_on(t.*ground) : t.text; });
        if (split[axis])
          box({at.left + 4, at.bottom() + 0.1 * line_, at.width - 8, 3 * scale_}, of_theme(&Theme::new_plane));
      }
  }

  const CoordinateDrawing& d_;
  const ParallelCoordinates& model_;
  const CoordinateFrame& frame_;
  const CoordinateLook& look_;
  const double scale_, line_;
  DisplayList list_;
};

std::string split_words(const CoordinateBox& box, std::uint32_t dim) {
  return "node " + std::to_string(box.node.value) + ": " +
         coordinate_name(static_cast<std::uint32_t>(box.split_dim), dim) + " = " +
         with_minus_sign(short_number(box.split_value, 4));
}

CoordinateFrame frame_in(const ParallelCoordinates& model, const CoordinateDrawing::Place& area, double line_height) {
  const CoordinateMargins margins = coordinate_margins(line_height);
  const double gaps = static_cast<double>(model.axes().size()) - 1, room = room_for_axes(area.width, margins);
  return {area.left + margins.side + (gaps < 1 ? room / 2 : 0), gaps < 1 ? room : room / gaps, area.top + margins.top,
          std::max(10.0, area.height - margins.top - margins.bottom)};
}

DisplayList CoordinateDrawing::lines() const { return Pen(*this).lines(); }
DisplayList CoordinateDrawing::axes() const { return Pen(*this).axes(); }

}  // namespace kdscope
