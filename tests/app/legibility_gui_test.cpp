// Tests every widget of the window, in every theme and at the ends of the text scale: no text is cut, texts have enough
// contrast, every widget that takes the keyboard has a name, and Tab and F6 reach it.

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAbstractScrollArea>
#include <QAccessible>
#include <QComboBox>
#include <QDockWidget>
#include <QLabel>
#include <QLineEdit>
#include <QOpenGLWidget>
#include <QPushButton>
#include <QScrollBar>
#include <QSpinBox>
#include <bit>
#include <map>

#include "app/panes/arrays_pane.hpp"
#include "app/panes/legend.hpp"
#include "app/present/pane_keys.hpp"
#include "app/present/presentation.hpp"
#include "app/recording/navigation.hpp"
#include "app/views/scene_view.hpp"
#include "tests/app/open_workbench.hpp"
#include "tests/app/painted_texts.hpp"
#include "tests/app/small_leaves.hpp"
#include "tests/support/point_algorithms.hpp"

using namespace kdscope;

namespace {

std::string describe(const QWidget& widget) {
  std::string path;
  for (const QWidget* w = &widget; w && !w->isWindow(); w = w->parentWidget())
    path = std::string(w->metaObject()->className()) +
           (w->objectName().isEmpty() ? "" : "#" + w->objectName().toStdString()) + " " + path;
  return path;
}

bool is_inside_text_field(const QWidget& widget) {
  return qobject_cast<const QLineEdit*>(&widget) || qobject_cast<const QAbstractSpinBox*>(&widget);
}

/// Returns whether a widget's content scrolls, so that the user can scroll cut parts into view.
bool scrolls(const QWidget& widget) {
  const auto* area = qobject_cast<const QAbstractScrollArea*>(widget.parentWidget());
  return area && area->viewport() == &widget &&
         (area->horizontalScrollBar()->maximum() > 0 || area->verticalScrollBar()->maximum() > 0 ||
          qobject_cast<const QAbstractItemView*>(area));
}

/// Returns the most frequent colour in a text's box apart from the text's own, or the text's own if there is no other.
QRgb ground_of(const QImage& picture, const QRect& box, QRgb ink) {
  std::map<QRgb, int> counts;
  const QRect inside = box & picture.rect();
  for (int y = inside.top(); y <= inside.bottom(); ++y)
    for (int x = inside.left(); x <= inside.right(); ++x) ++counts[picture.pixel(x, y) & 0xffffff];
  QRgb most = ink & 0xffffff;
  int best = 0;
  counts.erase(most);
  for (const auto& [pixel, count] : counts)
    if (count > best) {
      most = pixel;
      best = count;
    }
  return most;
}

Rgb rgb_of(QRgb pixel) {
  return {static_cast<std::uint8_t>(qRed(pixel)), static_cast<std::uint8_t>(qGreen(pixel)),
          static_cast<std::uint8_t>(qBlue(pixel))};
}

/// Checks one widget's own painting, without its children.
void check_texts(QWidget& widget, double least_contrast) {
  if (qobject_cast<QOpenGLWidget*>(&widget) || widget.visibleRegion().isEmpty()) return;
  const std::vector<PaintedText> texts = painted_texts(widget, {});
  if (texts.empty()) return;
  INFO(describe(widget));
  const bool explained = !widget.toolTip().isEmpty() || !widget.accessibleDescription().isEmpty();
  if (!is_inside_text_field(widget) && !scrolls(widget)) {
    for (const PaintedText& text : texts) {
      INFO("text: " << text.text.toStdString());
      const QRectF whole = QRectF(widget.rect()).adjusted(-1.5, -1.5, 1.5, 1.5);
      if (!explained) {
        const auto* button = qobject_cast<const QAbstractButton*>(&widget);
        if (!button || !button->text().endsWith(QChar(0x2026))) CHECK_FALSE(text.text.endsWith(QChar(0x2026)));
        CHECK(text.box.left() >= whole.left());
        CHECK(text.box.right() <= whole.right());
      }
      // Ascent and descent include space that letters do not use.
      const double slack = 0.2 * text.box.height();
      CHECK(text.box.top() >= whole.top() - slack);
      CHECK(text.box.bottom() <= whole.bottom() + slack);
    }
  }
  if (!widget.isEnabled()) return;
  const QImage behind = widget.window()->grab(QRect(widget.mapTo(widget.window(), QPoint()), widget.size())).toImage();
  for (const PaintedText& text : texts) {
    const QRect box = text.box.toAlignedRect() & widget.rect() & widget.visibleRegion().boundingRect();
    if (box.width() < 4 || box.height() < 4) continue;
    INFO("text: " << text.text.toStdString() << " in " << text.ink.name().toStdString() << " on "
                  << QColor(ground_of(behind, box, text.ink.rgb())).name().toStdString());
    CHECK(contrast(rgb_of(text.ink.rgb()), rgb_of(ground_of(behind, box, text.ink.rgb()))) >= least_contrast);
  }
}

void check_name(QWidget& widget) {
  if (widget.focusPolicy() == Qt::NoFocus || widget.visibleRegion().isEmpty()) return;
  if (widget.objectName().startsWith(QStringLiteral("qt_"))) return;  // part of another widget
  INFO(describe(widget));
  QAccessibleInterface* accessible = QAccessible::queryAccessibleInterface(&widget);
  REQUIRE(accessible != nullptr);
  CHECK_FALSE(accessible->text(QAccessible::Name).isEmpty());
}

void check_all(QWidget& root, double least_contrast) {
  check_name(root);
  check_texts(root, least_contrast);
  for (QWidget* widget : root.findChildren<QWidget*>()) {
    if (widget->isWindow() || widget->visibleRegion().isEmpty()) continue;
    check_name(*widget);
    check_texts(*widget, least_contrast);
  }
}

double least_contrast(ThemeId id) { return id == ThemeId::high_contrast ? 7 : 4.5; }

}  // namespace

