// The pane Tracking: follows the piston in the open scan, shows its iterations in the view, plays frames, and opens the
// search of a point.

#include <QDockWidget>
#include <QLabel>
#include <QPushButton>
#include <QSlider>
#include <QSpinBox>
#include <cmath>

#include "app/application_panes/tracking_pane.hpp"
#include "app/views/scene_view.hpp"
#include "datasets/moving_data.hpp"
#include "tests/app/open_workbench.hpp"
#include "tests/support/runner_processes.hpp"

using namespace kdscope;

namespace {

struct TrackingWindow : OpenWorkbench {
  TrackingPane& pane;
  QPushButton &start, &play, &step_search;
  QSlider& iteration;
  QSpinBox& point;

  TrackingWindow()
      : pane(*window.findChild<TrackingPane*>()),
        start(find<QPushButton>("track_frame")),
        play(find<QPushButton>("play_scans")),
        step_search(find<QPushButton>("step_tracking_search")),
        iteration(find<QSlider>("tracking_iteration")),
        point(find<QSpinBox>("tracking_point")) {
    show_dock("tracking");
  }
  QString text(const char* name) { return find<QLabel>(name).text(); }
  void wait_for_frame(const std::shared_ptr<const TrackedFrame>& before) {
    REQUIRE(
        QTest::qWaitFor([&] { return pane.tracked() && pane.tracked() != before && !pane.working(); }, patience_ms));
    settle();
  }
};

const RunRequest small_scan{"workbench:n=3000", "wehr", {}, Backend::cpu};

}  // namespace

TEST_CASE("tracking pane: the piston is found in the open scan, and its iterations are shown in the view", "[screen]") {
  TrackingWindow open;
  CHECK_FALSE(open.start.isEnabled());
  CHECK(open.text("tracking_summary").contains("Open the scan"));
  open.open_run(small_scan);
  REQUIRE(open.start.isEnabled());
  const QImage alone = open.window.scene().picture();
  open.click(open.start);
  open.wait_for_frame(nullptr);
  const auto frame = open.pane.tracked();
  CHECK_FALSE(frame->lost);
  REQUIRE(frame->steps.size() > 2);
  CHECK(open.text("tracking_summary").contains("from its true place"));
  CHECK(open.pane.bars().count() == 1);
  CHECK(open.iteration.value() == static_cast<int>(frame->steps.size()) - 1);
  const QImage found = open.window.scene().picture();
  CHECK(differing_pixels(alone, found) > 100);

  // Before the first iteration the object is at the guess
  open.iteration.setFocus();
  QTest::keyClick(&open.iteration, Qt::Key_Home);
  open.settle();
  CHECK(open.iteration.value() == 0);
  CHECK(open.text("tracking_iteration_text").contains(QString::number(frame->steps.front().pairs)));
  CHECK(differing_pixels(open.window.scene().picture(), found) > 100);

  // Other data give the view back.
  open.open_run({"wald-10", "wald", {}, Backend::cpu});
  CHECK(open.pane.tracked() == nullptr);
  CHECK_FALSE(open.start.isEnabled());
}

TEST_CASE("tracking pane: the turn of the first guess is typed, and the guess is turned by it") {
  TrackingWindow open;
  open.open_run(small_scan);
  auto& turn = open.find<QSpinBox>("tracking_turn");
  const auto type = [&](const char* text) {
    turn.setFocus();
    turn.selectAll();
    QTest::keyClicks(&turn, QLatin1String(text));
    QTest::keyClick(&turn, Qt::Key_Return);
    open.settle();
  };
  type("-25");
  CHECK(turn.value() == -25);
  open.click(open.start);
  open.wait_for_frame(nullptr);
  const Placement guess = open.pane.tracked()->steps.front().place;
  const Placement place = known_scan(open.workbench.playback().trace()->header.data_set)->place;
  constexpr double cosine_25 = 0.90630779, sine_25 = 0.42261826;
  CHECK(std::abs(dot(guess.x, place.x) - cosine_25) < 1e-5);
  CHECK(std::abs(dot(guess.x, place.y) + sine_25) < 1e-5);
  CHECK(std::abs(dot(guess.z, place.z) - 1) < 1e-5);
  // Neither letters nor more than half a turn
  type("abc");
  CHECK(turn.value() == -25);
  type("181");
  CHECK(std::abs(turn.value()) <= 180);
  type("-180");
  CHECK(turn.value() == -180);
}

