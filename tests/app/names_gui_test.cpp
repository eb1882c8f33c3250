// Tests the names of points and nodes: a point reads p7, a node or a position 7, in the tree, the arrays, the view and
// the texts about them; and a node shows the point that is stored at it.

#include <QDockWidget>
#include <QLineEdit>
#include <QMenu>
#include <map>
#include <set>

#include "app/panes/arrays_pane.hpp"
#include "app/present/presentation.hpp"
#include "app/recording/run.hpp"
#include "app/views/array_table_view.hpp"
#include "app/views/tree_view.hpp"
#include "tests/app/open_workbench.hpp"
#include "tests/app/painted_texts.hpp"
#include "walkthroughs/reader/panes.hpp"

using namespace kdscope;

namespace {

/// A tree alone, at the last step of a run.
struct LoneTree {
  std::shared_ptr<const Trace> trace;
  Cursor cursor;
  TreeView view;

  LoneTree(const RunRequest& request, QSize size, double text_scale = 1) : trace(recorded(request)), cursor(trace) {
    view.set_text_scale(text_scale);
    view.resize(size);
    view.show();
    REQUIRE(QTest::qWaitForWindowExposed(&view, patience_ms));
    show(cursor.step_count() - 1);
  }

  static std::shared_ptr<const Trace> recorded(const RunRequest& request) { return record_run(request).value().trace; }
  void show(std::uint32_t step) {
    cursor.seek(step);
    view.show_step(cursor);
  }
  std::vector<PaintedText> texts() { return painted_texts(*view.viewport()); }

  /// Returns whether a text stands in or right below a node.
  bool stands_at(const DiagramNode& node, const QString& words, const std::vector<PaintedText>& texts) const {
    const auto at = view.place_of_node(node.node);
    return at && std::any_of(texts.begin(), texts.end(), [&](const PaintedText& text) {
             const QPointF away = text.box.center() - *at;
             return text.text == words && std::abs(away.x()) < 60 && std::abs(away.y()) < 60;
           });
  }
  bool names_point(const DiagramNode& node, const std::vector<PaintedText>& texts) const {
    return stands_at(node, QStringLiteral("p%1").arg(node.point), texts);
  }
};

/// Returns the first pair of texts that cover each other; empty if there is none.
std::string covering(const std::vector<PaintedText>& texts) {
  for (std::size_t a = 0; a < texts.size(); ++a)
    for (std::size_t b = 0; b < a; ++b) {
      // Boxes reach from ascent to descent; digits are lower.
      const QRectF one = texts[a].box.adjusted(0, 3, 0, -3), other = texts[b].box.adjusted(0, 3, 0, -3);
      if (one.intersects(other)) return (texts[a].text + QStringLiteral(" and ") + texts[b].text).toStdString();
    }
  return {};
}

bool is_name(const QString& text) { return text.size() > 1 && text[0] == QLatin1Char('p') && text[1].isDigit(); }

}  // namespace

TEST_CASE("docks, their menu, a presentation and an export have the titles of the table of panes") {
  OpenWorkbench open;
  std::set<QString> ids{QStringLiteral("view")};  // no dock
  QList<QAction*> entries;
  for (const QAction* group : open.window.menu(QStringLiteral("panes")).actions())
    if (group->menu()) entries += group->menu()->actions();
  for (const QDockWidget* dock : open.window.docks()) {
    const Pane& pane = pane_named(dock->objectName().toStdString());
    INFO(pane.id);
    CHECK(ids.insert(dock->objectName()).second);
    CHECK(dock->windowTitle() == QString::fromUtf8(pane.title));
    const QAction* entry = dock->toggleViewAction();
    CHECK(entries.contains(entry));
    CHECK(entry->text() == QString::fromUtf8(pane.title));
    CHECK(entry->toolTip() == QString::fromUtf8(pane.shows));
  }
  CHECK(ids.size() == all_panes().size());

  Presentation& presentation = *open.window.findChild<Presentation*>();
  presentation.start({QRect(0, 0, 1280, 720)}, 0);
  REQUIRE(presentation.running());
  QStringList keys;
  for (const QAction* action : presentation.audience()->actions()) keys << action->text();
  for (const std::string& id : lesson_panes()) {
    INFO(id);
    CHECK(keys.contains(QStringLiteral("%1 alone, or back").arg(QString::fromUtf8(pane_named(id).title))));
    presentation.audience()->show_alone(id);
    CHECK(presentation.audience()->pane(id).isVisible());
  }
  presentation.stop();
}

