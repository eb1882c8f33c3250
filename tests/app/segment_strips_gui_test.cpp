// Tests arrays with many columns: strips per segment that open into elements, their histograms, and ten million
// columns.

#include <QScrollBar>
#include <QToolButton>
#include <filesystem>

#include "algorithms/trace/trace_file.hpp"
#include "app/panes/arrays_pane.hpp"
#include "tests/app/open_workbench.hpp"
#include "tests/app/painted_texts.hpp"
#include "tests/support/cases.hpp"
#include "tests/support/point_algorithms.hpp"
#include "tests/support/temporary_folder.hpp"

namespace kdscope::segment_strips_gui_test {

namespace {

void run(OpenWorkbench& open, const RunRequest& spec) { open.open_run(spec); }

/// Returns the number of colours in a rectangle under a strip. It is more than one if anything is drawn on the ground
/// colour.
int colours_of(const QImage& picture, QRect rect) { return colours_in(picture.copy(rect.adjusted(2, 2, -2, -2))); }

}  // namespace

TEST_CASE("strips open into segments and elements and close again, by mouse and keys, for every algorithm", "[share]") {
  OpenWorkbench open;
  ArraysPane& pane = open.window.arrays();
  auto& toggle = open.find<QToolButton>("strips_toggle");
  auto& back = open.find<QToolButton>("strips_back");
  CHECK_FALSE(toggle.isVisible());  // ten columns are shown as elements
  for (const AlgorithmSpec& algorithm : test::shown_point_algorithms()) {
    CAPTURE(algorithm.id);
    RunRequest spec{"uniform:n=3000,dim=2,seed=4", algorithm.id, {}, Backend::automatic, true};
    run(open, spec);
    open.show_step(open.workbench.playback().step_count() * 2 / 3);
    pane.tabs().setCurrentIndex(0);  // the table by position, whatever the step changed
    REQUIRE(toggle.isVisible());
    CHECK_FALSE(pane.shows_strips());
    open.click(toggle);
    REQUIRE(pane.shows_strips());
    SegmentStrips& strips = pane.strips();
    strips.setFocus();
    open.settle();
    REQUIRE_FALSE(strips.strips().empty());

    // All columns are present, side by side, in the height of their rows.
    std::uint64_t at = 0;
    for (const Strip& strip : strips.strips()) {
      CHECK(strip.columns.begin == at);
      at = strip.columns.end;
    }
    CHECK(at == pane.view().table()->column_count());
    const QImage picture = strips.viewport()->grab().toImage();
    int lively = 0;
    for (std::size_t row = 1; row < pane.view().table()->rows().size(); ++row)
      lively += colours_of(picture, strips.strip_rect(strips.strips().size() - 1, row) & picture.rect()) > 2;
    CHECK(lively > 0);

    // Keys choose a strip. The chosen strip is selected everywhere, and its values are counted.
    const std::size_t before = strips.current(), row = strips.current_row();
    QTest::keyClick(&strips, Qt::Key_Right, Qt::AltModifier);
    CHECK(strips.current() == std::min(before + 1, strips.strips().size() - 1));
    QTest::keyClick(&strips, Qt::Key_Down, Qt::AltModifier);
    CHECK(strips.current_row() == std::min(row + 1, pane.view().table()->rows().size() - 1));
    // A thinned run has rows that none of its steps wrote.
    const auto has_values = [&] { return pane.view().table()->rows()[strips.current_row()].size > 0; };
    for (std::size_t tries = pane.view().table()->rows().size(); !has_values() && tries > 0; --tries)
      QTest::keyClick(&strips, Qt::Key_Down, Qt::AltModifier);
    REQUIRE(has_values());
    const Strip chosen = strips.strips()[strips.current()];
    const Selection selection = open.workbench.playback().selection();
    CHECK((selection.space == Space::position || selection.space == Space::point));
    CHECK(selection.count == chosen.columns.end - chosen.columns.begin);
    std::uint64_t counted = strips.summary().none;
    for (const std::uint64_t count : strips.summary().bins) counted += count;
    CHECK(counted == chosen.columns.end - chosen.columns.begin);
    const std::uint32_t step = open.step();

    // Enter opens the elements. Backspace and Esc return the same way.
    int opened = 0;
    for (; pane.shows_strips() && opened < 20; ++opened) {
      const IndexRange outer = strips.strips()[strips.current()].columns;
      QTest::keyClick(&strips, Qt::Key_Return);
      if (!pane.shows_strips()) continue;
      CHECK(strips.range() == outer);
      CHECK(back.isVisible());
    }
    REQUIRE_FALSE(pane.shows_strips());
    CHECK(pane.view().first_visible() >=
          chosen.columns.begin - std::min(chosen.columns.begin, pane.view().visible_count()));
    CHECK(back.isVisible());
    open.workbench.playback().select(Selection{});  // otherwise Esc would clear the selection first
    for (int closed = 0; closed < opened; ++closed)
      QTest::keyClick(pane.shows_strips() ? static_cast<QWidget*>(&strips) : &pane.view(),
                      closed % 2 ? Qt::Key_Escape : Qt::Key_Backspace);
    CHECK(pane.shows_strips());
    CHECK_FALSE(strips.can_go_back());
    CHECK_FALSE(back.isVisible());
    CHECK(open.step() == step);

    // A click chooses a strip, and another click opens it. A bar shows its first elements.
    std::size_t filled = 1;
    while (pane.view().table()->rows().at(filled).size == 0) ++filled;
    strips.choose(0, filled);
    const QPoint middle = strips.strip_rect(0, filled).center();
    QTest::mouseClick(strips.viewport(), Qt::LeftButton, {}, middle);
    CHECK(strips.current() == 0);
    const Strip first = strips.strips()[0];
    QTest::mouseClick(strips.viewport(), Qt::LeftButton, {}, middle);
    CHECK((!pane.shows_strips() || strips.range() == first.columns));
    repeat_until([&] { return pane.shows_strips() && !strips.can_go_back(); }, [&] { open.click(back); });
    QTest::mouseClick(strips.viewport(), Qt::LeftButton, {},
                      strips.strip_rect(strips.strips().size() - 1, filled).center());
    strips.choose(strips.strips().size() - 1, filled);
    const auto bar = static_cast<std::size_t>(
        std::find_if(strips.summary().bins.begin(), strips.summary().bins.end(), [](auto c) { return c > 0; }) -
        strips.summary().bins.begin());
    const IndexRange last = strips.strips().back().columns;
    QTest::mouseClick(strips.viewport(), Qt::LeftButton, {}, strips.bar_rect(bar).center());
    REQUIRE_FALSE(pane.shows_strips());
    const Selection elements = open.workbench.playback().selection();
    if (elements.space == Space::position) {
      CHECK(elements.index >= last.begin);
      CHECK(elements.index + elements.count <= last.end);
    }
    open.click(toggle);
    open.click(toggle);
    CHECK_FALSE(pane.shows_strips());
  }
}

TEST_CASE("strips follow the steps, themes and text sizes, and keep what is in sight") {
  OpenWorkbench open;
  RunRequest spec{"uniform:n=30000,dim=3,seed=4", "brown", {}, Backend::automatic, true};
  run(open, spec);
  ArraysPane& pane = open.window.arrays();
  REQUIRE(pane.shows_strips());  // this many columns are shown as strips first
  open.show_step(open.workbench.playback().step_count() - 3);
  SegmentStrips& strips = pane.strips();
  REQUIRE(strips.strips().size() > 1);
  CHECK(strips.strips().size() <= 64);
  strips.choose(1, 1);
  strips.open_current();
  const IndexRange range = strips.range();
  if (pane.shows_strips()) {
    open.workbench.transport().forward();
    CHECK(strips.range() == range);
    CHECK(strips.strips().front().columns.begin == range.begin);
    CHECK(strips.strips().back().columns.end == range.end);
  }
  QImage last;
  for (const char* theme : {"dark", "high-contrast", "light"}) {
    open.workbench.looks().set_theme(theme);
    open.settle();
    const QImage picture = strips.viewport()->grab().toImage();
    CHECK(differing_pixels(picture, last) > 1000);
    last = picture;
  }
  open.workbench.looks().set_text_scale(300);
  open.settle();
  CHECK_FALSE(strips.viewport()->grab().toImage().isNull());
  open.workbench.looks().set_text_scale(100);
  // With fewer columns, elements are shown again.
  open.open_lesson(start_lesson);
  CHECK_FALSE(pane.shows_strips());
}

TEST_CASE("wide numbers are shown in four digits where not all fit, and say all of theirs when hovered") {
  OpenWorkbench open;
  RunRequest spec{"uniform:n=150,dim=3,seed=4", "brown", {}};
  run(open, spec);
  open.show_end();
  ArrayTableView& view = open.window.arrays().view();
  CHECK(view.visible_count() >= 8);  // on 1280 pixels, beside the longest label
  bool real = false;
  for (std::size_t row = 1; row < view.table()->rows().size(); ++row) {
    const std::uint64_t column = view.first_visible();
    const QString exact = QString::fromStdString(view.table()->cell(row, column).text),
                  shown = view.shown_text(row, column).replace(QChar(0x2212), QLatin1Char('-'));
    if (!view.table()->is_real(row)) CHECK(shown == exact);
    if (!view.table()->is_real(row)) continue;
    real = true;
    CHECK(shown.toDouble() == Approx(exact.toDouble()).epsilon(1e-3));
    CHECK(shown.size() <= exact.size());
    CHECK(view.cell_tip(row, column).contains(exact));
  }
  CHECK(real);
  open.open_lesson(start_lesson);
  CHECK(view.shown_text(3, 0) == QString::fromStdString(view.table()->cell(3, 0).text));
}

TEST_CASE("a number above a strip names the node of that segment alone, never one that several segments lie under") {
  OpenWorkbench open;
  RunRequest spec{"uniform:n=3000,dim=2,seed=4", "wald", {}, Backend::automatic, true};
  run(open, spec);
  ArraysPane& pane = open.window.arrays();
  pane.show_strips(true);
  REQUIRE(pane.shows_strips());
  SegmentStrips& strips = pane.strips();
  std::size_t numbers = 0, joined = 0;
  for (std::uint32_t step = 0; step <= open.last_step(); ++step) {
    open.show_step(step);
    for (const PaintedText& text : painted_texts(*strips.viewport(), {})) {
      bool is_number = false;
      text.text.toUInt(&is_number);
      if (!is_number || text.box.bottom() > strips.strip_rect(0, 1).top() + 2) continue;
      for (std::size_t s = 0; s < strips.strips().size(); ++s) {
        const QRect rect = strips.strip_rect(s, 1);
        const Strip& strip = strips.strips()[s];
        if (text.box.center().x() < rect.left() || text.box.center().x() >= rect.right()) continue;
        INFO("step " << step << ", strip " << s << ": " << text.text.toStdString());
        CHECK(strip.members == 1);
        CHECK((strip.node && text.text == QString::number(strip.node->value)));
        ++numbers;
      }
    }
    for (const Strip& strip : strips.strips()) joined += strip.members > 1;
  }
  CHECK(numbers > 0);
  CHECK(joined > 0);
}

TRACE_CASE("ten million columns are opened, stepped through, scrolled and searched for changes", "[share]") {
  const std::uint32_t n = test::everything() ? 10'000'000 : 1'000'000;
  const std::uint32_t element = n / 10 * 7 + 54'321;
  TraceHeader header;
  header.algorithm = header.title = "made by hand";
  header.n = n;
  header.dim = 1;
  TraceBuilder builder(header);
  ArrayInfo tags;
  tags.name = tags.label = "tags";
  tags.value_space = Space::node;
  builder.declare(tags);
  std::vector<std::uint32_t> contents(n, 0);
  for (const char* name : {"first", "second", "third"}) {
    Step step;
    step.name = name;
    step.path = {"build", name};
    Highlight segments{Role::segment, Space::position, {}, {}};
    for (std::uint64_t s = 0; s < 4; ++s) segments.ranges.push_back({n / 4 * s, n / 4 * (s + 1)});
    step.highlights.push_back(segments);
    builder.begin_step(step);
    builder.write("tags", TypedArray::of(contents));
    contents[element] += 1;
  }
  const test::TemporaryFolder folder;
  const std::string path = folder.file("ten_million.kdtrace");
  REQUIRE(save_trace(*builder.finish(), path));

  OpenWorkbench open;
  open.open_another([&] { open.workbench.open(QString::fromStdString(path)); });
  open.settle();
  std::filesystem::remove(path);  // the window needs it no longer
  ArraysPane& pane = open.window.arrays();
  REQUIRE(pane.shows_strips());
  REQUIRE(pane.strips().strips().size() == 4);
  CHECK(pane.strips().summary().columns == n / 4);

  QTest::mouseClick(pane.strips().viewport(), Qt::LeftButton, {}, pane.strips().strip_rect(3, 1).center());
  pane.strips().open_current();
  REQUIRE_FALSE(pane.shows_strips());
  CHECK(pane.view().first_visible() == n / 4 * 3);
  QScrollBar* bar = pane.view().horizontalScrollBar();
  bar->setValue(bar->maximum());
  CHECK(pane.view().first_visible() + pane.view().visible_count() >= n);
  CHECK(pane.view().cell_rect(1, n - 1).isValid());
  CHECK(pane.view().shown_text(0, n - 1) == QString::number(n - 1));
  for (int i = 0; i < 20; ++i) bar->setValue(bar->maximum() / 20 * i);
  open.picture();

  // A single changed element is found among all columns.
  open.workbench.transport().forward();
  open.settle();
  CHECK(pane.view().table()->changes(1) == std::vector<IndexRange>{{element, element + 1ull}});
  pane.view().centre(element);
  CHECK(pane.view().table()->cell(1, element).changed);
  CHECK(pane.view().cell_rect(1, element).isValid());
  open.workbench.playback().select({Space::position, n / 4, {}, n / 4});
  open.settle();
  CHECK(pane.view().first_visible() <= n / 4);
  CHECK(pane.view().first_visible() + pane.view().visible_count() > n / 4);
}

}  // namespace kdscope::segment_strips_gui_test
