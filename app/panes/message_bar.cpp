#include "app/panes/message_bar.hpp"

#include <QEvent>
#include <QHBoxLayout>
#include <QPainter>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "algorithms/core/available_memory.hpp"
#include "app/appearance/appearance.hpp"
#include "app/appearance/form_field.hpp"
#include "app/appearance/icons.hpp"
#include "app/appearance/plain_text.hpp"

namespace kdscope {
namespace {

constexpr int lasting_ms = 6000;  // of a message that needs no answer
constexpr int gap = 8;            // to the borders of the picture

}  // namespace

MessageBar::MessageBar(Workbench& workbench, QWidget* parent)
    : QFrame(parent),
      workbench_(workbench),
      mark_(plain_label()),
      text_(plain_label()),
      scroll_(new QScrollArea),
      progress_(new QProgressBar),
      action_(named(new QPushButton, {"offer"})),
      anyway_(named(new QPushButton,
                    {"record_anyway", {}, tr("Uses all the memory that is free now; other programs may become slow")})),
      cancel_(button({"cancel", tr("Cancel")}, {}, icon(Symbol::cancel))),
      close_(named(new QToolButton, {"", tr("Dismiss the message"), tr("Dismiss (Esc)")})) {
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(10, 5, 6, 5);
  layout->setSpacing(4);
  auto* words = new QHBoxLayout;
  words->setSpacing(10);
  words->addWidget(mark_, 0, Qt::AlignTop);
  words->addWidget(scroll_, 1);
  words->addWidget(close_, 0, Qt::AlignTop);
  auto* answers = new QHBoxLayout;
  answers->setSpacing(10);
  answers->addWidget(progress_, 1);
  answers->addStretch();
  for (QWidget* part : std::initializer_list<QWidget*>{action_, anyway_, cancel_}) answers->addWidget(part);
  layout->addLayout(words);
  layout->addLayout(answers);
  scroll_->setWidget(text_);
  scroll_->setWidgetResizable(true);
  scroll_->setFrameShape(QFrame::NoFrame);
  scroll_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  scroll_->setFocusPolicy(Qt::NoFocus);
  scroll_->viewport()->setAutoFillBackground(false);
  text_->setAutoFillBackground(false);
  text_->setAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  text_->setWordWrap(true);
  text_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  progress_->setRange(0, 1000);
  progress_->setTextVisible(false);
  close_->setIcon(icon(Symbol::close));
  close_->setAutoRaise(true);
  patience_.setSingleShot(true);
  patience_.setInterval(250);

  connect(close_, &QToolButton::clicked, this, &MessageBar::dismiss_all);
  connect(cancel_, &QPushButton::clicked, this, [this] {
    if (what_.isEmpty()) return workbench_.playback().stop_waiting();
    set_text(tr("Cancelling\u2026"));
    cancel_->setEnabled(false);
    workbench_.jobs().cancel();
  });
  connect(action_, &QPushButton::clicked, this, [this] {
    RunRequest run = run_;
    if (offer_ == Offer::read_otherwise) {
      dismiss();
      emit other_reading_wanted(run);
      return;
    }
    dismiss();
    if (offer_ == Offer::run_on_cpu)
      run.backend = Backend::cpu;
    else if (offer_ == Offer::record_thinned)
      run.thin = true;
    else if (!workbench_.messages().conclude(workbench_.device_choice().choose({})))
      return;
    workbench_.desk().retry(run);
  });
  connect(anyway_, &QPushButton::clicked, this, [this] {
    RunRequest run = run_;
    run.trace_budget_bytes = raised_budget_;
    dismiss();
    workbench_.desk().retry(run);
  });
  connect(&patience_, &QTimer::timeout, this, [this] { set_shown(true); });
  // A message is about the last thing that was done: it goes with the next one that succeeds.
  lasting_.setSingleShot(true);
  lasting_.setInterval(lasting_ms);
  connect(&lasting_, &QTimer::timeout, this, &MessageBar::show_warnings);
  connect(&workbench.edits(), &PointEdits::changed, this, &MessageBar::forget_failure);
  connect(&workbench.messages(), &Messages::succeeded, this, &MessageBar::forget_failure);
  connect(&workbench.playback(), &Playback::axes_changed, this, &MessageBar::forget_failure);
  connect(&workbench.jobs(), &Jobs::busy_changed, this, &MessageBar::show_busy);
  connect(&workbench.jobs(), &Jobs::progressed, this, [this](double fraction, const QString& what) {
    if (!cancel_->isEnabled()) return;
    progress_->setRange(0, 1000);
    progress_->setValue(static_cast<int>(fraction * 1000));
    set_text(what.isEmpty() ? what_ : what_ + QStringLiteral(": ") + what);
  });
  connect(&workbench.coming_values(), &ComingValues::changed, this, &MessageBar::show_coming);
  connect(&workbench.messages(), &Messages::failed, this, &MessageBar::show_failure);
  connect(&workbench.playback(), &Playback::opened, this, [this] {
    QStringList sentences;
    for (const std::string& warning : workbench_.playback().trace()->header.data_warnings)
      if (const QString text = foreign_text(warning); !left_out_.contains(text)) sentences << text;
    left_out_.clear();
    warnings_ = sentences.join(QLatin1Char('\n'));
    show_warnings();
  });
}

void MessageBar::set_text(const QString& text) {
  constexpr qsizetype most = 2000;  // a message may quote a name of any length
  text_->setText(foreign_text(text.size() > most ? text.left(most) + QChar(0x2026) : text));
  place();
}

void MessageBar::lie_over(QWidget& picture) {
  const bool shown = parentWidget() && !isHidden();
  if (parentWidget()) parentWidget()->removeEventFilter(this);
  setParent(&picture);
  setObjectName(QStringLiteral("messages"));
  picture.installEventFilter(this);
  set_shown(shown);
}

void MessageBar::set_shown(bool shown) {
  setVisible(shown);
  place();
  emit visibility_changed();
}

void MessageBar::place() {
  const QWidget* picture = parentWidget();
  if (!picture || isHidden()) return;
  const QMargins margins = layout()->contentsMargins();
  const int width = std::min(picture->width() - 2 * gap, 45 * fontMetrics().height());
  resize(width, height());
  layout()->activate();  // now the width of the text is known
  int answers = 0;
  for (const QWidget* part : std::initializer_list<const QWidget*>{progress_, action_, anyway_, cancel_})
    if (!part->isHidden()) answers = std::max(answers, part->sizeHint().height() + layout()->spacing());
  const int least = fontMetrics().height(), rest = margins.top() + margins.bottom() + answers,
            text = std::clamp(text_->heightForWidth(scroll_->width()), least,
                              std::max(least, picture->height() - 2 * gap - rest));
  scroll_->setFixedHeight(std::max(text, close_->isHidden() ? 0 : close_->sizeHint().height()));
  const int height = std::min(scroll_->height() + rest, picture->height());
  setGeometry((picture->width() - width) / 2, std::max(0, picture->height() - gap - height), width, height);
  raise();
}

bool MessageBar::eventFilter(QObject* watched, QEvent* event) {
  if (watched == parentWidget() && event->type() == QEvent::Resize) place();
  return QFrame::eventFilter(watched, event);
}

void MessageBar::changeEvent(QEvent* event) {
  QFrame::changeEvent(event);
  // The parts get the new font a moment later.
  if (event->type() == QEvent::FontChange) QTimer::singleShot(0, this, &MessageBar::place);
}

void MessageBar::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(colour(theme_of(workbench_.looks().appearance()).line));
  painter.setBrush(ground_);
  painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);
}