TEST_CASE("a node shows the point that is stored at it, from the step that stores it") {
  for (const QSize size : {QSize(640, 480), QSize(330, 300)}) {
    INFO(size.width() << " x " << size.height());
    LoneTree tree({"wald-10", "wald", {}, Backend::cpu}, size);
    std::size_t named = 0;
    for (std::uint32_t step = 0; step < tree.cursor.step_count(); ++step) {
      tree.show(step);
      const std::vector<PaintedText> texts = tree.texts();
      INFO("step " << step);
      CHECK(covering(texts) == "");
      std::size_t stored = 0;
      for (const DiagramNode& node : tree.view.diagram().nodes) {
        INFO("node " << node.node.value);
        CHECK(tree.stands_at(node, QString::number(node.node.value), texts));
        if (node.point == no_id) continue;
        ++stored;
        CHECK(tree.names_point(node, texts));
      }
      CHECK(static_cast<std::size_t>(std::count_if(
                texts.begin(), texts.end(), [](const PaintedText& text) { return is_name(text.text); })) == stored);
      named = std::max(named, stored);
    }
    CHECK(named == 10);
  }
}

TEST_CASE("points in trees of many nodes, sizes and text scales fit their nodes, or a level has none of them") {
  std::size_t with = 0, without = 0;
  for (const double scale : {1.0, 2.0})
    for (const QSize size : {QSize(420, 260), QSize(700, 500), QSize(1500, 900)})
      for (const char* data : {"wald-10", "uniform:n=128,dim=2,seed=3", "uniform:n=1200,dim=3,seed=3"}) {
        INFO(data << ", " << size.width() << " x " << size.height() << ", text " << scale);
        LoneTree tree({data, "wald", {}, Backend::cpu}, size, scale);
        const std::vector<PaintedText> texts = tree.texts();
        CHECK(covering(texts) == "");
        for (const PaintedText& text : texts) {
          if (!is_name(text.text)) continue;
          INFO(text.text.toStdString());
          CHECK(text.box.left() >= 0);
          CHECK(text.box.right() <= tree.view.viewport()->width());
        }
        // A level is named as a whole. Scrolled rows are not painted.
        std::map<int, std::set<bool>> levels;
        for (const DiagramNode& node : tree.view.diagram().nodes) {
          const auto at = tree.view.place_of_node(node.node);
          if (!at || node.point == no_id ||
              !tree.view.viewport()->rect().adjusted(0, 0, 0, -60).contains(at->toPoint()))
            continue;
          const bool named = tree.names_point(node, texts);
          levels[node.level].insert(named);
          ++(named ? with : without);
        }
        for (const auto& [level, kinds] : levels) {
          INFO("level " << level);
          CHECK(kinds.size() == 1);
        }
      }
  CHECK(with > 50);
  CHECK(without > 50);
}

TEST_CASE("leaves that keep buckets name the points in them") {
  LoneTree tree({"hu-10", "hu", {{"leaf_size", "2"}}, Backend::cpu}, {700, 500});
  std::set<QString> lines;
  for (const PaintedText& text : tree.texts()) lines.insert(text.text);
  CHECK(lines.contains(QStringLiteral("{p4, p9}")));
  CHECK(lines.contains(QStringLiteral("{p1}")));
  CHECK(tree.view.node_tip(NodeId{4}).contains(QStringLiteral("leaf with 2 points: p4, p9")));
}

TEST_CASE("in the window, a point has one name in table, tree, tips and search, and another one than its node") {
  OpenWorkbench open;
  open.press(Qt::Key_End);
  open.settle();
  ArrayTableView& table = open.window.arrays().view();
  const auto row_of = [&](const QString& label) {
    for (std::size_t row = 0; row < table.table()->rows().size(); ++row)
      if (QString::fromStdString(table.table()->rows()[row].label) == label) return row;
    FAIL("no row " << label.toStdString());
    return std::size_t(0);
  };
  CHECK(row_of(QStringLiteral("position")) == 0);
  const std::size_t index = row_of(QStringLiteral("index"));
  for (std::uint64_t position = 0; position < 10; ++position) {
    const auto point = table.table()->point_at(index, position);
    REQUIRE(point);
    CHECK(table.shown_text(index, position) == QStringLiteral("p%1").arg(point->value));
    CHECK(table.shown_text(0, position) == QString::number(position));
    CHECK(table.shown_text(row_of(QStringLiteral("tags")), position) == QString::number(position));  // node numbers
    // The node of that number stores this point.
    CHECK(open.window.tree()
              .node_tip(NodeId{static_cast<std::uint32_t>(position)})
              .contains(QStringLiteral("point p%1 at (").arg(point->value)));
  }

  // Search understands both the name and the plain number.
  open.press(Qt::Key_F, Qt::ControlModifier);
  auto* field = open.window.findChild<QLineEdit*>(QStringLiteral("find_text"));
  REQUIRE(field);
  for (const char* words : {"p7", "index == p7", "index == 7"}) {
    field->clear();
    QTest::keyClicks(field, QString::fromLatin1(words));
    QTest::keyClick(field, Qt::Key_Return);
    open.settle();
    REQUIRE(open.workbench.playback().linked().points == std::vector<std::uint32_t>{7});
  }
}
