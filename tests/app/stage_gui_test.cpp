// Measures the areas of a presentation, over the shipped lessons: figures have room, tables show something, narrations
// can be read, and nobody is asked to scroll.

#include <QAbstractButton>
#include <QLabel>
#include <QTabBar>
#include <cmath>
#include <functional>
#include <map>
#include <set>
#include <string>

#include "algorithms/trace/row_reader.hpp"
#include "app/appearance/appearance.hpp"
#include "app/panes/arrays_pane.hpp"
#include "app/panes/histogram_pane.hpp"
#include "app/panes/legend.hpp"
#include "app/present/markdown_label.hpp"
#include "app/present/presentation.hpp"
#include "app/views/scene_view.hpp"
#include "app/views/step_slider.hpp"
#include "tests/app/on_stage.hpp"
#include "tests/app/rows_in_sight.hpp"
#include "tests/support/campaign.hpp"
#include "tests/support/share.hpp"

using namespace kdscope;

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
  CHECK(card.text().contains(QStringLiteral("the compulsory 28 bytes")));                 // of the table
  CHECK(card.text().contains(QStringLiteral("Ten million uniform points on one H100")));  // and what it is of
  CHECK_FALSE(card.text().contains(QStringLiteral("Why so much")));
}

namespace {

struct Stage {
  QSize size;
  int text_scale;
};
constexpr Stage stages[]{{least_stage, 100}, {least_stage, 200}, {{1920, 1080}, 100}};

/// The texts of each row of a table, from left to right, without the names of the rows. A sign that another font has
/// belongs to the digits before it.
std::vector<std::vector<PaintedText>> texts_of_rows(const ArrayTableView& view) {
  std::map<int, std::vector<PaintedText>> rows;
  const int left = view.cell_rect(0, view.first_visible()).left();
  for (const PaintedText& text : painted_texts(*view.viewport()))
    if (text.box.left() >= left) rows[static_cast<int>(text.box.center().y())].push_back(text);
  std::vector<std::vector<PaintedText>> joined;
  for (auto& [y, texts] : rows) {
    std::ranges::sort(texts, {}, [](const PaintedText& text) { return text.box.left(); });
    joined.emplace_back();
    for (const PaintedText& text : texts)
      if (!joined.back().empty() && text.box.left() < joined.back().back().box.right() + 0.5)
        joined.back().back().box |= text.box;
      else
        joined.back().push_back(text);
  }
  return joined;
}

/// Numbers of neighbouring columns stand so far apart that they read as two.
void check_columns(const ArrayTableView& view) {
  constexpr double least = 0.35;  // of their size
  for (const std::vector<PaintedText>& row : texts_of_rows(view))
    for (std::size_t i = 1; i < row.size(); ++i) {
      CAPTURE(row[i].text.toStdString(), row[i - 1].text.toStdString(), row[i].pixels);
      CHECK(row[i].box.left() - row[i - 1].box.right() >= least * row[i].pixels);
    }
}

}  // namespace

