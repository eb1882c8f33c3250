// Tests docks: one key for each of three layouts, another key to reset them, and a view that keeps drawing after every
// move.

#include <QAction>
#include <QClipboard>
#include <QDockWidget>
#include <QMenu>
#include <QMenuBar>
#include <QPushButton>
#include <QSignalSpy>
#include <QStyle>
#include <QTabBar>
#include <QTemporaryDir>
#include <QTextBrowser>
#include <QToolButton>
#include <atomic>

#include "app/appearance/few_tabs.hpp"
#include "app/panes/arrays_pane.hpp"
#include "app/panes/histogram_pane.hpp"
#include "app/panes/message_bar.hpp"
#include "app/point_editing/points_pane.hpp"
#include "app/views/cost_curves.hpp"
#include "app/views/scene_view.hpp"
#include "app/workspace/layouts.hpp"
#include "app/workspace/workspace.hpp"
#include "tests/app/on_stage.hpp"
#include "tests/support/campaign.hpp"
#include "tests/support/share.hpp"

using namespace kdscope;

namespace {

constexpr Qt::KeyboardModifiers chord = Qt::ControlModifier | Qt::ShiftModifier;

std::set<QString> shown_docks(OpenWorkbench& open) {
  std::set<QString> names;
  for (QDockWidget* dock : open.window.docks())
    if (!dock->isHidden()) names.insert(dock->objectName());
  return names;
}

bool draws(OpenWorkbench& open) {
  return QTest::qWaitFor([&] { return colours_in(open.window.scene().picture(), 30) >= 20; }, patience_ms);
}

}  // namespace

TEST_CASE("a key each brings the three layouts, and they differ") {
  OpenWorkbench open;
  const auto study = shown_docks(open);
  CHECK(study.contains("narration"));
  open.press(Qt::Key_1, chord);
  CHECK(open.window.layouts().current() == Layout::demonstrate);
  CHECK(shown_docks(open) == std::set<QString>{"arrays", "tree"});
  open.settle();
  const int view_at_a_projector = open.window.scene().width();
  CHECK(draws(open));
  open.press(Qt::Key_3, chord);
  CHECK(open.window.layouts().current() == Layout::debug);
  CHECK(shown_docks(open).contains("source"));
  CHECK_FALSE(open.window.dock("source")->visibleRegion().isEmpty());
  CHECK_FALSE(open.window.dock("checks")->visibleRegion().isEmpty());
  open.settle();
  CHECK(open.window.scene().width() < view_at_a_projector);
  CHECK(draws(open));
  open.press(Qt::Key_2, chord);
  CHECK(open.window.layouts().current() == Layout::study);
  CHECK(shown_docks(open) == study);
  CHECK(draws(open));
}

TEST_CASE("beside the narration stand at most five tabs, and large panes open in the middle") {
  OpenWorkbench open({1280, 720});
  open.rest();
  const QDockWidget& narration = *open.window.dock("narration");
  int shown = 0;
  for (const QDockWidget* beside : open.window.tabifiedDockWidgets(open.window.dock("narration")))
    shown += !beside->isHidden();
  CHECK(shown + 1 <= 5);
  const int tree = open.window.dock("tree")->width();
  QDockWidget& roofline = *open.window.dock("roofline");
  roofline.toggleViewAction()->trigger();
  open.rest();
  CHECK_FALSE(roofline.visibleRegion().isEmpty());
  CHECK(roofline.geometry().right() < narration.geometry().left());
  CHECK(roofline.width() > tree);
}

