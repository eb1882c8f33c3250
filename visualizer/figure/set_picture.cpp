#include "visualizer/figure/set_picture.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "algorithms/trace/coordinate_names.hpp"
#include "algorithms/trace/element_name.hpp"
#include "visualizer/model/trace_lookup.hpp"

namespace kdscope {

std::vector<SetRow> set_rows(const Cursor& cursor, const NodeCandidates& node, std::optional<std::size_t> at) {
  const std::uint32_t dims = cursor.trace().header.dim;
  const DisplayInk plain = [](const Theme& t) { return mix(t.text, t.base, 0.35); };
  const auto ink_of = [&](std::uint32_t of) -> DisplayInk {
    return
        [place = place_of(cursor, NodeId{of})](const Theme& t) { return mix(subtree_colour(t, place), t.text, 0.15); };
  };
  const auto where = [&](std::size_t candidate) {
    return coordinate_name(node.tried[candidate].dim, dims) + " = " + node.position_text(candidate);
  };
  std::vector<SetRow> rows;
  const SetRow own{
      .label = "s of node " + std::to_string(node.node.value), .mask = node.set, .ink = ink_of(node.node.value)};
  rows.push_back(own);
  if (at) {
    const bool split = node.chosen == *at;
    const auto add_side = [&](const std::string& side, std::uint64_t mask, std::uint32_t child) {
      const bool has_child = split && child != no_id;
      rows.push_back({.label = side + " of " + where(*at), .mask = mask, .within = node.set, .ink = plain});
      rows.push_back({.label = "s AND " + side + (has_child ? ": node " + std::to_string(child) : ""),
                      .mask = node.set & mask,
                      .ink = has_child ? ink_of(child) : plain,
                      .strong = true});
    };
    add_side("left", node.tried[*at].left, node.left_child);
    rows.push_back(own);
    rows.back().gap_above = 0.6;
    add_side("right", node.tried[*at].right, node.right_child);
  }
  for (std::size_t i = 0; i < node.tried.size(); ++i)
    for (const bool left : {true, false})
      rows.push_back({.label = (left ? "left of " : "right of ") + where(i),
                      .mask = left ? node.tried[i].left : node.tried[i].right,
                      .within = node.set,
                      .ink = plain,
                      .gap_above = !left    ? 0
                                   : i == 0 ? 1.0
                                            : 0.25,
                      .candidate = i});
  return rows;
}

/// Fits all columns into the width if their cells can still be distinguished.
SetPicture::SetPicture(const std::vector<SetRow>& rows, std::span<const std::uint32_t> primitives, const Space& space,
                       const SetRoom& room)
    : rows_(rows), primitives_(primitives), space_(space), room_(room) {
  const double em = room.line_height;
  for (const SetRow& row : rows_) label_width_ = std::max(label_width_, width_of(row.label));
  label_width_ += 0.9 * em;
  count_width_ = width_of("64") + 0.8 * em;
  row_height_ = 1.3 * em;
  head_height_ = 1.5 * em;
  const auto columns = static_cast<double>(std::max<std::size_t>(1, primitives_.size()));
  const double widest = std::max(1.1 * row_height_, width_of("00000"));
  if (room_.width == 0) room_.width = label_width_ + columns * std::min(widest, 2 * em) + count_width_;
  cell_ = std::clamp((room_.width - label_width_ - count_width_) / columns, std::max(5.0, 0.4 * em), widest);
  tops_.assign(1, 0.2 * em);
  for (const SetRow& row : rows_) {
    tops_.back() += row.gap_above * row_height_;
    tops_.push_back(tops_.back() + row_height_);
  }
  if (room_.height == 0) room_.height = head_height_ + tops_.back() + 0.4 * em;  // for the frame of a column
}

double SetPicture::most_x() const {
  const double room = room_.width - label_width_ - count_width_;
  return std::max(0.0, std::ceil(static_cast<double>(primitives_.size()) * cell_ - room));
}
double SetPicture::most_y() const { return std::max(0.0, std::ceil(tops_.back() + head_height_ - room_.height)); }

double SetPicture::left_of(std::size_t column) const {
  return label_width_ + static_cast<double>(column) * cell_ - room_.scrolled_x;
}
double SetPicture::width_of(std::string_view text) const {
  return room_.width_of ? room_.width_of(text) : text_width(text, room_.line_height, true);
}
double SetPicture::bits_end() const { return std::min(left_of(primitives_.size()), room_.width - count_width_); }
bool SetPicture::in_sight(std::size_t column) const {
  return left_of(column) >= label_width_ - 1 && left_of(column + 1) <= room_.width - count_width_ + 1;
}
std::string SetPicture::kind() const { return space_ == Space::triangle ? "triangle" : "point"; }

std::optional<std::array<double, 4>> SetPicture::cell(std::size_t row, std::size_t column) const {
  if (row >= rows_.size() || column >= primitives_.size() || !in_sight(column)) return std::nullopt;
  if (top_of(row) < head_height_ - 1 || top_of(row) + row_height_ > room_.height + 1) return std::nullopt;
  return std::array{left_of(column), top_of(row), cell_, row_height_};
}

std::optional<SetPicture::Place> SetPicture::place_at(double x, double y) const {
  if (y < head_height_) return std::nullopt;
  for (std::size_t row = 0; row < rows_.size(); ++row) {
    if (y < top_of(row) || y >= top_of(row) + row_height_) continue;
    if (x < label_width_ || x >= bits_end()) return Place{row, std::nullopt};
    return Place{row, static_cast<std::size_t>((x - left_of(0)) / cell_)};
  }
  return std::nullopt;
}

std::string SetPicture::words_of(std::size_t row, std::size_t column) const {
  const bool has = rows_[row].mask >> column & 1, counts = rows_[row].within >> column & 1;
  return "bit " + std::to_string(column) + ", " + kind() + " " + element_name(space_, primitives_[column]) + ": " +
         (!has     ? "not in this set"
          : counts ? "in this set"
                   : "in this set, but not in the node's");
}

void SetPicture::draw_row(DisplayList& list, std::size_t number, std::size_t first, std::size_t end) const {
  const SetRow& row = rows_[number];
  const double middle = top_of(number) + row_height_ / 2, side = 0.82 * std::min(cell_, row_height_);
  const DisplayInk text = of_theme(&Theme::text);
  const bool marked = row.candidate && row.candidate == room_.picked;
  DisplayItem bits{.shape = DisplayItem::Shape::cells,
                   .at = {left_of(first), middle - side / 2, static_cast<double>(end - first) * cell_, side},
                   .spoken = row.label + ":"};
  for (std::size_t column = first; column < end; ++column) {
    const bool has = row.mask >> column & 1, counts = has && (row.within >> column & 1);
    bits.cells.push_back(counts ? row.ink
                         : has  ? [ink = row.ink](const Theme& t) { return mix(ink(t), t.base, 0.55); }
                                : DisplayInk([](const Theme& t) { return mix(t.line, t.base, 0.6); }));
    if (counts) bits.spoken += " " + element_name(space_, primitives_[column]);
  }
  if (first < end) list.add(std::move(bits));
  for (std::size_t column = first; column < end; ++column)
    if (const double x = left_of(column) + cell_ / 2; (row.mask & ~row.within) >> column & 1)
      list.line({x - side / 2, middle + side / 2, x + side / 2, middle - side / 2}, text, side > 7 ? 1.2 : 1);
  list.words(label_width_ - 0.4 * room_.line_height, middle, row.label, marked ? of_theme(&Theme::selection) : text, 0,
             DisplayItem::Anchor::right)
      .bold = row.strong;
  list.words(bits_end() + count_width_ / 2, middle, std::to_string(std::popcount(row.mask)), text).bold = row.strong;
}

/// Writes the ids of the primitives, as many as fit.
void SetPicture::draw_heads(DisplayList& list) const {
  const double em = room_.line_height, middle = head_height_ / 2;
  const DisplayInk muted = of_theme(&Theme::muted_text);
  list.box(0, 0, room_.width, head_height_, of_theme(&Theme::base));
  list.words(label_width_ - 0.4 * em, middle, kind(), muted, 0, DisplayItem::Anchor::right);
  list.words(bits_end() + count_width_ / 2, middle, "#", muted);
  double taken = label_width_ - 0.3 * em;
  for (std::size_t column = 0; column < primitives_.size(); ++column) {
    const std::string id = element_name(space_, primitives_[column]);
    const double x = left_of(column) + cell_ / 2, half = width_of(id) / 2 + 1;
    if (x - half < taken || x + half > room_.width - count_width_ + 2) continue;
    list.words(x, middle, id, std::ranges::count(room_.selected, column) ? of_theme(&Theme::selection) : muted);
    taken = x + half + 0.25 * em;
  }
}

DisplayList SetPicture::draw() const {
  DisplayList list;
  list.width = room_.width, list.height = room_.height;
  if (rows_.empty()) return list;
  std::size_t first = 0, end = primitives_.size();
  while (first < end && !in_sight(first)) ++first;
  while (first < end && !in_sight(end - 1)) --end;
  const double bottom = top_of(rows_.size() - 1) + row_height_;
  for (std::size_t column = first; column < end; ++column)
    list.box(left_of(column), head_height_, cell_, bottom - head_height_, of_theme(&Theme::base)).id =
        static_cast<std::uint32_t>(column);
  for (std::size_t row = 0; row < rows_.size(); ++row)
    if (top_of(row) + row_height_ >= head_height_ && top_of(row) < room_.height) draw_row(list, row, first, end);
  // Part the columns, whose cells are one item per row.
  const double gap = cell_ - 0.82 * std::min(cell_, row_height_);
  for (std::size_t column = first; column <= end && first < end; ++column)
    list.box(left_of(column) - gap / 2, head_height_, gap, bottom - head_height_, of_theme(&Theme::base));
  for (const std::size_t column : room_.selected)
    if (column < primitives_.size() && in_sight(column))
      list.box(left_of(column), head_height_ - 4, cell_, bottom - head_height_ + 4, of_theme(&Theme::selection),
               room_.outline);
  for (std::size_t row = 0; row < rows_.size() && room_.picked; ++row)
    if (rows_[row].candidate == room_.picked)
      list.box(room_.outline / 2, top_of(row), bits_end() + count_width_ - room_.outline, row_height_,
               of_theme(&Theme::selection), room_.outline);
  draw_heads(list);
  return list;
}

}  // namespace kdscope
