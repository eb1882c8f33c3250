// Changes as the window shows them: the walk with F8, the baseline, old and new values in tables, tree and histogram.

#include <QAbstractItemView>
#include <QComboBox>
#include <QDockWidget>
#include <QLabel>
#include <QToolButton>

#include "algorithms/trace/trace_file.hpp"
#include "app/panes/arrays_pane.hpp"
#include "app/panes/histogram_pane.hpp"
#include "app/views/tree_view.hpp"
#include "tests/app/broken_trace.hpp"
#include "tests/app/open_workbench.hpp"
#include "tests/app/painted_texts.hpp"
#include "tests/app/plain_changes.hpp"
#include "tests/support/cases.hpp"
#include "tests/support/point_algorithms.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace kdscope;

namespace {

struct Walk : OpenWorkbench {
  void run(const std::string& algorithm, const std::string& data) {
    RunRequest spec{data, algorithm, {}};
    open_run(spec);
  }

  Change change() const {
    REQUIRE(workbench.playback().change());
    return workbench.playback().changes().at(*workbench.playback().change());
  }

  /// Checks that the pane that draws the change frames it, and that the selection is the changed element.
  void check_shown(const Change& change) {
    INFO(change.array << " [" << change.index << "]: " << change.before << " -> " << change.after);
    if (change.seen_in == SeenIn::table) {
      const auto [row, column] = window.arrays().view().framed();
      const ArrayTable& table = *window.arrays().view().table();
      REQUIRE(row > 0);
      CHECK(table.rows()[row].name == change.array);
      CHECK(table.rows()[row].component == change.component);
      CHECK(column == change.index);
      CHECK(table.cell(row, column).changed);
      settle();  // scroll bars have come or gone
      CHECK_FALSE(window.arrays().view().cell_rect(row, column).isEmpty());
      const QString tip = window.arrays().view().cell_tip(row, column);
      CHECK(tip.contains(QStringLiteral("since step %1").arg(workbench.playback().baseline()->step())));
      if (!change.before.empty())
        CHECK(tip.contains(QString::fromStdString(change.before + " \u2192 " + change.after)));
      if (change.index_space == Space::position) {
        const auto& positions = window.arrays().view().selected(row);
        CHECK(std::any_of(positions.begin(), positions.end(),
                          [&](const IndexRange& r) { return r.begin <= change.index && change.index < r.end; }));
      }
    } else if (change.seen_in == SeenIn::counts) {
      const auto& histogram = *window.findChild<HistogramPane*>();
      REQUIRE(const_cast<HistogramPane&>(histogram).view().framed() == change.index);
      const HistogramView& view = const_cast<HistogramPane&>(histogram).view();
      REQUIRE(view.counts());
      CHECK(view.counts()->info().name == change.array);
      const QString tip = view.cell_tip(change.index);
      CHECK(tip.contains(QStringLiteral("since step %1").arg(workbench.playback().baseline()->step())));
      if (!change.before.empty())
        CHECK(tip.contains(QString::fromStdString(change.before + " \u2192 " + change.after)));
      CHECK(workbench.playback().selection() == Selection{Space::count, change.index, change.array});
    } else if (change.seen_in == SeenIn::tree) {
      CHECK(workbench.playback().selection() == Selection{Space::node, change.index});
      const QString tip = window.tree().node_tip(NodeId{static_cast<std::uint32_t>(change.index)});
      CHECK(tip.contains(QStringLiteral("since step %1").arg(workbench.playback().baseline()->step())));
      if (!change.before.empty())
        CHECK(tip.contains(QString::fromStdString(change.before + " \u2192 " + change.after)));
    }
  }

  QString said() { return find<QLabel>("changes").text(); }
};

}  // namespace