TEST_CASE("tabs beside the narration have whole names, the one in front among them, and a menu holds the others") {
  OpenWorkbench open({1280, 720});
  open.rest();
  for (const char* name : {"biography", "what_if", "search"}) {
    open.window.layouts().reset();
    open.rest();
    QDockWidget& sixth = *open.window.dock(name);
    sixth.toggleViewAction()->trigger();
    sixth.raise();
    open.rest();
    const QTabBar* tabs = nullptr;
    for (const QTabBar* each : open.window.findChildren<QTabBar*>(QString(), Qt::FindDirectChildrenOnly))
      for (int tab = 0; tab < each->count(); ++tab)
        if (each->isVisible() && each->tabText(tab) == sixth.windowTitle()) tabs = each;
    REQUIRE(tabs);
    INFO(name);
    REQUIRE(tabs->count() >= 6);
    CHECK(tabs->isTabVisible(tabs->currentIndex()));
    auto& others = *tabs->findChild<FewTabs*>();
    CHECK(others.isVisible());
    CHECK(tabs->rect().contains(others.geometry()));
    QStringList in_menu, hidden;
    for (const QAction* entry : others.menu()->actions()) in_menu << entry->text();
    for (int tab = 0; tab < tabs->count(); ++tab) {
      if (!tabs->isTabVisible(tab)) {
        hidden << tabs->tabText(tab);
        continue;
      }
      CHECK(tabs->rect().contains(tabs->tabRect(tab)));
      CHECK_FALSE(others.geometry().intersects(tabs->tabRect(tab)));
      CHECK(tabs->tabRect(tab).width() >= tabs->fontMetrics().horizontalAdvance(tabs->tabText(tab)) + 8);
    }
    CHECK(tabs->count() - hidden.size() >= 3);
    CHECK(in_menu == hidden);
    others.menu()->actions().last()->trigger();
    open.rest();
    CHECK(tabs->tabText(tabs->currentIndex()) == hidden.last());
    CHECK(tabs->isTabVisible(tabs->currentIndex()));
  }
}

TEST_CASE("one key resets what a person made of the layout, whichever it is", "[share]") {
  OpenWorkbench open;
  for (const Layout layout : all_layouts) {
    if (!test::everything() && layout != Layout::debug) continue;
    open.window.layouts().apply(layout);
    open.settle();
    const auto docks = shown_docks(open);
    const QSize view = open.window.scene().size();
    for (QDockWidget* dock : open.window.docks()) {
      dock->show();
      dock->setFloating(true);
    }
    open.settle();
    CHECK(open.window.scene().size() != view);
    // The key also works in a floating dock.
    QTest::keyClick(open.window.dock("arrays"), Qt::Key_0, chord);
    open.window.dock("experiments")->close();  // a separate window is not part of the layouts
    open.press(Qt::Key_0, chord);
    open.settle();
    INFO(name_of(layout));
    CHECK(open.window.layouts().current() == layout);
    CHECK(shown_docks(open) == docks);
    CHECK(std::abs(open.window.scene().width() - view.width()) <= 2);
    CHECK(std::abs(open.window.scene().height() - view.height()) <= 2);
  }
}

TEST_CASE("a layout is bytes that bring it back, and other bytes change nothing") {
  OpenWorkbench open;
  open.window.dock("source")->setFloating(true);
  open.window.dock("checks")->close();
  open.settle();
  const QByteArray made = open.window.layout_state();
  const auto docks = shown_docks(open);
  open.press(Qt::Key_1, chord);
  REQUIRE(shown_docks(open) != docks);
  for (QByteArray broken :
       {QByteArray(), QByteArray("abc"), made.left(made.size() / 2), QByteArray(made).replace(40, 3, "xyz")}) {
    const QByteArray before = open.window.layout_state();
    CHECK_FALSE(open.window.restore_layout_state(broken));
    CHECK((open.window.layout_state() == before));
  }
  REQUIRE(open.window.restore_layout_state(made));
  CHECK(open.window.layouts().current() == Layout::study);
  CHECK(shown_docks(open) == docks);
  CHECK(open.window.dock("source")->isFloating());
  CHECK(draws(open));
}

