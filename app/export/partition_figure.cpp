#include "app/export/partition_figure.hpp"

#include <algorithm>
#include <cmath>

#include "app/appearance/appearance.hpp"
#include "app/appearance/display_painter.hpp"

namespace kdscope {

PartitionFigure::PartitionFigure(const Cursor& cursor, const SelectionMarks& selected,
                                 const PartitionPictureOptions& options, std::span<const Highlight> added,
                                 const Concealment& concealed)
    : picture_(PartitionPicture::at(cursor, options, added, concealed)) {
  room_.tight_boxes = options.tight_boxes;
  room_.selected.resize(picture_.points);
  for (const PointId id : selected.points)
    if (id.value < picture_.points) room_.selected[id.value] = true;
  room_.framed = selected.framed;
  // Those of a solid would lie on one another.
  constexpr std::size_t most_triangles = 4000;
  if (shows_whole(picture_.partition, picture_.frame.dims())) mesh_ = PartitionMesh(cursor, picture_, most_triangles);
}

void PartitionFigure::paint(QPainter& painter, const QRectF& area, const Theme& theme, double text) const {
  painter.setRenderHint(QPainter::Antialiasing);
  if (picture_.empty()) {
    painter.setPen(colour(theme.muted_text));
    painter.drawText(area, Qt::AlignCenter, QStringLiteral("There are no points yet at this step."));
    return;
  }
  QFont font = painter.font();
  font.setPixelSize(std::max(4, static_cast<int>(std::lround(text))));
  PartitionRoom room = room_;
  room.width = area.width(), room.height = area.height();
  room.text = text;
  room.corners = mesh_.corners, room.triangles = mesh_.places;
  room.width_of = text_width_in(font);
  painter.save();
  painter.setClipRect(area, Qt::IntersectClip);
  painter.translate(area.topLeft());
  paint_display_list(painter, PartitionDrawing::of(picture_, room).list, theme, font);
  painter.restore();
}

}  // namespace kdscope