TEST_CASE("on stage, nine in ten narrations of a lesson have one size, digits of tables two, and columns stand apart",
          "[share][alone][screen]") {
  OpenWorkbench open;
  std::set<std::string> mixed;  // lessons of which a table has a third size
  for (const Stage& stage : stages) {
    open.workbench.looks().set_text_scale(stage.text_scale);
    // A share has few lessons, on every stage. Of all lessons, each has one stage in turn, or in a campaign every
    // stage.
    std::ptrdiff_t turn = &stage - stages;
    for (const Lesson* lesson : every_nth_lesson(open.workbench, test::everything() ? 1 : 7)) {
      if (test::everything() && !test::is_campaign() && turn++ % std::ssize(stages) != 0) continue;
      std::map<double, std::size_t> sizes;
      std::map<long, std::size_t> sizes_of_digits;  // in tenths of points
      double foot = 0;
      walk_on_stage(open, {lesson}, stage.size, [&](const Lesson&, const Stop* stop, AudienceWindow& audience) {
        if (!stop) return;
        const bool narrates = shows(audience, "narration");
        const double words = narrates ? audience.narration().text().font().pointSizeF() : 0;
        if (narrates) ++sizes[words];
        foot = std::max(foot, audience.findChild<QLabel*>(QStringLiteral("place"))->font().pointSizeF());
        if (!shows(audience, "arrays") || audience.arrays().shows_strips()) return;
        check_columns(audience.arrays().view());
        if (stage.text_scale > 100) return;
        const double digits = audience.arrays().view().digits().pointSizeF();
        ++sizes_of_digits[std::lround(10 * digits)];
        if (narrates) CHECK(digits <= 1.02 * words);
      });
      INFO(lesson->id << ", " << stage.size.width() << ", " << stage.text_scale << " %");
      CAPTURE(sizes, sizes_of_digits);
      CHECK(sizes_of_digits.size() <= 3);
      if (sizes_of_digits.size() > 2) mixed.insert(lesson->id);
      if (sizes.empty()) continue;
      const auto& [largest, stops] = *sizes.rbegin();
      CHECK(sizes.size() <= 2);
      CHECK(lesson->stops.size() - stops <= (lesson->stops.size() + 9) / 10);
      CHECK(sizes.begin()->first >= 0.86 * largest);
      CHECK(foot <= 1.001 * largest);
    }
  }
  CHECK(mixed.size() <= 1);
}

TEST_CASE("in a legend without room, what lasts goes first behind the first stop that shows it") {
  OpenWorkbench open;
  open.open_lesson("wald/ten-points");
  Presentation& presentation = open.window.presentation();
  presentation.start({QRect(QPoint(), QSize(1920, 1080))}, 0);
  constexpr int wide = 1600;
  const auto words_at = [&](int stop, int width) {
    open.workbench.lessons().go_to_stop(stop);
    wait_until_idle(open.workbench);
    return presentation.audience()->findChild<LegendStrip*>()->words(width);
  };
  CHECK(words_at(0, wide).contains(QStringLiteral("= point 3")));
  CHECK(words_at(3, wide).contains(QStringLiteral("subtree")));
  const QStringList known{"subtree", "split plane"};
  const QStringList later = words_at(6, wide);
  for (const QString& word : known) CHECK(later.contains(word));
  CHECK(later.contains(QStringLiteral("segment")));
  for (const char* name : {"= point 3", "= node 7"}) CHECK_FALSE(later.contains(QLatin1String(name)));
  const auto is_known = [&](const QString& word) { return known.contains(word); };
  for (int width = wide; width > 0; width -= 20) {
    const QStringList left = words_at(6, width);
    CAPTURE(width, left.join(QLatin1Char(' ')).toStdString());
    if (std::ranges::any_of(left, is_known))
      CHECK(std::ranges::count_if(left, std::not_fn(is_known)) == std::ranges::count_if(later, std::not_fn(is_known)));
  }
  CHECK(words_at(3, wide).contains(QStringLiteral("subtree")));  // also on the way back
  open.open_lesson("wehr/inside-a-block");
  for (int stop = 0; stop < 3; ++stop) {  // what the lanes of the stop's interval do
    CAPTURE(stop);
    const QStringList words = words_at(stop, wide);
    CHECK(words.contains(QStringLiteral("lane writes")) == (stop != 1));
    CHECK(words.contains(QStringLiteral("lane adds")) == (stop == 1));
  }
}

