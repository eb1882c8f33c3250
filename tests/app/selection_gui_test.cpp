// Tests one selection across all panes: it is made in any of them and marked in all others, for every algorithm.

#include <QAbstractSpinBox>
#include <QDockWidget>
#include <QScrollBar>
#include <utility>

#include "app/appearance/appearance.hpp"
#include "app/panes/arrays_pane.hpp"
#include "app/panes/histogram_pane.hpp"
#include "app/panes/tree_pane.hpp"
#include "app/views/array_table_view.hpp"
#include "app/views/column_overview.hpp"
#include "app/views/scene_view.hpp"
#include "tests/app/open_workbench.hpp"
#include "tests/app/small_leaves.hpp"
#include "tests/support/point_algorithms.hpp"
#include "visualizer/model/partition.hpp"
#include "visualizer/model/trace_lookup.hpp"

using namespace kdscope;

namespace {

/// Returns parameters with which even ten points make a tree of several nodes, and large nodes if the algorithm has
/// steps for them.
Parameters small_nodes(const AlgorithmSpec& algorithm) {
  Parameters parameters = small_leaves(algorithm);
  for (const ParameterSpec& parameter : algorithm.parameters)
    if (parameter.name == "small") parameters["small"] = "2";
  return parameters;
}

/// Runs of each algorithm in one window.
struct Panes : OpenWorkbench {
  ArrayTableView& table = window.arrays().view();
  TreeView& tree = window.tree();
  SceneView& scene = window.scene();
  HistogramPane& histogram = *window.findChild<HistogramPane*>();

  explicit Panes(QSize size = {1280, 800}) : OpenWorkbench(size) {}

  void run(const std::string& algorithm, const std::string& data) {
    open_run({data, algorithm, small_nodes(*find_algorithm(algorithm)), Backend::cpu});
  }

  /// Goes to a step and shows the table by position, because tables follow the work to other index spaces.
  void seek(std::uint32_t step) {
    workbench.playback().seek(step);
    window.arrays().tabs().setCurrentIndex(0);
    settle();
  }

  const Selection& selection() const { return workbench.playback().selection(); }
  const LinkedSelection& linked() const { return workbench.playback().linked(); }

  /// The following members click. They fail if the target is out of sight.
  void click_column(std::size_t row, std::uint64_t column, Qt::KeyboardModifiers modifiers = {}) {
    table.scroll_to(column);
    QScrollBar& down = *table.verticalScrollBar();
    const auto in_sight = [&] {
      return !table.cell_rect(row, column).isEmpty() &&
             table.viewport()->rect().contains(table.cell_rect(row, column).center());
    };
    for (down.setValue(0); !in_sight() && down.value() < down.maximum();) down.setValue(down.value() + 8);
    REQUIRE(in_sight());
    QTest::mouseClick(table.viewport(), Qt::LeftButton, modifiers, table.cell_rect(row, column).center());
  }
  void click_node(NodeId node) {
    const auto at = tree.place_of_node(node);
    REQUIRE(at.has_value());
    QTest::mouseClick(tree.viewport(), Qt::LeftButton, {}, at->toPoint());
  }
  void click_scene(QPointF at) {
    QWidget* canvas = scene.findChild<QWidget*>(QStringLiteral("canvas"));
    REQUIRE(canvas);
    QTest::mouseClick(canvas, Qt::LeftButton, {}, canvas->mapFrom(&scene, at.toPoint()));
  }

