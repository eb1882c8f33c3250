#include "app/views/coordinate_look.hpp"

#include <QFontMetricsF>

#include "app/appearance/appearance.hpp"

namespace kdscope {
namespace {

constexpr std::size_t most_selected = 200;

}  // namespace

QFont coordinate_font(int text_scale) { return interface_font(text_scale, 0.9); }

void set_text_scale(CoordinateLook& look, int text_scale) {
  const QFontMetricsF metrics(coordinate_font(text_scale));
  look.line_height = metrics.height();
  look.scale = text_scale / 100.0;
  look.width_of = [metrics](std::string_view words) {
    return metrics.horizontalAdvance(QString::fromUtf8(words.data(), static_cast<qsizetype>(words.size())));
  };
}

std::vector<CoordinateLine> show_step(ParallelCoordinates& model, const Cursor& cursor, const Selection& selection,
                                      const LinkedSelection& linked) {
  const SelectionMarks marks = marks_of(selection, linked);
  std::vector<NodeId> nodes;
  if (marks.framed) nodes.push_back(*marks.framed);
  model.show(cursor, marks.points, nodes);
  std::vector<CoordinateLine> selected;
  if (marks.points.size() <= most_selected && nodes.empty())
    for (const PointId point : marks.points)
      if (point.value < model.point_count()) selected.push_back(model.line_of(cursor, point));
  return selected;
}

}  // namespace kdscope
