#include "visualizer/figure/tree_picture.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "algorithms/text/numbers.hpp"
#include "algorithms/text/point_name.hpp"
#include "visualizer/figure/node_look.hpp"
#include "visualizer/style/glyph.hpp"
#include "visualizer/style/role_line.hpp"

namespace kdscope {
namespace {

constexpr double widest_page = 1.5e9;  // scroll bars count in int
constexpr double least_room = 5.5;     // pixels per node at scale 1; with less, a level is a strip
constexpr std::array search_words{"untouched", "waiting", "visited", "skipped", "dropped"};
constexpr double tight_height = 1.35;  // of a node whose number just fits; in texts
constexpr double line_height = 1.1;    // of the lines below a node; in texts
constexpr double largest_nodes = 1.4;  // of their usual size, where there is room

}  // namespace

bool TreeMarks::is_violating(NodeId node) const {
  const auto after = std::upper_bound(violating.begin(), violating.end(), node.value,
                                      [](std::uint64_t i, const IndexRange& r) { return i < r.begin; });
  return after != violating.begin() && node.value < std::prev(after)->end;
}

double TreePicture::width_of(std::string_view text) const {
  return room_.width_of ? enlarged_ * room_.width_of(text) : text_width(text, room_.text());
}

double TreePicture::node_width(double digits, bool tight) const {
  return (tight ? std::max(tight_height, 0.3 + 0.6 * digits) : std::max(1.7, 0.55 + 0.7 * digits)) * room_.text();
}

double TreePicture::largest_zoom() const {
  const double gap = diagram_->layout().narrowest_gap();
  return std::clamp(7 * room_.text() / (gap * area_width_), 1.0, widest_page / area_width_);
}

bool TreePicture::is_strip(int level) const {
  return level >= 0 && level < static_cast<int>(rows_.size()) &&
         rows_[static_cast<std::size_t>(level)].detail == Detail::strip;
}

int TreePicture::level_at(double y) const {
  for (std::size_t level = 0; level < rows_.size(); ++level)
    if (y >= rows_[level].top && y < rows_[level].top + rows_[level].height) return static_cast<int>(level);
  return -1;
}

std::array<double, 2> TreePicture::centre_of(int level, double x) const {
  const Row& row = rows_[static_cast<std::size_t>(level)];
  const double down = row.detail == Detail::strip || row.detail == Detail::dot
                          ? row.height / 2
                          : std::min(row.height / 2, 1.35 * room_.text());
  return {x_of(x), row.top + down};
}

/// Returns by how much nodes can be larger than usual without a level losing what it shows of them, now or once all are
/// there.
double TreePicture::spare_size() const {
  const TreeLayout& layout = diagram_->layout();
  const double text = room_.text();
  const auto digits = static_cast<double>(std::to_string(layout.size() - 1).size());
  const double tight = node_width(digits, true), body = node_width(digits),
               name = width_of(point_name(layout.size() - 1));
  double spare = largest_nodes;
  const auto keep = [&](double room, double need) {
    if (need <= room) spare = std::min(spare, room / need);
  };
  for (const double texts : {1.9, 2.9, 4.1, 5.2}) keep(room_.height, (texts * diagram_->final_levels + 1) * text);
  for (int level = 0; level < diagram_->final_levels; ++level) {
    const std::uint32_t from = layout.level_begin(level), to = layout.level_end(level);
    if ((to - from) * tight > room_.width || to - from > room_.most_nodes) return 1;  // dots or strips
    double gap = 1;
    for (std::uint32_t rank = from + 1; rank < to; ++rank) gap = std::min(gap, layout.x(rank) - layout.x(rank - 1));
    const double room = gap * room_.width, beside = 3 * gap * text;
    for (const double need : {tight + 0.12 * text, body + 0.2 * text, name + 0.4 * text, body + name + 0.75 * text})
      keep(room, need + beside);
    for (const char* lines : {"88, 88", "888, 888", "888.88, 888.88", "888.88, 888.88, 888.88"})
      keep(room, width_of(lines) + 0.5 * text + beside);
  }
  return spare;
}

void TreePicture::fit(const TreeDiagram& diagram, TreeRoom room, double zoom) {
  diagram_ = &diagram;
  room_ = std::move(room);
  enlarged_ = 1;
  if (!room_.grows) room_.scale *= enlarged_ = spare_size();
  // Leave room for the numbers of the levels on the left, and for the node counts of strips on the right.
  const TreeLayout& layout = diagram.layout();
  const double text = room_.text();
  std::uint32_t widest = 0;
  for (int level = 0; level < layout.level_count(); ++level)
    widest = std::max(widest, layout.level_end(level) - layout.level_begin(level));
  area_left_ = width_of(std::to_string(std::max(9, layout.level_count() - 1))) + 1.6 * text;  // half a node beside them
  const double right = widest * least_room * room_.scale > room_.width || widest > room_.most_nodes
                           ? width_of(grouped(widest)) + text
                           : 0.4 * text;
  area_width_ = std::max(4 * text, room_.width - area_left_ - right);
  zoom_ = std::clamp(zoom, 1.0, largest_zoom());
}

/// The room that the nodes between two ranks of a level need; `made`: those of them that the diagram has.
TreePicture::Needs TreePicture::needs_of(std::uint32_t from, std::uint32_t to,
                                         std::span<const DiagramNode> made) const {
  const TreeLayout& layout = diagram_->layout();
  Needs needs;
  std::uint32_t last = 0;
  for (std::uint32_t rank = from; rank < to; ++rank) {
    if (rank > from) needs.gap = std::min(needs.gap, layout.x(rank) - layout.x(rank - 1));
    last = std::max(last, layout.node(rank).value);
  }
  needs.digits = static_cast<double>(std::to_string(last).size());
  for (const DiagramNode& node : made) {
    if (node.point != no_id) needs.name = std::max(needs.name, width_of(point_name(node.point)));
    needs.wide = std::max({needs.wide, width_of(node.coordinates), width_of(node.split_text)});
    for (const std::string& line : lines_of(*diagram_, node)) needs.wide = std::max(needs.wide, width_of(line));
  }
  return needs;
}

void TreePicture::scroll_to(double scrolled) {
  scrolled_ = scrolled;
  const TreeLayout& layout = diagram_->layout();
  const double text = room_.text();
  visible_.clear();
  strips_.clear();
  rows_.assign(static_cast<std::size_t>(diagram_->final_levels), {});
  const double x0 = x_at(area_left_), x1 = x_at(area_left_ + area_width_);
  bool folded = false;  // all levels below a strip are strips, also those with few nodes and those that are not yet
  for (int level = 0; level < diagram_->final_levels; ++level) {
    Row& row = rows_[static_cast<std::size_t>(level)];
    row.first = row.end = visible_.size();
    const std::uint32_t first = layout.first_from(level, x0), past = layout.first_from(level, x1);
    folded |= (past - first) * least_room * room_.scale > area_width_ || past - first > room_.most_nodes;
    if (folded) {
      row.detail = Detail::strip;
      continue;
    }
    // One more on each side, for the edges that cross the border.
    const std::uint32_t from = std::max(layout.level_begin(level) + 1, first) - 1,
                        to = std::min(layout.level_end(level), past + 1);
    for (std::uint32_t rank = from; rank < to; ++rank)
      if (diagram_->has(rank)) visible_.push_back(diagram_->node_at(rank));
    row.end = visible_.size();
    const auto [gap, wide, name, digits] = needs_of(from, to, std::span(visible_).subspan(row.first));
    const double space = gap * page_width();
    row.dot = std::clamp(0.65 * space, 0.2 * text, 0.6 * text);  // some shapes stand out
    row.tight = space < node_width(digits) + 0.2 * text;
    const double body = node_width(digits, row.tight);
    row.detail = space < body + (row.tight ? 0.12 : 0.2) * text    ? Detail::dot
                 : space < std::max(wide + 0.5 * text, 3.2 * text) ? Detail::index
                                                                   : Detail::two_lines;
    if (name == 0 || row.detail == Detail::dot) continue;
    // The outermost nodes must not reach over the numbers of the levels or the right border.
    const double left = visible_[row.first].x * page_width() + 1.05 * text,
                 right = (1 - visible_.back().x) * page_width() + 0.4 * text;
    if (std::min({space, 2 * left, 2 * right}) >= body + name + 0.75 * text)
      row.naming = Naming::inside;
    else if (space >= name + 0.4 * text)
      row.naming = Naming::below;
  }
  room_.grows ? grow_rows() : place_rows();
}

/// Makes strips of the lowest levels until all have room, at these heights. The root stays.
void TreePicture::fold_rows(double room, double row, double strip) {
  double needed = 0;
  for (const Row& r : rows_) needed += r.detail == Detail::strip ? strip : row;
  for (std::size_t level = rows_.size(); level-- > 1 && needed > room;) {
    if (rows_[level].detail == Detail::strip) continue;
    needed -= row - strip;
    visible_.resize(rows_[level].first);
    rows_[level].detail = Detail::strip;
    for (std::size_t below = level; below < rows_.size(); ++below)
      rows_[below].first = rows_[below].end = visible_.size();
  }
}

void TreePicture::place_rows() {
  const double text = room_.text(), room = room_.height - text;
  const double lowest_strip = (room_.in_sight ? 0.5 : 1.05) * text, lowest_row = 1.9 * text;
  if (room_.in_sight) fold_rows(room, lowest_row, lowest_strip);
  double strips = 0, others = 0;
  for (const Row& row : rows_) ++(row.detail == Detail::strip ? strips : others);
  const double least = room_.in_sight ? lowest_row : (strips > 0 ? 2.5 : 3) * text;
  const double strip = std::clamp((room - others * least) / std::max(1.0, strips), lowest_strip, 1.7 * text);
  const double other = std::clamp((room - strips * strip) / std::max(1.0, others), least, 10 * text);
  double top = 0.2 * text;
  for (Row& row : rows_) {
    row.top = top;
    row.height = row.detail == Detail::strip ? strip : other;
    if (row.detail == Detail::two_lines && other < 5.2 * text)
      row.detail = other < 4.1 * text ? Detail::index : Detail::one_line;
    if (row.naming == Naming::below && row.height < 2.9 * text) row.naming = Naming::none;
    top += row.height;
  }
}

/// Makes rows as high as their nodes can ever need, so that they stay where they are while the tree is built.
void TreePicture::grow_rows() {
  double top = 0.2 * room_.text();
  for (Row& row : rows_) {
    row.top = top;
    const double lines = row.detail == Detail::two_lines || row.detail == Detail::one_line
                             ? 2 + (row.naming == Naming::below ? 1 : 0)
                         : row.detail == Detail::index ? 1
                                                       : 0;
    row.height = (row.detail == Detail::strip ? 1.7
                  : row.detail == Detail::dot ? 2.6
                                              : 3.1 + line_height * lines) *
                 room_.text();
    top += row.height;
  }
}

/// Draws one picture.
class TreeDrawing {
 public:
  TreeDrawing(const TreePicture& picture, const TreeMarks& marks)
      : picture_(picture),
        diagram_(*picture.diagram_),
        marks_(marks),
        text_(picture.room_.text()),
        scale_(picture.room_.scale),
        finished_(is_finished(diagram_)),
        stands_out_(any_stands_out(marks.searched)),
        stood_out_(any_stands_out(marks.searched_before)) {
    list_.width = picture.room_.width, list_.height = picture.page_height();
  }

