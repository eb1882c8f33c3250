#pragma once
// Parallel coordinates that scroll and zoom over any number of dimensions, and pick points, nodes and axes.

#include <QAbstractScrollArea>
#include <QImage>
#include <QPixmap>
#include <optional>
#include <vector>

#include "app/session/session.hpp"
#include "app/views/coordinate_look.hpp"

namespace kdscope {

class ParallelCoordinatesView : public QAbstractScrollArea {
  Q_OBJECT

 public:
  explicit ParallelCoordinatesView(QWidget* parent = nullptr);

  /// Shows another run; null shows none.
  void show_trace(std::shared_ptr<const Trace> trace);
  /// Shows the step of a cursor, and the selection at that step.
  void show_step(const Cursor& cursor, const Selection& selection, const LinkedSelection& linked);
  void set_axes(const Axes& axes);
  void set_appearance(const Theme& theme, int text_scale);
  /// Only dimensions that the tree splits; all axes in one unit of length.
  void set_split_only(bool split_only);
  void set_same_unit(bool same_unit);

  const ParallelCoordinates& model() const { return model_; }
  /// Number of lines drawn: the more axes are in sight, the fewer.
  std::size_t drawn() const { return look_.drawn; }
  /// The part of all axes that is in sight, as shares of the whole.
  QRectF window() const;
  /// Axes that are wholly in sight, half-open.
  std::pair<std::size_t, std::size_t> axes_in_sight() const;
  void centre(QPointF share);
  void zoom(double factor);
  /// Zooms out until all axes are in sight.
  void show_all();
  /// The density of the lines on every axis, for an overview.
  QImage overview(int width, int height) const;

  /// Places in the viewport; empty or none where nothing is shown.
  QRectF heading(std::uint32_t dim) const;
  std::optional<QPointF> place_of(PointId point, std::uint32_t dim) const;
  QRectF bar(NodeId node, std::uint32_t dim) const;
  QRectF split(NodeId node) const;
  bool has_bars() const { return drawing().has_bars(); }
  std::optional<std::uint32_t> current_dimension() const;
  const std::vector<CoordinateLine>& selected() const { return look_.selected; }
  QString tip_at(QPointF at) const;

 signals:
  /// A point or a node; beside all of them, an empty selection.
  void picked(const kdscope::Selection& selection);
  /// A person wants a dimension on axis 0, 1 or 2 of the view.
  void axis_picked(int axis, int dimension);
  void window_changed();

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void scrollContentsBy(int dx, int dy) override;
  void mousePressEvent(QMouseEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  bool event(QEvent* event) override;
  bool viewportEvent(QEvent* event) override;

 private:
  /// What lies at a place: points and nodes, the uppermost first.
  struct Pick {
    std::optional<PointId> point;
    std::optional<NodeId> node;
    bool operator==(const Pick&) const = default;
  };
  CoordinateDrawing drawing() const { return {model_, frame_, kdscope::place_of(viewport()->rect()), look_}; }
  void lay_out();
  void follow_bars();
  void redraw();
  void show_axis(std::size_t axis);
  void go_along(int direction);
  void go_up(int direction);
  std::vector<Pick> picks_at(QPointF at) const;
  std::optional<std::size_t> axis_at(QPointF at) const;
  std::vector<PointId> selected_points() const;

  ParallelCoordinates model_;
  CoordinateFrame frame_;
  CoordinateLook look_;
  const Theme* theme_;
  int text_scale_ = 100;
  double zoom_ = 1;
  QPixmap lines_;  // the lines as last painted; null: to be painted again
  QPointF clicked_;
  std::vector<Pick> under_click_;
  std::size_t picked_ = 0;
};

}  // namespace kdscope
