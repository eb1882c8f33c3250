#pragma once
// The tree and, if it does not fit, a small picture of the whole tree below it.

#include "app/views/minimap.hpp"
#include "app/views/tree_view.hpp"

namespace kdscope {

class ShownUpdate;
class TreePreview;
class Workbench;

class TreePane : public QWidget {
  Q_OBJECT

 public:
  explicit TreePane(QWidget* parent = nullptr);
  TreeView& view() { return *view_; }
  Minimap& minimap() { return *minimap_; }
  /// For a pane that nobody scrolls, in front of a class: all of its height is the tree's.
  void show_to_audience();
  /// From now on, shows the step of the workbench's playback. Where a question hides its tree, and on the introduction
  /// of a lesson, another one stands there faintly.
  void follow(Workbench& workbench);
  /// From now on, the finished tree stands there as on the introduction, or that of the step again. Only after
  /// follow().
  void show_finished(bool finished);

 private:
  void draw_minimap();
  void mark_minimap();

  TreeView* view_;
  TreePreview* preview_ = nullptr;  // made when it is first wanted
  Minimap* minimap_;
  ShownUpdate* shown_ = nullptr;
  bool finished_ = false;
  bool has_minimap_ = true;
  bool drawn_ = false;  // whether the minimap has a picture of this step
};

}  // namespace kdscope
