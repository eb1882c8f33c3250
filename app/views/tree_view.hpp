#pragma once
// The tree as a diagram: level order, node index, split and state. Levels without room for nodes fold into strips.

#include <QAbstractScrollArea>
#include <QPointF>
#include <QPointer>
#include <algorithm>
#include <functional>
#include <optional>
#include <vector>

#include "algorithms/trace/trace.hpp"
#include "app/session/session.hpp"
#include "visualizer/figure/tree_picture.hpp"
#include "visualizer/model/changes.hpp"
#include "visualizer/style/theme.hpp"

class QToolButton;

namespace kdscope {

/// Shows a TreePicture, fitted to the width; nodes show as much as they have room for. A level without
/// room for its nodes is a strip, shaded by how many of them are made; a click on it zooms in until they are visible.
/// A node with a point names it ("p7") inside or below its number, or on the whole level nowhere if it does not fit.
/// Mouse: the wheel scrolls, Ctrl+wheel zooms sideways, dragging pans, and a double click beside the nodes shows all.
/// Keys: Alt+arrows pick the parent, the first child and neighbours, Return fits the subtree of the picked node, and
/// Backspace shows all.
class TreeView : public QAbstractScrollArea {
  Q_OBJECT

 public:
  explicit TreeView(QWidget* parent = nullptr);
  ~TreeView() override;

  /// Draws the step at which the cursor stands, except for what is hidden. Copies what it needs. `added`: highlights in
  /// addition to those of the step.
  void show_step(const Cursor& cursor, std::span<const Highlight> added = {}, const Concealment& concealed = {});
  /// Nodes that differ from the previous run, ascending: each has a badge.
  void show_difference(std::vector<NodeId> nodes);
  void clear();
  void set_theme(ThemeId theme);
  void set_text_scale(double scale);
  /// From here on, all levels are in sight at any height, for a view that nobody scrolls: rows become lower, then the
  /// lowest levels become strips.
  void keep_in_sight();
  /// Nodes that differ from the state at step `since`: underlined, with the old and the new value in the tool tip.
  void set_changes(std::vector<NodeChange> changes, std::uint32_t since, std::function<NodeWords(NodeId)> words = {});
  /// See TreeMarks::growth.
  void set_growth(Growth growth);
  /// The tool tip of a node; empty for one that does not exist.
  QString node_tip(NodeId node) const;
  /// Frames a node and scrolls it into sight.
  void select_node(std::optional<NodeId> node) { select_nodes(node ? std::vector{*node} : std::vector<NodeId>()); }
  /// Frames several nodes, ascending, and scrolls so that one of them is in sight.
  void select_nodes(std::vector<NodeId> nodes);
  const std::vector<NodeId>& selected() const { return marks_.selected; }
  bool is_selected(NodeId node) const {
    return std::binary_search(marks_.selected.begin(), marks_.selected.end(), node);
  }
  /// Whether a node violates a check of the step.
  bool is_violating(NodeId node) const { return marks_.is_violating(node); }

  /// Zooms in until a node is drawn individually, in the middle.
  void reveal(NodeId node);
  /// Fits a node's subtree to the width.
  void show_subtree(NodeId node);
  void show_all();
  double zoom() const { return picture_.zoom(); }
  /// Whether a level is a strip now, and where it stands, in viewport coordinates.
  bool is_strip(int level) const { return picture_.is_strip(level); }
  QRectF place_of_level(int level) const;

  /// The part in sight, as shares of the whole. centre() scrolls such a place to the middle.
  QRectF window() const;
  void centre(QPointF place);
  ThemeId theme_id() const { return theme_; }
  const TreeDiagram& diagram() const { return diagram_; }
  /// Centre of a node's place in viewport coordinates, from which it differs while it drops; none when it is not there.
  std::optional<QPointF> place_of_node(NodeId node) const;
  /// Paints the tree at its zoom and horizontal position, but in full height, e.g. onto an SVG or PDF page.
  void paint_to(QPainter& painter) const;
  QSizeF page_size() const;
  QSize sizeHint() const override { return {420, 260}; }
  /// Zoom out, in, all: for the dock's title bar, which then owns them.
  QWidget* zoom_buttons() const { return buttons_; }

 signals:
  /// A node; beside all of them, an empty selection.
  void picked(const kdscope::Selection& selection);
  /// Another diagram or theme is shown; another part of it is in sight; other nodes are framed.
  void drawn_anew();
  void window_changed();
  void selection_shown();

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  bool viewportEvent(QEvent* event) override;
  void scrollContentsBy(int dx, int dy) override;

 private:
  double text() const { return 15 * text_scale_; }  // pixels
  double scrolled_y() const;
  double middle() const { return picture_.x_at(picture_.area_left() + picture_.area_width() / 2); }
  const DisplayList& drawing() const;  // of the rows in sight
  std::optional<DiagramNode> node_under(QPointF at) const;
  int level_under(double y) const { return picture_.level_at(y + scrolled_y()); }  // -1: none
  QString empty_words(const Cursor* cursor) const;
  void update_layout() { update_layout(zoom()); }
  void update_layout(double zoom);
  void find_visible();
  void redraw();
  /// Has no effect on a view that nobody scrolls.
  void show_bar(Qt::ScrollBarPolicy policy);
  void show_window(double middle, double zoom, int keep_level);
  void say_state();
  const NodeChange* change_of(NodeId node) const;
  QString describe(const DiagramNode& node) const;
  void move_current(int key);

  TreeDiagram diagram_;
  TreePicture picture_;
  TreeMarks marks_;
  std::uint32_t step_ = no_id;  // that is shown
  mutable std::optional<DisplayList> drawing_;
  std::vector<NodeChange> changes_;  // ascending
  std::uint32_t changed_since_ = 0;
  std::function<NodeWords(NodeId)> change_words_;
  QString nothing_;  // shown while there is no tree
  ThemeId theme_ = ThemeId::light;
  double text_scale_ = 1;
  std::optional<QPointF> pressed_;
  QPointF last_;
  bool dragging_ = false, in_sight_ = false;
  QPointer<QWidget> buttons_;
  QToolButton *out_, *in_, *all_;
  QSize outer_size_;       ///< with the scroll bars
  int width_changes_ = 0;  ///< of the viewport, since outer_size_ or the step changed
};

}  // namespace kdscope
