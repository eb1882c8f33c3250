// The pane Picture: traces the open scene, compares trees, plays frames, and opens the ray of a pixel.

#include <QCheckBox>
#include <QComboBox>
#include <QDockWidget>
#include <QLabel>
#include <QPushButton>
#include <QSlider>
#include <QTableWidget>

#include "app/application_panes/picture_pane.hpp"
#include "tests/app/open_workbench.hpp"
#include "tests/support/runner_processes.hpp"

using namespace kdscope;

namespace {

struct PictureWindow : OpenWorkbench {
  PicturePane& pane;
  PictureCanvas& canvas;
  QPushButton &start, &step;
  QComboBox &tree, &size;
  QTableWidget& table;

  PictureWindow()
      : pane(*window.findChild<PicturePane*>()),
        canvas(find<PictureCanvas>("picture_canvas")),
        start(find<QPushButton>("trace_picture")),
        step(find<QPushButton>("step_ray")),
        tree(find<QComboBox>("picture_tree")),
        size(find<QComboBox>("picture_size")),
        table(find<QTableWidget>("picture_times")) {
    window.dock(QStringLiteral("picture"))->show();
    window.dock(QStringLiteral("picture"))->raise();
    size.setCurrentIndex(0);  // the smallest
    settle();
  }
  QString summary() { return find<QLabel>("picture_summary").text(); }
  /// Waits for a picture other than `before`.
  void wait_for_picture(const std::shared_ptr<const Picture>& before) {
    REQUIRE(
        QTest::qWaitFor([&] { return pane.picture() && pane.picture() != before && !pane.working(); }, patience_ms));
    settle();
  }
  QPoint middle_of(QPoint pixel) { return canvas.square_of(pixel).center().toPoint(); }
};

const RunRequest small_scene{"zhou-8", "zhou-sah", {}, Backend::cpu};

}  // namespace

TEST_CASE("picture pane: the open scene is traced, and trees are compared") {
  PictureWindow open;
  CHECK_FALSE(open.start.isEnabled());  // points have no triangles
  CHECK(open.canvas.hint().contains("Open a scene"));
  open.open_run(small_scene);
  REQUIRE(open.start.isEnabled());
  CHECK(open.table.isHidden());
  open.click(open.start);
  open.wait_for_picture(nullptr);
  const auto first = open.pane.picture();
  REQUIRE(first->width == 128);
  CHECK(open.canvas.image().size() == QSize(128, 96));
  CHECK(open.canvas.image().pixel(3, 5) == first->pixels[5 * 128 + 3]);
  CHECK(open.summary().contains("pictures per second"));
  REQUIRE(open.table.rowCount() == 1);
  CHECK(open.table.isVisible());

  open.tree.setCurrentIndex(open.tree.findData(static_cast<int>(SceneTree::median)));
  open.wait_for_picture(first);
  CHECK(open.pane.picture()->pixels == first->pixels);
  REQUIRE(open.table.rowCount() == 2);
  CHECK(open.table.item(1, 1)->text().endsWith("once"));

  // The heat map is another image of the same picture
  const QImage seen = open.canvas.image();
  open.click(open.find<QCheckBox>("picture_heat"));
  open.settle();
  CHECK(open.canvas.image() != seen);
  CHECK(open.canvas.image().pixel(3, 5) == heat_of(open.pane.picture()->visited)[5 * 128 + 3]);

  // Another run drops the picture.
  open.open_run({"zhou-4", "zhou-sah", {}, Backend::cpu});
  CHECK(open.pane.picture() == nullptr);
  CHECK(open.table.isHidden());
  CHECK(open.canvas.hint().contains("Choose Trace"));
}

