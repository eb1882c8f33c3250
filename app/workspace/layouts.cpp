#include "app/workspace/layouts.hpp"

#include <QActionGroup>
#include <QApplication>
#include <QDataStream>
#include <QDockWidget>
#include <QEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QPointer>
#include <QTabBar>
#include <QToolBar>
#include <algorithm>
#include <cmath>
#include <utility>

#include "app/appearance/few_tabs.hpp"
#include "app/panes/arrays_pane.hpp"
#include "app/workbench/workbench.hpp"
#include "app/workbench/workbench_window.hpp"
#include "walkthroughs/reader/panes.hpp"

namespace kdscope {
namespace {

constexpr int state_version = 1;
constexpr int rest_ms = 300;

/// Whether a pane needs more room than the narration's column has: it opens in the middle.
bool is_large(const QDockWidget& dock) {
  const Pane& pane = pane_named(dock.objectName().toStdString());
  return pane.group == PaneGroup::measure || pane.group == PaneGroup::apply || pane.id == std::string_view("variants");
}

/// Restores the focus at the end of its life to the widget that had it, or else to the window. A hidden pane would pass
/// its focus on to the next widget, perhaps a text field, where keys do not step.
class KeptFocus {
 public:
  explicit KeptFocus(QWidget& window) : window_(window), before_(QApplication::focusWidget()) {}
  ~KeptFocus() {
    const QWidget* now = QApplication::focusWidget();
    if (now == before_ || (now && now->window() != &window_)) return;
    QWidget* back = before_ && before_->isVisible() && before_->isEnabled() ? before_.data() : &window_;
    back->setFocus();
  }
  KeptFocus(const KeptFocus&) = delete;
  KeptFocus& operator=(const KeptFocus&) = delete;

