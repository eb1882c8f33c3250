// Tests View > Side by side…: every algorithm beside the others, one selection, and errors confined to their column.

#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QScrollBar>
#include <QSlider>
#include <QTemporaryDir>
#include <QToolButton>

#include "app/compare/compare_window.hpp"
#include "app/compare/cost_cell.hpp"
#include "app/panes/curtain.hpp"
#include "app/views/scene_view.hpp"
#include "app/views/tree_view.hpp"
#include "tests/app/exporting.hpp"
#include "tests/app/open_workbench.hpp"
#include "tests/support/point_algorithms.hpp"

using namespace kdscope;

namespace {

struct OpenSideBySide : OpenWorkbench {
  CompareWindow& all;

  OpenSideBySide() : all(open()) { complete(); }
  CompareWindow& open() {
    press(Qt::Key_F7);
    auto& found = find<CompareWindow>("compare");
    found.resize(1280, 780);
    REQUIRE(QTest::qWaitForWindowExposed(&found, patience_ms));
    return found;
  }
  void complete() {
    REQUIRE(QTest::qWaitFor([&] { return all.complete(); }, patience_ms));
    QApplication::setActiveWindow(&all);
    QTest::qWait(50);
  }
  CompareColumn& column(std::size_t i) { return *all.columns().at(i); }
  RunRequest run(const std::string& algorithm, Parameters parameters = {}) {
    RunRequest spec = column(0).run();
    spec.algorithm = algorithm;
    spec.parameters = std::move(parameters);
    return spec;
  }
  void key(Qt::Key key, Qt::KeyboardModifiers modifiers = Qt::NoModifier) { QTest::keyClick(&all, key, modifiers); }
  std::vector<std::uint32_t> steps() {
    std::vector<std::uint32_t> steps;
    for (std::size_t i = 0; i < all.columns().size(); ++i) steps.push_back(all.alignment().step(i));
    return steps;
  }
};

QString text_of(CompareColumn& column, const char* name) {
  return column.findChild<QLabel*>(QString::fromLatin1(name))->text();
}

}  // namespace

TEST_CASE("a closed window of columns, and an exported tree, leave no widget behind") {
  {
    OpenSideBySide open;
    const auto widgets = [] { return QApplication::topLevelWidgets().size(); };
    open.all.close();
    REQUIRE(QTest::qWaitFor([&] { return open.window.findChild<CompareWindow*>() == nullptr; }, patience_ms));
    const auto before = widgets();
    const QTemporaryDir folder;
    ExportRequest request;
    request.what = ExportWhat::tree;
    request.format = ExportFormat::svg;
    request.path = folder.filePath("tree.svg").toStdString();
    CHECK_FALSE(exported(request, {open.workbench.playback().trace(), {}, {}}));
    CHECK(widgets() == before);
  }
  CHECK(QTest::qWaitFor([] { return QApplication::topLevelWidgets().isEmpty(); }, patience_ms));
}

TEST_CASE("steps side by side move as those of the window do, if these are animated", "[screen]") {
  OpenSideBySide open;
  open.key(Qt::Key_Home);
  open.workbench.motion().set_enabled(true);
  std::vector<StepMotion*> moving;
  for (int presses = 0; presses < 40 && moving.empty(); ++presses) {
    open.key(Qt::Key_Right);
    for (CompareColumn* column : open.all.columns()) {
      if (!column->motion().growth().split.empty()) moving.push_back(&column->motion());
      column->motion().hold(0.5);
    }
    if (!moving.empty()) break;
    for (CompareColumn* column : open.all.columns()) column->motion().finish();
  }
  REQUIRE_FALSE(moving.empty());
  open.settle();  // a tree that was hidden gets its room
  const auto pictures = [&] {
    std::vector<QImage> all;
    for (CompareColumn* column : open.all.columns())
      if (std::ranges::count(moving, &column->motion()) > 0)
        all.push_back(column->tree().viewport()->grab().toImage()), all.push_back(column->scene().picture());
    return all;
  };
  const auto middle = pictures();
  for (StepMotion* motion : moving) motion->finish();
  const auto end = pictures();
  for (std::size_t i = 0; i < end.size(); ++i) CHECK(middle[i] != end[i]);
  open.workbench.motion().set_enabled(false);
  open.key(Qt::Key_Left);
  open.key(Qt::Key_Right);
  for (StepMotion* motion : moving) CHECK_FALSE(motion->under_way());
  CHECK(pictures() == end);
}

