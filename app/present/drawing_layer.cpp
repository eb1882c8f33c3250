#include "app/present/drawing_layer.hpp"

#include <QCursor>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>

namespace kdscope {
namespace {

// Bright on every theme, and outlined in white and black, so that it is seen on any colour.
constexpr QColor ink(255, 40, 40);
constexpr int frame_ms = 16;

int spot_radius(const QWidget& layer) { return std::max(10, layer.height() / 45); }
int light_radius(const QWidget& layer) { return layer.height() / 6; }

}  // namespace

DrawingLayer::DrawingLayer(QWidget* parent) : QWidget(parent) {
  setFocusPolicy(Qt::NoFocus);
  setObjectName(QStringLiteral("drawing_layer"));
  follow_.setInterval(frame_ms);
  connect(&follow_, &QTimer::timeout, this, &DrawingLayer::follow_mouse);
  show_what_is_on();
}

void DrawingLayer::toggle(Aid aid) {
  aid_ = aid_ == aid ? Aid::none : aid;
  show_what_is_on();
}

void DrawingLayer::set_pen(bool pen) {
  pen_ = pen;
  drawing_ = false;
  show_what_is_on();
}

std::size_t DrawingLayer::strokes() const {
  const auto found = strokes_.find(place_);
  return found == strokes_.end() ? 0 : found->second.size();
}

void DrawingLayer::clear() {
  strokes_.erase(place_);
  drawing_ = false;
  show_what_is_on();
}

void DrawingLayer::set_place(const QString& place) {
  if (place == place_) return;
  place_ = place;
  drawing_ = false;
  show_what_is_on();
}

void DrawingLayer::forget() {
  strokes_.clear();
  drawing_ = false;
  show_what_is_on();
}

void DrawingLayer::show_what_is_on() {
  setAttribute(Qt::WA_TransparentForMouseEvents, !pen_);
  if (pen_)
    setCursor(Qt::CrossCursor);
  else
    unsetCursor();
  aid_ != Aid::none ? follow_.start() : follow_.stop();
  at_ = mapFromGlobal(QCursor::pos());
  setVisible(pen_ || aid_ != Aid::none || strokes() > 0);
  raise();
  update();
}

QRect DrawingLayer::around(QPoint at) const {
  const int radius = (aid_ == Aid::spotlight ? light_radius(*this) : spot_radius(*this)) + 6;
  return {at - QPoint(radius, radius), QSize(2 * radius, 2 * radius)};
}

void DrawingLayer::follow_mouse() {
  const QPoint at = mapFromGlobal(QCursor::pos());
  if (at == at_) return;
  update(around(at_));
  at_ = at;
  update(around(at_));
}

void DrawingLayer::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  if (aid_ == Aid::spotlight) {
    QPainterPath dark;
    dark.addRect(rect());
    dark.addEllipse(QPointF(at_), light_radius(*this), light_radius(*this));
    painter.fillPath(dark, QColor(0, 0, 0, 170));
  }
  if (const auto found = strokes_.find(place_); found != strokes_.end()) {
    const double thick = std::max(3.0, height() / 220.0);
    for (const auto& [colour, width] : {std::pair{QColor(255, 255, 255, 200), 1.8 * thick}, std::pair{ink, thick}}) {
      painter.setPen(QPen(colour, width, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
      for (const QPolygonF& stroke : found->second) {
        QPolygonF here;
        for (const QPointF& point : stroke) here << QPointF(point.x() * this->width(), point.y() * height());
        here.size() > 1 ? painter.drawPolyline(here) : painter.drawPoint(here.front());
      }
    }
  }
  if (aid_ == Aid::pointer) {
    const double radius = spot_radius(*this);
    painter.setPen(QPen(QColor(0, 0, 0, 160), radius / 4));
    painter.setBrush(QColor(ink.red(), ink.green(), ink.blue(), 200));
    painter.drawEllipse(QPointF(at_), radius, radius);
    painter.setPen(QPen(Qt::white, radius / 8));
    painter.setBrush(Qt::NoBrush);
    painter.drawEllipse(QPointF(at_), radius, radius);
  }
}

void DrawingLayer::mousePressEvent(QMouseEvent* event) {
  if (!pen_ || event->button() != Qt::LeftButton) return;
  drawing_ = true;
  strokes_[place_].push_back(QPolygonF{relative(event->position())});
  update();
}

void DrawingLayer::mouseMoveEvent(QMouseEvent* event) {
  if (!drawing_) return;
  strokes_[place_].back() << relative(event->position());
  update();
}

void DrawingLayer::mouseReleaseEvent(QMouseEvent*) { drawing_ = false; }

}  // namespace kdscope