TEST_CASE("picture pane: a click chooses a pixel, and its ray is stepped through the tree") {
  PictureWindow open;
  open.open_run(small_scene);
  open.click(open.start);
  open.wait_for_picture(nullptr);
  CHECK_FALSE(open.step.isEnabled());
  // A pixel that sees a triangle: one of those that visit the most nodes
  const auto& visited = open.pane.picture()->visited;
  const auto most = static_cast<int>(std::ranges::max_element(visited) - visited.begin());
  const QPoint pixel(most % 128, most / 128);
  QTest::mouseClick(&open.canvas, Qt::LeftButton, {}, open.middle_of(pixel));
  REQUIRE(open.canvas.pixel() == pixel);
  CHECK(open.find<QLabel>("picture_pixel").text().contains(QString::number(visited[static_cast<std::size_t>(most)])));
  QTest::keyClick(&open.canvas, Qt::Key_Right);
  CHECK(open.canvas.pixel() == pixel + QPoint(1, 0));
  QTest::keyClick(&open.canvas, Qt::Key_Left);
  REQUIRE(open.step.isEnabled());

  open.open_another([&] { QTest::keyClick(&open.canvas, Qt::Key_Return); });
  open.settle();
  const auto& search = open.workbench.playback().trace()->header.search;
  CHECK(search.at("search") == "ray-stack");
  CHECK(open.pane.picture() != nullptr);  // the same scene: the picture stays
  // This ray passes all triangles, so its pixel has no shadow rays: the search visits what the pixel shows.
  const std::string& end = open.workbench.playback().trace()->steps.back().title;
  INFO(end);
  CHECK(end.starts_with("Nothing found after " + std::to_string(visited[static_cast<std::size_t>(most)]) + " of "));
}

TEST_CASE("picture pane: photons bring caustics, and the light turns") {
  PictureWindow open;
  open.open_run({"metal-ring", "zhou-sah", {}, Backend::cpu});
  open.click(open.start);
  open.wait_for_picture(nullptr);
  const auto without = open.pane.picture();
  CHECK_FALSE(without->photons);
  open.click(open.find<QCheckBox>("picture_caustics"));
  open.wait_for_picture(without);
  const auto with = open.pane.picture();
  REQUIRE(with->photons);
  CHECK(with->photons->stored > 1000);
  CHECK(with->pixels != without->pixels);
  CHECK(open.summary().contains("photons lie on matte surfaces"));
  open.find<QSlider>("picture_light").setValue(30);
  open.wait_for_picture(with);
  CHECK(open.pane.picture()->pixels != with->pixels);
}

TEST_CASE("picture pane: dragging moves the eye, and frames of a moving scene follow one another") {
  PictureWindow open;
  open.open_run({"toys", "zhou-sah", {}, Backend::cpu});
  open.click(open.start);
  open.wait_for_picture(nullptr);
  const auto first = open.pane.picture();
  const QPoint from = open.middle_of({40, 40}), to = open.middle_of({70, 40});
  QTest::mousePress(&open.canvas, Qt::LeftButton, {}, from);
  QMouseEvent move(QEvent::MouseMove, to, open.canvas.mapToGlobal(to), Qt::NoButton, Qt::LeftButton, {});
  QApplication::sendEvent(&open.canvas, &move);
  QTest::mouseRelease(&open.canvas, Qt::LeftButton, {}, to);
  CHECK_FALSE(open.canvas.pixel());  // a drag chooses nothing
  open.wait_for_picture(first);
  const auto turned = open.pane.picture();
  CHECK(turned->pixels != first->pixels);
  CHECK(turned->build_ms == std::vector<double>{0});  // the tree was kept

  auto& play = open.find<QPushButton>("play_frames");
  REQUIRE(play.isEnabled());
  open.click(play);
  REQUIRE(QTest::qWaitFor([&] { return open.summary().startsWith("Frame 2"); }, patience_ms));
  CHECK(open.pane.picture()->pixels != turned->pixels);
  open.click(play);
  REQUIRE(QTest::qWaitFor([&] { return !open.pane.working(); }, patience_ms));
  open.settle();
  const QString stopped = open.summary();
  QTest::qWait(100);
  CHECK(open.summary() == stopped);
}

TEST_CASE("picture pane: a process that crashes leaves the window open with a sentence, and the next picture comes") {
  PictureWindow open;
  open.open_run({"toys", "zhou-sah", {}, Backend::cpu});
  open.size.setCurrentIndex(open.size.count() - 1);
  open.click(open.start);
  REQUIRE(QTest::qWaitFor([&] { return test::abort_runners(), !open.pane.working(); }, patience_ms));
  open.settle();
  INFO(open.summary().toStdString());
  CHECK(open.pane.picture() == nullptr);
  CHECK(open.summary().contains("crashed (Aborted)"));
  open.size.setCurrentIndex(0);
  open.click(open.start);
  open.wait_for_picture(nullptr);
}