TEST_CASE("all algorithms of the registry stand beside one another, and keys move them level by level", "[share]") {
  OpenSideBySide open;
  REQUIRE(open.all.columns().size() == 2);
  for (const AlgorithmSpec& spec : test::shown_point_algorithms()) {
    const auto there = [&](CompareColumn* column) { return column->run().algorithm == spec.id; };
    if (std::none_of(open.all.columns().begin(), open.all.columns().end(), there))
      open.all.add_column(open.run(spec.id));
  }
  open.complete();
  for (CompareColumn* column : open.all.columns()) {
    INFO(column->run().algorithm << ": " << text_of(*column, "compare_message").toStdString());
    REQUIRE(column->trace());
    CHECK(column->trace()->header.n == 10);
    REQUIRE(column->timing());
    CHECK(column->timing()->tree_hash == column->trace()->header.tree_hash);
    CHECK(column->findChild<CostCell*>()->summary().contains("too few points to time"));
  }
  CHECK(open.all.alignment().at_start());
  open.key(Qt::Key_Right, Qt::ControlModifier);
  open.key(Qt::Key_Right, Qt::ControlModifier);
  const auto two_levels = open.steps();
  for (std::size_t i = 0; i < two_levels.size(); ++i) {
    CHECK(two_levels[i] > 0);
    CHECK(text_of(open.column(i), "compare_place").contains(QStringLiteral("step %1 /").arg(two_levels[i])));
  }
  open.key(Qt::Key_Right);
  open.key(Qt::Key_Left);
  CHECK(open.steps() == two_levels);
  open.column(0).findChild<QToolButton*>("compare_column_back")->click();
  CHECK(open.steps()[0] == two_levels[0] - 1);
  CHECK(open.steps()[1] == two_levels[1]);
  open.key(Qt::Key_End);
  for (std::size_t i = 0; i < two_levels.size(); ++i)
    CHECK(open.steps()[i] == open.column(i).trace()->steps.size() - 1);
  open.key(Qt::Key_Home);
  CHECK(open.all.alignment().at_start());
  open.find<QSlider>("compare_slider").setValue(2);
  CHECK(open.all.alignment().stage() == 2);
}

TEST_CASE("five columns draw; there are never more, nor fewer than two") {
  OpenSideBySide open;
  auto& add = open.find<QPushButton>("compare_add");
  while (add.isEnabled() && open.all.columns().size() < 9) open.click(add);
  CHECK(open.all.columns().size() == most_columns);
  open.complete();
  open.key(Qt::Key_End);
  for (CompareColumn* column : open.all.columns()) {
    REQUIRE(column->trace());
    column->repaint();
    QTest::qWait(50);
    CHECK(colours_in(column->scene().picture()) > 20);
    CHECK(column->width() < 300);
    CHECK(column->findChild<QToolButton*>("compare_remove")->isEnabled());
  }
  for (int i = 0; i < 3; ++i) open.column(1).findChild<QToolButton*>("compare_remove")->click();
  CHECK(open.all.columns().size() == fewest_columns);
  CHECK_FALSE(open.column(1).findChild<QToolButton*>("compare_remove")->isEnabled());
  CHECK(add.isEnabled());
}

TEST_CASE("every column has its whole tree in sight, in a low window too") {
  OpenSideBySide open;
  open.all.resize(1280, 720);
  open.key(Qt::Key_End);
  open.settle();
  for (CompareColumn* column : open.all.columns()) {
    CHECK(column->tree().verticalScrollBar()->maximum() == 0);
    CHECK_FALSE(column->tree().verticalScrollBar()->isVisible());
  }
}

