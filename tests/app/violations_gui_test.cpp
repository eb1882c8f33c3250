// A run with violated checks reports them everywhere, with links to the violating elements.

#include <QDir>
#include <QDockWidget>
#include <QFileDialog>
#include <QLabel>
#include <QMenu>
#include <QTemporaryDir>
#include <QToolButton>
#include <QTreeWidget>

#include "algorithms/trace/trace_file.hpp"
#include "app/panes/arrays_pane.hpp"
#include "app/panes/checks_pane.hpp"
#include "app/panes/message_bar.hpp"
#include "app/panes/timeline_pane.hpp"
#include "app/views/array_table_view.hpp"
#include "app/views/scene_view.hpp"
#include "app/views/step_slider.hpp"
#include "app/views/tree_view.hpp"
#include "app/workspace/layouts.hpp"
#include "tests/app/broken_trace.hpp"
#include "tests/app/open_workbench.hpp"
#include "visualizer/model/violations.hpp"

namespace kdscope::violations_gui_test {

namespace {

struct OpenBroken : OpenWorkbench {
  QTemporaryDir folder;
  BrokenTrace broken = broken_trace();

  OpenBroken() { open_file(save(*broken.trace, "broken.kdtrace")); }
  QString save(const Trace& trace, const char* name) {
    const QString path = folder.filePath(QLatin1String(name));
    REQUIRE(save_trace(trace, path.toStdString()));
    return path;
  }
  void open_file(const QString& path) {
    open_another([&] { workbench.open(path); });
    settle();
  }
  QStringList texts_of_checks() {
    show_dock("checks");
    QStringList texts;
    for (const QLabel* label : window.findChild<ChecksPane*>()->widget()->findChildren<QLabel*>())
      if (!label->text().isEmpty()) texts << label->text();
    return texts;
  }
};

int pixels_of(const QImage& image, Rgb ink) {
  int count = 0;
  for (int y = 0; y < image.height(); ++y)
    for (int x = 0; x < image.width(); ++x) count += image.pixel(x, y) == qRgb(ink.r, ink.g, ink.b);
  return count;
}

}  // namespace

TEST_CASE("a violated check shows in badge, slider and timeline, by a cross as well as by its colour") {
  OpenBroken open;
  auto& badge = open.find<QToolButton>("violation_badge");
  CHECK(badge.isVisible());
  CHECK(badge.text() == QString::fromUtf8("\u2717 2 violated checks"));
  CHECK(open.window.findChild<StepSlider*>()->violated() ==
        std::vector<std::uint32_t>{open.broken.step, open.broken.later_step});
  CHECK(open.window.findChild<StepSlider*>()->tip_at(open.broken.step).contains("violated"));
  const QTreeWidget& timeline = open.window.findChild<TimelinePane*>()->tree();
  std::vector<std::uint32_t> marked;
  for (QTreeWidgetItemIterator item(const_cast<QTreeWidget*>(&timeline)); *item; ++item)
    if ((*item)->text(0).startsWith(QString::fromUtf8("\u2717")) && (*item)->childCount() == 0)
      marked.push_back((*item)->text(1).toUInt());
  CHECK(marked == std::vector<std::uint32_t>{open.broken.step, open.broken.later_step});
  for (const Theme* t : {&theme(ThemeId::light), &theme(ThemeId::dark), &theme(ThemeId::high_contrast)}) {
    open.workbench.looks().set_theme(t->name);
    open.settle();
    CHECK(pixels_of(badge.grab().toImage(), t->failed) > 50);
    CHECK(pixels_of(open.window.findChild<StepSlider*>()->grab().toImage(), t->failed) > 10);
  }

  // A sound run shows none of this.
  open.open_lesson(start_lesson);
  CHECK_FALSE(badge.isVisible());
  CHECK(open.window.findChild<StepSlider*>()->violated().empty());
}

TEST_CASE("violated checks come first in the Checks pane, those of other steps too, and lead to the element") {
  OpenBroken open;
  open.workbench.playback().seek(open.broken.step);
  QStringList texts = open.texts_of_checks();
  REQUIRE(texts.size() > 3);
  CHECK(texts[0].contains("Observation 3.2: violated"));
  CHECK(texts[0].contains("3 violations; the first: tags[20] is 0"));
  CHECK(texts.last().contains("First violation: node 3 holds point 9"));
  CHECK(texts.last().contains(QStringLiteral("Step %1").arg(open.broken.later_step)));
  // Each violation is shown once: in full here, or at its own step.
  for (std::size_t v = 0; v < open.workbench.violations().all().size(); ++v) {
    INFO("violation " << v);
    CHECK(texts.filter(QStringLiteral("'violation:%1'").arg(v)).size() == 1);
  }

  open.workbench.playback().seek(0);
  texts = open.texts_of_checks();
  const auto link =
      std::find_if(texts.begin(), texts.end(), [](const QString& text) { return text.contains("violation:0"); });
  REQUIRE(link != texts.end());
  for (QLabel* label : open.window.findChild<ChecksPane*>()->widget()->findChildren<QLabel*>())
    if (label->text() == *link) {
      emit label->linkActivated("violation:0");
      break;
    }
  open.settle();
  CHECK(open.step() == open.broken.step);
  CHECK(open.workbench.playback().linked().positions == std::vector<IndexRange>{{20, 21}});
}

TEST_CASE("F4 and Shift+F4 walk the violated checks and stay at the ends") {
  OpenBroken open;
  CHECK(open.step() == 0);
  open.press(Qt::Key_F4);
  CHECK(open.step() == open.broken.step);
  CHECK(open.workbench.violations().current() == 0u);
  CHECK(open.workbench.playback().linked().positions == std::vector<IndexRange>{{20, 21}});
  open.press(Qt::Key_F4);
  CHECK(open.step() == open.broken.later_step);
  CHECK_FALSE(open.workbench.playback().selection());  // the check names no element
  open.press(Qt::Key_F4);
  CHECK(open.step() == open.broken.later_step);
  open.press(Qt::Key_F4, Qt::ShiftModifier);
  CHECK(open.step() == open.broken.step);
  open.press(Qt::Key_F4, Qt::ShiftModifier);
  CHECK(open.step() == open.broken.step);
  // Go from the end of the run back to the last violation.
  open.workbench.transport().last();
  open.press(Qt::Key_F4, Qt::ShiftModifier);
  CHECK(open.step() == open.broken.later_step);
  const auto actions = open.window.menu("go").actions();
  CHECK(std::any_of(actions.begin(), actions.end(),
                    [](const QAction* a) { return a->objectName() == "next_violation" && a->isEnabled(); }));
}

TEST_CASE("every violating element is marked in the table and in the view", "[screen]") {
  OpenBroken open;
  open.show_step(open.broken.step);
  const ArrayTableView& view = *open.window.arrays().findChild<ArrayTableView*>();
  const ArrayTable& table = *view.table();
  std::size_t tags = 1;
  while (table.rows()[tags].name != "tags") ++tags;
  for (std::uint64_t column = 0; column < table.column_count(); ++column) {
    const bool wrong = column == 20 || column == 21 || column == 39;
    CHECK(table.cell(tags, column).violating == wrong);
    CHECK(table.cell(0, column).violating == wrong);
    CHECK_FALSE(table.cell(tags == 1 ? 2 : 1, column).violating);
  }
  CHECK(table.violating_columns() == open.broken.positions);
  CHECK(view.cell_tip(tags, 20).contains("violates a check"));

  std::vector<PointId> points;
  const auto index = open.workbench.playback().cursor()->array("index")->as<std::uint32_t>();
  for (const std::uint32_t position : {20u, 21u, 39u}) points.push_back({index[position]});
  std::sort(points.begin(), points.end());
  CHECK(open.window.scene().scene().violating_points() == points);
  CHECK(pixels_of(open.window.scene().picture().convertToFormat(QImage::Format_RGB32), theme(ThemeId::light).failed) >
        60);
  open.workbench.transport().forward();
  CHECK(open.window.scene().scene().violating_points().empty());
}

TEST_CASE("points that are in no node are called lost, in red, and not explained away") {
  OpenBroken open;
  Trace lossy = *open.workbench.playback().trace();
  for (Trace::Array& array : lossy.arrays)
    if (array.info.name == partition_arrays::node_of_point)
      for (ArrayVersion& version : array.versions)
        if (version.step + 1 >= lossy.steps.size() - 1) {
          TypedArray whole = contents_at(*open.workbench.playback().trace()->find(array.info.name), version.step);
          std::vector<std::uint32_t> nodes(whole.as<std::uint32_t>().begin(), whole.as<std::uint32_t>().end());
          nodes[7] = no_id;
          version = {version.step, true, nodes.size(), {}, TypedArray::of(nodes)};
        }
  open.open_file(open.save(lossy, "lossy.kdtrace"));
  open.show_end();
  CHECK(open.window.scene().alarm() == QString::fromUtf8("\u2717 1 of 40 points is in no node of the tree."));
  CHECK(open.window.scene().note().startsWith(open.window.scene().alarm()));
  CHECK_FALSE(open.window.scene().note().contains("other points have the same coordinates"));
  CHECK(open.window.scene().scene().violating_points() == std::vector<PointId>{{7}});
  const auto labels = open.window.findChildren<QLabel*>();
  CHECK(std::any_of(labels.begin(), labels.end(), [&](const QLabel* label) {
    return label->isVisible() && label->text().contains("in no node") &&
           label->text().contains(
               QColor(theme(ThemeId::light).failed.r, theme(ThemeId::light).failed.g, theme(ThemeId::light).failed.b)
                   .name());
  }));
}

TEST_CASE("panes that nobody can see do no work, and catch up when they are shown") {
  OpenBroken open;
  auto* checks = open.window.findChild<ChecksPane*>();
  open.window.dock("checks")->hide();
  const QWidget* page = checks->widget();
  open.workbench.playback().seek(open.broken.step);
  open.workbench.playback().seek(open.broken.later_step);
  CHECK(checks->widget() == page);
  open.window.dock("checks")->show();
  open.window.dock("checks")->raise();
  CHECK(checks->widget() != page);
  open.window.dock("tree")->hide();
  const auto nodes = open.window.tree().selected();
  open.workbench.playback().select({Space::node, 2});
  CHECK(open.window.tree().selected() == nodes);
  open.window.dock("tree")->show();
  open.settle();
  CHECK(open.window.tree().selected() == std::vector<NodeId>{{2}});
}

TEST_CASE("the recording is saved as a trace, which opens again as it was, and no file is replaced unasked") {
  OpenBroken open;
  const QString path = open.folder.filePath("kept.kdtrace");
  const auto save_as = [&](const QString& name) {
    open.window.findChild<QAction*>("save_trace")->trigger();
    auto* dialog = open.window.findChild<QFileDialog*>("file_dialog");
    REQUIRE(dialog != nullptr);
    CHECK_FALSE(dialog->testOption(QFileDialog::DontConfirmOverwrite));
    emit dialog->fileSelected(name);
    dialog->close();
    REQUIRE(QTest::qWaitFor(
        [&] { return !open.workbench.jobs().busy() && !open.window.findChild<QFileDialog*>("file_dialog"); },
        patience_ms));
  };
  save_as(path);
  const auto loaded = load_trace(path.toStdString()).value();
  CHECK(equal(*loaded, *open.broken.trace));
  open.open_file(path);
  CHECK(open.workbench.violations().all().size() == 2);
  save_as("/no/such/folder/kept.kdtrace");
  CHECK(open.window.findChild<MessageBar*>()->text().contains("/no/such/folder"));
}

}  // namespace kdscope::violations_gui_test
