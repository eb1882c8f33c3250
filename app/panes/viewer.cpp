#include "app/panes/viewer.hpp"

#include <utility>

#include "app/appearance/appearance.hpp"
#include "app/panes/curtain.hpp"
#include "app/panes/dissolve.hpp"
#include "app/views/scene_view.hpp"
#include "app/views/shown_updates.hpp"
#include "app/views/tree_view.hpp"
#include "app/workbench/step_motion.hpp"
#include "app/workbench/workbench.hpp"

namespace kdscope {
namespace {

class SceneViewer : public QObject, public Viewer {
 public:
  SceneViewer(SceneView& view, const RunDesk& desk) : QObject(&view), view_(view), desk_(desk) {}

  void opened(const Playback& playback) override {
    if (playback.continues() && desk_.moving()) view_.keep_frame();
  }
  void stepped(const Playback& playback) override {
    view_.show_step(*playback.cursor(), playback.added_highlights(), playback.concealment());
    view_.set_axes(playback.axes());
    selected(playback);
  }
  void selected(const Playback& playback) override {
    SelectionMarks marks = marks_of(playback.selection(), playback.linked());
    view_.select(std::move(marks.points), marks.framed, std::move(marks.triangles), marks.plane);
  }
  void marked(const Playback& playback) override {
    const Playback::Overlays before = std::exchange(overlays_, playback.added_overlays());
    for (const auto& [writer, overlay] : before)
      if (!overlays_.contains(writer)) view_.show_overlay(writer, {});
    for (const auto& [writer, overlay] : overlays_)
      if (const auto found = before.find(writer); found == before.end() || found->second != overlay)
        view_.show_overlay(writer, *overlay);
  }
  void restyled(const Appearance& looks, int text_scale) override {
    view_.set_theme(theme_of(looks).id);
    view_.set_text_scale(text_scale / 100.0);
    SceneOptions options = view_.options();
    options.tight_boxes = looks.smallest_boxes;
    options.surface = looks.surface;
    options.all_planes = looks.all_planes;
    options.equal_scales = looks.equal_scales;
    options.colouring = looks.colouring;
    view_.set_options(options);
  }
  void when_picked(Pick pick) override { connect(&view_, &SceneView::picked, this, std::move(pick)); }

 private:
  SceneView& view_;
  const RunDesk& desk_;
  Playback::Overlays overlays_;  ///< that the view shows
};

class TreeViewer : public QObject, public Viewer {
 public:
  explicit TreeViewer(TreeView& view) : QObject(&view), view_(view) {}

  void stepped(const Playback& playback) override {
    view_.show_step(*playback.cursor(), playback.added_highlights(), playback.concealment());
    const Cursor* baseline = playback.baseline();
    view_.set_changes(baseline ? changed_nodes(*baseline, *playback.cursor()) : std::vector<NodeChange>(),
                      baseline ? baseline->step() : 0, [&playback](NodeId node) {
                        const Cursor* before = playback.baseline();
                        return before ? node_words(*before, *playback.cursor(), node) : NodeWords();
                      });
    selected(playback);
  }
  void selected(const Playback& playback) override {
    view_.select_nodes(marks_of(playback.selection(), playback.linked()).nodes);
  }
  void restyled(const Appearance& looks, int text_scale) override {
    view_.set_theme(theme_of(looks).id);
    view_.set_text_scale(text_scale / 100.0);
  }
  void when_picked(Pick pick) override { connect(&view_, &TreeView::picked, this, std::move(pick)); }

 private:
  TreeView& view_;
};

template <class View>
void let_grow(View& view, Playback& playback, Workbench& workbench, StepMotion& motion) {
  new Dissolve(view, playback, motion, workbench);
  QObject::connect(&motion, &StepMotion::moved, &view, [&view, &motion] { view.set_growth(motion.growth()); });
}

}  // namespace

void when_restyled(QWidget& widget, Workbench& workbench, std::function<void()> restyle) {
  QObject::connect(&workbench.looks(), &Looks::changed, &widget, restyle);
  when_scaled(widget, std::move(restyle));
}

void attach(Viewer& viewer, QWidget& widget, Playback& playback, Workbench& workbench, Viewer::Pick pick) {
  const auto when_open = [&playback](auto show) {
    return [&playback, show] {
      if (playback.cursor()) show(playback);
    };
  };
  // In this order too, when a hidden widget catches up.
  auto* opened = new ShownUpdate(&widget, when_open([&viewer](const Playback& now) { viewer.opened(now); }));
  auto* stepped = new ShownUpdate(&widget, when_open([&viewer](const Playback& now) { viewer.stepped(now); }));
  auto* selected = new ShownUpdate(&widget, when_open([&viewer](const Playback& now) { viewer.selected(now); }));
  auto* marked = new ShownUpdate(&widget, when_open([&viewer](const Playback& now) { viewer.marked(now); }));
  QObject::connect(&playback, &Playback::opened, opened, &ShownUpdate::request);
  for (const auto signal :
       {&Playback::stepped, &Playback::axes_changed, &Playback::baseline_changed, &Playback::concealment_changed})
    QObject::connect(&playback, signal, stepped, &ShownUpdate::request);
  QObject::connect(&playback, &Playback::selected, selected, &ShownUpdate::request);
  for (const auto signal : {&Playback::opened, &Playback::overlay_changed})
    QObject::connect(&playback, signal, marked, &ShownUpdate::request);
  const auto restyle = [&viewer, &widget, &workbench] {
    const Appearance& looks = workbench.looks().appearance();
    viewer.restyled(looks, text_scale_of(widget, looks));
  };
  when_restyled(widget, workbench, restyle);
  viewer.when_picked(pick ? std::move(pick) : [&playback](const Selection& picked) { playback.select(picked); });
  cover_while_coming(widget, playback, workbench.coming_values());
  restyle();
  if (!playback.cursor()) return;
  viewer.opened(playback);
  viewer.stepped(playback);
  viewer.marked(playback);
}

void attach(SceneView& view, Playback& playback, Workbench& workbench, Viewer::Pick pick, StepMotion* motion) {
  attach(*new SceneViewer(view, workbench.desk()), view, playback, workbench, std::move(pick));
  QObject::connect(&view, &SceneView::place_clicked, &playback, &Playback::click_place);
  if (&playback == &workbench.playback()) motion = &workbench.motion();
  if (motion) let_grow(view, playback, workbench, *motion);
}

void attach(TreeView& view, Playback& playback, Workbench& workbench, Viewer::Pick pick, StepMotion* motion) {
  attach(*new TreeViewer(view), view, playback, workbench, std::move(pick));
  if (&playback == &workbench.playback()) motion = &workbench.motion();
  if (motion) let_grow(view, playback, workbench, *motion);
}

}  // namespace kdscope
