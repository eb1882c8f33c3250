#pragma once
// What a lecturer draws over a presentation: a bright spot at the mouse, a spotlight, and strokes of a pen.

#include <QPolygonF>
#include <QString>
#include <QTimer>
#include <QWidget>
#include <map>
#include <vector>

namespace kdscope {

/// Covers its parent. Without the pen, the mouse reaches what lies below. Strokes belong to a place, such as a step:
/// they go with it and come back with it.
class DrawingLayer : public QWidget {
  Q_OBJECT

 public:
  enum class Aid { none, pointer, spotlight };
  explicit DrawingLayer(QWidget* parent);

  Aid aid() const { return aid_; }
  /// Shows this aid; the one that is shown already is turned off.
  void toggle(Aid aid);
  bool has_pen() const { return pen_; }
  void set_pen(bool pen);
  /// The number of strokes at this place.
  std::size_t strokes() const;
  /// Removes the strokes of this place.
  void clear();
  /// Goes to another place.
  void set_place(const QString& place);
  /// Forgets the strokes of all places.
  void forget();

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;

 private:
  void show_what_is_on();
  void follow_mouse();
  QRect around(QPoint at) const;
  QPointF relative(QPointF at) const { return {at.x() / std::max(1, width()), at.y() / std::max(1, height())}; }

  Aid aid_ = Aid::none;
  bool pen_ = false, drawing_ = false;
  QPoint at_;
  QTimer follow_;  // a tracking mouse would need every pane's help
  QString place_;
  std::map<QString, std::vector<QPolygonF>> strokes_;  // by place, in fractions of the size
};

}  // namespace kdscope
