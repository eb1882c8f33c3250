#include "app/views/tree_view.hpp"

#include <QApplication>
#include <QHBoxLayout>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QLocale>
#include <QPainter>
#include <QResizeEvent>
#include <QScrollBar>
#include <QToolButton>
#include <QToolTip>
#include <cmath>

#include "app/appearance/appearance.hpp"
#include "app/appearance/display_painter.hpp"
#include "app/appearance/key_list.hpp"
#include "app/appearance/labels.hpp"
#include "app/appearance/plain_text.hpp"
#include "app/appearance/quantities.hpp"
#include "visualizer/figure/node_look.hpp"
#include "visualizer/model/violations.hpp"

namespace kdscope {
namespace {

constexpr double reach = 3;  // pixels beside a node that still belong to it

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
  picture_.fit(diagram_, {}, 1);

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
  connect(out_, &QToolButton::clicked, this, [this] { show_window(middle(), zoom() / 2, -1); });
  connect(in_, &QToolButton::clicked, this, [this] { show_window(middle(), zoom() * 2, -1); });
  connect(all_, &QToolButton::clicked, this, &TreeView::show_all);
  say_state();
}

TreeView::~TreeView() {
  if (buttons_ && !buttons_->parent()) delete buttons_;  // shown by no dock, as in figures and side by side
}

QString TreeView::empty_words(const Cursor* cursor) const {
  if (!cursor || cursor->step_count() == 0) return {};  // the start page says what can be opened
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
  nothing_ = concealed.tree ? hidden_words() : empty_words(&cursor);
  marks_.violating = cursor.step_count() == 0 || concealed.tree
                         ? std::vector<IndexRange>()
                         : violating_indices(cursor.trace(), cursor.current(), Space::node);
  const bool is_other =
      before != &diagram_.layout() && static_cast<int>(picture_.rows().size()) != diagram_.final_levels;
  if (std::exchange(step_, cursor.step()) != cursor.step()) marks_.searched_before = std::move(marks_.searched);
  marks_.searched = concealed.marks || concealed.tree ? std::vector<SearchState>() : search_states(cursor);
  changes_.clear();
  marks_.changed.clear();
  update_layout(is_other ? 1 : zoom());
  emit drawn_anew();
}

void TreeView::set_changes(std::vector<NodeChange> changes, std::uint32_t since,
                           std::function<NodeWords(NodeId)> words) {
  changes_ = std::move(changes);
  change_words_ = std::move(words);
  changed_since_ = since;
  marks_.changed.assign(changes_.empty() ? 0 : changes_.back().node.value + std::size_t(1), false);
  for (const NodeChange& change : changes_) marks_.changed[change.node.value] = true;
  picture_.forget_strips();
  redraw();
}

const NodeChange* TreeView::change_of(NodeId node) const {
  const auto found = std::lower_bound(changes_.begin(), changes_.end(), node,
                                      [](const NodeChange& c, NodeId id) { return c.node.value < id.value; });
  return found != changes_.end() && found->node == node ? &*found : nullptr;
}

void TreeView::show_difference(std::vector<NodeId> nodes) {
  marks_.differing = std::move(nodes);
  redraw();
}

void TreeView::clear() {
  changes_.clear();
  std::vector<NodeId> differing = std::move(marks_.differing);
  marks_ = {};
  marks_.differing = std::move(differing);
  diagram_ = {};
  nothing_ = empty_words(nullptr);
  update_layout();
  emit drawn_anew();
}

void TreeView::set_theme(ThemeId theme) {
  theme_ = theme;
  viewport()->update();
  emit drawn_anew();
}

void TreeView::set_text_scale(double scale) {
  text_scale_ = std::clamp(scale, 0.5, 4.0);
  update_layout();
}

void TreeView::select_nodes(std::vector<NodeId> nodes) {
  marks_.selected = std::move(nodes);
  redraw();
  emit selection_shown();
  // Scroll one of the nodes into sight, unless one is in sight already.
  const double edge = 2 * text();
  const QRectF seen(edge, edge, viewport()->width() - 2 * edge, viewport()->height() - 2 * edge);
  std::optional<QPointF> first;
  for (const NodeId node : marks_.selected) {
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

double TreeView::scrolled_y() const { return verticalScrollBar()->value(); }

QSizeF TreeView::page_size() const { return {double(viewport()->width()), picture_.page_height()}; }

void TreeView::redraw() {
  drawing_.reset();
  viewport()->update();
}

const DisplayList& TreeView::drawing() const {
  if (!drawing_) drawing_ = picture_.draw(marks_, scrolled_y(), viewport()->height());
  return *drawing_;
}

void TreeView::paintEvent(QPaintEvent*) {
  QPainter painter(viewport());
  const Theme& t = theme(theme_);
  painter.fillRect(viewport()->rect(), colour(t.base));
  painter.setRenderHint(QPainter::Antialiasing);
  if (diagram_.node_count == 0) {
    QFont words = painter.font();
    words.setPixelSize(static_cast<int>(std::lround(text())));
    painter.setFont(words);
    painter.setPen(colour(t.muted_text));
    painter.drawText(viewport()->rect().adjusted(12, 12, -12, -12), Qt::AlignCenter | Qt::TextWordWrap, nothing_);
    return;
  }
  painter.translate(0, -scrolled_y());
  paint_display_list(painter, drawing(), t, painter.font());
}

void TreeView::paint_to(QPainter& painter) const {
  painter.setRenderHint(QPainter::Antialiasing);
  painter.fillRect(QRectF(QPointF(), page_size()), colour(theme(theme_).base));
  paint_display_list(painter, picture_.draw(marks_), theme(theme_), painter.font());
}

void TreeView::set_growth(Growth growth) {
  if (growth.split.empty() && marks_.searched == marks_.searched_before) growth = {};
  if (growth == marks_.growth) return;
  marks_.growth = std::move(growth);
  redraw();
}

std::optional<QPointF> TreeView::place_of_node(NodeId id) const {
  const TreeLayout& layout = diagram_.layout();
  const std::uint32_t rank = layout.rank_of(id);
  if (rank == no_id || !diagram_.has(rank) || picture_.rows().empty()) return std::nullopt;
  const auto [x, y] = picture_.centre_of(layout.level_of(rank), layout.x(rank));
  return QPointF(x, y - scrolled_y());
}

QRectF TreeView::place_of_level(int level) const {
  if (level < 0 || level >= static_cast<int>(picture_.rows().size())) return {};
  const TreePicture::Row& row = picture_.rows()[static_cast<std::size_t>(level)];
  return {picture_.area_left(), row.top - scrolled_y(), picture_.area_width(), row.height};
}

std::optional<DiagramNode> TreeView::node_under(QPointF at) const {
  const auto node = drawing().hit(at.x(), at.y() + scrolled_y(), reach);
  return node ? diagram_.node(NodeId{*node}) : std::nullopt;
}

void TreeView::update_layout(double zoom) {
  TreeRoom room;
  room.width = viewport()->width(), room.height = viewport()->height();
  room.scale = text_scale_;
  constexpr int few_levels = 5;
  // Closer rows and strips, rather than a scroll bar and an overview, until a person looks closer.
  room.in_sight = in_sight_ || zoom <= 1 || diagram_.final_levels <= few_levels;
  QFont small = font();
  small.setPixelSize(static_cast<int>(0.85 * text()));
  room.width_of = [metrics = QFontMetricsF(small)](std::string_view words) {
    return metrics.horizontalAdvance(QString::fromUtf8(words.data(), static_cast<qsizetype>(words.size())));
  };
  picture_.fit(diagram_, std::move(room), zoom);
  const QSignalBlocker quiet(horizontalScrollBar());
  horizontalScrollBar()->setPageStep(static_cast<int>(picture_.area_width()));
  horizontalScrollBar()->setSingleStep(static_cast<int>(3 * text()));
  horizontalScrollBar()->setRange(0, static_cast<int>(picture_.page_width() - picture_.area_width()));
  find_visible();
  say_state();
  setAccessibleDescription(
      diagram_.node_count == 0
          ? nothing_
          : tr("%1 nodes on %2 levels").arg(thousands(diagram_.node_count)).arg(diagram_.levels.size()));
  emit window_changed();
}

void TreeView::find_visible() {
  picture_.scroll_to(horizontalScrollBar()->value());
  verticalScrollBar()->setPageStep(viewport()->height());
  verticalScrollBar()->setSingleStep(static_cast<int>(2 * text()));
  verticalScrollBar()->setRange(0, static_cast<int>(std::ceil(picture_.page_height())) - viewport()->height());
  redraw();
}

void TreeView::say_state() {
  out_->setEnabled(zoom() > 1);
  all_->setEnabled(zoom() > 1);
  in_->setEnabled(zoom() < picture_.largest_zoom());
  bool strips = false;
  for (int level = 0; level < diagram_.final_levels; ++level) strips = strips || is_strip(level);
  setWindowTitle(zoom() > 1 ? tr("%1 times as wide").arg(QLocale(QLocale::English).toString(zoom(), 'g', 3))
                 : strips   ? tr("Click a strip to open")
                            : QString());
}

void TreeView::show_window(double middle, double zoom, int keep_level) {
  const std::vector<TreePicture::Row>& rows = picture_.rows();
  const auto level = static_cast<std::size_t>(std::max(0, keep_level));
  const double kept = level < rows.size() ? rows[level].top - scrolled_y() : 0;
  update_layout(zoom);
  horizontalScrollBar()->setValue(static_cast<int>(middle * picture_.page_width() - picture_.area_width() / 2));
  find_visible();
  if (keep_level >= 0 && level < rows.size()) {  // its row stays where it was, and within the window
    const double room = std::max(0.0, viewport()->height() - rows[level].height - text());
    verticalScrollBar()->setValue(static_cast<int>(rows[level].top - std::clamp(kept, 0.0, room)));
  }
  say_state();
  emit window_changed();
}

void TreeView::reveal(NodeId node) {
  const TreeLayout& layout = diagram_.layout();
  const std::uint32_t rank = layout.rank_of(node);
  if (rank == no_id || picture_.rows().empty()) return;
  const int level = layout.level_of(rank);
  double gap = 1;
  if (rank > layout.level_begin(level)) gap = layout.x(rank) - layout.x(rank - 1);
  if (rank + 1 < layout.level_end(level)) gap = std::min(gap, layout.x(rank + 1) - layout.x(rank));
  const double room = picture_.node_width(static_cast<double>(std::to_string(node.value).size())) + 0.6 * text();
  show_window(layout.x(rank), std::max(zoom(), room / (gap * picture_.area_width())), level);
  while (is_strip(level) && zoom() < picture_.largest_zoom()) show_window(layout.x(rank), zoom() * 2, level);
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
    for (const TreePicture::Row& row : picture_.rows()) levels += std::clamp((y - row.top) / row.height, 0.0, 1.0);
    return levels / static_cast<double>(picture_.rows().size());
  };
  const double top = share(scrolled_y()), bottom = share(scrolled_y() + viewport()->height());
  return {picture_.x_at(picture_.area_left()), top, 1 / zoom(), bottom - top};
}

void TreeView::centre(QPointF place) {
  horizontalScrollBar()->setValue(static_cast<int>(place.x() * picture_.page_width() - picture_.area_width() / 2));
  const std::vector<TreePicture::Row>& rows = picture_.rows();
  if (rows.empty()) return;
  const double level = std::clamp(place.y(), 0.0, 1.0) * static_cast<double>(rows.size());
  const TreePicture::Row& row = rows[std::min(static_cast<std::size_t>(level), rows.size() - 1)];
  verticalScrollBar()->setValue(static_cast<int>(row.centre() - viewport()->height() / 2.0));
}

QString TreeView::describe(const DiagramNode& node) const {
  QStringList lines;
  for (const std::string& line : described(diagram_, node)) lines << QString::fromStdString(line);
  QString words = lines.join(QLatin1Char('\n'));
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

bool TreeView::viewportEvent(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QAbstractScrollArea::viewportEvent(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  const auto under = node_under(help->pos());
  const int level = level_under(help->pos().y());
  const QString words = under ? describe(*under)
                        : is_strip(level)
                            ? QString::fromStdString(described_level(diagram_, level)) + tr("\nClick to open it here.")
                            : QString();
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
  const double kept = middle();
  update_layout();
  if (zoom() > 1) show_window(kept, zoom(), -1);
}

void TreeView::scrollContentsBy(int dx, int) {
  if (dx != 0) find_visible();
  redraw();
  emit window_changed();
}

void TreeView::wheelEvent(QWheelEvent* event) {
  if (event->modifiers() & Qt::ControlModifier) {
    const double wide = std::clamp(zoom() * std::pow(1.0015, event->angleDelta().y()), 1.0, picture_.largest_zoom());
    const double x = event->position().x(), at = picture_.x_at(x);  // stays under the pointer
    const double width = picture_.area_width();
    show_window(at + (picture_.area_left() + width / 2 - x) / (width * wide), wide, level_under(event->position().y()));
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
    emit picked({Space::node, under->node.value});
  } else if (is_strip(level)) {  // opens at the nearest node
    const TreeLayout& layout = diagram_.layout();
    const double x = picture_.x_at(event->position().x());
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
        return show_subtree(marks_.selected.empty() ? diagram_.layout().node(0) : marks_.selected.front());
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
  const std::uint32_t at = marks_.selected.empty() ? no_id : layout.rank_of(marks_.selected.front());
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