TEST_CASE("no text is cut, faint or nameless: every pane, three themes, 80, 100 and 300 per cent", "[share]") {
  OpenWorkbench open;
  open.workbench.playback().seek(4);
  std::size_t number = 0;
  for (const int scale : {80, 100, 300}) {
    for (const ThemeId id : all_themes) {
      if (number++ % test::every_nth(5) != 0) continue;
      open.workbench.looks().set_theme(theme(id).name);
      open.workbench.looks().set_text_scale(scale);
      open.settle();
      CHECK(open.window.width() == 1280);
      for (QDockWidget* dock : open.window.docks()) {
        const bool hidden = dock->isHidden();
        dock->show();
        dock->raise();
        open.settle();
        INFO(dock->objectName().toStdString() << " in " << theme(id).name << " at " << scale);
        check_all(*dock, least_contrast(id));
        if (hidden) dock->hide();
      }
      open.settle();
      INFO(theme(id).name << " at " << scale);
      for (const char* bar : {"transport", "messages"})
        if (auto* found = open.window.findChild<QWidget*>(QString::fromLatin1(bar)))
          check_all(*found, least_contrast(id));
      check_all(*open.window.centralWidget(), least_contrast(id));
    }
  }
}

TEST_CASE("texts of a presentation and of its notes are whole and stand out in every theme") {
  OpenWorkbench open;
  auto& presentation = *open.window.findChild<Presentation*>();
  presentation.start({QRect(0, 0, 1280, 720), QRect(0, 0, 1280, 800)}, 1);
  REQUIRE(presentation.running());
  for (const ThemeId id : all_themes) {
    open.workbench.looks().set_theme(theme(id).name);
    open.settle();
    INFO(theme(id).name);
    for (QWidget* window : std::initializer_list<QWidget*>{presentation.audience(), presentation.notes()})
      check_all(*window, least_contrast(id));
  }
  presentation.stop();
}

TEST_CASE("F6 goes through all panes and back, with a ring around what has the focus") {
  OpenWorkbench open;
  std::vector<QWidget*> visited;
  const auto pane_of_focus = [&]() -> QWidget* {
    QWidget* focused = QApplication::focusWidget();
    REQUIRE(focused != nullptr);
    for (QDockWidget* dock : open.window.docks())
      if (dock->isAncestorOf(focused)) return dock;
    if (open.window.scene().isAncestorOf(focused) || focused == &open.window.scene()) return &open.window.scene();
    return open.window.findChild<QWidget*>(QStringLiteral("transport"));
  };
  std::size_t shown = 2;  // view and transport
  for (QDockWidget* dock : open.window.docks()) shown += !dock->isHidden();
  for (std::size_t i = 0; i < shown; ++i) {
    QTest::keyClick(QApplication::focusWidget() ? QApplication::focusWidget() : &open.window, Qt::Key_F6);
    open.settle();
    QWidget* pane = pane_of_focus();
    INFO(pane->objectName().toStdString());
    CHECK(std::find(visited.begin(), visited.end(), pane) == visited.end());
    CHECK_FALSE(pane->visibleRegion().isEmpty());
    visited.push_back(pane);
    auto* ring = open.window.findChild<FocusRing*>();
    REQUIRE(ring != nullptr);
    CHECK(ring->isVisible());
    QWidget* focused = QApplication::focusWidget();
    CHECK(ring->geometry().intersects(QRect(focused->mapTo(&open.window, QPoint()), focused->size())));
  }
  CHECK(visited.size() == shown);
  QTest::keyClick(QApplication::focusWidget(), Qt::Key_F6, Qt::ShiftModifier);
  open.settle();
  CHECK(pane_of_focus() == visited[visited.size() - 2]);
  QTest::mouseClick(&open.window.scene(), Qt::LeftButton);
  CHECK_FALSE(open.window.findChild<FocusRing*>()->isVisible());
}

