#pragma once
// Records every text that a widget and its children actually paint: its content, its font, its colour, and whether the
// widget's edge cuts it. Qt paints onto a device that draws nothing and records the texts.

#include <QPaintDevice>
#include <QPaintEngine>
#include <QTextItem>
#include <QWidget>
#include <vector>

namespace kdscope {

struct PaintedText {
  QString text;
  double pixels = 0;  ///< size of the font
  QRectF box;         ///< position in the widget, from ascent to descent
  QRectF room;        ///< the area that may be painted
  QColor ink;
};

class TextCollector : public QPaintEngine {
 public:
  explicit TextCollector(std::vector<PaintedText>& texts) : QPaintEngine(AllFeatures), texts_(texts) {}
  bool begin(QPaintDevice*) override { return true; }
  bool end() override { return true; }
  Type type() const override { return User; }
  void updateState(const QPaintEngineState&) override {}
  void drawPixmap(const QRectF&, const QPixmap&, const QRectF&) override {}
  void drawImage(const QRectF&, const QImage&, const QRectF&, Qt::ImageConversionFlags) override {}
  void drawPath(const QPainterPath&) override {}
  void drawRects(const QRectF*, int) override {}
  void drawRects(const QRect*, int) override {}
  void drawLines(const QLineF*, int) override {}
  void drawLines(const QLine*, int) override {}
  void drawEllipse(const QRectF&) override {}
  void drawEllipse(const QRect&) override {}
  void drawPoints(const QPointF*, int) override {}
  void drawPoints(const QPoint*, int) override {}
  void drawPolygon(const QPointF*, int, PolygonDrawMode) override {}
  void drawPolygon(const QPoint*, int, PolygonDrawMode) override {}
  void drawTiledPixmap(const QRectF&, const QPixmap&, const QPointF&) override {}
  void drawTextItem(const QPointF& at, const QTextItem& item) override {
    if (item.text().trimmed().isEmpty()) return;
    const QTransform to_widget = painter()->combinedTransform();
    const QRectF box(at.x(), at.y() - item.ascent(), item.width(), item.ascent() + item.descent());
    const QRectF clip = painter()->hasClipping() ? to_widget.mapRect(painter()->clipBoundingRect()) : QRectF();
    QRectF room = QRectF(systemClip().boundingRect());
    if (!clip.isNull()) room &= clip;
    texts_.push_back({item.text(), QFontInfo(item.font()).pixelSize() * to_widget.m11(), to_widget.mapRect(box), room,
                      painter()->pen().color()});
  }

 private:
  std::vector<PaintedText>& texts_;
};

class TextPaper : public QPaintDevice {
 public:
  explicit TextPaper(QSize size) : size_(size) {}
  QPaintEngine* paintEngine() const override { return &collector_; }
  const std::vector<PaintedText>& texts() const { return texts_; }

 protected:
  int metric(PaintDeviceMetric metric) const override {
    switch (metric) {
      case PdmWidth:
        return size_.width();
      case PdmHeight:
        return size_.height();
      case PdmDpiX:
      case PdmDpiY:
      case PdmPhysicalDpiX:
      case PdmPhysicalDpiY:
        return 96;
      case PdmDepth:
        return 32;
      case PdmNumColors:
        return 0x7fffffff;
      case PdmDevicePixelRatio:
        return 1;
      case PdmDevicePixelRatioScaled:
        return static_cast<int>(devicePixelRatioFScale());
      case PdmWidthMM:
        return size_.width() / 4;
      case PdmHeightMM:
        return size_.height() / 4;
    }
    return 0;
  }

 private:
  QSize size_;
  std::vector<PaintedText> texts_;
  mutable TextCollector collector_{texts_};
};

/// Returns the texts of one widget, without its children.
inline std::vector<PaintedText> painted_texts(QWidget& widget,
                                              QWidget::RenderFlags flags = QWidget::DrawWindowBackground) {
  TextPaper paper(widget.size());
  widget.render(&paper, QPoint(), QRegion(), flags);
  return paper.texts();
}

}  // namespace kdscope
