// The appearance of the window: themes, text scale, docks that move, and a view that keeps drawing.

#include <QAbstractTextDocumentLayout>
#include <QAction>
#include <QComboBox>
#include <QDir>
#include <QDockWidget>
#include <QLabel>
#include <QMenuBar>
#include <QTemporaryDir>
#include <QTextBlock>
#include <QTextLayout>
#include <QTextTable>
#include <QToolButton>
#include <fstream>
#include <set>

#include "app/appearance/appearance.hpp"
#include "app/appearance/icons.hpp"
#include "app/appearance/lesson_markdown.hpp"
#include "app/appearance/whole_lines.hpp"
#include "app/panes/arrays_pane.hpp"
#include "app/panes/narration_pane.hpp"
#include "app/views/scene_view.hpp"
#include "tests/app/open_workbench.hpp"
#include "tests/app/painted_texts.hpp"
#include "tests/support/processor_time.hpp"
#include "tests/support/share.hpp"

using namespace kdscope;

namespace {

QImage scene_picture(OpenWorkbench& open) {
  open.settle();
  return open.window.scene().picture().convertToFormat(QImage::Format_RGB32);
}

}  // namespace

TEST_CASE("an icon is muted until it is used, except those of playing, or has its own ink") {
  const QPalette before = QGuiApplication::palette();
  const QColor red(200, 30, 40), ink(10, 120, 60), muted(60, 70, 80), faint(90, 90, 200);
  QPalette palette = before;
  palette.setColor(QPalette::Active, QPalette::ButtonText, ink);
  palette.setColor(QPalette::Active, QPalette::PlaceholderText, muted);
  palette.setColor(QPalette::Disabled, QPalette::ButtonText, faint);
  QGuiApplication::setPalette(palette);
  const auto opaque_colours = [](const QIcon& icon, int side, QIcon::Mode mode) {
    const QImage image = icon.pixmap(QSize(side, side), mode).toImage().convertToFormat(QImage::Format_ARGB32);
    std::set<QRgb> colours;
    for (int y = 0; y < side; ++y)
      for (int x = 0; x < side; ++x)
        if (qAlpha(image.pixel(x, y)) == 255) colours.insert(image.pixel(x, y));
    return colours;
  };
  for (int symbol = 0; symbol <= static_cast<int>(Symbol::information); ++symbol)
    for (const int side : {16, 24, 48}) {
      INFO("symbol " << symbol << ", " << side << " pixels");
      const QIcon themed = icon(static_cast<Symbol>(symbol)), own = icon(static_cast<Symbol>(symbol), red);
      const bool leads = symbol == static_cast<int>(Symbol::play) || symbol == static_cast<int>(Symbol::pause);
      CHECK(opaque_colours(themed, side, QIcon::Normal) == std::set<QRgb>{(leads ? ink : muted).rgb()});
      CHECK(opaque_colours(themed, side, QIcon::Active) == std::set<QRgb>{ink.rgb()});
      CHECK(opaque_colours(themed, side, QIcon::Disabled) == std::set<QRgb>{faint.rgb()});
      CHECK(opaque_colours(own, side, QIcon::Normal) == std::set<QRgb>{red.rgb()});
    }
  QGuiApplication::setPalette(before);
}

TEST_CASE("the view draws, and every update of tags changes the picture", "[screen]") {
  OpenWorkbench open;
  REQUIRE(open.window.scene().can_draw());
  open.show_answers();  // or it waits for one
  QImage before = scene_picture(open);
  CHECK(colours_in(before) > 20);
  const Trace& trace = *open.workbench.playback().trace();
  int updates = 0;
  open.press(Qt::Key_Right);  // begins the lesson
  for (std::uint32_t step = 1; step <= open.last_step(); ++step) {
    open.press(Qt::Key_Right);
    QImage after = scene_picture(open);
    INFO(path_text(trace.steps[step]));
    before.swap(after);
    if (trace.steps[step].name != "update tags") continue;
    ++updates;
    CHECK(differing_pixels(before, after) > 200);
  }
  CHECK(updates >= 3);
}

