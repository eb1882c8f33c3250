#pragma once
// The tree and, if it does not fit, a small picture of the whole tree below it.

#include "app/views/minimap.hpp"
#include "app/views/tree_view.hpp"

namespace kdscope {

class TreePreview;

class TreePane : public QWidget {
  Q_OBJECT

 public:
  explicit TreePane(QWidget* parent = nullptr);
  TreeView& view() { return *view_; }
  Minimap& minimap() { return *minimap_; }
  /// For a pane that nobody scrolls, in front of a class: all of its height is the tree's.
  void show_to_audience();
  /// Shows, faintly and over the step's tree, the tree of another step; with null, the step's tree again.
  void preview(const Cursor* other);

 private:
  void draw_minimap();
  void mark_minimap();

  TreeView* view_;
  TreePreview* preview_ = nullptr;  // made when it is first wanted
  Minimap* minimap_;
  bool has_minimap_ = true;
  bool drawn_ = false;  // whether the minimap has a picture of this step
};

}  // namespace kdscope