TEST_CASE("what a person does to the docks is said once, with the state before and after") {
  OpenWorkbench open;
  open.rest();
  QSignalSpy changes(&open.window.layouts(), &Layouts::changed);
  open.workbench.looks().set_text_scale(120);  // a change by the program
  open.rest();
  CHECK(changes.isEmpty());
  const QByteArray before = open.window.layout_state();
  const QSize view = open.window.scene().size();
  open.click(*open.window.dock("tree")->titleBarWidget()->findChild<QToolButton*>("float"));
  REQUIRE(QTest::qWaitFor([&] { return !changes.isEmpty(); }, patience_ms));
  CHECK(changes.size() == 1);
  const bool before_and_after = changes[0][0].toByteArray() == before &&  // not printed: binary data
                                changes[0][1].toByteArray() == open.window.layout_state();
  CHECK(before_and_after);
  open.press(Qt::Key_3, chord);
  CHECK(changes.size() == 2);
  open.window.restore_layout_state(before);
  open.rest();
  CHECK(changes.size() == 2);
  CHECK(std::abs(open.window.scene().width() - view.width()) <= 2);
  CHECK(open.window.layouts().current() == Layout::study);
  CHECK_FALSE(open.window.dock("tree")->isFloating());
}

TEST_CASE("the pane in use floats by a key, with a title, and comes back by a key") {
  OpenWorkbench open;
  QDockWidget* arrays = open.window.dock("arrays");
  auto* inside = arrays->titleBarWidget()->findChild<QToolButton*>("float");
  inside->setFocus();
  REQUIRE(arrays->isAncestorOf(QApplication::focusWidget()));
  open.press(Qt::Key_F, chord);
  CHECK(arrays->isFloating());
  CHECK(arrays->titleBarWidget()->isVisible());
  QApplication::setActiveWindow(arrays);
  inside->setFocus();
  QTest::keyClick(arrays, Qt::Key_F, chord);
  CHECK_FALSE(arrays->isFloating());
  for (QDockWidget* dock : open.window.docks()) dock->setFloating(true);
  open.settle();
  open.press(Qt::Key_D, chord);
  for (QDockWidget* dock : open.window.docks()) CHECK_FALSE(dock->isFloating());
}

TEST_CASE("each dock leaves and comes back ten times, and the view draws on", "[screen][share]") {
  OpenWorkbench open;
  std::size_t number = 0;
  for (QDockWidget* dock : open.window.docks()) {
    if (number++ % test::every_nth(3) != 0) continue;
    INFO(dock->objectName().toStdString());
    const bool was_hidden = dock->isHidden();
    dock->show();
    for (int time = 0; time < (test::everything() ? 10 : 2); ++time) {
      dock->setFloating(true);
      CHECK(dock->isWindow());
      open.settle();
      time % 2 ? open.workbench.transport().back() : open.workbench.transport().forward();
      dock->setFloating(false);
      CHECK_FALSE(dock->isWindow());
      open.settle();
    }
    CHECK(draws(open));
    dock->setHidden(was_hidden);
  }
  const QImage before = open.window.scene().picture();
  open.press(Qt::Key_End);
  open.settle();
  CHECK(differing_pixels(before, open.window.scene().picture()) > 200);
}

TEST_CASE("the view itself moves to a window of its own and back, with its OpenGL context lost each time") {
  OpenWorkbench open;
  for (int time = 0; time < 5; ++time) {
    QWidget* middle = open.window.takeCentralWidget();
    middle->setParent(nullptr);
    middle->resize(500, 400);
    middle->show();
    REQUIRE(QTest::qWaitForWindowExposed(middle, patience_ms));
    CHECK(draws(open));
    open.workbench.transport().forward();
    open.window.setCentralWidget(middle);
    middle->show();
    open.settle();
    CHECK(draws(open));
  }
}

TEST_CASE("the window fits small screens at every text scale, with transport and view in it", "[share]") {
  for (const QSize screen : {QSize(1280, 720), QSize(1024, 768)}) {
    OpenWorkbench open(screen);
    open.open_lesson("wald/bunny");
    for (const int percent : {100, 300, 100, 200, 100}) {
      if (!test::everything() && percent == 200) continue;
      open.workbench.looks().set_text_scale(percent);
      open.settle();
      INFO(screen.width() << " x " << screen.height() << " at " << percent << " %");
      CHECK(open.window.size() == screen);
      auto& transport = open.find<QWidget>("transport");
      CHECK(open.window.rect().contains(QRect(transport.mapTo(&open.window, QPoint()), transport.size())));
      CHECK(open.window.scene().width() >= 140);
      CHECK(open.window.rect().contains(open.window.centralWidget()->geometry()));
    }
    CHECK(open.window.scene().width() > screen.width() / 5);
  }
}

