#include "app/views/find_bar.hpp"

#include <QHBoxLayout>
#include <QKeyEvent>

#include "app/appearance/icons.hpp"
#include "app/appearance/plain_text.hpp"

namespace kdscope {
namespace {

QToolButton* button(Symbol symbol, const QString& name, const QString& key) {
  auto* made = new QToolButton;
  made->setIcon(icon(symbol));
  made->setAutoRaise(true);
  made->setFocusPolicy(Qt::TabFocus);
  made->setToolTip(QStringLiteral("%1 (%2)").arg(name, key));
  made->setAccessibleName(name);
  return made;
}

}  // namespace

FindBar::FindBar(QWidget* parent)
    : QWidget(parent),
      text_(new QLineEdit),
      words_(plain_label()),
      back_(button(Symbol::previous_stop, tr("Previous match"), tr("Shift+F3"))),
      next_(button(Symbol::next_stop, tr("Next match"), tr("F3"))) {
  setObjectName(QStringLiteral("find_bar"));
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(8, 2, 6, 2);
  row->setSpacing(4);
  auto* label = plain_label(tr("Find"));
  label->setBuddy(text_);
  QToolButton* close = button(Symbol::close, tr("Close"), tr("Esc"));
  row->addWidget(label);
  row->addWidget(text_, 2);
  row->addWidget(back_);
  row->addWidget(next_);
  row->addWidget(words_, 3);
  row->addWidget(close);
  text_->setObjectName(QStringLiteral("find_text"));
  text_->setPlaceholderText(tr("983, tags == 30, node 12, p7"));
  text_->setAccessibleName(tr("What to find in the arrays"));
  text_->setAccessibleDescription(
      tr("A column's number; a row, a comparison and a number; a node; or a point. Enter goes to the next match, "
         "Shift+Enter to the previous one."));
  words_->setObjectName(QStringLiteral("find_words"));
  words_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  text_->installEventFilter(this);
  connect(text_, &QLineEdit::textChanged, this, [this] {
    asked_ = false;
    at_.reset();
    emit text_changed();
  });
  connect(back_, &QToolButton::clicked, this, [this] { walk(-1); });
  connect(next_, &QToolButton::clicked, this, [this] { walk(1); });
  connect(close, &QToolButton::clicked, this, &FindBar::closed);
  hide();
}

void FindBar::start() {
  show();
  text_->setFocus(Qt::ShortcutFocusReason);
  text_->selectAll();
  emit text_changed();
}

void FindBar::set_matches(Result<ElementMatches> matches) {
  const bool shown = at_ && matches_;
  const std::uint64_t column = shown ? matches_->at(*at_) : 0;
  matches_.reset();
  error_.reset();
  at_.reset();
  if (matches)
    matches_ = std::move(*matches);
  else
    error_ = matches.error();
  if (shown && matches_ && matches_->size() > 0) {
    // Find the same column among the matches of another step, if it is one of them.
    std::uint64_t low = 0, high = matches_->size();
    while (low < high) {
      const std::uint64_t middle = low + (high - low) / 2;
      if (matches_->at(middle) < column)
        low = middle + 1;
      else
        high = middle;
    }
    if (low < matches_->size() && matches_->at(low) == column) at_ = low;
  }
  show_words();
}

void FindBar::walk(int direction) {
  asked_ = true;
  if (matches_ && matches_->size() > 0) {
    const std::uint64_t last = matches_->size() - 1;
    if (!at_)
      at_ = direction > 0 ? 0 : last;
    else if (direction > 0)
      at_ = *at_ == last ? 0 : *at_ + 1;
    else
      at_ = *at_ == 0 ? last : *at_ - 1;
    emit found(matches_->row(), matches_->at(*at_));
  }
  show_words();
}

void FindBar::show_words() {
  QString words;
  const std::uint64_t count = matches_ ? matches_->size() : 0;
  if (error_) {
    words = asked_ ? foreign_text(error_->message()) : QString();
    if (!words.isEmpty()) words[0] = words[0].toUpper();
  } else if (matches_) {
    words = count == 0   ? tr("no match at this step")
            : at_        ? tr("%L1 of %L2").arg(*at_ + 1).arg(count)
            : count == 1 ? tr("1 match")
                         : tr("%L1 matches").arg(count);
  }
  words_->setText(words);
  words_->setToolTip(plain_tip(words));
  words_->setForegroundRole(error_ ? QPalette::BrightText : QPalette::PlaceholderText);
  for (QToolButton* each : {back_, next_}) each->setEnabled(count > 0);
}

bool FindBar::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() != QEvent::KeyPress && event->type() != QEvent::ShortcutOverride)
    return QWidget::eventFilter(watched, event);
  const auto* pressed = static_cast<QKeyEvent*>(event);
  const int key = pressed->key();
  const bool enter = key == Qt::Key_Return || key == Qt::Key_Enter;
  if (!enter && key != Qt::Key_Escape) return QWidget::eventFilter(watched, event);
  if (event->type() == QEvent::ShortcutOverride) {
    event->accept();
  } else if (enter) {
    walk(pressed->modifiers() & Qt::ShiftModifier ? -1 : 1);
  } else {
    emit closed();
  }
  return true;
}

}  // namespace kdscope
