#include <QApplication>
#include <QDockWidget>
#include <QMainWindow>
#include <QScrollBar>
#include <QTest>
#include <QWheelEvent>

#include "app/views/histogram_view.hpp"
#include "app/views/scene_view.hpp"
#include "app/views/tree_view.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/patience.hpp"
#include "tests/visualizer/counted_trace.hpp"
#include "tests/visualizer/wald_ten_points.hpp"

using namespace kdscope;

namespace {

/// A view in a window of its own, of this size in pixels.
template <class View>
struct Shown : View {
  Shown(int width, int height) {
    View::resize(width, height);
    View::show();
    REQUIRE(QTest::qWaitForWindowExposed(this, patience_ms));
  }
};

QColor colour(Rgb c) { return {c.r, c.g, c.b}; }

bool near(QColor a, Rgb b) {
  return colour_distance({std::uint8_t(a.red()), std::uint8_t(a.green()), std::uint8_t(a.blue())}, b) < 0.03;
}

/// Returns true once the view shows point 0 of the step, without its label, in the expected colour.
bool shows(SceneView& view, Rgb expected) {
  SceneOptions options = view.options();
  options.labels = PointLabels::none;
  view.set_options(options);
  return QTest::qWaitFor(
      [&] {
        const auto at = view.place_of_point(PointId{0});
        if (!at) return false;
        const QImage picture = view.picture();
        const double ratio = picture.devicePixelRatio();
        const QPoint middle((*at * ratio).toPoint());
        return picture.valid(middle) && near(picture.pixelColor(middle), expected);
      },
      5000);
}

Rgb first_point_colour(ThemeId id, std::uint32_t node) { return subtree_colour(theme(id), NodeId{node}); }

QWidget* canvas_of(SceneView& view) { return view.findChild<QWidget*>(QStringLiteral("canvas")); }

}  // namespace

TEST_CASE("the view draws the step, the theme and nothing translucent") {
  Shown<SceneView> view(640, 480);
  REQUIRE(view.can_draw());
  view.show_step(ten_points_at(1));
  CHECK(shows(view, first_point_colour(ThemeId::light, 1)));
  view.show_step(ten_points_at(3));
  CHECK(shows(view, first_point_colour(ThemeId::light, 3)));
  for (ThemeId id : all_themes) {
    view.set_theme(id);
    CHECK(shows(view, first_point_colour(id, 3)));
    const QImage picture = view.picture();
    CHECK(picture.pixelColor(2, 2) == colour(theme(id).base));
    CHECK(picture.pixelColor(2, 2).alpha() == 255);
    for (const QImage& shown : {picture, view.grab().toImage()}) {  // with the texts of the level axis
      int written = 0;
      for (int y = shown.height() - 60; y < shown.height(); ++y)
        for (int x = 0; x < shown.width(); ++x) written += near(shown.pixelColor(x, y), theme(id).text);
      CHECK(written > 20);
    }
  }
  for (double scale : {0.8, 3.0, 1.0}) {
    view.set_text_scale(scale);
    REQUIRE(QTest::qWaitFor([&] { return view.place_of_point(PointId{0}).has_value(); }, patience_ms));
  }
}

TEST_CASE("clicks pick points, drags move the picture, a double click brings it back") {
  Shown<SceneView> view(640, 480);
  view.show_step(ten_points_at(3));
  REQUIRE(shows(view, first_point_colour(ThemeId::light, 3)));
  QWidget* canvas = canvas_of(view);
  REQUIRE(canvas);
  std::vector<std::uint64_t> picked;
  int nothing = 0, moved = 0;
  QObject::connect(&view, &SceneView::picked, [&](const Selection& now) {
    if (!now) return void(++nothing);
    CHECK(now.space == Space::point);
    picked.push_back(now.index);
  });
  QObject::connect(&view, &SceneView::camera_changed, [&] { ++moved; });
  const auto place = [&](std::uint32_t point) {
    return canvas->mapFrom(&view, view.place_of_point(PointId{point})->toPoint());
  };
  for (std::uint32_t point : {0u, 7u, 9u}) QTest::mouseClick(canvas, Qt::LeftButton, {}, place(point));
  CHECK(picked == std::vector<std::uint64_t>{0, 7, 9});
  QTest::mouseClick(canvas, Qt::LeftButton, {}, QPoint(3, 3));
  CHECK(nothing == 1);

  const QPoint before = place(0);
  QTest::mousePress(canvas, Qt::LeftButton, {}, QPoint(300, 200));
  QTest::mouseMove(canvas, QPoint(320, 220));
  QTest::mouseMove(canvas, QPoint(350, 230));
  QTest::mouseRelease(canvas, Qt::LeftButton, {}, QPoint(350, 230));
  CHECK(QTest::qWaitFor([&] { return (place(0) - before - QPoint(50, 30)).manhattanLength() <= 2; }, patience_ms));
  CHECK(moved == 1);
  CHECK(picked.size() == 3);
  QTest::mouseDClick(canvas, Qt::LeftButton, {}, QPoint(3, 3));
  CHECK(QTest::qWaitFor([&] { return (place(0) - before).manhattanLength() <= 1; }, patience_ms));

  QWheelEvent wheel(QPointF(place(0)), canvas->mapToGlobal(QPointF(place(0))), {}, QPoint(0, 240), Qt::NoButton,
                    Qt::NoModifier, Qt::NoScrollPhase, false);
  QCoreApplication::sendEvent(canvas, &wheel);
  CHECK(QTest::qWaitFor(
      [&] { return (place(0) - before).manhattanLength() <= 2 && view.camera().parallel_scale < 0.7; }, patience_ms));
}

