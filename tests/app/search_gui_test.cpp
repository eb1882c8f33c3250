// Tests searching in the window: typed and dragged queries, the steps of a search, and the way back to the build.

#include <QComboBox>
#include <QDockWidget>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSpinBox>
#include <cmath>

#include "app/appearance/appearance.hpp"
#include "app/appearance/narrow_form.hpp"
#include "app/panes/arrays_pane.hpp"
#include "app/present/audience_search.hpp"
#include "app/present/presentation.hpp"
#include "app/questioning/questioning.hpp"
#include "app/search/query_picker.hpp"
#include "app/search/search_pane.hpp"
#include "app/views/scene_view.hpp"
#include "app/views/tree_view.hpp"
#include "tests/app/open_workbench.hpp"
#include "visualizer/model/array_table.hpp"
#include "visualizer/model/heat.hpp"
#include "visualizer/model/search_overlay.hpp"
#include "visualizer/model/trace_lookup.hpp"

using namespace kdscope;

namespace {

struct OpenedSearch : OpenWorkbench {
  template <class Widget>
  Widget& part(const char* name) {
    auto* found = window.findChild<Widget*>(QLatin1String(name));
    REQUIRE(found);
    return *found;
  }
  void run(const RunRequest& spec) {
    workbench.desk().run(spec);
    finish_jobs();
  }
  bool searching() const { return workbench.playback().trace() && is_search(*workbench.playback().trace()); }
};

}  // namespace

TEST_CASE("search: a typed query is searched step by step, and the build comes back") {
  OpenedSearch open;
  open.run({"wald-10", "wald", {}, Backend::cpu});
  open.window.dock(QStringLiteral("search"))->show();
  open.settle();
  auto& query = open.part<QLineEdit>("search_query");
  auto& start = open.part<QPushButton>("start_search");
  CHECK(start.isEnabled());  // there is a usual query
  query.setText(QStringLiteral("50"));
  CHECK_FALSE(start.isEnabled());
  CHECK(open.part<QLabel>("search_status").text().contains(QStringLiteral("1 coordinates")));
  query.setText(QStringLiteral("50, 40"));
  open.part<QSpinBox>("search_k").setValue(2);
  REQUIRE(start.isEnabled());
  QTest::mouseClick(&start, Qt::LeftButton);
  open.finish_jobs();
  REQUIRE(open.searching());
  CHECK(open.step() == 1);  // the first visit: before it, tables are empty
  CHECK(open.workbench.desk().request().search.at("query") == "50,40");
  // Each step says what it does; the answer comes with the last.
  CHECK_FALSE(open.part<QLabel>("search_status").text().contains(QStringLiteral("found after")));
  open.show_end();
  CHECK(open.part<QLabel>("search_status").text().startsWith(QStringLiteral("2 points found after ")));
  CHECK_FALSE(search_overlay(*open.workbench.playback().cursor()).balls.empty());
  // Other searches follow from the fields.
  auto& search = open.part<QComboBox>("search");
  search.setCurrentIndex(search.findData(QStringLiteral("closest-corner")));
  QTest::mouseClick(&start, Qt::LeftButton);
  open.finish_jobs();
  REQUIRE(open.searching());
  CHECK(open.workbench.playback().trace()->header.search.at("search") == "closest-corner");
  auto& build = open.part<QPushButton>("show_build");
  REQUIRE(build.isEnabled());
  QTest::mouseClick(&build, Qt::LeftButton);
  open.finish_jobs();
  CHECK_FALSE(open.searching());
  CHECK(query.text() == QStringLiteral("50, 40"));
}

TEST_CASE("search: one that left a lesson leads back to it") {
  OpenedSearch open;
  const std::string lesson = open.workbench.lessons().name();
  REQUIRE_FALSE(lesson.empty());
  open.window.dock(QStringLiteral("search"))->show();
  open.settle();
  QTest::mouseClick(&open.part<QPushButton>("start_search"), Qt::LeftButton);
  open.finish_jobs();
  REQUIRE(open.searching());
  CHECK(open.workbench.lessons().lesson() == nullptr);
  auto& back = open.part<QPushButton>("show_build");
  CHECK(back.text() == QStringLiteral("Back to the lesson"));
  QTest::mouseClick(&back, Qt::LeftButton);
  open.finish_jobs();
  CHECK(open.workbench.lessons().name() == lesson);
}