  /// Returns the place of the point in the first row that shows points, which is row 1 if all rows share an order.
  std::optional<std::pair<std::size_t, std::uint64_t>> cell_of(PointId point) const {
    for (std::size_t row = 1; row < table.table()->rows().size(); ++row)
      for (const IndexRange& r : table.table()->order_of(row).positions_of(std::vector{point.value}))
        if (r.begin < table.table()->rows()[row].size) return std::pair{row, r.begin};
    return std::nullopt;
  }
  /// Returns whether every row that contains the point marks it, at its place in the row's own order.
  bool table_shows(PointId point) const {
    bool shown = false;
    const std::size_t rows = table.table()->has_orders() ? table.table()->rows().size() : 2;
    for (std::size_t row = 1; row < rows; ++row)
      for (const IndexRange& at : table.table()->order_of(row).positions_of(std::vector{point.value})) {
        const auto& marked = table.selected(row);
        const auto holds = [&](const IndexRange& r) { return r.begin <= at.begin && at.end <= r.end; };
        if (std::none_of(marked.begin(), marked.end(), holds)) return false;
        shown = true;
      }
    return shown;
  }
  bool tree_shows(NodeId node) const { return tree.is_selected(node); }
  bool scene_shows(PointId point) const {
    const auto& points = scene.selected_points();
    return std::find(points.begin(), points.end(), point) != points.end();
  }
  bool nothing_shown() const {
    for (std::size_t row = 0; row < table.table()->rows().size(); ++row)
      if (!table.selected(row).empty()) return false;
    return scene.selected_points().empty() && !scene.selected_node() && tree.selected().empty() &&
           (!histogram.view().counts() || histogram.view().marked().empty());
  }
};

/// Returns the last step with segments of several elements. The arrays are then in order and the tree has several
/// nodes.
std::uint32_t busy_step(const Trace& trace) {
  for (std::uint32_t step = static_cast<std::uint32_t>(trace.steps.size()); step-- > 0;)
    for (const Highlight& h : trace.steps[step].highlights)
      if (h.role == Role::segment && h.space == Space::position && h.ranges.size() >= 2 &&
          h.nodes.size() == h.ranges.size() &&
          std::any_of(h.ranges.begin(), h.ranges.end(), [](const IndexRange& r) { return r.end - r.begin >= 2; }))
        return step;
  return static_cast<std::uint32_t>(trace.steps.size()) / 2;
}

}  // namespace

TEST_CASE("what is picked in one pane is marked in every other, for every algorithm", "[screen][share]") {
  Panes open;
  for (const AlgorithmSpec& algorithm : test::shown_point_algorithms()) {
    INFO(algorithm.id);
    open.run(algorithm.id, "hu-10");
    const Trace& trace = *open.workbench.playback().trace();
    std::vector<std::uint32_t> steps{busy_step(trace), open.last_step()};
    int in_table = 0, in_tree = 0, picked_in_tree = 0;
    for (const std::uint32_t step : steps) {
      INFO("step " << step);
      open.seek(step);
      open.settle();
      const Cursor& cursor = *open.workbench.playback().cursor();
      for (std::uint32_t p = 0; p < 10; p += 3) {
        const PointId point{p};
        const auto cell = open.cell_of(point);
        const auto node = node_of_point(cursor, point);
        in_table += cell.has_value();
        in_tree += node.has_value();
        INFO("point " << p);
        const auto shown_everywhere = [&] {
          CHECK(open.selection() == Selection{Space::point, p});
          CHECK(open.scene_shows(point));
          CHECK(open.scene.selected_points().size() == 1);
          if (cell) CHECK(open.table_shows(point));
          if (node) CHECK(open.tree_shows(*node));
          if (const CountArray* counts = open.histogram.view().counts())
            CHECK(open.histogram.view().marked() == counts->cells_of({p}, open.linked().positions));
        };
        // Select in the scene.
        open.workbench.playback().select(Selection{});
        CHECK(open.nothing_shown());
        const auto place = open.scene.place_of_point(point);
        REQUIRE(place.has_value());
        open.click_scene(*place);
        shown_everywhere();
        // Select in the table.
        open.workbench.playback().select(Selection{});
        if (cell) {
          open.click_column(cell->first, cell->second);
          shown_everywhere();
        }
        // Select the node in the tree, and with it all its points.
        if (node && open.tree.place_of_node(*node)) {
          ++picked_in_tree;
          open.click_node(*node);
          CHECK(open.selection() == Selection{Space::node, node->value});
          CHECK(open.tree_shows(*node));
          CHECK(open.scene.selected_node() == node);
          CHECK(open.scene_shows(point));
          if (cell) CHECK(open.table_shows(point));
        }
      }
    }
    // At both steps every point is in an array and in the tree, which has room for its nodes.
    CHECK(in_table == 8);
    CHECK(in_tree == 8);
    CHECK(picked_in_tree == 8);
  }
}