TEST_CASE("themes change palette and pictures without a restart") {
  OpenWorkbench open;
  open.workbench.playback().seek(4);
  std::vector<QImage> windows, scenes;
  for (const ThemeId id : all_themes) {
    auto* action = open.window.findChild<QAction*>(QString::fromUtf8(theme(id).name));
    REQUIRE(action != nullptr);
    action->trigger();
    CHECK(QApplication::palette().color(QPalette::Window) == colour(theme(id).window));
    CHECK(QApplication::palette().color(QPalette::Text) == colour(theme(id).text));
    windows.push_back(open.picture());
    scenes.push_back(scene_picture(open));
  }
  for (std::size_t i = 1; i < windows.size(); ++i) {
    CHECK(differing_pixels(windows[i - 1], windows[i]) > 50000);
    CHECK(differing_pixels(scenes[i - 1], scenes[i]) > 5000);
  }
}

TEST_CASE("text scales live, and ten columns still fit") {
  OpenWorkbench open;
  auto& view = open.window.findChild<ArraysPane*>()->view();
  const double base = QApplication::font().pointSizeF();
  for (const int scale : {80, 100, 150, 200}) {
    open.workbench.looks().set_text_scale(scale);
    open.settle();
    INFO(scale);
    CHECK(QApplication::font().pointSizeF() == Approx(base * scale / 100).epsilon(0.02));
    for (std::uint64_t column = 0; column < 10; ++column) CHECK_FALSE(view.cell_rect(1, column).isEmpty());
    CHECK(view.cell_rect(1, 9).right() > view.viewport()->width() * 9 / 10);
  }
  open.press(Qt::Key_Minus, Qt::ControlModifier);
  CHECK(open.workbench.looks().appearance().text_scale == 190);
  open.press(Qt::Key_0, Qt::ControlModifier);
  CHECK(open.workbench.looks().appearance().text_scale == 100);
}

TEST_CASE("no text of menus, transport and titles is cut at any scale, set live", "[share]") {
  OpenWorkbench open;
  std::size_t number = 0;
  for (const int scale : {150, 100, 110, 140, 200, 80}) {
    if (number++ % test::every_nth(4) != 0) continue;
    open.workbench.looks().set_text_scale(scale);
    open.settle();
    for (auto* label : open.window.findChildren<QLabel*>()) {
      if (label->visibleRegion().isEmpty() || label->wordWrap()) continue;
      if (label->objectName() == "changes") continue;  // shortens its text, and shows the full text as a tool tip
      INFO(label->text().toStdString() << " at " << scale);
      CHECK(label->width() >= label->sizeHint().width());
    }
    for (auto* box : open.window.findChildren<QComboBox*>()) {
      if (box->visibleRegion().isEmpty()) continue;
      INFO(box->currentText().toStdString() << " at " << scale);
      CHECK(box->height() >= QFontMetrics(box->font()).height());
      CHECK(box->width() >= box->sizeHint().width());
    }
    for (QAction* menu : open.window.menuBar()->actions()) {
      INFO(menu->text().toStdString() << " at " << scale);
      CHECK(open.window.menuBar()->actionGeometry(menu).width() > 10);
      CHECK(open.window.menuBar()->actionGeometry(menu).right() < open.window.menuBar()->cornerWidget()->x());
    }
  }
}

