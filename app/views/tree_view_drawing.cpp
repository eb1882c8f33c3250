#include <QLocale>
#include <QPainter>
#include <QPainterPath>
#include <QScrollBar>
#include <algorithm>
#include <cmath>
#include <limits>
#include <ranges>

#include "app/appearance/appearance.hpp"
#include "app/appearance/point_label.hpp"
#include "app/appearance/quantities.hpp"
#include "app/views/tree_view.hpp"
#include "app/views/violation_marks.hpp"
#include "visualizer/figure/node_look.hpp"
#include "visualizer/style/role_line.hpp"

namespace kdscope {
namespace {

/// Texts of a node fade by this share of its own faintness.
constexpr double text_faintness = 0.6;

void set_pixel_size(QPainter& painter, double pixels, bool bold) {
  QFont font = painter.font();
  font.setPixelSize(std::max(6, static_cast<int>(std::lround(pixels))));
  font.setBold(bold);
  painter.setFont(font);
}

/// The part of a line between two vertical borders: pages are wider than painters can draw.
QLineF between(QLineF line, double left, double right) {
  if (line.x1() > line.x2()) line.setPoints(line.p2(), line.p1());
  if (line.x2() < left || line.x1() > right) return {};
  const auto at = [&](double x) { return line.pointAt((x - line.x1()) / (line.x2() - line.x1())); };
  const QPointF from = line.x1() < left ? at(left) : line.p1(), to = line.x2() > right ? at(right) : line.p2();
  return {from, to};
}

}  // namespace

void TreeView::paintEvent(QPaintEvent*) {
  QPainter painter(viewport());
  const Theme& t = theme(theme_);
  painter.fillRect(viewport()->rect(), colour(t.base));
  painter.setRenderHint(QPainter::Antialiasing);
  if (diagram_.node_count == 0) {
    set_pixel_size(painter, text(), false);
    painter.setPen(colour(t.muted_text));
    painter.drawText(viewport()->rect().adjusted(12, 12, -12, -12), Qt::AlignCenter | Qt::TextWordWrap, nothing_);
    return;
  }
  draw(painter, 0, viewport()->height());
}

void TreeView::paint_to(QPainter& painter) const {
  painter.setRenderHint(QPainter::Antialiasing);
  painter.fillRect(QRectF(QPointF(), page_size()), colour(theme(theme_).base));
  if (diagram_.node_count == 0) return;
  painter.translate(0, scrolled_y());
  draw(painter, -scrolled_y(), page_height());
  painter.translate(0, -scrolled_y());
}

void TreeView::draw(QPainter& painter, double from, double height) const {
  const auto seen = [&](const Row& row) {
    const double top = row.top - scrolled_y();
    return top + row.height + 2 * text() > from && top - 2 * text() < from + height;
  };
  painter.save();
  painter.setClipRect(QRectF(area_left_ - text(), from, area_width_ + 2 * text(), height));
  for (std::size_t level = 0; level < rows_.size(); ++level)
    if (rows_[level].detail == Detail::strip && seen(rows_[level])) draw_strip(painter, static_cast<int>(level));
  for (std::size_t level = 0; level < rows_.size(); ++level)  // an edge ends one row above
    if (seen(rows_[level]) || (level > 0 && seen(rows_[level - 1]))) draw_edges(painter, rows_[level]);
  // From the lowest level up: nodes that drop come from behind their parents.
  for (const Row& row : std::views::reverse(rows_))
    for (std::size_t i = row.first; i < row.end && seen(row); ++i)
      if (const double x = x_on_screen(visible_[i].x); x > -8 * text() && x < viewport()->width() + 8 * text())
        draw_node(painter, visible_[i]);
  painter.restore();
  draw_margins(painter, from, height);
}

QPointF TreeView::drawn_at(const DiagramNode& node) const {
  const QPointF place = centre_of(node);
  if (growth_ == 1 || node.level == 0) return place;
  const TreeLayout& layout = diagram_.layout();
  const std::uint32_t up = layout.parent(layout.rank_of(node.node));
  if (up == no_id || !std::binary_search(growing_.begin(), growing_.end(), layout.node(up))) return place;
  DiagramNode parent;
  parent.level = node.level - 1;
  parent.x = node.parent_x;
  return centre_of(parent) * (1 - growth_) + place * growth_;
}

void TreeView::draw_edges(QPainter& painter, const Row& row) const {
  const Theme& t = theme(theme_);
  const double left = -20 * text(), right = viewport()->width() + 20 * text();
  for (std::size_t i = row.first; i < row.end; ++i) {
    const DiagramNode& node = visible_[i];
    const QPointF to = drawn_at(node);
    // Draw the folded children of a node as a fan into the strip.
    if (is_strip(node.level + 1)) {
      const TreeLayout& layout = diagram_.layout();
      const std::uint32_t rank = layout.rank_of(node.node), children = layout.child_count(rank);
      if (children > 0 && node.state != NodeState::open) {
        const double half =
            std::max(1.0, (layout.x(layout.first_child(rank) + children - 1) - layout.x(layout.first_child(rank))) *
                              page_width());
        painter.setPen(Qt::NoPen);
        painter.setBrush(colour(mix(t.base, t.plane, 0.35)));
        const double bottom = strip_rect(node.level + 1).top();
        painter.drawPolygon(QPolygonF({to, {to.x() - half, bottom}, {to.x() + half, bottom}}));
      }
    }
    if (node.level == 0) continue;
    DiagramNode parent;
    parent.level = node.level - 1;
    parent.x = node.parent_x;
    const QLineF line = between({centre_of(parent), to}, left, right);
    if (line.isNull()) continue;
    const bool empty = node.state == NodeState::empty;
    painter.setPen(QPen(colour(t.plane), (empty || row.detail == Detail::dot ? 1.0 : 1.6) * text_scale_,
                        empty ? Qt::DotLine : Qt::SolidLine));
    painter.drawLine(line);
  }
}

double TreeView::faintness_of(NodeId node) const {
  if (node.value >= searched_.size()) return 0;
  switch (searched_[node.value]) {
    case SearchState::visited:
    case SearchState::waiting:
      return 0;
    case SearchState::untouched:
      return 0.45;
    case SearchState::skipped:
    case SearchState::dropped:
      return 0.8;
  }
  return 0;
}

void TreeView::draw_node(QPainter& painter, const DiagramNode& node) const {
  const Theme& t = theme(theme_);
  const QPointF at = drawn_at(node);
  const QSizeF size = node_size(node);
  const QRectF body(at.x() - size.width() / 2, at.y() - size.height() / 2, size.width(), size.height());
  const bool changed = node.node.value < changed_.size() && changed_[node.node.value];
  // A faint node fades as a whole into the background, and covers the edges behind it. Its texts stay readable.
  const double faint = faintness_of(node.node);
  const auto ink = [&](Rgb full) { return colour(mix(full, t.base, faint)); };
  const auto text_ink = [&](Rgb full) { return colour(mix(full, t.base, text_faintness * faint)); };
  const Rgb body_full = body_colour(t, node, finished_, changed), fill = mix(body_full, t.base, faint);
  const Detail detail = rows_[static_cast<std::size_t>(node.level)].detail;
  const bool dot = detail == Detail::dot, tight = rows_[static_cast<std::size_t>(node.level)].tight;
  const double round = dot                 ? size.height() / 2
                       : node.keeps_bucket ? 0.15 * text()
                                           : 0.85 * text();  // buckets have corners
  if (is_selected(node.node)) {
    painter.setPen(QPen(colour(t.selection), 4 * text_scale_));
    painter.setBrush(Qt::NoBrush);
    const double out = 4 * text_scale_;
    painter.drawRoundedRect(body.adjusted(-out, -out, out, out), round + out, round + out);
  }
  if (node.state == NodeState::empty) {  // only marks where a child would be
    painter.setPen(QPen(ink(t.muted_text), text_scale_));
    painter.setBrush(colour(t.base));
    painter.drawRect(body);
    return;
  }
  if (node.node.value < searched_.size() && searched_[node.node.value] == SearchState::waiting) {
    painter.setPen(QPen(colour(t.text), 1.6 * text_scale_, Qt::DashLine));
    painter.setBrush(Qt::NoBrush);
    const double out = 3 * text_scale_;
    painter.drawRoundedRect(body.adjusted(-out, -out, out, out), round + out, round + out);
  }
  const bool pivot = node.state == NodeState::pivot;
  painter.setPen(QPen(ink(pivot ? t.pivot : mix(body_full, t.text, 0.35)), (pivot ? 3.0
                                                                            : dot ? 0.0
                                                                                  : 1.0) *
                                                                               text_scale_));
  painter.setBrush(colour(fill));
  const double underline = changed ? std::max(2.0, 0.18 * text()) : 0;
  if (changed) {
    const double inset = dot ? 0 : 0.2 * body.width();
    painter.fillRect(QRectF(body.left() + inset, body.bottom() + 0.12 * text(), body.width() - 2 * inset, underline),
                     ink(t.changed));
  }
  // Draw a line above a node that the step reads, writes or compares.
  const double thick = std::max(2.0, 0.14 * text());
  double foot = body.top() - 0.25 * text();
  const auto marked =
      std::lower_bound(diagram_.roles.begin(), diagram_.roles.end(), RoleMark{node.node.value, Role::pivot});
  for (auto mark = marked; mark != diagram_.roles.end() && mark->index == node.node.value; ++mark, foot -= 4 * thick)
    for (const Stroke& stroke : role_line(mark->role, body.width(), thick))
      painter.fillRect(QRectF(body.left() + stroke.x0, foot - thick - stroke.up, stroke.x1 - stroke.x0, thick),
                       ink(role_colour(t, mark->role)));
  if (dot) {
    painter.drawPath(glyph_path(subtree_glyph(node.place), at, size.height() / 2));
    if (is_violating(node.node)) paint_violation(painter, t, at, std::max(3.0, size.height() / 2));
    return;
  }
  painter.drawRoundedRect(body, round, round);
  draw_point_inside(painter, node, body, round);
  set_pixel_size(painter, (tight ? 0.85 : 1.05) * text(), true);
  painter.setPen(colour(mix(text_on(fill), fill, 0.5 * text_faintness * faint)));
  painter.drawText(body.adjusted(0, 0, -name_width(node), 0), Qt::AlignCenter, QString::number(node.node.value));
  // Draw the subtree's shape, as on points and table cells, at the upper left of the node.
  painter.setPen(QPen(colour(t.base), 1.2 * text_scale_));
  painter.setBrush(ink(mix(body_full, t.text, 0.25)));
  painter.drawPath(glyph_path(subtree_glyph(node.place), body.topLeft() + QPointF(0.12, tight ? 0.0 : 0.22) * text(),
                              (tight ? 0.26 : 0.34) * text()));
  if (std::binary_search(differing_.begin(), differing_.end(), node.node)) {
    const QRectF badge(body.right() - 0.45 * text(), body.top() - 0.35 * text(), 0.95 * text(), 0.95 * text());
    painter.setPen(Qt::NoPen);
    painter.setBrush(colour(t.changed));
    painter.drawEllipse(badge);
    set_pixel_size(painter, 0.85 * text(), true);
    painter.setPen(colour(text_on(t.changed)));
    painter.drawText(badge, Qt::AlignCenter, QStringLiteral("\u2260"));
  }
  if (is_violating(node.node)) {
    painter.setPen(QPen(colour(t.failed), 2.5 * text_scale_));
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(body.adjusted(-2, -2, 2, 2), round + 2, round + 2);
    paint_violation(painter, t, body.topRight() + QPointF(0, -0.05) * text(), 0.28 * text());
  }
  QStringList lines;
  if (detail != Detail::index) lines = lines_of(node);
  if (detail == Detail::one_line && lines.size() > 1) lines.removeFirst();
  if (node.point != no_id && rows_[static_cast<std::size_t>(node.level)].naming == Naming::below) {
    if (lines.size() > 1 || (detail == Detail::one_line && !lines.isEmpty()))
      lines.removeFirst();  // the coordinates give way
    lines.prepend(point_label(node.point));
  }
  set_pixel_size(painter, 0.85 * text(), false);
  double y = body.bottom() + 0.15 * text() + 1.2 * underline;
  for (int i = 0; i < lines.size(); ++i) {
    const double width = painter.fontMetrics().horizontalAdvance(lines[i]) + 0.3 * text();
    const QRectF line(at.x() - width / 2, y, width, 1.1 * text());
    painter.fillRect(line, colour(t.base));  // edges pass behind the text
    painter.setPen(text_ink(i == 0 ? t.text : t.muted_text));
    painter.drawText(line, Qt::AlignCenter, lines[i]);
    y += 1.1 * text();
  }
}

/// Draws the point of a node as a plate at its right end: on the ground of the page, as texts about points are.
void TreeView::draw_point_inside(QPainter& painter, const DiagramNode& node, const QRectF& body, double round) const {
  const double width = name_width(node), edge = 2 * text_scale_;
  if (width == 0) return;
  const QRectF plate(body.right() - width, body.top() + edge, width - edge, body.height() - 2 * edge);
  painter.save();
  painter.setPen(Qt::NoPen);
  painter.setBrush(colour(theme(theme_).base));
  painter.drawRoundedRect(plate, std::max(0.0, round - edge), std::max(0.0, round - edge));
  set_pixel_size(painter, 0.85 * text(), false);
  painter.setPen(colour(mix(theme(theme_).text, theme(theme_).base, text_faintness * faintness_of(node.node))));
  painter.drawText(plate, Qt::AlignCenter, point_label(node.point));
  painter.restore();
}

QRectF TreeView::strip_rect(int level) const {
  return place_of_level(level).adjusted(0, 0.08 * text(), 0, -0.18 * text());
}

void TreeView::draw_strip(QPainter& painter, int level) const {
  const Theme& t = theme(theme_);
  const QRectF rect = strip_rect(level);
  if (strips_.size() != rows_.size()) strips_.assign(rows_.size(), {});
  QImage& strip = strips_[static_cast<std::size_t>(level)];
  if (strip.isNull()) {  // three rows: shade, pivots above, changes below
    const double x0 = x_at(area_left_), x1 = x_at(area_left_ + area_width_);
    const std::uint32_t nodes = diagram_.layout().first_from(level, x1) - diagram_.layout().first_from(level, x0);
    const int bins = std::clamp(static_cast<int>(nodes), 1, static_cast<int>(area_width_));  // at least one pixel each
    strip = QImage(bins, 3, QImage::Format_ARGB32_Premultiplied);
    strip.fill(Qt::transparent);
    const auto density = diagram_.density(level, x0, x1, bins, changed_);
    for (int i = 0; i < bins; ++i) {
      const DensityBin& bin = density[static_cast<std::size_t>(i)];
      if (bin.final_nodes == 0) continue;
      const double made = double(bin.made) / bin.final_nodes, open = double(bin.open) / bin.final_nodes;
      strip.setPixelColor(i, 0, colour(strip_colour(t, bin.place, made, open)));
      if (bin.pivots) strip.setPixelColor(i, 1, colour(t.pivot));
      if (bin.changed) strip.setPixelColor(i, 2, colour(t.changed));
    }
  }
  const double thick = std::max(2.0, 0.16 * text());
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing, false);
  painter.drawImage(rect, strip, QRectF(0, 0, strip.width(), 1));
  painter.drawImage(QRectF(rect.left(), rect.top(), rect.width(), thick), strip, QRectF(0, 1, strip.width(), 1));
  painter.drawImage(QRectF(rect.left(), rect.bottom() - thick, rect.width(), thick), strip,
                    QRectF(0, 2, strip.width(), 1));
  painter.setPen(colour(t.line));
  painter.setBrush(Qt::NoBrush);
  painter.drawRect(rect);

