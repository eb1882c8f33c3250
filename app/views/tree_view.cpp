#include "app/views/tree_view.hpp"

#include <QApplication>
#include <QHBoxLayout>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QLocale>
#include <QResizeEvent>
#include <QScrollBar>
#include <QToolButton>
#include <QToolTip>
#include <cmath>

#include "app/appearance/key_list.hpp"
#include "app/appearance/labels.hpp"
#include "app/appearance/plain_text.hpp"
#include "app/appearance/point_label.hpp"
#include "app/appearance/quantities.hpp"
#include "visualizer/figure/node_look.hpp"
#include "visualizer/model/violations.hpp"

namespace kdscope {
namespace {

constexpr double widest_page = 1.5e9;  // scroll bars count in int
constexpr double least_room = 5.5;     // pixels per node at text scale 1; with less, a level is a strip

}  // namespace

TreeView::TreeView(QWidget* parent)
    : QAbstractScrollArea(parent),
      buttons_(new QWidget),
      out_(new QToolButton),
      in_(new QToolButton),
      all_(new QToolButton) {
  setAccessibleName(tr("Tree"));
  describe_keys(*this, tr("Tree"),
                {{tr("Alt+arrows"), tr("To the parent, the first child, a neighbour")},
                 {tr("Return"), tr("The subtree of the selected node fills the width")},
                 {tr("Backspace"), tr("The whole tree again")}});
  setFocusPolicy(Qt::StrongFocus);
  setFrameShape(QFrame::NoFrame);
  viewport()->setMouseTracking(true);
  nothing_ = empty_words(nullptr);
  setAccessibleDescription(nothing_);

  auto* bar = new QHBoxLayout(buttons_);
  bar->setContentsMargins(0, 0, 12, 0);
  bar->setSpacing(2);
  struct Button {
    QToolButton* button;
    QString text, words;
    const char* name;
  };
  for (const Button& b : {Button{out_, QStringLiteral("\u2212"), tr("Narrower (Ctrl+wheel)"), "tree_zoom_out"},
                          Button{in_, QStringLiteral("+"), tr("Wider (Ctrl+wheel)"), "tree_zoom_in"},
                          Button{all_, tr("All"), tr("The whole tree (Backspace)"), "tree_show_all"}}) {
    b.button->setText(b.text);
    b.button->setToolTip(b.words);
    b.button->setAccessibleName(b.words);
    b.button->setObjectName(QString::fromUtf8(b.name));
    b.button->setAutoRaise(true);
    bar->addWidget(b.button);
  }
  connect(out_, &QToolButton::clicked, this,
          [this] { show_window(x_at(area_left_ + area_width_ / 2), zoom_ / 2, -1); });
  connect(in_, &QToolButton::clicked, this, [this] { show_window(x_at(area_left_ + area_width_ / 2), zoom_ * 2, -1); });
  connect(all_, &QToolButton::clicked, this, &TreeView::show_all);
  say_state();
}

TreeView::~TreeView() {
  if (buttons_ && !buttons_->parent()) delete buttons_;  // shown by no dock, as in figures and side by side
}

QString TreeView::empty_words(const Cursor* cursor) const {
  if (!cursor || cursor->step_count() == 0)
    return tr("The tree appears here as it is built. Choose a lesson from the Lessons menu, or data in the Run pane.");
  const Trace::Array* nodes = cursor->trace().find(partition_arrays::parent);
  if (!nodes || nodes->versions.empty()) return tr("This run records no tree.");
  for (const ArrayVersion& version : nodes->versions)
    if (version.size > 0 && version.step > cursor->step())
      return in_sight_ ? tr("No node yet.")  // a class has no arrow keys
                       : tr("No node yet. The first one appears at step %1: go there with the right arrow key.")
                             .arg(version.step);
  return tr("There are no points, so there is no tree.");
}

void TreeView::show_step(const Cursor& cursor, std::span<const Highlight> added, const Concealment& concealed) {
  width_changes_ = 0;  // another step may need no bar
  show_bar(Qt::ScrollBarAsNeeded);
  const TreeLayout* before = &diagram_.layout();
  diagram_ = TreeDiagram::at(cursor, {}, &diagram_, added, concealed);
  finished_ = is_finished(diagram_);
  nothing_ = concealed.tree ? hidden_words() : empty_words(&cursor);
  violating_ = cursor.step_count() == 0 || concealed.tree
                   ? std::vector<IndexRange>()
                   : violating_indices(cursor.trace(), cursor.current(), Space::node);
  if (before != &diagram_.layout() && static_cast<int>(rows_.size()) != diagram_.final_levels) zoom_ = 1;
  searched_ = concealed.marks || concealed.tree ? std::vector<SearchState>() : search_states(cursor);
  changes_.clear();
  changed_.clear();
  update_layout();
  emit drawn_anew();
}

void TreeView::set_changes(std::vector<NodeChange> changes, std::uint32_t since,
                           std::function<NodeWords(NodeId)> words) {
  changes_ = std::move(changes);
  change_words_ = std::move(words);
  changed_since_ = since;
  changed_.assign(changes_.empty() ? 0 : changes_.back().node.value + std::size_t(1), false);
  for (const NodeChange& change : changes_) changed_[change.node.value] = true;
  strips_.clear();
  viewport()->update();
}

bool TreeView::is_violating(NodeId node) const {
  const auto after = std::upper_bound(violating_.begin(), violating_.end(), node.value,
                                      [](std::uint64_t i, const IndexRange& r) { return i < r.begin; });
  return after != violating_.begin() && node.value < std::prev(after)->end;
}

const NodeChange* TreeView::change_of(NodeId node) const {
  const auto found = std::lower_bound(changes_.begin(), changes_.end(), node,
                                      [](const NodeChange& c, NodeId id) { return c.node.value < id.value; });
  return found != changes_.end() && found->node == node ? &*found : nullptr;
}

void TreeView::show_difference(std::vector<NodeId> nodes) {
  differing_ = std::move(nodes);
  viewport()->update();
}

void TreeView::clear() {
  changes_.clear();
  changed_.clear();
  searched_.clear();
  diagram_ = {};
  nothing_ = empty_words(nullptr);
  selected_.clear();
  violating_.clear();
  update_layout();
  emit drawn_anew();
}

void TreeView::set_theme(ThemeId theme) {
  theme_ = theme;
  strips_.clear();
  viewport()->update();
  emit drawn_anew();
}

void TreeView::set_text_scale(double scale) {
  text_scale_ = std::clamp(scale, 0.5, 4.0);
  update_layout();
}

void TreeView::select_nodes(std::vector<NodeId> nodes) {
  selected_ = std::move(nodes);
  viewport()->update();
  emit selection_shown();
  // Scroll one of the nodes into sight, unless one is in sight already.
  const double edge = 2 * text();
  const QRectF seen(edge, edge, viewport()->width() - 2 * edge, viewport()->height() - 2 * edge);
  std::optional<QPointF> first;
  for (const NodeId node : selected_) {
    const auto at = place_of_node(node);
    if (at && seen.contains(*at)) return;
    if (!first) first = at;
  }
  if (!first) return;
  if (first->x() < seen.left() || first->x() > seen.right())
    horizontalScrollBar()->setValue(
        static_cast<int>(horizontalScrollBar()->value() + first->x() - viewport()->width() / 2.0));
  if (first->y() < seen.top() || first->y() > seen.bottom())
    verticalScrollBar()->setValue(
        static_cast<int>(verticalScrollBar()->value() + first->y() - viewport()->height() / 2.0));
}

double TreeView::Row::centre() const { return top + height / 2; }

double TreeView::scrolled_y() const { return verticalScrollBar()->value(); }

double TreeView::page_height() const {
  return std::max<double>(viewport()->height(), rows_.empty() ? 0 : rows_.back().top + rows_.back().height);
}

QSizeF TreeView::page_size() const { return {double(viewport()->width()), page_height()}; }

double TreeView::x_on_screen(double x) const { return area_left_ + x * page_width() - horizontalScrollBar()->value(); }
double TreeView::x_at(double screen) const {
  return (screen - area_left_ + horizontalScrollBar()->value()) / page_width();
}

void TreeView::set_growth(std::vector<NodeId> split, double way) {
  growing_ = std::move(split);
  growth_ = growing_.empty() ? 1 : way;
  viewport()->update();
}

QPointF TreeView::centre_of(const DiagramNode& node) const {
  const Row& row = rows_[static_cast<std::size_t>(node.level)];
  const double down = row.detail == Detail::strip || row.detail == Detail::dot
                          ? row.height / 2
                          : std::min(row.height / 2, 1.35 * text());
  return {x_on_screen(node.x), row.top + down - scrolled_y()};
}

QSizeF TreeView::node_size(const DiagramNode& node) const {
  const Detail detail = rows_[static_cast<std::size_t>(node.level)].detail;
  if (detail == Detail::dot || node.state == NodeState::empty) return QSizeF(0.5, 0.5) * text();
  const bool tight = rows_[static_cast<std::size_t>(node.level)].tight;
  return {pill_width(static_cast<double>(std::to_string(node.node.value).size()), tight) + name_width(node),
          (tight ? 1.35 : 1.7) * text()};
}

double TreeView::name_width(const DiagramNode& node) const {
  if (node.point == no_id || rows_[static_cast<std::size_t>(node.level)].naming != Naming::inside) return 0;
  QFont names = font();
  names.setPixelSize(static_cast<int>(0.85 * text()));
  return QFontMetricsF(names).horizontalAdvance(point_label(node.point)) + 0.55 * text();
}

std::optional<QPointF> TreeView::place_of_node(NodeId id) const {
  const std::uint32_t rank = diagram_.layout().rank_of(id);
  if (rank == no_id || !diagram_.has(rank) || rows_.empty()) return std::nullopt;
  DiagramNode node;
  node.level = diagram_.layout().level_of(rank);
  node.x = diagram_.layout().x(rank);
  return centre_of(node);
}

bool TreeView::is_strip(int level) const {
  return level >= 0 && level < static_cast<int>(rows_.size()) &&
         rows_[static_cast<std::size_t>(level)].detail == Detail::strip;
}

QRectF TreeView::place_of_level(int level) const {
  if (level < 0 || level >= static_cast<int>(rows_.size())) return {};
  const Row& row = rows_[static_cast<std::size_t>(level)];
  return {area_left_, row.top - scrolled_y(), area_width_, row.height};
}

int TreeView::level_under(double y) const {
  for (std::size_t level = 0; level < rows_.size(); ++level)
    if (y + scrolled_y() >= rows_[level].top && y + scrolled_y() < rows_[level].top + rows_[level].height)
      return static_cast<int>(level);
  return -1;
}

std::optional<std::size_t> TreeView::node_under(QPointF at) const {
  std::optional<std::size_t> best;
  double best_distance = 1e300;
  for (std::size_t i = 0; i < visible_.size(); ++i) {
    const QPointF away = centre_of(visible_[i]) - at;
    const QSizeF half = node_size(visible_[i]) / 2 + QSizeF(3, 3);
    const double distance = std::hypot(away.x(), away.y());
    if (std::abs(away.x()) <= half.width() && std::abs(away.y()) <= half.height() && distance < best_distance) {
      best = i;
      best_distance = distance;
    }
  }
  return best;
}

double TreeView::largest_zoom() const {
  const double gap = diagram_.layout().narrowest_gap();
  return std::clamp(7 * text() / (gap * area_width_), 1.0, widest_page / area_width_);
}

void TreeView::update_layout() {
  // Leave room for the numbers of the levels on the left, and for the node counts of strips on the right.
  const TreeLayout& layout = diagram_.layout();
  std::uint32_t widest = 0;
  for (int level = 0; level < layout.level_count(); ++level)
    widest = std::max(widest, layout.level_end(level) - layout.level_begin(level));
  QFont digits = font();
  digits.setPixelSize(static_cast<int>(0.85 * text()));
  const QFontMetricsF metrics(digits);
  area_left_ = metrics.horizontalAdvance(QString::number(std::max(9, layout.level_count() - 1))) +
               1.6 * text();  // half a node beside the numbers
  const double right = widest * least_room * text_scale_ > viewport()->width()
                           ? metrics.horizontalAdvance(thousands(widest)) + text()
                           : 0.4 * text();
  area_width_ = std::max(4 * text(), viewport()->width() - area_left_ - right);
  zoom_ = std::clamp(zoom_, 1.0, largest_zoom());
  const QSignalBlocker quiet(horizontalScrollBar());
  horizontalScrollBar()->setPageStep(static_cast<int>(area_width_));
  horizontalScrollBar()->setSingleStep(static_cast<int>(3 * text()));
  horizontalScrollBar()->setRange(0, static_cast<int>(page_width() - area_width_));
  find_visible();
  say_state();
  setAccessibleDescription(
      diagram_.node_count == 0
          ? nothing_
          : tr("%1 nodes on %2 levels").arg(thousands(diagram_.node_count)).arg(diagram_.levels.size()));
  emit window_changed();
}

void TreeView::find_visible() {
  const TreeLayout& layout = diagram_.layout();
  visible_.clear();
  strips_.clear();
  rows_.assign(static_cast<std::size_t>(diagram_.final_levels), {});
  QFont digits = font();
  digits.setPixelSize(static_cast<int>(0.85 * text()));
  const QFontMetricsF metrics(digits);
  const double x0 = x_at(area_left_), x1 = x_at(area_left_ + area_width_);
  for (int level = 0; level < layout.level_count(); ++level) {
    Row& row = rows_[static_cast<std::size_t>(level)];
    row.first = row.end = visible_.size();
    const std::uint32_t first = layout.first_from(level, x0), past = layout.first_from(level, x1);
    if ((past - first) * least_room * text_scale_ > area_width_) {
      row.detail = Detail::strip;
      continue;
    }
    // One more on each side, for the edges that cross the border.
    const std::uint32_t from = std::max(layout.level_begin(level) + 1, first) - 1,
                        to = std::min(layout.level_end(level), past + 1);
    double gap = 1, wide = 0, last = 0, name = 0;
    for (std::uint32_t rank = from; rank < to; ++rank) {
      if (rank > from) gap = std::min(gap, layout.x(rank) - layout.x(rank - 1));
      last = std::max<double>(last, layout.node(rank).value);
      if (!diagram_.has(rank)) continue;
      visible_.push_back(diagram_.node_at(rank));
      const DiagramNode& node = visible_.back();
      if (node.point != no_id) name = std::max(name, metrics.horizontalAdvance(point_label(node.point)));
      wide = std::max({wide, metrics.horizontalAdvance(QString::fromStdString(node.coordinates)),
                       metrics.horizontalAdvance(QString::fromStdString(node.split_text)),
                       node.keeps_bucket ? metrics.horizontalAdvance(lines_of(node).front()) : 0.0});
    }
    row.end = visible_.size();
    const double room = gap * page_width(), digits_of_last = std::floor(std::log10(std::max(1.0, last))) + 1;
    row.tight = room < pill_width(digits_of_last) + 0.2 * text();
    const double pill = pill_width(digits_of_last, row.tight);
    row.detail = room < pill + (row.tight ? 0.12 : 0.2) * text()      ? Detail::dot
                 : room < std::max(wide + 0.5 * text(), 3.2 * text()) ? Detail::index
                                                                      : Detail::two_lines;
    if (name == 0 || row.detail == Detail::dot) continue;
    // The outermost nodes must not reach over the numbers of the levels or the right border.
    const double left = visible_[row.first].x * page_width() + 1.05 * text(),
                 right = (1 - visible_.back().x) * page_width() + 0.4 * text();
    if (std::min({room, 2 * left, 2 * right}) >= pill + name + 0.75 * text())
      row.naming = Naming::inside;
    else if (room >= name + 0.4 * text())
      row.naming = Naming::below;
  }
  place_rows();
  viewport()->update();
}

/// Makes strips of the lowest levels until all have room, at these heights. The root stays.
void TreeView::fold_rows(double room, double row, double strip) {
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

void TreeView::place_rows() {
  const double room = viewport()->height() - text();
  const double lowest_strip = (in_sight_ ? 0.5 : 1.05) * text(), lowest_row = 1.9 * text();
  if (in_sight_) fold_rows(room, lowest_row, lowest_strip);
  double strips = 0, others = 0;
  for (const Row& row : rows_) ++(row.detail == Detail::strip ? strips : others);
  const double least = in_sight_ ? lowest_row : (strips > 0 ? 2.5 : 3) * text();
  const double strip = std::clamp((room - others * least) / std::max(1.0, strips), lowest_strip, 1.7 * text());
  const double other = std::clamp((room - strips * strip) / std::max(1.0, others), least, 7 * text());
  double top = 0.2 * text();
  for (Row& row : rows_) {
    row.top = top;
    row.height = row.detail == Detail::strip ? strip : other;
    if (row.detail == Detail::two_lines && other < 5.2 * text())
      row.detail = other < 4.1 * text() ? Detail::index : Detail::one_line;
    if (row.naming == Naming::below && row.height < 2.9 * text()) row.naming = Naming::none;
    top += row.height;
  }
  verticalScrollBar()->setPageStep(viewport()->height());
  verticalScrollBar()->setSingleStep(static_cast<int>(2 * text()));
  verticalScrollBar()->setRange(0, static_cast<int>(std::ceil(page_height())) - viewport()->height());
}

void TreeView::say_state() {
  out_->setEnabled(zoom_ > 1);
  all_->setEnabled(zoom_ > 1);
  in_->setEnabled(zoom_ < largest_zoom());
  const bool strips =
      std::any_of(rows_.begin(), rows_.end(), [](const Row& row) { return row.detail == Detail::strip; });
  setWindowTitle(zoom_ > 1 ? tr("%1 times as wide").arg(QLocale(QLocale::English).toString(zoom_, 'g', 3))
                 : strips  ? tr("Click a strip to open")
                           : QString());
}

void TreeView::show_window(double middle, double zoom, int keep_level) {
  const auto level = static_cast<std::size_t>(std::max(0, keep_level));
  const double kept = level < rows_.size() ? rows_[level].top - scrolled_y() : 0;
  zoom_ = std::clamp(zoom, 1.0, largest_zoom());
  update_layout();
  horizontalScrollBar()->setValue(static_cast<int>(middle * page_width() - area_width_ / 2));
  find_visible();
  if (keep_level >= 0 && level < rows_.size()) {  // its row stays where it was, and within the window
    const double room = std::max(0.0, viewport()->height() - rows_[level].height - text());
    verticalScrollBar()->setValue(static_cast<int>(rows_[level].top - std::clamp(kept, 0.0, room)));
  }
  say_state();
  emit window_changed();
}

void TreeView::reveal(NodeId node) {
  const TreeLayout& layout = diagram_.layout();
  const std::uint32_t rank = layout.rank_of(node);
  if (rank == no_id || rows_.empty()) return;
  const int level = layout.level_of(rank);
  double gap = 1;
  if (rank > layout.level_begin(level)) gap = layout.x(rank) - layout.x(rank - 1);
  if (rank + 1 < layout.level_end(level)) gap = std::min(gap, layout.x(rank + 1) - layout.x(rank));
  const double room = pill_width(static_cast<double>(std::to_string(node.value).size())) + 0.6 * text();
  show_window(layout.x(rank), std::max(zoom_, room / (gap * area_width_)), level);
  while (is_strip(level) && zoom_ < largest_zoom()) show_window(layout.x(rank), zoom_ * 2, level);
}

void TreeView::show_subtree(NodeId node) {
  const TreeLayout& layout = diagram_.layout();
  const std::uint32_t rank = layout.rank_of(node);
  if (rank == no_id) return;
  double left = layout.x(rank), right = left;
  for (std::uint32_t first = rank, last = rank; first <= last;) {
    left = std::min(left, layout.x(first));
    right = std::max(right, layout.x(last));
    const std::uint32_t below = layout.first_child(first);
    last = layout.first_child(last) + layout.child_count(last) - 1;
    if (below > last || below >= layout.size()) break;
    first = below;
  }
  if (right > left)
    show_window((left + right) / 2, 0.92 / (right - left), layout.level_of(rank));
  else
    reveal(node);
}

void TreeView::show_all() { show_window(0.5, 1, -1); }

QRectF TreeView::window() const {
  if (diagram_.node_count == 0) return {0, 0, 1, 1};
  // Rows differ in height, but in a small picture of the tree all levels are equally high.
  const auto share = [this](double y) {
    double levels = 0;
    for (const Row& row : rows_) levels += std::clamp((y - row.top) / row.height, 0.0, 1.0);
    return levels / static_cast<double>(rows_.size());
  };
  const double top = share(scrolled_y()), bottom = share(scrolled_y() + viewport()->height());
  return {x_at(area_left_), top, 1 / zoom_, bottom - top};
}

void TreeView::centre(QPointF place) {
  horizontalScrollBar()->setValue(static_cast<int>(place.x() * page_width() - area_width_ / 2));
  if (rows_.empty()) return;
  const double level = std::clamp(place.y(), 0.0, 1.0) * static_cast<double>(rows_.size());
  const Row& row = rows_[std::min(static_cast<std::size_t>(level), rows_.size() - 1)];
  verticalScrollBar()->setValue(static_cast<int>(row.centre() - viewport()->height() / 2.0));
}

QString TreeView::amount(std::uint64_t count) const { return QString::fromStdString(amount_text(diagram_, count)); }

QStringList TreeView::lines_of(const DiagramNode& node) const {
  QStringList lines;
  for (const std::string& line : kdscope::lines_of(diagram_, node)) lines << QString::fromStdString(line);
  return lines;
}

QString TreeView::describe(const DiagramNode& node) const {
  QString words = tr("node %1, level %2").arg(node.node.value).arg(node.level);
  if (node.point != no_id)
    words += tr("\npoint %1 at (%2)").arg(point_label(node.point), QString::fromStdString(node.coordinates));
  if (!node.split_text.empty()) words += tr("\nsplits at %1").arg(QString::fromStdString(node.split_text));
  if (node.keeps_bucket) {
    QString held = QString::fromStdString(point_names(node.bucket));
    if (!held.isEmpty() && node.count > node.bucket.size()) held += QStringLiteral(", \u2026");
    words += held.isEmpty() ? tr("\nleaf with %1").arg(amount(node.count))
                            : tr("\nleaf with %1: %2").arg(amount(node.count), held);
  } else if (node.count > 0) {
    words += tr("\n%1 in its subtree").arg(amount(node.count));
  }
  const char* states[]{"open", "pivot", "settled", "empty: nothing is left for it"};
  words += QStringLiteral("\n") + tr(states[static_cast<int>(node.state)]);
  const NodeChange* change = change_of(node.node);
  if (!change) return words;
  if (change->is_new) return words + tr("\nnew since step %1").arg(changed_since_);
  const NodeWords differs = change_words_ ? change_words_(node.node) : NodeWords();
  if (!differs.after.empty())
    words += QStringLiteral("\n%1 \u2192 %2")
                 .arg(QString::fromStdString(differs.before), QString::fromStdString(differs.after));
  return words + tr("\nchanged since step %1").arg(changed_since_);
}

QString TreeView::node_tip(NodeId id) const {
  const auto node = diagram_.node(id);
  return node ? describe(*node) : QString();
}

QString TreeView::describe_level(int level) const {
  DiagramLevel filled;
  if (level < static_cast<int>(diagram_.levels.size()))
    filled = diagram_.levels[static_cast<std::size_t>(level)];
  else
    filled.final_nodes = diagram_.layout().level_end(level) - diagram_.layout().level_begin(level);
  QString words = tr("level %1: %2 of %3 nodes are made")
                      .arg(level)
                      .arg(thousands(filled.settled + filled.pivots + filled.empty), thousands(filled.final_nodes));
  if (filled.open > 0) words += tr(", %1 wait with %2").arg(thousands(filled.open), amount(filled.points_below));
  return words + tr("\nClick to open it here.");
}

bool TreeView::viewportEvent(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QAbstractScrollArea::viewportEvent(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  const auto under = node_under(help->pos());
  const int level = level_under(help->pos().y());
  const QString words = under ? describe(visible_[*under]) : is_strip(level) ? describe_level(level) : QString();
  if (words.isEmpty())
    QToolTip::hideText();
  else
    show_plain_tip(help->globalPos(), words, viewport());
  return true;
}

void TreeView::keep_in_sight() {
  in_sight_ = true;
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  update_layout();
}

void TreeView::show_bar(Qt::ScrollBarPolicy policy) {
  if (!in_sight_) setVerticalScrollBarPolicy(policy);
}

void TreeView::resizeEvent(QResizeEvent* event) {
  // Levels that fold make the page shorter, so the vertical bar disappears, which gives the levels room to unfold
  // again. A bar that keeps toggling in this way stays on until the view itself is resized or shows another step.
  constexpr int most_changes = 6;
  if (std::exchange(outer_size_, size()) != size()) {
    width_changes_ = 0;
    show_bar(Qt::ScrollBarAsNeeded);
  } else if (event->size().width() != event->oldSize().width() && ++width_changes_ > most_changes) {
    show_bar(Qt::ScrollBarAlwaysOn);
  }
  const double middle = x_at(area_left_ + area_width_ / 2);
  update_layout();
  if (zoom_ > 1) show_window(middle, zoom_, -1);
}

void TreeView::scrollContentsBy(int dx, int) {
  if (dx != 0) find_visible();
  viewport()->update();
  emit window_changed();
}

void TreeView::wheelEvent(QWheelEvent* event) {
  if (event->modifiers() & Qt::ControlModifier) {
    const double zoom = std::clamp(zoom_ * std::pow(1.0015, event->angleDelta().y()), 1.0, largest_zoom());
    const double x = event->position().x(), at = x_at(x);  // stays under the pointer
    show_window(at + (area_left_ + area_width_ / 2 - x) / (area_width_ * zoom), zoom,
                level_under(event->position().y()));
    event->accept();
    return;
  }
  QAbstractScrollArea::wheelEvent(event);
}

void TreeView::mousePressEvent(QMouseEvent* event) {
  pressed_ = last_ = event->position();
  dragging_ = false;
}

void TreeView::mouseMoveEvent(QMouseEvent* event) {
  if (!pressed_ || event->buttons() == Qt::NoButton) {
    viewport()->setCursor(!node_under(event->position()) && is_strip(level_under(event->position().y()))
                              ? Qt::PointingHandCursor
                              : Qt::ArrowCursor);
    return;
  }
  if ((event->position() - *pressed_).manhattanLength() >= QApplication::startDragDistance()) dragging_ = true;
  if (!dragging_) return;
  const QPointF moved = event->position() - last_;
  last_ = event->position();
  horizontalScrollBar()->setValue(horizontalScrollBar()->value() - static_cast<int>(moved.x()));
  verticalScrollBar()->setValue(verticalScrollBar()->value() - static_cast<int>(moved.y()));
}

void TreeView::mouseReleaseEvent(QMouseEvent* event) {
  const bool clicked = pressed_ && !dragging_ && event->button() == Qt::LeftButton;
  pressed_.reset();
  dragging_ = false;
  if (!clicked) return;
  const int level = level_under(event->position().y());
  if (const auto under = node_under(event->position())) {
    emit picked({Space::node, visible_[*under].node.value});
  } else if (is_strip(level)) {  // opens at the nearest node
    const TreeLayout& layout = diagram_.layout();
    const double x = x_at(event->position().x());
    std::uint32_t rank = std::min(layout.first_from(level, x), layout.level_end(level) - 1);
    if (rank > layout.level_begin(level) && x - layout.x(rank - 1) < layout.x(rank) - x) --rank;
    reveal(layout.node(rank));
  } else {
    emit picked({});
  }
}

void TreeView::mouseDoubleClickEvent(QMouseEvent* event) {
  if (!node_under(event->position()) && !is_strip(level_under(event->position().y()))) show_all();
}

void TreeView::keyPressEvent(QKeyEvent* event) {
  const bool plain = (event->modifiers() & ~Qt::KeypadModifier) == Qt::NoModifier;
  switch (event->key()) {
    case Qt::Key_Up:
    case Qt::Key_Down:
    case Qt::Key_Left:
    case Qt::Key_Right:
      if (event->modifiers() == Qt::AltModifier && diagram_.node_count > 0) return move_current(event->key());
      break;
    case Qt::Key_Return:
    case Qt::Key_Enter:
      if (plain && diagram_.node_count > 0)
        return show_subtree(selected_.empty() ? diagram_.layout().node(0) : selected_.front());
      break;
    case Qt::Key_Backspace:
      if (plain) return show_all();
      break;
    default:
      break;
  }
  QAbstractScrollArea::keyPressEvent(event);
  event->ignore();
}

void TreeView::move_current(int key) {
  const TreeLayout& layout = diagram_.layout();
  const std::uint32_t at = selected_.empty() ? no_id : layout.rank_of(selected_.front());
  std::uint32_t to = at;
  if (at == no_id || !diagram_.has(at)) {
    to = 0;
  } else {
    const int level = layout.level_of(at);
    if (key == Qt::Key_Up && layout.parent(at) != no_id) to = layout.parent(at);
    if (key == Qt::Key_Left)
      for (std::uint32_t r = at; r-- > layout.level_begin(level) && to == at;) to = diagram_.has(r) ? r : at;
    if (key == Qt::Key_Right)
      for (std::uint32_t r = at + 1; r < layout.level_end(level) && to == at; ++r) to = diagram_.has(r) ? r : at;
    if (key == Qt::Key_Down)
      for (std::uint32_t c = 0; c < layout.child_count(at) && to == at; ++c)
        if (diagram_.has(layout.first_child(at) + c)) to = layout.first_child(at) + c;
  }
  emit picked({Space::node, layout.node(to).value});
  if (is_strip(layout.level_of(to))) reveal(layout.node(to));
}

}  // namespace kdscope
