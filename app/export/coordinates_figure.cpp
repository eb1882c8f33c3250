#include "app/export/coordinates_figure.hpp"

#include "algorithms/text/numbers.hpp"
#include "app/appearance/display_painter.hpp"

namespace kdscope {

CoordinatesFigure::CoordinatesFigure(std::shared_ptr<const Trace> trace, const std::optional<Axes>& axes)
    : model_(std::move(trace)) {
  look_.axes = axes_or_first(axes, model_.dim());
  look_.drawn = lines_to_draw(model_, static_cast<double>(model_.axes().size()));
}

void CoordinatesFigure::show(const Cursor& cursor, const Selection& selection) {
  look_.selected = show_step(model_, cursor, selection, resolve_selection(cursor, selection));
}

void CoordinatesFigure::paint(QPainter& painter, const QRectF& area, const Theme& theme, int text_scale) const {
  CoordinateLook look = look_;
  set_text_scale(look, text_scale);
  const CoordinateFrame frame = frame_in(model_, place_of(area), look.line_height);
  const CoordinateDrawing drawing(model_, frame, place_of(area), look);
  painter.setRenderHint(QPainter::Antialiasing);
  for (const DisplayList& list : {drawing.lines(), drawing.axes()})
    paint_display_list(painter, list, theme, coordinate_font(text_scale));
}

std::string CoordinatesFigure::note() const {
  std::string note;
  if (look_.drawn < model_.point_count())
    note = "A sample: " + grouped(look_.drawn) + " of " + grouped(model_.point_count()) + " points.";
  if (!model_.left_out().empty()) note += (note.empty() ? "" : " ") + model_.left_out();
  return note;
}

}  // namespace kdscope