void MessageBar::set_tint(Rgb tint) {
  const Theme& t = theme_of(workbench_.looks().appearance());
  ground_ = colour(mix(t.base, tint, 0.22));
  QPalette colours = palette();  // the picture's own has muted texts
  colours.setColor(QPalette::WindowText, colour(t.text));
  setPalette(colours);
  update();
}

void MessageBar::show_busy(const QString& what) {
  lasting_.stop();
  if (what.isEmpty()) {
    patience_.stop();
    if (!what_.isEmpty()) show_warnings();
    what_.clear();
    return show_coming();
  }
  shows_coming_ = false;
  const Theme& t = theme_of(workbench_.looks().appearance());
  what_ = what;
  set_tint(t.focus);
  mark_->setPixmap(icon(Symbol::clock, colour(t.text)).pixmap(22, 22));
  set_text(what);
  progress_->setRange(0, 0);
  progress_->show();
  cancel_->show();
  cancel_->setEnabled(true);
  action_->hide();
  anyway_->hide();
  close_->hide();
  patience_.start();
}

void MessageBar::show_coming() {
  if (!what_.isEmpty()) return;
  const ComingValues::Wait* const wait = workbench_.playback().wait();
  if (!wait) {
    if (!shows_coming_) return;
    patience_.stop();
    return show_warnings();
  }
  const Theme& t = theme_of(workbench_.looks().appearance());
  const QString device = QString::fromStdString(workbench_.desk().device());
  set_tint(t.focus);
  mark_->setPixmap(icon(Symbol::clock, colour(t.text)).pixmap(22, 22));
  set_text(tr("Values of step %1 come from %2: %3 of %4 arrays, %5 of %6")
               .arg(wait->step)
               .arg(device.isEmpty() ? tr("the file") : device)
               .arg(wait->came())
               .arg(wait->arrays.size())
               .arg(QString::fromStdString(memory_text(wait->came_bytes())),
                    QString::fromStdString(memory_text(wait->bytes()))));
  progress_->setRange(0, 1000);
  progress_->setValue(static_cast<int>(1000 * wait->came_bytes() / std::max<std::uint64_t>(1, wait->bytes())));
  progress_->show();
  cancel_->show();
  cancel_->setEnabled(true);
  close_->hide();
  action_->hide();
  anyway_->hide();
  lasting_.stop();
  if (!std::exchange(shows_coming_, true)) patience_.start();
}

