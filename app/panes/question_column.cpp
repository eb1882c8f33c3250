#include "app/panes/question_column.hpp"

#include <QApplication>
#include <QEvent>
#include <QScrollBar>
#include <QTimer>
#include <algorithm>

namespace kdscope {

QuestionColumn::QuestionColumn(Workbench& workbench, QWidget& room)
    : QScrollArea(&room), room_(room), panel_(new QuestionPanel(workbench, &room, QuestionPanel::Shape::column)) {
  setFrameShape(QFrame::NoFrame);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setFocusPolicy(Qt::NoFocus);
  setWidgetResizable(true);
  setWidget(panel_);
  room.installEventFilter(this);
  connect(panel_, &QuestionPanel::shown, this, [this] {
    fit();
    verticalScrollBar()->setValue(0);
    // The panel's own layout follows when the window is idle.
    if (panel_->verdict())
      QTimer::singleShot(0, this, [this] {
        if (panel_->verdict()) ensureWidgetVisible(panel_->verdict());
      });
  });
  connect(qApp, &QApplication::focusChanged, this, &QuestionColumn::show_focus);
  fit();
}

void QuestionColumn::fit() {
  setVisible(!panel_->isHidden());
  if (panel_->isHidden()) return;
  constexpr double fewest_lines = 2.5;  // of the narration, rather than a cut way to answer
  const int most = std::max(0, room_.height() - static_cast<int>(fewest_lines * room_.fontMetrics().height()));
  int needed = panel_->height_for(room_.width());
  if (needed > most) needed = panel_->height_for(room_.width() - verticalScrollBar()->sizeHint().width());
  setFixedHeight(std::min(most, needed));
}

void QuestionColumn::show_focus(QWidget*, QWidget* now) {
  if (now && panel_->isAncestorOf(now)) ensureWidgetVisible(now);
}

bool QuestionColumn::eventFilter(QObject* watched, QEvent* event) {
  if (watched == &room_ && event->type() == QEvent::Resize) fit();
  return QScrollArea::eventFilter(watched, event);
}

}  // namespace kdscope