namespace {

std::vector<const Lesson*> lessons_named(const OpenWorkbench& open, const std::set<std::string>& ids) {
  std::vector<const Lesson*> lessons = every_nth_lesson(open.workbench, 1);
  std::erase_if(lessons, [&](const Lesson* lesson) { return !ids.contains(lesson->id); });
  REQUIRE(lessons.size() == ids.size());
  return lessons;
}

/// The arrays of which an element has a value at this step but of which no row is in sight.
std::vector<std::string> arrays_out_of_sight(AudienceWindow& audience, const Cursor& now) {
  const ArrayTableView& view = audience.arrays().view();
  const ArrayTable all(now, nullptr, view.space(), view.axes());
  std::set<std::string> seen;
  for (const RowName& row : view.rows_in_sight()) seen.insert(row.array);
  std::vector<std::string> missing;
  for (std::size_t row = 1; row < all.rows().size(); ++row) {
    bool has_value = false;
    for (std::uint64_t column = 0; column < all.rows()[row].size; ++column)
      has_value |= !RowReader(now, all.rows()[row].name, all.rows()[row].component).is_missing(column);
    if (has_value && !seen.contains(all.rows()[row].name)) missing.push_back(all.rows()[row].name);
  }
  return missing;
}

}  // namespace

TEST_CASE("twice the text is larger on stage, although one stop has much of it, in the same window", "[screen]") {
  std::map<std::string, std::map<int, double>> sizes;  // of the narration by lesson and percent of the text
  OpenWorkbench open;
  for (const int percent : {100, 200}) {
    open.workbench.looks().set_text_scale(percent);
    walk_on_stage(open, lessons_named(open, {"textbook/first-tree", "hu/ten-points"}), least_stage,
                  [&](const Lesson& lesson, const Stop* stop, AudienceWindow& audience) {
                    double& largest = sizes[lesson.id][percent];
                    if (stop && shows(audience, "narration"))
                      largest = std::max(largest, audience.narration().text().font().pointSizeF());
                  });
  }
  CAPTURE(sizes);
  CHECK(sizes["textbook/first-tree"][200] >= 1.12 * sizes["textbook/first-tree"][100]);
  CHECK(sizes["hu/ten-points"][200] >= 1.2 * sizes["hu/ten-points"][100]);
}

TEST_CASE("a stage's table keeps the halves of a pair together and counts the rows without room", "[screen]") {
  OpenWorkbench open;
  int signs = 0;
  walk_on_stage(open, lessons_named(open, {"rank/how-fast"}), least_stage,
                [&](const Lesson&, const Stop* stop, AudienceWindow& audience) {
                  if (!stop || !shows(audience, "arrays")) return;
                  const Cursor& now = *open.workbench.playback().cursor();
                  std::set<std::string> seen;
                  for (const RowName& row : audience.arrays().view().rows_in_sight()) seen.insert(row.array);
                  CHECK(seen.contains("bracket.lo") == seen.contains("bracket.hi"));
                  const bool says_so =
                      audience.findChild<QLabel*>(QStringLiteral("place"))->text().contains(QStringLiteral(", +"));
                  CHECK(says_so == !arrays_out_of_sight(audience, now).empty());
                  signs += says_so;
                });
  CHECK(signs > 0);
}

TEST_CASE("a stage's table shows rows that tell columns apart, and the pivot of a stop that names no column",
          "[screen]") {
  OpenWorkbench open;
  open.open_lesson("brown/partition");
  std::set<std::string> shown;
  walk_on_stage(open, {open.workbench.lessons().lesson()}, least_stage,
                [&](const Lesson&, const Stop* stop, AudienceWindow& audience) {
                  if (!stop || stop->title != "Each point's side") return;
                  for (const RowName& row : audience.arrays().view().rows_in_sight()) shown.insert(row.array);
                });
  for (const char* row : {"reference(x)", "value(x)", "side(x)", "reference(y)", "value(y)", "side(y)"}) {
    CAPTURE(row);
    CHECK(shown.contains(row));
  }
  open.open_lesson("wald/bunny");
  int stops = 0;
  walk_on_stage(open, {open.workbench.lessons().lesson()}, least_stage,
                [&](const Lesson&, const Stop* stop, AudienceWindow& audience) {
                  if (!stop || stop->title != "The first cut") return;
                  ++stops;
                  CHECK_FALSE(audience.arrays().view().cell_rect(0, 1023).isEmpty());
                });
  CHECK(stops == 1);
}

