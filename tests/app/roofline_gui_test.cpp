// The pane Roofline: measures the open run, plots its rows, and goes to their steps.

#include <QComboBox>
#include <QDockWidget>
#include <QHelpEvent>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QTableWidget>
#include <QToolTip>

#include "app/appearance/appearance.hpp"
#include "app/appearance/display_painter.hpp"
#include "app/measure_panes/chart.hpp"
#include "app/measure_panes/roofline_pane.hpp"
#include "tests/app/open_workbench.hpp"

using namespace kdscope;
using variants::RowsBy;

namespace {

struct RooflineWindow : OpenWorkbench {
  RooflinePane& pane;
  QPushButton& start;
  QComboBox& by;
  RooflineChart& chart;
  QTableWidget& table;

  explicit RooflineWindow(QSize size = {1280, 800})
      : OpenWorkbench(size),
        pane(*window.findChild<RooflinePane*>()),
        start(find<QPushButton>("measure_roofline")),
        by(find<QComboBox>("roofline_by")),
        chart(find<RooflineChart>("roofline_chart")),
        table(find<QTableWidget>("roofline_table")) {
    show_dock("roofline");
  }
  QString summary() { return find<QLabel>("roofline_summary").text(); }

  void open_run(const RunRequest& run) {
    const auto before = workbench.playback().trace();
    workbench.desk().run(run);
    REQUIRE(QTest::qWaitFor([&] { return !workbench.jobs().busy() && workbench.playback().trace() != before; },
                            patience_ms));
    settle();
  }
  /// Returns a roofline of the open run with planted numbers: the n-th step takes n ms and moves n MB.
  Roofline planted() {
    Roofline roofline;
    roofline.device = workbench.devices().devices.front();
    roofline.builds = 5;
    roofline.tree_hash = workbench.playback().trace()->header.tree_hash;
    roofline.copy_gigabytes = 2;
    for (const Step& step : workbench.playback().trace()->steps) {
      const auto number = static_cast<std::uint64_t>(roofline.timed.steps.size()) + 1;
      StepTime time{path_text(step), step.level, step.phase, static_cast<double>(number), 1};
      roofline.timed.steps.push_back(time);
      time.bytes_read = number * 1'000'000;
      roofline.counted.push_back(time);
    }
    return roofline;
  }
};

}  // namespace

TEST_CASE("roofline pane: a run is measured, and the table holds what the core returns") {
  RooflineWindow open;
  open.open_run({"uniform:n=2000,dim=2,seed=3", "textbook", {}, Backend::cpu});
  CHECK(open.summary().contains("Choose Measure"));
  CHECK(open.table.isHidden());
  CHECK(open.chart.isHidden());
  REQUIRE(open.start.isEnabled());
  open.click(open.start);
  CHECK_FALSE(open.start.isEnabled());
  open.finish_jobs();
  INFO(open.summary().toStdString());
  REQUIRE(open.pane.rows().size() == 3);
  CHECK(open.summary().contains("GB/s"));
  CHECK_FALSE(open.summary().contains("another tree"));
  CHECK(open.start.isEnabled());
  CHECK(open.pane.rows()[0].original->bytes_written == 2 * 4 * 2000);
  REQUIRE(open.table.rowCount() == 3);
  CHECK(open.table.isVisible());
  CHECK(open.table.item(0, 1)->text() == "start");
  CHECK(open.table.item(0, 2)->text() == "16 kB");
  CHECK(open.table.item(1, 6)->text() == "11");

  // Another kind of rows needs no other measurement.
  open.by.setCurrentIndex(open.by.findData(static_cast<int>(RowsBy::level)));
  open.settle();
  CHECK(open.table.rowCount() == 12);  // 11 levels, and the steps without one
  CHECK_FALSE(open.workbench.jobs().busy());

  // Another run drops the results.
  open.open_run({"uniform:n=100,dim=2,seed=3", "textbook", {}, Backend::cpu});
  CHECK(open.pane.rows().empty());
  CHECK(open.summary().contains("Choose Measure"));
  CHECK(open.chart.isHidden());
}