TEST_CASE("search: metric and period are typed, the search measures by them, and no wrong ones start it") {
  OpenedSearch open;
  open.run({"wald-10", "wald", {}, Backend::cpu});
  open.show_dock("search");
  auto& period = open.part<QLineEdit>("search_period");
  auto& metric = open.part<QComboBox>("search_metric");
  auto& start = open.part<QPushButton>("start_search");
  const auto type = [&](QLineEdit& line, const char* text) {
    line.setFocus();
    line.selectAll();
    QTest::keyClicks(&line, QLatin1String(text));
    open.settle();
  };
  const auto search = [&] {
    QTest::keyClick(&period, Qt::Key_Return);
    open.finish_jobs();
    REQUIRE(open.searching());
    open.show_end();
  };
  const auto found = [&](const char* array) { return open.workbench.playback().cursor()->number(array, 0); };
  open.part<QSpinBox>("search_k").setValue(1);
  type(open.part<QLineEdit>("search_query"), "69, 16");
  // p2 is (68, 21); around the edges of 60 by 60, p0 at (10, 15) is nearer.
  type(period, "");
  search();
  CHECK(found(search_arrays::found) == 2);
  CHECK(open.workbench.playback().trace()->header.search.count("period") == 0);
  type(period, "60, 60");
  search();
  CHECK(open.workbench.playback().trace()->header.search.at("period") == "60,60");
  CHECK(found(search_arrays::found) == 0);
  CHECK(std::abs(found(search_arrays::found_distance) - std::sqrt(2)) < 1e-6);
  metric.setFocus();
  QTest::keyClick(&metric, Qt::Key_Down);
  open.settle();
  CHECK(metric.currentData().toInt() == static_cast<int>(Metric::l1));
  search();
  CHECK(open.workbench.playback().trace()->header.search.at("metric") == "l1");
  CHECK(found(search_arrays::found) == 0);
  CHECK(found(search_arrays::found_distance) == 2);

  const auto shown = open.workbench.playback().trace();
  for (const auto& [text, problem] : {std::pair{"60", "the period has 1 side"},
                                      {"60, 60, 60", "the period has 3 sides"},
                                      {"60, y", "the coordinate 'y'"},
                                      {"0, 60", "a side of the period is 0"},
                                      {"60, -60", "a side of the period is -60"},
                                      {"59, 53", "more than the period 53"}}) {
    INFO(text);
    type(period, text);
    CHECK_FALSE(start.isEnabled());
    CHECK(open.part<QLabel>("search_status").text().contains(QLatin1String(problem)));
    QTest::keyClick(&period, Qt::Key_Return);
    open.settle();
    CHECK_FALSE(open.workbench.jobs().busy());
    CHECK(open.workbench.playback().trace() == shown);
  }
  type(period, "59, 54");
  CHECK(start.isEnabled());
  // A ball is a Euclidean one, in a space without an end.
  auto& question = open.part<QComboBox>("search_question");
  question.setCurrentIndex(question.findData(static_cast<int>(SearchQuestion::ball)));
  CHECK_FALSE(metric.isEnabled());
  CHECK_FALSE(period.isEnabled());
}

