// Tests the start lesson in the window: tables and narration show what its stops claim.

#include <QAction>
#include <QDir>
#include <QScrollBar>
#include <QTemporaryDir>
#include <QTextBlock>

#include "app/compare/compare_window.hpp"
#include "app/panes/arrays_pane.hpp"
#include "app/panes/message_bar.hpp"
#include "app/panes/narration_pane.hpp"
#include "app/present/presentation.hpp"
#include "app/recording/saved_run.hpp"
#include "app/views/scene_view.hpp"
#include "app/views/tree_view.hpp"
#include "tests/app/open_workbench.hpp"
#include "tests/support/point_algorithms.hpp"
#include "visualizer/model/trace_lookup.hpp"

using namespace kdscope;

TEST_CASE("at every stop the table's cells read as printed") {
  OpenWorkbench open;
  const Lesson& lesson = *open.workbench.lessons().lesson();
  auto& pane = *open.window.findChild<ArraysPane*>();
  auto& narration = *open.window.findChild<NarrationPane*>();
  REQUIRE(open.workbench.lessons().stop_steps().size() == lesson.stops.size());
  REQUIRE(lesson.stops.size() >= 8);
  std::size_t compared = 0;
  for (std::size_t stop = 0; stop < lesson.stops.size(); ++stop) {
    open.press(Qt::Key_PageDown);  // skips the introduction
    INFO("stop " << lesson.stops[stop].title);
    REQUIRE(open.workbench.lessons().stop_index() == static_cast<int>(stop));
    CHECK(narration.text().toPlainText().contains(QString::fromStdString(lesson.stops[stop].title)));
    Questions& questions = open.workbench.questions();
    for (int question = 0; question < questions.count(); ++question) {  // nothing is hidden any more
      questions.go_to(question);
      questions.reveal();
    }
    open.settle();
    const ArrayTable& table = *pane.view().table();
    for (const ClaimedRow& claim : lesson.stops[stop].shows) {
      std::size_t row = 0;
      while (row < table.rows().size() && table.rows()[row].name != claim.row) ++row;
      INFO("row " << claim.row);
      REQUIRE(row < table.rows().size());
      REQUIRE(table.column_count() == claim.values.size());
      for (std::size_t column = 0; column < claim.values.size(); ++column) {
        CHECK(table.cell(row, column).text == claim.values[column]);
        CHECK_FALSE(pane.view().cell_rect(row, column).isEmpty());
        ++compared;
      }
    }
  }
  CHECK(compared > 200);
  for (std::size_t stop = lesson.stops.size() - 1; stop-- > 0;) {
    open.press(Qt::Key_PageUp);
    REQUIRE(open.workbench.lessons().stop_index() == static_cast<int>(stop));
  }
}

TEST_CASE("a cell that changed says what it was") {
  OpenWorkbench open;
  auto& view = open.window.findChild<ArraysPane*>()->view();
  bool found = false;
  for (std::uint32_t step = 1; step <= open.last_step() && !found; ++step) {
    open.workbench.playback().seek(step);
    for (std::size_t row = 1; row < view.table()->rows().size() && !found; ++row)
      for (std::uint64_t column = 0; column < view.table()->column_count() && !found; ++column) {
        const TableCell cell = view.table()->cell(row, column);
        if (!cell.changed || cell.old_text.empty()) continue;
        const QString change =
            QString::fromStdString(cell.old_text) + QString::fromUtf8(" \u2192 ") + QString::fromStdString(cell.text);
        CHECK(view.cell_tip(row, column).contains(change));
        found = true;
      }
  }
  CHECK(found);
}