TEST_CASE("texts of twice the size leave the arrays rows, and the narration lines, on a small screen") {
  OpenWorkbench open({1280, 720});
  open.workbench.lessons().stop_forward();
  for (const int percent : {160, 200}) {
    open.workbench.looks().set_text_scale(percent);
    open.rest();
    INFO(percent << " %");
    const ArrayTableView& table = open.window.arrays().view();
    CHECK(table.rows_in_sight().size() >= 3);  // tags, x and y
    auto* narration = open.window.dock("narration")->findChild<QTextBrowser*>();
    REQUIRE(narration);
    REQUIRE(narration->isVisible());
    CHECK(narration->viewport()->height() >= 3 * narration->fontMetrics().lineSpacing());
    CHECK(open.window.scene().height() >= 220);
    // The tree is one click away.
    const auto tabs = open.window.findChildren<QTabBar*>(QString(), Qt::FindDirectChildrenOnly);
    CHECK(std::any_of(tabs.begin(), tabs.end(), [](const QTabBar* bar) {
      for (int tab = 0; tab < bar->count(); ++tab)
        if (bar->isVisible() && bar->tabText(tab) == QLatin1String("Tree") && bar->rect().contains(bar->tabRect(tab)))
          return true;
      return false;
    }));
  }
  // At the usual size, the arrays reach below view and tree; in a high window, below the narration too.
  open.workbench.looks().set_text_scale(100);
  open.rest();
  CHECK(open.window.arrays().width() > 800);
  open.window.resize(1920, 1000);
  open.rest();
  CHECK(open.window.arrays().width() > 1900);
}

TEST_CASE("in a low window the narration has the whole height, and plots stand in front of the tree") {
  OpenWorkbench open({1280, 720});
  for (const int stop : {3, 4}) {
    open.workbench.lessons().go_to_stop(stop);
    open.rest();
    const auto& text = *open.window.dock("narration")->findChild<QTextBrowser*>();
    INFO("stop " << stop + 1);
    CHECK(text.viewport()->height() >=
          std::min<double>(text.document()->size().height(), 10 * text.fontMetrics().lineSpacing()));
  }
  open.open_lesson("zhou/photons");
  open.workbench.lessons().go_to_stop(5);
  open.rest();
  QDockWidget& plot = *open.window.dock("candidates");
  CHECK(open.window.tabifiedDockWidgets(&plot).contains(open.window.dock("tree")));
  CHECK_FALSE(plot.visibleRegion().isEmpty());
  CHECK(open.window.dock("tree")->visibleRegion().isEmpty());
  CHECK(plot.findChild<CostCurves*>()->height() >= 100);
  CHECK(open.window.dock("narration")->geometry().bottom() == open.window.dock("arrays")->geometry().bottom());
}

TEST_CASE("in a low window a histogram is in front of the tree where counts exist and the stop speaks of them") {
  OpenWorkbench open({1280, 720});
  open.open_lesson("rank/how-fast");
  QDockWidget &counts = *open.window.dock("histogram"), &tree = *open.window.dock("tree");
  REQUIRE(open.window.tabifiedDockWidgets(&counts).contains(&tree));
  const auto histogram_at = [&](int stop) {
    open.workbench.lessons().go_to_stop(stop);
    open.rest();
    CHECK(counts.visibleRegion().isEmpty() != tree.visibleRegion().isEmpty());
    return !counts.visibleRegion().isEmpty();
  };
  CHECK_FALSE(histogram_at(0));
  CHECK_FALSE(histogram_at(1));
  CHECK(histogram_at(2));
  CHECK(histogram_at(3));
  tree.raise();  // a person's choice, while the stops go on to speak of counts
  open.rest();
  CHECK_FALSE(histogram_at(3));
  CHECK_FALSE(histogram_at(0));
  CHECK(histogram_at(2));
}

TEST_CASE("a state saved with Inside open leaves its place to the next look") {
  OpenWorkbench open;
  QDockWidget& inside = *open.window.dock("inside");
  inside.setFloating(false);
  inside.show();
  inside.raise();
  open.rest();
  const QByteArray saved = open.window.layout_state();
  inside.hide();
  open.rest();
  REQUIRE(open.window.restore_layout_state(saved));
  open.rest();
  CHECK(inside.isHidden());
  CHECK(open.window.arrays().isVisible());
}