TEST_CASE("the selection is marked and unmarked") {
  Shown<SceneView> view(640, 480);
  view.show_step(ten_points_at(3));
  REQUIRE(shows(view, first_point_colour(ThemeId::light, 3)));
  const auto marked = [&] {
    const QImage picture = view.picture();
    int found = 0;
    for (int y = 0; y < picture.height(); ++y)
      for (int x = 0; x < picture.width(); ++x)
        found += near(picture.pixelColor(x, y), theme(ThemeId::light).selection);
    return found;
  };
  CHECK(marked() == 0);
  view.select_point(PointId{4});
  CHECK(QTest::qWaitFor([&] { return marked() > 100; }, patience_ms));
  CHECK(view.selected_point() == PointId{4});
  view.select_point(std::nullopt);
  CHECK(QTest::qWaitFor([&] { return marked() == 0; }, patience_ms));
}

TEST_CASE("undocked and docked ten times, hidden and shown, the view still draws") {
  QMainWindow window;
  window.resize(900, 600);
  auto* dock = new QDockWidget(QStringLiteral("view"));
  auto* view = new SceneView;
  dock->setWidget(view);
  window.addDockWidget(Qt::LeftDockWidgetArea, dock);
  window.setDockNestingEnabled(true);
  window.show();
  REQUIRE(QTest::qWaitForWindowExposed(&window, patience_ms));
  for (std::uint32_t turn = 0; turn < 10; ++turn) {
    dock->setFloating(true);
    view->show_step(ten_points_at(1));
    REQUIRE(shows(*view, first_point_colour(ThemeId::light, 1)));
    dock->setFloating(false);
    view->show_step(ten_points_at(3));
    REQUIRE(shows(*view, first_point_colour(ThemeId::light, 3)));
  }
  dock->hide();
  QTest::qWait(20);
  view->show_step(ten_points_at(1));
  dock->show();
  CHECK(shows(*view, first_point_colour(ThemeId::light, 1)));
}

TEST_CASE("views come and go while another keeps drawing") {
  SceneView stays;
  stays.resize(400, 300);
  stays.show();
  stays.show_step(ten_points_at(1));
  for (int i = 0; i < 5; ++i) {
    SceneView goes;
    goes.resize(300, 300);
    goes.show();
    goes.show_step(ten_points_at(3));
    REQUIRE(shows(goes, first_point_colour(ThemeId::light, 3)));
  }
  stays.show_step(ten_points_at(3));
  CHECK(shows(stays, first_point_colour(ThemeId::light, 3)));
}

TEST_CASE("before there is anything to draw the view says what to do") {
  Shown<SceneView> view(400, 300);
  CHECK_FALSE(canvas_of(view)->isVisible());
  view.show_step(Cursor(std::make_shared<const Trace>()));
  CHECK_FALSE(canvas_of(view)->isVisible());
  view.show_step(ten_points_at(3));
  CHECK(shows(view, first_point_colour(ThemeId::light, 3)));
  // The view itself continues.
  view.show_step(ten_points_at(1));
  CHECK(shows(view, first_point_colour(ThemeId::light, 1)));
  view.clear();
  CHECK_FALSE(canvas_of(view)->isVisible());
}