TEST_CASE("search: a narrow pane scrolls only down, and ends long names with dots") {
  OpenedSearch open;
  open.run({"wald-10", "wald", {}, Backend::cpu});
  QueryPicker picker(open.workbench, open.window.scene(), nullptr);
  SearchPane pane(open.workbench, picker);
  pane.resize(300, 240);
  pane.show();
  REQUIRE(QTest::qWaitForWindowExposed(&pane, patience_ms));
  open.settle();
  const auto& scroll = *pane.findChild<QScrollArea*>();
  CHECK(scroll.horizontalScrollBar()->maximum() == 0);
  CHECK(scroll.verticalScrollBar()->maximum() > 0);
  for (const QWidget* part : scroll.widget()->findChildren<QPushButton*>()) {
    CAPTURE(part->objectName().toStdString());
    CHECK(part->width() >= part->sizeHint().width());
    CHECK(part->mapTo(scroll.widget(), QPoint(part->width(), 0)).x() <= scroll.viewport()->width());
  }
  auto& question = *static_cast<NarrowComboBox*>(pane.findChild<QComboBox*>(QStringLiteral("search_question")));
  question.setCurrentIndex(question.findData(static_cast<int>(SearchQuestion::ball)));
  CHECK(question.drawn_text() == question.currentText());
  question.resize(100, question.height());
  CHECK(question.drawn_text().endsWith(QChar(0x2026)));
}

TEST_CASE("search: an audience reads the query and what the search knows, without controls and in short numbers",
          "[screen]") {
  OpenedSearch open;
  open.open_lesson("wald/nearest-with-a-stack");
  open.window.presentation().start({QRect(0, 0, 1280, 720)}, 0);
  REQUIRE(open.window.presentation().running());
  AudienceWindow& audience = *open.window.presentation().audience();
  REQUIRE(QTest::qWaitForWindowExposed(&audience, patience_ms));
  open.workbench.lessons().stop_forward();
  open.settle();
  auto& words = static_cast<AudienceSearch&>(audience.pane("search"));
  REQUIRE(words.isVisible());
  CHECK(words.findChildren<QLineEdit*>().isEmpty());
  CHECK(words.findChildren<QComboBox*>().isEmpty());
  CHECK(words.text().startsWith(QStringLiteral("Which point is nearest to (50, 40)?")));
  CHECK(words.text().contains(QStringLiteral("Hidden until")) ==
        hides_steps(open.workbench.playback().concealment(), *open.workbench.playback().trace()));
  CHECK(words.height() >= words.heightForWidth(words.width()));
  const QTextBrowser& narration = audience.narration().text();  // which has room beside it, above the question
  CHECK(narration.document()->size().height() <= narration.viewport()->height());
  open.show_answers();
  CHECK(words.text().contains(QStringLiteral("Visit node 0: p1 lies at 23.35, the nearest so far.")));
  ArraysPane arrays(open.workbench);
  arrays.show_to_audience();
  arrays.resize(1200, 600);
  arrays.show();
  open.settle();
  ArrayTableView& table = arrays.view();
  const auto& rows = table.table()->rows();
  const auto row = std::ranges::find(rows, search_arrays::found_distance, &TableRow::name);
  REQUIRE(row != rows.end());
  CHECK(table.shown_text(static_cast<std::size_t>(row - rows.begin()), 0) == QStringLiteral("23.35"));
  open.show_end();
  CHECK(words.text().contains(QStringLiteral("The answer is p7 at 5 after 7 of 10 nodes visited")));
  open.window.presentation().stop();
}

TEST_CASE("search: rays and many points are asked in words") {
  SearchOfRun search{"", SearchQuestion::nearest, 3, 0.25, {1.0594550371170044, 2}};
  CHECK(question_of(search) == QStringLiteral("Which 3 points are nearest to (1.0595, 2), at most 0.25 away?"));
  search = {"", SearchQuestion::nearest_hit, 1, {}, {1.3, 1.1, 0.4, -0.7, -0.3, -0.1}};
  CHECK(question_of(search) == QStringLiteral("Which triangle does the ray from (1.3, 1.1, 0.4) in the direction "
                                              "(\u22120.7, \u22120.3, \u22120.1) hit first?"));
  search = {"", SearchQuestion::ball, 1, 2.0, {}, {}, true};
  CHECK(question_of(search) == QStringLiteral("Which points are at most 2 away from each point?"));
}

