// Tests the points in parallel coordinates: when the dock is shown, selection in both directions, axes chosen by their
// names, zoom, and samples.

#include <QAction>
#include <QDockWidget>
#include <QFontMetricsF>
#include <QLocale>
#include <QScrollBar>

#include "app/panes/parallel_coordinates_pane.hpp"
#include "app/panes/tree_pane.hpp"
#include "app/views/scene_view.hpp"
#include "tests/app/open_workbench.hpp"
#include "tests/support/point_algorithms.hpp"
#include "visualizer/model/trace_lookup.hpp"

using namespace kdscope;

namespace {

struct Coordinates : OpenWorkbench {
  ParallelCoordinatesPane& pane = *window.findChild<ParallelCoordinatesPane*>();
  ParallelCoordinatesView& view = pane.view();
  QDockWidget& dock = *window.dock(QStringLiteral("coordinates"));

  void run(const std::string& data, const std::string& algorithm = "brown") {
    open_run({data, algorithm, {}, Backend::cpu});
  }
  void click(QPointF at, Qt::KeyboardModifiers modifiers = {}) {
    QTest::mouseClick(view.viewport(), Qt::LeftButton, modifiers, at.toPoint());
  }
  const Selection& selection() const { return workbench.playback().selection(); }
};

}  // namespace

TEST_CASE("coordinates show by themselves for more than three dimensions, and can be had for fewer", "[share]") {
  Coordinates open;
  CHECK(open.dock.isHidden());
  int run = 0;
  for (const AlgorithmSpec& algorithm : test::shown_point_algorithms()) {
    if (algorithm.max_dim < 4) continue;  // coordinates are not shown automatically
    ++run;
    INFO(algorithm.id);
    open.run("uniform:n=30,dim=4", algorithm.id);
    CHECK_FALSE(open.dock.isHidden());
    CHECK(open.view.model().axes().size() == 4);
    CHECK(open.view.model().lines().size() == 30);
    open.run("uniform:n=30,dim=3", algorithm.id);
    CHECK(open.dock.isHidden());
    open.dock.show();
    open.settle();
    CHECK(open.view.model().axes().size() == 3);
    CHECK(colours_in(open.view.viewport()->grab().toImage()) > 20);
    open.dock.hide();
  }
  CHECK(run > 0);
}

TEST_CASE("coordinates of many dimensions have height for their lines on a small screen, beside a lesson") {
  Coordinates open;
  open.window.resize(1280, 720);
  open.open_lesson("hu/many-dimensions");
  open.workbench.lessons().go_to_stop(4);
  open.rest();
  CHECK_FALSE(open.dock.isHidden());
  CHECK(open.view.viewport()->height() >= 4 * open.pane.fontMetrics().height());
  CHECK(open.window.dock(QStringLiteral("narration"))->height() >= 200);
}

TEST_CASE("what is picked among the coordinates is marked everywhere, and the other way round, for every algorithm",
          "[share]") {
  Coordinates open;
  int run = 0;
  for (const AlgorithmSpec& algorithm : test::shown_point_algorithms()) {
    if (algorithm.max_dim < 4) continue;  // coordinates are not shown automatically
    ++run;
    INFO(algorithm.id);
    open.run("uniform:n=24,dim=4,seed=5", algorithm.id);
    open.show_step(open.last_step());
    // Select a point by a click on its line. Further clicks reach lines below others.
    for (std::uint32_t p = 0; p < 24; p += 9) {
      INFO("point " << p);
      open.workbench.playback().select(Selection{});
      const QPointF from = *open.view.place_of({p}, 1), to = *open.view.place_of({p}, 2), at = from + 0.6 * (to - from);
      for (int clicks = 0; clicks < 20 && !(open.selection() == Selection{Space::point, p}); ++clicks) open.click(at);
      CHECK(open.selection() == Selection{Space::point, p});
      CHECK(open.window.scene().selected_points() == std::vector<PointId>{{p}});
      REQUIRE(open.view.selected().size() == 1);
      CHECK(open.view.selected().front().point == PointId{p});
    }
    // Select a node: its own box is drawn, and its lines stand out. A click on its bar or its split also selects it.
    const auto node = node_of_point(*open.workbench.playback().cursor(), {0});
    REQUIRE(node.has_value());
    open.workbench.playback().select({Space::node, node->value});
    REQUIRE(open.view.model().boxes().size() == 1);
    CHECK(open.view.model().boxes().front().node == *node);
    CHECK(open.view.selected().empty());
    const auto& lines = open.view.model().lines();
    const auto line =
        std::find_if(lines.begin(), lines.end(), [](const CoordinateLine& l) { return l.point == PointId{0}; });
    REQUIRE(line != lines.end());
    CHECK(line->chosen);
    open.workbench.playback().select({Space::node, 0});
    const QRectF bar = open.view.bar({0}, 3), split = open.view.split({0});
    REQUIRE_FALSE(bar.isEmpty());
    REQUIRE_FALSE(split.isEmpty());
    open.workbench.playback().select({Space::point, 0});
    open.workbench.playback().select({Space::node, 0});
    open.click(split.center());
    CHECK(open.selection() == Selection{Space::node, 0});
    CHECK(open.window.tree().is_selected(NodeId{0}));
    // A click on empty space clears the selection.
    open.click({open.view.viewport()->width() - 2.0, open.view.viewport()->height() - 2.0});
    CHECK_FALSE(open.selection());
    CHECK(open.view.selected().empty());
  }
  CHECK(run > 0);
}

