// The dimensions on the axes: they are chosen in the bar above the view, followed by the view, tables and points,
// undone and saved.

#include <QComboBox>
#include <QDockWidget>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QTemporaryDir>

#include "algorithms/registry/registry.hpp"
#include "app/compare/compare_column.hpp"
#include "app/export/partition_figure.hpp"
#include "app/panes/arrays_pane.hpp"
#include "app/panes/axes_bar.hpp"
#include "app/panes/message_bar.hpp"
#include "app/point_editing/point_editor.hpp"
#include "app/point_editing/points_pane.hpp"
#include "app/session/session_file.hpp"
#include "app/views/scene_view.hpp"
#include "app/workbench/axes_choice.hpp"
#include "app/workspace/workspace.hpp"
#include "tests/app/open_workbench.hpp"

using namespace kdscope;

namespace {

struct OpenAxes : OpenWorkbench {
  ArraysPane& arrays = *window.findChild<ArraysPane*>();
  AxesBar& bar = *window.findChild<AxesBar*>();

  explicit OpenAxes(const char* data) { open_data(data); }
  void open_data(const QString& data) {
    open_another([&] { workbench.open(data); });
    settle();
  }
  Axes drawn() { return window.scene().scene().axes(); }
  void choose(const char* list, const QString& dimension) {
    QComboBox& box = find<QComboBox>(list);
    box.setFocus();
    const int index = box.findText(dimension);
    REQUIRE(index >= 0);
    box.setCurrentIndex(index);
    emit box.activated(index);
    settle();
  }
  QStringList rows() {
    QStringList labels;
    for (const TableRow& row : arrays.view().table()->rows())
      if (row.dimension != no_id) labels << QString::fromStdString(row.label);
    return labels;
  }
};

}  // namespace