TEST_CASE("a cell of the histogram is picked by mouse and by keys, and marked by what others pick", "[screen][share]") {
  Panes open;
  std::size_t counted = 0;
  // In a quick run, test only the builder whose sort counts.
  const auto algorithms = test::everything() ? test::point_algorithms() : std::vector{*find_algorithm("wehr")};
  for (const AlgorithmSpec& algorithm : algorithms) {
    INFO(algorithm.id);
    open.run(algorithm.id, "uniform:n=200,dim=2,seed=4");
    const Trace& trace = *open.workbench.playback().trace();
    if (CountArray::names(trace).empty()) continue;
    ++counted;
    HistogramView& view = open.histogram.view();
    for (std::uint32_t step = 0; step < trace.steps.size() && !view.counts(); ++step) open.seek(step);
    REQUIRE(view.counts());
    open.settle();
    const CountArray& counts = *view.counts();
    std::uint64_t full = 0;
    while (full < counts.size() && counts.value(full) == 0) ++full;
    REQUIRE(full < counts.size());
    view.scroll_to(full);
    REQUIRE_FALSE(view.cell_rect(full).isEmpty());
    QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, view.cell_rect(full).center());
    CHECK(open.selection() == Selection{Space::count, full, counts.info().name});
    const LinkedSelection linked = open.linked();
    CHECK(linked.points.size() == static_cast<std::size_t>(counts.value(full)));
    for (const std::uint32_t point : linked.points) {
      CHECK(open.scene_shows({point}));
      CHECK(open.table_shows({point}));
      CHECK(open.tree_shows(*node_of_point(*open.workbench.playback().cursor(), {point})));
    }
    // In reverse, each of the cell's points marks the cell.
    const std::uint32_t point = linked.points.front();
    open.click_scene(*open.scene.place_of_point({point}));
    const auto& marked = view.marked();
    CHECK(std::find(marked.begin(), marked.end(), full) != marked.end());
    // Keys continue from the marked cell.
    QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, view.cell_rect(full).center());
    const CountCell at = counts.cell(full);
    QTest::keyClick(&view, at.row + 1 < counts.row_count() ? Qt::Key_Down : Qt::Key_Up, Qt::AltModifier);
    CountCell expected = at;
    expected.row += at.row + 1 < counts.row_count() ? 1 : -1;
    CHECK(open.selection() == Selection{Space::count, counts.flat(expected), counts.info().name});
    CHECK(view.marked() == std::vector<std::uint64_t>{counts.flat(expected)});
    open.press(Qt::Key_Escape);
    CHECK(open.nothing_shown());
  }
  CHECK(counted > 0);
}

TEST_CASE("a segment is picked by the index above it, and shows as its node, its cell and its points", "[share]") {
  Panes open;
  for (const AlgorithmSpec& algorithm : test::shown_point_algorithms()) {
    INFO(algorithm.id);
    open.run(algorithm.id, "hu-10");
    const std::uint32_t step = busy_step(*open.workbench.playback().trace());
    open.seek(step);
    open.settle();
    const Step& now = open.workbench.playback().cursor()->current();
    int segments = 0;
    for (const Highlight& h : now.highlights) {
      if (h.role != Role::segment || h.space != Space::position) continue;
      for (std::size_t i = 0; i < h.ranges.size(); ++i) {
        const IndexRange range = h.ranges[i];
        open.click_column(0, range.begin);
        if (range.end - range.begin == 1) {
          CHECK(open.selection().space == Space::point);
          continue;
        }
        ++segments;
        CHECK(open.selection() == Selection{Space::position, range.begin, {}, range.end - range.begin});
        CHECK(open.table.selected() == std::vector<IndexRange>{range});
        REQUIRE(i < h.nodes.size());
        CHECK(open.tree_shows({h.nodes[i]}));
        CHECK(open.scene.selected_node() == NodeId{h.nodes[i]});
        CHECK(open.scene.selected_points().size() == range.end - range.begin);
      }
    }
    CHECK(segments > 0);
    // Select a range by hand, in a dimension's order if the row has one.
    open.click_column(1, 2);
    open.click_column(1, 5, Qt::ShiftModifier);
    const TableRow& first = open.table.table()->rows().at(1);
    CHECK(open.selection() ==
          Selection{Space::position, 2,
                    open.table.table()->has_orders() && first.dimension != no_id ? first.name : std::string(), 4});
    // Keys select the next element, then its segment.
    const auto marks_three = [&](std::size_t row) {
      const auto& marked = open.table.selected(row);
      return std::any_of(marked.begin(), marked.end(), [](const IndexRange& r) { return r.begin <= 3 && 3 < r.end; });
    };
    std::size_t row = 1;  // the first row in an order of the current points
    while (open.table.table()->has_orders() && open.table.table()->rows().at(row).dimension == no_id) ++row;
    open.click_column(row, 2);
    QTest::keyClick(&open.table, Qt::Key_Right, Qt::AltModifier);
    CHECK(marks_three(row));
    CHECK(open.selection().space == Space::point);
    QTest::keyClick(&open.table, Qt::Key_Up, Qt::AltModifier);
    CHECK(marks_three(row));
  }
}