TEST_CASE("search: a query is picked and dragged in the view", "[screen]") {
  OpenedSearch open;
  open.run({"uniform:n=40,dim=2,seed=1", "wald", {}, Backend::cpu});
  open.press(Qt::Key_Q);
  auto& picker = *open.window.findChild<QueryPicker*>();
  REQUIRE(picker.picking());
  open.settle();
  CHECK(open.window.dock(QStringLiteral("search"))->isVisible());
  SceneView& view = open.window.scene();
  QWidget& canvas = *view.canvas();
  const QPoint from = view.place_of({0.5, 0.5}).value().toPoint(), to = view.place_of({0.2, 0.8}).value().toPoint();
  QTest::mousePress(&canvas, Qt::LeftButton, {}, from);
  QMouseEvent move(QEvent::MouseMove, to, canvas.mapToGlobal(to), Qt::NoButton, Qt::LeftButton, Qt::NoModifier);
  QCoreApplication::sendEvent(&canvas, &move);
  const auto searched = [&] {
    if (!open.searching() || open.workbench.jobs().busy()) return false;
    const auto query = search_in(open.workbench.playback().trace()->header.search)->query;
    return std::abs(query[0] - 0.2) < 0.02 && std::abs(query[1] - 0.8) < 0.02;
  };
  REQUIRE(QTest::qWaitFor(searched, patience_ms));
  CHECK(open.step() == open.last_step());  // the answer follows the mouse
  QTest::mouseRelease(&canvas, Qt::LeftButton, {}, to);
  REQUIRE(QTest::qWaitFor([&] { return searched() && open.step() == 1; }, patience_ms));  // now it begins
  // A click begins it too, even if the run of its press is not over when the button is released.
  QTest::mouseClick(&canvas, Qt::LeftButton, {}, from);
  REQUIRE(QTest::qWaitFor([&] { return !open.workbench.jobs().busy() && !searched(); }, patience_ms));
  open.finish_jobs();
  CHECK(open.step() == 1);
  open.workbench.playback().go_to(open.last_step());
  open.settle();
  // The nodes visited and waiting are in sight, and not only the query.
  const auto& tabs = open.window.findChild<ArraysPane*>()->tabs();
  REQUIRE(tabs.count() == 2);
  CHECK(tabs.tabText(tabs.currentIndex()) == QStringLiteral("entry"));
  // Editing points and picking exclude one another.
  open.press(Qt::Key_E);
  CHECK_FALSE(picker.picking());
}

TEST_CASE("search: all points become queries at once, and what they visit colours them") {
  OpenedSearch open;
  open.run({"uniform:n=200,dim=2,seed=1", "wald", {}, Backend::cpu});
  auto& all = open.part<QPushButton>("search_all");
  REQUIRE(all.isEnabled());
  QTest::mouseClick(&all, Qt::LeftButton);
  open.finish_jobs();
  REQUIRE(open.searching());
  CHECK(is_batch(*open.workbench.playback().trace()));
  CHECK(open.step() == open.last_step());
  CHECK(open.part<QLabel>("search_status").text().contains(QStringLiteral("of its lanes are at work")));
  CHECK(open.part<QLineEdit>("search_query").text() != QStringLiteral("all"));  // one query may follow
  const Cursor& cursor = *open.workbench.playback().cursor();
  const NodeHeat heat = heat_of(cursor, Partition::at(cursor), Colouring::subtree);
  REQUIRE(heat.of_point.size() == 200);
  const auto visits = cursor.array(batch_arrays::visits)->as<std::uint32_t>();
  for (std::size_t point = 0; point < 200; ++point) CHECK(heat.of_point[point] == visits[point]);
  CHECK(heat.low == *std::min_element(visits.begin(), visits.end()));
  CHECK(heat.high == *std::max_element(visits.begin(), visits.end()));
  QTest::mouseClick(&open.part<QPushButton>("start_search"), Qt::LeftButton);
  open.finish_jobs();
  CHECK_FALSE(is_batch(*open.workbench.playback().trace()));
}

