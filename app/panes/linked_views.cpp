#include "app/panes/linked_views.hpp"

#include "app/panes/scene_view.hpp"
#include "app/panes/tree_view.hpp"
#include "app/workbench.hpp"

namespace kdscope {
namespace {

void show_selection(SceneView& view, const Workbench& workbench) {
  SelectionMarks marks = marks_of(workbench.session().selection, workbench.linked());
  view.select(std::move(marks.points), marks.framed, std::move(marks.triangles), marks.plane);
}

void show_selection(TreeView& view, const Workbench& workbench) {
  view.select_nodes(marks_of(workbench.session().selection, workbench.linked()).nodes);
}

template <class View>
void follow(View& view, Workbench& workbench) {
  const auto show_step = [&view, &workbench] {
    view.show_step(*workbench.cursor());
    show_selection(view, workbench);
  };
  QObject::connect(&workbench, &Workbench::step_changed, &view, show_step);
  QObject::connect(&workbench, &Workbench::baseline_changed, &view, show_step);
  QObject::connect(&workbench, &Workbench::selection_changed, &view, [&view, &workbench] { show_selection(view, workbench); });
  QObject::connect(&view, &View::picked_nothing, &workbench, [&workbench] { workbench.select({}); });
  if (workbench.cursor()) show_step();
}

}  // namespace

void link(SceneView& view, Workbench& workbench) {
  follow(view, workbench);
  QObject::connect(&view, &SceneView::point_picked, &workbench, [&workbench](PointId point) {
    workbench.select({Space::point, point.value});
  });
  QObject::connect(&view, &SceneView::triangle_picked, &workbench, [&workbench](std::uint32_t triangle) {
    workbench.select({Space::triangle, triangle});
  });
  const auto show_axes = [&view, &workbench] { view.set_axes(workbench.axes()); };
  QObject::connect(&workbench, &Workbench::axes_changed, &view, show_axes);
  if (workbench.cursor()) show_axes();
  QObject::connect(&view, &SceneView::node_picked, &workbench, [&workbench](NodeId node) {
    workbench.select({Space::node, node.value});
  });
}

void link(TreeView& view, Workbench& workbench) {
  follow(view, workbench);
  QObject::connect(&view, &TreeView::node_picked, &workbench, [&workbench](NodeId node) {
    workbench.select({Space::node, node.value});
  });
}

}  // namespace kdscope
