#include "app/export/coordinates_figure.hpp"

#include "app/select/selection.hpp"

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
  look.theme = &theme;
  look.text_scale = text_scale;
  const CoordinateMargins margins = coordinate_margins(text_scale);
  const double gaps = static_cast<double>(model_.axes().size()) - 1, room = room_for_axes(area.width(), margins);
  const CoordinateFrame frame{area.left() + margins.side + (gaps < 1 ? room / 2 : 0), gaps < 1 ? room : room / gaps,
                              area.top() + margins.top, std::max(10.0, area.height() - margins.top - margins.bottom)};
  const CoordinateDrawing drawing(model_, frame, area, look);
  drawing.paint_lines(painter);
  drawing.paint_axes(painter);
}

std::string CoordinatesFigure::note() const {
  std::string note;
  if (look_.drawn < model_.point_count())
    note = "A sample: " + std::to_string(look_.drawn) + " of " + std::to_string(model_.point_count()) + " points.";
  if (!model_.left_out().empty()) note += (note.empty() ? "" : " ") + model_.left_out();
  return note;
}

}  // namespace kdscope