TEST_CASE("each dock floats, comes back, closes and opens, and the view goes on drawing", "[share]") {
  OpenWorkbench open;
  std::set<QDockWidget*> closed_at_first;
  for (auto* dock : open.window.findChildren<QDockWidget*>())
    if (dock->isHidden()) closed_at_first.insert(dock);
  std::size_t number = 0;
  for (auto* dock : open.window.findChildren<QDockWidget*>()) {
    const bool own_window = dock->objectName() == "experiments";  // its state is checked below
    if (number++ % test::every_nth(6) != 0 && !own_window) continue;
    INFO(dock->objectName().toStdString());
    dock->show();
    dock->raise();
    open.settle();
    auto* floats = dock->titleBarWidget()->findChild<QToolButton*>("float");
    open.click(*floats);
    CHECK(dock->isFloating());
    open.settle();
    open.workbench.transport().forward();
    open.click(*floats);
    CHECK_FALSE(dock->isFloating());
    open.click(*dock->titleBarWidget()->findChild<QToolButton*>("close"));
    CHECK_FALSE(dock->isVisible());
    dock->toggleViewAction()->trigger();
    CHECK_FALSE(dock->isHidden());
    open.workbench.transport().back();
    CHECK(colours_in(scene_picture(open)) > 20);
  }
  for (auto* dock : open.window.findChildren<QDockWidget*>()) {
    dock->setFloating(true);
    dock->move(40, 60);
    if (number++ % test::every_nth(4) == 0) open.settle();
  }
  for (const int scale : {200, 100}) {  // the text first does not fit, then fits again: the layout adapts
    open.workbench.looks().set_text_scale(scale);
    open.settle();
    for (auto* dock : open.window.findChildren<QDockWidget*>()) {
      INFO(dock->objectName().toStdString() << " at " << scale);
      if (dock->objectName() == "histogram") {  // this run has no histogram, so the layout omits it
        CHECK(dock->isHidden());
        continue;
      }
      const bool own_window = dock->objectName() == "experiments";  // not part of the layout, so unchanged
      CHECK(dock->isFloating() == own_window);
      CHECK(dock->isHidden() == (!own_window && closed_at_first.contains(dock)));
      CHECK(dock->isWindow() == own_window);
    }
    CHECK(colours_in(open.picture()) > 50);
  }
}

TEST_CASE("picking a column selects its point, and the mark follows the point") {
  OpenWorkbench open;
  auto& view = open.window.findChild<ArraysPane*>()->view();
  QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, view.cell_rect(1, 2).center());
  const Selection selection = open.workbench.playback().selection();
  CHECK(selection.space == Space::point);
  CHECK(selection.index == 2);
  const QImage before = open.picture();
  open.workbench.playback().select(Selection{});
  CHECK(differing_pixels(before, open.picture()) > 100);
}

