#include "app/appearance/appearance.hpp"

#include <QApplication>
#include <QDynamicPropertyChangeEvent>
#include <QFontDatabase>
#include <QPainter>
#include <QToolTip>
#include <QWidget>
#include <algorithm>
#include <array>
#include <utility>

#include "visualizer/style/tokens.hpp"

namespace kdscope {
namespace {

constexpr double base_points = 11.0;  // legible from the back of a small room at 100 %

constexpr const char* own_scale = "own_text_scale";

/// Follows the own text scale of the window that a widget is in when this is made.
class ScaleFollower : public QObject {
 public:
  ScaleFollower(QWidget& widget, std::function<void()> restyle) : QObject(&widget), restyle_(std::move(restyle)) {
    widget.window()->installEventFilter(this);
  }

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override {
    if (event->type() == QEvent::DynamicPropertyChange &&
        static_cast<QDynamicPropertyChangeEvent*>(event)->propertyName() == own_scale)
      restyle_();
    return QObject::eventFilter(watched, event);
  }

 private:
  std::function<void()> restyle_;
};

}  // namespace

QPainterPath glyph_path(Glyph glyph, QPointF centre, double radius) {
  QPolygonF corners;
  for (const auto& [x, y] : glyph_outline(glyph)) corners << centre + QPointF(x, y) * radius;
  QPainterPath path;
  path.addPolygon(corners);
  path.closeSubpath();
  return path;
}

Rgb phase_ground(const Theme& theme, int kind, bool is_here) {
  constexpr double palest = 0.08, apart = 0.06;
  constexpr int greys = 3;
  return is_here ? theme.focus : mix(theme.window, theme.text, palest + apart * (kind % greys));
}

const Theme& theme_of(const Appearance& looks) { return theme(theme_named(looks.theme).value_or(ThemeId::light)); }

int text_scale_of(const QWidget& widget, const Appearance& looks) {
  const QVariant own = widget.window()->property(own_scale);
  return own.isValid() ? own.toInt() : looks.text_scale;
}

void set_own_text_scale(QWidget& window, int percent) {
  window.setFont(interface_font(percent));
  window.setProperty(own_scale, percent);
}

void when_scaled(QWidget& widget, std::function<void()> restyle) { new ScaleFollower(widget, std::move(restyle)); }

QPalette palette_of(const Theme& t) {
  QPalette palette(colour(t.button), colour(t.window));
  palette.setColor(QPalette::Window, colour(t.window));
  palette.setColor(QPalette::WindowText, colour(t.text));
  palette.setColor(QPalette::Base, colour(t.base));
  palette.setColor(QPalette::AlternateBase, colour(mix(t.base, t.window, 0.6)));
  palette.setColor(QPalette::Text, colour(t.text));
  palette.setColor(QPalette::Button, colour(t.button));
  palette.setColor(QPalette::ButtonText, colour(t.text));
  palette.setColor(QPalette::BrightText, colour(t.failed));
  palette.setColor(QPalette::ToolTipBase, colour(t.base));
  palette.setColor(QPalette::ToolTipText, colour(t.text));
  palette.setColor(QPalette::PlaceholderText, colour(t.muted_text));
  palette.setColor(QPalette::Highlight, colour(t.focus));
  palette.setColor(QPalette::HighlightedText, colour(text_on(t.focus)));
  palette.setColor(QPalette::Link, colour(t.focus));
  palette.setColor(QPalette::LinkVisited, colour(t.focus));
  palette.setColor(QPalette::Light, colour(mix(t.button, Rgb{255, 255, 255}, t.dark ? 0.1 : 0.7)));
  palette.setColor(QPalette::Midlight, colour(mix(t.button, t.line, 0.3)));
  palette.setColor(QPalette::Mid, colour(t.line));
  palette.setColor(QPalette::Dark, colour(mix(t.line, t.text, 0.2)));
  palette.setColor(QPalette::Shadow, colour(mix(t.line, Rgb{}, 0.4)));
  for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText, QPalette::HighlightedText})
    palette.setColor(QPalette::Disabled, role, colour(mix(t.muted_text, t.window, 0.35)));
  palette.setColor(QPalette::Disabled, QPalette::Highlight, colour(t.line));
  return palette;
}

QFont interface_font(int text_scale, double factor) {
  static const QFont usual = [] {
    QFont font = QFontDatabase::systemFont(QFontDatabase::GeneralFont);
    // Name both: the face lacks arrows, which would come from any font, in one weight so and in another otherwise.
    if (QFontDatabase::hasFamily(QLatin1String(tokens::face)) ||
        QFontDatabase::hasFamily(QLatin1String(tokens::other_face)))
      font.setFamilies({QLatin1String(tokens::face), QLatin1String(tokens::other_face)});
    return font;
  }();
  QFont font = usual;
  font.setPointSizeF(base_points * factor * text_scale / 100);
  return font;
}

QFont code_font(int text_scale, double factor) {
  QFont font = QFontDatabase::systemFont(QFontDatabase::FixedFont);
  font.setPointSizeF(base_points * factor * text_scale / 100);
  return font;
}

int scale_of_bars(int text_scale) {
  constexpr int large = 120;
  return std::min(text_scale, (large + text_scale) / 2);
}

void apply_appearance(QApplication& application, const Appearance& looks) {
  const Theme& t = theme_of(looks);
  application.setPalette(palette_of(t));
  application.setFont(interface_font(looks.text_scale));
  for (const char* bar : {"QMenuBar", "QTabBar"})
    QApplication::setFont(interface_font(scale_of_bars(looks.text_scale)), bar);
  QToolTip::setPalette(palette_of(t));
  QToolTip::setFont(interface_font(looks.text_scale));
}

void paint_badge(QWidget& badge, const QPen& pen, const QBrush& brush) {
  QPainter painter(&badge);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(pen);
  painter.setBrush(brush);
  painter.drawRoundedRect(QRectF(badge.rect()).adjusted(1, 1, -1, -1), badge.height() / 2.0, badge.height() / 2.0);
}

}  // namespace kdscope
