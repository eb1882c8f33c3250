// Tests that no pane and no window answers an open question of a shipped lesson: every one of them is opened at such a
// stop, and what it paints is read.

#include <QComboBox>
#include <QDialog>
#include <QDockWidget>
#include <QFile>
#include <QLineEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QSlider>
#include <QTemporaryDir>

#include "app/appearance/appearance.hpp"
#include "app/command_line/export_request.hpp"
#include "app/compare/compare_window.hpp"
#include "app/debug/watch_pane.hpp"
#include "app/panes/arrays_pane.hpp"
#include "app/panes/before_badge.hpp"
#include "app/panes/curtain.hpp"
#include "app/present/presentation.hpp"
#include "app/views/find_bar.hpp"
#include "app/views/scene_view.hpp"
#include "app/views/step_slider.hpp"
#include "app/views/tree_view.hpp"
#include "tests/app/on_stage.hpp"
#include "tests/app/open_workbench.hpp"
#include "tests/app/painted_texts.hpp"
#include "visualizer/model/question_concealment.hpp"
#include "visualizer/model/search_overlay.hpp"

using namespace kdscope;

namespace {

/// Returns the texts that a person sees in a widget: painted, and not below a curtain.
QString seen(QWidget& widget) {
  std::vector<QRectF> covered;
  QStringList words;
  for (Curtain* curtain : widget.findChildren<Curtain*>())
    if (curtain->isVisibleTo(&widget)) {
      covered.emplace_back(QRectF(QRect(curtain->mapTo(&widget, QPoint()), curtain->size())));
      words << curtain->text();
    }
  for (const PaintedText& text : painted_texts(widget, QWidget::DrawWindowBackground | QWidget::DrawChildren))
    if (std::none_of(covered.begin(), covered.end(),
                     [&](const QRectF& over) { return over.contains(text.box.center()); }))
      words << text.text;
  return words.join(QLatin1Char(' ')).simplified();
}

bool contains(const QString& text, const char* pattern) {
  return text.contains(QRegularExpression(QString::fromLatin1(pattern)));
}

struct Asked : OpenWorkbench {
  using OpenWorkbench::OpenWorkbench;

  void go_to(const std::string& title) {
    const auto& stops = workbench.lessons().lesson()->stops;
    const auto stop = std::find_if(stops.begin(), stops.end(), [&](const Stop& each) { return each.title == title; });
    REQUIRE(stop != stops.end());
    repeat_until([&] { return workbench.lessons().stop_index() >= stop - stops.begin(); },
                 [&] { press(Qt::Key_PageDown); });
    settle();
    REQUIRE(workbench.questions().is_open());
  }
  /// What a dock shows, in front of all others.
  QString dock_text(const QString& name) {
    QDockWidget* dock = window.dock(name);
    REQUIRE(dock);
    dock->show();
    dock->raise();
    settle();
    return seen(*dock->widget()) + QLatin1Char(' ') + dock->widget()->windowTitle();
  }
  void answer_all() {
    QApplication::setActiveWindow(&window);
    repeat_until([&] { return !workbench.questions().is_open(); },
                 [&] {
                   workbench.questions().reveal();
                   if (const auto open = workbench.questions().next_open()) workbench.questions().go_to(*open);
                 });
    settle();
  }
  /// What a figure or a table of the current step contains, as the dialog writes it.
  QString exported_text(ExportWhat what, ExportFormat format) {
    QApplication::setActiveWindow(&window);
    press(Qt::Key_E, Qt::ControlModifier);
    REQUIRE(
        QTest::qWaitFor([&] { return window.findChild<QDialog*>(QStringLiteral("export")) != nullptr; }, patience_ms));
    auto& dialog = find<QDialog>("export");
    const QString path = folder.filePath(QStringLiteral("exported.%1").arg(QLatin1String(name_of(format))));
    auto& whats = find<QComboBox>("export_what");
    auto& formats = find<QComboBox>("export_format");
    whats.setCurrentIndex(whats.findData(static_cast<int>(what)));
    formats.setCurrentIndex(formats.findData(static_cast<int>(format)));
    find<QLineEdit>("export_file").setText(path);
    auto& start = find<QPushButton>("export_start");
    start.click();
    REQUIRE(QTest::qWaitFor([&] { return start.isEnabled(); }, patience_ms));
    dialog.reject();
    REQUIRE(
        QTest::qWaitFor([&] { return window.findChild<QDialog*>(QStringLiteral("export")) == nullptr; }, patience_ms));
    QFile file(path);
    REQUIRE(file.open(QIODevice::ReadOnly));
    return QString::fromUtf8(file.readAll()).remove(QRegularExpression(QStringLiteral("<[^>]*>"))).simplified();
  }
  QTemporaryDir folder;
};

}  // namespace