TEST_CASE("Tab reaches everything that can be pressed or typed into") {
  OpenWorkbench open;
  for (const char* name : {"narration", "run", "checks"}) open.window.dock(QString::fromLatin1(name))->raise();
  open.settle();
  std::set<QWidget*> reached;
  open.window.setFocus();
  for (int i = 0; i < 400; ++i) {
    QWidget* before = QApplication::focusWidget();
    QTest::keyClick(before ? before : &open.window, Qt::Key_Tab);
    QWidget* now = QApplication::focusWidget();
    for (const QWidget* at = now; at; at = at->parentWidget())
      if (qobject_cast<const QDockWidget*>(at)) {
        INFO("focus out of sight, in " << describe(*now));
        CHECK_FALSE(at->visibleRegion().isEmpty());
      }
    if (now && !reached.insert(now).second && i > 200) break;
  }
  INFO(
      "at last in " << (QApplication::focusWidget() ? describe(*QApplication::focusWidget()) : std::string("nothing")));
  for (QWidget* widget : open.window.findChildren<QWidget*>()) {
    if (!(widget->focusPolicy() & Qt::TabFocus) || !widget->isEnabled() || widget->window() != &open.window) continue;
    if (widget->visibleRegion().isEmpty() || widget->focusProxy() ||
        widget->objectName().startsWith(QStringLiteral("qt_")))
      continue;
    INFO(describe(*widget));
    CHECK(reached.contains(widget));
  }
}

TEST_CASE("the run panel asks the builder before it offers to run") {
  OpenWorkbench open;
  open.window.dock(QStringLiteral("run"))->raise();
  open.settle();
  auto& algorithm = open.find<QComboBox>("algorithm");
  auto& run = open.find<QPushButton>("run");
  for (const AlgorithmSpec& spec : test::point_algorithms()) {
    algorithm.setCurrentIndex(algorithm.findData(QString::fromStdString(spec.id)));
    open.settle();
    INFO(spec.id);
    CHECK(run.isEnabled());
    for (const ParameterSpec& parameter : spec.parameters) {
      if (parameter.name != "tpb") continue;
      auto& field = open.find<QLineEdit>(parameter.title.c_str());
      const QString good = field.text();
      field.setText(QStringLiteral("33"));  // in the range, but not a valid block size
      CHECK_FALSE(run.isEnabled());
      field.setText(good);
      CHECK(run.isEnabled());
    }
  }
}

TEST_CASE("the legend tells every role in words and samples, and the phases of the open run") {
  OpenWorkbench open;
  for (const char* lesson : {"wald/ten-points", "wehr/chunks-and-medians"}) {
    if (open.workbench.lessons().name() != lesson) open.open_lesson(lesson);
    QStringList words;
    for (const LegendEntry& entry : legend_entries(open.workbench)) words << entry.word;
    for (const char* word :
         {"subtree", "pivot", "changed", "settled", "segment", "selection", "= point 3", "= node 7", "checks"})
      CHECK(words.contains(QString::fromLatin1(word)));
    for (const PhaseBand& band : band_kinds(phase_bands(*open.workbench.playback().trace())))
      CHECK(words.contains(QString::fromStdString(band.name)));
    CHECK_FALSE(words.contains(QStringLiteral("compared")));  // nothing is marked as compared
  }
  open.open_lesson("brown/super-key-sort");
  QStringList words;
  for (const LegendEntry& entry : legend_entries(open.workbench)) words << entry.word;
  CHECK(words.contains(QStringLiteral("compared")));
  CHECK_FALSE(words.contains(QStringLiteral("read")));  // only dimensions are read, and their rows follow the order
}

