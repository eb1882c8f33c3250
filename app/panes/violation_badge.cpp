#include "app/panes/violation_badge.hpp"

#include <QPainter>

#include "app/appearance/appearance.hpp"

namespace kdscope {

ViolationBadge::ViolationBadge(Workbench& workbench, QWidget* parent) : QToolButton(parent), workbench_(workbench) {
  setObjectName(QStringLiteral("violation_badge"));
  setFocusPolicy(Qt::TabFocus);
  setCursor(Qt::PointingHandCursor);
  setToolTip(tr("To the first violated check; F4 and Shift+F4 walk through all of them"));
  connect(&workbench.playback(), &Playback::opened, this, &ViolationBadge::show_run);
  connect(&workbench.looks(), &Looks::changed, this, qOverload<>(&QWidget::update));
  connect(this, &QToolButton::clicked, &workbench, [&workbench] { workbench.violations().go_to(0); });
  show_run();
}

void ViolationBadge::show_run() {
  const std::size_t count = workbench_.violations().all().size();
  setText(count == 1 ? tr("\u2717 1 violated check") : tr("\u2717 %L1 violated checks").arg(count));
  setAccessibleName(text());
  setVisible(count > 0);
  updateGeometry();
}

QSize ViolationBadge::sizeHint() const {
  QFont bold = font();
  bold.setBold(true);
  const QFontMetrics metrics(bold);
  return {metrics.horizontalAdvance(text()) + metrics.height() * 3 / 2, metrics.height() * 4 / 3};
}

void ViolationBadge::paintEvent(QPaintEvent*) {
  const Theme& t = theme_of(workbench_.looks().appearance());
  paint_badge(*this, hasFocus() ? QPen(colour(t.text), 2) : QPen(Qt::NoPen), colour(t.failed));
  QPainter painter(this);
  QFont bold = font();
  bold.setBold(true);
  painter.setFont(bold);
  painter.setPen(colour(text_on(t.failed)));
  painter.drawText(rect(), Qt::AlignCenter, text());
}

}  // namespace kdscope