TEST_CASE("no pane and no window of the ten points paints what answers an open question, and all do afterwards",
          "[screen]") {
  Asked open;
  open.window.findChild<WatchPane*>()->add(QStringLiteral("tags[8]"));
  open.go_to("Round 1: two pivots at once");
  open.workbench.playback().select({Space::position, 3});
  open.settle();
  const char* row = "\\b3 3 3 1 4 4 5 2 6\\b";
  // What each pane says of the answer, once it may.
  const std::vector<std::pair<const char*, const char*>> panes{
      {"arrays", row},         {"tree", "\\bp9\\b"},
      {"source", "pivot"},     {"checks", "names? a node"},
      {"timeline", "level 2"}, {"biography", "steps change it"},
      {"watches", "\\b2\\b"}};
  for (QDockWidget* dock : open.window.docks()) {
    INFO(dock->objectName().toStdString());
    const QString text = open.dock_text(dock->objectName());
    INFO(text.toStdString());
    CHECK_FALSE(contains(text, row));
    for (const auto& [name, secret] : panes)
      if (dock->objectName() == QLatin1String(name)) CHECK_FALSE(contains(text, secret));
    // What the class saw at the stop before stands in its place
    if (dock->objectName() == QLatin1String("tree"))
      for (const char* before : {"\\bp1 0\\b", "\\b3 points"}) CHECK(contains(text, before));
  }
  auto& changes = open.find<QLabel>("changes");
  auto& slider = *open.window.findChild<StepSlider*>();
  CHECK(changes.text().contains(QStringLiteral("hidden")));
  const auto now = static_cast<std::uint32_t>(slider.value());
  CHECK_FALSE(slider.bands().empty());
  for (const PhaseBand& passed : slider.bands()) CHECK(passed.last < now);
  const PhaseBand coming{{}, now, static_cast<std::uint32_t>(slider.maximum())};  // grey keeps its place
  CHECK(slider.grab().toImage().pixelColor(slider.strip(coming).center().toPoint()) ==
        colour(phase_ground(theme(ThemeId::light), 0)));
  for (const PaintedText& name : painted_texts(slider)) CHECK(name.box.right() < slider.x_of(slider.value()));
  for (const std::uint32_t step : {now, now + 1})
    CHECK(slider.tip_at(step).startsWith(QStringLiteral("<b>Step %1</b><br>").arg(step)));  // without its phase
  CHECK(open.window.scene().place_of_plane({0}));                                           // as at the stop before
  CHECK_FALSE(open.window.scene().place_of_plane({1}));

  // What is found in the arrays.
  const auto found = [&](const char* words) {
    QApplication::setActiveWindow(&open.window);
    open.press(Qt::Key_F, Qt::ControlModifier);
    auto& field = open.find<QLineEdit>("find_text");
    field.selectAll();
    QTest::keyClicks(&field, QString::fromLatin1(words));
    QTest::keyClick(&field, Qt::Key_Return);  // an error is told once a person asks
    open.settle();
    const QString answer = open.find<QLabel>("find_words").text();
    QTest::keyClick(&field, Qt::Key_Escape);
    return answer;
  };
  for (const char* words : {"tags == 2", "node 2"}) CHECK(contains(found(words), "hidden"));

  // Pictures and tables that are exported.
  const QString values = open.exported_text(ExportWhat::table, ExportFormat::csv);
  CHECK(values.contains(QLatin1Char('?')));
  CHECK(values.contains(QStringLiteral("rank")));
  const QString table = open.exported_text(ExportWhat::table, ExportFormat::svg);
  CHECK(contains(table, "\\?"));
  CHECK_FALSE(contains(table, row));
  CHECK(contains(open.exported_text(ExportWhat::tree, ExportFormat::svg), "Hidden until"));
  CHECK(contains(open.exported_text(ExportWhat::partition, ExportFormat::svg), "The picture before"));

  // Side by side, at the same step.
  open.settle();
  open.press(Qt::Key_F7);
  auto& all = open.find<CompareWindow>("compare");
  REQUIRE(QTest::qWaitFor([&] { return all.complete(); }, patience_ms));
  const auto go_to_step = [&] {
    QApplication::setActiveWindow(&all);
    QTest::keyClick(&all, Qt::Key_Home);
    for (int presses = 0; presses < 100 && all.alignment().step(0) < open.step(); ++presses)
      QTest::keyClick(&all, Qt::Key_Right);
    REQUIRE(all.alignment().step(0) == open.step());
    open.settle();
    QApplication::setActiveWindow(&all);
  };
  go_to_step();
  const auto columns_show_trees = [&] {
    std::size_t shown = 0;
    for (CompareColumn* column : all.columns()) shown += !column->tree().diagram().nodes.empty();
    return shown;
  };
  CHECK(columns_show_trees() == 0);
  for (CompareColumn* column : all.columns()) CHECK_FALSE(column->scene().place_of_plane({0}));
  auto& level = *all.findChild<QLabel*>(QStringLiteral("compare_level"));
  CHECK_FALSE(level.text().contains(QStringLiteral("of")));
  QTest::keyClick(&all, Qt::Key_Left);  // another step is no secret
  CHECK(columns_show_trees() == all.columns().size());
  go_to_step();

  // A presentation, and notes that lie over it.
  auto& presentation = *open.window.findChild<Presentation*>();
  presentation.start({QRect(0, 0, 1280, 720)}, 0);
  REQUIRE(QTest::qWaitForWindowExposed(presentation.audience(), patience_ms));
  QApplication::setActiveWindow(presentation.audience());
  QTest::keyClick(presentation.audience(), Qt::Key_N);
  REQUIRE(QTest::qWaitFor([&] { return presentation.notes() != nullptr; }, patience_ms));
  const std::string answer = open.workbench.lessons()
                                 .lesson()
                                 ->stops[static_cast<std::size_t>(open.workbench.lessons().stop_index())]
                                 .questions[0]
                                 .answer.substr(0, 30);
  const auto notes_text = [&] { return presentation.notes()->findChild<QTextBrowser*>()->toPlainText(); };
  open.settle();
  CHECK_FALSE(contains(seen(*presentation.audience()), row));
  CHECK(presentation.audience()->tree().diagram().nodes.empty());
  CHECK_FALSE(notes_text().contains(QString::fromStdString(answer)));
  CHECK_FALSE(presentation.notes()->findChild<SceneView*>()->place_of_plane({1}));

  // Everything is there once the questions are answered.
  open.answer_all();
  CHECK(notes_text().contains(QString::fromStdString(answer)));
  CHECK(presentation.notes()->findChild<SceneView*>()->place_of_plane({0}));
  CHECK_FALSE(presentation.audience()->tree().diagram().nodes.empty());
  presentation.stop();
  open.settle();
  CHECK(columns_show_trees() == 0);  // the class knows, and the window asks as before
  open.answer_all();
  CHECK(columns_show_trees() == all.columns().size());
  CHECK(level.text().contains(QStringLiteral("of")));
  all.close();
  open.settle();
  for (const auto& [name, secret] : panes) {
    const QString text = open.dock_text(QString::fromLatin1(name));
    INFO(name << ": " << text.toStdString());
    CHECK(contains(text, secret));
  }
  CHECK_FALSE(changes.text().contains(QStringLiteral("hidden")));
  CHECK_FALSE(slider.bands().empty());
  CHECK_FALSE(seen(slider).isEmpty());
  CHECK(open.window.scene().place_of_plane({0}));
  CHECK_FALSE(contains(found("tags == 2"), "hidden"));
  CHECK(contains(open.exported_text(ExportWhat::table, ExportFormat::svg), row));
  CHECK_FALSE(contains(open.exported_text(ExportWhat::tree, ExportFormat::svg), "Hidden until"));
}