TEST_CASE("a plot beside texts of twice the size is not lower than 260 pixels", "[screen]") {
  OpenWorkbench open({1280, 720});
  open.workbench.looks().set_text_scale(200);
  open.workbench.lessons().go_to_stop(4);
  open.rest();
  const auto low = open.window.scene().place_of({10, 15}), high = open.window.scene().place_of({10, 69});
  REQUIRE((low && high));
  constexpr double share_of_points = 54.0 / 59.5;  // of the plot's height: its frame reaches beyond them
  CHECK(low->y() - high->y() >= 260 * share_of_points);
}

TEST_CASE("a question leaves the narration its title and some lines, on a small screen", "[share]") {
  OpenWorkbench open({1280, 720});
  for (const Lesson* lesson : every_nth_lesson(open.workbench, test::is_campaign() ? 1 : 12)) {
    if (open.workbench.lessons().lesson()->id != lesson->id) open.open_lesson(lesson->id);
    for (int stop = 0; stop < static_cast<int>(lesson->stops.size()); ++stop) {
      open.workbench.lessons().go_to_stop(stop);
      open.settle();
      INFO(lesson->id << ", stop " << stop + 1);
      const auto& text = *open.window.dock("narration")->findChild<QTextBrowser*>();
      CHECK(text.viewport()->height() >=
            std::min<double>(text.document()->size().height(), 4 * text.fontMetrics().lineSpacing()));
    }
  }
}

TEST_CASE("tables and histograms of every size come to rest, with scroll bars or without") {
  OpenWorkbench open;
  open.show_answers();
  for (const char* lesson : {"rank/how-fast", "wehr/segmented-radix-sort"}) {
    open.open_lesson(lesson);
    open.workbench.lessons().go_to_stop(3);
    open.settle();
    ArraysPane arrays(open.workbench);
    HistogramPane counts(open.workbench);
    Activity activity;
    for (QWidget* pane : {static_cast<QWidget*>(&arrays), static_cast<QWidget*>(&counts)}) {
      pane->show();
      for (int width = 300; width <= 1280; width += 140)
        for (int height = 90; height <= 330; height += 12) {
          INFO(lesson << ": " << pane->metaObject()->className() << ", " << width << " x " << height);
          pane->resize(width, height);
          const int before = activity.count;
          QCoreApplication::processEvents();
          CHECK(activity.count - before < 300);
        }
      pane->hide();
    }
  }
}

TEST_CASE("panes keep their shares when the window grows, until a person sizes one") {
  OpenWorkbench open;
  QDockWidget* side = open.window.dock("narration");
  open.rest();
  const int before = side->width();
  open.window.resize(1900, 1000);
  CHECK(QTest::qWaitFor([&] { return side->width() > before * 5 / 4; }, patience_ms));
  open.rest();
  const QPoint handle(
      side->geometry().left() -
          open.window.style()->pixelMetric(QStyle::PM_DockWidgetSeparatorExtent, nullptr, &open.window) / 2 - 1,
      side->geometry().center().y());
  REQUIRE(open.window.childAt(handle) == nullptr);
  QTest::mousePress(&open.window, Qt::LeftButton, {}, handle);
  const QPoint to(handle.x() + side->width() - 700, handle.y());
  for (const QPoint at : {(handle + to) / 2, to}) {
    QTest::mouseMove(&open.window, at);
    QTest::qWait(50);
  }
  QTest::mouseRelease(&open.window, Qt::LeftButton, {}, to);
  open.rest();
  const int chosen = side->width();
  CHECK(std::abs(chosen - 700) < 20);
  open.window.resize(1800, 1000);
  open.rest();
  CHECK(std::abs(side->width() - chosen) < 20);
}

