// The pane Point cloud: density and normals of the open run's points, handles put and dragged in the view, and the runs
// that are opened from a pose.

#include <QCheckBox>
#include <QComboBox>
#include <QDockWidget>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QPushButton>
#include <QSlider>
#include <QSpinBox>
#include <cmath>

#include "algorithms/trace/trace.hpp"
#include "app/application_panes/cloud_pane.hpp"
#include "app/panes/viewer.hpp"
#include "app/recording/run.hpp"
#include "app/views/scene_view.hpp"
#include "tests/app/open_workbench.hpp"
#include "tests/support/runner_processes.hpp"

using namespace kdscope;

namespace {

struct CloudWindow : OpenWorkbench {
  CloudPane& pane;
  QPushButton &start, &put_back, &open_run_of_pose, &step_search, &remove;
  QComboBox& shown;
  QSpinBox& point;
  QCheckBox& by_mouse;

  CloudWindow()
      : pane(*window.findChild<CloudPane*>()),
        start(find<QPushButton>("estimate_cloud")),
        put_back(find<QPushButton>("put_cloud_back")),
        open_run_of_pose(find<QPushButton>("open_cloud")),
        step_search(find<QPushButton>("step_cloud_search")),
        remove(find<QPushButton>("remove_cloud_handle")),
        shown(find<QComboBox>("cloud_show")),
        point(find<QSpinBox>("cloud_point")),
        by_mouse(find<QCheckBox>("cloud_handles")) {
    show_dock("cloud");
  }
  QString text(const char* name) { return find<QLabel>(name).text(); }
  void open_run(const RunRequest& run) {
    const auto before = workbench.playback().trace();
    workbench.desk().run(run);
    wait_for_other_run(before);
  }
  void wait_for_other_run(const std::shared_ptr<const Trace>& before) {
    REQUIRE(QTest::qWaitFor([&] { return !workbench.jobs().busy() && workbench.playback().trace() != before; },
                            patience_ms));
    settle();
  }
  void wait_for_estimates() {
    REQUIRE(QTest::qWaitFor([&] { return pane.up_to_date(); }, patience_ms));
    settle();
  }
  void estimate() {
    click(start);
    wait_for_estimates();
  }
  QPoint place_of(std::uint32_t index) {
    const PointSet& points = pane.pose()->points->points;
    const auto at = window.scene().place_of({points.value(index, 0), points.value(index, 1), points.value(index, 2)});
    REQUIRE(at);
    return at->toPoint();
  }
  void click_on(std::uint32_t index) {
    QTest::mouseClick(window.scene().canvas(), Qt::LeftButton, {}, place_of(index));
    wait_for_estimates();
  }
  /// Presses on a point and moves the mouse, without a release.
  void drag_from(std::uint32_t index, QPoint by) {
    QWidget* canvas = window.scene().canvas();
    const QPoint from = place_of(index);
    QTest::mousePress(canvas, Qt::LeftButton, {}, from);
    for (const QPoint at : {from + by / 2, from + by}) {
      QMouseEvent move(QEvent::MouseMove, at, canvas->mapToGlobal(at), Qt::LeftButton, Qt::LeftButton, Qt::NoModifier);
      QApplication::sendEvent(canvas, &move);
    }
  }
};

/// Points on a bent sheet that faces the viewer of the default picture: each is seen.
std::shared_ptr<const DataSet> sheet() {
  auto data = std::make_shared<DataSet>();
  data->name = "sheet";
  data->points = {ScalarType::float32, 3, 0, {}};
  for (int row = 0; row < 20; ++row)
    for (int column = 0; column < 20; ++column)
      for (const float c : {0.1f * float(column), 0.025f * float(column * column) * 0.1f, 0.1f * float(row)})
        data->points.words.push_back(word_of(c));
  return data;
}

RunRequest sheet_run() { return {"sheet", "zhou-vvh", {}, Backend::cpu, false, sheet()}; }

}  // namespace

