// Tests the source pane: lines that run are marked, values are shown in the lines, and a line leads to its next run.

#include <QDockWidget>
#include <QLabel>
#include <QScrollBar>
#include <QTemporaryDir>
#include <QTextBlock>
#include <QToolButton>

#include "algorithms/registry/source_regions.hpp"
#include "algorithms/trace/trace_file.hpp"
#include "app/pseudocode/pseudocode.hpp"
#include "app/views/code_view.hpp"
#include "tests/app/open_workbench.hpp"
#include "tests/support/cases.hpp"
#include "tests/support/point_algorithms.hpp"

using namespace kdscope;

namespace {

struct OpenSource : OpenWorkbench {
  OpenSource() : OpenWorkbench({1600, 1000}) {
    QDockWidget* dock = window.dock(QStringLiteral("source"));
    dock->setFloating(true);  // both need room
    dock->resize(900, 620);
    dock->show();
    dock->raise();
    settle();
  }
  CodeView& pseudocode() { return find<CodeView>("pseudocode"); }
  CodeView& source() { return find<CodeView>("source_code"); }
  QString status() { return find<QLabel>("source_status").text(); }

  void run(const std::string& algorithm, const std::string& data) { open_run({data, algorithm, {}, Backend::cpu}); }
  void click_line(CodeView& view, int key, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
    REQUIRE(view.place_of(key).isValid());
    view.verticalScrollBar()->setValue(view.verticalScrollBar()->value() + view.place_of(key).top() - 40);
    QTest::mouseClick(view.viewport(), Qt::LeftButton, modifiers, view.place_of(key).topLeft() + QPoint(80, 6));
  }
};

}  // namespace

TEST_CASE("the lines and the region that a step runs are marked, for every algorithm", "[share]") {
  OpenSource open;
  for (const AlgorithmSpec& algorithm : test::shown_point_algorithms()) {
    INFO(algorithm.id);
    open.run(algorithm.id, algorithm.takes_triangles ? "bunny" : "wald-10");
    const Pseudocode* code = find_pseudocode(algorithm.id);
    REQUIRE(code);
    CHECK(open.pseudocode().isVisible());
    CHECK_FALSE(open.find<QLabel>("without_pseudocode").isVisible());
    const CodeOfSteps map(*open.workbench.playback().trace(), code);
    const std::uint32_t every = std::max(1u, open.last_step() / 12);
    for (std::uint32_t step = 0; step <= open.last_step(); step += every) {
      open.workbench.playback().seek(step);
      CHECK(open.pseudocode().marked() == map.lines(step));
      REQUIRE(open.source().marked().size() == 1);
      const SourceRegion* region = find_source_region(open.workbench.playback().cursor()->current().code_anchor);
      REQUIRE(region);
      const QString text = open.source().toPlainText();
      CHECK(text.contains(QString::fromUtf8(region->text.substr(0, region->text.find('\n')).data(),
                                            static_cast<int>(region->text.find('\n')))
                              .trimmed()));
      // The line is in the upper half unless the end of the source comes first.
      const QScrollBar& bar = *open.source().verticalScrollBar();
      CHECK((bar.value() == bar.maximum() ||
             open.source().place_of(open.source().marked().front()).top() < open.source().viewport()->height() / 2));
    }
  }
}

