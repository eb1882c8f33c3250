// A minimal test of every algorithm in the window: its run opens, is stepped to the end, and one element is selected.

#include "app/panes/arrays_pane.hpp"
#include "app/views/array_table_view.hpp"
#include "app/views/scene_view.hpp"
#include "app/views/tree_view.hpp"
#include "tests/app/open_workbench.hpp"
#include "tests/app/small_leaves.hpp"
#include "visualizer/model/violations.hpp"

using namespace kdscope;

TEST_CASE("every algorithm's run opens, is stepped to its end, and shows what is selected", "[screen]") {
  OpenWorkbench open;
  for (const AlgorithmSpec& algorithm : algorithms()) {
    INFO(algorithm.id);
    open.open_another([&] {
      open.workbench.desk().run({algorithm.takes_triangles ? "triangles:kind=soup,n=12,seed=3" : "wald-10",
                                 algorithm.id, small_leaves(algorithm), Backend::cpu});
    });
    REQUIRE(open.workbench.playback().trace()->header.algorithm == algorithm.id);
    REQUIRE(open.step() == 0);
    const ArrayTableView& table = open.window.arrays().view();
    for (std::uint32_t step = 0; step <= open.last_step(); ++step) {
      REQUIRE(open.step() == step);
      REQUIRE(table.table() != nullptr);
      CHECK(table.table()->rows().size() > 1);
      open.press(Qt::Key_Right);
    }
    CHECK(open.step() == open.last_step());
    CHECK(open.workbench.violations().all().empty());

    // Select the root in the tree and in the view.
    open.settle();
    TreeView& tree = open.window.tree();
    REQUIRE(tree.diagram().node_count > 0);
    const NodeId root = tree.diagram().layout().node(0);
    const auto place = tree.place_of_node(root);
    REQUIRE(place);
    QTest::mouseClick(tree.viewport(), Qt::LeftButton, {}, place->toPoint());
    CHECK(open.workbench.playback().selection() == Selection{Space::node, root.value});
    CHECK(tree.is_selected(root));
    CHECK(open.window.scene().selected_node() == root);
    CHECK(colours_in(open.window.scene().picture(), 20) == 20);
    open.press(Qt::Key_Escape);
    CHECK_FALSE(open.workbench.playback().selection());
  }
}
