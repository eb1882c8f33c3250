#include "app/panes/question_column.hpp"

#include <QApplication>
#include <QEvent>
#include <QScrollBar>
#include <QTimer>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "app/appearance/whole_lines.hpp"

namespace kdscope {

QuestionColumn::QuestionColumn(Workbench& workbench, QTextBrowser& text, QWidget& room)
    : QWidget(&room),
      text_(text),
      panel_(new QuestionPanel(workbench, &room, QuestionPanel::Shape::column)),
      area_(new QScrollArea) {
  auto* page = new QWidget;
  auto* column = new QVBoxLayout(page);
  auto* layout = new QVBoxLayout(this);
  auto* buttons = new QVBoxLayout;
  for (QVBoxLayout* each : {column, layout}) {
    each->setContentsMargins(0, 0, 0, 0);
    each->setSpacing(0);
  }
  buttons->setContentsMargins(12, 0, 12, 6);
  column->addWidget(&text, 1);
  column->addWidget(panel_);
  buttons->addWidget(panel_->buttons());
  layout->addWidget(area_, 1);
  layout->addLayout(buttons);
  text.setMinimumHeight(1);
  area_->setFrameShape(QFrame::NoFrame);
  area_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  area_->setFocusPolicy(Qt::NoFocus);
  area_->setWidgetResizable(true);
  area_->setWidget(page);
  area_->installEventFilter(this);
  new WholeLines(*area_, [this](double height) { return end_of_whole_lines_within(height); });
  connect(&text, &QTextBrowser::textChanged, this, &QuestionColumn::fit);
  connect(&workbench.playback(), &Playback::stepped, this, [this] {
    area_->verticalScrollBar()->setValue(0);
    asked_ = none;
  });
  connect(panel_, &QuestionPanel::shown, this, [this, &questions = workbench.questions()] {
    fit();
    const bool another = std::exchange(asked_, questions.current()) != questions.current();
    // The panel's own layout follows when the window is idle.
    if (another || panel_->news()) QTimer::singleShot(0, this, &QuestionColumn::show_news);
  });
  connect(qApp, &QApplication::focusChanged, this, [this](QWidget*, QWidget* now) {
    if (now && panel_->isAncestorOf(now)) area_->ensureWidgetVisible(now);
  });
  fit();
}

/// Where the question leaves the narration fewer lines than usual, the question's text scrolls too.
void QuestionColumn::fit() {
  constexpr int usual_lines = 4;
  const bool asks = !panel_->isHidden();
  int width = area_->width(), panel = asks ? panel_->height_for(width) : 0;
  const auto has_room_below = [&](int lines) {  // of a narration that scrolls by itself
    const int room = area_->height() - height_of_text(text_, width, lines);
    if (panel > room && lines < usual_lines) panel = panel_->height_within(width, room);
    return panel <= room;
  };
  const bool scrolls = !(has_room_below(usual_lines) || has_room_below(2) || has_room_below(1));
  if (asks && scrolls) {
    width -= area_->verticalScrollBar()->sizeHint().width();
    panel = panel_->height_for(width);
  }
  area_->setVerticalScrollBarPolicy(asks && scrolls ? Qt::ScrollBarAlwaysOn : Qt::ScrollBarAlwaysOff);
  text_.setVerticalScrollBarPolicy(asks && scrolls ? Qt::ScrollBarAlwaysOff : Qt::ScrollBarAsNeeded);
  panel_->setFixedHeight(panel);
  area_->widget()->setFixedHeight(asks && scrolls ? height_of_text(text_, width) + panel : area_->height());
}

/// Scrolls to the end of what is new, then to its beginning.
void QuestionColumn::show_news() {
  if (QWidget* news = panel_->news()) {
    if (const auto* page = qobject_cast<QTextBrowser*>(news))  // a hint ends the question's text
      page->verticalScrollBar()->setValue(page->verticalScrollBar()->maximum());
    const int top = news->mapTo(area_->widget(), QPoint()).y();
    area_->ensureVisible(0, top + news->height());
    area_->ensureVisible(0, top);
  } else {
    area_->verticalScrollBar()->setValue(panel_->y());
  }
}

double QuestionColumn::end_of_whole_lines_within(double height) const {
  double end = height;
  for (const QWidget* part : area_->widget()->findChildren<QWidget*>()) {
    const double top = part->mapTo(area_->widget(), QPoint()).y();
    const bool cut = part->isVisible() && top < height && top + part->height() > height;
    if (!cut || part->layout() || qobject_cast<const QAbstractScrollArea*>(part->parentWidget())) continue;
    const auto* text = qobject_cast<const QTextEdit*>(part);
    end = std::min(end, text ? top + end_of_whole_lines(*text->document(), height - top) : top);
  }
  return end;
}

bool QuestionColumn::eventFilter(QObject* watched, QEvent* event) {
  if (watched == area_ && event->type() == QEvent::Resize) fit();
  return QWidget::eventFilter(watched, event);
}

}  // namespace kdscope
