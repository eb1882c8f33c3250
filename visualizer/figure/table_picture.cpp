#include "visualizer/figure/table_picture.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "algorithms/text/printable_text.hpp"
#include "visualizer/figure/cell_look.hpp"
#include "visualizer/style/axis.hpp"
#include "visualizer/style/role_line.hpp"

namespace kdscope {
namespace {

constexpr double shape_room = 3.6;  // room for a subtree's shape in a cell, in radii
constexpr double least_text = 0.4;  // of a text's usual size
constexpr double raised = 0.18;     // how far cards are lifted, in heights of a row
constexpr const char* minus_sign = "\u2212";
constexpr double gap_of_old = 0.35;   // beside an old value and a question mark, in digits: no closer
constexpr double spare_width = 0.97;  // a text does not become narrower quite in proportion: strokes snap to pixels

DisplayInk ink_of_place(const std::optional<TreePlace>& place) {
  return [place](const Theme& t) { return place ? subtree_colour(t, *place) : t.muted_text; };
}

}  // namespace

std::string shown_text(const std::string& text, bool real, bool shorter) {
  return with_minus_sign(real ? shown_real(text, shorter) : text);
}

double TablePicture::left_of(std::uint64_t column) const {
  double left = frame_.label_width;
  for (const IndexRange& range : frame_.columns) {
    if (column <= range.end || range.end == end())
      return left + (static_cast<double>(column) - static_cast<double>(range.begin)) * frame_.column_width;
    left += static_cast<double>(range.end - range.begin) * frame_.column_width + frame_.gap;
  }
  return left;
}

TablePicture::TablePicture(const ArrayTable& table, TableFrame frame, const Motion* motion, double time)
    : table_(table), frame_(std::move(frame)), time_(time) {
  const Travel* before = nullptr;
  for (std::size_t row = 1; motion && row < table.rows().size(); ++row) {
    const Travel* travel = table.rows()[row].concealed ? nullptr : motion->of(table.rows()[row].name);
    if (travel && travel == before)
      blocks_.back().end = row + 1;
    else if (travel)
      blocks_.push_back(
          {.begin = row,
           .end = row + 1,
           .flights = std::make_shared<const Flights>(*travel, IndexRange{first(), end()}, motion->backwards())});
    before = travel;
  }
}

const TablePicture::Block* TablePicture::block_of(std::size_t row) const {
  const auto found = std::ranges::find_if(blocks_, [&](const Block& b) { return row >= b.begin && row < b.end; });
  return found == blocks_.end() ? nullptr : &*found;
}

std::array<double, 4> TablePicture::place_of(std::size_t row, std::uint64_t column) const {
  const Block* block = block_of(row);
  const Flight* flight = block ? block->flights->to(column) : nullptr;
  double start = left_of(column), top = row == 0 ? 0 : top_of(row);
  if (flight && !flight->is_new) {
    const FlightMoment now = block->flights->at(*flight, time_);
    start = left_of(now), top -= raised * frame_.row_height * now.lifted;
  }
  const double left = std::round(start);
  return {left, top, std::round(start + frame_.column_width) - left, frame_.row_height};
}

double TablePicture::left_of(const FlightMoment& moment) const {
  return left_of(first()) + (moment.column - static_cast<double>(first())) * frame_.column_width;
}

/// Draws one list.
class TablePen {
 public:
  TablePen(const TablePicture& picture, const TableLook& look)
      : p_(picture), t_(picture.table_), f_(picture.frame_), look_(look), rows_(t_.rows().size()) {
    list_.width = f_.width, list_.height = f_.height;
    list_.scrolls_from = 0, list_.scrolls_right = f_.width;  // no text is moved
    for (std::size_t row = 0; row < rows_; ++row) real_.push_back(t_.is_real(row));
    list_.items.reserve(3 * rows_ * columns_in_sight());  // of most cells: ground, text and underline
  }