TEST_CASE("point cloud pane: the open points are estimated and shown as splats, until other points come", "[screen]") {
  CloudWindow open;
  CHECK_FALSE(open.start.isEnabled());  // ten points in two dimensions
  CHECK(open.text("cloud_summary").contains("three dimensions"));
  open.open_run({"bunny:sample=1500", "zhou-vvh", {}, Backend::cpu});
  REQUIRE(open.start.isEnabled());
  const QImage run = open.window.scene().picture();
  open.estimate();
  REQUIRE(open.pane.pose());
  const auto first = open.pane.pose();
  const Cloud& cloud = first->cloud;
  REQUIRE(cloud.radius.size() == 1500);
  CHECK(open.text("cloud_summary").contains("1,500 points"));
  CHECK(open.pane.bars().count() == 1);
  open.point.setValue(7);
  CHECK(open.text("cloud_point_text").contains(QString::number(10 / std::pow(double(cloud.radius[7]), 2), 'g', 3)));
  const QImage density = open.window.scene().picture();
  CHECK(differing_pixels(run, density) > 1000);
  open.shown.setCurrentIndex(0);
  open.settle();
  const QImage surface = open.window.scene().picture();
  CHECK(differing_pixels(surface, density) > 1000);
  open.shown.setCurrentIndex(3);
  open.settle();
  CHECK(differing_pixels(open.window.scene().picture(), run) == 0);
  // The times are measured once more
  open.estimate();
  CHECK(open.pane.bars().count() == 2);
  CHECK(open.pane.pose()->cloud.radius == cloud.radius);
  // Another k estimates again
  open.shown.setCurrentIndex(1);
  open.find<QSpinBox>("cloud_k").setValue(20);
  open.wait_for_estimates();
  CHECK(open.pane.pose()->cloud.radius[7] > cloud.radius[7]);
  open.open_run({"wald-10", "wald", {}, Backend::cpu});
  CHECK(open.pane.pose() == nullptr);
  CHECK_FALSE(open.start.isEnabled());
  CHECK_FALSE(open.by_mouse.isEnabled());
}

TEST_CASE("point cloud pane: other views of the run show the cloud as well, those that open later too", "[screen]") {
  CloudWindow open;
  open.open_run(sheet_run());
  SceneView before, after;
  attach(before, open.workbench.playback(), open.workbench);
  before.show();
  open.estimate();
  attach(after, open.workbench.playback(), open.workbench);
  after.show();
  open.settle();
  for (SceneView* view : {&before, &after}) {
    view->picture();
    CHECK(view->scene().points_drawn() == 0);
    CHECK(colours_in(view->picture(), 20) == 20);
  }
  open.shown.setCurrentIndex(3);
  open.settle();
  for (SceneView* view : {&before, &after}) {
    view->picture();
    CHECK(view->scene().points_drawn() == 400);
  }
}

