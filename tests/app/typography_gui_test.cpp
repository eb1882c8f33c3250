// Tests what large text does to the window, and how texts sit in their fields: nothing overlaps, no line is cut in two,
// and each pane gets a share of the room.

#include <QAbstractButton>
#include <QAbstractTextDocumentLayout>
#include <QComboBox>
#include <QDialog>
#include <QDockWidget>
#include <QLabel>
#include <QLineEdit>
#include <QScrollBar>
#include <QSlider>
#include <QTabBar>
#include <QTextBlock>
#include <QTextBrowser>
#include <QTextLayout>
#include <QTextTable>
#include <QTreeView>
#include <cmath>

#include "app/appearance/appearance.hpp"
#include "app/appearance/key_list.hpp"
#include "app/panes/narration_pane.hpp"
#include "app/panes/question_column.hpp"
#include "app/panes/question_panel.hpp"
#include "app/views/scene_view.hpp"
#include "app/views/step_slider.hpp"
#include "tests/app/on_stage.hpp"
#include "tests/support/share.hpp"
#include "visualizer/style/tokens.hpp"

namespace kdscope::typography_gui_test {

namespace {

constexpr QSize projector(1280, 720);

/// The visible parts of a question, from its text to its buttons.
std::vector<QWidget*> parts_of(QuestionPanel& panel) {
  std::vector<QWidget*> parts;
  for (QWidget* part : panel.findChildren<QWidget*>())
    if (part->isVisible() &&
        (qobject_cast<QAbstractButton*>(part) || qobject_cast<QTextBrowser*>(part) || qobject_cast<QLineEdit*>(part)) &&
        !qobject_cast<QLineEdit*>(part->parentWidget()))
      parts.push_back(part);
  return parts;
}

void check_apart(QuestionPanel& panel) {
  const std::vector<QWidget*> parts = parts_of(panel);
  REQUIRE(parts.size() > 1);
  const auto place = [&](const QWidget* part) { return QRect(part->mapTo(&panel, QPoint()), part->size()); };
  for (std::size_t a = 0; a < parts.size(); ++a) {
    INFO(parts[a]->objectName().toStdString() << " " << parts[a]->accessibleName().toStdString());
    CHECK(panel.rect().contains(place(parts[a])));
    for (std::size_t b = a + 1; b < parts.size(); ++b) CHECK_FALSE(place(parts[a]).intersects(place(parts[b])));
  }
}

/// Checks that each line of a text, which scrolls by itself or in a column, is whole or covered, and returns how many
/// are whole.
int whole_lines(QTextBrowser& page, const QScrollArea& column) {
  const auto here = [&](const QWidget& other, int y) {
    return page.viewport()->mapFromGlobal(other.mapToGlobal(QPoint(0, y))).y();
  };
  int end = std::min(page.viewport()->height(), here(*column.viewport(), column.viewport()->height()));
  for (const QWidget* area : std::initializer_list<const QWidget*>{&page, &column})
    if (const auto* cover = area->findChild<QWidget*>(QStringLiteral("end_of_lines"), Qt::FindDirectChildrenOnly);
        cover->isVisible())
      end = std::min(end, here(*cover, 0));
  const int top = page.verticalScrollBar()->value();
  int whole = 0;
  for (QTextBlock block = page.document()->begin(); block.isValid(); block = block.next())
    for (int i = 0; i < block.layout()->lineCount(); ++i) {
      const QRectF line = block.layout()->lineAt(i).rect().translated(
          0, page.document()->documentLayout()->blockBoundingRect(block).top() - top);
      INFO(block.text().toStdString() << ", line " << i);
      CHECK((line.bottom() <= end + 1 || line.top() >= end - 1));
      whole += line.top() >= 0 && line.bottom() <= end + 1;
    }
  return whole;
}

}  // namespace

TEST_CASE("at large text nothing overlaps, lines are whole, and view and narration have room", "[share]") {
  OpenWorkbench open(projector);
  auto& panel = open.find<QuestionPanel>("question_panel");
  auto& text = *open.window.findChild<NarrationPane*>()->findChild<QTextBrowser*>();
  const auto& column = *open.window.findChild<QuestionColumn*>()->findChild<QScrollArea*>();
  auto& slider = *open.window.findChild<StepSlider*>();
  std::size_t number = 0;
  for (const int scale : {100, 150, 200, 300}) {
    open.workbench.looks().set_text_scale(scale);
    open.rest();
    for (int stop = 0; stop < static_cast<int>(open.workbench.lessons().stop_steps().size()); ++stop) {
      if (number++ % test::every_nth(2) != 0) continue;
      open.workbench.lessons().go_to_stop(stop);
      open.rest();
      INFO("stop " << stop + 1 << " at " << scale << " %");
      // Where both have no room, the question comes first, and the narration above it by scrolling
      auto& page = open.find<QTextBrowser>("question_page");
      CHECK(whole_lines(column.verticalScrollBar()->maximum() > 0 ? page : text, column) >= 2);
      for (int question = 0; question < open.workbench.questions().count(); ++question) {
        open.workbench.questions().go_to(question);
        open.settle();
        check_apart(panel);
        // All of a question is in its place, or comes by scrolling, and its buttons are in sight.
        CHECK((column.verticalScrollBar()->maximum() > 0 || panel.visibleRegion().boundingRect() == panel.rect()));
        for (const QToolButton* button : panel.buttons()->findChildren<QToolButton*>())
          if (!button->isHidden()) CHECK(button->visibleRegion().boundingRect() == button->rect());
      }
      CHECK(open.window.scene().height() >= projector.height() * 3 / 10);
      // No pane lies over the transport.
      CHECK(slider.visibleRegion().boundingRect() == slider.rect());
      CHECK(slider.mapTo(&open.window, slider.rect().bottomRight()).y() < open.window.height());
    }
  }
}

TEST_CASE("of every question, all choices or the field, the buttons and some lines are in sight at large text",
          "[share]") {
  OpenWorkbench open(projector);
  auto& panel = open.find<QuestionPanel>("question_panel");
  auto& narration = *open.window.findChild<NarrationPane*>()->findChild<QTextBrowser*>();
  auto& page = open.find<QTextBrowser>("question_page");
  const auto& column = *open.window.findChild<QuestionColumn*>()->findChild<QScrollArea*>();
  const auto is_whole = [](const QWidget& part) { return part.visibleRegion().boundingRect() == part.rect(); };
  for (const int scale : {100, 200}) {
    open.workbench.looks().set_text_scale(scale);
    for (const Lesson* lesson : every_nth_lesson(open.workbench, test::is_campaign() ? 1 : 8)) {
      if (!test::is_tried(lesson->id)) continue;
      if (open.workbench.lessons().lesson()->id != lesson->id) open.open_lesson(lesson->id);
      for (int stop = 0; stop < static_cast<int>(lesson->stops.size()); ++stop) {
        open.workbench.lessons().go_to_stop(stop);
        for (int question = 0; question < open.workbench.questions().count(); ++question) {
          open.workbench.questions().go_to(question);
          open.rest();
          INFO(lesson->id << ", stop " << stop + 1 << ", question " << question + 1 << " at " << scale << " %");
          for (const QWidget* part : parts_of(panel))
            if (!qobject_cast<const QTextBrowser*>(part)) {
              INFO(part->objectName().toStdString() << " " << part->accessibleName().toStdString());
              CHECK(is_whole(*part));
            }
          for (const QToolButton* button : panel.buttons()->findChildren<QToolButton*>())
            if (!button->isHidden()) CHECK(is_whole(*button));
          CHECK((whole_lines(page, column) >= 2 || is_whole(page)));
          CHECK(whole_lines(narration, column) >= 1);
        }
      }
    }
  }
}

TEST_CASE("the heading of large text is no larger than the text") {
  OpenWorkbench open(projector);
  open.workbench.lessons().go_to_stop(3);
  const QTextDocument& text = *open.window.findChild<NarrationPane*>()->text().document();
  const auto share = [&] {
    const QTextBlock heading = text.begin(), body = heading.next();
    REQUIRE(heading.blockFormat().headingLevel() > 0);
    return heading.layout()->lineAt(0).height() / body.layout()->lineAt(0).height();
  };
  open.settle();
  CHECK(share() > 1.1);
  open.workbench.looks().set_text_scale(200);
  open.settle();
  CHECK(share() < 1.1);
  open.workbench.looks().set_text_scale(300);  // the heading begins the text
  open.settle();
  CHECK(text.begin().blockFormat().headingLevel() == 0);
  CHECK(text.begin().layout()->lineCount() > 1);
}

TEST_CASE("in front of a class the narration is larger where it has room", "[screen]") {
  OpenWorkbench open(projector);
  int larger = 0, stops = 0;
  walk_on_stage(open, {open.workbench.lessons().lesson()}, least_stage,
                [&](const Lesson&, const Stop* stop, AudienceWindow& audience) {
                  if (!stop || !shows(audience, "narration")) return;
                  const auto& text = *audience.narration().findChild<QTextBrowser*>();
                  const double usual = interface_font(audience.text_scale()).pointSizeF();
                  larger += text.font().pointSizeF() > 1.1 * usual;
                  ++stops;
                });
  CAPTURE(stops, larger);
  CHECK(larger > stops / 2);
}

TEST_CASE("the text of a field keeps a distance from its border") {
  OpenWorkbench open;
  open.workbench.lessons().go_to_stop(2);
  open.settle();
  for (const char* name : {"question_field", "step_number"}) {
    auto& field = open.find<QWidget>(name);
    auto* line = qobject_cast<QLineEdit*>(&field);
    if (!line) line = field.findChild<QLineEdit*>();
    const std::vector<PaintedText> texts = painted_texts(*line, {});
    INFO(name);
    REQUIRE(texts.size() == 1);
    CHECK(line->mapTo(&field, texts[0].box.topLeft()).x() >= 6);
    CHECK(line->mapTo(&field, texts[0].box.topRight()).x() <= field.width() - 6);
  }
}

TEST_CASE(
    "names above the slider are whole, on a clear ground, and left out where they do not fit but for the present") {
  OpenWorkbench open;
  open.open_lesson("wehr/segmented-radix-sort");
  open.show_answers();
  open.workbench.lessons().go_to_stop(1);
  open.settle();
  auto& slider = *open.window.findChild<StepSlider*>();
  const Theme& t = theme(ThemeId::light);
  const PhaseBand* here = band_at(slider.bands(), open.step());
  REQUIRE(here);
  for (const int width : {1400, 900, 600, 300}) {
    slider.resize(width, slider.height());
    const std::vector<PaintedText> texts = painted_texts(slider, {});
    const QImage picture = slider.grab().toImage();
    int names = 0;  // of the present phase
    for (const PaintedText& text : texts) {
      INFO(text.text.toStdString() << " at " << width);
      const auto band = std::ranges::find_if(
          slider.bands(), [&](const PhaseBand& b) { return slider.strip(b).contains(text.box.center()); });
      REQUIRE(band != slider.bands().end());
      // That of the present one may stand over its neighbours.
      const bool is_here = text.text.toStdString() == here->name && &text == &texts.back();
      names += is_here;
      if (!is_here) CHECK(text.text.toStdString() == band->name);
      if (!is_here) CHECK(text.box.width() <= slider.strip(*band).width());
      CHECK(text.box.left() >= 0);
      CHECK(text.box.right() <= width);
      const Rgb ground = phase_ground(t, is_here ? here->kind : band->kind, is_here);
      for (const double x : {text.box.left() - 1, text.box.right() + 1})
        CHECK(picture.pixelColor(static_cast<int>(x), static_cast<int>(text.box.center().y())) == colour(ground));
    }
    CHECK(names == 1);
  }
  CHECK(painted_texts(slider, {}).size() < slider.bands().size());  // at 300 pixels
}

TEST_CASE("every text of the window and of each pane has a size of the type scale, of 12 pixels at least", "[share]") {
  OpenWorkbench open(projector);
  const double body = interface_font(100).pointSizeF();
  constexpr double scale[]{tokens::small_text, 1, tokens::lesson_text, tokens::title_text};
  int texts = 0;
  const auto check = [&](const QString& pane) {
    open.settle();
    for (const QWidget* part : open.window.findChildren<QWidget*>()) {
      const bool has_text = qobject_cast<const QLabel*>(part) || qobject_cast<const QAbstractButton*>(part) ||
                            qobject_cast<const QComboBox*>(part) || qobject_cast<const QLineEdit*>(part) ||
                            qobject_cast<const QTabBar*>(part) || qobject_cast<const QTreeView*>(part);
      if (!has_text || !part->isVisible() || part->visibleRegion().isEmpty()) continue;
      CAPTURE(pane.toStdString(), part->objectName().toStdString(), part->accessibleName().toStdString(),
              part->metaObject()->className(), part->font().pointSizeF() / body);
      ++texts;
      CHECK(QFontInfo(part->font()).pixelSize() >= 12);
      CHECK(std::ranges::any_of(scale,
                                [&](double size) { return std::abs(part->font().pointSizeF() - size * body) < 0.05; }));
    }
  };
  check(QStringLiteral("the window"));
  for (QDockWidget* dock : open.window.docks()) {
    dock->show();
    dock->raise();
    check(dock->objectName());
    for (QWidget* a : dock->findChildren<QPushButton*>())
      for (QWidget* b : a->parentWidget()->findChildren<QPushButton*>(QString(), Qt::FindDirectChildrenOnly)) {
        if (a == b || a->visibleRegion().isEmpty() || b->visibleRegion().isEmpty()) continue;
        CAPTURE(dock->objectName().toStdString(), a->objectName().toStdString(), b->objectName().toStdString());
        CHECK_FALSE(a->geometry().adjusted(-3, -3, 3, 3).intersects(b->geometry()));  // buttons stand apart
      }
    dock->hide();
  }
  CHECK(texts > 300);
}

TEST_CASE("digits of the interface have one width") {
  const QFontMetricsF metrics(interface_font(100));
  for (const QChar digit : QStringLiteral("123456789"))
    CHECK(metrics.horizontalAdvance(digit) == metrics.horizontalAdvance(QLatin1Char('0')));
}

TEST_CASE("columns of the keys' page are aligned down the page") {
  OpenWorkbench open;
  auto& list = open.find<KeyList>("key_list");
  for (const int scale : {100, 150}) {
    open.workbench.looks().set_text_scale(scale);
    list.show_keys();
    open.settle();
    const QTextDocument& page = *list.findChild<QTextBrowser*>()->document();
    std::set<int> starts;
    const auto visit = [&](const auto& self, const QTextFrame& frame) -> void {
      for (QTextFrame* child : frame.childFrames()) {
        self(self, *child);
        const auto* table = qobject_cast<QTextTable*>(child);
        if (!table || table->childFrames().size() > 0) continue;
        for (int row = 0; row < table->rows(); ++row)
          starts.insert(qRound(
              page.documentLayout()->blockBoundingRect(table->cellAt(row, 1).firstCursorPosition().block()).left()));
      }
    };
    visit(visit, *page.rootFrame());
    CAPTURE(scale);
    CHECK(starts.size() >= 1);
    CHECK(starts.size() <= 3);
    list.close();
  }
}

TEST_CASE("lists of the export dialog are as wide as their words") {
  OpenWorkbench open;
  open.press(Qt::Key_E, Qt::ControlModifier);
  auto& dialog = open.find<QDialog>("export");
  REQUIRE(QTest::qWaitFor([&] { return dialog.isVisible(); }, patience_ms));
  for (const char* name : {"export_what", "export_format", "export_theme"})
    CHECK(open.find<QComboBox>(name).width() <= open.find<QComboBox>(name).sizeHint().width());
  CHECK(open.find<QLineEdit>("export_file").width() > dialog.width() / 2);
  dialog.reject();
}

TEST_CASE("the slider of moves ends before the words of the changes begin") {
  OpenWorkbench open(projector);
  open.workbench.motion().set_enabled(true);
  open.workbench.lessons().go_to_stop(2);
  for (const int scale : {100, 150}) {
    open.workbench.looks().set_text_scale(scale);
    open.rest();
    const auto& moves = open.find<QSlider>("motion");
    const auto& words = open.find<QLabel>("changes");
    if (!moves.isVisible() || !words.isVisible()) continue;
    CAPTURE(scale);
    CHECK(words.x() - moves.geometry().right() >= 8);
  }
}

}  // namespace kdscope::typography_gui_test