TEST_CASE("what lanes wrote has greys: neighbours differ, digits are legible, and none is a subtree's") {
  for (const ThemeId id : all_themes) {
    const Theme& t = theme(id);
    for (std::uint32_t lane = 0; lane < 8; ++lane) {
      const Rgb ground = writer_ground(t, lane);
      CAPTURE(t.name, lane);
      CHECK(contrast(text_on(ground), ground) >= 4.5);
      CHECK(colour_distance(ground, writer_ground(t, lane + 1)) > 0.05);
      for (std::uint32_t node = 1; node < 7; ++node)
        for (const bool settled : {false, true})
          CHECK(colour_distance(ground, cell_ground(t, subtree_colour(t, NodeId{node}), settled)) > 0.02);
    }
  }
}

TEST_CASE("the legend of a presentation has one line, and what every step has goes first") {
  OpenWorkbench open;
  open.open_lesson("zhou/segmented-reduction");
  open.workbench.lessons().go_to_stop(2);
  LegendStrip strip(open.workbench);
  const QStringList all = strip.words(100000);
  CHECK(all.size() == 8);
  CHECK_FALSE(all.contains(QStringLiteral("= point 3")));
  CHECK(all.contains(QStringLiteral("= triangle 3")));
  for (int width = 1600; width > 0; width -= 20) {
    const QStringList words = strip.words(width);
    CAPTURE(width, words.join(QLatin1Char(' ')).toStdString());
    CHECK(strip.fontMetrics().horizontalAdvance(words.join(QString())) <= width);
    if (words.contains(QStringLiteral("= node 7"))) CHECK(words == all);
    if (words.contains(QStringLiteral("subtree"))) CHECK(words.contains(QStringLiteral("compared")));
  }
}

TEST_CASE("the legend of the window says how many entries have no room, and a press shows all of them") {
  OpenWorkbench open({1280, 720});
  open.open_lesson("wald/bunny");
  open.workbench.lessons().go_to_stop(3);
  open.settle();
  auto& strip = open.find<LegendStrip>("legend_strip");
  const auto left_out = strip.words(100000).size() - strip.words(strip.width()).size();
  REQUIRE(left_out > 0);
  QStringList painted;
  for (const PaintedText& text : painted_texts(strip)) painted << text.text;
  CHECK(painted.contains(QStringLiteral("+%1 more").arg(left_out)));
  for (const QString& word : strip.words(strip.width())) CHECK(painted.contains(word));
  LegendStrip narrow(open.workbench);
  narrow.resize(3 * narrow.fontMetrics().averageCharWidth() + 4, strip.height());
  const std::vector<PaintedText> alone = painted_texts(narrow);
  REQUIRE(alone.size() == 1);
  CHECK(alone[0].text == QStringLiteral("+%1").arg(strip.words(100000).size()));
  CHECK(alone[0].box.left() >= 0);
  QDockWidget& legend = *open.window.dock(QStringLiteral("legend"));
  CHECK(legend.isHidden());
  QTest::mouseClick(&strip, Qt::LeftButton);
  CHECK(legend.isVisible());
  strip.show({"arrays"});  // an audience cannot ask for more
  for (const PaintedText& text : painted_texts(strip)) CHECK_FALSE(text.text.startsWith(QLatin1Char('+')));
}

TEST_CASE("the legend explains every underline of the tables, of derived rows too") {
  OpenWorkbench open({1280, 720});
  for (std::uint32_t step = 1; step <= open.last_step(); ++step) {
    open.show_step(step);
    const ArrayTable& table = *open.window.arrays().view().table();
    bool underlined = false;
    for (std::size_t row = 1; row < table.rows().size(); ++row) underlined |= !table.changes(row).empty();
    CAPTURE(step);
    CHECK(open.find<LegendStrip>("legend_strip").words(10000).contains(QStringLiteral("changed")) == underlined);
  }
}

TEST_CASE("the legend of a presentation names what is in sight, and nothing else") {
  OpenWorkbench open;
  open.open_lesson("wald/ten-points");
  open.show_answers();
  LegendStrip strip(open.workbench);
  const auto names = [&](int stop) {
    open.workbench.lessons().go_to_stop(stop);
    return strip.words(100000);
  };
  const QStringList at_first = names(0), after_split = names(3), at_last = names(8);
  for (const char* word : {"subtree", "segment", "split plane", "empty", "pivot", "settled"}) {
    INFO(word);
    CHECK_FALSE(at_first.contains(QLatin1String(word)));
  }
  for (const char* word : {"subtree", "split plane", "changed", "pivot"}) {
    INFO(word);
    CHECK(after_split.contains(QLatin1String(word)));
  }
  CHECK_FALSE(after_split.contains(QStringLiteral("empty")));
  CHECK(at_last.contains(QStringLiteral("empty")));
  strip.show({"arrays"});
  CHECK_FALSE(strip.words(100000).contains(QStringLiteral("split plane")));
  CHECK(strip.words(100000).contains(QStringLiteral("changed")));
  strip.show({"inside", "narration"});  // where no look is open
  CHECK(strip.words(100000).isEmpty());
}

