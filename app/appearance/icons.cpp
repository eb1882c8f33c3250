#include "app/appearance/icons.hpp"

#include <QFile>
#include <QGuiApplication>
#include <QIconEngine>
#include <QPainter>
#include <QPalette>
#include <QSvgRenderer>
#include <optional>

namespace kdscope {
namespace {

/// Returns the file of a symbol, in which its ink is called currentColor.
QByteArray svg_of(Symbol symbol) {
  constexpr const char* names[] = {
      "first",         "back",          "play",     "pause",      "forward", "last",   "previous_stop", "next_stop",
      "level_back",    "level_forward", "bookmark", "play",       "cancel",  "clock",  "open",          "file",
      "parent_folder", "new_folder",    "close",    "float_dock", "passed",  "failed", "warning",       "information"};
  static_assert(std::size(names) == static_cast<std::size_t>(Symbol::information) + 1);
  QFile file(QString(":/icons/%1.svg").arg(names[static_cast<std::size_t>(symbol)]));
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

class SymbolEngine : public QIconEngine {
 public:
  SymbolEngine(Symbol symbol, std::optional<QColor> colour)
      : svg_(svg_of(symbol)), leads_(symbol == Symbol::play || symbol == Symbol::pause), colour_(colour) {}

  void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State) override {
    const QPalette palette = QGuiApplication::palette();
    const QColor ink = mode == QIcon::Disabled           ? palette.color(QPalette::Disabled, QPalette::ButtonText)
                       : colour_                         ? *colour_
                       : leads_ || mode != QIcon::Normal ? palette.color(QPalette::ButtonText)
                                                         : palette.color(QPalette::PlaceholderText);
    QSvgRenderer picture(QByteArray(svg_).replace("currentColor", ink.name().toLatin1()));
    const double side = std::min(rect.width(), rect.height());
    QRectF square(0, 0, side, side);
    square.moveCenter(QRectF(rect).center());
    painter->save();
    painter->setOpacity(painter->opacity() * ink.alphaF());
    picture.render(painter, square);
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
  QByteArray svg_;
  bool leads_;  // among the tools beside it, which step back until they are used
  std::optional<QColor> colour_;
};

}  // namespace

QIcon icon(Symbol symbol) { return QIcon(new SymbolEngine(symbol, std::nullopt)); }
QIcon icon(Symbol symbol, const QColor& colour) { return QIcon(new SymbolEngine(symbol, colour)); }

}  // namespace kdscope