  DisplayList cells() {
    if (t_.column_count() == 0) {
      constexpr std::string_view words = "Nothing yet at this step.";
      list_.words(f_.width / 2, f_.height / 2, std::string(words), of_theme(&Theme::muted_text),
                  std::min(look_.labels, 0.9 * f_.width / text_width(words, 1)));
      return std::move(list_);
    }
    draw_gaps();
    for (std::size_t row = 1; row < rows_; ++row)
      if (in_sight(row)) draw_row(row);
    // While elements travel, none stands yet where outlines are
    const bool travel = !p_.blocks_.empty() && p_.time_ < 1;
    if (!travel) draw_flights();
    draw_grid();
    travel ? draw_flights() : draw_outlines();
    draw_selection();
    draw_framed();
    if (rows_ > 0) draw_row(0);  // the others are scrolled under it
    draw_roles();
    return std::move(list_);
  }

  DisplayList labels() {
    for (std::size_t row = t_.column_count() > 0 ? rows_ : 0; row-- > 0;) {
      const double top = row == 0 ? 0 : p_.top_of(row);
      if (row > 0 && !in_sight(row)) continue;
      list_.box(0, top, f_.label_width, f_.row_height, of_theme(&Theme::window));
      list_.words(f_.label_width - look_.label_gap, top + f_.row_height / 2, printable(t_.rows()[row].label),
                  of_theme(row == 0 ? &Theme::muted_text : &Theme::text), look_.labels, DisplayItem::Anchor::right);
      if (!t_.is_mostly_changed(row)) continue;
      const double room = f_.label_width - 2 * look_.label_gap,
                   wide = std::min(room, text_width(t_.rows()[row].label, 1.17 * look_.labels)), thick = underline();
      list_.box(f_.label_width - look_.label_gap - wide, top + f_.row_height - thick, wide, thick,
                of_theme(&Theme::changed));
    }
    return std::move(list_);
  }

 private:
  bool in_sight(std::size_t row) const {
    return p_.top_of(row) < f_.height && p_.top_of(row) + f_.row_height > f_.row_height;
  }
  double underline() const { return std::max(2.0, f_.row_height / 11); }
  double grid_line() const { return std::max(1.0, std::floor(look_.scale)); }
  /// The width of a pivot's outline, which leaves the digits and the underlines uncovered.
  double pivot_line() const { return std::min({1.5 * look_.outline, f_.column_width / 12, f_.row_height / 8}); }
  double width_of(std::string_view text, bool bold) const {
    return look_.width_of ? look_.width_of(text, bold) : text_width(text, 1.17 * look_.digits, bold);
  }
  /// Calls `act` with each column in sight.
  template <class Act>
  void each_column(Act&& act) const {
    for (const IndexRange& range : f_.columns)
      for (std::uint64_t column = range.begin; column < range.end; ++column) act(column);
  }

  /// Draws the cells of a row that stand still.
  void draw_row(std::size_t row) {
    const TablePicture::Block* block = p_.block_of(row);
    auto id = static_cast<std::uint32_t>(row) * columns_in_sight();
    each_column([&](std::uint64_t column) {
      if (!(block && block->flights->to(column))) draw_cell(p_.place_of(row, column), row, column, id);
      ++id;
    });
  }
  void draw_gaps() {
    for (std::size_t row = 0; row < rows_; ++row)
      for (std::size_t range = 1; range < f_.columns.size(); ++range)
        list_.words(p_.left_of(f_.columns[range].begin) - f_.gap / 2, p_.top_of(row) + f_.row_height / 2, "\u2026",
                    of_theme(&Theme::muted_text), look_.digits);
  }
  std::uint32_t columns_in_sight() const {
    std::uint64_t count = 0;
    for (const IndexRange& range : f_.columns) count += range.end - range.begin;
    return static_cast<std::uint32_t>(count);
  }