TEST_CASE("the legend of a search explains its marks, in the window too, and names points only where some are named") {
  OpenWorkbench open;
  open.open_lesson("wald/nearest-with-a-stack");
  open.show_answers();
  open.workbench.lessons().go_to_stop(3);
  LegendStrip strip(open.workbench);
  for (const char* word : {"query", "found", "waiting", "skipped", "= point 3", "= node 7"}) {
    INFO(word);
    CHECK(strip.words(100000).contains(QLatin1String(word)));
  }
  strip.show({"arrays"});
  CHECK_FALSE(strip.words(100000).contains(QStringLiteral("query")));
  CHECK_FALSE(strip.words(100000).contains(QStringLiteral("= node 7")));
  strip.show({"view"});
  CHECK(strip.words(100000).contains(QStringLiteral("query")));
  const LegendStrip& of_window = open.find<LegendStrip>("legend_strip");
  CHECK(of_window.isVisible());
  open.window.resize(1280, 720);
  open.settle();
  CHECK(of_window.words(of_window.width()).size() >= 3);
  open.open_lesson("zhou/surface-area-heuristic");
  strip.show({"view"});
  CHECK_FALSE(strip.words(100000).contains(QStringLiteral("= point 3")));
}

TEST_CASE("the legend has the roles that only a step marks, without a lesson") {
  OpenWorkbench open;
  for (const Role role : {Role::read, Role::write, Role::compare}) {
    TraceHeader header;
    header.algorithm = header.title = "made by hand";
    header.n = 4;
    header.dim = 1;
    TraceBuilder builder(header);
    ArrayInfo tags;
    tags.name = tags.label = "tags";
    builder.declare(tags);
    for (const char* name : {"first", "second"}) {
      Step step;
      step.name = name;
      step.path = {"build", name};
      if (step.name == "second") step.highlights.push_back({role, Space::position, {{1, 3}}, {}});
      builder.begin_step(step);
      builder.write("tags", TypedArray::of(std::vector<std::uint32_t>{0, 0, 0, 0}));
    }
    open.workbench.desk().show_run({{}, "made.kdtrace", builder.finish(), {}, {}});
    open.settle();
    REQUIRE(open.workbench.lessons().lesson() == nullptr);
    QStringList words;
    for (const LegendEntry& entry : legend_entries(open.workbench)) words << entry.word;
    CHECK(words.contains(QStringLiteral("read")) == (role == Role::read));
    CHECK(words.contains(QStringLiteral("written")) == (role == Role::write));
    CHECK(words.contains(QStringLiteral("compared")) == (role == Role::compare));
  }
}

TEST_CASE("points that coincide share one label, for every algorithm", "[screen][share]") {
  OpenWorkbench open;
  auto points = std::make_shared<DataSet>();
  points->name = "coinciding";
  points->points.dim = 2;
  for (int i = 0; i < 7; ++i)
    for (const float c :
         {i % 3 == 0 ? 101.0f : 100.0f + static_cast<float>(i), i % 3 == 0 ? 102.0f : 105.0f - static_cast<float>(i)})
      points->points.words.push_back(std::bit_cast<std::uint32_t>(c));
  for (const AlgorithmSpec& spec : test::shown_point_algorithms()) {
    INFO(spec.id);
    RunRequest run;
    run.algorithm = spec.id;
    run.parameters = small_leaves(spec);  // otherwise the cell of node 0 would also be named 0
    run.data = points->name;
    run.points = points;
    run.backend = Backend::cpu;
    open.open_another([&] { open.workbench.desk().run(run); });
    open.show_step(open.last_step());
    std::set<std::string> labels;
    for (const auto& [words, pixels] : open.window.scene().texts()) labels.insert(words);
    CHECK(labels.contains("p0, p3, p6"));
    CHECK(labels.contains("p1"));
    CHECK_FALSE(labels.contains("p0"));
  }
}