TEST_CASE("where OpenGL cannot be shown there is a placeholder that says why", "[.offscreen]") {
  REQUIRE(QGuiApplication::platformName() == QStringLiteral("offscreen"));
  SceneView view;
  view.show();
  REQUIRE_FALSE(view.can_draw());
  CHECK(view.problem().contains(QStringLiteral("X11")));
  view.show_step(ten_points_at(3));
  view.select_point(PointId{1});
  view.set_theme(ThemeId::dark);
  view.clear();
  CHECK_FALSE(view.place_of_point(PointId{0}));
  CHECK_FALSE(view.picture().isNull());
}

TEST_CASE("the tree is drawn in the colours of the subtrees, and clicks pick nodes") {
  Shown<TreeView> view(700, 420);
  std::vector<std::uint64_t> picked;
  int nothing = 0;
  QObject::connect(&view, &TreeView::picked, [&](const Selection& now) {
    if (!now) return void(++nothing);
    CHECK(now.space == Space::node);
    picked.push_back(now.index);
  });
  view.show_step(ten_points_at(3));
  for (ThemeId id : all_themes) {
    view.set_theme(id);
    const QImage picture = view.viewport()->grab().toImage();
    CHECK(picture.pixelColor(2, picture.height() - 2) == colour(theme(id).base));
    for (std::uint32_t node = 3; node < 7; ++node) {
      const QPointF at = *view.place_of_node(NodeId{node}) + QPointF(-8, 6);
      CHECK(near(picture.pixelColor((at * picture.devicePixelRatio()).toPoint()), first_point_colour(id, node)));
    }
  }
  CHECK_FALSE(view.place_of_node(NodeId{7}));
  for (std::uint32_t node : {0u, 4u, 6u})
    QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, view.place_of_node(NodeId{node})->toPoint());
  CHECK(picked == std::vector<std::uint64_t>{0, 4, 6});
  QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, QPoint(5, 415));
  CHECK(nothing == 1);
  const QPointF before = *view.place_of_node(NodeId{4});
  view.show_step(ten_points_at(6));
  CHECK(*view.place_of_node(NodeId{4}) == before);
}

TEST_CASE("keys walk the tree, Ctrl and the wheel zoom it, and the selection is scrolled into sight") {
  Shown<TreeView> view(500, 300);
  view.show_step(ten_points_at(6));
  std::vector<std::uint64_t> picked;
  QObject::connect(&view, &TreeView::picked, [&](const Selection& now) {
    REQUIRE(now.space == Space::node);
    picked.push_back(now.index);
    view.select_node(NodeId{static_cast<std::uint32_t>(now.index)});
  });
  for (Qt::Key key : {Qt::Key_Down, Qt::Key_Down, Qt::Key_Right, Qt::Key_Down, Qt::Key_Up, Qt::Key_Left, Qt::Key_Left})
    QTest::keyClick(&view, key, Qt::AltModifier);
  CHECK(picked == std::vector<std::uint64_t>{0, 1, 2, 5, 2, 1, 1});
  for (int i = 0; i < 12; ++i) {
    QWheelEvent wheel(QPointF(250, 100), view.mapToGlobal(QPointF(250, 100)), {}, QPoint(0, 120), Qt::NoButton,
                      Qt::ControlModifier, Qt::NoScrollPhase, false);
    QCoreApplication::sendEvent(view.viewport(), &wheel);
  }
  REQUIRE(view.horizontalScrollBar()->maximum() > 0);
  view.select_node(NodeId{7});
  CHECK(view.viewport()->rect().contains(view.place_of_node(NodeId{7})->toPoint()));
  view.select_node(NodeId{6});
  CHECK(view.viewport()->rect().contains(view.place_of_node(NodeId{6})->toPoint()));
  view.clear();
  CHECK_FALSE(view.place_of_node(NodeId{0}));
}

TEST_CASE("in front of an audience, smaller numbers stand in cells that are too narrow for others") {
  CountedRun run;
  for (std::uint32_t& count : run.counts) count += 60;
  const Cursor now = counted_at(1, counted_trace(run));
  const auto counts = CountArray::at(now, "H");
  REQUIRE(counts);
  const auto narrowest = [&](bool for_audience) {
    Shown<HistogramView> view(100, 420);
    if (for_audience) view.set_for_audience();
    view.set_appearance(theme(ThemeId::light), 126);
    view.show_counts(*counts, {});
    for (int width = 100; width < 500; ++width) {
      view.resize(width, 420);
      if (view.shows_numbers()) return width;
    }
    return 500;
  };
  const int in_window = narrowest(false);
  CHECK(in_window < 500);
  CHECK(narrowest(true) <= in_window - 8);  // two pixels per cell
}