TEST_CASE("roofline pane: a click on a point or a row goes to its first recorded step, and the current row is marked") {
  RooflineWindow open;
  open.by.setCurrentIndex(open.by.findData(static_cast<int>(RowsBy::level)));
  open.pane.show_measured(open.planted());
  open.settle();
  REQUIRE(open.table.rowCount() >= 4);
  const Trace& trace = *open.workbench.playback().trace();
  for (int row = open.table.rowCount() - 1; row >= 0; --row) {
    const auto expected = first_step_of(open.pane.rows()[static_cast<std::size_t>(row)].name, RowsBy::level, trace);
    REQUIRE(expected);
    const QPointF place = open.chart.place_of(row);
    REQUIRE_FALSE(place.isNull());
    QTest::mouseClick(&open.chart, Qt::LeftButton, {}, place.toPoint());
    open.settle();
    CHECK(open.step() == *expected);
    CHECK(open.table.currentRow() == row);
  }
  // Rows, by mouse and by keyboard
  const int last = open.table.rowCount() - 1;
  const auto last_first = first_step_of(open.pane.rows().back().name, RowsBy::level, trace);
  open.table.scrollToItem(open.table.item(last, 1));
  emit open.table.cellClicked(last, 1);
  CHECK(open.step() == *last_first);
  open.table.setFocus();
  QTest::keyClick(&open.table, Qt::Key_Home, Qt::ControlModifier);
  CHECK(open.step() == *last_first);
  QTest::keyClick(&open.table, Qt::Key_Return);
  CHECK(open.step() == first_step_of(open.pane.rows()[0].name, RowsBy::level, trace));

  // Away from all points, a click goes nowhere.
  const auto before = open.step();
  QTest::mouseClick(&open.chart, Qt::LeftButton, {}, QPoint(1, 1));
  CHECK(open.step() == before);
}

TEST_CASE("roofline pane: points lie above the line of a copy by their share of its bandwidth") {
  RooflineWindow open;
  Roofline roofline = open.planted();
  roofline.timed.steps.resize(3);
  roofline.counted.resize(3);
  roofline.timed.steps[0].name = "twice the copy's time";
  roofline.counted[0].name = roofline.timed.steps[0].name;
  roofline.timed.steps[1].name = "without bytes";
  roofline.counted[1].name = "on the CPU alone";
  open.by.setCurrentIndex(open.by.findData(static_cast<int>(RowsBy::step)));
  open.pane.show_measured(roofline);
  open.settle();
  REQUIRE(open.table.rowCount() == 3);
  CHECK(open.table.item(0, 5)->text() == "50 %");
  CHECK(open.table.item(1, 2)->text() == open.table.item(1, 5)->text());
  CHECK(open.chart.place_of(1).isNull());
  CHECK(open.summary().contains("in 1 row,"));
  CHECK(open.table.item(1, 0)->toolTip().contains("1 launch,"));
  CHECK(open.table.item(0, 0)->toolTip().contains("of a copy"));
  CHECK_FALSE(open.summary().contains("another tree"));
  ++roofline.tree_hash;
  open.pane.show_measured(roofline);
  CHECK(open.summary().contains("another tree"));
}

TEST_CASE("roofline pane: a row that is not counted is a hollow point, and words in place of numbers") {
  RooflineWindow open;
  Roofline roofline = open.planted();
  roofline.timed.steps.resize(2);
  roofline.counted.resize(2);
  roofline.counted[0].name = roofline.timed.steps[0].name = "counted";
  roofline.counted[1].name = roofline.timed.steps[1].name = "compared";
  roofline.counted[1].uncounted = 1;
  open.by.setCurrentIndex(open.by.findData(static_cast<int>(RowsBy::step)));
  open.pane.show_measured(roofline);
  open.settle();
  REQUIRE(open.table.rowCount() == 2);
  CHECK(open.table.item(0, 5)->text() == "50 %");
  CHECK(open.table.item(1, 2)->text() == "not counted");
  for (const int column : {4, 5}) CHECK(open.table.item(1, column)->text() == QStringLiteral("\u2013"));
  CHECK(open.summary().contains("Bytes not counted"));
  const QString tip = open.table.item(1, 0)->toolTip();
  CHECK(tip.contains("At least 2 MB"));
  CHECK_FALSE(tip.contains("of a copy"));
  const QImage picture = open.chart.grab().toImage();
  const auto colour_at = [&](int point) {
    const QPointF place = open.chart.place_of(point) * picture.devicePixelRatio();
    return picture.pixelColor(place.toPoint());
  };
  const Theme& theme = theme_of(open.workbench.looks().appearance());
  CHECK(colour_at(0) == colour(theme.categories[2]));
  CHECK(colour_at(1) == colour(theme.base));
  const QPoint hollow = open.chart.place_of(1).toPoint();
  QHelpEvent hover(QEvent::ToolTip, hollow, open.chart.mapToGlobal(hollow));
  QApplication::sendEvent(&open.chart, &hover);
  CHECK(QToolTip::text().contains("At least 2 MB"));
}