TEST_CASE("a click on a line leads to its next run, Shift+click back, around the ends, and says so", "[share]") {
  OpenSource open;
  for (const AlgorithmSpec& algorithm : test::shown_point_algorithms()) {
    INFO(algorithm.id);
    const Pseudocode* code = find_pseudocode(algorithm.id);
    REQUIRE(code);
    open.run(algorithm.id, algorithm.takes_triangles ? "bunny" : "wald-10");
    const CodeOfSteps map(*open.workbench.playback().trace(), code);
    for (std::size_t i = 0; i < code->lines.size(); ++i) {
      const auto steps = map.steps_of_line(static_cast<int>(i));
      open.workbench.playback().seek(steps.empty() ? 0 : steps.front());
      const std::uint32_t before = open.step();
      INFO("line " << i);
      open.click_line(open.pseudocode(), static_cast<int>(i));
      CHECK(open.find<QLabel>("source_status").isVisible());
      if (steps.size() < 2) {
        CHECK(open.step() == before);
        CHECK(open.status().contains(steps.empty() ? QLatin1String("o step") : QLatin1String("only one")));
        continue;
      }
      CHECK(open.step() == steps[1]);
      open.click_line(open.pseudocode(), static_cast<int>(i), Qt::ShiftModifier);
      CHECK(open.step() == steps[0]);
      open.click_line(open.pseudocode(), static_cast<int>(i), Qt::ShiftModifier);
      CHECK(open.step() == steps.back());
      CHECK(open.status().contains(QStringLiteral("from the end")));
      open.click_line(open.pseudocode(), static_cast<int>(i));
      CHECK(open.step() == steps[0]);
      CHECK(open.status().contains(QStringLiteral("from the start")));
    }
    open.press(open.step() == open.last_step() ? Qt::Key_Left
                                               : Qt::Key_Right);  // the last line may run in the last step
    CHECK_FALSE(open.find<QLabel>("source_status").isVisible());
  }
}

TEST_CASE("lines of the source, the buttons and the keys lead there too") {
  OpenSource open;
  open.workbench.playback().seek(3);
  const std::string anchor = open.workbench.playback().cursor()->current().code_anchor;
  const auto steps = CodeOfSteps(*open.workbench.playback().trace(), nullptr).steps_of_region(anchor);
  REQUIRE(steps.size() > 1);
  open.workbench.playback().seek(steps[0]);
  open.click_line(open.source(), open.source().marked().front());
  CHECK(open.step() == steps[1]);
  open.click_line(open.source(), open.source().marked().front(), Qt::ShiftModifier);
  CHECK(open.step() == steps[0]);
  // Another region of the listing leads to its own steps.
  open.workbench.playback().seek(0);
  const int first = open.source().marked().front();
  open.workbench.playback().seek(steps[0]);
  open.click_line(open.source(), first);
  CHECK(open.step() == 0);
  CHECK(open.status().contains(QStringLiteral("only one")) == false);

  open.workbench.playback().seek(steps[0]);
  open.click(open.find<QToolButton>("next_run"));
  CHECK(open.step() == steps[1]);
  open.click(open.find<QToolButton>("previous_run"));
  CHECK(open.step() == steps[0]);
  open.workbench.playback().seek(0);
  CHECK_FALSE(open.find<QToolButton>("next_run").isEnabled());

  // Return acts on the caret's line. The transport's keys are unchanged.
  CodeView& view = open.pseudocode();
  open.workbench.playback().seek(steps[0]);
  view.setFocus();
  QTextCursor caret(view.document());
  caret.setPosition(view.document()->findBlockByNumber(0).position());
  view.setTextCursor(caret);
  const int down = CodeOfSteps(*open.workbench.playback().trace(), find_pseudocode("wald")).lines(steps[0]).front();
  for (int i = 0; i < down; ++i) QTest::keyClick(&view, Qt::Key_Down);
  QTest::keyClick(&view, Qt::Key_Return);
  CHECK(open.step() == steps[1]);
  open.press(Qt::Key_Home);
  CHECK(open.step() == 0);
}

TEST_CASE("values of the step and of the selected point stand in the lines that run") {
  OpenSource open;
  open.show_answers();
  open.workbench.playback().seek(3);  // updates the tags of level 0
  const auto shown = [&] { return open.pseudocode().toPlainText().replace(QChar(0xa0), QLatin1Char(' ')); };
  CHECK(shown().contains(QStringLiteral("level = 0")));
  CHECK(shown().contains(QStringLiteral("n = 10")));
  CHECK(shown().contains(QStringLiteral("writes tags")));
  CHECK(shown().contains(QStringLiteral("Select a point")));
  CHECK_FALSE(shown().contains(QStringLiteral("dimension = ")));  // belongs to the line that sorts, which does not run
  open.workbench.playback().select({Space::point, 6});
  CHECK(shown().contains(QStringLiteral("position = 4")));
  CHECK(shown().contains(QStringLiteral("tags = 0 → 1")));
  CHECK(shown().contains(QStringLiteral("data[i].x = 44")));
  open.workbench.playback().seek(2);
  CHECK(shown().contains(QStringLiteral("dimension = x")));
  open.workbench.playback().seek(4);
  CHECK(shown().contains(QStringLiteral("dimension = y")));
  CHECK(shown().contains(QStringLiteral("level = 1")));
}