TEST_CASE("of the rows that a stop names, claims, or else changes, at least one is in sight", "[share]") {
  OpenWorkbench open;
  open.show_answers();
  auto& view = open.window.findChild<ArraysPane*>()->view();
  std::size_t scrolled = 0, changing = 0, stops = 0;
  for (const Lesson& lesson : test::shown_lessons(open.workbench.lessons().catalogue())) {
    open.workbench.desk().open_lesson(lesson.id);
    REQUIRE(QTest::qWaitFor(
        [&] {
          return !open.workbench.jobs().busy() && open.workbench.lessons().lesson() &&
                 open.workbench.lessons().lesson()->id == lesson.id;
        },
        patience_ms));
    open.settle();
    if (view.table()->column_count() > 1000) continue;
    for (std::size_t stop = 0; stop < lesson.stops.size(); ++stop) {
      if (stops++ % test::every_nth(2) != 0) continue;
      open.workbench.lessons().go_to_stop(static_cast<int>(stop));
      open.settle();
      INFO(lesson.id << ": " << lesson.stops[stop].title);
      const std::vector<std::string>& named = lesson.stops[stop].rows;
      std::size_t changed = 0, in_sight = 0;
      for (std::size_t row = 1; row < view.table()->rows().size(); ++row) {
        const TableRow& at = view.table()->rows()[row];
        const auto& claims = lesson.stops[stop].shows;
        const bool claimed =
            std::any_of(claims.begin(), claims.end(), [&](const ClaimedRow& claim) { return claim.row == at.name; });
        const bool wanted = !named.empty()   ? at.name == named.front()
                            : claims.empty() ? at.size > 0 && !view.table()->changes(row).empty()
                                             : claimed;
        if (!wanted) continue;
        ++changed;
        const QRect cell = view.cell_rect(row, view.first_visible());
        in_sight += !cell.isEmpty() && view.viewport()->rect().contains(cell.center()) &&
                    cell.top() >= view.cell_rect(0, view.first_visible()).bottom();
      }
      CHECK((changed == 0 || in_sight > 0));
      changing += changed > 0;
      scrolled += view.verticalScrollBar()->value() > 0;
    }
  }
  CHECK(scrolled > 0);
  CHECK(changing > stops / test::every_nth(2) / 2);
}

TEST_CASE("a stop draws its marks into the view, which has room for them", "[screen]") {
  OpenWorkbench open;
  open.open_lesson("wehr/tracking");
  open.workbench.lessons().stop_forward();
  open.settle();
  const auto marks = [&] { return *open.workbench.playback().added_overlays().at("lesson"); };
  const std::vector<double> corner{34, 14};
  REQUIRE(marks().balls.size() == 5);
  CHECK(std::ranges::any_of(marks().balls, [&](const Overlay::Ball& ball) { return ball.centre == corner; }));
  CHECK(marks().segments.size() == 2);
  // (34, 14) lies below the lowest point, p3 at y = 20, and above the ticks of the axis.
  const Scene& scene = open.window.scene().scene();
  const auto place = scene.place_of(corner);
  REQUIRE(place);
  double ticks = 0;  // the top of the lowest texts
  for (std::size_t i = 0; i < scene.texts().size(); ++i)
    if (scene.texts()[i].first == "20" || scene.texts()[i].first == "40")
      if (const auto room = scene.text_rooms()[i]; ticks == 0 || room[3] < ticks) ticks = room[3];
  CHECK((*place)[1] > ticks);
  open.workbench.lessons().stop_forward();
  open.settle();
  CHECK(marks().segments.size() == 3);  // the pair, too
  CHECK(marks().segments.back().arrow);
  // Between stops nothing is marked; another lesson has its own.
  open.workbench.transport().first();
  open.settle();
  CHECK(marks().balls.empty());
  open.open_lesson("wald/ten-points");
  CHECK_FALSE(open.workbench.playback().added_overlays().contains("lesson"));
}

TEST_CASE("every shipped lesson opens from its menu", "[share]") {
  OpenWorkbench open;
  REQUIRE(open.workbench.lessons().catalogue().lessons.size() > 10);
  for (const Lesson& lesson : test::shown_lessons(open.workbench.lessons().catalogue())) {
    INFO(lesson.id);
    auto* action = open.window.findChild<QAction*>(QString::fromStdString(lesson.id));
    REQUIRE(action != nullptr);
    open.open_another([&] { action->trigger(); });
    CHECK(open.workbench.lessons().lesson()->id == lesson.id);
    CHECK(open.workbench.lessons().stop_steps().size() == lesson.stops.size());
    CHECK(open.workbench.playback().axes() ==
          axes_or_first(axes_of(lesson), open.workbench.playback().trace()->header.dim));
    open.settle();
    CHECK(open.window.scene().scene().axes() == open.workbench.playback().axes());
    CHECK(open.window.windowTitle().contains(QString::fromStdString(lesson.title)));

    // The introduction shows title, source and aim, at the step of the first stop.
    auto& narration = *open.window.findChild<NarrationPane*>();
    CHECK(open.workbench.lessons().at_introduction());
    CHECK(open.step() == open.workbench.lessons().stop_steps().front());
    CHECK(narration.windowTitle() == QStringLiteral("Introduction"));
    QString first = narration.text().toPlainText().simplified();
    first.remove(QChar(0x2060));  // holds words together
    CHECK(first.startsWith(QString::fromStdString(lesson.title).simplified()));
    CHECK(first.contains(QString::fromStdString(lesson.source).simplified()));
    QTextDocument aim;
    aim.setMarkdown(QString::fromStdString(lesson.introduction));
    CHECK_FALSE(lesson.introduction.empty());
    CHECK(first.contains(aim.toPlainText().simplified()));
    CHECK_FALSE(first.contains(QString::fromStdString(lesson.stops[0].title).simplified()));
    const std::uint32_t step = open.step();
    open.press(Qt::Key_PageDown);
    CHECK(open.step() == step);
    CHECK(open.workbench.lessons().stop_index() == 0);
    CHECK(narration.text().toPlainText().contains(QString::fromStdString(lesson.stops[0].title)));
    open.press(Qt::Key_PageUp);
    CHECK(open.workbench.lessons().at_introduction());
    open.press(Qt::Key_PageUp);  // the introduction is first
    CHECK(open.workbench.lessons().at_introduction());
    QString entry = QString::fromStdString(lesson.title + " (" + lesson.source + ")").replace("&", "&&");
    entry += QStringLiteral("\tstop 1 of %1, %2 min").arg(lesson.stops.size()).arg(lesson.minutes);
    CHECK(action->text() == entry);
  }
  CHECK(open.workbench.lessons().catalogue().problems.empty());
}