  /// `moves`: an element on its way, which covers what is drawn below.
  void draw_cell(const std::array<double, 4>& at, std::size_t row, std::uint64_t column, std::uint32_t id,
                 bool moves = false) {
    const auto [left, top, width, height] = at;
    const bool is_index = row == 0, concealed = t_.rows()[row].concealed;
    const TableCell cell = t_.cell(row, column);
    const bool marked = cell.changed && !t_.is_mostly_changed(row);
    CellState state{cell.place, cell.settled, marked, is_index};
    if (cell.node && look_.growth.under_way())
      if (const NodeId parent = t_.parent_of(*cell.node); (state.growth = look_.growth.of(parent)) < 1)
        state.parent = t_.place_of_node(parent);
    const bool enters = cell.changed && look_.growth.under_way() && t_.compares_steps();
    const double in = enters ? look_.growth.of_all() : 1;
    // Others have the ground of the picture.
    if (moves || state.place || state.changed || is_index || (look_.ids && !cell.text.empty())) {
      DisplayItem& ground =
          list_.box(left, top, width, height, [state](const Theme& t) { return look_of(t, state).ground; });
      if (look_.ids) ground.id = id;
    }
    if (is_index && cell.segment && look_.segments) {  // one strip per segment: a click on the index selects it
      const double thick = std::max(3.0, f_.row_height / 8), gap = std::min(width / 4, 1.2 * thick);
      const double from = cell.segment_first ? gap : 0, to = width - (cell.segment_last ? gap : 0);
      list_.box(left + from, top + height - thick, to - from, thick, ink_of_place(cell.place));
    }
    if (cell.violating) {
      const double line = std::max(2.0, f_.row_height / 16), arm = std::min(width, height) * 0.11;
      if (!is_index)
        list_.box(left + line / 2 + 1, top + line / 2 + 1, width - line - 1, height - line - 1,
                  of_theme(&Theme::failed), line);
      list_.cross(left + width - arm - 2 * line, top + arm + 2 * line, arm);
    }
    if (cell.text.empty()) return;
    // The subtree's shape stands once per column, beside its number.
    const double side = height * 0.16;
    const bool wears_shape =
        is_index && cell.place && f_.column_width > std::min(8 * side, widest_index_ + shape_room * side);
    if (marked && !is_index) {  // below the text: a p reaches down to it
      const double thick = underline(), inset = std::min(width * 0.18, f_.row_height * 0.6);
      list_
          .box(left + inset, top + height - thick - (cell.pivot ? pivot_line() : grid_line()), width - 2 * inset, thick,
               of_theme(&Theme::changed))
          .opacity = in;
    }
    // Column widths come from samples. Draw an occasional longer number smaller instead of cutting it, with room on
    // both sides: neighbours must not touch, and a minus sign must stay clear of the shape.
    const bool bold = marked && !is_index;
    double size = is_index ? look_.indices : look_.digits;
    const bool had_text = moves || (look_.growth.from_old && !cell.old_text.empty()),
               is_old = in < 0.5 && had_text && !moves;
    std::string text = shown_text(is_old ? cell.old_text : cell.text, real_[row], look_.shortened);
    if (concealed && !cell.old_text.empty() && shows_old(row)) text = with_old(cell, row);
    const double share = size / look_.digits, needed = share * width_of(text, bold),
                 gap = look_.side_gap * share * (bold ? bold_digit_ : digit_);
    const bool beside_shape = wears_shape && needed > width - 2 * shape_room * side;
    const double from = left + (beside_shape ? shape_room * side : gap), to = left + width - gap;
    if (needed > to - from) size *= std::max(least_text, spare_width * (to - from) / needed);
    if (wears_shape)
      list_.add(
          {.shape = DisplayItem::Shape::marks,
           .at = {std::max(left + 2 * side, (from + to - needed) / 2 - (shape_room - 1) * side), top + height / 2},
           .ink = of_theme(&Theme::text),
           .size = side,
           .cells = {[place = *cell.place](const Theme& t) { return mix(subtree_colour(t, place), t.text, 0.25); }},
           .glyphs = {subtree_glyph(*cell.place)}});
    const bool is_blue = concealed && !state.place;
    double middle = (from + to) / 2;
    if (real_[row] && !concealed && !is_index && needed < to - from)  // within a card that narrows
      middle = std::clamp(middle + shift_to_point(row, column, text, bold ? bold_digit_ : digit_), from + needed / 2,
                          to - needed / 2);
    DisplayItem& words = list_.words(
        middle, top + height / 2, std::move(text),
        [state, is_blue](const Theme& t) { return is_blue ? t.focus : look_of(t, state).ink; }, size);
    words.bold = bold;
    if (enters && !moves)
      words.opacity = had_text ? std::abs(2 * in - 1) : in;  // the old one fades, then the new one appears
  }

