#include "app/panes/tree_pane.hpp"

#include <QScrollBar>
#include <QVBoxLayout>
#include <algorithm>

#include "app/appearance.hpp"

namespace kdscope {

TreePane::TreePane(QWidget* parent) : QWidget(parent), view_(new TreeView), minimap_(new Minimap(2.4)) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(view_, 1);
  column->addWidget(minimap_);
  setFocusProxy(view_);
  connect(view_, &TreeView::drawn_anew, this, &TreePane::draw_minimap);
  connect(view_, &TreeView::window_changed, this, [this] { minimap_->set_window(view_->window()); });
  connect(view_, &TreeView::selection_shown, this, &TreePane::mark_minimap);
  connect(minimap_, &Minimap::pressed, view_, &TreeView::centre);
}

/// A dot a node, in the colour of its subtree.
void TreePane::draw_minimap() {
  const TreeDiagram& diagram = view_->diagram();
  const Theme& t = theme(view_->theme_id());
  const int rows = std::max(1, diagram.final_levels), dot = 4, wide = std::max(64, width());
  QImage picture(wide, rows * dot, QImage::Format_RGB32);
  picture.fill(colour(t.base));
  for (const DiagramNode& node : diagram.nodes) {
    const QColor ink = colour(node.state == NodeState::empty ? t.muted_text : subtree_colour(t, node.place));
    const int x = static_cast<int>(node.x * wide), y = node.level * dot;
    for (int dy = 0; dy < dot - 1; ++dy)
      for (int dx = -1; dx <= 1; ++dx)
        if (picture.valid(x + dx, y + dy)) picture.setPixelColor(x + dx, y + dy, ink);
  }
  minimap_->set_picture(std::move(picture), t);
  minimap_->set_window(view_->window());
  mark_minimap();
}

void TreePane::mark_minimap() {
  std::vector<QRectF> marks;
  const double rows = std::max(1, view_->diagram().final_levels);
  for (const DiagramNode& node : view_->diagram().nodes)
    if (view_->is_selected(node.node)) marks.emplace_back(node.x, node.level / rows, 0, 1 / rows);
  minimap_->set_marks(std::move(marks));
}

}  // namespace kdscope