TEST_CASE("split planes and cells are picked in the view; clicks at one place go on to what lies below",
          "[screen][share]") {
  Panes open;
  SceneOptions options = open.scene.options();
  options.all_planes = true;
  open.scene.set_options(options);
  for (const AlgorithmSpec& algorithm : test::shown_point_algorithms())
    for (const char* data : {"hu-10", "uniform:n=40,dim=3,seed=3"}) {
      INFO(algorithm.id << " on " << data);
      open.run(algorithm.id, data);
      open.show_end();
      open.scene.picture();  // computes the places
      const Partition partition = Partition::at(*open.workbench.playback().cursor());
      std::size_t found = 0;
      for (const PartitionPlane& plane : partition.planes()) {
        const auto at = open.scene.place_of_plane(plane.node);
        if (!at) continue;
        open.workbench.playback().select(Selection{});
        for (int click = 0; click < 60 && open.selection() != Selection{Space::node, plane.node.value}; ++click)
          open.click_scene(*at);
        if (open.selection() != Selection{Space::node, plane.node.value}) continue;
        ++found;
        CHECK(open.tree_shows(plane.node));
        CHECK(open.scene.selected_node() == plane.node);
        const std::uint32_t point = partition.nodes()[plane.node.value].point;
        if (point != no_id) CHECK(open.table_shows(PointId{point}));
      }
      REQUIRE_FALSE(partition.planes().empty());
      CHECK(found >= partition.planes().size() * 3 / 4);
      if (found == 0 || partition.dim() != 2) continue;
      // A cell is selected at its centre, unless another element is there.
      std::size_t cells = 0;
      for (const NodeId cell : partition.cells()) {
        const auto at = open.scene.place_of_cell(cell);
        if (!at) continue;
        open.workbench.playback().select(Selection{});
        for (int click = 0; click < 5 && open.selection() != Selection{Space::node, cell.value}; ++click)
          open.click_scene(*at);
        cells += open.selection() == Selection{Space::node, cell.value};
      }
      REQUIRE_FALSE(partition.cells().empty());
      CHECK(cells >= partition.cells().size() / 2);
    }
}

TEST_CASE("Escape clears the selection wherever the focus is, and the menu says so") {
  Panes open;
  open.seek(6);
  auto* action = open.window.findChild<QAction*>(QStringLiteral("clear_selection"));
  REQUIRE(action);
  CHECK_FALSE(action->isEnabled());
  for (QWidget* focused :
       {static_cast<QWidget*>(&open.table), static_cast<QWidget*>(&open.tree), static_cast<QWidget*>(&open.window)}) {
    open.workbench.playback().select({Space::point, 4});
    CHECK(action->isEnabled());
    focused->setFocus();
    QTest::keyClick(focused, Qt::Key_Escape);
    CHECK_FALSE(open.selection());
    CHECK(open.nothing_shown());
  }
  // While the user types a step number, Escape only leaves the field.
  open.workbench.playback().select({Space::point, 4});
  open.press(Qt::Key_G, Qt::ControlModifier);
  QWidget* field = QApplication::focusWidget();
  REQUIRE(qobject_cast<QAbstractSpinBox*>(field));
  QTest::keyClick(field, Qt::Key_Escape);
  CHECK_FALSE(field->hasFocus());
  CHECK(open.selection());
  open.press(Qt::Key_Escape);
  CHECK_FALSE(open.selection());
}