TEST_CASE("a click on a name puts the dimension along x, with Shift along y, and undo takes it back") {
  Coordinates open;
  open.run("uniform:n=30,dim=6");
  CHECK(open.workbench.playback().axes() == Axes{0, 1, -1});
  open.click(open.view.heading(4).center());
  CHECK(open.workbench.playback().axes() == Axes{4, 1, -1});
  open.click(open.view.heading(3).center(), Qt::ShiftModifier);
  CHECK(open.workbench.playback().axes() == Axes{4, 3, -1});
  open.click(open.view.heading(4).center(), Qt::ShiftModifier);  // swaps the axes
  CHECK(open.workbench.playback().axes() == Axes{3, 4, -1});
  open.click(open.view.heading(0).center(), Qt::ControlModifier);
  CHECK(open.workbench.playback().axes() == Axes{3, 4, 0});
  for (int edits = 0; edits < 4; ++edits) open.workbench.undo_stack().undo();
  CHECK(open.workbench.playback().axes() == Axes{0, 1, -1});
  CHECK(open.view.tip_at(open.view.heading(4).center()).startsWith(QStringLiteral("x4: from ")));
}

TEST_CASE("keys go from axis to axis and from point to point") {
  Coordinates open;
  open.run("uniform:n=30,dim=6");
  open.view.setFocus();
  QTest::keyClick(&open.view, Qt::Key_Right, Qt::AltModifier);
  QTest::keyClick(&open.view, Qt::Key_Right, Qt::AltModifier);
  CHECK(open.view.current_dimension() == 1u);
  QTest::keyClick(&open.view, Qt::Key_Return);
  CHECK(open.workbench.playback().axes() == Axes{1, 0, -1});
  QTest::keyClick(&open.view, Qt::Key_Right, Qt::AltModifier);
  QTest::keyClick(&open.view, Qt::Key_Return, Qt::ShiftModifier);
  CHECK(open.workbench.playback().axes() == Axes{1, 2, -1});
  const auto coordinate = [&] {
    return open.view.model().coordinate({static_cast<std::uint32_t>(open.selection().index)}, 2);
  };
  QTest::keyClick(&open.view, Qt::Key_Up, Qt::AltModifier);
  REQUIRE(open.selection().space == Space::point);
  CHECK(coordinate() == open.view.model().axes()[2].lo);
  for (int up = 0; up < 29; ++up) {
    const double before = coordinate();
    QTest::keyClick(&open.view, Qt::Key_Up, Qt::AltModifier);
    CHECK(coordinate() >= before);
  }
  CHECK(coordinate() == open.view.model().axes()[2].hi);
  const double speed = open.workbench.transport().steps_per_second(), wide = open.view.window().width();
  QTest::keyClick(&open.view, Qt::Key_Plus);
  CHECK(open.view.window().width() < wide);
  CHECK(open.workbench.transport().steps_per_second() == speed);
}

TEST_CASE("many dimensions scroll and zoom, and the split of a step comes into sight", "[share]") {
  Coordinates open;
  const auto wide =
      std::find_if(algorithms().begin(), algorithms().end(), [](const AlgorithmSpec& a) { return a.max_dim >= 64; });
  REQUIRE(wide != algorithms().end());
  for (const std::uint32_t dim : {64u, 512u}) {
    INFO(dim << " dimensions");
    open.run("uniform:n=300,type=float,dim=" + std::to_string(dim), wide->id);
    CHECK(open.view.model().axes().size() == dim);
    CHECK(open.view.window().width() < 0.5);
    CHECK(open.pane.minimap().isVisible());
    std::uint32_t seen = 0;
    for (std::size_t step = 0; step < open.workbench.playback().step_count(); step += test::every_nth(5)) {
      open.workbench.playback().seek(static_cast<std::uint32_t>(step));
      const auto [first, end] = open.view.axes_in_sight();
      bool any = false, in_sight = false;
      for (const CoordinateBox& box : open.view.model().boxes()) {
        any = any || box.split_dim >= 0;
        in_sight = in_sight || (box.split_dim >= static_cast<int>(first) && box.split_dim < static_cast<int>(end));
      }
      CHECK(any == in_sight);
      seen += any;
    }
    CHECK(seen > 0);
    open.find<QAction>("coordinates_show_all").trigger();
    CHECK(open.view.axes_in_sight() == std::pair<std::size_t, std::size_t>(0, dim));
    CHECK_FALSE(open.pane.minimap().isVisible());
    CHECK(colours_in(open.view.viewport()->grab().toImage()) > 20);
    // Show only the dimensions that the tree splits.
    open.find<QAction>("coordinates_split_only").trigger();
    CHECK(open.view.model().axes().size() == open.view.model().split_count());
    CHECK(open.view.model().split_count() < dim);
    CHECK(open.pane.caption().contains(QStringLiteral("of %1 dimensions are split").arg(dim)));
    open.find<QAction>("coordinates_split_only").trigger();
  }
}

