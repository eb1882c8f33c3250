#pragma once
// The one Qt style of all themes: flat controls with one radius, one border and one accent, the palette's highlight.

#include <QProxyStyle>

namespace kdscope {

/// A widget with this property, set to true, is as low as the title bar of a pane.
inline constexpr const char* compact_control = "compact";

/// Draws what a lecture shows of buttons, fields, tabs and scroll bars; the rest is Fusion's. Colours come from the
/// palette, so a change of theme needs no new style. Sizes follow the font of the widget.
class FlatStyle : public QProxyStyle {
 public:
  FlatStyle();

  int pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const override;
  int styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                QStyleHintReturn* returned) const override;
  QSize sizeFromContents(ContentsType type, const QStyleOption* option, const QSize& contents,
                         const QWidget* widget) const override;
  QRect subControlRect(ComplexControl control, const QStyleOptionComplex* option, SubControl part,
                       const QWidget* widget) const override;
  QRect subElementRect(SubElement element, const QStyleOption* option, const QWidget* widget) const override;
  void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                     const QWidget* widget) const override;
  void drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                   const QWidget* widget) const override;
  void drawComplexControl(ComplexControl control, const QStyleOptionComplex* option, QPainter* painter,
                          const QWidget* widget) const override;
};

}  // namespace kdscope
