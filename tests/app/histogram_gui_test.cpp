// Tests what a histogram shows in little room: a few rows keep their numbers, and what stands around them gives way.

#include "app/panes/histogram_pane.hpp"
#include "tests/app/open_workbench.hpp"
#include "tests/app/painted_texts.hpp"

using namespace kdscope;

TEST_CASE("a histogram of a few rows shows all their numbers, also in a low pane") {
  OpenWorkbench open;
  open.show_answers();
  open.open_lesson("wehr/segmented-radix-sort");
  for (int stop = 0; stop < 5; ++stop) open.workbench.lessons().stop_forward();
  open.settle();
  for (const QSize size : {QSize(880, 160), QSize(400, 160), QSize(880, 600)}) {
    CAPTURE(size.width(), size.height());
    HistogramPane pane(open.workbench);
    pane.resize(size);
    pane.show();
    REQUIRE(QTest::qWaitForWindowExposed(&pane, patience_ms));
    open.settle();
    const HistogramView& view = pane.view();
    REQUIRE(view.counts());
    REQUIRE(view.counts()->row_count() == 4);
    CHECK(view.shows_numbers());
    QStringList texts;
    for (const PaintedText& painted : painted_texts(*pane.view().viewport())) texts << painted.text;
    for (std::uint64_t cell = 0; cell < view.counts()->size(); ++cell) {
      CHECK_FALSE(view.cell_rect(cell).isEmpty());
      CHECK(texts.contains(QString::fromStdString(view.counts()->text(cell))));
    }
    CHECK(pane.minimap().isHidden());
    CHECK(pane.findChild<QLabel*>(QStringLiteral("histogram_status"))->isVisible() == (size.height() > 300));
  }
}