  /// What stands before the decimal point of a number and from there on, in digits.
  struct Parts {
    double left = 0, right = 0;
  };
  static std::optional<Parts> parts_of(std::string_view text) {
    const bool negative = text.starts_with(minus_sign);
    if (negative) text.remove_prefix(std::string_view(minus_sign).size());
    const std::size_t point = std::min(text.find_first_not_of("0123456789"), text.size());
    if (point == 0 || (point < text.size() && text[point] != '.' && text[point] != 'e')) return std::nullopt;
    constexpr double narrower = 0.5;  // the point
    return Parts{static_cast<double>(point + negative),
                 std::max(0.0, static_cast<double>(text.size() - point) - narrower)};
  }
  /// By how much a number is moved from the middle of its cell, so that its decimal point stands below those of the
  /// other components of its array, and all of them together in the middle. Numbers that have no room for that, and
  /// those of other arrays, stand in the middle each.
  double shift_to_point(std::size_t row, std::uint64_t column, std::string_view text, double digit) {
    const auto& rows = t_.rows();
    const auto is_here = [&](std::size_t other) { return other < rows_ && rows[other].name == rows[row].name; };
    std::size_t first = row;
    while (first > 1 && is_here(first - 1)) --first;
    const auto [found, is_new] = widest_.try_emplace({first, column});
    Parts& widest = found->second;
    for (std::size_t each = first; is_new && is_here(each); ++each)
      if (const auto parts = parts_of(shown_text(t_.cell(each, column).text, true, look_.shortened))) {
        widest.left = std::max(widest.left, parts->left);
        widest.right = std::max(widest.right, parts->right);
      }
    const auto own = parts_of(text);
    const double room = f_.column_width - 2 * look_.side_gap * bold_digit_;
    if (!own || (widest.left + widest.right) * bold_digit_ > room) return 0;
    return (widest.left - widest.right) / 2 * digit_ + (own->right - own->left) / 2 * digit;
  }

  /// The question's input, and that it is asked for.
  std::string with_old(const TableCell& cell, std::size_t row) const {
    return shown_text(cell.old_text, real_[row], look_.shortened) + " \u2192 " +
           shown_text(cell.text, real_[row], look_.shortened);
  }
  /// Whether each cell of a concealed row has room for both: where one of them lacked its input, it would seem to have
  /// had none.
  bool shows_old(std::size_t row) {
    if (old_fits_.empty()) old_fits_.resize(rows_);
    if (!old_fits_[row]) {
      const double room = f_.column_width - 2 * gap_of_old * digit_;
      bool fits = true;
      each_column([&](std::uint64_t column) {
        const TableCell cell = t_.cell(row, column);
        fits = fits && (cell.old_text.empty() || width_of(with_old(cell, row), false) <= room);
      });
      old_fits_[row] = fits;
    }
    return *old_fits_[row];
  }

  void draw_grid() {
    if (rows_ < 2) return;
    const DisplayInk thin = [](const Theme& t) { return mix(t.line, t.base, 0.35); };
    const double width = grid_line(), top = f_.row_height, bottom = p_.top_of(rows_);
    for (const IndexRange& range : f_.columns)
      for (std::uint64_t column = range.begin; column <= range.end; ++column) {
        const double x = column == range.end ? p_.left_of(column - 1) + f_.column_width : p_.left_of(column);
        list_.line({x, top, x, bottom}, thin, width);
      }
    for (std::size_t row = 1; row <= rows_; ++row) {
      // Separate the rows of different dimensions by a stronger line.
      const bool group =
          row > 1 && row < rows_ && t_.has_orders() && t_.rows()[row].dimension != t_.rows()[row - 1].dimension;
      if (const double y = p_.top_of(row); y >= top && y <= f_.height)
        list_.line({f_.label_width, y, p_.left_of(p_.end()), y}, group ? of_theme(&Theme::muted_text) : thin,
                   group ? 2 * width : width);
    }
  }

