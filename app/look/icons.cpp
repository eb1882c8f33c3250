#include "app/look/icons.hpp"

#include <QGuiApplication>
#include <QIconEngine>
#include <QPainter>
#include <QPainterPath>
#include <QPalette>
#include <optional>

namespace kdscope {
namespace {

/// Filled shapes and strokes on a 24 x 24 grid.
struct Drawing {
  QPainterPath filled, stroked;
};

QPainterPath triangle(double tip, double base) {  // points right when tip > base
  QPainterPath path(QPointF(base, 5));
  path.lineTo(tip, 12);
  path.lineTo(base, 19);
  path.closeSubpath();
  return path;
}

QPainterPath bar(double x, double width = 2.6) {
  QPainterPath path;
  path.addRoundedRect(QRectF(x, 5, width, 14), 0.6, 0.6);
  return path;
}

QPainterPath lines(std::initializer_list<QPointF> points) {
  QPainterPath path(*points.begin());
  for (auto p = points.begin() + 1; p != points.end(); ++p) path.lineTo(*p);
  return path;
}

Drawing draw(Symbol symbol) {
  Drawing d;
  switch (symbol) {
    case Symbol::first:
      d.filled = bar(4) + triangle(8, 20);
      break;
    case Symbol::last:
      d.filled = bar(17.4) + triangle(16, 4);
      break;
    case Symbol::back:
      d.filled = triangle(6, 18);
      break;
    case Symbol::forward:
      d.filled = triangle(18, 6);
      break;
    case Symbol::play:
    case Symbol::run: {
      QPainterPath path(QPointF(6, 3.5));
      path.lineTo(20.5, 12);
      path.lineTo(6, 20.5);
      path.closeSubpath();
      d.filled = path;
      break;
    }
    case Symbol::pause:
      d.filled = bar(6, 4.2) + bar(13.8, 4.2);
      break;
    case Symbol::previous_stop:
    case Symbol::next_stop: {
      const bool next = symbol == Symbol::next_stop;
      d.stroked = next ? lines({{9, 5}, {16, 12}, {9, 19}}) : lines({{15, 5}, {8, 12}, {15, 19}});
      break;
    }
    case Symbol::level_back:
      d.filled = triangle(2, 12) + triangle(11, 21);
      break;
    case Symbol::level_forward:
      d.filled = triangle(22, 12) + triangle(13, 3);
      break;
    case Symbol::bookmark:
      d.stroked = lines({{6.5, 4}, {17.5, 4}, {17.5, 20}, {12, 15}, {6.5, 20}, {6.5, 4}});
      break;
    case Symbol::cancel:
      d.filled.addRoundedRect(QRectF(5, 5, 14, 14), 1.5, 1.5);
      break;
    case Symbol::clock:
      d.stroked.addEllipse(QPointF(12, 12.5), 8, 8);
      d.stroked.addPath(lines({{12, 8}, {12, 12.5}, {15.4, 14.6}}));
      break;
    case Symbol::open:
      d.stroked = lines({{3.5, 18.5}, {3.5, 5.5}, {9.5, 5.5}, {11.5, 8}, {20, 8}, {20, 18.5}, {3.5, 18.5}});
      break;
    case Symbol::close:
      d.stroked = lines({{6, 6}, {18, 18}});
      d.stroked.addPath(lines({{18, 6}, {6, 18}}));
      break;
    case Symbol::float_dock:
      d.stroked = lines({{4, 8.5}, {15.5, 8.5}, {15.5, 20}, {4, 20}, {4, 8.5}});
      d.stroked.addPath(lines({{8.5, 4}, {20, 4}, {20, 15.5}}));
      break;
    case Symbol::passed:
      d.stroked = lines({{5, 12.5}, {10, 17.5}, {19.5, 6.5}});
      break;
    case Symbol::failed:
      d.stroked = lines({{6, 6}, {18, 18}});
      d.stroked.addPath(lines({{18, 6}, {6, 18}}));
      break;
    case Symbol::warning:
      d.stroked = lines({{12, 4}, {21, 19.5}, {3, 19.5}, {12, 4}});
      d.stroked.addPath(lines({{12, 10}, {12, 14}}));
      d.filled.addEllipse(QPointF(12, 16.8), 1.2, 1.2);
      break;
    case Symbol::information:
      d.stroked.addEllipse(QPointF(12, 12), 8.5, 8.5);
      d.stroked.addPath(lines({{12, 11}, {12, 16.5}}));
      d.filled.addEllipse(QPointF(12, 7.8), 1.2, 1.2);
      break;
  }
  return d;
}

class SymbolEngine : public QIconEngine {
 public:
  SymbolEngine(Symbol symbol, std::optional<QColor> colour) : symbol_(symbol), colour_(colour) {}

  void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State) override {
    const QPalette palette = QGuiApplication::palette();
    const auto group = mode == QIcon::Disabled ? QPalette::Disabled : QPalette::Active;
    const QColor ink = colour_ && mode != QIcon::Disabled ? *colour_ : palette.color(group, QPalette::ButtonText);
    const Drawing drawing = draw(symbol_);
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    const double side = std::min(rect.width(), rect.height());
    painter->translate(QRectF(rect).center());
    painter->scale(side / 24, side / 24);
    painter->translate(-12, -12);
    painter->fillPath(drawing.filled, ink);
    painter->strokePath(drawing.stroked, QPen(ink, symbol_ == Symbol::passed || symbol_ == Symbol::failed ? 3.2 : 2.2,
                                              Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter->restore();
  }

  QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override {
    QPixmap pixmap(size);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    paint(&painter, QRect(QPoint(), size), mode, state);
    return pixmap;
  }

  QIconEngine* clone() const override { return new SymbolEngine(*this); }

 private:
  Symbol symbol_;
  std::optional<QColor> colour_;
};

}  // namespace

QIcon icon(Symbol symbol) { return QIcon(new SymbolEngine(symbol, std::nullopt)); }
QIcon icon(Symbol symbol, const QColor& colour) { return QIcon(new SymbolEngine(symbol, colour)); }

}  // namespace kdscope