TEST_CASE("moving by steps leaves the introduction, and the head of the narration says between which stops") {
  OpenWorkbench open;
  auto& narration = *open.window.findChild<NarrationPane*>();
  int between = 0;
  for (const char* lesson : {start_lesson, "hu/ten-points", "wehr/chunks-and-medians"}) {
    if (open.workbench.lessons().name() != lesson) open.open_lesson(lesson);
    INFO(lesson);
    const std::vector<std::uint32_t> stops = open.workbench.lessons().stop_steps();
    const auto count = static_cast<int>(stops.size());
    open.press(Qt::Key_Right);  // begins with the first stop, which has the same step
    CHECK(open.workbench.lessons().stop_index() == 0);
    for (std::uint32_t step = open.step() + 1; step <= open.last_step(); ++step) {
      open.press(Qt::Key_Right);
      between += open.workbench.lessons().stop_index() < 0 && step < stops.back();
      CHECK_FALSE(open.workbench.lessons().at_introduction());
      const auto passed = std::count_if(stops.begin(), stops.end(), [&](std::uint32_t s) { return s < step; });
      INFO("step " << step << ": " << narration.windowTitle().toStdString());
      if (open.workbench.lessons().stop_index() >= 0)
        CHECK(narration.windowTitle().startsWith(
            QStringLiteral("Stop %1 of").arg(open.workbench.lessons().stop_index() + 1)));
      else if (passed == count)
        CHECK(narration.windowTitle() == QStringLiteral("After stop %1").arg(count));
      else
        CHECK(narration.windowTitle() == QStringLiteral("Between stops %1 and %2").arg(passed).arg(passed + 1));
    }
  }
  CHECK(between > 0);
}

TEST_CASE("between stops the narration says what the step does, and counts what it changes in small print") {
  OpenWorkbench open;
  open.open_lesson("zhou/whole-pipeline");
  const auto& steps = open.workbench.playback().trace()->steps;
  const auto step = std::ranges::find(steps, "zhou/sort_and_clip", &Step::code_anchor);
  REQUIRE(step != steps.end());
  open.workbench.playback().go_to(step->ordinal);
  open.settle();
  auto& narration = *open.window.findChild<NarrationPane*>();
  REQUIRE(open.workbench.lessons().stop_index() < 0);
  const QTextDocument& text = *narration.text().document();
  const QTextBlock sentence = text.begin().next();
  CHECK(sentence.text() == QString::fromStdString(sentence_of(*open.workbench.playback().trace(), *step)));
  CHECK(sentence.text().startsWith(QStringLiteral("Moves ")));
  int lists = 0;
  for (QTextBlock block = sentence.next(); block.isValid(); block = block.next()) {
    CAPTURE(block.text().toStdString());
    REQUIRE(block.textList());
    CHECK(block.begin().fragment().charFormat().property(QTextFormat::FontSizeAdjustment).toInt() == -1);
    lists += block.text().startsWith(QStringLiteral("Changes ")) &&
             block.text().contains(QStringLiteral("all of reference.node"));
  }
  CHECK(lists == 1);
}

