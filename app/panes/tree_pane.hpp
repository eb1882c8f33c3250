#pragma once
// The tree and, if it does not fit, a small picture of the whole tree below it.

#include "app/views/minimap.hpp"
#include "app/views/tree_view.hpp"

namespace kdscope {

class TreePane : public QWidget {
  Q_OBJECT

 public:
  explicit TreePane(QWidget* parent = nullptr);
  TreeView& view() { return *view_; }
  Minimap& minimap() { return *minimap_; }

 private:
  void draw_minimap();
  void mark_minimap();

  TreeView* view_;
  Minimap* minimap_;
  bool drawn_ = false;  // whether the minimap has a picture of this step
};

}  // namespace kdscope