  /// Draws what spans rows: lines between segments, and outlines of pivots, in each order where the pivot stands in it.
  void draw_outlines() {
    if (rows_ < 2) return;
    const double top = f_.row_height, bottom = p_.top_of(rows_);
    each_column([&](std::uint64_t column) {
      const TableCell cell = t_.cell(1, column);
      const double left = p_.left_of(column);
      if (cell.segment_first && column > 0 && look_.segments)
        list_.line({left, top, left, bottom}, of_theme(&Theme::text), 2 * look_.scale);
      const double width = pivot_line();
      // Where orders differ, an outline explains nothing unless a row of the column names the pivot
      const auto names_point = [&](std::size_t row) {
        const auto point = t_.point_at(row, column);
        for (std::size_t other = 1; point && other < rows_; ++other)
          if (t_.rows()[other].value_space == Space::point && t_.number(other, column) == point->value) return true;
        return false;
      };
      const auto is_pivot = [&](std::size_t row) {
        return t_.has_orders() ? t_.is_pivot(row, column) && names_point(row) : t_.is_pivot(1, column);
      };
      for (std::size_t row = 1, next; row < rows_; row = next) {
        for (next = row + 1; next < rows_ && is_pivot(next) == is_pivot(row); ++next) {
        }
        const double from = std::max(top, p_.top_of(row)), to = p_.top_of(next);
        if (is_pivot(row) && from < to)
          list_.box(left + width / 2, from + width / 2, f_.column_width - width, to - from - width,
                    of_theme(&Theme::pivot), width);
      }
    });
  }

  /// Frames the selected columns. One frame spans all adjacent rows that select the same columns.
  void draw_selection() {
    if (look_.selected.empty()) return;
    const bool by_row = look_.selected.size() > 1;
    const auto selected = [&](std::size_t row) -> const std::vector<IndexRange>& {
      return look_.selected[std::min(row, look_.selected.size() - 1)];
    };
    const double width = 2 * look_.outline, inside = by_row ? 0.5 * width : 0;
    for (std::size_t row = 1, next; row < rows_; row = next) {
      const std::vector<IndexRange>& columns = selected(row);
      for (next = row + 1; next < rows_ && (!by_row || selected(next) == columns); ++next) {
      }
      auto range = std::ranges::partition_point(columns, [&](const IndexRange& r) { return r.end <= p_.first(); });
      for (; range != columns.end() && range->begin < p_.end(); ++range) {
        const double left = p_.left_of(std::max(range->begin, p_.first())),
                     right = p_.left_of(std::min(range->end, p_.end()));
        list_.box(left, p_.top_of(row) + inside, right - left, p_.top_of(next) - p_.top_of(row) - 2 * inside,
                  of_theme(&Theme::selection), width);
      }
    }
  }

  void draw_framed() {
    const std::uint64_t column = look_.framed_column;
    if (look_.framed_row == 0 || look_.framed_row >= rows_ || column < p_.first() || column >= p_.end()) return;
    const double line = std::min(2.2 * look_.outline, f_.row_height / 8);  // leaves the digits uncovered
    for (const auto& [ink, width] : {std::pair{&Theme::base, 1.8 * line}, std::pair{&Theme::changed, line}})
      list_.box(p_.left_of(column), p_.top_of(look_.framed_row), f_.column_width, f_.row_height, of_theme(ink), width);
  }

  /// Draws the elements that are on their way, with the values and colours of this step: first those that move aside,
  /// then those that are lifted above them.
  void draw_flights() {
    for (const TablePicture::Block& block : p_.blocks_)
      for (const Flight& flight : block.flights->all()) {
        const FlightMoment now = block.flights->at(flight, p_.time_);
        if (flight.is_new && now.lifted > 0) continue;
        draw_card(block, flight.column, now.lifted);
      }
  }