TEST_CASE("point cloud pane: handles are put by clicks, and the points follow the dragged one", "[screen]") {
  CloudWindow open;
  open.open_run(sheet_run());
  open.estimate();
  open.find<QSlider>("cloud_handle_radius").setValue(15);
  const std::uint32_t left = 0, right = 399, middle = 210;
  // Without the tool, a click puts none
  QTest::mouseClick(open.window.scene().canvas(), Qt::LeftButton, {}, open.place_of(left));
  CHECK(open.pane.handles().empty());
  open.by_mouse.setChecked(true);
  open.click_on(left);
  CHECK(open.pane.handles().handle_of(left) == 0u);
  open.click_on(right);
  REQUIRE(open.pane.handles().size() == 2);
  CHECK(open.pane.handles().handle_of(left) == 0u);
  CHECK(open.pane.handles().handle_of(right) == 1u);
  CHECK(open.pane.handles().active_number() == 1);
  REQUIRE(open.pane.field());
  CHECK(open.pane.field()->strength[right] == 1);
  CHECK(open.pane.field()->strength[left] == 0);
  const auto before = open.pane.pose();

  const QPoint by(-60, -40), from = open.place_of(right);
  open.drag_from(right, by);
  QTest::mouseRelease(open.window.scene().canvas(), Qt::LeftButton, {}, from + by);
  open.wait_for_estimates();
  const auto after = open.pane.pose();
  const QPoint reached = open.place_of(right) - from;
  CHECK(std::hypot(reached.x() - by.x(), reached.y() - by.y()) < 3);  // it stays under the mouse
  const auto moved = [&](std::uint32_t i) {
    double square = 0;
    for (std::uint32_t d = 0; d < 3; ++d)
      square += std::pow(after->points->points.value(i, d) - before->points->points.value(i, d), 2);
    return std::sqrt(square);
  };
  CHECK(moved(left) == 0);
  CHECK(moved(right) > 0.1);
  CHECK(moved(middle) == Approx(open.pane.field()->strength[middle] * moved(right)).epsilon(1e-3));
  CHECK(open.pane.bars().count() >= 2);

  // A second press that comes soon, as a double click, grabs the handle too; without its release, the drag ends
  QWidget* canvas = open.window.scene().canvas();
  const QPoint there = open.place_of(right);
  QMouseEvent press(QEvent::MouseButtonDblClick, there, canvas->mapToGlobal(there), Qt::LeftButton, Qt::LeftButton,
                    Qt::NoModifier);
  QApplication::sendEvent(canvas, &press);
  for (const Qt::MouseButtons buttons : {Qt::MouseButtons(Qt::LeftButton), Qt::MouseButtons(Qt::NoButton)}) {
    const QPoint at = there + (buttons ? QPoint(20, 20) : QPoint(60, 60));
    QMouseEvent move(QEvent::MouseMove, at, canvas->mapToGlobal(at), Qt::NoButton, buttons, Qt::NoModifier);
    QApplication::sendEvent(canvas, &move);
  }
  open.wait_for_estimates();
  const QPoint dropped = open.place_of(right) - there;
  CHECK(std::hypot(dropped.x() - 20, dropped.y() - 20) < 3);
  open.find<QDoubleSpinBox>("cloud_move_x").setValue(0);
  open.find<QDoubleSpinBox>("cloud_move_y").setValue(0);
  open.find<QDoubleSpinBox>("cloud_move_z").setValue(0);
  open.wait_for_estimates();
  CHECK(open.pane.pose() == before);
  CHECK_FALSE(open.put_back.isEnabled());
  open.drag_from(right, by);
  QTest::mouseRelease(canvas, Qt::LeftButton, {}, from + by);
  open.wait_for_estimates();

  // Escape takes the drag back
  open.drag_from(right, {30, 30});
  QTest::keyClick(canvas, Qt::Key_Escape);
  QTest::mouseRelease(canvas, Qt::LeftButton, {}, open.place_of(right));
  open.wait_for_estimates();
  CHECK(open.pane.pose()->points->points.words == after->points->points.words);
  CHECK(open.pane.handles().size() == 2);

  // A press on the other handle makes it the active one, and what was moved stays
  open.click_on(left);
  CHECK(open.pane.handles().size() == 2);
  CHECK(open.pane.handles().active_number() == 0);
  CHECK(open.pane.field()->strength[left] == 1);
  CHECK(open.pane.field()->strength[right] == 0);
  CHECK(open.pane.pose()->points->points.words == after->points->points.words);

  open.click(open.put_back);
  open.wait_for_estimates();
  CHECK(open.pane.pose()->points->points.words == before->points->points.words);
  CHECK(open.pane.pose()->cloud.normals == before->cloud.normals);
  CHECK(open.pane.handles().size() == 2);
  open.click(open.remove);
  open.click(open.remove);
  CHECK(open.pane.handles().empty());
  CHECK(open.pane.field() == nullptr);
  CHECK_FALSE(open.remove.isEnabled());
}

