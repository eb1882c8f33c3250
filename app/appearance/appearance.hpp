#pragma once
// Themes and text scale: converts the visualizer's style to Qt's palette and fonts.

#include <QColor>
#include <QFont>
#include <QPainterPath>
#include <QPalette>
#include <functional>

#include "app/session/session.hpp"
#include "visualizer/style/glyph.hpp"
#include "visualizer/style/theme.hpp"

class QApplication;
class QPainter;
class QWidget;

namespace kdscope {

inline QColor colour(Rgb c) { return {c.r, c.g, c.b}; }

/// The shape of a subtree's mark.
QPainterPath glyph_path(Glyph glyph, QPointF centre, double radius);

/// The theme that looks name; light for an unknown name.
const Theme& theme_of(const Appearance& looks);

/// The ground of a run's n-th kind of phase: grey, because node colours belong to nodes. The phase of the step that is
/// shown has the accent.
Rgb phase_ground(const Theme& theme, int kind, bool is_here = false);

/// Text scale of a widget in percent: that of the looks, unless its window has its own, as a presentation has.
int text_scale_of(const QWidget& widget, const Appearance& looks);
/// Gives a window its own text scale. Call it before the window's panes are created. Later calls restyle what waits for
/// them by when_scaled().
void set_own_text_scale(QWidget& window, int percent);
/// Calls `restyle` whenever the window that the widget is in now changes its own text scale.
void when_scaled(QWidget& widget, std::function<void()> restyle);

QPalette palette_of(const Theme& theme);

/// Interface font at a text scale in percent; `factor` for headings and small print.
QFont interface_font(int text_scale, double factor = 1.0);
QFont code_font(int text_scale, double factor = 1.0);
/// The text scale of what stands around the panes: menus, tabs, titles and the transport. Large ones grow half as much
/// as the texts of the panes, which need the room more.
int scale_of_bars(int text_scale);

/// Paints the ground of a badge, which is round at both ends and as large as its widget.
void paint_badge(QWidget& badge, const QPen& pen, const QBrush& brush);

/// Sets the palette and the font of every widget.
void apply_appearance(QApplication& application, const Appearance& looks);

}  // namespace kdscope
