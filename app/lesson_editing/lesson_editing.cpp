#include "app/lesson_editing/lesson_editing.hpp"

#include <QAction>
#include <QDockWidget>

#include "app/lesson_editing/lesson_pane.hpp"
#include "app/panes/arrays_pane.hpp"
#include "app/workbench/workbench_window.hpp"
#include "walkthroughs/reader/panes.hpp"

namespace kdscope {
namespace {

/// Whether a dock is to be seen. Qt moves docks behind another tab out of the window.
bool is_in_sight(const QDockWidget& dock) {
  return dock.isVisible() && (dock.isFloating() || dock.parentWidget()->rect().intersects(dock.geometry()));
}

InSight in_sight(WorkbenchWindow& window) {
  InSight now;
  std::vector<std::pair<int, std::string>> by_area;
  for (const std::string& name : lesson_panes()) {
    const QWidget* pane = nullptr;
    if (name == "view")
      pane = window.centralWidget();
    else if (const QDockWidget* dock = window.dock(QString::fromStdString(name)); is_in_sight(*dock))
      pane = dock;
    if (pane) by_area.emplace_back(-pane->width() * pane->height(), name);
  }
  std::sort(by_area.begin(), by_area.end());
  for (auto& [area, name] : by_area) now.panes.push_back(std::move(name));
  if (is_in_sight(*window.dock(QStringLiteral("arrays"))))
    for (const RowName& row : window.arrays().view().rows_in_sight()) now.rows.push_back(row.array);
  return now;
}

}  // namespace

void add_lesson_editing(WorkbenchWindow& window, Workbench& workbench) {
  const auto action = [&](const char* name) { return window.findChild<QAction*>(QString::fromLatin1(name)); };
  const LessonActions actions{action("new_lesson"), action("edit_lesson"), action("save_lesson"), action("add_stop"),
                              action("preview_lesson")};
  auto* pane = new LessonPane(workbench, actions, [&window] { return in_sight(window); });
  window.add_dock(QStringLiteral("lesson_editor"), pane, nullptr, QStringLiteral("narration"), false);
  // Who presents while writing shows the lesson as the class is to see it.
  if (QAction* present = window.findChild<QAction*>(QStringLiteral("present")))
    QObject::connect(present, &QAction::triggered, pane, [&workbench] { workbench.editor().preview(true); });
}

}  // namespace kdscope