TEST_CASE("panes scroll to the selection and their overviews mark it", "[share]") {
  Panes open;
  for (const AlgorithmSpec& algorithm : test::shown_point_algorithms()) {
    INFO(algorithm.id);
    open.run(algorithm.id, "uniform:n=600,dim=2,seed=5");
    const Trace& trace = *open.workbench.playback().trace();
    open.seek(busy_step(trace));
    open.settle();
    auto& overview = *open.window.arrays().findChild<ColumnOverview*>();
    CHECK(overview.isVisible());
    const QImage strip = overview.grab().toImage();
    const Theme& t = theme_of(open.workbench.looks().appearance());
    int borders = 0;  // of the frame
    for (int x = 0; x < strip.width(); ++x) {
      borders += strip.pixelColor(x, strip.height() / 2) == colour(t.muted_text);
      CHECK(strip.pixelColor(x, strip.height() / 2) != colour(t.text));
    }
    CHECK(borders > 0);
    for (const std::uint32_t p : {0u, 599u, 300u, 17u}) {
      open.workbench.playback().select({Space::point, p});
      CHECK(open.table_shows(PointId{p}));
      std::size_t in_sight = 0, marked = 0;
      for (std::size_t row = 1; row < open.table.table()->rows().size(); ++row)
        for (const IndexRange& r : open.table.selected(row)) {
          in_sight += !open.table.cell_rect(0, r.begin).isEmpty();  // the indices stay visible for all rows
          ++marked;
          const auto& shown = overview.selected();
          CHECK(std::any_of(shown.begin(), shown.end(),
                            [&](const IndexRange& o) { return o.begin <= r.begin && r.begin < o.end; }));
        }
      CHECK(in_sight > 0);
      CHECK(marked > 0);
    }
    // Zoom the tree in until it scrolls.
    for (int i = 0; i < 12; ++i) {
      QWheelEvent wheel(QPointF(100, 60), open.tree.mapToGlobal(QPointF(100, 60)), {}, QPoint(0, 120), Qt::NoButton,
                        Qt::ControlModifier, Qt::NoScrollPhase, false);
      QCoreApplication::sendEvent(open.tree.viewport(), &wheel);
    }
    open.settle();
    auto& small_tree = open.window.findChild<TreePane*>()->minimap();
    REQUIRE(open.tree.horizontalScrollBar()->maximum() > 0);
    CHECK(small_tree.isVisible());
    for (const std::uint32_t p : {1u, 400u}) {
      open.workbench.playback().select({Space::point, p});
      const auto node = node_of_point(*open.workbench.playback().cursor(), {p});
      REQUIRE(node.has_value());
      const auto at = open.tree.place_of_node(*node);
      REQUIRE(at.has_value());
      CHECK(open.tree.viewport()->rect().contains(at->toPoint()));
      CHECK(small_tree.marks().size() == 1);
    }
    QTest::mouseClick(&small_tree, Qt::LeftButton, {}, QPoint(2, small_tree.height() / 2));
    // The tree stays zoomed from run to run, so two pixels may be beyond the first column.
    CHECK(open.tree.horizontalScrollBar()->value() < open.tree.horizontalScrollBar()->pageStep());
    // Show the histogram, if there is one.
    if (HistogramView& view = open.histogram.view(); view.counts()) {
      open.window.dock(QStringLiteral("tree"))->hide();  // a test's screen is too small for both
      for (int i = 0; i < 2; ++i) QTest::keyClick(&view, Qt::Key_Plus);
      open.settle();
      CHECK(open.histogram.minimap().isVisible());
      open.workbench.playback().select({Space::point, 599});
      if (!view.marked().empty()) {
        CHECK(open.histogram.minimap().marks().size() == view.marked().size());
        const auto in_sight = [&](std::uint64_t cell) { return !view.cell_rect(cell).isEmpty(); };
        CHECK(std::any_of(view.marked().begin(), view.marked().end(), in_sight));
      }
    }
    open.window.dock(QStringLiteral("tree"))->show();
    open.press(Qt::Key_Escape);
    CHECK(small_tree.marks().empty());
    CHECK(overview.selected().empty());
  }
}

TEST_CASE("marking the selection does not draw the points again", "[screen]") {
  Panes open;
  open.run("brown", "uniform:n=20000,dim=3,seed=1");
  open.workbench.transport().last();
  REQUIRE(QTest::qWaitFor([&] { return open.scene.times_drawn() > 0; }, patience_ms));
  // The layout distributes the window's space after the run has opened.
  QSize size;
  REQUIRE(QTest::qWaitFor(
      [&] {
        const QSize earlier = std::exchange(size, open.scene.size());
        open.settle();
        return size == earlier && size == open.scene.size();
      },
      patience_ms));
  open.scene.picture();
  open.settle();
  const unsigned long drawn = open.scene.times_drawn();
  const QImage before = open.scene.picture();
  open.workbench.playback().select({Space::node, 2});
  open.settle();
  const QImage marked = open.scene.picture();
  CHECK(differing_pixels(before, marked) > 50);
  open.workbench.playback().select(Selection{});
  open.settle();
  CHECK(differing_pixels(before, open.scene.picture()) == 0);
  CHECK(open.scene.times_drawn() == drawn);
}
