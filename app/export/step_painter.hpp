#pragma once
// The picture of a step for an export, whatever it shows: raster for PNG and films, true lines for SVG and PDF.

#include <QImage>
#include <QPainter>
#include <memory>

#include "app/session/export_request.hpp"
#include "app/session/session.hpp"

namespace kdscope {

class CoordinatesFigure;
class OffScreen;
class Scene;
class TreeView;

/// Draws steps of one request, one after another. On the thread of the window.
class StepPainter {
 public:
  /// `look`: the view whose camera, axes and options pictures of the view take; null: fitted to the points.
  StepPainter(const ExportRequest& request, Selection selection, const Scene* look);
  ~StepPainter();

  /// As large as was asked for. Errors: a view without an X server, or points that cannot be drawn.
  Result<QImage> picture(const Cursor& cursor);

  /// Size of a figure's page, pixels of 1/96 inch: as asked for, or higher where a tree needs more rows.
  QSizeF page_size(const Cursor& cursor);
  /// Paints a tree, a partition or coordinates; the painter's unit is a pixel of the page.
  void paint_figure(QPainter& painter, const Cursor& cursor);

 private:
  Result<QImage> view_picture(const Cursor& cursor);
  double caption_height() const;
  double text() const;
  void show_tree(const Cursor& cursor);
  void paint_caption(QPainter& painter, const Cursor& cursor, double width, const QString& note) const;

  ExportRequest request_;
  Selection selection_;
  const Scene* look_;
  QSizeF size_;                      // of a figure before it grows
  std::unique_ptr<OffScreen> view_;  // while pictures of the view are drawn
  std::unique_ptr<TreeView> tree_;
  std::unique_ptr<CoordinatesFigure> coordinates_;
};

}  // namespace kdscope