TEST_CASE("a million columns scroll as fast as a thousand", "[share]") {
  const auto opened = [](OpenWorkbench& open, std::uint64_t columns) {
    RunRequest run = open.workbench.desk().request();
    run.data = "uniform:n=" + std::to_string(columns) + ",dim=2";
    run.thin = true;
    open.workbench.desk().run(run);
    REQUIRE(QTest::qWaitFor([&] { return !open.workbench.jobs().busy(); }, 4 * patience_ms));
    REQUIRE(open.workbench.playback().trace()->header.n == columns);
    open.show_step(open.last_step() / 2);
  };
  OpenWorkbench many, few;
  opened(many, test::everything() ? 1'000'000 : 100'000);
  opened(few, 1'000);
  const auto scroll = [](OpenWorkbench& open) {
    auto& view = open.window.findChild<ArraysPane*>()->view();
    const std::uint64_t columns = open.workbench.playback().trace()->header.n;
    for (std::uint64_t i = 0; i < 20; ++i) {
      view.scroll_to(i * columns / 20);
      view.viewport()->repaint();
    }
  };
  CHECK(test::cost_ratio([&] { scroll(many); }, [&] { scroll(few); }, 5) < 4);
}

TEST_CASE("links of the narration wear the theme's colour as soon as the theme changes") {
  const QTemporaryDir lessons;
  QDir(lessons.path()).mkpath(QStringLiteral("wald"));
  std::ofstream(lessons.filePath(QStringLiteral("wald/ten-points.md")).toStdString())
      << "---\ntitle: Linked\nsource: \"Wald 2023\"\ndata: wald-10\nalgorithm: wald\n---\n\nAn introduction.\n\n"
         "## A stop\n\n```stop\nselect: level 0 / sort\n```\n\nMore stands [here](https://example.org).\n";
  qputenv("KDSCOPE_LESSONS", lessons.path().toUtf8());
  OpenWorkbench open;
  qunsetenv("KDSCOPE_LESSONS");
  REQUIRE(open.workbench.lessons().lesson()->title == "Linked");
  open.workbench.lessons().stop_forward();
  const auto link_colours = [&] {
    std::set<QRgb> colours;
    const QTextDocument& text = *open.window.findChild<NarrationPane*>()->text().document();
    for (QTextBlock block = text.begin(); block.isValid(); block = block.next())
      for (auto part = block.begin(); !part.atEnd(); ++part)
        if (const QTextCharFormat format = part.fragment().charFormat(); format.isAnchor())
          colours.insert(format.foreground().color().rgb());
    return colours;
  };
  for (const ThemeId id : {ThemeId::dark, ThemeId::high_contrast, ThemeId::light}) {
    open.workbench.looks().set_theme(theme(id).name);
    open.settle();
    INFO(theme(id).name);
    CHECK(link_colours() == std::set<QRgb>{colour(theme(id).focus).rgb()});
  }
}

TEST_CASE("numbers of neighbouring cells do not touch, and none runs into the shape in its corner") {
  OpenWorkbench open;
  // Column widths are computed from samples, which may miss a few long numbers among short ones.
  const QTemporaryDir folder;
  const std::string file = folder.filePath("tiny.csv").toStdString();
  std::ofstream rows(file);
  for (int i = 0; i < 4000; ++i)
    rows << (i % 61 == 5 ? "-2.119e-05" : "3") << ',' << (i % 61 == 6 ? "-1.888e-15" : "7") << ",1\n";
  rows.close();
  open.open_another([&] { open.workbench.desk().run({file, "wald", {}, Backend::cpu}); });
  ArrayTableView& view = open.window.arrays().view();
  for (const int percent : {100, 200}) {
    open.workbench.looks().set_text_scale(percent);
    for (const std::uint32_t step : {2u, open.last_step()}) {
      open.show_step(step);
      for (std::size_t row = 0; row < view.table()->rows().size(); ++row)
        for (const PaintedText& text : painted_texts(*view.viewport())) {
          const QRect first = view.cell_rect(row, view.first_visible());
          if (first.isEmpty() || text.box.left() < first.left() ||
              !first.adjusted(0, 0, 1 << 20, 0).contains(text.box.center().toPoint()))
            continue;
          const auto column =
              view.first_visible() + static_cast<std::uint64_t>((text.box.center().x() - first.left()) / first.width());
          const QRect cell = view.cell_rect(row, column);
          if (cell.isEmpty()) continue;
          INFO(text.text.toStdString() << " at " << percent << " %, step " << step << ", row " << row << ", column "
                                       << column);
          CHECK(text.box.left() >= cell.left() + 1);
          CHECK(text.box.right() <= cell.right() - 1);
          // The first row wears the shapes, beside the positions.
          const double side = cell.height() * 0.16;
          if (row == 0 && view.table()->cell(row, column).place && cell.width() > 8 * side)
            CHECK(text.box.left() >= cell.left() + 3.4 * side);
        }
    }
  }
}

TEST_CASE("no line begins with an operator, and code stays as it is") {
  CHECK(with_whole_formulas(QStringLiteral("x - 10 or\n- y = 2")) == QStringLiteral("x\u00a0- 10 or\n- y\u00a0= 2"));
  CHECK(with_whole_formulas(QStringLiteral("| all, T = 8 | - |")) ==
        QStringLiteral("| all,\u00a0T\u00a0=\u00a08 | - |"));
  CHECK(with_whole_formulas(QStringLiteral("| 9 to 4 | x = 4.682, to the right |")) ==
        QStringLiteral("| 9\u00a0to\u00a04 | x\u00a0=\u00a04.\u2060682, to the right |"));
  CHECK(with_whole_formulas(QStringLiteral("s*(1<<(L-l-1)-1) of |x-y|")) ==
        QStringLiteral("s*(1<<(L-\u2060l-\u20601)-\u20601) of |\u2060x-\u2060y|"));
  CHECK(with_whole_formulas(QStringLiteral("h[i + 4] at (6, -4)")) ==
        QStringLiteral("h[i\u00a0+\u00a04] at (6,\u00a0-4)"));
  CHECK(with_whole_formulas(QStringLiteral("`(L) - 1` at (6, \u22124)")) ==
        QStringLiteral("`(L)\u00a0-\u2060\u00a01` at (6,\u00a0\u22124)"));
  CHECK(with_whole_formulas(QStringLiteral("`1 << L` is short, `kdscope-cli show trace` is not")) ==
        QStringLiteral("`1\u00a0<<\u00a0L` is short, `kdscope-cli show trace` is not"));
  CHECK(with_whole_formulas(QStringLiteral("the k-th, not kd-trees")) ==
        QStringLiteral("the k-\u2060th, not kd-trees"));
  CHECK(with_whole_formulas(QStringLiteral("no paragraph ends\nwith a number that is alone: 3.\n\n- short 3")) ==
        QStringLiteral("no paragraph ends\nwith a number that is alone:\u00a03.\n\n- short 3"));
  for (const char* text : {"| - | - |", "```\na - b\n```", "- a list", "left-balanced"})
    CHECK(with_whole_formulas(QString::fromLatin1(text)) == QString::fromLatin1(text));
}

TEST_CASE("a table that is too high ends with a whole row and its frame") {
  QTextDocument document;
  document.setDocumentMargin(0);
  set_markdown(document, QStringLiteral("| a |\n|---|\n| 1 |\n| 2 |"), 118);
  document.setTextWidth(300);
  const QRectF table = document.documentLayout()->frameBoundingRect(document.rootFrame()->childFrames().front());
  const double row = table.height() / 3;
  CHECK(end_of_whole_lines(document, table.bottom()) == table.bottom());
  for (const double cut : {2.0, row / 2}) {  // through the frame, or the digit
    const double end = end_of_whole_lines(document, table.bottom() - cut);
    CHECK(end < table.bottom() - 0.9 * row);
    CHECK(end > table.bottom() - 1.3 * row);
  }
}

TEST_CASE("columns of numbers in a lesson's table end at one edge, and cells keep apart at every size") {
  for (const double points : {11.0, 33.0}) {
    QTextDocument document;
    QFont font;
    font.setPointSizeF(points);
    document.setDefaultFont(font);
    set_markdown(document, QStringLiteral("| a | 6 | 7 |\n|---|---|---|\n| b | 3 | 0.25 |\n| 1 | -12 | two |"), 118);
    document.setTextWidth(900);
    const auto* table = qobject_cast<QTextTable*>(document.rootFrame()->childFrames().front());
    REQUIRE(table);
    REQUIRE(document.size().height() > 0);  // lays it out
    const auto cell = [&](int row, int column) {
      const QTextBlock block = table->cellAt(row, column).firstCursorPosition().block();
      return block.layout()->lineAt(0).naturalTextRect().translated(
          document.documentLayout()->blockBoundingRect(block).topLeft());
    };
    for (int row = 1; row < 3; ++row) {
      CHECK(std::abs(cell(row, 1).right() - cell(0, 1).right()) < 1);
      CHECK(std::abs(cell(row, 0).left() - cell(0, 0).left()) < 1);
      CHECK(std::abs(cell(row, 2).left() - cell(0, 2).left()) < 1);  // words among numbers
    }
    CHECK(cell(0, 2).left() - cell(0, 1).right() >= QFontMetricsF(font).averageCharWidth());
  }
}

TEST_CASE("code in a lesson is as large as the text around it, and shrinks with it") {
  QTextDocument shrunk, small;
  shrunk.setDefaultFont(interface_font(200));
  small.setDefaultFont(interface_font(100));
  for (QTextDocument* document : {&shrunk, &small}) set_markdown(*document, QStringLiteral("row `split_dim`"), 100);
  const double large = shrunk.idealWidth();
  shrunk.setDefaultFont(interface_font(100));
  CHECK(shrunk.idealWidth() < 0.6 * large);
  CHECK(shrunk.idealWidth() == small.idealWidth());
}
