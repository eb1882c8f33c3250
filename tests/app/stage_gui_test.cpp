// Measures the areas of a presentation, over the shipped lessons: figures have room, tables show something, narrations
// can be read, and nobody is asked to scroll.

#include <QAbstractButton>
#include <QScrollBar>
#include <QTextBrowser>

#include "app/appearance/appearance.hpp"
#include "app/panes/arrays_pane.hpp"
#include "app/present/markdown_label.hpp"
#include "app/present/presentation.hpp"
#include "app/views/scene_view.hpp"
#include "tests/app/open_workbench.hpp"
#include "tests/support/share.hpp"

using namespace kdscope;

namespace {

constexpr QSize least_stage(1280, 720);

bool shows(AudienceWindow& audience, const char* pane) {
  const std::vector<std::string> shown = audience.shown_panes();
  return std::ranges::find(shown, pane) != shown.end();
}

/// Figures have half of the height, and a plot has two fifths of it or nearly fills the width of its pane.
void check_figures(AudienceWindow& audience) {
  for (const std::string& name : audience.shown_panes())
    if (pane_named(name).form == PaneForm::picture) {
      INFO(name);
      CHECK(audience.pane(name).height() >= 0.5 * audience.height());
    }
  const Scene& scene = audience.scene().scene();
  if (!shows(audience, "view") || !scene.is_2d()) return;
  const auto [left, bottom, right, top] = scene.frame_room();
  CAPTURE(left, bottom, right, top, audience.scene().width());
  CHECK((top - bottom >= 0.39 * audience.height() || right - left >= 0.67 * audience.scene().width()));
}

void check_table(AudienceWindow& audience) {
  if (!shows(audience, "arrays") || audience.arrays().shows_strips()) return;
  const ArrayTable& table = *audience.arrays().view().table();
  CHECK(table.column_count() > 0);
  CHECK_FALSE(audience.arrays().view().rows_in_sight().empty());
}

}  // namespace

TEST_CASE("figures of the stage have room, and no table is empty, no narration blank, and nothing scrolls",
          "[share][screen]") {
  OpenWorkbench open;
  std::size_t number = 0;
  for (const Lesson& lesson : open.workbench.lessons().catalogue().lessons) {
    if (number++ % test::every_nth(7) != 0) continue;
    if (open.workbench.lessons().lesson()->id != lesson.id) open.open_lesson(lesson.id);
    Presentation& presentation = open.window.presentation();
    presentation.start({QRect(QPoint(), least_stage)}, 0);
    REQUIRE(presentation.running());
    AudienceWindow& audience = *presentation.audience();
    REQUIRE(QTest::qWaitForWindowExposed(&audience, patience_ms));
    for (const Stop& stop : lesson.stops) {
      open.workbench.lessons().stop_forward();
      wait_until_idle(open.workbench);
      INFO(lesson.id << ", " << stop.title);
      check_figures(audience);
      check_table(audience);
      if (shows(audience, "narration")) CHECK_FALSE(audience.narration().text().document()->isEmpty());
      for (const QScrollBar* bar : audience.findChildren<QScrollBar*>()) {
        INFO(bar->parentWidget()->parentWidget()->metaObject()->className());
        CHECK_FALSE(bar->isVisible());
      }
    }
    presentation.stop();
    open.settle();
  }
}

TEST_CASE("a table without columns takes no room, and comes back with its first one") {
  OpenWorkbench open;
  open.open_lesson("hu/what-a-search-gains");
  Presentation& presentation = open.window.presentation();
  presentation.start({QRect(QPoint(), least_stage)}, 0);
  AudienceWindow& audience = *presentation.audience();
  open.workbench.lessons().go_to_stop(0);
  wait_until_idle(open.workbench);
  CHECK_FALSE(shows(audience, "arrays"));
  CHECK(audience.arrays().isHidden());
  CHECK(audience.tree().height() > 0.8 * audience.height());
  open.workbench.lessons().go_to_stop(1);
  wait_until_idle(open.workbench);
  CHECK(shows(audience, "arrays"));
  CHECK(audience.arrays().isVisible());
  audience.show_alone("arrays");  // also where it is empty
  open.workbench.lessons().go_to_stop(0);
  wait_until_idle(open.workbench);
  CHECK(shows(audience, "arrays"));
}

