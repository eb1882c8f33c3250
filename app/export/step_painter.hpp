#pragma once
// The picture of a step for an export: raster for PNG and films, vector lines for SVG and PDF.

#include <QImage>
#include <QPainter>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "app/command_line/export_request.hpp"
#include "app/select/selection.hpp"
#include "app/session/session.hpp"
#include "visualizer/model/concealment.hpp"
#include "visualizer/model/overlay.hpp"
#include "walkthroughs/reader/lesson.hpp"

namespace kdscope {

class ArrayTableView;
class CoordinatesFigure;
class OffScreen;
class Scene;
class TreeView;

/// Draws the steps of one request, one after another, on the thread of the window.
class StepPainter {
 public:
  /// `look`: the view whose camera, axes and options are used for pictures of the view; null: fitted to the points.
  /// `concealed`: what is hidden at a step; null: nothing. `lesson`: its marks are drawn, and the step of each of its
  /// stops has the stop's title; null: none. `stops`: the steps of its stops.
  StepPainter(const ExportRequest& request, Selection selection, const Scene* look,
              std::function<Concealment(std::uint32_t)> concealed = {}, const Lesson* lesson = nullptr,
              std::vector<std::uint32_t> stops = {});
  ~StepPainter();

  /// Draws a step at the requested size. Errors: no X server for a view, points that cannot be drawn, no memory.
  Result<QImage> picture(const Cursor& cursor);

  /// Size of a figure's page in pixels of 1/96 inch: the requested one, but a tree's page is as high as its rows.
  QSizeF page_size(const Cursor& cursor);
  /// Paints a tree, a partition, coordinates or arrays. One unit of the painter is one pixel of the page.
  void paint_figure(QPainter& painter, const Cursor& cursor);

 private:
  Result<QImage> view_picture(const Cursor& cursor);
  Concealment concealed_at(const Cursor& cursor) const;
  const Stop* stop_at(const Cursor& cursor) const;
  Overlay marks_at(const Cursor& cursor) const;
  LinkedSelection linked_at(const Cursor& cursor) const;
  bool hides_figure(const Cursor& cursor) const;
  double caption_height() const;
  double text() const;
  void show_tree(const Cursor& cursor);
  void show_table(const Cursor& cursor);
  std::string table_note() const;
  void paint_caption(QPainter& painter, const Cursor& cursor, double width, const QString& note) const;

  ExportRequest request_;
  Selection selection_;
  const Scene* look_;
  std::function<Concealment(std::uint32_t)> concealed_;
  const Lesson* lesson_;
  std::vector<std::uint32_t> stops_;
  QSizeF size_;                      // requested size of a figure's page
  std::unique_ptr<OffScreen> view_;  // while pictures of the view are drawn
  std::unique_ptr<TreeView> tree_;
  std::unique_ptr<ArrayTableView> table_;
  std::optional<Cursor> before_;  // the state that the table marks changes against
  std::unique_ptr<CoordinatesFigure> coordinates_;
};

}  // namespace kdscope