  DisplayList draw(double from, double height) {
    using Row = TreePicture::Row;
    const auto seen = [&](const Row& row) {
      return row.top + row.height + 2 * text_ > from && row.top - 2 * text_ < from + height;
    };
    const std::vector<Row>& rows = picture_.rows_;
    draw_margins(from, height);
    list_.scrolls_from = list_.items.size();
    list_.scrolls_left = picture_.area_left_ - text_;
    list_.scrolls_right = picture_.area_left_ + picture_.area_width_ + text_;
    for (std::size_t level = 0; level < rows.size(); ++level)
      if (rows[level].detail == Detail::strip && seen(rows[level])) draw_strip(static_cast<int>(level));
    for (std::size_t level = 0; level < rows.size(); ++level)  // an edge ends one row above
      if (seen(rows[level]) || (level > 0 && seen(rows[level - 1])))
        for (std::size_t i = rows[level].first; i < rows[level].end; ++i) draw_edges(picture_.visible_[i]);
    // Nodes are read from the root down. Those that drop come from behind their parents.
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const Row& row = rows[!marks_.growth.under_way() ? i : rows.size() - 1 - i];
      if (!seen(row)) continue;
      for (std::size_t k = row.first; k < row.end; ++k)
        if (const double x = picture_.x_of(picture_.visible_[k].x);
            x > -8 * text_ && x < picture_.room_.width + 8 * text_)
          draw_node(picture_.visible_[k]);
    }
    return std::move(list_);
  }