TEST_CASE("axes are chosen in the bar and followed everywhere; undo takes them back") {
  OpenAxes open("uniform:n=60,dim=6,seed=3");
  REQUIRE(open.bar.isVisible());
  CHECK(open.drawn() == Axes{0, 1, -1});
  CHECK(open.find<QLabel>("hidden_rows").isVisible());
  const QStringList first = open.rows();
  CHECK_FALSE(first.isEmpty());

  open.choose("axis_x", QStringLiteral("x4"));
  CHECK(open.drawn() == Axes{4, 1, -1});
  CHECK(open.workbench.playback().axes() == Axes{4, 1, -1});
  const QStringList second = open.rows();
  CHECK(second != first);
  CHECK(second.filter(QStringLiteral("x4")).size() == 1);
  CHECK(open.window.scene().note().contains(QStringLiteral("x0, x2, x3, x5")));

  open.choose("axis_z", QStringLiteral("x1"));  // replaces y
  CHECK(open.drawn() == Axes{4, 0, 1});
  open.press(Qt::Key_Z, Qt::ControlModifier);
  open.press(Qt::Key_Z, Qt::ControlModifier);
  CHECK(open.drawn() == Axes{0, 1, -1});
  CHECK(open.rows() == first);
  CHECK(open.find<QComboBox>("axis_x").currentText() == QStringLiteral("x0"));
  open.press(Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
  CHECK(open.drawn() == Axes{4, 1, -1});

  // The axes stay at another step and with other points of the same dimension. A lesson resets them.
  open.press(Qt::Key_End);
  CHECK(open.drawn() == Axes{4, 1, -1});
  open.open_data(QStringLiteral("clustered:n=50,dim=6,seed=1"));
  CHECK(open.drawn() == Axes{4, 1, -1});
  open.open_lesson(start_lesson);
  CHECK(open.drawn() == Axes{0, 1, -1});
  CHECK_FALSE(open.bar.isVisible());
}

TEST_CASE("the keyboard reaches the axes, and finds a dimension by its name") {
  OpenAxes open("uniform:n=40,dim=8,seed=3");
  open.press(Qt::Key_X);
  QComboBox& x = open.find<QComboBox>("axis_x");
  REQUIRE(x.hasFocus());
  const auto type = [&](const QString& text) {
    x.lineEdit()->selectAll();
    QTest::keyClicks(&x, text);
    QTest::keyClick(&x, Qt::Key_Return);
    open.settle();
  };
  type(QStringLiteral("x5"));
  CHECK(open.drawn() == Axes{5, 1, -1});
  type(QStringLiteral("x1"));  // swaps the two axes
  CHECK(open.drawn() == Axes{1, 5, -1});
  type(QStringLiteral("x9"));
  CHECK(open.drawn() == Axes{1, 5, -1});
  CHECK(x.currentText() == QStringLiteral("x1"));
  CHECK(open.window.findChild<MessageBar*>()->text().contains(QStringLiteral("no dimension 'x9'")));
  for (const char* list : {"axis_x", "axis_y", "axis_z"})
    CHECK_FALSE(open.find<QComboBox>(list).accessibleName().isEmpty());
}

TEST_CASE("points are edited in the plane of the axes, and three dimensions come back afterwards") {
  OpenAxes open("uniform:n=20,dim=5,seed=3");
  choose_axes(open.workbench, {3, 2, 1});
  CHECK(open.drawn() == Axes{3, 2, 1});
  open.press(Qt::Key_E);
  CHECK(open.drawn() == Axes{3, 2, -1});
  choose_axes(open.workbench, {3, 0, 1});
  CHECK(open.drawn() == Axes{3, 0, -1});
  open.press(Qt::Key_E);
  CHECK(open.drawn() == Axes{3, 0, 1});
  choose_axes(open.workbench, {7, 0, 1});  // rejected
  CHECK(open.drawn() == Axes{3, 0, 1});
}

TEST_CASE("a session keeps its axes") {
  if (!session_files_available()) KDSCOPE_SKIP("this build has no yaml-cpp");
  OpenAxes open("uniform:n=30,dim=5,seed=3");
  choose_axes(open.workbench, {2, 4, -1});
  QTemporaryDir folder;
  const QString path = folder.filePath(QStringLiteral("axes.kdsession"));
  REQUIRE(save_session(open.workbench.saved_session(), path.toStdString()));
  open.open_data(QStringLiteral("wald-10"));
  CHECK(open.drawn() == Axes{0, 1, -1});
  open.open_data(path);
  CHECK(open.workbench.playback().axes() == Axes{2, 4, -1});
  CHECK(open.drawn() == Axes{2, 4, -1});
}

TEST_CASE("side by side shows the same axes in every column") {
  OpenAxes open("uniform:n=30,dim=5,seed=3");
  choose_axes(open.workbench, {2, 4, -1});
  open.press(Qt::Key_F7);
  QWidget* compared = nullptr;
  REQUIRE(QTest::qWaitFor(
      [&] {
        for (QWidget* widget : QApplication::topLevelWidgets())
          if (widget->objectName() == QLatin1String("compare")) compared = widget;
        if (!compared) return false;
        const auto columns = compared->findChildren<CompareColumn*>();
        return !columns.isEmpty() && std::all_of(columns.begin(), columns.end(), [](CompareColumn* c) {
          return c->trace() && c->scene().scene().axes() == Axes{2, 4, -1};
        });
      },
      patience_ms));
  choose_axes(open.workbench, {0, 1, 2});
  for (CompareColumn* column : compared->findChildren<CompareColumn*>())
    CHECK(column->scene().scene().axes() == Axes{0, 1, 2});
  delete compared;
}

TEST_CASE("512 dimensions: points, tables and figures show those on the axes") {
  OpenAxes open("uniform:n=40,dim=2,seed=3");
  const auto takes = [](const AlgorithmSpec& a) { return a.max_dim >= 512 && !a.takes_triangles; };
  const auto wide = std::find_if(algorithms().begin(), algorithms().end(), takes);
  REQUIRE(wide != algorithms().end());
  RunRequest run = open.workbench.desk().request();
  run.algorithm = wide->id;
  run.parameters.clear();
  run.data = "uniform:n=100,dim=512,seed=3";
  open.open_another([&] { open.workbench.desk().run(run); });
  open.workbench.transport().last();
  choose_axes(open.workbench, {511, 17, -1});
  open.settle();
  CHECK(open.drawn() == Axes{511, 17, -1});
  for (const QString& row : open.rows())
    CHECK((row.contains(QStringLiteral("x511")) || row.contains(QStringLiteral("x17"))));
  open.show_dock("points");
  auto* pane = open.window.findChild<PointsPane*>();
  CHECK(pane->table().model()->columnCount() == 2);
  CHECK(pane->table().model()->headerData(1, Qt::Horizontal).toString() == QStringLiteral("x511"));
  CHECK(open.window.scene().note().contains(QStringLiteral("510 of 512 dimensions")));
  CHECK(open.find<QLabel>("hidden_rows").text().contains(QStringLiteral("510")));
  // A click on a cell of one dimension's row marks the cell of the same point in the other dimension.
  open.workbench.playback().select({Space::point, 7});
  const ArrayTableView& view = open.arrays.view();
  std::size_t marked = 0;
  for (std::size_t row = 1; row < view.table()->rows().size(); ++row)
    if (view.table()->rows()[row].dimension != no_id && view.table()->rows()[row].size > 0)
      if (const auto& at = view.selected(row); !at.empty()) {
        ++marked;
        CHECK(view.table()->point_at(row, at.front().begin) == PointId{7});
      }
  CHECK(marked >= 4);
}

namespace {

/// Nine students: x from 2 to 9, y from 0 to 81.
QString student_file(const QTemporaryDir& folder) {
  QFile file(folder.filePath(QStringLiteral("student.csv")));
  REQUIRE(file.open(QIODevice::WriteOnly));
  file.write("x,y\n2,0\n3,12\n5,81\n6,74\n7,30\n8,55\n9,63\n4,44\n6,20\n");
  return file.fileName();
}

/// Returns the box of all pixels of a figure that are not white.
QRect drawn_box(const QImage& image) {
  QRect box;
  for (int y = 0; y < image.height(); ++y)
    for (int x = 0; x < image.width(); ++x)
      if ((image.pixel(x, y) & 0xffffffu) != 0xffffffu) box |= QRect(x, y, 1, 1);
  return box;
}

}  // namespace

TEST_CASE("equal scales are left by a key or by the offer below the view, and sessions and figures keep the choice",
          "[screen]") {
  const QTemporaryDir folder;
  const QByteArray data = student_file(folder).toUtf8();
  OpenAxes open(data.constData());
  QAction& equal = open.find<QAction>("equal_scales");
  auto& note = open.find<QLabel>("view_note");
  const auto pixels = [&](std::size_t axis) {
    open.window.scene().picture();  // the first rendering fits the camera
    const QPointF from = *open.window.scene().place_of({2, 0}), to = *open.window.scene().place_of({9, 81});
    return axis == 0 ? to.x() - from.x() : from.y() - to.y();
  };
  CHECK(equal.isChecked());
  CHECK(open.workbench.looks().appearance().equal_scales);  // nothing switches by itself
  REQUIRE(note.isVisible());
  CHECK(note.text().contains(QStringLiteral("The sides are 12 to 1")));
  CHECK(pixels(0) == Approx(pixels(1) * 7 / 81));

  emit note.linkActivated(QStringLiteral("fill"));
  open.settle();
  CHECK_FALSE(equal.isChecked());
  CHECK(note.text() == QStringLiteral("Axes are scaled separately."));
  CHECK(pixels(0) > 0.6 * open.window.scene().width());
  CHECK(pixels(1) > 0.5 * open.window.scene().height());
  const QString path = folder.filePath(QStringLiteral("filled.kdsession"));
  REQUIRE(open.window.workspace().save_to(path));
  open.press(Qt::Key_X, Qt::ShiftModifier);
  open.settle();
  CHECK(equal.isChecked());
  CHECK(pixels(0) == Approx(pixels(1) * 7 / 81));

  open.open_data(path);
  CHECK_FALSE(equal.isChecked());
  CHECK(pixels(0) > 0.6 * open.window.scene().width());

  // A point follows the mouse to its place.
  auto& editor = *open.window.findChild<PointEditor*>();
  editor.live_move().set_limit(0);
  open.press(Qt::Key_E);
  QWidget& canvas = *open.window.scene().canvas();
  const QPoint from = open.window.scene().place_of({5, 81})->toPoint(),
               to = open.window.scene().place_of({7, 10})->toPoint();
  CHECK(open.window.scene().point_at(from) == PointId{2});
  QTest::mousePress(&canvas, Qt::LeftButton, {}, from);
  QMouseEvent moved(QEvent::MouseMove, to, canvas.mapToGlobal(to), Qt::NoButton, Qt::LeftButton, Qt::NoModifier);
  QCoreApplication::sendEvent(&canvas, &moved);
  QTest::mouseRelease(&canvas, Qt::LeftButton, {}, to);
  open.settle();
  CHECK(open.workbench.edits().points()->points.value(2, 0) == 7);
  CHECK(std::abs(open.workbench.edits().points()->points.value(2, 1) - 10) <= 1);

  // Figures: as wide as the page, or a strip.
  for (const bool fills : {false, true}) {
    QImage image(600, 400, QImage::Format_RGB32);
    image.fill(Qt::white);
    QPainter painter(&image);
    PartitionFigure(*open.workbench.playback().cursor(), {}, {.equal_scales = !fills})
        .paint(painter, image.rect(), theme(ThemeId::light), 15);
    painter.end();
    CHECK(drawn_box(image).height() > 350);
    CHECK((drawn_box(image).width() > 540) == fills);
    CHECK((drawn_box(image).width() < 200) != fills);
  }
}
