#pragma once
// A traced picture, in which a pixel is chosen and around which the eye moves.

#include <QImage>
#include <QWidget>
#include <optional>

namespace kdscope {

/// Accepts a key that the window would otherwise take for the steps of the run: arrows and Enter. Returns whether it
/// was one. For event(), where a widget has another use for them.
bool keeps_key(QEvent* event);

/// Draws a picture as large as it fits, each pixel a square. A click chooses a pixel, arrow keys move it, Enter takes
/// it. Dragging moves the eye, the wheel moves it nearer.
class PictureCanvas : public QWidget {
  Q_OBJECT

 public:
  explicit PictureCanvas(QWidget* parent = nullptr);

  /// Keeps the chosen pixel if the size stays the same.
  void show_image(QImage image);
  const QImage& image() const { return image_; }
  /// Sets the text that is drawn while there is no picture.
  void set_hint(const QString& hint);
  const QString& hint() const { return hint_; }
  std::optional<QPoint> pixel() const { return pixel_; }
  /// Pixels outside of the picture are ignored.
  void choose(QPoint pixel);
  /// The square of a pixel in the widget.
  QRectF square_of(QPoint pixel) const;

  QSize sizeHint() const override { return {320, 240}; }

 signals:
  void chosen(QPoint pixel);  ///< by a click or a key
  void taken(QPoint pixel);   ///< by a double click or Enter
  /// The eye is dragged so many widths of the picture to the right and heights down.
  void dragged(double right, double down);
  void moved_nearer(double steps);

 protected:
  bool event(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;

 private:
  QRectF place() const;
  std::optional<QPoint> pixel_at(QPointF position) const;

  QImage image_;
  QString hint_;
  std::optional<QPoint> pixel_;
  QPointF pressed_;
  bool dragging_ = false;
};

}  // namespace kdscope