  /// Draws an element's values in all rows of a block. What is lifted is as wide as its texts, so that it covers
  /// little.
  void draw_card(const TablePicture::Block& block, std::uint64_t column, double lifted) {
    std::size_t begin = block.begin, end = block.end;
    while (begin < end && !in_sight(begin)) ++begin;
    while (begin < end && !in_sight(end - 1)) --end;
    if (begin == end) return;
    double text = 0;
    for (std::size_t row = block.begin; row < block.end; ++row)
      text = std::max(text, width_of(shown_text(t_.cell(row, column).text, real_[row], look_.shortened), true));
    const std::array<double, 4> cell = p_.place_of(begin, column);
    const double width = std::round(std::lerp(cell[2], std::min(cell[2], text + 2 * bold_digit_), lifted)),
                 left = std::round(cell[0] + (cell[2] - width) / 2),
                 height = static_cast<double>(end - begin) * f_.row_height;
    const auto frame = [&](double away, double line, DisplayInk ink) -> DisplayItem& {
      return list_.box(left + away, cell[1] + away, width, height, std::move(ink), line);
    };
    if (lifted > 0)
      frame(4 * look_.scale * lifted, 0, [](const Theme&) { return Rgb{0, 0, 0}; }).opacity = 0.3 * lifted;
    for (std::size_t row = begin; row < end; ++row)
      draw_cell({left, p_.place_of(row, column)[1], width, f_.row_height}, row, column, 0, true);
    if (lifted > 0) frame(0, grid_line(), of_theme(&Theme::text)).opacity = lifted;
  }

  /// Draws a line above the index of each column that the step reads, writes or compares: once, not in every row.
  void draw_roles() {
    const double thick = std::max(2.0, f_.row_height / 18), gap = std::min(f_.column_width / 6, 3 * thick);
    double foot = role_line_height * thick;  // a second role stands below the first
    for (const Role role : {Role::compare, Role::write, Role::read}) {
      const std::span<const IndexRange> columns = t_.columns_with(role);
      for (const IndexRange& sight : f_.columns)
        for (const IndexRange& r : columns) {
          if (r.end <= sight.begin || r.begin >= sight.end) continue;
          const double end = p_.left_of(std::min(r.end, sight.end) - 1) + f_.column_width;
          const double left = r.begin < sight.begin ? p_.left_of(sight.begin) : p_.left_of(r.begin) + gap,
                       right = r.end > sight.end ? end : end - gap;
          for (const Stroke& stroke : role_line(role, right - left, thick))
            list_.box(left + stroke.x0, foot - thick - stroke.up, stroke.x1 - stroke.x0, thick,
                      [role](const Theme& t) { return role_colour(t, role); });
        }
      if (!columns.empty()) foot += 2 * thick;
    }
  }

  const TablePicture& p_;
  const ArrayTable& t_;
  const TableFrame& f_;
  const TableLook& look_;
  const std::size_t rows_;
  const double digit_ = width_of("0", false), bold_digit_ = width_of("0", true);
  /// Of all columns, with the gap behind it: either each of them has its shape or none.
  const double widest_index_ =
      look_.indices / look_.digits *
      (width_of(std::to_string(std::max<std::uint64_t>(1, t_.column_count()) - 1), false) + look_.side_gap * digit_);
  std::vector<bool> real_;                                         // rows of fractional numbers
  std::vector<std::optional<bool>> old_fits_;                      // of each row, once asked for
  std::map<std::pair<std::size_t, std::uint64_t>, Parts> widest_;  // of an array from its first row on, in a column
  DisplayList list_;
};

DisplayList TablePicture::cells(const TableLook& look) const { return TablePen(*this, look).cells(); }
DisplayList TablePicture::labels(const TableLook& look) const { return TablePen(*this, look).labels(); }

}  // namespace kdscope