TEST_CASE("a turned text of a display list runs from its anchor along its angle, and turns no other text") {
  const auto ink = [](double angle) {
    DisplayList list{.width = 400, .height = 400, .items = {}};
    list.words(200, 200, "along a line", of_theme(&Theme::text), 0, DisplayItem::Anchor::left).angle = angle;
    list.words(10, 10, "level", of_theme(&Theme::text), 0, DisplayItem::Anchor::left);
    QImage image(400, 400, QImage::Format_RGB32);
    image.fill(Qt::white);
    QPainter painter(&image);
    paint_display_list(painter, list, theme(ThemeId::light), {});
    painter.end();
    QRect turned;
    int level = 0;
    for (int y = 0; y < 400; ++y)
      for (int x = 0; x < 400; ++x)
        if (qGray(image.pixel(x, y)) < 128) {
          level += y < 60;
          if (y > 60) turned |= QRect(x, y, 1, 1);
        }
    CHECK(level > 20);
    return turned;
  };
  const QRect level = ink(0), down = ink(90), left = ink(180);
  CHECK(level.width() > 3 * level.height());
  CHECK(level.left() >= 199);
  CHECK(down.height() > 3 * down.width());
  CHECK(down.top() >= 199);
  CHECK(left.right() <= 201);
}

TEST_CASE("roofline pane: what cannot be measured is a sentence in the pane") {
  RooflineWindow open;
  qputenv("KDSCOPE_KIT", "/nowhere/kit.txt");
  open.click(open.start);
  open.finish_jobs();
  qunsetenv("KDSCOPE_KIT");
  CHECK(open.summary().contains("/nowhere/kit.txt"));
  const auto& label = open.find<QLabel>("roofline_summary");
  CHECK(label.palette().color(label.foregroundRole()) == colour(theme_of(open.workbench.looks().appearance()).failed));
  CHECK(open.pane.rows().empty());
  CHECK(open.start.isEnabled());

  open.click(open.start);
  open.workbench.jobs().cancel();
  open.finish_jobs();
  CHECK(open.summary().contains("Cancelled"));
}

TEST_CASE("roofline pane: it is legible in every theme, with large text, in a narrow dock") {
  RooflineWindow open;
  open.pane.show_measured(open.planted());
  for (const char* theme : {"light", "dark", "high-contrast"}) {
    open.workbench.looks().set_theme(theme);
    open.settle();
    CHECK(colours_in(open.chart.grab().toImage().convertToFormat(QImage::Format_RGB32)) > 10);
  }
  open.workbench.looks().set_text_scale(200);
  auto& dock = *open.window.dock(QStringLiteral("roofline"));
  open.settle();
  dock.show();
  dock.setFloating(true);
  open.settle();
  dock.resize(300, 900);
  open.settle();
  CHECK(dock.width() == 300);
  CHECK(open.chart.width() < 300);
  CHECK_FALSE(open.chart.place_of(0).isNull());
  CHECK(open.chart.rect().contains(open.chart.place_of(0).toPoint()));
  for (QWidget* part :
       {static_cast<QWidget*>(&open.chart), static_cast<QWidget*>(&open.table), static_cast<QWidget*>(&open.by)})
    CHECK_FALSE(part->accessibleName().isEmpty());
}
