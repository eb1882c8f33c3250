#pragma once
// The tree as a diagram: level order, node index, split and state. Large trees fold to a strip of levels.

#include <QAbstractScrollArea>
#include <QPointF>
#include <optional>

#include "algorithms/trace/trace.hpp"
#include "visualizer/model/tree_diagram.hpp"
#include "visualizer/style/theme.hpp"

namespace kdscope {

/// Draws a TreeDiagram with QPainter. Wheel scrolls, Ctrl+wheel zooms, dragging pans, arrows move the current node,
/// Enter picks it.
class TreeView : public QAbstractScrollArea {
  Q_OBJECT

 public:
  explicit TreeView(QWidget* parent = nullptr);

  /// Draws the step at which the cursor stands. Copies what it needs.
  void show_step(const Cursor& cursor);
  void clear();
  void set_theme(ThemeId theme);
  void set_text_scale(double scale);
  /// Thick frame; scrolled into sight.
  void select_node(std::optional<NodeId> node);
  const TreeDiagram& diagram() const { return diagram_; }
  /// Centre of a node in viewport coordinates; none when it is not drawn.
  std::optional<QPointF> place_of_node(NodeId node) const;
  /// Paints the whole diagram, e.g. onto an SVG or PDF page; returns its natural size.
  QSizeF paint_to(QPainter& painter) const;
  QSizeF natural_size() const;
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
  std::optional<std::size_t> node_under(QPointF at) const;  // index in diagram_.nodes
  QPointF centre_of(const DiagramNode& node) const;         // on the page
  void set_zoom(double zoom, QPointF keep);
  void update_scroll_bars();
  void draw_nodes(QPainter& painter) const;
  void draw_levels(QPainter& painter) const;

  TreeDiagram diagram_;
  ThemeId theme_ = ThemeId::light;
  double text_scale_ = 1, zoom_ = 1;
  std::optional<NodeId> selected_;
  std::optional<QPointF> pressed_, dragged_from_;
};

}  // namespace kdscope
