// Tests searching in the window: typed and dragged queries, the steps of a search, and the way back to the build.

#include <QAction>
#include <QComboBox>
#include <QDockWidget>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>

#include "app/search/query_picker.hpp"
#include "app/search/search_pane.hpp"
#include "app/views/scene_view.hpp"
#include "app/views/tree_view.hpp"
#include "tests/app/open_workbench.hpp"
#include "visualizer/model/heat.hpp"
#include "visualizer/model/search_overlay.hpp"

using namespace kdscope;

namespace {

struct OpenSearch : OpenWorkbench {
  template <class Widget>
  Widget& part(const char* name) {
    auto* found = window.findChild<Widget*>(QLatin1String(name));
    REQUIRE(found);
    return *found;
  }
  void wait_idle() {
    REQUIRE(QTest::qWaitFor([&] { return !workbench.busy(); }, patience_ms));
    settle();
  }
  void run(const RunSpec& spec) {
    workbench.run(spec);
    wait_idle();
  }
  bool searching() const { return workbench.trace() && is_search(*workbench.trace()); }
};

}  // namespace

TEST_CASE("search: a typed query is searched step by step, and the build comes back") {
  OpenSearch open;
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
  open.wait_idle();
  REQUIRE(open.searching());
  CHECK(open.step() == 0);
  CHECK(open.workbench.session().run.search.at("query") == "50,40");
  CHECK(open.part<QLabel>("search_status").text().startsWith(QStringLiteral("2 points found after ")));
  open.workbench.last();
  open.settle();
  CHECK_FALSE(search_overlay(*open.workbench.cursor()).balls.empty());
  // Other searches follow from the fields.
  auto& search = open.part<QComboBox>("search");
  search.setCurrentIndex(search.findData(QStringLiteral("closest-corner")));
  QTest::mouseClick(&start, Qt::LeftButton);
  open.wait_idle();
  REQUIRE(open.searching());
  CHECK(open.workbench.trace()->header.search.at("search") == "closest-corner");
  auto& build = open.part<QPushButton>("show_build");
  REQUIRE(build.isEnabled());
  QTest::mouseClick(&build, Qt::LeftButton);
  open.wait_idle();
  CHECK_FALSE(open.searching());
  CHECK(query.text() == QStringLiteral("50, 40"));
}

TEST_CASE("search: a query is picked and dragged in the view", "[screen]") {
  OpenSearch open;
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
  QTest::mouseRelease(&canvas, Qt::LeftButton, {}, to);
  REQUIRE(QTest::qWaitFor([&] { return !open.workbench.busy() && open.searching(); }, patience_ms));
  open.wait_idle();
  REQUIRE(QTest::qWaitFor(
      [&] {
        if (!open.searching() || open.workbench.busy()) return false;
        const auto query = search_in(open.workbench.trace()->header.search)->query;
        return std::abs(query[0] - 0.2) < 0.02 && std::abs(query[1] - 0.8) < 0.02;
      },
      patience_ms));
  CHECK(open.step() == open.last_step());  // the answer follows the mouse
  // Editing points and picking exclude one another.
  open.press(Qt::Key_E);
  CHECK_FALSE(picker.picking());
}

TEST_CASE("search: all points become queries at once, and what they visit colours them") {
  OpenSearch open;
  open.run({"uniform:n=200,dim=2,seed=1", "wald", {}, Backend::cpu});
  auto& all = open.part<QPushButton>("search_all");
  REQUIRE(all.isEnabled());
  QTest::mouseClick(&all, Qt::LeftButton);
  open.wait_idle();
  REQUIRE(open.searching());
  CHECK(is_batch(*open.workbench.trace()));
  CHECK(open.step() == open.last_step());
  CHECK(open.part<QLabel>("search_status").text().contains(QStringLiteral("of its lanes are at work")));
  CHECK(open.part<QLineEdit>("search_query").text() != QStringLiteral("all"));  // one query may follow
  const Cursor& cursor = *open.workbench.cursor();
  const NodeHeat heat = heat_of(cursor, Partition::at(cursor), Colouring::subtree);
  REQUIRE(heat.of_point.size() == 200);
  const auto visits = cursor.array(batch_arrays::visits)->as<std::uint32_t>();
  for (std::size_t point = 0; point < 200; ++point) CHECK(heat.of_point[point] == visits[point]);
  CHECK(heat.low == *std::min_element(visits.begin(), visits.end()));
  CHECK(heat.high == *std::max_element(visits.begin(), visits.end()));
  QTest::mouseClick(&open.part<QPushButton>("start_search"), Qt::LeftButton);
  open.wait_idle();
  CHECK_FALSE(is_batch(*open.workbench.trace()));
}

TEST_CASE("search: skipped sub-trees fade in the tree") {
  OpenSearch open;
  RunSpec spec{"uniform:n=63,dim=2,seed=1", "wald", {}, Backend::cpu};
  spec.search = {{"search", "stack"}, {"query", "0.1,0.1"}};
  open.run(spec);
  REQUIRE(open.searching());
  open.workbench.last();
  const auto states = search_states(*open.workbench.cursor());
  REQUIRE(states.size() == 63);
  std::size_t visited = 0, skipped = 0;
  for (const SearchState state : states)
    visited += state == SearchState::visited, skipped += state == SearchState::skipped;
  CHECK(visited >= 6);
  CHECK(skipped >= 31);
  CHECK(visited + skipped == 63);
}
