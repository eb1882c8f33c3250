#pragma once
// A small picture of everything that a pane scrolls over, with a frame around the part in sight and marks at the
// selection. Pressing a place emits it.

#include <QImage>
#include <QRectF>
#include <QWidget>
#include <vector>

#include "visualizer/style/theme.hpp"

namespace kdscope {

/// Places are shares of the whole, 0 to 1 from the upper left.
class Minimap : public QWidget {
  Q_OBJECT

 public:
  /// `lines`: its height in lines of text.
  explicit Minimap(double lines, QWidget* parent = nullptr);
  void set_picture(QImage picture, const Theme& theme);
  /// Hidden while everything is in sight.
  void set_window(const QRectF& in_sight);
  void set_marks(std::vector<QRectF> places);
  const std::vector<QRectF>& marks() const { return marks_; }
  QSize sizeHint() const override { return {200, static_cast<int>(fontMetrics().height() * lines_)}; }

 signals:
  void pressed(QPointF place);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;

 private:
  QRectF on_widget(const QRectF& share, double least) const;

  double lines_;
  QImage picture_;
  const Theme* theme_;
  QRectF window_{0, 0, 1, 1};
  std::vector<QRectF> marks_;
};

}  // namespace kdscope
