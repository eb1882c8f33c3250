#include "app/inside/look_inside.hpp"

#include <QAbstractButton>
#include <QAbstractSpinBox>
#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QDockWidget>
#include <QKeyEvent>
#include <QLineEdit>
#include <QMenu>
#include <algorithm>
#include <utility>

#include "app/appearance/key_list.hpp"
#include "app/inside/inside_pane.hpp"
#include "app/inside/look_recorder.hpp"
#include "app/inside/touch_arrows.hpp"
#include "app/panes/arrays_pane.hpp"
#include "app/workbench/workbench_window.hpp"
#include "app/workspace/layouts.hpp"

namespace kdscope {
namespace {

/// Enter looks inside the step, or goes deeper, where no widget takes it. Enter that ends the typing of a number or a
/// text does not. While a question is at hand, Enter checks its answer and goes on, and looks inside nothing. At an
/// introduction, Enter begins the lesson.
class EnterKey : public QObject {
 public:
  EnterKey(QWidget& window, QWidget& pane, Workbench& workbench, QAction& look, QAction& deeper)
      : QObject(&pane), window_(window), pane_(pane), workbench_(workbench), look_(look), deeper_(deeper) {
    qApp->installEventFilter(this);
  }

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override {
    if (event->type() != QEvent::KeyPress) return false;
    const auto* key = static_cast<QKeyEvent*>(event);
    if ((key->key() != Qt::Key_Return && key->key() != Qt::Key_Enter) || (key->modifiers() & ~Qt::KeypadModifier))
      return false;
    // A field gives up the focus before it passes the key on to its parents.
    if (takes_enter(watched))
      typed_ = event;
    else if (watched == QApplication::focusWidget())
      typed_ = nullptr;
    if ((watched != &window_ && watched != &pane_) || event == typed_) return false;
    QAction& action = deeper_.isEnabled() ? deeper_ : look_;
    if (!action.isEnabled() || (&action == &look_ && workbench_.questions().question())) return false;
    if (&action == &look_ && workbench_.lessons().at_introduction())
      workbench_.lessons().stop_forward();
    else
      action.trigger();
    return true;
  }

 private:
  static bool takes_enter(const QObject* widget) {
    return qobject_cast<const QLineEdit*>(widget) || qobject_cast<const QAbstractSpinBox*>(widget) ||
           qobject_cast<const QComboBox*>(widget) || qobject_cast<const QAbstractButton*>(widget);
  }

