#include "app/panes/linked_views.hpp"

#include "app/look/appearance.hpp"
#include "app/views/scene_view.hpp"
#include "app/views/shown_updates.hpp"
#include "app/views/tree_view.hpp"
#include "app/workbench/workbench.hpp"

namespace kdscope {
namespace {

void show_selection(SceneView& view, const Workbench& workbench) {
  SelectionMarks marks = marks_of(workbench.session().selection, workbench.linked());
  view.select(std::move(marks.points), marks.framed, std::move(marks.triangles), marks.plane);
}

void show_changes(SceneView&, const Workbench&) {}

void show_selection(TreeView& view, const Workbench& workbench) {
  view.select_nodes(marks_of(workbench.session().selection, workbench.linked()).nodes);
}

void show_changes(TreeView& view, const Workbench& workbench) {
  const Cursor* baseline = workbench.baseline();
  view.set_changes(baseline ? changed_nodes(*baseline, *workbench.cursor()) : std::vector<NodeChange>(),
                   baseline ? baseline->step() : 0, [&workbench](NodeId node) {
                     const Cursor* before = workbench.baseline();
                     return before ? node_words(*before, *workbench.cursor(), node) : NodeWords();
                   });
}

template <class View>
void follow(View& view, Workbench& workbench) {
  const auto show_step = [&view, &workbench] {
    if (!workbench.cursor()) return;
    view.show_step(*workbench.cursor(), workbench.lesson_highlights());
    show_changes(view, workbench);
    show_selection(view, workbench);
  };
  auto* step_shown = new ShownUpdate(&view, show_step);
  auto* selection_shown = new ShownUpdate(&view, [&view, &workbench] { show_selection(view, workbench); });
  QObject::connect(&workbench, &Workbench::step_changed, step_shown, &ShownUpdate::request);
  QObject::connect(&workbench, &Workbench::baseline_changed, step_shown, &ShownUpdate::request);
  QObject::connect(&workbench, &Workbench::selection_changed, selection_shown, &ShownUpdate::request);
  connect_picks(view, &workbench, [&workbench](const Selection& picked) { workbench.select(picked); });
  if (workbench.cursor()) show_step();
}

}  // namespace

void connect_picks(SceneView& view, QObject* receiver, const std::function<void(const Selection&)>& take) {
  QObject::connect(&view, &SceneView::point_picked, receiver, [take](PointId point) {
    take({Space::point, point.value});
  });
  QObject::connect(&view, &SceneView::node_picked, receiver, [take](NodeId node) { take({Space::node, node.value}); });
  QObject::connect(&view, &SceneView::triangle_picked, receiver, [take](std::uint32_t triangle) {
    take({Space::triangle, triangle});
  });
  QObject::connect(&view, &SceneView::picked_nothing, receiver, [take] { take({}); });
}

void connect_picks(TreeView& view, QObject* receiver, const std::function<void(const Selection&)>& take) {
  QObject::connect(&view, &TreeView::node_picked, receiver, [take](NodeId node) { take({Space::node, node.value}); });
  QObject::connect(&view, &TreeView::picked_nothing, receiver, [take] { take({}); });
}

void connect_view(SceneView& view, Workbench& workbench) {
  follow(view, workbench);
  const auto show_axes = [&view, &workbench] {
    view.set_axes(workbench.axes());
    show_selection(view, workbench);
  };
  QObject::connect(&workbench, &Workbench::axes_changed, &view, show_axes);
  if (workbench.cursor()) show_axes();
}

void connect_view(TreeView& view, Workbench& workbench) { follow(view, workbench); }

void restyle(SceneView& view, const Session& session, int text_scale) {
  view.set_theme(theme_of(session).id);
  view.set_text_scale(text_scale / 100.0);
  view.set_smallest_boxes(session.smallest_boxes);
  view.set_surface(session.surface);
  view.set_colouring(session.colouring);
}

void restyle(TreeView& view, const Session& session, int text_scale) {
  view.set_theme(theme_of(session).id);
  view.set_text_scale(text_scale / 100.0);
}

}  // namespace kdscope