void MessageBar::show_failure(const Error& error, Offer offer, const RunRequest& run) {
  if (workbench_.jobs().busy()) {  // progress and Cancel stay in sight
    set_text(foreign_text(error.message()));
    set_shown(true);
    return;
  }
  shows_coming_ = false;
  patience_.stop();
  const Theme& t = theme_of(workbench_.looks().appearance());
  const bool gentle = error.kind == ErrorKind::cancelled;
  just_said_ = true;
  QTimer::singleShot(0, this, [this] { just_said_ = false; });
  gentle ? lasting_.start() : lasting_.stop();
  set_tint(gentle ? t.line : t.failed);
  mark_->setPixmap(
      icon(gentle ? Symbol::information : Symbol::warning, colour(gentle ? t.text : t.failed)).pixmap(22, 22));
  QString text = foreign_text(error.message());
  if (error.where.empty()) text[0] = text[0].toUpper();  // otherwise the text begins with a file name
  set_text(gentle ? tr("Cancelled. What was open is still open.") : text);
  offer_ = offer;
  run_ = run;
  action_->setVisible(offer != Offer::none);
  action_->setText(offer == Offer::run_on_cpu       ? tr("Run on the CPU")
                   : offer == Offer::run_here       ? tr("Run on this machine")
                   : offer == Offer::read_otherwise ? tr("Choose how it is read")
                                                    : tr("Record the last step of each level"));
  raised_budget_ = raised_budget(error, run, available_memory());
  anyway_->setVisible(raised_budget_ > 0);
  anyway_->setText(tr("Record anyway with %1").arg(foreign_text(memory_text(raised_budget_))));
  progress_->hide();
  cancel_->hide();
  close_->show();
  set_shown(true);
}

void MessageBar::show_warnings() {
  lasting_.stop();
  shows_coming_ = false;
  if (warnings_.isEmpty()) return dismiss();
  const Theme& t = theme_of(workbench_.looks().appearance());
  set_tint(t.warning);
  mark_->setPixmap(icon(Symbol::warning, colour(t.text)).pixmap(22, 22));
  set_text(warnings_);
  for (QWidget* part : std::initializer_list<QWidget*>{action_, anyway_, progress_, cancel_}) part->hide();
  close_->show();
  set_shown(true);
}

void MessageBar::dismiss() { set_shown(false); }

void MessageBar::dismiss_all() {
  warnings_.clear();
  dismiss();
}

void MessageBar::forget_failure() {
  if (!just_said_ && !workbench_.jobs().busy() && !shows_coming_) show_warnings();
}

}  // namespace kdscope
