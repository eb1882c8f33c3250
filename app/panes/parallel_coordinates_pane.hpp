#pragma once
// The points of the open run in parallel coordinates, linked with all other panes. It updates only while it is visible.

#include <QAction>
#include <QLabel>
#include <QToolButton>
#include <QWidget>

#include "app/views/minimap.hpp"
#include "app/views/parallel_coordinates_view.hpp"
#include "app/workbench/workbench.hpp"

namespace kdscope {

class ParallelCoordinatesPane : public QWidget {
  Q_OBJECT

 public:
  explicit ParallelCoordinatesPane(Workbench& workbench, QWidget* parent = nullptr);
  ParallelCoordinatesView& view() { return *view_; }
  Minimap& minimap() { return *minimap_; }
  /// The buttons for the dock's title bar.
  QWidget* buttons() const { return buttons_; }
  /// Whether the open run has more dimensions than the view can show.
  static bool is_needed(const Workbench& workbench);
  QString caption() const { return caption_->text(); }
  /// Leaves out how to use it: an audience reads.
  void show_to_audience();

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  QToolButton* add_button(const QString& text, const QString& words, const char* name);
  void open_run();
  void show_step();
  void draw_minimap();
  void say();

  Workbench& workbench_;
  ParallelCoordinatesView* view_;
  Minimap* minimap_;
  QLabel *caption_, *empty_;
  QWidget* buttons_;
  QAction* split_only_;
  bool for_audience_ = false;
  std::shared_ptr<const Trace> shown_;  // null until the pane is visible
};

}  // namespace kdscope
