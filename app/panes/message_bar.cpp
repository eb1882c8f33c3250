#include "app/panes/message_bar.hpp"

#include <QEvent>
#include <QHBoxLayout>
#include <QMenuBar>
#include <QPainter>
#include <algorithm>

#include "algorithms/core/available_memory.hpp"
#include "app/look/appearance.hpp"
#include "app/look/icons.hpp"
#include "app/look/plain_text.hpp"

namespace kdscope {
namespace {

constexpr int lasting_ms = 6000;  // of a message that needs no answer

}  // namespace

MessageBar::MessageBar(Workbench& workbench, QWidget* parent)
    : QFrame(parent),
      workbench_(workbench),
      mark_(plain_label()),
      text_(plain_label()),
      progress_(new QProgressBar),
      action_(new QPushButton),
      anyway_(new QPushButton),
      cancel_(new QPushButton(icon(Symbol::cancel), tr("Cancel"))),
      close_(new QToolButton) {
  auto* layout = new QHBoxLayout(this);
  layout->setContentsMargins(12, 5, 8, 5);
  layout->setSpacing(10);
  for (QWidget* part : std::initializer_list<QWidget*>{mark_, text_, progress_, action_, anyway_, cancel_, close_})
    layout->addWidget(part);
  layout->setStretchFactor(text_, 1);
  text_->setWordWrap(true);
  text_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  progress_->setRange(0, 1000);
  progress_->setMaximumWidth(320);
  progress_->setTextVisible(false);
  close_->setIcon(icon(Symbol::close));
  close_->setAutoRaise(true);
  close_->setToolTip(tr("Dismiss"));
  close_->setAccessibleName(tr("Dismiss the message"));
  cancel_->setObjectName(QStringLiteral("cancel"));
  action_->setObjectName(QStringLiteral("offer"));
  anyway_->setObjectName(QStringLiteral("record_anyway"));
  anyway_->setToolTip(tr("Uses all the memory that is free now; other programs may become slow"));
  patience_.setSingleShot(true);
  patience_.setInterval(250);

  connect(close_, &QToolButton::clicked, this, [this] {
    warnings_.clear();
    dismiss();
  });
  connect(cancel_, &QPushButton::clicked, this, [this] {
    set_text(tr("Cancelling\u2026"));
    cancel_->setEnabled(false);
    workbench_.cancel();
  });
  connect(action_, &QPushButton::clicked, this, [this] {
    RunRequest run = run_;
    if (offer_ == Offer::run_on_cpu)
      run.backend = Backend::cpu;
    else
      run.thin = true;
    dismiss();
    workbench_.retry(run);
  });
  connect(anyway_, &QPushButton::clicked, this, [this] {
    RunRequest run = run_;
    run.trace_budget_bytes = raised_budget_;
    dismiss();
    workbench_.retry(run);
  });
  connect(&patience_, &QTimer::timeout, this, [this] { set_shown(true); });
  // A message is about the last thing that was done: it goes with the next one that succeeds.
  lasting_.setSingleShot(true);
  lasting_.setInterval(lasting_ms);
  connect(&lasting_, &QTimer::timeout, this, &MessageBar::show_warnings);
  connect(&workbench, &Workbench::points_changed, this, [this] {
    if (!just_said_ && !workbench_.busy()) show_warnings();
  });
  connect(&workbench, &Workbench::busy_changed, this, &MessageBar::show_busy);
  connect(&workbench, &Workbench::progressed, this, [this](double fraction, const QString& what) {
    if (!cancel_->isEnabled()) return;
    progress_->setRange(0, 1000);
    progress_->setValue(static_cast<int>(fraction * 1000));
    set_text(what.isEmpty() ? what_ : what_ + QStringLiteral(": ") + what);
  });
  connect(&workbench, &Workbench::failed, this, &MessageBar::show_failure);
  connect(&workbench.playback(), &Playback::opened, this, [this] {
    QStringList sentences;
    for (const std::string& warning : workbench_.trace()->header.data_warnings) sentences << foreign_text(warning);
    warnings_ = sentences.join(QLatin1Char('\n'));
    show_warnings();
  });
}

void MessageBar::set_text(const QString& text) {
  constexpr qsizetype most = 2000;  // a message may quote a name of any length
  text_->setText(foreign_text(text.size() > most ? text.left(most) + QChar(0x2026) : text));
  fit_height();
}

void MessageBar::fit_height() {
  const int buttons = cancel_->sizeHint().height();
  const QMargins margins = layout()->contentsMargins();
  setFixedHeight(std::max(text_->heightForWidth(std::max(100, text_->width())), buttons) + margins.top() +
                 margins.bottom());
}

void MessageBar::lie_over(QMainWindow& window) {
  setParent(&window);
  setObjectName(QStringLiteral("messages"));
  window.installEventFilter(this);
  hide();
}

void MessageBar::set_shown(bool shown) {
  setVisible(shown);
  place();
}

void MessageBar::place() {
  const auto* window = qobject_cast<QMainWindow*>(parentWidget());
  if (!window || isHidden()) return;
  setGeometry(0, window->menuBar()->geometry().bottom() + 1, window->width(), height());
  fit_height();
  raise();
}

bool MessageBar::eventFilter(QObject* watched, QEvent* event) {
  if (watched == parentWidget() && (event->type() == QEvent::Resize || event->type() == QEvent::LayoutRequest))
    QTimer::singleShot(0, this, &MessageBar::place);  // after the menu bar has its new height
  return QFrame::eventFilter(watched, event);
}

void MessageBar::resizeEvent(QResizeEvent*) { QTimer::singleShot(0, this, &MessageBar::fit_height); }

void MessageBar::paintEvent(QPaintEvent*) { QPainter(this).fillRect(rect(), ground_); }

void MessageBar::set_tint(Rgb tint) {
  const Theme& t = theme_of(workbench_.session());
  ground_ = colour(mix(t.base, tint, 0.22));
  update();
}

void MessageBar::show_busy(const QString& what) {
  lasting_.stop();
  if (what.isEmpty()) {
    patience_.stop();
    if (!what_.isEmpty()) show_warnings();
    what_.clear();
    return;
  }
  const Theme& t = theme_of(workbench_.session());
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

void MessageBar::show_failure(const Error& error, Offer offer, const RunRequest& run) {
  if (workbench_.busy()) {  // progress and Cancel stay in sight
    set_text(foreign_text(error.message()));
    set_shown(true);
    return;
  }
  const Theme& t = theme_of(workbench_.session());
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
  action_->setText(offer == Offer::run_on_cpu ? tr("Run on the CPU") : tr("Record the last step of each level"));
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
  if (warnings_.isEmpty()) return dismiss();
  const Theme& t = theme_of(workbench_.session());
  set_tint(t.warning);
  mark_->setPixmap(icon(Symbol::warning, colour(t.text)).pixmap(22, 22));
  set_text(warnings_);
  for (QWidget* part : std::initializer_list<QWidget*>{action_, anyway_, progress_, cancel_}) part->hide();
  close_->show();
  set_shown(true);
}

void MessageBar::dismiss() { set_shown(false); }

}  // namespace kdscope
