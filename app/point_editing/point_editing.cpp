#include "app/point_editing/point_editing.hpp"

#include <QBoxLayout>
#include <QDockWidget>
#include <QMenu>
#include <algorithm>

#include "app/point_editing/difference_pane.hpp"
#include "app/point_editing/edit_bar.hpp"
#include "app/point_editing/point_editor.hpp"
#include "app/point_editing/points_pane.hpp"
#include "app/point_editing/view_undo.hpp"
#include "app/point_editing/what_if.hpp"
#include "app/views/scene_view.hpp"
#include "app/workbench/workbench.hpp"
#include "app/workbench/workbench_window.hpp"
#include "app/workspace/layouts.hpp"

namespace kdscope {

void add_point_editing(WorkbenchWindow& window, Workbench& workbench) {
  auto* editor = new PointEditor(workbench, window.scene(), &window);
  auto* what_if = new WhatIf(workbench, *editor, window.scene(), window.tree(), &window);
  auto* bar = new EditBar(workbench, *editor, *what_if);
  auto* pane = new PointsPane(workbench, *editor);
  if (auto* open = window.findChild<QAction*>(QStringLiteral("open_points"))) pane->add_button(open);
  static_cast<QBoxLayout*>(window.centralWidget()->layout())->insertWidget(0, bar);
  window.installEventFilter(bar);
  QDockWidget* dock = window.add_dock(QStringLiteral("points"), pane, nullptr, QStringLiteral("run"), false);
  auto* differences = new DifferencePane(workbench, *what_if);
  QDockWidget* changes =
      window.add_dock(QStringLiteral("what_if"), differences, differences->choice(), QStringLiteral("checks"), false);
  new ViewUndo(window, workbench);

  QMenu& menu = window.menu(QStringLiteral("edit"));
  const auto add = [&](const char* name, const QString& text, const QKeySequence& key) {
    QAction* action = menu.addAction(text);
    action->setObjectName(QLatin1String(name));
    action->setShortcut(key);
    return action;
  };
  menu.addSeparator();
  QAction* edit = add("edit_points", QObject::tr("&Edit points"), Qt::Key_E);
  edit->setCheckable(true);
  edit->setToolTip(QObject::tr("Click adds a point, drag moves one, Delete removes the chosen ones (E)"));
  QAction* erase = add("erase_points", QObject::tr("&Delete chosen points"), QKeySequence::Delete);
  QAction* ask = add("what_if", QObject::tr("&What if"), Qt::Key_W);
  ask->setCheckable(true);
  ask->setToolTip(QObject::tr("Move a point: the algorithm runs at once, and differences are marked (W)"));
  QObject::connect(ask, &QAction::toggled, what_if, [what_if, changes, &window](bool on) {
    what_if->set_on(on);
    if (on) window.layouts().reveal(*changes);
  });
  QObject::connect(edit, &QAction::toggled, editor, [editor, what_if](bool on) {
    if (!on && what_if->on()) return;
    what_if->set_on(false);
    editor->set_editing(on);
  });
  // What if edits points too, but only the button of the mode is lit.
  const auto show_mode = [editor, what_if, edit, ask] {
    ask->setChecked(what_if->on());
    edit->setChecked(editor->editing() && !what_if->on());
  };
  QObject::connect(editor, &PointEditor::editing_changed, edit, show_mode);
  QObject::connect(what_if, &WhatIf::switched, edit, show_mode);
  const auto may_erase = [editor, erase] { erase->setEnabled(editor->editing() && !editor->chosen().empty()); };
  QObject::connect(erase, &QAction::triggered, editor, &PointEditor::erase_chosen);
  QObject::connect(editor, &PointEditor::chosen_changed, erase, may_erase);
  QObject::connect(editor, &PointEditor::editing_changed, erase, may_erase);
  may_erase();
  const auto show_pane = [dock, &window] { window.layouts().reveal(*dock); };
  QObject::connect(add("paste", QObject::tr("&Paste as the points"), QKeySequence::Paste), &QAction::triggered, pane,
                   [pane, show_pane] {
                     show_pane();
                     pane->paste(false);
                   });
  QObject::connect(add("paste_more", QObject::tr("Paste &more points"), Qt::CTRL | Qt::SHIFT | Qt::Key_V),
                   &QAction::triggered, pane, [pane, show_pane] {
                     show_pane();
                     pane->paste(true);
                   });
  menu.addSeparator();
  QAction* again = add("run_edited", QObject::tr("&Run again"), {});
  again->setShortcuts(
      {QKeySequence(Qt::Key_F9), QKeySequence(Qt::CTRL | Qt::Key_Return), QKeySequence(Qt::CTRL | Qt::Key_Enter)});
  QObject::connect(again, &QAction::triggered, &workbench.desk(), &RunDesk::run_again);
  QMenu& view = window.menu(QStringLiteral("view"));
  auto* axes = new QAction(QObject::tr("Choose the a&xes"), &window);
  axes->setObjectName(QStringLiteral("choose_axes"));
  axes->setShortcut(Qt::Key_X);
  QObject::connect(axes, &QAction::triggered, &bar->axes(), &AxesBar::start);
  const auto offer_axes = [axes, &workbench] { axes->setEnabled(AxesBar::is_needed(workbench)); };
  QObject::connect(&workbench.playback(), &Playback::axes_changed, axes, offer_axes);
  offer_axes();
  const QList<QAction*> looks = view.actions();
  const auto parts = std::find_if(looks.begin(), looks.end(), [](const QAction* a) { return a->isCheckable(); });
  view.insertAction(parts == looks.end() ? nullptr : *parts, axes);
  if (auto* all = view.findChild<QAction*>(QStringLiteral("show_everything"))) bar->add_action(all);
  bar->add_action(edit);
  bar->add_action(ask);
}

}  // namespace kdscope
