// Tests the rows of forms: a widget has the key, texts, range and default that its row declares, and only a change of
// its value is reported.

#include <QPushButton>
#include <QSlider>
#include <QSpinBox>
#include <QToolButton>

#include "app/appearance/form_field.hpp"
#include "app/application_panes/application_pane.hpp"
#include "tests/app/open_workbench.hpp"

namespace kdscope::forms_gui_test {
namespace {

/// Where the buttons of a pane stand in the window, by their texts.
std::map<QString, QPoint> places_of_buttons(const MainWindow& window, const char* dock) {
  std::map<QString, QPoint> places;
  const QWidget* pane = window.dock(QString::fromLatin1(dock))->widget();
  for (const auto* button : pane->findChildren<QAbstractButton*>())
    if (button->isVisible()) places[button->text()] = button->mapTo(&window, QPoint());
  return places;
}

}  // namespace

TEST_CASE("no text or bar that appears moves a button of its pane") {
  struct Case {
    const char *dock, *start;
    RunRequest run;
  };
  for (const auto& [dock, start, run] : {Case{"run", "run", {"uniform:n=400000,dim=3", "wald", {}, Backend::cpu}},
                                         Case{"cloud", "estimate_cloud", {"bunny", "wald", {}, Backend::cpu}},
                                         Case{"picture", "trace_picture", {"toys", "zhou-sah", {}, Backend::cpu}}}) {
    INFO(dock);
    OpenWorkbench open({1280, 720});
    open.open_run(run);
    open.show_dock(dock);
    open.rest();
    const auto before = places_of_buttons(open.window, dock);
    REQUIRE(before.size() >= 2);
    auto& button = open.find<QPushButton>(start);
    const QPoint at = button.mapTo(&open.window, QPoint());
    open.click(button);
    if (dock == std::string("run")) {
      REQUIRE(open.workbench.jobs().busy());
      for (int round = 0; round < 20; ++round) QCoreApplication::processEvents();
      CHECK(places_of_buttons(open.window, dock) == before);
    }
    const auto* pane = qobject_cast<ApplicationPane*>(open.window.dock(QString::fromLatin1(dock))->widget());
    REQUIRE(QTest::qWaitFor([&] { return !open.workbench.jobs().busy() && !(pane && pane->working()); }, patience_ms));
    open.rest();
    CHECK(button.mapTo(&open.window, QPoint()) == at);
    CHECK(places_of_buttons(open.window, dock) == before);
  }
}

TEST_CASE("a row of a form makes its widget as it declares it, and reports changes only") {
  int changes = 0;
  const Changed changed = [&changes] { ++changes; };
  QWidget form;
  auto* row = new QVBoxLayout(&form);

  auto* box = number(new QSpinBox, {"count", "Neighbours of a point", "How many"}, Range{3, 64, 10}, changed);
  row->addWidget(box);
  CHECK(box->objectName() == "count");
  CHECK(box->accessibleName() == "Neighbours of a point");
  CHECK(box->toolTip() == "How many");
  CHECK(box->minimum() == 3);
  CHECK(box->maximum() == 64);
  CHECK(box->value() == 10);
  CHECK(changes == 0);
  box->setValue(65);
  CHECK(box->value() == 64);
  CHECK(changes == 1);

  auto* slider = number(new QSlider, {"radius", "Radius"}, Range{1, 30, 12}, changed);
  row->addWidget(slider);
  CHECK(slider->value() == 12);
  CHECK(slider->toolTip().isEmpty());

  auto* list = choice(new QComboBox, {"shown", "Shown"}, {{"surface", 7}, {"density", 9}}, changed, 1);
  row->addWidget(list);
  CHECK(list->currentText() == "density");
  CHECK(list->currentData().toInt() == 9);
  CHECK(changes == 1);
  list->setCurrentIndex(list->findData(7));
  CHECK(changes == 2);

  auto* mouse = tick({"mouse", "&Handles by mouse"}, changed, true);
  row->addWidget(mouse);
  CHECK(mouse->text() == "&Handles by mouse");
  CHECK(mouse->accessibleName() == "Handles by mouse");
  CHECK(mouse->isChecked());
  CHECK(changes == 2);
  mouse->setChecked(false);
  CHECK(changes == 3);

  auto* again = button<QToolButton>({"again", "Again"}, changed);
  row->addWidget(again);
  again->click();
  CHECK(changes == 4);

  auto* line = entry({"file", "Data file"}, "a name", changed);
  row->addWidget(line);
  CHECK(line->placeholderText() == "a name");
  line->setText("a");
  CHECK(changes == 5);

  // A widget that names itself keeps its name.
  auto* chart = new QWidget;
  row->addWidget(chart);
  chart->setAccessibleName("Chart");
  CHECK(named(chart, {"beside"})->accessibleName() == "Chart");
  CHECK(chart->objectName() == "beside");

  // A text of a file is no markup, and a label leads to its field.
  auto* text = text_line({"result"});
  row->addWidget(text);
  CHECK(text->textFormat() == Qt::PlainText);
  CHECK(text->wordWrap());
  auto* label = label_of("&Point", box);
  row->addWidget(label);
  CHECK(label->textFormat() == Qt::PlainText);
  CHECK(label->buddy() == box);
}

}  // namespace kdscope::forms_gui_test
