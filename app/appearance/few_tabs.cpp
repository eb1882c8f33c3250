#include "app/appearance/few_tabs.hpp"

#include <QEvent>
#include <QMenu>
#include <QStyle>
#include <utility>

namespace kdscope {

FewTabs::FewTabs(QTabBar& tabs, const QString& name) : tabs_(tabs) {
  setText(QStringLiteral("\u2026"));
  setToolTip(name);
  setAccessibleName(name);
  setFocusPolicy(Qt::StrongFocus);
  setPopupMode(QToolButton::InstantPopup);
  setAutoRaise(true);
  setMenu(new QMenu(this));
  hide();
  connect(&tabs, &QTabBar::currentChanged, this, &FewTabs::fit);
}

void FewTabs::lie_over_tabs() {
  lies_over_tabs_ = true;
  setParent(&tabs_);
  tabs_.installEventFilter(this);
}

void FewTabs::set_room(int width) {
  if (std::exchange(room_, width) != width) fit();
}

void FewTabs::fit() {
  constexpr int most = 5;
  const int count = tabs_.count(), front = tabs_.currentIndex(),
            around = tabs_.style()->pixelMetric(QStyle::PM_TabBarTabHSpace, nullptr, &tabs_);
  const auto is_kept = [&](int tab, int first) { return tab < first || tab == front; };
  const auto width_of = [&](int first) {
    int width = 0;
    for (int tab = 0; tab < count; ++tab)
      if (is_kept(tab, first))
        width += tabs_.fontMetrics().size(Qt::TextShowMnemonic, tabs_.tabText(tab)).width() + around;
    return width;
  };
  const auto has_room = [&](int first) {
    const bool all = first + (front >= first) == count;
    return first + (front >= first) <= most &&
           width_of(first) + (all ? 0 : sizeHint().width()) <= (lies_over_tabs_ ? tabs_.width() : room_);
  };
  int first = count;
  while (first > 0 && !has_room(first)) --first;
  menu()->clear();
  for (int tab = 0; tab < count; ++tab) {
    // Asked again for what it has, a bar would be laid out again, and forget that others have changed
    if (tabs_.isTabVisible(tab) != is_kept(tab, first)) tabs_.setTabVisible(tab, is_kept(tab, first));
    if (!is_kept(tab, first))
      menu()->addAction(tabs_.tabText(tab), this, [this, tab] {
        emit chosen();
        tabs_.setCurrentIndex(tab);
      });
  }
  setVisible(!menu()->isEmpty());
  if (!lies_over_tabs_) return tabs_.updateGeometry();  // a tab that comes and goes does not ask for it
  const int last = front >= first ? front : first - 1, after = tabs_.tabRect(last).right() + 1;
  setGeometry({{std::min(after, tabs_.width() - sizeHint().width()), 0}, QSize(sizeHint().width(), tabs_.height())});
}

bool FewTabs::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::Resize || event->type() == QEvent::FontChange) fit();
  return QToolButton::eventFilter(watched, event);
}

}  // namespace kdscope