TEST_CASE("columns say once what a lesson hides, and keep the points in sight") {
  OpenSideBySide open;
  open.all.resize(1280, 720);
  open.settle();
  REQUIRE(open.workbench.lessons().at_introduction());
  REQUIRE(open.workbench.playback().concealment().tree);
  const auto sentences = [&](const char* words) {
    int count = 0;
    for (const QLabel* label : open.all.findChildren<QLabel*>())
      count +=
          label->isVisible() && label->text().contains(QLatin1String(words)) && !qobject_cast<const Curtain*>(label);
    return count;
  };
  CHECK(sentences("first stop asks") == 1);
  CHECK(sentences("idden") == 0);
  open.workbench.lessons().stop_forward();
  open.settle();
  CHECK(sentences("idden") == 1);
  CHECK(sentences("first stop asks") == 0);
  for (CompareColumn* column : open.all.columns()) {
    const auto* curtain = column->tree().findChild<Curtain*>(QStringLiteral("curtain"));
    CHECK(curtain->isVisible());
    CHECK(curtain->text().contains(QStringLiteral("Hidden until")));
    CHECK(column->tree().diagram().nodes.empty());
    CHECK(column->scene().isVisible());
    const auto& algorithm = *column->findChild<QComboBox*>("compare_algorithm");
    CHECK(algorithm.fontMetrics().horizontalAdvance(algorithm.currentText()) < algorithm.width() - 24);
  }
  // A person who only compares sees everything here, and the window goes on asking.
  open.click(open.find<QPushButton>("compare_reveal"));
  CHECK(sentences("idden") == 0);
  CHECK(open.workbench.playback().concealment().tree);
  for (CompareColumn* column : open.all.columns()) CHECK_FALSE(column->tree().diagram().nodes.empty());
}

TEST_CASE("two columns give their plots most of a low window, below a heading of one line") {
  OpenSideBySide open;
  while (open.all.columns().size() > fewest_columns)
    open.column(open.all.columns().size() - 1).findChild<QToolButton*>("compare_remove")->click();
  open.all.resize(1280, 720);
  open.settle();
  for (CompareColumn* column : open.all.columns()) {
    const QSize plot = column->scene().size();
    CAPTURE(plot.width(), plot.height());
    CHECK(plot.height() > 0.6 * open.all.height());
    CHECK(plot.width() > 0.25 * open.all.width());
    const auto middle = [&](const char* name) { return column->findChild<QWidget*>(name)->geometry().center().y(); };
    CHECK(std::abs(middle("compare_badge") - middle("compare_algorithm")) <= 1);
    CHECK(std::abs(middle("compare_remove") - middle("compare_algorithm")) <= 1);
  }
}

