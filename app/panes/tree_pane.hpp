#pragma once
// The tree, and below it, where it does not fit, the whole of it in small.

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
  bool drawn_ = false;  // of this step, since the view began to scroll
};

}  // namespace kdscope