 private:
  using Item = DisplayItem;
  using Shape = DisplayItem::Shape;
  using Detail = TreePicture::Detail;
  using Naming = TreePicture::Naming;
  static constexpr double children_have_passed = 0.7;  // of the way down, the lines below their parents

  /// A colour of the theme that fades into the ground by a share.
  static DisplayInk ink(Rgb Theme::*colour, float faint = 0) {
    return [colour, faint](const Theme& t) { return faded(t, t.*colour, faint); };
  }
  Item& words(double x, double y, std::string text, DisplayInk colour, double size,
              Item::Anchor anchor = Item::Anchor::middle) {
    return list_.words(x, y, std::move(text), std::move(colour), size * text_, anchor);
  }
  Item& mark(Glyph glyph, double x, double y, double radius, DisplayInk colour, double width = 0) {
    Item item{.shape = Shape::circle, .at = {x, y, radius}, .ink = std::move(colour), .width = width};
    if (glyph != Glyph::circle) {
      item.shape = Shape::polygon;
      item.at.clear();
      for (const auto& [dx, dy] : glyph_outline(glyph))
        item.at.insert(item.at.end(), {x + radius * dx, y + radius * dy});
    }
    return list_.add(std::move(item));
  }

  const TreePicture::Row& row_of(const DiagramNode& node) const {
    return picture_.rows_[static_cast<std::size_t>(node.level)];
  }
  /// The share of its way down from its parent that a node has come.
  double dropped(const DiagramNode& node) const {
    const std::uint32_t parent =
        marks_.growth.under_way() ? diagram_.layout().parent(diagram_.layout().rank_of(node.node)) : no_id;
    return parent == no_id ? 1 : marks_.growth.of(diagram_.layout().node(parent));
  }
  /// The centre of a node, or where it is while it drops: siblings part before they leave their parent.
  std::array<double, 2> place_of(const DiagramNode& node) const {
    const auto place = picture_.centre_of(node.level, node.x);
    const double left = 1 - dropped(node);
    const auto above =
        left > 0 ? diagram_.node(diagram_.layout().node(diagram_.layout().parent(diagram_.layout().rank_of(node.node))))
                 : std::nullopt;
    if (!above) return place;
    const auto parent = place_of(*above);
    return {place[0] + left * left * (parent[0] - place[0]), place[1] + left * (parent[1] - place[1])};
  }
  /// The part of a node that names its point; 0 if the node has none inside.
  double name_width(const DiagramNode& node) const {
    if (node.point == no_id || row_of(node).naming != Naming::inside) return 0;
    return picture_.width_of(point_name(node.point)) + 0.55 * text_;
  }
  static float faintness_of(SearchState state) {
    switch (state) {
      case SearchState::visited:
      case SearchState::waiting:
        return 0;
      case SearchState::untouched:
        return 0.45f;
      case SearchState::skipped:
      case SearchState::dropped:
        return 0.8f;
    }
    return 0;
  }
  /// The share of the way that a node has come from its former state in a search, as the marks in the plane: what the
  /// step looks at enters first, what is out of reach last.
  double entered(NodeId node) const {
    const auto& before = marks_.searched_before;
    if (!marks_.growth.under_way() || node.value >= before.size()) return 1;
    if (before[node.value] == marks_.searched[node.value] && stood_out_ == stands_out_) return 1;
    return tokens::entered(marks_.growth.time, faintness_of(marks_.searched[node.value]) > 0.5f ? 1 : 0);
  }
  static bool any_stands_out(const std::vector<SearchState>& states) {
    return std::ranges::any_of(states, [](SearchState state) { return faintness_of(state) == 0; });
  }
  /// Nodes that a search has skipped fade, those that it has not reached are paler, unless none would stand out.
  float faintness_of(NodeId node) const {
    if (node.value >= marks_.searched.size()) return 0;
    const auto faintness = [&](const std::vector<SearchState>& states, bool stands_out) {
      return stands_out ? faintness_of(states[node.value]) : 0;
    };
    const float now = faintness(marks_.searched, stands_out_);
    const double in = entered(node);
    return in == 1 ? now : std::lerp(faintness(marks_.searched_before, stood_out_), now, static_cast<float>(in));
  }