TEST_CASE("where there is no room for both, one is shown and the button brings the other") {
  OpenSource open;
  QDockWidget* dock = open.window.dock(QStringLiteral("source"));
  dock->resize(400, 280);
  open.settle();
  CHECK(open.pseudocode().isVisible());
  CHECK_FALSE(open.source().isVisible());
  open.click(open.find<QToolButton>("show_source"));
  CHECK_FALSE(open.pseudocode().isVisible());
  CHECK(open.source().isVisible());
  open.click(open.find<QToolButton>("show_source"));
  CHECK(open.pseudocode().isVisible());
  dock->resize(500, 900);
  open.settle();
  CHECK(open.source().isVisible());
  CHECK(open.pseudocode().isVisible());
  for (const int scale : {80, 300}) {
    open.workbench.looks().set_text_scale(scale);
    open.settle();
    CHECK(open.pseudocode().isVisible());
    CHECK_FALSE(open.pseudocode().marked().empty());
  }
}

TEST_CASE("lines of pseudo-code stand closer where that brings all of them into sight") {
  CodeView view;
  view.show();
  std::vector<CodeLine> lines;
  for (int i = 0; i < 14; ++i) lines.push_back({i, i + 1, 0, {{QStringLiteral("s \u2190 tags[i]"), {}}}});
  view.set_lines(lines);
  const auto spacing_at = [&](int height) {
    view.resize(600, height);
    return view.place_of(9).top() - view.place_of(8).top();
  };
  const int usual = spacing_at(3000);
  CHECK(spacing_at(15 * usual * 9 / 10) < usual);
  CHECK(view.place_of(13).bottom() <= view.viewport()->height());
  CHECK(spacing_at(7 * usual) == usual);
}

TRACE_CASE("the source shown is the trace's own, and a line says when this program's differs") {
  OpenSource open;
  const auto& provenance = open.find<QLabel>("source_provenance");
  CHECK_FALSE(provenance.isVisible());
  const auto ten_points = open.workbench.playback().trace();
  QTemporaryDir folder;
  const auto open_trace = [&](const Trace& trace) {
    const QString path = folder.filePath(QStringLiteral("variant.kdtrace"));
    REQUIRE(save_trace(trace, path.toStdString()));
    open.open_another([&] { open.workbench.open(path); });
    open.show_step(3);
  };
  Trace variant = *ten_points;
  const std::string region = variant.steps[3].code_anchor;
  for (RecordedSource& source : variant.header.sources)
    if (source.region == region) source.text = "  another_variant();\n", source.first_line = 70;
  variant.header.build.commit = "abc1234def";
  variant.header.build.local_changes = true;
  open_trace(variant);
  CHECK(open.source().toPlainText().contains(QStringLiteral("another_variant();")));
  REQUIRE(open.source().marked().size() == 1);
  const SourceRegion* own = find_source_region(region);
  REQUIRE(own);
  const QString first_line = QString::fromUtf8(own->text.data(), static_cast<int>(own->text.find('\n'))).trimmed();
  CHECK_FALSE(open.source().toPlainText().contains(first_line));
  CHECK(provenance.isVisible());
  CHECK(provenance.text() ==
        QStringLiteral("Recorded by commit abc1234 with local changes; this program's source differs."));

  // A trace of an older format shows no code rather than code that did not run.
  Trace older = *ten_points;
  older.header.sources.clear();
  older.header.build = {};
  open_trace(older);
  CHECK(open.source().toPlainText().trimmed() == QStringLiteral("This trace holds no source."));
  CHECK_FALSE(provenance.isVisible());
  open_trace(*ten_points);
  CHECK_FALSE(provenance.isVisible());
  CHECK(open.source().toPlainText().contains(first_line));
}
