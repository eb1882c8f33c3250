#include "app/views/dock_title.hpp"

#include <QEvent>
#include <QMainWindow>
#include <QTimer>
#include <algorithm>

#include "app/appearance/icons.hpp"
#include "app/appearance/plain_text.hpp"

namespace kdscope {

DockTitle::DockTitle(QDockWidget* dock, QWidget* pane, QWidget* extra)
    : QWidget(dock), dock_(dock), pane_(pane), text_(plain_label()), row_(new QHBoxLayout(this)) {
  row_->setContentsMargins(10, 2, 4, 2);
  row_->setSpacing(2);
  row_->addWidget(text_, 1);
  text_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  if (extra) row_->addWidget(extra);
  for (const bool floats : {true, false}) {
    auto* button = new QToolButton;
    button->setIcon(icon(floats ? Symbol::float_dock : Symbol::close));
    button->setAutoRaise(true);
    button->setFocusPolicy(Qt::TabFocus);
    button->setToolTip(floats ? tr("Float or dock") : tr("Close; the View menu brings it back"));
    button->setAccessibleName((floats ? tr("Float %1") : tr("Close %1")).arg(dock->windowTitle()));
    button->setObjectName(floats ? QStringLiteral("float") : QStringLiteral("close"));
    if (floats)
      connect(button, &QToolButton::clicked, dock, [dock] { dock->setFloating(!dock->isFloating()); });
    else
      connect(button, &QToolButton::clicked, dock, &QDockWidget::close);
    row_->addWidget(button);
  }
  connect(pane, &QWidget::windowTitleChanged, this, &DockTitle::update_text);
  connect(dock, &QDockWidget::topLevelChanged, this, &DockTitle::update_text);
  connect(dock, &QDockWidget::dockLocationChanged, this, &DockTitle::update_text);
  connect(dock, &QDockWidget::visibilityChanged, this, &DockTitle::update_text);
  dock->installEventFilter(this);
  scale_buttons();
  update_text();
}

void DockTitle::set_lead(QWidget* lead) {
  row_->setStretch(0, 0);
  text_->setSizePolicy(QSizePolicy::Minimum, QSizePolicy::Preferred);
  has_lead_ = true;
  row_->insertWidget(1, lead);
}

void DockTitle::scale_buttons() {
  const int side = fontMetrics().height() * 3 / 4;
  for (QToolButton* button : findChildren<QToolButton*>()) button->setIconSize({side, side});
}

void DockTitle::changeEvent(QEvent* event) {
  if (event->type() == QEvent::FontChange) {
    scale_buttons();
    update_text();
    // The contents of the title get their new size a moment later, and neither a combo box nor a dock signals it.
    QTimer::singleShot(0, this, [this] {
      for (QWidget* part : findChildren<QWidget*>()) part->updateGeometry();
      layout()->invalidate();
      layout()->activate();
      updateGeometry();
      dock_->layout()->invalidate();
      dock_->layout()->activate();
    });
  }
  QWidget::changeEvent(event);
}

void DockTitle::update_text() {
  const auto* window = qobject_cast<QMainWindow*>(dock_->parentWidget());
  // Tabs of hidden docks do not show.
  const QList<QDockWidget*> beside = window ? window->tabifiedDockWidgets(dock_) : QList<QDockWidget*>();
  const bool tabbed = !dock_->isFloating() && std::any_of(beside.begin(), beside.end(),
                                                          [](const QDockWidget* other) { return !other->isHidden(); });
  const QString own = pane_->windowTitle();
  whole_text_ = tabbed          ? own
                : own.isEmpty() ? dock_->windowTitle()
                                : QStringLiteral("%1: %2").arg(dock_->windowTitle(), own);
  // Without a tab, the title is the only place for the dock's name: widgets beside it give way.
  const QFontMetrics metrics = text_->fontMetrics();
  text_->setMinimumWidth(
      tabbed ? 0
             : std::min(metrics.horizontalAdvance(dock_->windowTitle()) + metrics.height() / 2, 6 * metrics.height()));
  // Of a pane's own words, rather none than a part
  const int room = std::max(20, text_->width());
  const bool fits = has_lead_ || metrics.horizontalAdvance(whole_text_) <= room;
  text_->setText(fits     ? whole_text_
                 : tabbed ? QString()
                          : metrics.elidedText(dock_->windowTitle(), Qt::ElideRight, room));
  text_->setToolTip(plain_tip(whole_text_));
}

void DockTitle::resizeEvent(QResizeEvent*) {
  layout()->activate();
  update_text();
}

bool DockTitle::eventFilter(QObject* watched, QEvent* event) {
  // Qt has no signal for a neighbour that joins or leaves the tabs, but it lays the dock out again.
  if (watched == dock_ && (event->type() == QEvent::Resize || event->type() == QEvent::Show)) update_text();
  return false;
}

}  // namespace kdscope