TEST_CASE(
    "F8 visits each change of each step once, goes on at the end of a step, and Shift+F8 goes back, for every "
    "algorithm",
    "[share]") {
  Walk open;
  for (const AlgorithmSpec& algorithm : test::shown_point_algorithms()) {
    // Press one key per change, in both directions.
    open.run(algorithm.id, test::everything() ? "wald-10" : "uniform:n=4,dim=2,seed=3");
    std::vector<std::pair<std::uint32_t, std::uint64_t>> visited;
    Cursor before(open.workbench.playback().trace()), now(open.workbench.playback().trace());
    for (std::uint32_t step = 1; step < now.step_count(); ++step) {
      before.seek(step - 1);
      now.seek(step);
      const std::set<Element> expected = plain_changes(before, now);
      if (expected.empty()) continue;
      INFO(algorithm.id << ", step " << step);
      std::set<Element> found;
      for (std::size_t i = 0; i < expected.size(); ++i) {
        open.press(Qt::Key_F8);
        REQUIRE(open.step() == step);
        const Change change = open.change();
        found.insert({change.array, change.component, change.index});
        visited.emplace_back(step, *open.workbench.playback().change());
        if (i % 7 == 0 || i + 1 == expected.size()) open.check_shown(change);
        CHECK(open.said().contains(QStringLiteral("change %1 of %2").arg(i + 1).arg(expected.size())));
      }
      CHECK(found == expected);
      open.press(Qt::Key_F8);  // stays at the step, and shows what comes next
      CHECK(open.step() == step);
      CHECK(*open.workbench.playback().change() + 1 == expected.size());
      CHECK(open.said().startsWith(QStringLiteral("Last change")));
    }
    REQUIRE_FALSE(visited.empty());
    open.press(Qt::Key_F8);
    open.press(Qt::Key_F8);
    CHECK(open.step() == visited.back().first);  // the run ends here
    CHECK(open.said().startsWith(QStringLiteral("Last change of the run")));
    for (std::size_t i = visited.size() - 1; i-- > 0;) {
      open.press(Qt::Key_F8, Qt::ShiftModifier);
      if (visited[i].first != visited[i + 1].first) open.press(Qt::Key_F8, Qt::ShiftModifier);
      REQUIRE(open.step() == visited[i].first);
      REQUIRE(open.workbench.playback().change() == visited[i].second);
    }
    open.press(Qt::Key_F8, Qt::ShiftModifier);
    CHECK(open.said().startsWith(QStringLiteral("First change of th")));
  }
}

TEST_CASE("a step, another selection of nothing, or another run leaves the walk") {
  Walk open;
  open.press(Qt::Key_F8);
  REQUIRE(open.workbench.playback().change() == 0u);
  CHECK(open.step() == 1);
  open.press(Qt::Key_Right);
  CHECK_FALSE(open.workbench.playback().change());
  CHECK(open.window.arrays().view().framed().first == 0);
  open.click(open.find<QToolButton>("next_change"));
  REQUIRE(open.workbench.playback().change() == 0u);
  open.workbench.playback().select(Selection{});
  CHECK_FALSE(open.workbench.playback().change());
  CHECK(open.window.arrays().view().framed().first == 0);
  open.press(Qt::Key_F8);
  open.open_lesson("wald/six-points");
  CHECK_FALSE(open.workbench.playback().change());
}

TEST_CASE("the baseline is chosen in the arrays' title, named with the changes, and the walk starts over at its end",
          "[share]") {
  Walk open;
  auto& baseline = open.find<QComboBox>("baseline");
  for (const AlgorithmSpec& algorithm : test::shown_point_algorithms()) {
    open.run(algorithm.id, "wald-10");
    INFO(algorithm.id);
    open.workbench.marks().set(1, "start");
    REQUIRE(baseline.count() == 3);
    open.press(Qt::Key_End);
    // Some runs end with a step that changes nothing.
    if (open.workbench.playback().changes().size() == 0) open.press(Qt::Key_Left);
    const Cursor now = *open.workbench.playback().cursor();
    baseline.setFocus();
    for (int choice = 1; choice < 3; ++choice) {
      QTest::keyClick(&baseline, Qt::Key_Down);
      REQUIRE(baseline.currentIndex() == choice);
      REQUIRE(open.workbench.playback().baseline());
      if (choice == 2) CHECK(open.workbench.playback().baseline()->step() == 1);
      CHECK(open.said().endsWith(QStringLiteral("since step %1").arg(open.workbench.playback().baseline()->step())));
      Cursor before = now;
      before.seek(open.workbench.playback().baseline()->step());
      const std::set<Element> expected = plain_changes(before, now);
      REQUIRE(open.workbench.playback().changes().size() == expected.size());
      REQUIRE_FALSE(expected.empty());
      open.press(Qt::Key_F8, Qt::ShiftModifier);
      CHECK(open.workbench.playback().change() == expected.size() - 1);
      open.press(Qt::Key_F8);
      CHECK(open.workbench.playback().change() == expected.size() - 1);
      CHECK(open.said().contains(QStringLiteral("from the first")));
      open.press(Qt::Key_F8);
      CHECK(open.workbench.playback().change() == 0u);
      CHECK(open.step() == now.step());
      open.check_shown(open.change());
    }
    // At the bookmark itself, there is nothing to compare with. Without it, the step before is the baseline.
    open.workbench.playback().seek(1);
    CHECK(open.said() == QStringLiteral("nothing to compare with"));
    open.workbench.marks().remove(1);
    CHECK(open.workbench.playback().place().baseline == Baseline{});
    CHECK(baseline.currentIndex() == 0);
    open.window.setFocus();
  }
}