TEST_CASE("a stage's table shows all of its few rows, in at most two sizes", "[screen]") {
  OpenWorkbench open;
  for (const QSize size : {least_stage, QSize(1920, 1080)})
    walk_on_stage(
        open,
        lessons_named(open, {"wald/ten-points", "zhou/ray", "wald/bunny", "brown/partition", "zhou/whole-pipeline"}),
        size, [&](const Lesson& lesson, const Stop* stop, AudienceWindow& audience) {
          if (!stop || !shows(audience, "arrays")) return;
          const Cursor& now = *open.workbench.playback().cursor();
          CHECK(rows_out_of_sight(*stop, audience, now) == std::vector<std::string>());
          if (lesson.id == "wald/ten-points" || lesson.id == "zhou/ray")
            CHECK(arrays_out_of_sight(audience, now) == std::vector<std::string>());
          std::set<int> sizes;  // tenths of pixels
          for (const PaintedText& text : painted_texts(*audience.arrays().view().viewport()))
            sizes.insert(static_cast<int>(std::lround(10 * text.pixels)));
          CAPTURE(sizes);
          CHECK(sizes.size() <= 2);
        });
}

TEST_CASE("narration and question have one size, and what a search says is no larger", "[screen]") {
  OpenWorkbench open;
  int searches = 0, questions = 0;
  const std::set<std::string> ids{"zhou/ray", "wald/nearest-with-a-stack", "textbook/first-tree"};
  for (const QSize size : {least_stage, QSize(1920, 1080)})
    walk_on_stage(open, lessons_named(open, ids), size, [&](const Lesson&, const Stop* stop, AudienceWindow& audience) {
      if (!stop || !shows(audience, "narration")) return;
      const double words = audience.narration().text().font().pointSizeF();
      CHECK(words >= 1.1 * interface_font(audience.text_scale()).pointSizeF());
      if (const auto* question = audience.findChild<QuestionPanel*>(); question->isVisible()) {
        CHECK(question->findChild<QTextBrowser*>(QStringLiteral("question_page"))->font().pointSizeF() == words);
        ++questions;
      }
      if (!shows(audience, "search") || !audience.pane("search").isVisible()) return;
      CHECK(audience.pane("search").findChild<MarkdownLabel*>()->font().pointSizeF() <= words);
      ++searches;
    });
  CHECK(searches > 10);
  CHECK(questions > 20);
}

TEST_CASE("a tree beside a plot has a quarter of the stage, and a plane all of its points", "[screen]") {
  OpenWorkbench open;
  open.window.scene().set_camera([&] {
    CameraState camera = open.window.scene().camera();
    camera.parallel_scale /= 4;
    return camera;
  }());
  REQUIRE_FALSE(open.window.scene().fitted_to());
  walk_on_stage(open, lessons_named(open, {"wald/ten-points", "wehr/tracking", "zhou/ray"}), least_stage,
                [&](const Lesson&, const Stop* stop, AudienceWindow& audience) {
                  if (stop && shows(audience, "tree")) CHECK(audience.tree().width() >= 0.25 * audience.width());
                  if (stop && audience.scene().scene().is_2d()) CHECK(audience.scene().fitted_to());
                });
}

TEST_CASE("a stop in space is seen on stage as its lesson means it, however the window's view is turned", "[screen]") {
  OpenWorkbench open;
  open.open_lesson("wald/bunny");
  open.workbench.lessons().go_to_stop(1);
  open.window.scene().set_camera([&] {
    CameraState camera = open.window.scene().camera();
    camera.position[0] += 5 * (camera.position[2] - camera.focal_point[2]);
    return camera;
  }());
  REQUIRE_FALSE(open.window.scene().fitted_to());
  auto& presentation = *open.window.findChild<Presentation*>();
  presentation.start({QRect(0, 0, 1280, 720)}, 0);
  REQUIRE(presentation.running());
  CHECK(presentation.audience()->scene().fitted_to() == CameraPreset::reset);
  presentation.stop();
}

