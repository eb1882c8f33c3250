#include "app/panes/message_bar.hpp"

#include <QHBoxLayout>
#include <QPainter>
#include <algorithm>

#include "app/appearance.hpp"
#include "app/icons.hpp"

namespace kdscope {

MessageBar::MessageBar(Workbench& workbench, QWidget* parent)
    : QFrame(parent),
      workbench_(workbench),
      mark_(new QLabel),
      text_(new QLabel),
      progress_(new QProgressBar),
      action_(new QPushButton),
      cancel_(new QPushButton(icon(Symbol::cancel), tr("Cancel"))),
      close_(new QToolButton) {
  auto* layout = new QHBoxLayout(this);
  layout->setContentsMargins(12, 5, 8, 5);
  layout->setSpacing(10);
  for (QWidget* part : std::initializer_list<QWidget*>{mark_, text_, progress_, action_, cancel_, close_})
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
    RunSpec run = run_;
    if (offer_ == Offer::run_on_cpu)
      run.backend = Backend::cpu;
    else
      run.thin = true;
    dismiss();
    workbench_.retry(run);
  });
  connect(&patience_, &QTimer::timeout, this, [this] { emit wanted(true); });
  connect(&workbench, &Workbench::busy_changed, this, &MessageBar::show_busy);
  connect(&workbench, &Workbench::progressed, this, [this](double fraction, const QString& what) {
    if (!cancel_->isEnabled()) return;
    progress_->setRange(0, 1000);
    progress_->setValue(static_cast<int>(fraction * 1000));
    set_text(what.isEmpty() ? what_ : what_ + QStringLiteral(": ") + what);
  });
  connect(&workbench, &Workbench::failed, this, &MessageBar::show_failure);
  connect(&workbench, &Workbench::run_opened, this, [this] {
    QStringList sentences;
    for (const std::string& warning : workbench_.trace()->header.data_warnings) sentences << QString::fromStdString(warning);
    warnings_ = sentences.join(QLatin1Char('\n'));
    show_warnings();
  });
}

void MessageBar::set_text(const QString& text) {
  text_->setText(text);
  fit_height();
}

void MessageBar::fit_height() {
  const int buttons = cancel_->sizeHint().height();
  const QMargins margins = layout()->contentsMargins();
  setFixedHeight(std::max(text_->heightForWidth(std::max(100, text_->width())), buttons) + margins.top() +
                 margins.bottom());
}

void MessageBar::resizeEvent(QResizeEvent*) { QTimer::singleShot(0, this, &MessageBar::fit_height); }

void MessageBar::paintEvent(QPaintEvent*) { QPainter(this).fillRect(rect(), ground_); }

void MessageBar::set_tint(Rgb tint) {
  const Theme& t = theme_of(workbench_.session());
  ground_ = colour(mix(t.base, tint, 0.22));
  update();
}

void MessageBar::show_busy(const QString& what) {
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
  close_->hide();
  patience_.start();
}

void MessageBar::show_failure(const Error& error, Offer offer, const RunSpec& run) {
  if (workbench_.busy()) {  // progress and Cancel stay in sight
    set_text(QString::fromStdString(error.message()));
    emit wanted(true);
    return;
  }
  const Theme& t = theme_of(workbench_.session());
  const bool gentle = error.kind == ErrorKind::cancelled;
  set_tint(gentle ? t.line : t.failed);
  mark_->setPixmap(
      icon(gentle ? Symbol::information : Symbol::warning, colour(gentle ? t.text : t.failed)).pixmap(22, 22));
  QString text = QString::fromStdString(error.message());
  if (error.where.empty()) text[0] = text[0].toUpper();  // otherwise it begins with a file's name
  set_text(gentle ? tr("Cancelled. What was open is still open.") : text);
  offer_ = offer;
  run_ = run;
  action_->setVisible(offer != Offer::none);
  action_->setText(offer == Offer::run_on_cpu ? tr("Run on the CPU") : tr("Record the last step of each level"));
  progress_->hide();
  cancel_->hide();
  close_->show();
  emit wanted(true);
}

void MessageBar::show_warnings() {
  if (warnings_.isEmpty()) return dismiss();
  const Theme& t = theme_of(workbench_.session());
  set_tint(t.warning);
  mark_->setPixmap(icon(Symbol::warning, colour(t.text)).pixmap(22, 22));
  set_text(warnings_);
  for (QWidget* part : std::initializer_list<QWidget*>{action_, progress_, cancel_}) part->hide();
  close_->show();
  emit wanted(true);
}

void MessageBar::dismiss() { emit wanted(false); }

}  // namespace kdscope