TEST_CASE("the list of baselines stands behind the words that name the choice, and has words of its own without them") {
  OpenWorkbench open({1920, 1000});
  auto& baseline = open.find<QComboBox>("baseline");
  auto& changes = open.find<QLabel>("changes");
  const auto words = [&] {
    open.settle();
    QStringList texts;
    for (const PaintedText& text : painted_texts(baseline)) texts << text.text;
    return texts.join(QLatin1Char(' '));
  };
  open.workbench.lessons().go_to_stop(-1);
  REQUIRE(changes.text().isEmpty());
  CHECK(words() == QStringLiteral("Compare"));
  open.workbench.lessons().go_to_stop(0);
  for (const int scale : {100, 200}) {
    open.workbench.looks().set_text_scale(scale);
    CAPTURE(scale);
    CHECK(words().isEmpty());
    CHECK_FALSE(changes.text().isEmpty());
    CHECK(changes.width() > changes.fontMetrics().height());
    CHECK(baseline.x() - changes.geometry().right() <= 8);
  }
  open.workbench.looks().set_text_scale(100);
  open.settle();
  QTest::mouseClick(&changes, Qt::LeftButton);
  CHECK(baseline.view()->isVisible());
  baseline.hidePopup();
}

TEST_CASE("histograms underline what changed, and the walk reaches their cells", "[share]") {
  Walk open;
  int with_counts = 0;
  for (const Lesson& lesson : open.workbench.lessons().catalogue().lessons) {
    if (with_counts > 0 && !test::everything()) break;  // the first lesson with histograms
    open.open_lesson(lesson.id);
    const Trace& trace = *open.workbench.playback().trace();
    // The bins of a search are rows of a table, too, and its cells are walked.
    if (std::ranges::all_of(CountArray::names(trace),
                            [&](const std::string& name) { return trace.find(name)->info.shown_as_row; }) ||
        trace.header.n > 100)
      continue;
    INFO(lesson.id);
    std::set<std::string> arrays;
    for (std::uint32_t step = 1; step <= open.last_step(); ++step) {
      open.workbench.playback().seek(step);
      const std::vector<ChangedArray> all = open.workbench.playback().changes().arrays();
      for (auto changed = all.rbegin(); changed != all.rend(); ++changed) {
        if (changed->seen_in != SeenIn::counts || (!arrays.insert(changed->name).second && step % 5)) continue;
        // Start from the end, which is nearer: changes that no pane draws come after the counts.
        while (!open.workbench.playback().change() ||
               *open.workbench.playback().change() >= changed->first + changed->count)
          open.workbench.playback().walk_changes(-1);
        open.check_shown(open.change());
        CHECK(open.window.findChild<HistogramPane*>()->status().contains(QStringLiteral("since step")));
        ++with_counts;
      }
    }
    CHECK_FALSE(arrays.empty());
  }
  CHECK(with_counts > 0);
}

TEST_CASE("changed cells are underlined in the table, and no others") {
  Walk open;
  const Theme& t = theme(ThemeId::light);
  const QRgb underline = qRgb(t.changed.r, t.changed.g, t.changed.b);
  ArrayTableView& view = open.window.arrays().view();
  int underlined = 0, plain = 0;
  for (std::uint32_t step = 1; step < open.workbench.playback().step_count(); ++step) {
    open.show_step(step);
    const QImage picture = view.viewport()->grab().toImage();
    for (std::size_t row = 1; row < view.table()->rows().size(); ++row)
      for (std::uint64_t column = 0; column < view.table()->column_count(); ++column) {
        const QRect cell = view.cell_rect(row, column);
        if (cell.isEmpty() || !picture.rect().contains(cell)) continue;
        int ink = 0;
        for (int y = cell.center().y(); y <= cell.bottom(); ++y)
          for (int x = cell.left(); x <= cell.right(); ++x) ink += picture.pixel(x, y) == underline;
        INFO("step " << step << ", row " << row << ", column " << column);
        // Where nearly all of a row changed, its name is underlined instead.
        const bool changed = view.table()->cell(row, column).changed && !view.table()->is_mostly_changed(row);
        CHECK((ink > 0) == changed);
        ++(changed ? underlined : plain);
      }
  }
  CHECK(underlined > 3);
  CHECK(plain > 3);
}

TEST_CASE("changed nodes are underlined in the tree", "[share]") {
  Walk open;
  const Theme& t = theme(ThemeId::light);
  const QRgb underline = qRgb(t.changed.r, t.changed.g, t.changed.b);
  for (const AlgorithmSpec& algorithm : test::shown_point_algorithms()) {
    open.run(algorithm.id, "wald-10");
    int seen = 0;
    for (std::uint32_t step = 1; step <= open.last_step(); ++step) {
      open.workbench.playback().seek(step);
      const auto changes = changed_nodes(*open.workbench.playback().baseline(), *open.workbench.playback().cursor());
      TreeView& tree = open.window.tree();
      open.settle();
      const QImage picture = tree.viewport()->grab().toImage();
      int marked = 0;
      for (int y = 0; y < picture.height(); ++y)
        for (int x = 0; x < picture.width(); ++x) marked += picture.pixel(x, y) == underline;
      INFO(algorithm.id << ", step " << step);
      CHECK((marked > 0) == !changes.empty());
      seen += !changes.empty();
    }
    CHECK(seen > 0);
  }
}

