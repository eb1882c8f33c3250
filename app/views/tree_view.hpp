#pragma once
// The tree as a diagram: level order, node index, split and state. Levels without room for nodes fold into strips.

#include <QAbstractScrollArea>
#include <QImage>
#include <QPointF>
#include <QPointer>
#include <algorithm>
#include <functional>
#include <optional>
#include <vector>

#include "algorithms/trace/trace.hpp"
#include "app/session/session.hpp"
#include "visualizer/model/changes.hpp"
#include "visualizer/model/search_overlay.hpp"
#include "visualizer/model/tree_diagram.hpp"
#include "visualizer/style/theme.hpp"

class QToolButton;

namespace kdscope {

/// Draws a TreeDiagram with QPainter, fitted to the width; nodes show as much as they have room for. A level without
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
  /// Draws the children of these nodes, ascending, at a share of the way down from their parents; 1: in their places.
  void set_growth(std::vector<NodeId> split, double way);
  /// The tool tip of a node; empty for one that does not exist.
  QString node_tip(NodeId node) const;
  /// Frames a node and scrolls it into sight.
  void select_node(std::optional<NodeId> node) { select_nodes(node ? std::vector{*node} : std::vector<NodeId>()); }
  /// Frames several nodes, ascending, and scrolls so that one of them is in sight.
  void select_nodes(std::vector<NodeId> nodes);
  const std::vector<NodeId>& selected() const { return selected_; }
  bool is_selected(NodeId node) const { return std::binary_search(selected_.begin(), selected_.end(), node); }
  /// Whether a node violates a check of the step.
  bool is_violating(NodeId node) const;

  /// Zooms in until a node is drawn individually, in the middle.
  void reveal(NodeId node);
  /// Fits a node's subtree to the width.
  void show_subtree(NodeId node);
  void show_all();
  double zoom() const { return zoom_; }
  /// Whether a level is a strip now, and where it stands, in viewport coordinates.
  bool is_strip(int level) const;
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
  /// How a level is drawn, by the room it has.
  enum class Detail { strip, dot, index, one_line, two_lines };
  /// Where the nodes of a level name the point that is stored at them.
  enum class Naming { none, inside, below };
  struct Row {
    Detail detail = Detail::two_lines;
    Naming naming = Naming::none;
    bool tight = false;              // nodes are narrow: their numbers just fit
    double top = 0, height = 0;      // on the page
    std::size_t first = 0, end = 0;  // in visible_
    double centre() const;
  };

  // Layout: tree_view.cpp
  double text() const { return 15 * text_scale_; }  // pixels
  double pill_width(double digits, bool tight = false) const {
    return (tight ? 0.3 + 0.6 * digits : std::max(1.7, 0.55 + 0.7 * digits)) * text();
  }
  double scrolled_y() const;
  double page_height() const;
  double page_width() const { return area_width_ * zoom_; }
  double x_on_screen(double x) const;
  double x_at(double screen) const;                  // the inverse, 0 to 1
  QPointF centre_of(const DiagramNode& node) const;  // in the viewport
  QSizeF node_size(const DiagramNode& node) const;
  /// The part of a node that names its point; 0 if the node has none inside.
  double name_width(const DiagramNode& node) const;
  std::optional<std::size_t> node_under(QPointF at) const;  // index in visible_
  int level_under(double y) const;                          // -1: none
  QString empty_words(const Cursor* cursor) const;
  void update_layout();
  void find_visible();
  void fold_rows(double room, double row, double strip);
  /// Has no effect on a view that nobody scrolls.
  void show_bar(Qt::ScrollBarPolicy policy);
  void place_rows();
  void show_window(double middle, double zoom, int keep_level);
  double largest_zoom() const;
  void say_state();

  // Drawing: tree_view_drawing.cpp
  void draw(QPainter& painter, double from, double height) const;  // heights in the viewport
  QPointF drawn_at(const DiagramNode& node) const;                 // its centre, or where it is while it drops
  void draw_edges(QPainter& painter, const Row& row) const;
  /// Nodes that a search has skipped fade, those that it has not reached are paler.
  double faintness_of(NodeId node) const;  // from 0 to 1
  void draw_node(QPainter& painter, const DiagramNode& node) const;
  void draw_point_inside(QPainter& painter, const DiagramNode& node, const QRectF& body, double round) const;
  void draw_strip(QPainter& painter, int level) const;
  void draw_margins(QPainter& painter, double from, double height) const;
  QRectF strip_rect(int level) const;
  const NodeChange* change_of(NodeId node) const;

  QString amount(std::uint64_t count) const;  // "3 points", "1 triangle"
  QStringList lines_of(const DiagramNode& node) const;
  QString describe(const DiagramNode& node) const;
  QString describe_level(int level) const;
  void move_current(int key);

  TreeDiagram diagram_;
  std::vector<NodeChange> changes_;    // ascending
  std::vector<NodeId> differing_;      // from the previous run; ascending
  std::vector<bool> changed_;          // by node
  std::vector<NodeId> growing_;        // ascending
  double growth_ = 1;                  // the share of the way that their children have dropped
  std::vector<SearchState> searched_;  // by node; empty without a search
  std::uint32_t changed_since_ = 0;
  std::function<NodeWords(NodeId)> change_words_;
  QString nothing_;        // shown while there is no tree
  bool finished_ = false;  // no node is open or a pivot
  ThemeId theme_ = ThemeId::light;
  double text_scale_ = 1, zoom_ = 1;
  double area_left_ = 0, area_width_ = 1;  // of the nodes, between the margins
  std::vector<Row> rows_;                  // by level of the finished tree
  std::vector<DiagramNode> visible_;       // on levels that are not strips, and one more on each side
  mutable std::vector<QImage> strips_;     // by level, once drawn
  std::vector<NodeId> selected_;           // ascending
  std::vector<IndexRange> violating_;      // nodes, ascending
  std::optional<QPointF> pressed_;
  QPointF last_;
  bool dragging_ = false, in_sight_ = false;
  QPointer<QWidget> buttons_;
  QToolButton *out_, *in_, *all_;
  QSize outer_size_;       ///< with the scroll bars
  int width_changes_ = 0;  ///< of the viewport, since outer_size_ or the step changed
};

}  // namespace kdscope
