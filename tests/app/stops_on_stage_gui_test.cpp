// Measures what an audience sees, over the shipped lessons: figures have room and keep it, tables show what a stop
// claims, narrations and all other texts can be read, nobody is asked to scroll, and names of points stand in their own
// cells.

#include <QOpenGLWidget>

#include "app/panes/arrays_pane.hpp"
#include "app/views/scene_view.hpp"
#include "app/views/tree_view.hpp"
#include "tests/app/on_stage.hpp"
#include "tests/app/rows_in_sight.hpp"
#include "tests/support/campaign.hpp"
#include "tests/support/share.hpp"
#include "tests/visualizer/unclear_names.hpp"
#include "visualizer/model/partition.hpp"
#include "visualizer/model/trace_lookup.hpp"

namespace kdscope::stops_on_stage_gui_test {
namespace {

/// Figures have half of the height, and a plot has two fifths of it.
void check_figures(AudienceWindow& audience) {
  for (const std::string& name : audience.shown_panes())
    if (pane_named(name).form == PaneForm::picture) {
      INFO(name);
      CHECK(audience.pane(name).height() >= 0.5 * audience.height());
    }
  const Scene& scene = audience.scene().scene();
  if (!shows(audience, "view")) return;
  const auto [left, bottom, right, top] = scene.frame_room();
  CAPTURE(left, bottom, right, top, audience.scene().width(), audience.scene().height());
  // Beside other figures, a flat box in 3D has three quarters of the width at most.
  if (scene.is_2d() || scene.aspect() <= 1.15) CHECK(top - bottom >= 0.4 * audience.height());
}

void check_table(AudienceWindow& audience) {
  if (!shows(audience, "arrays") || audience.arrays().shows_strips()) return;
  const ArrayTable& table = *audience.arrays().view().table();
  CHECK(table.column_count() > 0);
  CHECK_FALSE(audience.arrays().view().rows_in_sight().empty());
}

/// Shows every answer of a stop: no figure may change its place or size. The columns of which the stop and the question
/// speak are in sight.
void check_sizes_stay(const Stop& stop, AudienceWindow& audience, Workbench& workbench) {
  const auto places = [&] {
    std::map<std::string, QRect> of_panes;
    for (const std::string& name : audience.shown_panes())
      if (pane_named(name).form != PaneForm::text) of_panes[name] = audience.pane(name).geometry();
    return of_panes;
  };
  const auto before = places();
  Questions& questions = workbench.questions();
  for (int i = 0; i < questions.count(); ++i) {
    questions.go_to(i);
    wait_until_idle(workbench);
    if (shows(audience, "arrays") && !audience.arrays().shows_strips())
      CHECK(columns_out_of_sight(stop, questions.question(), audience.arrays().view()) == std::vector<std::uint64_t>());
    questions.reveal();
    wait_until_idle(workbench);
    CHECK(places() == before);
  }
}

/// The rows that a stop claims are in sight, or those that are belong to the stop.
void check_claims(const Stop& stop, AudienceWindow& audience, const Cursor& now) {
  std::vector<std::string> missing = rows_out_of_sight(stop, audience, now);
  if (missing.empty()) return;
  // Only where the stop speaks of more rows than there is room for.
  const std::vector<RowName> seen = audience.arrays().view().rows_in_sight();
  CAPTURE(missing, seen.size());
  CHECK(seen.size() >= 6);
  for (const RowName& row : seen) {
    CAPTURE(row.array);
    const bool claimed = std::ranges::any_of(stop.shows, [&](const ClaimedRow& c) { return c.row == row.array; });
    const bool asked = std::ranges::any_of(stop.questions, [&](const Question& question) {
      return std::ranges::find(question.hidden_rows, row.array) != question.hidden_rows.end();
    });
    CHECK((claimed || asked || std::ranges::find(stop.rows, row.array) != stop.rows.end()));
  }
}

/// All levels of a tree are in sight, and the whole of a narration.
void check_whole(AudienceWindow& audience) {
  if (shows(audience, "tree")) CHECK(audience.tree().verticalScrollBar()->maximum() == 0);
  const QTextBrowser& words = audience.narration().text();
  if (shows(audience, "narration")) CHECK_FALSE(words.document()->isEmpty());
  // Only the words of a search and a question may leave the narration no room
  if (words.document()->isEmpty())
    CHECK(words.viewport()->height() <= 3 * words.fontMetrics().lineSpacing());
  else
    CHECK(words.document()->size().height() <= words.viewport()->height());
  // Nobody in a class clicks, selects or scrolls
  for (const QLabel* label : audience.findChildren<QLabel*>()) {
    INFO(label->text().toStdString());
    if (label->isVisible())
      for (const char* word : {"Click", "Select", "scroll"}) CHECK_FALSE(label->text().contains(QLatin1String(word)));
  }
  for (const QScrollBar* bar : audience.findChildren<QScrollBar*>()) {
    INFO(bar->parentWidget()->parentWidget()->metaObject()->className());
    CHECK_FALSE(bar->isVisible());
  }
}

/// Every text can be read from the last row.
void check_sizes_of_texts(AudienceWindow& audience) {
  constexpr double least = 14;
  const auto check = [](const std::string& words, double pixels) {
    INFO(words);
    CHECK(pixels >= least - 0.01);
  };
  for (QWidget* widget : audience.findChildren<QWidget*>()) {
    if (qobject_cast<QOpenGLWidget*>(widget) || widget->visibleRegion().isEmpty()) continue;
    INFO(widget->metaObject()->className());
    for (const PaintedText& text : painted_texts(*widget, {})) check(text.text.toStdString(), text.pixels);
  }
  if (audience.scene().isVisible())
    for (const auto& [words, pixels] : audience.scene().texts()) check(words, pixels);
}

using Rect = std::array<double, 4>;  // left, bottom, right and top, in pixels

bool overlap(const Rect& a, const Rect& b) { return a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3]; }

/// Returns the boxes of the leaves of the partition that do not belong to a node's subtree, in pixels.
std::vector<Rect> cells_of_others(const Scene& scene, const Partition& partition, NodeId node) {
  std::vector<Rect> cells;
  const auto& nodes = partition.nodes();
  for (const NodeId cell : partition.cells()) {
    bool own = false;
    for (std::uint32_t up = cell.value; up < nodes.size(); up = nodes[up].parent) own |= up == node.value;
    Box box;
    if (own || !partition.box(cell, box)) continue;
    const auto lo = scene.place_of(box.lo), hi = scene.place_of(box.hi);
    if (lo && hi) cells.push_back({(*lo)[0], (*lo)[1], (*hi)[0], (*hi)[1]});
  }
  return cells;
}

void check_names(const Scene& scene, const Cursor& now) {
  const Partition partition = Partition::at(now, {});
  const NodesOfPoints of_points = nodes_of_points(now);
  const double edge = 2;  // planes are as wide
  for (const WrittenName& name : scene.names()) {
    if (name.joined || name.point.value >= of_points.node.size()) continue;
    const std::uint32_t node = of_points.node[name.point.value];
    if (!partition.alive({node})) continue;
    const Rect inner{name.room[0] + edge, name.room[1] + edge, name.room[2] - edge, name.room[3] - edge};
    for (const Rect& cell : cells_of_others(scene, partition, {node})) {
      CAPTURE(name.point.value, name.room, cell);
      CHECK_FALSE(overlap(inner, cell));
    }
  }
  CHECK(unclear_names(scene) == std::vector<std::string>());
}

/// The circles of two marks do not meet unless the points are nearer than the smallest mark is wide.
void check_marks(const Scene& scene, std::size_t n, double text) {
  const double smallest = 0.46 * text;
  for (std::uint32_t i = 0; i < n; ++i)
    for (std::uint32_t j = 0; j < i; ++j) {
      const auto a = scene.place_of_point({i}), b = scene.place_of_point({j});
      if (!a || !b) continue;
      const double apart = std::hypot((*a)[0] - (*b)[0], (*a)[1] - (*b)[1]);
      CAPTURE(i, j, apart, scene.mark_diameter());
      if (apart > smallest) CHECK(apart >= scene.mark_diameter());
    }
}

/// Returns the number of names that were checked.
std::size_t check_view(AudienceWindow& audience, const Cursor& now) {
  const Scene& scene = audience.scene().scene();
  if (!audience.scene().isVisible() || !scene.is_2d() || scene.names().empty()) return 0;
  check_names(scene, now);
  check_marks(scene, scene.points_drawn(), 16.0 * audience.text_scale() / 100);
  return scene.names().size();
}

}  // namespace

