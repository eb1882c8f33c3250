#include "visualizer/figure/count_picture.hpp"

#include <algorithm>
#include <cmath>

#include "algorithms/text/numbers.hpp"
#include "algorithms/text/printable_text.hpp"
#include "visualizer/style/axis.hpp"

namespace kdscope {
namespace {

constexpr std::size_t most_framed_cells = 5000;

/// Returns n such that every n-th label can be written without touching the next one.
std::uint64_t stride_for(double needed, double room) {
  std::uint64_t stride = 1;
  for (const double factor : {2.0, 2.5, 2.0})
    if (static_cast<double>(stride) * room < needed)
      stride = static_cast<std::uint64_t>(std::lround(static_cast<double>(stride) * factor));
  while (static_cast<double>(stride) * room < needed) stride *= 10;
  return stride;
}

}  // namespace

std::uint64_t CountPicture::slot_at(double x) const {
  std::uint64_t low = 0, high = counts_.slot_count();
  while (low < high) {
    const std::uint64_t middle = low + (high - low) / 2;
    if (left_of(middle) + frame_.cell_width <= x)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

std::optional<std::uint64_t> CountPicture::cell_at(double x, double y) const {
  if (x < frame_.label_width || y < frame_.head_height) return std::nullopt;
  const std::uint64_t slot = slot_at(x);
  const double row = (y - top_of(0)) / frame_.cell_height;
  if (slot >= counts_.slot_count() || left_of(slot) > x || row < 0 || row >= static_cast<double>(counts_.row_count()))
    return std::nullopt;
  const std::uint64_t layer = counts_.layer_of_slot(slot);
  return counts_.flat({layer, static_cast<std::uint64_t>(row), slot - counts_.first_slot(layer)});
}

std::array<double, 4> CountPicture::place_of(std::uint64_t flat) const {
  const CountCell cell = counts_.cell(flat);
  const double x = left_of(counts_.first_slot(cell.layer) + cell.column);
  const double left = std::round(x), top = std::round(top_of(cell.row));
  return {left, top, std::round(x + frame_.cell_width) - left, std::round(top_of(cell.row + 1)) - top};
}

std::string CountPicture::words_of(std::uint64_t flat) const {
  const CountCell cell = counts_.cell(flat);
  if (counts_.is_histogram())
    return printable(counts_.columns().name) + " " + std::to_string(flat) + ", " + ends_of_bins_label + " " +
           with_minus_sign(short_number(counts_.end_of_bin(flat), 4));
  const std::string words = printable(counts_.rows().name) + " " + std::to_string(counts_.first_row() + cell.row) +
                            ", " + printable(counts_.columns().name) + " " +
                            std::to_string(counts_.first_column(cell.layer) + cell.column);
  return counts_.has_layers() ? printable(counts_.layers().name) + " " + std::to_string(cell.layer) + ", " + words
                              : words;
}

/// Draws one picture.
class CountPen {
 public:
  CountPen(const CountPicture& picture, const CountLook& look)
      : p_(picture), c_(picture.counts_), f_(picture.frame_), look_(look) {
    list_.width = f_.width, list_.height = f_.height;
    first_ = p_.slot_at(f_.label_width);
    end_ = std::min({p_.slot_at(f_.width) + 1, c_.slot_count(), f_.most_slots});
    first_row_ = static_cast<std::uint64_t>(std::max(0.0, (f_.head_height - p_.top_of(0)) / f_.cell_height));
    end_row_ = std::min(
        c_.row_count(),
        first_row_ + static_cast<std::uint64_t>(std::max(0.0, f_.height - f_.head_height) / f_.cell_height) + 2);
  }

  DisplayList draw() {
    if (first_ < end_ && c_.is_histogram()) {
      draw_bars();
      draw_frames();
    } else if (first_ < end_) {
      draw_cells();
      for (std::uint64_t layer = c_.layer_of_slot(first_); layer <= c_.layer_of_slot(end_ - 1); ++layer)
        draw_sheet(layer);
      draw_frames();
    }
    draw_heads();
    draw_row_labels();
    return std::move(list_);
  }

 private:
  using Item = DisplayItem;
  using Shape = DisplayItem::Shape;

  double width_of(std::string_view text) const {
    return look_.width_of ? look_.width_of(text) : text_width(text, look_.line);
  }
  std::uint64_t flat_of(std::uint64_t layer, std::uint64_t row, std::uint64_t slot) const {
    return c_.flat({layer, row, slot - c_.first_slot(layer)});
  }
  /// The share of its way to its value that a count has come.
  double grown(std::uint64_t flat) const {
    return look_.growth.under_way() && look_.changed && look_.changed(flat) ? look_.growth.of_all() : 1;
  }
  double value_of(std::uint64_t flat) const {
    if (look_.hidden) return 0;
    const double share = grown(flat), value = c_.value(flat);
    return share == 1 ? value : std::lerp(look_.old ? look_.old->value(flat) : 0, value, share);
  }
  std::string text_of(std::uint64_t flat) const {
    if (look_.hidden) return "?";
    return grown(flat) >= 0.5 ? c_.text(flat) : look_.old ? look_.old->text(flat) : std::string();
  }
  DisplayInk number_ink(Rgb Theme::*usual) const { return of_theme(look_.hidden ? &Theme::focus : usual); }
  /// The ground of a cell; none where nothing is counted.
  DisplayInk ground_of(double value) const {
    if (!(value > 0)) return {};
    return [colour = ramp(value / look_.largest)](const Theme&) { return colour; };
  }

  void draw_cells() {
    for (std::uint64_t layer = c_.layer_of_slot(first_); layer <= c_.layer_of_slot(end_ - 1); ++layer) {
      const std::uint64_t from = std::max(first_, c_.first_slot(layer)), to = std::min(end_, c_.first_slot(layer + 1));
      for (std::uint64_t row = first_row_; row < end_row_; ++row) {
        // Cells without numbers are one item per row, because there may be many.
        if (!look_.numbers) {
          Item cells{
              .shape = Shape::cells,
              .at = {p_.left_of(from), std::round(p_.top_of(row)), static_cast<double>(to - from) * f_.cell_width,
                     std::round(p_.top_of(row + 1)) - std::round(p_.top_of(row))}};
          for (std::uint64_t slot = from; slot < to; ++slot)
            cells.cells.push_back(ground_of(value_of(flat_of(layer, row, slot))));
          list_.add(std::move(cells));
        }
        for (std::uint64_t slot = from; slot < to; ++slot)
          if (look_.numbers || look_.changed) draw_cell(flat_of(layer, row, slot));
      }
    }
  }

  /// The axis of a histogram, from 0 to the largest count or above, with room for digits on the tallest bar.
  PlotAxis axis() const {
    PlotAxis axis = PlotAxis::over(0, std::max(1.0, look_.largest), false, true);
    axis.begin = std::round(p_.top_of(1)), axis.end = p_.top_of(0) + 1.3 * look_.line;
    return axis;
  }

  void draw_bars() {
    const PlotAxis axis = this->axis();
    const double right = p_.left_of(end_ - 1) + f_.cell_width;
    for (const double tick : look_.hidden ? std::vector<double>() : axis.ticks())
      list_.line({f_.label_width, std::round(axis(tick)), right, std::round(axis(tick))}, of_theme(&Theme::line), 1);
    for (std::uint64_t bin = first_; bin < end_; ++bin) {
      const auto [left, top, width, height] = p_.place_of(bin);
      const double inset = std::round(0.12 * width), bar = std::round(axis(value_of(bin)));
      list_.box(left, top, width, height, of_theme(&Theme::base)).opacity = 0;
      list_.items.back().id = static_cast<std::uint32_t>(bin);
      if (bar < axis.begin) list_.box(left + inset, bar, width - 2 * inset, axis.begin - bar, of_theme(&Theme::focus));
      draw_change(bin, {left, top, width, height});
      if (look_.numbers)
        list_.words(left + width / 2, bar - 0.6 * look_.line, text_of(bin), number_ink(&Theme::text), look_.small)
            .bold = true;
    }
    list_.line({f_.label_width, axis.begin, right, axis.begin}, of_theme(&Theme::axis), 1.5);
  }

  /// Draws an underline, on a rim that sets it off from any colour of the cell.
  void draw_change(std::uint64_t flat, const std::array<double, 4>& place) {
    const auto [left, top, width, height] = place;
    if (!look_.changed || !look_.changed(flat) || height < 3) return;
    const double thick = std::clamp(f_.cell_height / 9, 1.0, 4.0), inset = std::min(width * 0.18, 6.0);
    const double x = left + inset, y = top + height - 2 * thick, wide = width - 2 * inset;
    if (thick >= 2) list_.box(x - 1, y - 1, wide + 2, thick + 2, of_theme(&Theme::base));
    list_.box(x, y, wide, thick, of_theme(&Theme::changed));
  }

  void draw_cell(std::uint64_t flat) {
    const auto [left, top, width, height] = p_.place_of(flat);
    const DisplayInk ground = ground_of(value_of(flat));
    if (look_.numbers)
      list_.box(left, top, width, height, ground ? ground : of_theme(&Theme::base)).id =
          static_cast<std::uint32_t>(flat);
    draw_change(flat, {left, top, width, height});
    if (look_.numbers)
      list_.words(
          left + width / 2, top + height / 2, text_of(flat),
          ground ? DisplayInk([ground](const Theme& t) { return text_on(ground(t)); }) : number_ink(&Theme::muted_text),
          0);
  }

  /// Draws a rim around a sheet, and lines between cells that are large enough not to be hidden by them.
  void draw_sheet(std::uint64_t layer) {
    const double left = std::round(p_.left_of(c_.first_slot(layer))), right = std::round(right_of(layer)),
                 top = std::round(p_.top_of(0)), bottom = std::round(p_.top_of(c_.row_count()));
    const DisplayInk thin = [](const Theme& t) { return mix(t.line, t.base, 0.2); };
    if (std::min(f_.cell_width, f_.cell_height) >= 9) {
      for (std::uint64_t slot = c_.first_slot(layer) + 1; slot < c_.first_slot(layer + 1); ++slot)
        if (const double x = std::round(p_.left_of(slot)); slot >= first_ && slot <= end_)
          list_.line({x, top, x, bottom}, thin, 1);
      for (std::uint64_t row = first_row_; row < end_row_; ++row) {
        const double y = std::round(p_.top_of(row));
        list_.line({left, y, right, y}, thin, 1);
      }
    }
    list_.box(left, top, right - left, bottom - top, of_theme(&Theme::axis), f_.gap >= 4 ? 1.5 : 1);
  }
  double right_of(std::uint64_t layer) const { return p_.left_of(c_.first_slot(layer + 1) - 1) + f_.cell_width; }

  void draw_frames() {
    const auto frame = [&](std::uint64_t flat, Rgb Theme::*colour, double width, double out) {
      const auto [left, top, wide, high] = p_.place_of(flat);
      list_.box(left - out, top - out, wide + 2 * out, high + 2 * out, of_theme(colour), width);
    };
    for (const std::uint64_t flat : look_.marked.first(std::min(look_.marked.size(), most_framed_cells))) {
      if (!in_sight(flat)) continue;
      const double thick = std::clamp(look_.outline, 1.0, std::max(2.0, p_.place_of(flat)[2] / 3));
      frame(flat, &Theme::base, thick + 2, 0);
      frame(flat, &Theme::selection, thick, 0);
    }
    if (look_.framed && *look_.framed < c_.size() && in_sight(*look_.framed))
      frame(*look_.framed, &Theme::changed, std::max(2.0, look_.outline), look_.outline);
  }
  bool in_sight(std::uint64_t flat) const {
    if (flat >= c_.size()) return false;
    const CountCell cell = c_.cell(flat);
    const std::uint64_t slot = c_.first_slot(cell.layer) + cell.column;
    return slot >= first_ && slot < end_ && cell.row >= first_row_ && cell.row < end_row_;
  }

  /// Draws above each sheet the number of its layer, in the colour of its subtree, and the indices of its columns.
  void draw_heads() {
    const double line = look_.line;
    list_.box(0, 0, f_.width, f_.head_height, of_theme(&Theme::base));
    if (first_ >= end_) return;
    const double number_width = width_of(std::to_string(c_.columns().size)) + 0.5 * line;
    const std::uint64_t stride = stride_for(number_width, f_.cell_width);
    for (std::uint64_t slot = first_; slot < end_; ++slot) {
      const std::uint64_t layer = c_.layer_of_slot(slot), column = c_.first_column(layer) + slot - c_.first_slot(layer);
      // Skip labels where they would run into one another: on sheets narrower than a number.
      const double sheet = right_of(layer) - p_.left_of(c_.first_slot(layer));
      if (column % stride != 0 || (stride > 1 && sheet < number_width)) continue;
      list_.words(p_.left_of(slot) + f_.cell_width / 2, f_.head_height - 0.6 * line, std::to_string(column),
                  of_theme(&Theme::muted_text), look_.small);
      if (!c_.is_histogram() || look_.hidden) continue;
      const std::string end = with_minus_sign(short_number(c_.end_of_bin(slot), 4));
      if (width_of(end) + 4 <= static_cast<double>(stride) * f_.cell_width)
        list_.words(p_.left_of(slot) + f_.cell_width / 2, 0.6 * line, end, of_theme(&Theme::text), look_.small);
    }
    for (std::uint64_t layer = c_.layer_of_slot(first_); c_.has_layers() && layer <= c_.layer_of_slot(end_ - 1);
         ++layer) {
      const double left = p_.left_of(c_.first_slot(layer)), right = right_of(layer);
      const bool known = layer < look_.layers.size() && look_.layers[layer];
      const DisplayInk ground = [place = known ? look_.layers[layer] : std::nullopt](const Theme& t) {
        return place ? cell_ground(t, subtree_colour(t, *place), false) : t.button;
      };
      list_.box(left, 0.08 * line, right - left, 1.15 * line, ground);
      const double from = std::max(left, f_.label_width), to = std::min(right, f_.width);
      const std::string number = std::to_string(layer);
      for (const std::string& name : {printable(c_.layers().name) + " " + number, number}) {
        if (width_of(name) + 4 > to - from) continue;
        list_.words((from + to) / 2, 0.655 * line, name, [ground](const Theme& t) { return text_on(ground(t)); },
                    look_.small);
        break;
      }
    }
  }

  void draw_row_labels() {
    const double line = look_.line, right = f_.label_width - 0.35 * line;
    list_.box(0, 0, f_.label_width, f_.height, of_theme(&Theme::base));
    const auto number_row = [&](double y, const std::string& number) {
      if (y >= f_.head_height && y <= f_.height + line)
        list_.words(right, y, number, of_theme(&Theme::muted_text), look_.small, Item::Anchor::right);
    };
    if (c_.is_histogram()) {
      double free_below = f_.height + line;
      for (const double tick : look_.hidden ? std::vector<double>() : axis().ticks())
        if (const double y = axis()(tick); y <= free_below) number_row(y, short_number(tick)), free_below = y - line;
    }
    const std::uint64_t stride = stride_for(line, f_.cell_height);
    for (std::uint64_t row = c_.is_histogram() ? end_row_ : first_row_ / stride * stride; row < end_row_; row += stride)
      number_row(p_.top_of(row) + f_.cell_height / 2, std::to_string(c_.first_row() + row));
    list_.box(0, 0, f_.label_width, f_.head_height, of_theme(&Theme::base));
    list_.words(
        right, 0.6 * line,
        c_.is_histogram() ? look_.hidden ? std::string() : ends_of_bins_label : printable(c_.rows().name) + " \u2193",
        of_theme(&Theme::text), look_.small, Item::Anchor::right);
    list_.words(right, f_.head_height - 0.55 * line, printable(c_.columns().name) + " \u2192", of_theme(&Theme::text),
                look_.small, Item::Anchor::right);
  }

  const CountPicture& p_;
  const CountArray& c_;
  const CountFrame& f_;
  const CountLook& look_;
  std::uint64_t first_ = 0, end_ = 0, first_row_ = 0, end_row_ = 0;
  DisplayList list_;
};

DisplayList CountPicture::draw(const CountLook& look) const { return CountPen(*this, look).draw(); }

}  // namespace kdscope