TEST_CASE("a search does not tell which node it visits next, nor what it finds, before the question is answered") {
  Asked open;
  open.open_lesson("wald/nearest-with-a-stack");
  const Lesson& lesson = *open.workbench.lessons().lesson();
  const auto asks = [](const Stop& stop) { return !stop.questions.empty() && !stop.questions.back().hides.empty(); };
  const auto stop = std::find_if(lesson.stops.begin(), lesson.stops.end(), asks);
  REQUIRE(stop != lesson.stops.end());
  open.go_to(stop->title);
  const auto search_text = [&] {
    open.dock_text(QStringLiteral("search"));
    return open.find<QLabel>("search_status").text();
  };
  CHECK(search_text().contains(QStringLiteral("Hidden until")));
  CHECK_FALSE(contains(open.dock_text(QStringLiteral("timeline")), "node \\d"));
  // The query was given, and is in sight; its reach and what it found are not.
  const auto marks = [&] {
    const Playback& playback = open.workbench.playback();
    return search_overlay(*playback.cursor(), playback.concealment());
  };
  CHECK(marks().balls.size() == 1);
  CHECK(marks().rings.empty());
  open.answer_all();
  CHECK(search_text() == QString::fromStdString(open.workbench.playback().cursor()->current().title));
  CHECK(contains(open.dock_text(QStringLiteral("timeline")), "node \\d"));
  CHECK(marks().balls.size() == 2);
  CHECK(marks().rings.size() == 1);
}