TEST_CASE("search: skipped subtrees fade in the tree") {
  OpenedSearch open;
  RunRequest spec{"uniform:n=63,dim=2,seed=1", "wald", {}, Backend::cpu};
  spec.search = {{"search", "stack"}, {"query", "0.1,0.1"}};
  open.run(spec);
  REQUIRE(open.searching());
  open.workbench.transport().last();
  const auto states = search_states(*open.workbench.playback().cursor());
  REQUIRE(states.size() == 63);
  std::size_t visited = 0, skipped = 0;
  for (const SearchState state : states)
    visited += state == SearchState::visited, skipped += state == SearchState::skipped;
  CHECK(visited >= 6);
  CHECK(skipped >= 31);
  CHECK(visited + skipped == 63);
}

TEST_CASE("search: edges do not run through the body of a faded node") {
  OpenedSearch open;
  RunRequest spec{"uniform:n=7,dim=2,seed=1", "wald", {}, Backend::cpu};
  spec.search = {{"search", "stack"}, {"query", "0.1,0.1"}};
  open.run(spec);
  REQUIRE(open.searching());
  open.show_end();
  const auto states = search_states(*open.workbench.playback().cursor());
  TreeView& tree = open.window.tree();
  const QImage picture = tree.viewport()->grab().toImage();
  const Rgb edge = theme_of(open.workbench.looks().appearance()).plane;
  int faded = 0;
  for (std::uint32_t node = 0; node < states.size(); ++node) {
    if (states[node] != SearchState::skipped) continue;
    const auto middle = tree.place_of_node(NodeId{node});
    if (!middle) continue;
    ++faded;
    int dark = 0;
    // Above the number, where the edge from the parent would come in.
    for (int y = static_cast<int>(middle->y()) - 10; y <= middle->y() - 8; ++y)
      for (int x = static_cast<int>(middle->x()) - 12; x <= middle->x() + 12; ++x) {
        const QRgb pixel = picture.pixel(x, y);
        const Rgb seen{static_cast<std::uint8_t>(qRed(pixel)), static_cast<std::uint8_t>(qGreen(pixel)),
                       static_cast<std::uint8_t>(qBlue(pixel))};
        dark += colour_distance(seen, edge) < 0.05;
      }
    CHECK(dark == 0);
  }
  CHECK(faded > 0);
}

TEST_CASE("search: an entry of a list has the colour of the point or the node that it names, and no other") {
  OpenedSearch open;
  RunRequest spec{"wald-10", "wald", {}, Backend::cpu};
  spec.search = {{"search", "stack"}, {"query", "50,40"}};
  open.run(spec);
  open.workbench.playback().go_to(6);
  const Cursor& cursor = *open.workbench.playback().cursor();
  const ArrayTable table(cursor, nullptr, cursor.trace().find(search_arrays::found)->info.index_space);
  const auto row_of = [&](const char* name) {
    return std::size_t(std::ranges::find(table.rows(), name, &TableRow::name) - table.rows().begin());
  };
  const auto ids = [&](const char* name) { return cursor.array(name)->as<std::uint32_t>(); };
  for (const auto& [nodes, distances] : {std::pair{search_arrays::visited, search_arrays::visited},
                                         {search_arrays::waiting, search_arrays::waiting_distance}})
    for (std::uint32_t i = 0; i < ids(nodes).size(); ++i) {
      CHECK(table.cell(row_of(nodes), i).node == NodeId{ids(nodes)[i]});
      CHECK(table.cell(row_of(distances), i).node == NodeId{ids(nodes)[i]});
    }
  for (const auto& [points, distances] : {std::pair{search_arrays::found, search_arrays::found_distance},
                                          {search_arrays::tested, search_arrays::tested_distance}}) {
    REQUIRE(ids(points).size() == 1);
    const PointId point{ids(points)[0]};
    CHECK(table.point_at(row_of(points), 0) == point);
    CHECK(table.cell(row_of(points), 0).node == node_of_point(cursor, point));
    CHECK(table.cell(row_of(distances), 0).node == node_of_point(cursor, point));
  }
  CHECK_FALSE(table.cell(0, 0).node);  // entry 0 of each list is another one
}