  void draw_margins(double from, double height) {
    const double right = picture_.area_left_ + picture_.area_width_, apart = text_;
    double below = std::numeric_limits<double>::infinity();  // where numbers stand already
    for (std::size_t level = picture_.rows_.size(); level-- > 0;) {
      const double y = picture_.centre_of(static_cast<int>(level), 0)[1];
      if (y + text_ < from || y - text_ > from + height || below - y < apart) continue;
      below = y;
      words(picture_.area_left_ - 1.15 * text_, y, std::to_string(level), ink(&Theme::muted_text), 0.85,
            Item::Anchor::right);
      if (picture_.rows_[level].detail != Detail::strip) continue;
      const auto& levels = diagram_.levels;
      const std::uint64_t made =
          level < levels.size() ? levels[level].settled + levels[level].pivots + levels[level].empty : 0;
      const double end = picture_.room_.width - 0.1 * text_;
      if (made > 0 && end - picture_.width_of(grouped(made)) > right)
        words(end, y, grouped(made), ink(&Theme::muted_text), 0.85, Item::Anchor::right);
    }
  }

  /// A strip's place, on whole pixels.
  std::array<double, 4> strip_box(int level) const {
    const TreePicture::Row& row = picture_.rows_[static_cast<std::size_t>(level)];
    const double top = std::round(row.top + 0.08 * text_), bottom = std::round(row.top + row.height - 0.18 * text_);
    return {picture_.area_left_, top, picture_.area_width_, bottom - top};
  }