TEST_CASE("a click that a pane passes on is no change of the layout, whatever the docks did before it") {
  OpenWorkbench open;
  open.rest();
  QSignalSpy changes(&open.window.layouts(), &Layouts::changed);
  open.window.resizeDocks({open.window.dock("narration")}, {500}, Qt::Horizontal);  // a change by the program
  open.settle();
  QTest::mousePress(&open.window, Qt::LeftButton, {}, open.window.scene().geometry().center());
  QTest::mouseRelease(&open.window, Qt::LeftButton, {}, open.window.scene().geometry().center());
  open.rest();
  CHECK(changes.isEmpty());
}

TEST_CASE("after every change of the layout the keys step: no text field takes them", "[share]") {
  OpenWorkbench open;
  open.open_lesson("wald/bunny");  // has three dimensions, so the lists of axes are above the view
  for (const char* name : {"narration", "checks", "tree"}) {
    if (!test::everything() && name != std::string("checks")) continue;
    for (const Qt::Key key : {Qt::Key_1, Qt::Key_3, Qt::Key_2, Qt::Key_0}) {
      QWidget* inside = open.window.dock(name)->widget();
      while (QWidget* next = inside->focusProxy()) inside = next;
      for (QWidget* child : inside->findChildren<QWidget*>())
        if ((child->focusPolicy() & Qt::TabFocus) && child->isVisible()) inside = child;
      inside->setFocus();
      open.press(key, chord);
      open.settle();
      INFO(name << ", key " << static_cast<char>(key));
      REQUIRE(QApplication::focusWidget() != nullptr);
      CHECK_FALSE(QApplication::focusWidget()->inherits("QLineEdit"));
      const std::uint32_t step = 1;  // at the introduction, Right begins the lesson
      open.workbench.playback().seek(step);
      // A pane may replace its content at a step, and must then keep the focus.
      REQUIRE(QApplication::focusWidget() != nullptr);
      QTest::keyClick(QApplication::focusWidget(), Qt::Key_Right);
      CHECK(open.step() == step + 1);
    }
  }
}

TEST_CASE("a window at rest neither lays out nor paints") {
  struct Counter : QObject {
    int events = 0;
    bool eventFilter(QObject*, QEvent* event) override {
      events += event->type() == QEvent::LayoutRequest || event->type() == QEvent::UpdateRequest;
      return false;
    }
  } counter;
  OpenWorkbench open;
  open.rest();
  qApp->installEventFilter(&counter);
  QTest::qWait(500);
  qApp->removeEventFilter(&counter);
  CHECK(counter.events < 20);
}

namespace {

/// Returns the visible tools below a window that a message covers: tabs, buttons, lists, fields and bars.
QStringList covered_tools(QWidget& window, const MessageBar& bar) {
  const QRect covered(bar.mapTo(&window, QPoint()), bar.size());
  QStringList tools;
  for (const QWidget* tool : window.findChildren<QWidget*>()) {
    const bool is_tool = tool->inherits("QTabBar") || tool->inherits("QToolBar") || tool->inherits("QMenuBar") ||
                         tool->inherits("QAbstractButton") || tool->inherits("QComboBox") ||
                         tool->inherits("QAbstractSpinBox") || tool->inherits("QLineEdit") ||
                         tool->inherits("QAbstractSlider") || tool->inherits("kdscope::DockTitle");
    if (!is_tool || bar.isAncestorOf(tool) || !tool->isVisible() || tool->visibleRegion().isEmpty()) continue;
    if (QRect(tool->mapTo(&window, QPoint()), tool->size()).intersects(covered))
      tools << QLatin1String(tool->metaObject()->className()) + QLatin1Char(' ') + tool->objectName();
  }
  return tools;
}

}  // namespace