  // Mark the selected nodes, with at most one mark per pixel.
  const TreeLayout& layout = diagram_.layout();
  double last = -1e9;
  const double half = std::max(2.0, 0.2 * text());
  for (const NodeId node : selected_) {
    const std::uint32_t rank = layout.rank_of(node);
    if (rank == no_id || rank < layout.level_begin(level) || rank >= layout.level_end(level)) continue;
    const double x = x_on_screen(layout.x(rank));
    if (x < rect.left() - half || x > rect.right() + half || std::abs(x - last) < 1) continue;
    last = x;
    painter.fillRect(QRectF(x - half, rect.top() - 2, 2 * half, rect.height() + 4), colour(t.selection));
  }
  painter.restore();
}

void TreeView::draw_margins(QPainter& painter, double from, double height) const {
  const Theme& t = theme(theme_);
  set_pixel_size(painter, 0.85 * text(), false);
  const double right = area_left_ + area_width_, apart = painter.fontMetrics().ascent();
  double below = std::numeric_limits<double>::infinity();  // where numbers stand already
  for (std::size_t level = rows_.size(); level-- > 0;) {
    const Row& row = rows_[level];
    const bool strip = row.detail == Detail::strip;
    DiagramNode at;
    at.level = static_cast<int>(level);
    const double y = centre_of(at).y();
    if (y + text() < from || y - text() > from + height || below - y < apart) continue;
    below = y;
    painter.setPen(colour(t.muted_text));
    painter.drawText(QRectF(0, y - text(), area_left_ - 1.15 * text(), 2 * text()), Qt::AlignRight | Qt::AlignVCenter,
                     QString::number(level));
    if (!strip) continue;
    const auto& levels = diagram_.levels;
    const std::uint64_t made =
        level < levels.size() ? levels[level].settled + levels[level].pivots + levels[level].empty : 0;
    painter.drawText(QRectF(right + 0.4 * text(), y - text(), viewport()->width() - right - 0.5 * text(), 2 * text()),
                     Qt::AlignRight | Qt::AlignVCenter, thousands(made));
  }
}

}  // namespace kdscope