TEST_CASE("a changed count has its old value in the tip") {
  // A builder's counts have another shape at each level, so the change is one from another run.
  auto run = record_run({"uniform:n=200,dim=2,seed=3", "wehr", {}, Backend::cpu}).value();
  constexpr std::uint64_t cell = 2;
  Trace changed = *run.trace;
  const auto counts = std::ranges::find(changed.arrays, "H", [](const Trace::Array& array) { return array.info.name; });
  REQUIRE(counts != changed.arrays.end());
  const ArrayVersion& version = counts->versions.front();
  const TypedArray before = contents_at(*counts, version.step);
  std::vector<std::uint32_t> values(before.as<std::uint32_t>().begin(), before.as<std::uint32_t>().end());
  values[cell] += 5;
  const std::uint32_t step = version.step;
  counts->versions.front() = {step, true, version.size, {}, TypedArray::of(values)};
  const std::string expected = std::to_string(values[cell] - 5) + " \u2192 " + std::to_string(values[cell]);
  const auto original = run.trace;
  run.trace = std::make_shared<const Trace>(std::move(changed));
  auto both = compared(run, {original, "the original"}).value();
  CHECK(both.first_difference == step);

  Walk open;
  open.window.dock(QStringLiteral("histogram"))->show();
  open.window.dock(QStringLiteral("histogram"))->raise();
  const auto shown = open.workbench.playback().trace();
  open.workbench.desk().show_run(both);
  REQUIRE(QTest::qWaitFor([&] { return !open.workbench.jobs().busy() && open.workbench.playback().trace() != shown; },
                          patience_ms));
  open.settle();
  CHECK(open.step() == step);
  HistogramView& view = open.window.findChild<HistogramPane*>()->view();
  REQUIRE(view.counts());
  CHECK(view.counts()->info().name == "H");
  CHECK(view.cell_tip(cell).contains(QString::fromStdString(expected)));
  CHECK_FALSE(view.cell_tip(cell + 1).contains(QStringLiteral("\u2192")));
}

TRACE_CASE("a trace that is compared with another opens at its first wrong element, and F8 walks the differences") {
  const test::TemporaryFolder folder;
  const BrokenTrace broken = broken_trace();
  const auto original = record_run({"uniform:n=40,dim=2,seed=3", "wald", {}, Backend::cpu}).value();
  const std::string a = folder.file("wrong.kdtrace"), b = folder.file("original.kdtrace");
  REQUIRE(save_trace(*broken.trace, a));
  REQUIRE(save_trace(*original.trace, b));

  Walk open;
  open.open_another([&] { open.workbench.desk().open_compared(QString::fromStdString(a), QString::fromStdString(b)); });
  open.settle();
  CHECK(open.step() == broken.step);
  CHECK(open.change().array == "tags");
  CHECK(open.change().index == broken.positions[0].begin);
  const QString text = open.find<QLabel>("changes").text();
  CHECK(text.startsWith("difference 1 of "));
  CHECK(text.contains("from original.kdtrace: tags [20]:"));
  CHECK(open.find<QComboBox>("baseline").currentText() == "original.kdtrace");
  const auto [row, column] = open.window.arrays().view().framed();
  CHECK(column == broken.positions[0].begin);
  CHECK(open.window.arrays().view().cell_tip(row, column).contains("differs from the other run"));
  open.press(Qt::Key_F8);
  CHECK(open.change().index == broken.positions[0].begin + 1);

  // Another baseline hides the differences, and the list brings them back.
  open.workbench.playback().compare_with({ComparedWith::previous_step});
  CHECK_FALSE(open.find<QLabel>("changes").text().contains("original"));
  auto& list = open.find<QComboBox>("baseline");
  emit list.activated(list.findText("original.kdtrace"));
  open.settle();
  CHECK(open.find<QLabel>("changes").text().toStdString() == "3 differences from original.kdtrace");

  // File > Compare with: the other way round, from the open run.
  open.workbench.desk().open_lesson(start_lesson);
  REQUIRE(
      QTest::qWaitFor([&] { return !open.workbench.jobs().busy() && open.workbench.lessons().lesson(); }, patience_ms));
  open.workbench.desk().compare_with(QString::fromStdString(b));
  open.finish_jobs();
  CHECK_FALSE(open.workbench.playback().other_run());  // forty points are other data than ten
}
