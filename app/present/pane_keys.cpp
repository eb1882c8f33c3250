#include "app/present/pane_keys.hpp"

#include <QApplication>
#include <QDockWidget>
#include <QKeyEvent>
#include <QLineEdit>
#include <QMenu>
#include <QPainter>
#include <algorithm>

#include "app/views/scene_view.hpp"
#include "app/workbench/workbench.hpp"
#include "app/workbench/workbench_window.hpp"

namespace kdscope {
namespace {

constexpr int ring_width = 3;

/// The widget that gets the focus in a pane: the first that Tab reaches, else the first that a click reaches, else the
/// pane.
QWidget* entrance(QWidget* pane) {
  for (const Qt::FocusPolicy policy : {Qt::TabFocus, Qt::ClickFocus}) {
    if (pane->focusPolicy() & policy) return pane;
    for (QWidget* child : pane->findChildren<QWidget*>())
      if ((child->focusPolicy() & policy) && child->isVisibleTo(pane) && child->isEnabledTo(pane)) return child;
  }
  return pane;
}

}  // namespace

FocusRing::FocusRing() {
  setAttribute(Qt::WA_TransparentForMouseEvents);
  setFocusPolicy(Qt::NoFocus);
  setObjectName(QStringLiteral("focus_ring"));
  hide();
}

void FocusRing::surround(QWidget* widget) {
  if (around_) around_->removeEventFilter(this);
  around_ = widget;
  if (!widget) {
    hide();
    return;
  }
  widget->installEventFilter(this);
  setParent(widget->window());
  follow();
}

void FocusRing::follow() {
  if (!around_ || !around_->isVisible()) {
    hide();
    return;
  }
  QWidget* window = around_->window();
  const QRect at(around_->mapTo(window, QPoint()), around_->size());
  setGeometry(at.adjusted(-2, -2, 2, 2) & window->rect());
  // Mask out the inside, so that the ring does not cover the widget.
  setMask(QRegion(rect()) - QRegion(rect().adjusted(ring_width, ring_width, -ring_width, -ring_width)));
  show();
  raise();
}

void FocusRing::paintEvent(QPaintEvent*) { QPainter(this).fillRect(rect(), palette().color(QPalette::Highlight)); }

bool FocusRing::eventFilter(QObject* watched, QEvent* event) {
  if (watched == around_ && (event->type() == QEvent::Resize || event->type() == QEvent::Move ||
                             event->type() == QEvent::Show || event->type() == QEvent::Hide))
    follow();
  return false;
}

PaneKeys::PaneKeys(WorkbenchWindow& window) : QObject(&window), window_(window), ring_(new FocusRing) {
  QMenu& menu = window.menu(QStringLiteral("panes"));
  menu.addAction(tr("&Next pane"), Qt::Key_F6, this, [this] { next_pane(true); })
      ->setObjectName(QStringLiteral("next_pane"));
  menu.addAction(tr("Pre&vious pane"), Qt::SHIFT | Qt::Key_F6, this, [this] { next_pane(false); });
  qApp->installEventFilter(this);
  connect(qApp, &QApplication::focusChanged, this, [this](QWidget*, QWidget* now) {
    if (!ring_) ring_ = new FocusRing;  // it was deleted together with its window
    ring_->surround(now && by_keyboard_ && !now->isWindow() && !qobject_cast<QMenu*>(now) ? now : nullptr);
  });
}

PaneKeys::~PaneKeys() { delete ring_; }

bool PaneKeys::eventFilter(QObject*, QEvent* event) {
  if (event->type() == QEvent::KeyPress || event->type() == QEvent::ShortcutOverride) {
    const int key = static_cast<QKeyEvent*>(event)->key();
    if (key == Qt::Key_Tab || key == Qt::Key_Backtab || key == Qt::Key_F6) by_keyboard_ = true;
  } else if (event->type() == QEvent::MouseButtonPress && by_keyboard_) {
    by_keyboard_ = false;
    if (ring_) ring_->surround(nullptr);
  }
  return false;
}

std::vector<QWidget*> PaneKeys::panes() const {
  std::vector<QWidget*> panes{&window_.scene()};
  for (QDockWidget* dock : window_.docks())
    if (!dock->isHidden()) panes.push_back(dock->widget());
  if (auto* transport = window_.findChild<QWidget*>(QStringLiteral("transport"))) panes.push_back(transport);
  return panes;
}

void PaneKeys::next_pane(bool forward) {
  const std::vector<QWidget*> all = panes();
  const QWidget* focused = QApplication::focusWidget();
  const auto here = std::find_if(all.begin(), all.end(), [&](QWidget* pane) {
    return focused && (pane == focused || pane->isAncestorOf(focused));
  });
  const auto count = static_cast<std::ptrdiff_t>(all.size());
  const std::ptrdiff_t at = here == all.end() ? (forward ? -1 : 0) : here - all.begin();
  QWidget* pane = all[static_cast<std::size_t>((at + (forward ? 1 : count - 1)) % count)];
  by_keyboard_ = true;
  if (auto* dock = qobject_cast<QDockWidget*>(pane->parentWidget())) dock->raise();
  pane->window()->activateWindow();
  entrance(pane)->setFocus(Qt::ShortcutFocusReason);
}

}  // namespace kdscope
