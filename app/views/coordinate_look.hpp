#pragma once
// What the window and figures show of parallel coordinates: the selection, and the fonts of names and numbers.

#include <QFont>
#include <QRectF>
#include <vector>

#include "app/select/selection.hpp"
#include "visualizer/figure/coordinates_drawing.hpp"

namespace kdscope {

/// The font of names and numbers.
QFont coordinate_font(int text_scale);
/// Gives a look the sizes of that font.
void set_text_scale(CoordinateLook& look, int text_scale);

inline CoordinateDrawing::Place place_of(const QRectF& at) { return {at.x(), at.y(), at.width(), at.height()}; }
inline QRectF rect_of(const CoordinateDrawing::Place& at) { return {at.left, at.top, at.width, at.height}; }

/// Puts a step and its selection into the model. Returns the lines of points selected one by one, to be drawn above
/// all others.
std::vector<CoordinateLine> show_step(ParallelCoordinates& model, const Cursor& cursor, const Selection& selection,
                                      const LinkedSelection& linked);

}  // namespace kdscope