TEST_CASE("the axes lie where the scroll bars say, also after their range has shrunk") {
  const auto wide =
      std::find_if(algorithms().begin(), algorithms().end(), [](const AlgorithmSpec& a) { return a.max_dim >= 64; });
  REQUIRE(wide != algorithms().end());
  Coordinates open;
  open.run("uniform:n=30,type=float,dim=64", wide->id);
  QScrollBar& along = *open.view.horizontalScrollBar();
  const double side = coordinate_margins(QFontMetricsF(coordinate_font(100)).height()).side;
  const auto check = [&] {
    CHECK(open.view.heading(0).center().x() == side - along.value());
    CHECK(open.view.place_of({0}, 0)->x() == side - along.value());
  };
  open.view.zoom(4);
  along.setValue(along.maximum());
  check();
  CHECK(open.view.axes_in_sight().second == 64);
  open.find<QAction>("coordinates_show_all").trigger();
  CHECK(along.value() == 0);
  check();
  open.view.zoom(4);
  CHECK(along.value() > 0);
  check();
  along.setValue(0);
  check();
  CHECK(open.view.axes_in_sight().first == 0);
  // Do the same vertically, in a pane that was low before.
  ParallelCoordinatesView low;
  low.resize(600, 60);
  low.show_trace(open.workbench.playback().trace());
  low.show();
  open.settle();
  QScrollBar& down = *low.verticalScrollBar();
  const auto top = [&] { return low.place_of({0}, 0)->y() + down.value(); };
  REQUIRE(down.maximum() > 10);
  const double before = top();
  down.setValue(down.maximum());
  CHECK(top() == before);
  low.resize(600, 400);
  open.settle();
  CHECK(down.value() == 0);
  low.resize(600, 60);
  open.settle();
  down.setValue(5);
  CHECK(top() == before);
}

TEST_CASE("axes that lie as good as on one another name one of them") {
  const auto recording = record_run({"uniform:n=10,dim=3", "brown", {}, Backend::cpu}).value();
  const ParallelCoordinates model(recording.trace);
  CoordinateLook look;
  for (const double spacing : {1e-300, 0.01})
    CHECK(CoordinateDrawing(model, {0, spacing, 0, 10}, {0, 0, 64, 64}, look).stride() == 4);
}

TEST_CASE("of very many points a sample is drawn, and the caption says so") {
  Coordinates open;
  open.run("uniform:n=20000,dim=5");
  CHECK(open.view.drawn() <= 2000);
  CHECK(open.pane.caption().startsWith(
      QStringLiteral("A sample: %1 of 20,000 points.")
          .arg(QLocale(QLocale::English).toString(static_cast<qulonglong>(open.view.drawn())))));
  // A point outside the sample is drawn when it is selected, and can then be clicked.
  std::vector<bool> sampled(20000);
  for (const CoordinateLine& line : open.view.model().lines()) sampled[line.point.value] = true;
  const auto left_out = static_cast<std::uint32_t>(std::find(sampled.begin(), sampled.end(), false) - sampled.begin());
  const QImage before = open.view.viewport()->grab().toImage();
  open.workbench.playback().select({Space::point, left_out});
  open.settle();
  REQUIRE(open.view.selected().size() == 1);
  CHECK(differing_pixels(before, open.view.viewport()->grab().toImage()) > 500);
}

TEST_CASE("coordinates follow themes and the size of texts") {
  Coordinates open;
  open.run("uniform:n=30,dim=5");
  QImage before = open.view.viewport()->grab().toImage();
  for (const char* name : {"dark", "high-contrast"}) {
    open.workbench.looks().set_theme(name);
    open.settle();
    const QImage now = open.view.viewport()->grab().toImage();
    CHECK(differing_pixels(before, now) > now.width() * now.height() / 2);
    before = now;
  }
  const double high = open.view.heading(0).height();
  // With one unit of length, only the widest dimension keeps its length.
  open.find<QAction>("coordinates_same_unit").trigger();
  CHECK(open.view.model().same_unit());
  open.find<QAction>("coordinates_same_unit").trigger();
  open.workbench.looks().set_text_scale(200);
  open.settle();
  CHECK(open.view.heading(0).height() > 1.6 * high);
}