  QWidget &window_, &pane_;
  Workbench& workbench_;
  QAction &look_, &deeper_;
  const QEvent* typed_ = nullptr;  // the last Enter that went to a field or a button; only compared
};

/// Places a dock that was closed as a window of its own over the view and the tree, so that the arrays stay in sight
/// and the column of text; over the arrays, too, if large text needs the room, and over the middle if there is none.
void open_in_the_middle(QDockWidget& dock, WorkbenchWindow& window, int text_scale) {
  if (dock.isHidden()) {
    dock.setFloating(true);
    constexpr int enough_width = 480, enough_height = 340;
    const auto in_place = [](const QDockWidget& each) { return each.isVisible() && !each.isFloating(); };
    const int top = window.centralWidget()->mapTo(&window, QPoint(0, 0)).y();
    int right = window.width();
    for (const char* name : {"narration", "source"}) {
      QDockWidget* text = window.dock(QLatin1String(name));
      QList<QDockWidget*> tabs = window.tabifiedDockWidgets(text);
      tabs << text;
      for (const QDockWidget* tab : std::as_const(tabs))  // only the tab in front lies in place
        if (in_place(*tab) && tab->x() >= enough_width) right = std::min(right, tab->x());
    }
    const QDockWidget& arrays = *window.dock(QStringLiteral("arrays"));
    QRect room(0, top, right, (in_place(arrays) ? arrays.y() : window.height()) - top);
    if (100 * room.height() < enough_height * text_scale && in_place(arrays) && arrays.geometry().right() <= right)
      room.setBottom(arrays.geometry().bottom());
    if (room.height() < enough_height) {
      const QSize size = window.size() * 0.86;
      room = QRect(QPoint((window.width() - size.width()) / 2, (window.height() - size.height()) / 2), size);
    }
    dock.setGeometry(QRect(window.mapToGlobal(room.topLeft()), room.size()));
  }
  dock.show();
  dock.raise();
}

}  // namespace

void add_looking_inside(WorkbenchWindow& window, Workbench& workbench) {
  auto* pane = new InsidePane(workbench);
  auto* recorder = new LookRecorder(workbench, pane);
  QObject::connect(pane, &InsidePane::original_wanted, recorder, &LookRecorder::record_original);
  QObject::connect(recorder, &LookRecorder::original_recorded, pane, &InsidePane::show_original);
  QObject::connect(recorder, &LookRecorder::original_failed, pane, &InsidePane::report_original);
  new TouchArrows(window.findChild<ArraysPane*>()->view(), workbench);
  QDockWidget* dock = window.add_dock(QStringLiteral("inside"), pane, nullptr, QStringLiteral("arrays"), false);
  Inside& inside = workbench.inside();
  QMenu& menu = *window.menu(QStringLiteral("go")).addMenu(QObject::tr("&Inside a launch"));
  const auto entry = [&](const QString& text, const QKeySequence& key, const char* name, auto what) {
    QAction* action = menu.addAction(text, key, &inside, what);
    action->setObjectName(QLatin1String(name));
    group_key(*action, QObject::tr("Inside a launch"));
    keep_in_window(*action);
    return action;
  };
  QAction* look =
      entry(QObject::tr("Look &inside the step"), Qt::SHIFT | Qt::Key_I, "look_inside", [&inside] { inside.ask(); });
  look->setToolTip(QObject::tr(
      "What every lane of the step's kernels reads and writes (Shift+I, or Enter where no question is asked)"));
  QAction* who =
      menu.addAction(QObject::tr("&Who wrote this element?"), Qt::CTRL | Qt::Key_F8, pane, &InsidePane::ask_for_writer);
  who->setObjectName(QStringLiteral("who_wrote"));
  who->setToolTip(QObject::tr(
      "Looks inside the step, at the access that wrote the element of the arrays that differs or was clicked; a "
      "variant's accesses stand beside the original's (Ctrl+F8)"));
  group_key(*who, QObject::tr("Inside a launch"));
  keep_in_window(*who);
  QAction* deeper = entry(QObject::tr("To its lanes and accesses"), {}, "go_deeper", [&inside] { inside.go_deeper(); });
  QAction* out = entry(QObject::tr("Back out of the launch"), {}, "go_out", [&inside] { inside.go_out(); });
  describe_keys(
      *pane, QObject::tr("Inside a launch"),
      {{QObject::tr("Enter"), QObject::tr("Look inside the step; then to lanes, then to accesses")},
       {QObject::tr("Esc"), QObject::tr("Back out")},
       {QObject::tr("Left, Right, Home, End, Space"), QObject::tr("Walk intervals, lanes or accesses, as steps")},
       {QObject::tr("Ctrl+Left, Ctrl+Right"), QObject::tr("To the block, interval or lane before or behind")}});
  new EnterKey(window, *pane, workbench, *look, *deeper);

  for (const auto signal : {&Inside::asked, &Inside::opened})
    QObject::connect(&inside, signal, dock, [dock, pane, &window, &inside, &workbench] {
      // What a presentation opens is seen there
      if (!window.isActiveWindow() && !dock->isActiveWindow()) return;
      open_in_the_middle(*dock, window, workbench.looks().appearance().text_scale);
      if (inside.is_open()) pane->sheet().setFocus();
    });
  QObject::connect(&inside, &Inside::closed, dock, [dock, &window] {
    if (dock->isFloating()) window.layouts().put_away(*dock);
    window.setFocus();
  });
  const auto offer = [look, who, deeper, out, &workbench] {
    const bool open = workbench.inside().is_open();
    who->setEnabled(workbench.playback().cursor() != nullptr);
    look->setEnabled(workbench.playback().cursor() && !open);
    deeper->setEnabled(open);
    out->setEnabled(open);
  };
  QObject::connect(&workbench.playback(), &Playback::stepped, look, offer);
  QObject::connect(&inside, &Inside::opened, look, offer);
  QObject::connect(&inside, &Inside::closed, look, offer);
  offer();
}

}  // namespace kdscope