  const TreePicture::Strip& cells_of(int level) const {
    picture_.strips_.resize(picture_.rows_.size());
    auto& strip = picture_.strips_[static_cast<std::size_t>(level)];
    if (strip) return *strip;
    strip.emplace();
    const double x0 = picture_.x_at(picture_.area_left_),
                 x1 = picture_.x_at(picture_.area_left_ + picture_.area_width_);
    const TreeLayout& layout = diagram_.layout();
    // Nodes get narrower further down, so the cells of a level are not wider than those of any level above it.
    std::uint32_t nodes = 1;
    for (int above = 0; above <= level; ++above)
      nodes = std::max(nodes, layout.first_from(above, x1) - layout.first_from(above, x0));
    constexpr double narrowest = 4;  // pixels; the marks of single nodes would read as a bar code
    const auto most =
        std::min(static_cast<std::uint32_t>(picture_.area_width_ / (narrowest * scale_)), picture_.room_.most_cells);
    const auto bins = std::min(nodes, std::max(1u, most));
    for (const DensityBin& bin : diagram_.density(level, x0, x1, static_cast<int>(bins), marks_.changed)) {
      const float made = bin.final_nodes ? static_cast<float>(double(bin.made) / bin.final_nodes) : 0,
                  open = bin.final_nodes ? static_cast<float>(double(bin.open) / bin.final_nodes) : 0;
      const TreePlace place = bin.place;
      strip->made.push_back(bin.final_nodes == 0 ? DisplayInk()
                                                 : [=](const Theme& t) { return strip_colour(t, place, made, open); });
      strip->pivots.push_back(bin.pivots ? ink(&Theme::pivot) : DisplayInk());
      strip->changed.push_back(bin.changed ? ink(&Theme::changed) : DisplayInk());
    }
    return *strip;
  }

  void draw_strip(int level) {
    const auto [left, top, width, height] = strip_box(level);
    const TreePicture::Strip& strip = cells_of(level);
    const double thick = std::max(2.0, 0.16 * text_);
    const auto row = [&](double at, double high, const std::vector<DisplayInk>& cells) -> Item& {
      return list_.add({.shape = Shape::cells, .at = {left, at, width, high}, .cells = cells});
    };
    const auto has_any = [](const std::vector<DisplayInk>& cells) {
      return std::any_of(cells.begin(), cells.end(), [](const DisplayInk& cell) { return bool(cell); });
    };
    row(top, height, strip.made).spoken = described_level(diagram_, level);
    if (has_any(strip.pivots)) row(top, thick, strip.pivots);
    if (has_any(strip.changed)) row(top + height - thick, thick, strip.changed);
    list_.box(left - 0.5, top - 0.5, width + 1, height + 1, ink(&Theme::line), 1);
    // Mark the selected nodes, with at most one mark per pixel.
    const TreeLayout& layout = diagram_.layout();
    double last = -1e9;
    const double half = std::max(2.0, 0.2 * text_);
    for (const NodeId node : marks_.selected) {
      const std::uint32_t rank = layout.rank_of(node);
      if (rank == no_id || rank < layout.level_begin(level) || rank >= layout.level_end(level)) continue;
      const double x = std::round(picture_.x_of(layout.x(rank)));
      if (x < left - half || x > left + width + half || std::abs(x - last) < 1) continue;
      last = x;
      list_.box(x - half, top - 2, 2 * half, height + 4, ink(&Theme::selection));
    }
  }