TEST_CASE("figures that wait for an answer say so beside their names, and keep their size from stop to stop") {
  Asked open(least_stage);
  const auto marked = [&](const QWidget& in) {
    QStringList words;
    for (const BeforeBadge* badge : in.findChildren<BeforeBadge*>())
      if (badge->isVisibleTo(&in)) words << badge->shown_text();
    return words;
  };
  QSize view, tree;
  int waiting = 0, asked = 0;
  for (const Stop& stop : open.workbench.lessons().lesson()->stops) {
    open.workbench.lessons().stop_forward();
    open.settle();
    INFO(stop.title);
    if (view.isEmpty()) view = open.window.scene().size(), tree = open.window.tree().size();
    CHECK(open.window.scene().size() == view);
    CHECK(open.window.tree().size() == tree);
    // Nothing is before the first stop
    Concealment hidden;
    for (const Question& question : stop.questions) hidden.add(concealment_of(question));
    if (&stop == open.workbench.lessons().lesson()->stops.data()) hidden = {};
    const qsizetype waits = hidden.tree + (hidden.splits || !hidden.rows.empty());
    CHECK(marked(open.window).size() == waits);
    for (const QString& words : marked(open.window)) CHECK(words.startsWith(QStringLiteral("Before ")));
    waiting += waits > 0, asked += !stop.questions.empty();
    if (waits == 0) continue;
    open.answer_all();
    CHECK(marked(open.window).isEmpty());
  }
  CHECK(waiting > 0);
  CHECK(waiting < asked);

  Presentation& presentation = open.window.presentation();
  presentation.start({QRect(QPoint(), least_stage)}, 0);
  AudienceWindow& audience = *presentation.audience();
  open.workbench.lessons().go_to_stop(1);
  CHECK(wait_until_idle(open.workbench));
  CHECK(marked(audience).isEmpty());
  const QRect figure = audience.tree().geometry();
  open.workbench.lessons().go_to_stop(2);
  CHECK(wait_until_idle(open.workbench));
  CHECK(marked(audience) == QStringList(QStringLiteral("View and Tree: before the answer")));
  CHECK(audience.tree().geometry() == figure);
  auto& badge = *audience.findChild<BeforeBadge*>();
  auto& heading = *audience.findChild<QWidget*>(QStringLiteral("heading"));
  for (const PaintedText& title : painted_texts(heading))
    CHECK_FALSE(title.box.translated(heading.pos()).intersects(badge.geometry()));
  for (const QString& size : {QStringLiteral("100"), QStringLiteral("200")}) {
    audience.set_text_scale(size.toInt());
    CHECK(wait_until_idle(open.workbench));
    CHECK(audience.rect().contains(badge.geometry()));
  }
}