TEST_CASE("point cloud pane: a move by numbers, the run on the pose, and a point's search", "[screen]") {
  CloudWindow open;
  open.open_run(sheet_run());
  open.estimate();
  open.point.setValue(0);
  open.click(open.find<QPushButton>("put_cloud_handle"));
  open.point.setValue(399);
  open.click(open.find<QPushButton>("put_cloud_handle"));
  open.wait_for_estimates();
  const auto rest = open.pane.pose();
  open.find<QDoubleSpinBox>("cloud_move_y").setValue(0.5);
  open.wait_for_estimates();
  const auto pose = open.pane.pose();
  CloudRequest request;
  request.points = rest->points;
  request.backend = Backend::cpu;
  const auto expected = deform_cloud({request, open.pane.field()->strength, {0, 0.5, 0}, rest->cloud.normals}).value();
  CHECK(pose->points->points.words == expected.points->points.words);
  CHECK(pose->cloud.normals == expected.cloud.normals);
  CHECK(pose->cloud.density == expected.cloud.density);

  const auto before = open.workbench.playback().trace();
  REQUIRE(open.step_search.isEnabled());
  open.click(open.step_search);
  open.wait_for_other_run(before);
  const auto trace = open.workbench.playback().trace();
  CHECK(trace->header.algorithm == "zhou-vvh");
  CHECK(trace->header.search.at("k") == "11");
  CHECK(points_of(*trace)->points.words == pose->points->points.words);
  // The pose, its handles and the search belong together
  CHECK(open.pane.pose() == pose);
  CHECK(open.pane.handles().size() == 2);
  CHECK(open.shown.currentText() == "the run");

  REQUIRE(open.open_run_of_pose.isEnabled());
  open.click(open.open_run_of_pose);
  open.wait_for_other_run(trace);
  CHECK(open.workbench.playback().trace()->header.search.empty());
  CHECK(open.pane.pose() == pose);

  // Another k, then another handle: the pose stays
  open.find<QSpinBox>("cloud_k").setValue(12);
  REQUIRE(QTest::qWaitFor([&] { return open.pane.bars().count() == 3; }, patience_ms));  // at rest, k = 12
  open.point.setValue(210);
  open.click(open.find<QPushButton>("put_cloud_handle"));
  open.wait_for_estimates();
  CHECK(open.pane.handles().size() == 3);
  CHECK(open.pane.pose()->points->points.words == pose->points->points.words);
  CHECK(open.pane.pose()->points->name == "sheet, deformed");

  // Put back, the run is that on the points at rest again
  open.click(open.put_back);
  open.wait_for_estimates();
  const auto deformed_run = open.workbench.playback().trace();
  REQUIRE(open.open_run_of_pose.isEnabled());
  open.click(open.open_run_of_pose);
  open.wait_for_other_run(deformed_run);
  CHECK(points_of(*open.workbench.playback().trace())->points.words == rest->points->points.words);
}

TEST_CASE("point cloud pane: what is out of date when an estimate ends is not taken") {
  CloudWindow open;
  open.open_run(sheet_run());
  open.click(open.start);
  open.find<QSpinBox>("cloud_k").setValue(12);  // while the estimate runs
  open.wait_for_estimates();
  CloudRequest request;
  request.points = open.pane.pose()->points;
  request.k = 12;
  request.backend = Backend::cpu;
  const auto expected = estimate_cloud(request).value();
  CHECK(open.pane.pose()->cloud.radius == expected.radius);
  // Cancelled estimates end, and go on when they are asked for
  open.find<QPushButton>("put_cloud_handle").click();
  REQUIRE(open.start.text() == "Cancel");
  open.start.click();
  CHECK(open.text("cloud_summary").contains("Cancelled"));
  REQUIRE(QTest::qWaitFor([&] { return open.start.text() == "Estimate"; }, patience_ms));
  QTest::qWait(50);
  CHECK(open.pane.field() == nullptr);
  CHECK_FALSE(open.pane.up_to_date());
  open.estimate();
  CHECK(open.pane.field());
}

