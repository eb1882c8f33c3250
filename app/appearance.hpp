#pragma once
// Themes and text scale, from the visualizer's style to Qt's palette and fonts.

#include <QColor>
#include <QFont>
#include <QPainterPath>
#include <QPalette>

#include "app/session/session.hpp"
#include "visualizer/style/glyph.hpp"
#include "visualizer/style/theme.hpp"

class QApplication;

namespace kdscope {

inline QColor colour(Rgb c) { return {c.r, c.g, c.b}; }

/// The shape of a subtree's mark.
QPainterPath glyph_path(Glyph glyph, QPointF centre, double radius);

/// The theme that a session names; light for an unknown name.
const Theme& theme_of(const Session& session);

QPalette palette_of(const Theme& theme);

/// Interface font at a text scale in per cent; `factor` for headings and small print.
QFont interface_font(int text_scale, double factor = 1.0);
QFont code_font(int text_scale, double factor = 1.0);

/// Palette and font of every widget.
void apply_appearance(QApplication& application, const Session& session);

}  // namespace kdscope