TEST_CASE("figures stand at one place at all stops of a lesson that show the same panes", "[screen]") {
  OpenWorkbench open;
  for (const QSize size : {least_stage, QSize(1920, 1080)})
    for (const Lesson* lesson : every_nth_lesson(open.workbench, 9)) {
      std::map<std::vector<std::string>, std::set<std::pair<int, int>>> places;  // left edges and widths of the first
      walk_on_stage(open, {lesson}, size, [&](const Lesson&, const Stop* stop, AudienceWindow& audience) {
        const std::vector<std::string> shown = audience.shown_panes();
        if (!stop || pane_named(shown.front()).form != PaneForm::picture) return;
        const QRect place = audience.pane(shown.front()).geometry();
        places[shown].insert({place.left(), place.width()});
      });
      INFO(lesson->id << ", " << size.width());
      for (const auto& [panes, edges] : places) CHECK(edges.size() == 1);
    }
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

TEST_CASE("on stage, no name of an array of counts is cut", "[screen]") {
  OpenWorkbench open;
  int tabs_seen = 0;
  walk_on_stage(open, lessons_named(open, {"wald/sorted-queries", "wehr/segmented-radix-sort"}), least_stage,
                [&](const Lesson&, const Stop* stop, AudienceWindow& audience) {
                  if (!stop || !shows(audience, "histogram")) return;
                  const auto& tabs = *audience.pane("histogram").findChild<QTabBar*>(QStringLiteral("count_arrays"));
                  CHECK(tabs.isTabVisible(tabs.currentIndex()));
                  for (int tab = 0; tab < tabs.count(); ++tab) {
                    if (!tabs.isTabVisible(tab)) continue;
                    CHECK(tabs.tabRect(tab).width() >= tabs.fontMetrics().horizontalAdvance(tabs.tabText(tab)));
                    ++tabs_seen;
                  }
                });
  CHECK(tabs_seen > 8);
}

TEST_CASE("on stage, a histogram has all of its columns in sight", "[screen]") {
  OpenWorkbench open;
  int seen = 0;
  walk_on_stage(open, lessons_named(open, {"wehr/why-the-strategy-switches"}), least_stage,
                [&](const Lesson&, const Stop* stop, AudienceWindow& audience) {
                  if (!stop || !shows(audience, "histogram")) return;
                  const HistogramView& view = static_cast<HistogramPane&>(audience.pane("histogram")).view();
                  REQUIRE(view.counts());
                  CHECK(view.counts()->slot_count() >= 63);
                  CHECK(view.window().width() >= 1);
                  ++seen;
                });
  CHECK(seen == 2);
}

TEST_CASE("a line at the bottom of the stage shows the stops, and leads to each without the keyboard", "[screen]") {
  OpenWorkbench open;
  LessonPlayer& lessons = open.workbench.lessons();
  walk_on_stage(open, lessons_named(open, {"wald/six-points"}), least_stage,
                [&](const Lesson& lesson, const Stop* stop, AudienceWindow& audience) {
                  auto& line = *audience.findChild<StepSlider*>(QStringLiteral("stops_line"));
                  CHECK(line.isVisible());
                  CHECK(line.height() <= audience.height() / 50);
                  CHECK(line.maximum() == static_cast<int>(lesson.stops.size()));
                  CHECK(line.value() == (stop ? lessons.stop_index() + 1 : 0));
                  if (!stop) return;
                  CHECK(line.tip_at(static_cast<std::uint32_t>(line.value())).toStdString() == stop->title);
                  const QWidget* focus = QApplication::focusWidget();
                  const int here = lessons.stop_index();
                  for (const int place : {line.maximum(), here + 1}) {
                    const QPoint at(static_cast<int>(line.x_of(place)), line.height() / 2);
                    QTest::mouseClick(&line, Qt::LeftButton, {}, at);
                    wait_until_idle(open.workbench);
                    CHECK(lessons.stop_index() == place - 1);
                  }
                  CHECK(QApplication::focusWidget() == focus);
                });
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