  /// Returns where an edge to a place leaves a node: behind its body or, if it would cross them, at the end of the
  /// lines below.
  std::array<double, 2> start_of_edge(const DiagramNode& node, const std::array<double, 2>& to) const {
    const auto from = place_of(node);
    const std::vector<std::string> lines = lines_below(node);
    double half = 0;
    for (const std::string& line : lines) half = std::max(half, (picture_.width_of(line) + 0.5 * text_) / 2);
    const double top = top_of_lines(node), down = to[1] - from[1],
                 bottom = top + (line_height * static_cast<double>(lines.size()) + 0.1) * text_;
    const double share = std::min({(bottom - from[1]) / down, half / std::max(std::abs(to[0] - from[0]), 1e-9), 1.0});
    if (lines.empty() || from[1] + share * down <= top) return from;
    return {std::lerp(from[0], to[0], share), std::lerp(from[1], to[1], share)};
  }

  void draw_edges(const DiagramNode& node) {
    const auto to = place_of(node);
    const TreeLayout& layout = diagram_.layout();
    // Draw the folded children of a node as a fan into the strip.
    if (picture_.is_strip(node.level + 1)) {
      const std::uint32_t rank = layout.rank_of(node.node), children = layout.child_count(rank);
      if (children > 0 && node.state != NodeState::open) {
        const std::uint32_t first = layout.first_child(rank);
        const double half = std::max(1.0, (layout.x(first + children - 1) - layout.x(first)) * picture_.page_width());
        const double bottom = strip_box(node.level + 1)[1], top = start_of_edge(node, {to[0], bottom})[1];
        list_.add({.shape = Shape::polygon,
                   .at = {to[0], top, to[0] - half, bottom, to[0] + half, bottom},
                   .ink = [](const Theme& t) { return mix(t.base, t.plane, 0.35); }});
      }
    }
    if (node.level == 0) return;
    // The part between two borders: pages are wider than painters can draw.
    const auto parent = diagram_.node(layout.node(layout.parent(layout.rank_of(node.node))));
    if (!parent) return;
    auto from = start_of_edge(*parent, to), end = to;
    if (from[0] > end[0]) std::swap(from, end);
    const double left = -20 * text_, right = picture_.room_.width + 20 * text_;
    if (end[0] < left || from[0] > right) return;
    const auto y_at = [&, slope = (end[1] - from[1]) / (end[0] - from[0]), x = from[0], y = from[1]](double at) {
      return y + (at - x) * slope;
    };
    const double first = from[0] < left ? y_at(left) : from[1], second = end[0] > right ? y_at(right) : end[1];
    const bool empty = node.state == NodeState::empty;
    list_
        .line({std::max(left, from[0]), first, std::min(right, end[0]), second}, ink(&Theme::plane),
              (empty || row_of(node).detail == Detail::dot ? 1.0 : 1.6) * scale_)
        .dash = empty ? Item::Dash::dotted : Item::Dash::solid;
  }