TEST_CASE("no message covers a tool or moves anything, and each goes with the next success") {
  for (const QSize size : {QSize(1280, 720), QSize(1280, 800), QSize(640, 400)}) {
    OpenWorkbench open(size);
    auto& bar = *open.window.findChild<MessageBar*>();
    QTemporaryDir folder;
    QFile broken(folder.filePath("ragged.csv"));
    REQUIRE(broken.open(QIODevice::WriteOnly));
    broken.write("1,2\n3\n");
    broken.close();
    for (const Qt::Key layout : {Qt::Key_1, Qt::Key_2, Qt::Key_3}) {
      open.press(layout, chord);
      open.rest();
      const auto places = [&] {
        std::vector<QRect> rects{open.window.centralWidget()->geometry()};
        for (QDockWidget* dock : open.window.docks()) rects.push_back(dock->geometry());
        return rects;
      };
      const auto before = places();
      const auto check = [&](const char* state) {
        INFO(size.width() << "x" << size.height() << ", layout " << layout - Qt::Key_0 << ", " << state);
        REQUIRE(QTest::qWaitFor([&] { return bar.isVisible(); }, patience_ms));
        open.settle();
        CHECK(covered_tools(open.window, bar).join(", ").toStdString() == "");
        CHECK(bar.parentWidget()->rect().contains(bar.geometry()));
        CHECK(bar.height() >= bar.fontMetrics().height());
        CHECK((places() == before));
      };
      std::atomic<bool> go_on = false;
      open.workbench.jobs().start("Recording", [&](const RunControl& control) -> BackgroundJob::Finish {
        while (!go_on && !control.stop.stop_requested()) QThread::msleep(1);
        const bool cancelled = control.stop.stop_requested();
        return [&open, cancelled] {
          if (cancelled) open.workbench.messages().report({ErrorKind::cancelled, "the run was cancelled", "", ""});
        };
      });
      check("recording");
      open.click(*bar.findChild<QPushButton*>("cancel"));
      open.finish_jobs();
      check("cancelled");
      CHECK(bar.text().startsWith("Cancelled."));
      CHECK(open.window.workspace().save_to(folder.filePath("kept.kdsession")));
      CHECK_FALSE(bar.isVisible());

      QApplication::clipboard()->setText("12,34\n55,5.5,1\n");
      open.window.findChild<PointsPane*>()->paste(false);
      check("points that cannot be pasted");
      QApplication::clipboard()->setText("12,34\n55,5.5\n");
      open.window.findChild<PointsPane*>()->paste(false);
      CHECK_FALSE(bar.isVisible());
      open.press(Qt::Key_Z, Qt::ControlModifier);
      open.settle();
      open.rest();

      open.workbench.open(broken.fileName());
      REQUIRE(QTest::qWaitFor([&] { return !open.workbench.jobs().busy() && bar.isVisible(); }, patience_ms));
      open.settle();
      CHECK(covered_tools(open.window, bar).join(", ").toStdString() == "");
      CHECK_FALSE(open.window.workspace().save_to("/no/such/folder/a.kdsession"));
      CHECK(bar.text().contains("/no/such/folder"));
      open.open_lesson(start_lesson);
      CHECK_FALSE(bar.isVisible());
    }
  }
}

TEST_CASE("tabs and buttons of the right column work under a message, and a long message scrolls within the picture") {
  OpenWorkbench open({1280, 720});
  open.rest();
  auto& bar = *open.window.findChild<MessageBar*>();
  open.workbench.messages().report(
      {ErrorKind::bad_input, std::string(1900, 'm') + " is no number", "points.csv:3", "remove it"});
  open.settle();
  REQUIRE(bar.isVisible());
  CHECK(bar.parentWidget()->rect().contains(bar.geometry()));
  CHECK(covered_tools(open.window, bar).join(", ").toStdString() == "");
  const auto bars = open.window.findChildren<QTabBar*>();
  const auto tabs = std::find_if(bars.begin(), bars.end(), [](const QTabBar* each) {
    return each->isVisible() && each->count() > 2 && !each->visibleRegion().isEmpty();
  });
  REQUIRE(tabs != bars.end());
  for (const int tab : {1, 2, 0}) {
    const QPoint at = (*tabs)->mapTo(&open.window, (*tabs)->tabRect(tab).center());
    REQUIRE(open.window.childAt(at) == *tabs);  // nothing lies above it
    QTest::mouseClick(*tabs, Qt::LeftButton, {}, (*tabs)->tabRect(tab).center());
    CHECK((*tabs)->currentIndex() == tab);
  }
  auto& edit = open.find<QToolButton>("edit_points_button");
  CHECK(open.window.childAt(edit.mapTo(&open.window, edit.rect().center())) == &edit);
}
