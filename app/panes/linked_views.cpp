#include "app/panes/linked_views.hpp"

#include "app/panes/scene_view.hpp"
#include "app/panes/tree_view.hpp"
#include "app/workbench.hpp"

namespace kdscope {
namespace {

/// The node that stands for the selection. A cell's points may be all over the tree: then none does.
std::optional<NodeId> selected_node(const Workbench& workbench) {
  const Selection& selection = workbench.session().selection;
  if (!selection || !workbench.cursor()) return std::nullopt;
  const LinkedSelection& linked = workbench.linked();
  if (linked.nodes.size() == 1 || (selection.space != Space::count && !linked.nodes.empty())) return NodeId{linked.nodes.front()};
  return std::nullopt;
}

void show_selection(SceneView& view, const Workbench& workbench) {
  const Selection& selection = workbench.session().selection;
  std::vector<PointId> points;
  if (selection && workbench.cursor() && selection.space != Space::node)
    for (const std::uint32_t point : workbench.linked().points) points.push_back({point});
  view.select_points(std::move(points));
  view.select_node(selection.space == Space::node ? selected_node(workbench) : std::nullopt);
}

void show_selection(TreeView& view, const Workbench& workbench) { view.select_node(selected_node(workbench)); }

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
}

void link(TreeView& view, Workbench& workbench) {
  follow(view, workbench);
  QObject::connect(&view, &TreeView::node_picked, &workbench, [&workbench](NodeId node) {
    workbench.select({Space::node, node.value});
  });
}

}  // namespace kdscope