  void draw_node(const DiagramNode& node) {
    const auto [x, y] = place_of(node);
    const TreePicture::Row& row = row_of(node);
    const bool dot = row.detail == Detail::dot, empty = node.state == NodeState::empty, tight = row.tight;
    const bool small = dot || empty;
    const double name = small ? 0 : name_width(node),
                 digits = static_cast<double>(std::to_string(node.node.value).size());
    const double width = small ? row.dot : picture_.node_width(digits, tight) + name;
    const double height = height_of(node), left = x - width / 2, top = y - height / 2;
    const double round =
        node.keeps_bucket && !dot ? 0.15 * text_ : std::min(width, height) / 2;  // buckets have corners
    const bool changed = marks_.is_changed(node.node), pivot = node.state == NodeState::pivot;
    // A faint node fades as a whole into the ground, and covers the edges behind it. Its texts become thin, and stay
    // readable; so does its rim in high contrast.
    const float faint = faintness_of(node.node);
    const TreePlace place = node.place;
    const bool dim = node.state == NodeState::settled && !finished_ && !changed;
    const auto body = [place, dim, faint](const Theme& t) { return mix(body_colour(t, place, dim), t.base, faint); };
    const auto rim = [place, dim, faint](float to_text) {
      return [place, dim, faint, to_text](const Theme& t) {
        return faded(t, mix(body_colour(t, place, dim), t.text, to_text), faint);
      };
    };
    const auto outlined = [&](double out, DisplayInk colour, double pen) -> Item& {
      return list_.box(left - out, top - out, width + 2 * out, height + 2 * out, std::move(colour), pen, round + out);
    };
    std::string spoken;
    for (const std::string& each : described(diagram_, node)) spoken += (spoken.empty() ? "" : "; ") + each;
    if (node.node.value < marks_.searched.size())
      spoken += std::string("; ") + search_words[static_cast<std::size_t>(marks_.searched[node.node.value])];
    if (changed) spoken += "; changed";

    Item& item = empty ? list_.box(left, top, width, height, ink(&Theme::base))
                 : dot ? mark(subtree_glyph(place), x, y, height / 2, body)
                       : list_.box(left, top, width, height, body, 0, round);
    item.id = node.node.value;
    item.spoken = std::move(spoken);
    if (std::binary_search(marks_.selected.begin(), marks_.selected.end(), node.node))
      outlined(4 * scale_, ink(&Theme::selection), 4 * scale_);
    if (empty) {  // only marks where a child would be
      list_.box(left, top, width, height, ink(&Theme::muted_text, faint), scale_);
      return;
    }
    const double pen = pivot ? std::min(3 * scale_, 0.2 * height) : dot ? std::min(1.0, 0.15 * height) : scale_;
    const DisplayInk edge = pivot ? ink(&Theme::pivot, faint) : DisplayInk(rim(0.35f));
    dot ? mark(subtree_glyph(place), x, y, height / 2, edge, pen) : outlined(0, edge, pen);
    if (node.node.value < marks_.searched.size() && marks_.searched[node.node.value] == SearchState::waiting) {
      Item& waits = outlined(3 * scale_, ink(&Theme::text), 1.6 * scale_);
      waits.dash = Item::Dash::dashed, waits.opacity = entered(node.node);
    }
    if (changed) {
      const double inset = dot ? 0 : 0.2 * width;
      list_.box(left + inset, top + height + 0.12 * text_, width - 2 * inset, underline(), ink(&Theme::changed, faint));
    }
    draw_roles(node, left, top, width, faint);
    if (dot) {
      if (marks_.is_violating(node.node)) list_.cross(x, y, std::max(3.0, height / 2));
      return;
    }
    if (name > 0) {  // a plate on the ground of the page, as texts about points are
      const double in = 2 * scale_, corner = std::max(0.0, round - in);
      list_.box(left + width - name, top + in, name - in, height - 2 * in, ink(&Theme::base), 0, corner);
      words(left + width - (name + in) / 2, y, point_name(node.point), text_ink(&Theme::text, faint), 0.85);
    }
    words(
        x - name / 2, y, std::to_string(node.node.value),
        [body, faint](const Theme& t) { return dimmed_ink(t, text_on(body(t)), body(t), faint); }, tight ? 0.85 : 1.05)
        .bold = faint == 0;
    // Draw the subtree's shape, as on points and table cells, at the upper left of the node.
    const double shape_x = left + 0.12 * text_, shape_y = top + (tight ? 0.0 : 0.22) * text_;
    mark(subtree_glyph(place), shape_x, shape_y, (tight ? 0.26 : 0.34) * text_, rim(0.25f));
    mark(subtree_glyph(place), shape_x, shape_y, (tight ? 0.26 : 0.34) * text_, ink(&Theme::base), 1.2 * scale_);
    draw_badges(node, left, top, width, round, height);
    draw_lines(node, x, faint);
  }

  /// The ink of a text on the ground of the page.
  static DisplayInk text_ink(Rgb Theme::*colour, float faint) {
    return [colour, faint](const Theme& t) { return dimmed_ink(t, t.*colour, t.base, faint); };
  }

