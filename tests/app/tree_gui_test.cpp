// Tests the tree dock: nodes if there is room, strips if there is not, and the opening of strips.

#include <QScrollBar>
#include <QToolButton>
#include <QWheelEvent>

#include "app/appearance/appearance.hpp"
#include "app/views/tree_view.hpp"
#include "tests/app/open_workbench.hpp"
#include "tests/app/painted_texts.hpp"
#include "tests/support/point_algorithms.hpp"

namespace kdscope::tree_gui_test {

namespace {

struct OpenTree : OpenWorkbench {
  TreeView& tree = window.tree();

  void run(const std::string& algorithm, const std::string& data) { open_run({data, algorithm, {}, Backend::cpu}); }
  QImage picture() { return tree.viewport()->grab().toImage().convertToFormat(QImage::Format_RGB32); }
  int deepest() const { return tree.diagram().final_levels - 1; }
  bool sees(NodeId node) {
    const auto at = tree.place_of_node(node);
    return at && tree.viewport()->rect().contains(at->toPoint());
  }
};

int pixels_of(const QImage& image, const QRectF& within, const QColor& ink) {
  int count = 0;
  const QRect rect = within.toAlignedRect().intersected(image.rect());
  for (int y = rect.top(); y <= rect.bottom(); ++y)
    for (int x = rect.left(); x <= rect.right(); ++x) count += image.pixelColor(x, y) == ink;
  return count;
}

const char* large(const AlgorithmSpec& algorithm) {
  return algorithm.takes_triangles ? "bunny" : "uniform:n=9000,dim=2,seed=5";
}

}  // namespace

TEST_CASE("a tree of thousands of nodes folds to strips that open by click, wheel, button and key", "[share]") {
  OpenTree open;
  CHECK(open.tree.viewport()->width() >= 320);
  CHECK(open.tree.viewport()->height() >= 260);
  CHECK_FALSE(open.tree.is_strip(open.deepest()));  // there is room for ten points
  int folded = 0;
  for (const AlgorithmSpec& algorithm : test::shown_point_algorithms()) {
    INFO(algorithm.id);
    open.run(algorithm.id, large(algorithm));
    open.press(Qt::Key_End);
    TreeView& tree = open.tree;
    if (!tree.diagram().folded) continue;  // this algorithm makes few nodes
    ++folded;
    int strip = 0;
    while (strip <= open.deepest() && !tree.is_strip(strip)) ++strip;
    REQUIRE(strip > 2);
    REQUIRE(strip <= open.deepest());
    CHECK_FALSE(open.find<QToolButton>("tree_show_all").isEnabled());

    // A click opens the strip at that place. Its nodes can then be selected.
    for (const double share : {0.1, 0.5}) {
      const int level = std::min(strip + 3, open.deepest());
      tree.verticalScrollBar()->setValue(tree.verticalScrollBar()->maximum());
      const QRectF place = tree.place_of_level(level);
      QTest::mouseClick(tree.viewport(), Qt::LeftButton, {},
                        QPointF(place.left() + share * place.width(), place.center().y()).toPoint());
      CHECK(tree.zoom() > 1);
      REQUIRE_FALSE(tree.is_strip(level));
      const TreeLayout& layout = tree.diagram().layout();
      const double middle = tree.window().center().x();
      std::uint32_t rank = std::min(layout.first_from(level, middle - 1e-9), layout.level_end(level) - 1);
      CHECK(std::abs(layout.x(rank) - share) < 0.1);
      REQUIRE(open.sees(layout.node(rank)));
      QTest::mouseClick(tree.viewport(), Qt::LeftButton, {}, tree.place_of_node(layout.node(rank))->toPoint());
      CHECK(open.workbench.playback().selection() == Selection{Space::node, layout.node(rank).value});
      QTest::keyClick(&tree, Qt::Key_Backspace);
      CHECK(tree.zoom() == 1);
      CHECK(tree.is_strip(level));
    }

    // The selected node stays marked in the folded strip.
    const QColor mark = colour(theme(ThemeId::light).selection);
    tree.select_nodes(tree.diagram().layout().size() > 0
                          ? std::vector{tree.diagram().layout().node(tree.diagram().layout().level_begin(strip + 1))}
                          : std::vector<NodeId>());
    CHECK(pixels_of(open.picture(), tree.place_of_level(strip + 1), mark) > 20);
    tree.select_node(std::nullopt);
    CHECK(pixels_of(open.picture(), tree.place_of_level(strip + 1), mark) == 0);

    // Buttons and the wheel zoom in steps.
    open.click(open.find<QToolButton>("tree_zoom_in"));
    CHECK(tree.zoom() == 2);
    for (int i = 0; i < 30; ++i) {
      QWheelEvent wheel(QPointF(200, 100), tree.viewport()->mapToGlobal(QPointF(200, 100)), {}, QPoint(0, 240),
                        Qt::NoButton, Qt::ControlModifier, Qt::NoScrollPhase, false);
      QCoreApplication::sendEvent(tree.viewport(), &wheel);
    }
    CHECK_FALSE(tree.is_strip(strip));
    open.click(open.find<QToolButton>("tree_show_all"));
    CHECK(tree.zoom() == 1);
  }
  CHECK(folded > 0);
}

TEST_CASE("keys walk from the root down to a leaf, and Return fits a subtree", "[share]") {
  OpenTree open;
  for (const AlgorithmSpec& algorithm : test::shown_point_algorithms()) {
    INFO(algorithm.id);
    open.run(algorithm.id, large(algorithm));
    open.press(Qt::Key_End);
    TreeView& tree = open.tree;
    const TreeLayout& layout = tree.diagram().layout();
    REQUIRE(layout.size() > 0);
    tree.setFocus();
    std::uint32_t rank = 0;
    QTest::keyClick(&tree, Qt::Key_Down, Qt::AltModifier);
    CHECK(open.workbench.playback().selection() == Selection{Space::node, layout.node(0).value});
    while (layout.child_count(rank) > 0) {
      QTest::keyClick(&tree, Qt::Key_Down, Qt::AltModifier);
      rank = layout.first_child(rank);
      REQUIRE(open.workbench.playback().selection() == Selection{Space::node, layout.node(rank).value});
      REQUIRE(open.sees(layout.node(rank)));
      REQUIRE_FALSE(tree.is_strip(layout.level_of(rank)));
    }
    QTest::keyClick(&tree, Qt::Key_Up, Qt::AltModifier);
    CHECK(open.workbench.playback().selection().index == layout.node(layout.parent(rank)).value);
    QTest::keyClick(&tree, Qt::Key_Right, Qt::AltModifier);
    CHECK(open.workbench.playback().selection().index != layout.node(layout.parent(rank)).value);

    const std::uint32_t child = layout.first_child(0);
    tree.show_all();
    open.workbench.playback().select({Space::node, layout.node(child).value});
    QTest::keyClick(&tree, Qt::Key_Return);
    CHECK(tree.zoom() > 1.4);
    CHECK(open.sees(layout.node(child)));
    CHECK(tree.window().right() < layout.x(0) + 0.1);
    open.workbench.playback().select(Selection{});
    CHECK(open.step() == open.last_step());  // none of these keys changed the step
  }
}

TEST_CASE("nodes are numbered wherever their numbers fit, also close together") {
  OpenTree open;
  open.run("wald", "uniform:n=255,dim=2,seed=1");
  open.show_end();
  for (const int pixels : {300, 340, 390}) {
    CAPTURE(pixels);
    TreeView tree;
    tree.resize(pixels, 400);
    tree.show_step(*open.workbench.playback().cursor());
    std::vector<QRectF> places;
    for (std::uint32_t node = 7; node <= 14; ++node)  // level 3
      for (const PaintedText& painted : painted_texts(*tree.viewport()))
        if (painted.text == QString::number(node) && painted.box.left() > 30) places.push_back(painted.box);
    REQUIRE(places.size() == 8);
    for (std::size_t i = 1; i < places.size(); ++i) CHECK(places[i - 1].right() < places[i].left());
  }
}

TEST_CASE("where rows are low, numbers of levels stand apart, and the lowest level has its own") {
  OpenTree open;
  open.run("wald", "uniform:n=2000,dim=2,seed=1");
  open.show_end();
  for (const int height : {90, 110, 160}) {
    CAPTURE(height);
    TreeView tree;
    tree.keep_in_sight();
    tree.resize(500, height);
    tree.show_step(*open.workbench.playback().cursor());
    std::vector<QRectF> levels, counts;
    bool lowest = false;
    for (const PaintedText& painted : painted_texts(*tree.viewport())) {
      const double slack = 0.3 * painted.box.height();  // ascent and descent include space that digits do not use
      const QRectF box = painted.box.adjusted(0, slack / 2, 0, -slack / 2);
      if (painted.box.right() < 30) levels.push_back(box), lowest |= painted.text == QStringLiteral("10");
      if (painted.box.left() > 450) counts.push_back(box);
    }
    CHECK(lowest);
    CHECK(levels.size() >= 2);
    for (const auto& boxes : {levels, counts})
      for (std::size_t i = 0; i < boxes.size(); ++i)
        for (std::size_t j = 0; j < i; ++j) CHECK_FALSE(boxes[i].intersects(boxes[j]));
  }
}

TEST_CASE("strips darken as nodes are made, and underline what a step changed", "[share]") {
  OpenTree open;
  const QColor changed = colour(theme(ThemeId::light).changed);
  int folded = 0;
  for (const AlgorithmSpec& algorithm : test::shown_point_algorithms()) {
    INFO(algorithm.id);
    open.run(algorithm.id, large(algorithm));
    TreeView& tree = open.tree;
    open.press(Qt::Key_End);
    if (!tree.diagram().folded) continue;
    ++folded;
    int strip = 0, marked = 0, underlined = 0;
    while (!tree.is_strip(strip)) ++strip;
    const auto shown = [&] {  // only the strip, regardless of the dock's end
      tree.verticalScrollBar()->setValue(tree.verticalScrollBar()->value() +
                                         static_cast<int>(tree.place_of_level(strip).top()) - 40);
      return tree.viewport()->grab(tree.place_of_level(strip).toRect()).toImage().convertToFormat(QImage::Format_RGB32);
    };
    const QImage full = shown();
    open.workbench.playback().seek(0);
    const QImage empty = shown();
    CHECK(differing_pixels(empty, full) > full.width() * full.height() / 4);
    for (std::uint32_t step = 1; step <= open.last_step(); ++step) {
      if (same_version(*open.workbench.playback().trace(), partition_arrays::parent, step - 1, step) && step % 16 != 0)
        continue;
      open.workbench.playback().seek(step);
      const auto changes = changed_nodes(*open.workbench.playback().baseline(), *open.workbench.playback().cursor());
      bool in_strip = false;
      for (const NodeChange& change : changes)
        in_strip |= tree.diagram().layout().level_of(tree.diagram().layout().rank_of(change.node)) == strip;
      const QImage now = shown();
      const bool underline = pixels_of(now, now.rect(), changed) > 0;
      INFO("step " << step);
      CHECK(underline == in_strip);
      marked += in_strip;
      underlined += underline;
    }
    CHECK(marked > 0);
    CHECK(underlined == marked);
  }
  CHECK(folded > 0);
}

TEST_CASE("settled nodes are pale until the run ends") {
  OpenTree open;
  const Theme& t = theme(ThemeId::light);
  int pale = 0;
  const auto inks_of = [&](const QImage& picture, const DiagramNode& node) {
    const QPointF at = open.tree.place_of_node(node.node).value();
    const QRectF around(at.x() - 12, at.y() - 12, 24, 24);
    const Rgb full = subtree_colour(t, node.place);
    return std::pair(pixels_of(picture, around, colour(full)), pixels_of(picture, around, colour(dimmed(t, full))));
  };
  for (std::uint32_t step = 1; step <= open.last_step(); ++step) {
    open.show_step(step);
    const QImage picture = open.picture();
    const TreeDiagram diagram = TreeDiagram::at(*open.workbench.playback().cursor());
    for (const DiagramNode& node : diagram.nodes) {
      if (!open.sees(node.node)) continue;
      const auto [full, dim] = inks_of(picture, node);
      INFO("step " << step << ", node " << node.node.value);
      if (step == open.last_step())
        CHECK(full > dim);
      else if (node.state == NodeState::settled)
        pale += dim > full;
      else
        CHECK(dim == 0);
    }
  }
  CHECK(pale > 0);
}

TEST_CASE("a node says its index, level, point and split, also in a folded tree", "[share]") {
  OpenTree open;
  for (const AlgorithmSpec& algorithm : test::shown_point_algorithms()) {
    INFO(algorithm.id);
    for (const char* data : {algorithm.takes_triangles ? "bunny" : "wald-10", large(algorithm)}) {
      open.run(algorithm.id, data);
      open.press(Qt::Key_End);
      const TreeLayout& layout = open.tree.diagram().layout();
      for (const std::uint32_t rank : {0u, layout.size() / 2, layout.size() - 1}) {
        const auto node = open.tree.diagram().node(layout.node(rank));
        REQUIRE(node);
        const QString tip = open.tree.node_tip(node->node);
        CHECK(tip.contains(QStringLiteral("node %1, level %2").arg(node->node.value).arg(layout.level_of(rank))));
        if (node->split_dim >= 0) CHECK(tip.contains(QString::fromStdString(node->split_text)));
        if (node->point != no_id) CHECK(tip.contains(QStringLiteral("point p%1 at (").arg(node->point)));
      }
    }
  }
}

TEST_CASE("nodes of trees over triangles tell triangles, others points", "[share]") {
  OpenTree open;
  int counted = 0;
  for (const AlgorithmSpec& algorithm : test::shown_algorithms()) {
    open.run(algorithm.id,
             algorithm.takes_triangles ? "triangles:kind=soup,n=200,seed=4" : "uniform:n=200,dim=3,seed=4");
    open.press(Qt::Key_End);
    open.settle();
    const TreeDiagram& diagram = open.tree.diagram();
    CHECK(diagram.of_triangles == algorithm.takes_triangles);
    int counting = 0;
    for (std::uint32_t rank = 0; rank < diagram.layout().size(); ++rank) {
      const auto node = diagram.node(diagram.layout().node(rank));
      if (!node || node->count == 0 || node->point != no_id) continue;
      ++counting;
      const QString tip = open.tree.node_tip(node->node);
      INFO(algorithm.id << ": " << tip.toStdString());
      CHECK(tip.contains(algorithm.takes_triangles ? QStringLiteral("triangle") : QStringLiteral("point")));
      CHECK_FALSE(tip.contains(algorithm.takes_triangles ? QStringLiteral(" point") : QStringLiteral("triangle")));
    }
    counted += counting > 0;
    if (algorithm.takes_triangles) CHECK(counting > 10);
    if (algorithm.takes_triangles) CHECK(diagram.node(diagram.layout().node(0))->count == 200);
  }
  CHECK(counted > 1);  // one algorithm counts triangles, another points
}

TEST_CASE("a tree of any size and zoom comes to rest") {
  const auto run = record_run({"uniform:n=600,dim=2,seed=5", "wald", {}, Backend::cpu}).value();
  Cursor cursor(run.trace);
  cursor.seek(cursor.step_count() - 1);
  TreeView tree;
  tree.show();
  REQUIRE(QTest::qWaitForWindowExposed(&tree, patience_ms));
  tree.show_step(cursor, {});
  tree.resize(403, 426);
  for (int i = 0; i < 12; ++i) {
    QWheelEvent wheel(QPointF(100, 60), tree.mapToGlobal(QPointF(100, 60)), {}, QPoint(0, 120), Qt::NoButton,
                      Qt::ControlModifier, Qt::NoScrollPhase, false);
    QCoreApplication::sendEvent(tree.viewport(), &wheel);
  }
  CHECK(tree.zoom() > 8);
  // Folded levels make the page shorter; without the scroll bar they then have room to unfold. At these heights, the
  // scroll bar used to come and go for ever at some places.
  for (const int height : {426, 446, 448})
    for (int left = 0; left < tree.horizontalScrollBar()->maximum(); left += 37) {
      INFO(height << " pixels high, scrolled by " << left);
      tree.resize(403, height);
      tree.show_step(cursor, {});
      tree.horizontalScrollBar()->setValue(left);
      const Activity activity;
      for (int round = 0; round < 3; ++round) QCoreApplication::sendPostedEvents();
      CHECK(activity.count < 100);
    }
}

TEST_CASE("a run without a tree says so, nothing is said before a run, and large text and small docks are usable") {
  TreeView alone;
  CHECK(alone.accessibleDescription().isEmpty());
  OpenTree open;
  open.show_answers();
  CHECK(open.tree.accessibleDescription().contains(QStringLiteral("levels")));
  open.run("brown", large(*find_algorithm("brown")));
  open.press(Qt::Key_End);
  for (const int scale : {80, 200, 300}) {
    open.workbench.looks().set_text_scale(scale);
    open.settle();
    CHECK(colours_in(open.picture()) > 5);
    CHECK(open.tree.zoom() == 1);
    open.tree.reveal(open.tree.diagram().layout().node(open.tree.diagram().layout().size() - 1));
    CHECK_FALSE(open.tree.is_strip(open.deepest()));
    open.tree.show_all();
  }
  // No nodes at all.
  open.workbench.looks().set_text_scale(100);
  open.run("wald", "uniform:n=0,dim=2");
  CHECK(open.tree.diagram().node_count == 0);
  CHECK_FALSE(open.tree.accessibleDescription().isEmpty());
  CHECK(colours_in(open.picture()) > 1);
}

}  // namespace kdscope::tree_gui_test
