#include "app/kernel/be_the_kernel.hpp"

#include <QAction>
#include <QDockWidget>
#include <QMenu>
#include <algorithm>
#include <memory>

#include "app/appearance/key_list.hpp"
#include "app/kernel/kernel_pane.hpp"
#include "app/workbench/workbench_window.hpp"
#include "app/workspace/layouts.hpp"

namespace kdscope {
namespace {

/// What of the docks changes while an exercise runs.
struct DocksBefore {
  bool opened = false;  ///< the pane was closed before
  bool covers = false;  ///< it covers the arrays
  int height = 0;       ///< of the arrays
};

bool is_in_sight(const QDockWidget& dock) { return dock.isVisible() && !dock.visibleRegion().isEmpty(); }

}  // namespace

void add_kernel_practice(WorkbenchWindow& window, Workbench& workbench) {
  auto* practice = new KernelPractice(workbench, &window);
  auto* action = new QAction(QObject::tr("&Be the kernel"), &window);
  action->setObjectName(QStringLiteral("be_the_kernel"));
  action->setCheckable(true);
  action->setShortcut(Qt::SHIFT | Qt::Key_K);
  action->setToolTip(QObject::tr("Perform a step of the run yourself, cell by cell (Shift+K)"));
  group_key(*action, QObject::tr("Be the kernel"));  // with the keys of the pane
  keep_in_window(*action);
  auto* pane = new KernelPane(workbench, *practice, *action);
  QDockWidget* dock = window.add_dock(QStringLiteral("kernel"), pane, pane->choices(), QStringLiteral("arrays"), false);
  QMenu& menu = window.menu(QStringLiteral("practise"));
  menu.addSeparator();
  menu.addAction(action);

  const auto before = std::make_shared<DocksBefore>();
  std::vector<QAction*> edits;
  for (const char* name : {"edit_points", "what_if"})
    if (auto* edit = window.findChild<QAction*>(QLatin1String(name))) edits.push_back(edit);
  QObject::connect(action, &QAction::triggered, practice, [practice, action, edits](bool on) {
    for (QAction* edit : edits)
      if (on) edit->setChecked(false);  // the exercise is about the points of the run
    on ? practice->start() : practice->leave();
    action->setChecked(practice->exercise());
  });
  QObject::connect(practice, &KernelPractice::running, dock, [=, &window](bool running) {
    action->setChecked(running);
    QDockWidget* arrays = window.dock(QStringLiteral("arrays"));
    if (running) {
      *before = {dock->isHidden(), is_in_sight(*arrays), arrays->height()};
      window.layouts().reveal(*dock);
      if (window.tabifiedDockWidgets(dock).contains(arrays)) {
        const int hint = 5 * pane->fontMetrics().height(),
                  wanted = pane->wanted_height() + hint + dock->titleBarWidget()->height();
        window.resizeDocks({dock}, {std::clamp(wanted, before->height, window.height() / 2)}, Qt::Vertical);
      }
      pane->enter();
      return;
    }
    if (before->opened) window.layouts().put_away(*dock);
    if (before->covers) window.layouts().reveal(*arrays);
    window.resizeDocks({arrays}, {before->height}, Qt::Vertical);
    window.setFocus();
  });
  // Other windows show the whole run, so they wait until the exercise has ended.
  for (const char* name : {"file", "view"}) window.menu(QLatin1String(name)).setToolTipsVisible(true);
  QObject::connect(practice, &KernelPractice::changed, action, [&window, &workbench, edits] {
    const bool confined = workbench.playback().is_confined();
    for (QAction* edit : edits) edit->setEnabled(!confined);
    for (const char* name : {"side_by_side", "export_action"}) {
      auto* other = window.findChild<QAction*>(QLatin1String(name));
      if (!other) continue;
      other->setEnabled(!confined);
      other->setToolTip(confined ? QObject::tr("Off while you perform a step: it would show the result") : QString());
    }
  });
  const auto offer = [action, &workbench] { action->setEnabled(workbench.playback().cursor() != nullptr); };
  QObject::connect(&workbench.playback(), &Playback::opened, action, offer);
  offer();
}

}  // namespace kdscope