  /// Draws a line above a node that the step reads, writes or compares.
  void draw_roles(const DiagramNode& node, double left, double top, double width, float faint) {
    const double thick = std::max(2.0, 0.14 * text_);
    double foot = top - 0.25 * text_;
    const auto& roles = diagram_.roles;
    auto each = std::lower_bound(roles.begin(), roles.end(), RoleMark{node.node.value, Role::pivot});
    for (; each != roles.end() && each->index == node.node.value; ++each, foot -= 4 * thick)
      for (const Stroke& stroke : role_line(each->role, width, thick))
        list_.box(left + stroke.x0, foot - thick - stroke.up, stroke.x1 - stroke.x0, thick,
                  [role = each->role, faint](const Theme& t) { return faded(t, role_colour(t, role), faint); });
  }

  /// Draws what a node has in another run, and what is wrong with it.
  void draw_badges(const DiagramNode& node, double left, double top, double width, double round, double height) {
    if (std::binary_search(marks_.differing.begin(), marks_.differing.end(), node.node)) {
      const double x = left + width + 0.025 * text_, y = top + 0.125 * text_;
      list_.add({.shape = Shape::circle, .at = {x, y, 0.475 * text_}, .ink = ink(&Theme::changed)});
      words(
          x, y, "\u2260", [](const Theme& t) { return text_on(t.changed); }, 0.85)
          .bold = true;
    }
    if (!marks_.is_violating(node.node)) return;
    list_.box(left - 2, top - 2, width + 4, height + 4, ink(&Theme::failed), 2.5 * scale_, round + 2);
    list_.cross(left + width, top - 0.05 * text_, 0.28 * text_);
  }

  double height_of(const DiagramNode& node) const {
    const TreePicture::Row& row = row_of(node);
    const bool small = row.detail == Detail::dot || node.state == NodeState::empty;
    return small ? row.dot : (row.tight ? tight_height : 1.7) * text_;
  }
  double underline() const { return std::max(2.0, 0.18 * text_); }
  double top_of_lines(const DiagramNode& node) const {
    const double underlined = marks_.is_changed(node.node) ? 1.2 * underline() : 0;
    return place_of(node)[1] + height_of(node) / 2 + 0.15 * text_ + underlined;
  }
  /// The share of their way that a node and its children have come.
  double arrived(const DiagramNode& node) const { return std::min(dropped(node), marks_.growth.of(node.node)); }

  /// Returns the lines below a node; none while children drop past them.
  std::vector<std::string> lines_below(const DiagramNode& node) const {
    const TreePicture::Row& row = row_of(node);
    std::vector<std::string> lines;
    if (row.detail == Detail::dot || node.state == NodeState::empty) return lines;
    if (arrived(node) < children_have_passed) return lines;
    if (row.detail != Detail::index) lines = lines_of(diagram_, node);
    if (row.detail == Detail::one_line && lines.size() > 1) lines.erase(lines.begin());
    if (node.point != no_id && row.naming == Naming::below) {
      if (lines.size() > 1 || (row.detail == Detail::one_line && !lines.empty()))
        lines.erase(lines.begin());  // the coordinates give way
      lines.insert(lines.begin(), point_name(node.point));
    }
    return lines;
  }

  /// Draws the lines below a node, which fade in once its children are below them.
  void draw_lines(const DiagramNode& node, double x, float faint) {
    const double opacity = (arrived(node) - children_have_passed) / (1 - children_have_passed);
    std::vector<std::string> lines = lines_below(node);
    double y = top_of_lines(node);
    for (std::size_t i = 0; i < lines.size(); ++i, y += line_height * text_) {
      Item& item = words(x, y + line_height / 2 * text_, std::move(lines[i]),
                         text_ink(i == 0 ? &Theme::text : &Theme::muted_text, faint), 0.85);
      item.ground = true;  // edges pass behind the text
      item.opacity = opacity;
    }
  }

  const TreePicture& picture_;
  const TreeDiagram& diagram_;
  const TreeMarks& marks_;
  const double text_, scale_;
  const bool finished_;
  const bool stands_out_, stood_out_;  // any node in the search, now and before
  DisplayList list_;
};

DisplayList TreePicture::draw(const TreeMarks& marks, double from, double height) const {
  return diagram_ && diagram_->node_count > 0 ? TreeDrawing(*this, marks).draw(from, height) : DisplayList();
}

}  // namespace kdscope