TEST_CASE("a long name of a file leaves the columns in the window, and times of few points are not shown") {
  OpenWorkbench open;
  QTemporaryDir folder;
  REQUIRE(folder.isValid());
  QFile file(folder.filePath(QString(200, QLatin1Char('a')) + QStringLiteral(".csv")));
  REQUIRE(file.open(QIODevice::WriteOnly));
  file.write("x,y\n1,2\n3,4\n5,1\n2,7\n");
  file.close();
  const auto before = open.workbench.playback().trace();
  open.workbench.open(file.fileName());
  REQUIRE(QTest::qWaitFor([&] { return open.workbench.playback().trace() != before && !open.workbench.jobs().busy(); },
                          patience_ms));
  open.press(Qt::Key_F7);
  CHECK(open.find<CompareWindow>("compare").minimumSizeHint().width() < 1280);
  ColumnCosts quick, slow;
  quick.build_ms = {0.04};
  slow.build_ms = {0.09, 0.07, 0.08};
  const auto factor = [&](std::uint64_t points) {
    quick.ranks_time = slow.ranks_time = points >= least_timed;
    CostCell cell;
    cell.show_costs(slow, scale_of({quick, slow}));
    return cell.summary().section(QLatin1Char('\n'), 0, 0);
  };
  CHECK(factor(9'999) == QStringLiteral("time too few points to time"));
  CHECK(factor(10'000) == QStringLiteral("time 0.080 ms (0.07 to 0.09), \u00d7 2"));
}

TEST_CASE("a long generator beside what a lesson hides leaves the columns in the window") {
  OpenWorkbench open;
  open.open_lesson("zhou/photons");
  open.workbench.lessons().go_to_stop(2);
  open.press(Qt::Key_F7);
  auto& compare = open.find<CompareWindow>("compare");
  compare.resize(1280, 720);
  open.settle();
  REQUIRE(compare.findChild<QPushButton*>(QStringLiteral("compare_reveal"))->isVisible());
  CHECK(compare.width() == 1280);
}

TEST_CASE("one selection, by point, in all columns and in the window; Esc clears it") {
  OpenSideBySide open;
  open.key(Qt::Key_End);
  QTest::qWait(100);
  TreeView& tree = open.column(0).tree();
  const auto place = tree.place_of_node(NodeId{1});
  REQUIRE(place);
  QTest::mouseClick(tree.viewport(), Qt::LeftButton, {}, place->toPoint());
  const auto picked = open.column(0).scene().selected_point();
  REQUIRE(picked);
  for (CompareColumn* column : open.all.columns()) CHECK(column->scene().selected_point() == picked);
  CHECK(open.workbench.playback().selection() == Selection{Space::point, picked->value});
  open.workbench.playback().select({Space::point, 7});
  for (CompareColumn* column : open.all.columns()) CHECK(column->scene().selected_point() == PointId{7});
  open.key(Qt::Key_Escape);
  for (CompareColumn* column : open.all.columns()) CHECK_FALSE(column->scene().selected_point());
  CHECK_FALSE(open.workbench.playback().selection());
  CHECK(open.all.isVisible());
  open.key(Qt::Key_Escape);  // once more: the window closes
  CHECK_FALSE(open.all.isVisible());
}

TEST_CASE("a click on a triangle selects it in every column that has it, and in the window", "[screen]") {
  OpenWorkbench open;
  open.open_lesson("zhou/large-nodes");
  open.press(Qt::Key_F7);
  auto& all = open.find<CompareWindow>("compare");
  all.resize(1280, 780);
  REQUIRE(QTest::qWaitForWindowExposed(&all, patience_ms));
  REQUIRE(QTest::qWaitFor([&] { return all.complete(); }, patience_ms));
  QTest::qWait(300);
  SceneView& scene = all.columns().front()->scene();
  std::optional<QPointF> place;
  std::uint32_t triangle = 0;
  for (; triangle < 8 && !place; ++triangle)
    if (const auto there = scene.place_of_triangle(triangle); there && !scene.point_at(*there)) place = there;
  REQUIRE(place);
  for (int clicks = 0; clicks < 4 && scene.selected_triangles().empty();
       ++clicks) {  // the next click selects what lies below
    QTest::mouseClick(scene.canvas(), Qt::LeftButton, {}, place->toPoint());
    QTest::qWait(50);
  }
  REQUIRE(scene.selected_triangles().size() == 1);
  const std::uint32_t picked = scene.selected_triangles().front();
  CHECK(open.workbench.playback().selection() == Selection{Space::triangle, picked});
  CHECK(open.window.scene().selected_triangles() == std::vector<std::uint32_t>{picked});
  for (CompareColumn* column : all.columns())
    if (column->trace() && column->trace()->find(triangles_array))
      CHECK(column->scene().selected_triangles() == std::vector<std::uint32_t>{picked});
  open.workbench.playback().select(Selection{});
  CHECK(scene.selected_triangles().empty());
}

TEST_CASE("the error of one column stays in it, the others go on; other parameters run it again") {
  OpenSideBySide open;
  const std::string id = open.column(0).run().algorithm;
  open.all.add_column(open.run(id, {{"no such parameter", "1"}}));
  open.all.add_column(open.run(id));
  open.complete();
  CHECK_FALSE(open.column(2).trace());
  CHECK(text_of(open.column(2), "compare_message").contains("no such parameter"));
  REQUIRE(open.column(3).trace());
  open.key(Qt::Key_End);
  CHECK(open.steps()[3] == open.column(3).trace()->steps.size() - 1);
  // Choose another value of the first choice in the menu.
  const auto before = open.column(3).trace();
  for (QAction* each : open.column(3).findChild<QToolButton*>("compare_parameters")->menu()->actions()) {
    QAction* other = nullptr;
    for (QAction* value : each->menu()->actions())
      if (value->isCheckable() && !value->isChecked()) other = value;
    if (!other) continue;
    other->trigger();
    break;
  }
  open.complete();
  REQUIRE(open.column(3).trace());
  CHECK(open.column(3).trace() != before);
  CHECK(open.column(3).run().parameters.size() == 1);
  CHECK(open.column(3)
            .findChild<QLabel*>("compare_badge")
            ->toolTip()
            .contains(QString::fromStdString(open.column(3).run().parameters.begin()->second)));
  auto& algorithm = *open.column(2).findChild<QComboBox*>("compare_algorithm");
  QTest::keyClick(&algorithm, algorithm.currentIndex() > 0 ? Qt::Key_Up : Qt::Key_Down);
  open.complete();
  CHECK(open.column(2).trace());
}

TEST_CASE("theme and text scale follow; edited points come with Run again") {
  OpenSideBySide open;
  const QImage light = open.all.grab().toImage().convertToFormat(QImage::Format_RGB32);
  open.workbench.looks().set_theme("dark");
  open.workbench.looks().set_text_scale(150);
  QTest::qWait(200);
  const QImage dark = open.all.grab().toImage().convertToFormat(QImage::Format_RGB32);
  CHECK(differing_pixels(light, dark) > light.width() * light.height() / 2);
  auto moved = std::make_shared<DataSet>(*open.workbench.edits().points());
  moved->points.words[0] = word_of(71.0F);
  open.workbench.edits().edit(moved, "Move");
  const auto before = open.column(0).trace()->header.tree_hash;
  open.click(open.find<QPushButton>("compare_again"));
  open.complete();
  for (CompareColumn* column : open.all.columns()) {
    REQUIRE(column->trace());
    REQUIRE(column->run().points);
    CHECK(column->run().points->points.words == moved->points.words);
  }
  CHECK(open.column(0).trace()->header.tree_hash != before);
}

TEST_CASE("two searches for one query stand side by side, in one tree or in two") {
  OpenWorkbench open;
  RunRequest spec{"uniform:n=60,dim=2,seed=3", "wald", {}, Backend::cpu};
  spec.search = {{"search", "stack"}, {"query", "0.4,0.6"}, {"k", "3"}, {"question", "nearest"}};
  open.workbench.desk().run(spec);
  open.finish_jobs();
  open.press(Qt::Key_F7);
  auto& all = open.find<CompareWindow>("compare");
  all.resize(1280, 780);
  REQUIRE(QTest::qWaitFor([&] { return all.complete(); }, patience_ms));
  REQUIRE(all.columns().size() == 2);
  const auto search_of = [&](std::size_t column) { return all.columns()[column]->trace()->header.search.at("search"); };
  REQUIRE(all.columns()[1]->trace());
  CHECK(search_of(0) == "stack");
  CHECK(search_of(1) != "stack");
  // Both take a turn with each step, and the columns say what each does.
  QTest::keyClick(&all, Qt::Key_Right);
  CHECK(all.alignment().step(0) == 1);
  CHECK(all.alignment().step(1) == 1);
  for (CompareColumn* column : all.columns()) {
    CHECK(text_of(*column, "compare_place").contains(QStringLiteral("Visit node 0")));
    CHECK(column->findChild<CostCell*>()->summary().contains(QStringLiteral("visited ")));
  }
  // Another search of the same tree.
  auto& choice = *all.columns()[1]->findChild<QComboBox*>(QStringLiteral("compare_search"));
  const int corner = choice.findData(QStringLiteral("closest-corner"));
  REQUIRE(corner >= 0);
  choice.setCurrentIndex(corner);
  emit choice.activated(corner);
  REQUIRE(QTest::qWaitFor([&] { return all.complete(); }, patience_ms));
  CHECK(search_of(1) == "closest-corner");
  // The same question to the tree of another algorithm.
  auto& algorithm = *all.columns()[1]->findChild<QComboBox*>(QStringLiteral("compare_algorithm"));
  algorithm.setCurrentIndex(algorithm.findData(QStringLiteral("hu")));
  emit algorithm.activated(algorithm.currentIndex());
  REQUIRE(QTest::qWaitFor([&] { return all.complete(); }, patience_ms));
  INFO(text_of(*all.columns()[1], "compare_message").toStdString());
  REQUIRE(all.columns()[1]->trace());
  CHECK(search_of(1) == "best-bin-first");
  CHECK(all.columns()[1]->trace()->header.search.at("query") == "0.4,0.6");
  CHECK(all.columns()[1]->trace()->header.search.at("k") == "3");
}