TEST_CASE("tracking pane: a point's search opens on the tree of the scan, and finds its neighbour") {
  TrackingWindow open;
  open.open_run(small_scan);
  open.click(open.start);
  open.wait_for_frame(nullptr);
  const auto frame = open.pane.tracked();
  const auto& nearest = frame->steps.back().nearest;
  const auto paired = std::ranges::find_if(nearest, [](PointId id) { return id.value != no_id; });
  REQUIRE(paired != nearest.end());
  open.point.setValue(static_cast<int>(paired - nearest.begin()));
  open.settle();
  REQUIRE(open.step_search.isEnabled());
  CHECK(open.text("tracking_point_text").contains("p" + QString::number(paired->value)));
  open.open_another([&] { open.click(open.step_search); });
  open.settle();
  CHECK(open.workbench.playback().trace()->header.search.at("search") == "priority-queue");
  CHECK(open.pane.tracked() == frame);  // the same scan: the object stays
}

TEST_CASE("tracking pane: frames follow one another until they are stopped", "[screen]") {
  TrackingWindow open;
  open.open_run(small_scan);
  open.click(open.play);
  REQUIRE(QTest::qWaitFor([&] { return open.pane.frame() >= 3; }, patience_ms));
  open.click(open.play);
  REQUIRE(QTest::qWaitFor([&] { return !open.pane.working(); }, patience_ms));
  open.settle();
  CHECK(open.pane.bars().count() >= 4);
  // The view shows the scan of the frame, not the points of the run.
  CHECK(open.window.scene().points_drawn() == 0);
  CHECK(open.text("tracking_summary").contains("Frame " + QString::number(open.pane.frame())));
  const QImage before = open.window.scene().picture();
  open.iteration.setValue(0);
  open.settle();
  CHECK(differing_pixels(before, open.window.scene().picture()) > 0);

  // A search on the frame's scan gives the view back to the run.
  const auto& nearest = open.pane.tracked()->steps.front().nearest;
  const auto paired = std::ranges::find_if(nearest, [](PointId id) { return id.value != no_id; });
  REQUIRE(paired != nearest.end());
  open.point.setValue(static_cast<int>(paired - nearest.begin()));
  CHECK(open.text("tracking_summary").contains("those of the run on frame 0"));
  const auto run = open.workbench.playback().trace();
  open.click(open.step_search);
  REQUIRE(QTest::qWaitFor([&] { return !open.workbench.jobs().busy() && open.workbench.playback().trace() != run; },
                          patience_ms));
  open.settle();
  CHECK(open.window.scene().points_drawn() > 0);
  CHECK_FALSE(open.text("tracking_summary").contains("those of the run on frame"));
}

TEST_CASE("tracking pane: a process that crashes leaves the window open with a sentence, and the next frame comes") {
  TrackingWindow open;
  open.open_run({"workbench:n=100000", "wehr", {}, Backend::cpu, true});
  open.click(open.start);
  REQUIRE(QTest::qWaitFor([&] { return test::abort_runners(), !open.pane.working(); }, patience_ms));
  open.settle();
  INFO(open.text("tracking_summary").toStdString());
  CHECK(open.pane.tracked() == nullptr);
  CHECK(open.text("tracking_summary").contains("crashed (Aborted)"));
  open.click(open.start);
  open.wait_for_frame(nullptr);
}