TEST_CASE("handles of a cloud are disjoint, and the newest is active") {
  PointSet line{ScalarType::float32, 3, 0, {}};
  for (int i = 0; i < 10; ++i)
    for (const float c : {float(i), 0.f, 0.f}) line.words.push_back(word_of(c));
  CloudHandles handles;
  CHECK_FALSE(handles.add(line, {0, 5, 0}, 1));
  CHECK(handles.empty());
  REQUIRE(handles.add(line, {2, 0, 0}, 1));
  REQUIRE(handles.add(line, {4, 0, 0}, 1));  // 3 belongs to the first
  CHECK(handles.active() == std::vector<std::uint32_t>{4, 5});
  CHECK(handles.fixed() == std::vector<std::uint32_t>{1, 2, 3});
  CHECK_FALSE(handles.add(line, {2, 0, 0}, 0.5));
  CHECK(handles.size() == 2);
  REQUIRE(handles.add(line, {8, 0, 0}, 0));
  CHECK(handles.fixed() == std::vector<std::uint32_t>{1, 2, 3, 4, 5});
  handles.activate(0);
  CHECK(handles.active() == std::vector<std::uint32_t>{1, 2, 3});
  handles.remove_active();
  CHECK(handles.active() == std::vector<std::uint32_t>{8});
  CHECK(handles.handle_of(3) == std::nullopt);
  CHECK(handles.handle_of(5) == 0u);
}

TEST_CASE("a line of sight meets the nearest disc, else the point that it passes closely") {
  PointSet points{ScalarType::float32, 3, 0, {}};
  for (const float c : {0.f, 0.f, -3.f, 0.1f, 0.f, -2.f, 0.f, 2.f, -1.f, 0.f, 0.f, 1.f})
    points.words.push_back(word_of(c));
  const std::vector<float> level(12, 0);
  // From (0, 0, 0) along -z; a pixel has the size 0.01 at a distance of 1
  const auto towards = [](double x, double y) { return SightLine{{0, 0, 0}, {x, y, -1}, {0.01, 0, 0}, {0, 0.01, 0}}; };
  const auto line = towards(0, 0);
  CHECK(point_on(line, points, level, {0.5f, 0.2f, 0.5f, 5}, 4) == 1u);   // in front; the last lies behind the eye
  CHECK(point_on(line, points, level, {0.5f, 0.05f, 0.5f, 5}, 4) == 0u);  // passes the disc of the second
  CHECK(point_on(line, points, level, {0, 0, 0, 0}, 4) == 0u);
  CHECK(point_on(towards(0.05, 0), points, level, {0, 0, 0, 0}, 4) == 1u);
  CHECK(point_on(towards(1, 0), points, level, {0, 0, 0, 0}, 4) == std::nullopt);
  // A disc that is seen from its side is met by no line, but its middle is passed
  std::vector<float> upright = level;
  upright[3] = 1;
  CHECK(point_on(line, points, upright, {0.5f, 0.2f, 0.5f, 5}, 4) == 0u);
  // In a parallel projection, pixels have one size
  const SightLine parallel{{0.04, 0, 10}, {0.04, 0, 0}, {0.01, 0, 0}, {0, 0.01, 0}, true};
  CHECK(point_on(parallel, points, level, {0, 0, 0, 0}, 3) == std::nullopt);
  CHECK(point_on(parallel, points, level, {0, 0, 0, 0}, 5) == 0u);

  const Vector3 reached = dragged({1, 1, -5}, towards(0.2, -0.4));
  CHECK(reached.x == Approx(1));
  CHECK(reached.y == Approx(-2));
  CHECK(reached.z == Approx(-5));
  // In a picture that stretches z a hundredfold, the plane of the picture is inclined in the points' units
  const SightLine stretched{{0, 0, 0}, {1, 0, -0.01}, {0.01, 0, 0.0001}, {0, 0.014, 0}};
  const Vector3 aside = dragged({4, 0, 0}, stretched);
  CHECK(aside.x == Approx(2));
  CHECK(aside.z == Approx(-0.02));
}

TEST_CASE(
    "point cloud pane: a process that crashes leaves the window open with a sentence, and the next estimate comes") {
  CloudWindow open;
  open.open_run({"uniform:n=30000,dim=3", "zhou-vvh", {}, Backend::cpu, true});
  open.click(open.start);
  REQUIRE(QTest::qWaitFor([&] { return test::abort_runners(), open.start.text() == "Estimate"; }, patience_ms));
  open.settle();
  INFO(open.text("cloud_summary").toStdString());
  CHECK_FALSE(open.pane.pose());
  CHECK(open.text("cloud_summary").contains("crashed (Aborted)"));
  open.estimate();
  CHECK(open.pane.pose());
}