 private:
  QWidget& window_;
  QPointer<QWidget> before_;
};

}  // namespace

const char* name_of(Layout layout) {
  switch (layout) {
    case Layout::demonstrate:
      return "demonstrate";
    case Layout::study:
      return "study";
    case Layout::debug:
      return "debug";
  }
  return "";
}

std::optional<Layout> layout_named(const QString& name) {
  for (const Layout layout : all_layouts)
    if (name == QLatin1String(name_of(layout))) return layout;
  return std::nullopt;
}

Layouts::Layouts(WorkbenchWindow& window, Workbench& workbench)
    : QObject(&window), window_(window), workbench_(workbench) {
  rest_.setSingleShot(true);
  rest_.setInterval(rest_ms);
  connect(&rest_, &QTimer::timeout, this, &Layouts::notice);
  window.installEventFilter(this);
  // Another lesson has other tables. Another run, such as a search that follows the mouse, moves no picture under it.
  connect(&workbench.playback(), &Playback::opened, this, [this] {
    if (room_.tight || !workbench_.lessons().at_introduction()) return;
    QTimer::singleShot(0, this, [this] {
      if (!own_ && !known_.isEmpty()) fit();
    });
  });
}

QDockWidget* Layouts::dock(const char* name) const { return window_.dock(QString::fromLatin1(name)); }

void Layouts::add(QDockWidget* dock, const QString& beside, bool shown) {
  if (!beside.isEmpty()) added_.push_back({dock, beside, shown});
  const auto later = [this] {
    QTimer::singleShot(0, this, &Layouts::fit_tabs);  // once the tab bars have changed, and before the docks rest
    rest_.start();
  };
  connect(dock, &QDockWidget::dockLocationChanged, this, later);
  connect(dock, &QDockWidget::topLevelChanged, this, later);
  connect(dock->toggleViewAction(), &QAction::toggled, this, later);
  if (!is_large(*dock)) return;
  connect(dock->toggleViewAction(), &QAction::triggered, this, [this, dock](bool shown) {
    if (shown && !dock->isFloating() && !own_ && !room_.tight)
      window_.resizeDocks({dock}, {(window_.width() - side_width()) * 3 / 5}, Qt::Horizontal);
  });
}

void Layouts::fill_menu(QMenu& menu) {
  const QString titles[] = {tr("&Demonstrate"), tr("&Study"), tr("D&ebug")};
  const QString tips[] = {tr("For a projector: only view, tree and arrays"), tr("For one person, with the narration"),
                          tr("Large arrays, source and checks")};
  auto* group = new QActionGroup(this);
  for (const Layout layout : all_layouts) {
    const auto place = static_cast<std::size_t>(layout);
    QAction* action = menu.addAction(titles[place]);
    action->setShortcut(QKeySequence(Qt::CTRL | Qt::SHIFT | static_cast<Qt::Key>(Qt::Key_1 + place)));
    action->setToolTip(tips[place]);
    action->setObjectName(QString::fromLatin1(name_of(layout)));
    action->setCheckable(true);
    action->setChecked(layout == current_);
    group->addAction(action);
    choices_[place] = action;
    connect(action, &QAction::triggered, this, [this, layout] { apply(layout); });
  }
  menu.setToolTipsVisible(true);
  menu.addSeparator();
  const auto entry = [&](const QString& text, Qt::Key key, const char* name, auto what) {
    QAction* action = menu.addAction(text);
    action->setShortcut(QKeySequence(Qt::CTRL | Qt::SHIFT | key));
    action->setObjectName(QString::fromLatin1(name));
    connect(action, &QAction::triggered, this, [this, what] {
      what();
      notice();
    });
  };
  entry(tr("&Reset this layout"), Qt::Key_0, "reset_layout", [this] { reset(); });
  entry(tr("&Float or dock the pane in use"), Qt::Key_F, "float_pane", [this] { float_focused(); });
  entry(tr("D&ock all panes"), Qt::Key_D, "dock_all", [this] { dock_all(); });
}

void Layouts::start() {
  known_.clear();
  apply(current_);
  // Set sizes and raise tabs after the window's own layout, which would undo them.
  QTimer::singleShot(0, this,
                     [this] { start_state_.isEmpty() ? raise_docks() : static_cast<void>(restore(start_state_)); });
}

void Layouts::apply(Layout layout) {
  const QByteArray before = known_;
  current_ = layout;
  if (QAction* choice = choices_[static_cast<std::size_t>(layout)]) choice->setChecked(true);
  place_docks();
  own_ = false;
  share_room();
  remember();
  if (!before.isEmpty() && before != known_) emit changed(before, known_);
  settle();
}

void Layouts::place_docks() {
  const KeptFocus focus(window_);
  room_ = room();
  QDockWidget *tree = dock("tree"), *narration = dock("narration"), *experiments = dock("experiments");
  const std::vector<QDockWidget*> docks = window_.docks();
  // An experiment chart in its own window is not part of the layout.
  const bool own_window = experiments->isVisible() && experiments->isFloating();
  for (QDockWidget* each : docks) {
    if (own_window && each == experiments) continue;
    each->setFloating(false);
    window_.removeDockWidget(each);
  }
  const bool debug = current_ == Layout::debug;
  // In a low window, the narration has the whole height, beside view and arrays.
  window_.setCorner(Qt::BottomRightCorner, has_whole_column() ? Qt::RightDockWidgetArea : Qt::BottomDockWidgetArea);
  if (!room_.flat) window_.addDockWidget(Qt::BottomDockWidgetArea, dock("arrays"));
  if (room_.tight) {  // there is room only for the view and one more column
    window_.addDockWidget(Qt::RightDockWidgetArea, narration);
    if (room_.flat) window_.tabifyDockWidget(narration, dock("arrays"));
    for (const char* name :
         {"tree", "source", "checks", "timeline", "timing", "run", "histogram", "candidates", "coordinates"})
      window_.tabifyDockWidget(narration, dock(name));
  } else {
    const bool below = has_whole_column();  // then no other pane can stand beside it on the right
    window_.addDockWidget(below ? Qt::LeftDockWidgetArea : Qt::RightDockWidgetArea, tree);
    below ? window_.addDockWidget(Qt::RightDockWidgetArea, narration)
          : window_.splitDockWidget(tree, narration, Qt::Horizontal);
    // Each has a place of its own, or else the tree's: the narration keeps its height.
    below ? window_.tabifyDockWidget(tree, dock("histogram"))
          : window_.splitDockWidget(tree, dock("histogram"), Qt::Vertical);
    for (const char* plot : {"coordinates", "candidates"})
      below ? window_.tabifyDockWidget(tree, dock(plot))
            : window_.splitDockWidget(dock("arrays"), dock(plot), Qt::Horizontal);
    if (debug)
      window_.splitDockWidget(narration, dock("checks"), Qt::Vertical);
    else  // a question needs the whole column
      window_.tabifyDockWidget(narration, dock("checks"));
    window_.tabifyDockWidget(narration, dock("source"));
    window_.tabifyDockWidget(debug ? dock("checks") : dock("source"), dock("run"));
    window_.tabifyDockWidget(dock("checks"), dock("timeline"));
    window_.tabifyDockWidget(tree, dock("timing"));
  }
  if (!own_window) window_.tabifyDockWidget(dock("timing"), experiments);
  for (const Place& place : added_)
    window_.tabifyDockWidget(room_.tight             ? narration
                             : is_large(*place.dock) ? tree
                                                     : window_.dock(place.beside),
                             place.dock);

  const auto belongs = [&](QDockWidget* each) {
    if (each == experiments) return own_window;
    if (const auto wanted = for_run_.find(each->objectName()); wanted != for_run_.end()) return wanted->second;
    if (current_ == Layout::demonstrate) return each == tree || each == dock("arrays");
    if (each == dock("timing")) return debug;
    const auto place = std::find_if(added_.begin(), added_.end(), [&](const Place& p) { return p.dock == each; });
    return place == added_.end() || place->shown || debug;
  };
  for (QDockWidget* each : docks) each->setVisible(belongs(each));
  raise_docks();
  fit_tabs();
}

/// Tabs keep their whole names; a menu holds those that have no room.
void Layouts::fit_tabs() {
  for (QTabBar* tabs : window_.findChildren<QTabBar*>(QString(), Qt::FindDirectChildrenOnly)) {
    auto* few = tabs->findChild<FewTabs*>();
    if (!few) (few = new FewTabs(*tabs, tr("Other panes")))->lie_over_tabs();
    tabs->setElideMode(Qt::ElideNone);
    tabs->setUsesScrollButtons(true);
    few->fit();
  }
}

void Layouts::raise_docks() {
  for (const char* front : {"tree", "checks"}) dock(front)->raise();
  for (const auto& [name, shown] : for_run_)
    if (shown) raise_plot(name);
  dock(current_ == Layout::demonstrate ? "tree" : current_ == Layout::debug ? "source" : "narration")->raise();
}

void Layouts::raise_plot(const QString& name) {
  QDockWidget *plot = window_.dock(name), *tree = dock("tree");
  if (!room_.tight && window_.tabifiedDockWidgets(plot).contains(tree)) (behind_.contains(name) ? tree : plot)->raise();
}

void Layouts::put_in_front(const QString& plot, bool front) {
  if (front ? behind_.erase(plot) == 0 : !behind_.insert(plot).second) return;
  if (for_run_.at(plot)) raise_plot(plot);
}

Layouts::Room Layouts::room() const {
  const double scale = workbench_.looks().appearance().text_scale / 100.0;
  const double width = window_.width() / scale, height = window_.height() / scale;
  const bool tight = width < 1000;
  return {tight, height < 850, tight && height < 600, tight && height < 270};
}

/// Whether the column of the narration reaches down beside the arrays.
bool Layouts::has_whole_column() const {
  return room_.cramped || (room_.low && !room_.tight && current_ == Layout::study);
}

int Layouts::side_width() const {
  const double larger_text = std::sqrt(workbench_.looks().appearance().text_scale / 100.0);
  const double share = current_ != Layout::study ? 0.38 : room_.low ? 0.34 : 0.3, width = window_.width();
  return static_cast<int>(std::clamp(width * share * larger_text, 320.0, width * 0.48));
}

void Layouts::share_room() {
  const int width = window_.width(), height = window_.height(), side = side_width();
  QDockWidget *arrays = dock("arrays"), *tree = dock("tree"), *narration = dock("narration");
  QDockWidget* raised = current_ == Layout::debug ? dock("source") : narration;
  if (current_ == Layout::demonstrate || room_.tight) {
    window_.resizeDocks({current_ == Layout::demonstrate ? tree : raised}, {side}, Qt::Horizontal);
  } else {
    const double share = current_ == Layout::study ? 0.45 : 0.4;
    window_.resizeDocks({tree, raised}, {static_cast<int>((width - side) * share), side}, Qt::Horizontal);
    if (current_ == Layout::debug)
      window_.resizeDocks({raised, dock("checks")}, room_.low ? QList<int>{4, 1} : QList<int>{3, 1}, Qt::Vertical);
  }
  if (!dock("histogram")->isHidden() && !room_.tight && !has_whole_column())
    window_.resizeDocks({tree, dock("histogram")}, {3, 2}, Qt::Vertical);
  for (const char* name : {"coordinates", "candidates"})
    if (!dock(name)->isHidden() && !room_.tight && !has_whole_column())
      window_.resizeDocks({arrays, dock(name)}, {2, 1}, Qt::Horizontal);
  if (room_.flat) return;
  // Layouts around the table keep the hint of the table before until the window is idle
  for (QWidget* at = &window_.arrays().view(); at != &window_.arrays(); at = at->parentWidget()) at->updateGeometry();
  const int title = arrays->titleBarWidget()->sizeHint().height(), wanted = window_.arrays().usual_height() + title;
  const bool debug = current_ == Layout::debug, low = room_.low && !room_.tight;
  // The picture gets more room on a low screen
  const int most = height * (debug ? 18 : low ? 15 : room_.cramped ? 12 : 16) / 40;
  window_.resizeDocks({arrays}, {std::clamp(wanted, height / (debug ? 3 : 6), most)}, Qt::Vertical);
}

void Layouts::show_for_run(const QString& name, bool shown) {
  if (std::exchange(for_run_.at(name), shown) == shown) return;
  const KeptFocus focus(window_);
  window_.dock(name)->setVisible(shown);
  if (shown) raise_plot(name);
  fit();
}

void Layouts::reveal(QDockWidget& dock) {
  if (rest_.isActive() && !silent_) notice();  // what the user changed just before stays the user's
  const bool hidden = dock.isHidden();
  dock.show();
  dock.raise();
  if (hidden) settle();
}

void Layouts::put_away(QDockWidget& dock) {
  if (rest_.isActive() && !silent_) notice();
  if (dock.isHidden()) return;
  const KeptFocus focus(window_);
  dock.hide();
  settle();
}

void Layouts::fit() {
  if (const Room now = room(); now.tight != room_.tight || (!own_ && now != room_))
    place_docks(), share_room();
  else if (!own_)
    share_room();
  settle();
}

void Layouts::settle() {
  silent_ = true;
  rest_.start();
}

void Layouts::float_focused() {
  for (QWidget* at = QApplication::focusWidget(); at; at = at->parentWidget())
    if (auto* focused = qobject_cast<QDockWidget*>(at)) {
      focused->setFloating(!focused->isFloating());
      if (focused->isFloating())
        focused->activateWindow();
      else
        focused->raise();
      return;
    }
}

void Layouts::dock_all() {
  for (QDockWidget* each : window_.docks()) each->setFloating(false);
}

QByteArray Layouts::state_with_sizes() const {
  QByteArray state = this->state();
  QDataStream out(&state, QIODevice::WriteOnly | QIODevice::Append);
  QMap<QString, QSize> sizes;
  for (const QDockWidget* dock : window_.docks())
    if (!dock->isFloating() && !dock->visibleRegion().isEmpty()) sizes[dock->objectName()] = dock->size();
  out << window_.size() << sizes;
  return state;
}

QByteArray Layouts::state() const {
  QByteArray state;
  QDataStream out(&state, QIODevice::WriteOnly);
  const QByteArray docks = window_.saveState(state_version);
  out << QByteArray(name_of(current_)) << docks << qChecksum(docks) << own_;
  return state;
}

bool Layouts::restore(const QByteArray& state) {
  QDataStream in(state);
  QByteArray name, docks;
  quint16 checksum = 0;
  in >> name >> docks >> checksum;
  const auto layout = layout_named(QString::fromLatin1(name));
  if (in.status() != QDataStream::Ok || !layout || qChecksum(docks) != checksum) return false;
  bool own = true;  // earlier versions of the state do not store it
  if (!in.atEnd()) in >> own;
  QSize saved_in;
  QMap<QString, QSize> sizes;
  if (!in.atEnd()) in >> saved_in >> sizes;
  if (in.status() != QDataStream::Ok) sizes.clear();
  const KeptFocus focus(window_);
  // Do not restore the visibility of bars, which depends on their contents: a bar saved during a run would show its
  // message forever.
  std::vector<std::pair<QToolBar*, bool>> bars;
  for (QToolBar* bar : window_.findChildren<QToolBar*>(QString(), Qt::FindDirectChildrenOnly))
    bars.emplace_back(bar, !bar->isHidden());
  const bool restored = window_.restoreState(docks, state_version);
  for (const auto& [bar, shown] : bars) bar->setVisible(shown);
  if (!restored) return false;
  // Nothing to look at is open any more; the next look has the place of today's layout, whatever the state's version.
  if (!workbench_.inside().is_open()) dock("inside")->hide();
  current_ = *layout;
  if (QAction* choice = choices_[static_cast<std::size_t>(current_)]) choice->setChecked(true);
  room_ = room();
  for (auto& [name, shown] : for_run_) shown = !window_.dock(name)->isHidden();
  own_ = own;
  if (saved_in.isValid() && saved_in != window_.size()) own_ ? share_room_as(saved_in, sizes) : share_room();
  remember();
  settle();
  return true;
}

/// Gives docks the shares of the window that they had in a window of another size.
void Layouts::share_room_as(QSize then, const QMap<QString, QSize>& sizes) {
  QList<QDockWidget*> docks;
  QList<int> widths, heights;
  for (QDockWidget* each : window_.docks()) {
    const QSize size = sizes.value(each->objectName());
    if (size.isEmpty() || each->isHidden() || each->isFloating() || then.isEmpty()) continue;
    docks << each;
    widths << std::max(1, size.width() * window_.width() / then.width());
    heights << std::max(1, size.height() * window_.height() / then.height());
  }
  window_.resizeDocks(docks, widths, Qt::Horizontal);
  window_.resizeDocks(docks, heights, Qt::Vertical);
}

void Layouts::remember() {
  rest_.stop();
  silent_ = false;
  known_ = state();
}

void Layouts::notice() {
  const QByteArray before = known_;
  const bool silent = silent_;
  remember();
  if (silent || before.isEmpty() || before == known_) return;
  own_ = true;
  known_ = state();
  emit changed(before, known_);
}

bool Layouts::eventFilter(QObject* watched, QEvent* event) {
  // Notice drags of the handles between docks, which have no signal. A handle is where the window has no child; other
  // clicks reach the window too if a child ignores them. Changes that docks made before the press are not the user's.
  if (watched == &window_ && event->type() == QEvent::MouseButtonPress) {
    handle_pressed_ = !window_.childAt(static_cast<const QMouseEvent*>(event)->pos());
    if (handle_pressed_ && !rest_.isActive() && !known_.isEmpty()) known_ = state();
  }
  if (watched == &window_ && event->type() == QEvent::MouseButtonRelease && std::exchange(handle_pressed_, false))
    rest_.start();
  if (watched == &window_ && event->type() == QEvent::Resize) {
    settle();
    QTimer::singleShot(0, this, [this] {  // after the docks have been resized
      if (!own_ && !known_.isEmpty()) fit();
    });
  }
  return false;
}

}  // namespace kdscope