TEST_CASE(
    "a lesson's highlights are drawn in table, view and tree, in the window, in a presentation and side by side") {
  OpenWorkbench open;
  open.open_lesson("hu/ten-points");  // compares the halves that nodes 1 and 2 own
  const Lesson& lesson = *open.workbench.lessons().lesson();
  const auto stop = static_cast<int>(
      std::find_if(lesson.stops.begin(), lesson.stops.end(), [](const Stop& s) { return !s.highlights.empty(); }) -
      lesson.stops.begin());
  repeat_until([&] { return open.workbench.lessons().stop_index() >= stop; }, [&] { open.press(Qt::Key_PageDown); });
  REQUIRE(open.workbench.lessons().stop_index() == stop);
  const std::vector<IndexRange> ranges = lesson.stops[static_cast<std::size_t>(stop)].highlights[0].ranges;
  const auto check_views = [&](SceneView& scene, TreeView& tree) {
    const auto& marked = scene.scene().role_marks().points;
    CHECK(marked.size() == 10);
    CHECK(std::all_of(marked.begin(), marked.end(), [](const RoleMark& mark) { return mark.role == Role::compare; }));
    CHECK(tree.diagram().roles == std::vector<RoleMark>{{1, Role::compare}, {2, Role::compare}});
  };
  const auto check_table = [&](ArraysPane& arrays) {
    const auto columns = arrays.view().table()->columns_with(Role::compare);
    CHECK(std::vector<IndexRange>(columns.begin(), columns.end()) == ranges);
  };
  check_views(open.window.scene(), open.window.tree());
  check_table(open.window.arrays());
  // The mark is painted, because it is the only difference between the table with it and without it.
  auto& view = open.window.arrays().view();
  const auto head = [&] {
    return view.viewport()
        ->grab(QRect(0, 0, view.viewport()->width(), view.cell_rect(0, 0).height()))
        .toImage()
        .convertToFormat(QImage::Format_RGB32);
  };
  const QImage with = head();
  view.show_step(*open.workbench.playback().cursor(), open.workbench.playback().baseline());
  CHECK(differing_pixels(with, head()) > 100);
  view.show_step(*open.workbench.playback().cursor(), open.workbench.playback().baseline(),
                 open.workbench.playback().added_highlights());

  auto& presentation = *open.window.findChild<Presentation*>();
  presentation.start({QRect(0, 0, 1280, 720)}, 0);
  REQUIRE(presentation.running());
  check_views(presentation.audience()->scene(), presentation.audience()->tree());
  check_table(presentation.audience()->arrays());
  presentation.stop();

  open.press(Qt::Key_F7);
  auto& all = open.find<CompareWindow>("compare");
  REQUIRE(QTest::qWaitFor([&] { return all.complete(); }, patience_ms));
  CompareColumn& column = *all.columns().front();
  REQUIRE(column.trace() == open.workbench.playback().trace());
  QApplication::setActiveWindow(&all);
  const auto go_to = [&](std::uint32_t step) {
    for (std::uint32_t presses = 0; presses < 100 && all.alignment().step(0) < step; ++presses)
      QTest::keyClick(&all, Qt::Key_Right);
    REQUIRE(all.alignment().step(0) == step);
  };
  go_to(open.step());
  check_views(column.scene(), column.tree());
  go_to(open.step() + 1);
  CHECK(column.scene().scene().role_marks().points.size() != 10);
}

TEST_CASE("a damaged lesson is told, by itself and when it is asked for, and the others open") {
  const QTemporaryDir folder;
  const QDir shipped(QString::fromStdString(lessons_folder()));
  for (const char* name : {"ten-points", "six-points"}) {
    QDir(folder.path()).mkpath("wald");
    REQUIRE(QFile::copy(shipped.filePath(QStringLiteral("wald/%1.md").arg(name)),
                        folder.filePath(QStringLiteral("wald/%1.md").arg(name))));
  }
  QFile broken(folder.filePath("wald/broken.md"));
  REQUIRE(broken.open(QIODevice::WriteOnly));
  broken.write("---\ntitle: [oops\n");
  broken.close();
  qputenv("KDSCOPE_LESSONS", folder.path().toUtf8());
  OpenWorkbench open;
  qunsetenv("KDSCOPE_LESSONS");
  auto* bar = open.window.findChild<MessageBar*>();
  CHECK(bar->isVisible());
  CHECK(bar->text().contains("broken.md"));
  CHECK(open.workbench.lessons().catalogue().lessons.size() == 2);
  open.open_lesson("wald/six-points");
  CHECK_FALSE(bar->isVisible());  // shown only once
  open.workbench.desk().open_lesson("wald/broken");
  CHECK(bar->isVisible());
  CHECK(bar->text().contains("broken.md"));
  CHECK(open.workbench.lessons().lesson()->id == "wald/six-points");
}
