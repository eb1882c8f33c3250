#pragma once
// The tree as a diagram: level order, node index, split and state. Large trees fold to a strip of levels.

#include <QAbstractScrollArea>
#include <QPointF>
#include <optional>
#include <vector>

#include "algorithms/trace/trace.hpp"
#include "visualizer/model/changes.hpp"
#include "visualizer/model/tree_diagram.hpp"
#include "visualizer/style/theme.hpp"

namespace kdscope {

/// Draws a TreeDiagram with QPainter, fitted to the width; nodes show as much as they have room for. The wheel scrolls,
/// Ctrl+wheel zooms sideways, dragging pans; Alt+arrows pick parent, first child and neighbours.
class TreeView : public QAbstractScrollArea {
  Q_OBJECT

 public:
  explicit TreeView(QWidget* parent = nullptr);

  /// Draws the step at which the cursor stands. Copies what it needs.
  void show_step(const Cursor& cursor);
  void clear();
  void set_theme(ThemeId theme);
  void set_text_scale(double scale);
  /// Nodes that differ from the state at step `since`: underlined, and hovering tells the old and the new.
  void set_changes(std::vector<NodeChange> changes, std::uint32_t since);
  /// Thick frame; scrolled into sight.
  void select_node(std::optional<NodeId> node);
  const TreeDiagram& diagram() const { return diagram_; }
  /// Centre of a node in viewport coordinates; none when it is not drawn.
  std::optional<QPointF> place_of_node(NodeId node) const;
  /// Paints the whole diagram, as large as it is on the screen, e.g. onto an SVG or PDF page.
  void paint_to(QPainter& painter) const;
  QSizeF page_size() const;
  QSize sizeHint() const override { return {420, 260}; }

 signals:
  void node_picked(kdscope::NodeId node);
  void picked_nothing();

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  bool viewportEvent(QEvent* event) override;

 private:
  /// How a level is drawn, by the room it has.
  enum class Detail { dot, index, one_line, two_lines };
  std::optional<std::size_t> node_under(QPointF at) const;  // index in diagram_.nodes
  QPointF centre_of(const DiagramNode& node) const;         // on the page
  QSizeF node_size(const DiagramNode& node) const;
  double pill_width(double digits) const;
  int rows() const;
  QPointF scrolled() const;
  double text() const { return 15 * text_scale_; }          // pixels
  void set_zoom(double zoom, double keep_x);
  void update_layout();
  void draw_nodes(QPainter& painter, const QRectF& visible) const;
  void draw_node(QPainter& painter, const DiagramNode& node) const;
  void draw_levels(QPainter& painter) const;
  QString describe(const DiagramNode& node) const;
  void move_current(int key);

  const NodeChange* change_of(NodeId node) const;

  TreeDiagram diagram_;
  std::vector<NodeChange> changes_;                         // ascending
  std::uint32_t changed_since_ = 0;
  bool has_step_ = false;
  ThemeId theme_ = ThemeId::light;
  double text_scale_ = 1, zoom_ = 1;
  double row_height_ = 60;
  std::vector<Detail> details_;                             // by level
  std::optional<NodeId> selected_;
  std::optional<QPointF> pressed_;
  QPointF last_;
  bool dragging_ = false;
};

}  // namespace kdscope