TEST_CASE("a stop's rows of a dimension that is on no axis are shown") {
  OpenWorkbench open;
  open.open_lesson("hu/many-dimensions");
  open.workbench.lessons().go_to_stop(2);
  open.settle();
  const auto names = [&] {
    std::vector<std::string> rows;
    for (const TableRow& row : open.window.arrays().view().table()->rows()) rows.push_back(row.name);
    return rows;
  };
  const auto has = [&](const char* row) { return std::ranges::count(names(), row) == 1; };
  CHECK(has("left_right_mark(x0)"));
  CHECK(has("left_right_mark(x1)"));
  CHECK_FALSE(has("left_right_mark(x2)"));
  open.workbench.lessons().go_to_stop(3);
  open.settle();
  CHECK_FALSE(has("left_right_mark(x0)"));
  CHECK(has("left_right_mark(x53)"));
}

TEST_CASE("the title card of a long introduction is shortened, not written small") {
  OpenWorkbench open;
  open.open_lesson("rank/how-fast");
  Presentation& presentation = open.window.presentation();
  presentation.start({QRect(QPoint(), least_stage)}, 0);
  AudienceWindow& audience = *presentation.audience();
  wait_until_idle(open.workbench);
  const auto& card = *audience.findChild<MarkdownLabel*>(QStringLiteral("title_card"));
  CHECK(card.font().pointSizeF() >= 0.85 * interface_font(audience.text_scale(), 1.3).pointSizeF());
  CHECK(card.height_for(card.width()) <= card.height());
  CHECK(card.text().contains(QStringLiteral("the compulsory 28 bytes")));  // of the table
  CHECK_FALSE(card.text().contains(QStringLiteral("Why so much")));
}

TEST_CASE("the plane behind a face at 0 reads as just above 0") {
  OpenWorkbench open;
  open.open_lesson("zhou/surface-area-heuristic");
  open.workbench.lessons().go_to_stop(0);
  open.settle();
  const ArrayTable& table = *open.window.arrays().view().table();
  const auto row = std::ranges::find(table.rows(), "candidate.value", &TableRow::name);
  REQUIRE(row != table.rows().end());
  const auto at = static_cast<std::size_t>(row - table.rows().begin());
  // Triangle 0 reaches from 12 to 16 in x, from 1 to 4 in y, and lies at z = 0
  CHECK(table.cell(at, 0).text == "12");
  CHECK(table.cell(at, 4).text == "0");
  CHECK(table.cell(at, 5).text == "0\u207a");
}

TEST_CASE("the pane Inside has no controls on the stage") {
  OpenWorkbench open;
  Presentation& presentation = open.window.presentation();
  presentation.start({QRect(QPoint(), least_stage)}, 0);
  AudienceWindow& audience = *presentation.audience();
  audience.show_alone("inside");
  wait_until_idle(open.workbench);
  CHECK(audience.pane("inside").isVisible());
  for (const QAbstractButton* button : audience.pane("inside").findChildren<QAbstractButton*>()) {
    INFO(button->text().toStdString());
    CHECK_FALSE(button->isVisible());
  }
}

TEST_CASE("a label that is too low ends with a whole line") {
  MarkdownLabel label;
  label.setAttribute(Qt::WA_StyledBackground);
  label.set_markdown(QStringLiteral("One\n\nTwo, yet longer, so that it goes on in another line\n\nThree"));
  constexpr int width = 160;
  const int all = label.height_for(width);
  label.resize(width, all);
  const QImage whole = label.grab().toImage();
  const auto has_ink = [](const QImage& image, int y) {
    for (int x = 1; x < image.width(); ++x)
      if (image.pixel(x, y) != image.pixel(0, 0)) return true;
    return false;
  };
  int cut = 0;
  for (int height = 10; height < all; ++height) {
    label.resize(width, height);
    if (!has_ink(whole, height - 1) || !has_ink(whole, height)) continue;  // between two lines
    CAPTURE(height);
    CHECK_FALSE(has_ink(label.grab().toImage(), height - 1));
    ++cut;
  }
  CHECK(cut > 10);
}