TEST_CASE("on the smallest stage figures have room and keep it, what stops claim is in sight, and nothing scrolls",
          "[share][screen]") {
  OpenWorkbench open;
  std::size_t names = 0;
  const std::size_t stride = test::is_campaign() ? 1 : test::everything() ? 4 : 10;
  walk_on_stage(open, every_nth_lesson(open.workbench, stride), least_stage,
                [&](const Lesson&, const Stop* stop, AudienceWindow& audience) {
                  if (!stop) return;
                  const Cursor& now = *open.workbench.playback().cursor();
                  check_figures(audience);
                  check_table(audience);
                  check_whole(audience);
                  check_narration(audience);
                  check_sizes_of_texts(audience);
                  check_claims(*stop, audience, now);
                  CHECK(idle_rows_in_sight(*stop, audience, now) == std::vector<std::string>());
                  check_sizes_stay(*stop, audience, open.workbench);
                  names += check_view(audience, now);
                });
  CHECK(names > 100);
}

TEST_CASE("names of points stand in their own cells on a full HD stage, too", "[share][screen]") {
  OpenWorkbench open;
  open.show_answers();
  std::size_t names = 0;
  walk_on_stage(open, every_nth_lesson(open.workbench, test::everything() ? 6 : 15), {1920, 1080},
                [&](const Lesson&, const Stop* stop, AudienceWindow& audience) {
                  if (stop) names += check_view(audience, *open.workbench.playback().cursor());
                });
  CHECK(names > 50);
}

}  // namespace kdscope::stops_on_stage_gui_test
