#include "app/kernel/kernel_pane.hpp"

#include <QAction>
#include <QHBoxLayout>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "app/appearance/appearance.hpp"
#include "app/appearance/flat_style.hpp"
#include "app/appearance/narrow_form.hpp"
#include "app/appearance/plain_text.hpp"
#include "visualizer/style/tokens.hpp"

namespace kdscope {
namespace {

constexpr double roomy_digits = 1.15;  // of the sheets, relative to the interface font, as in the arrays
constexpr int roomy = 100;             // a window, in heights of a line

QToolButton* text_button(const QString& text, const QString& tip, const char* name) {
  auto* button = new QToolButton;
  button->setText(text);
  button->setToolTip(tip);
  button->setAccessibleName(tip);
  button->setObjectName(QString::fromLatin1(name));
  button->setFocusPolicy(Qt::TabFocus);
  return button;
}

/// What the step is called in the list: its path below the whole run.
QString step_words(const Step& step) {
  const auto& path = step.path;
  return foreign_text(path_text(path.size() > 1 ? std::vector<std::string>(path.begin() + 1, path.end()) : path));
}

}  // namespace

KernelPane::KernelPane(Workbench& workbench, KernelPractice& practice, QAction& start, QWidget* parent)
    : QWidget(parent),
      workbench_(workbench),
      practice_(practice),
      words_(new QWidget),
      head_(new QWidget),
      buttons_(new QWidget),
      layout_(new QBoxLayout(QBoxLayout::LeftToRight)),
      step_(new NarrowComboBox),
      thread_(new QComboBox),
      task_(plain_label()),
      hint_(plain_label()),
      feedback_(plain_label()),
      start_(new QToolButton),
      check_(text_button(tr("Check"), tr("Check all writes, in their order (C)"), "kernel_check")),
      hint_button_(text_button(tr("Hint"), tr("Show a hint for this cell (H)"), "kernel_hint")),
      show_(text_button(tr("Show this thread"), tr("Show the model answer, thread by thread (A)"), "kernel_show")),
      repeat_(text_button(tr("Repeat with fresh data"), tr("Perform the same step on fresh points of the same shape"),
                          "kernel_repeat")),
      leave_(text_button(tr("Leave"), tr("Go back to the run as it was (Shift+K)"), "kernel_leave")),
      words_area_(new QScrollArea),
      area_(new QScrollArea) {
  setObjectName(QStringLiteral("kernel_pane"));
  setAccessibleName(tr("Be the kernel"));
  setAutoFillBackground(true);
  setBackgroundRole(QPalette::Base);
  auto* rows = new QVBoxLayout(this);
  for (QBoxLayout* parts : {static_cast<QBoxLayout*>(rows), layout_}) {
    parts->setContentsMargins(0, 0, 0, 0);
    parts->setSpacing(0);
  }
  step_->setObjectName(QStringLiteral("kernel_step"));
  step_->setAccessibleName(tr("Step to perform"));
  thread_->setObjectName(QStringLiteral("kernel_thread"));
  thread_->setAccessibleName(tr("Threads to perform"));
  task_->setObjectName(QStringLiteral("kernel_task"));
  hint_->setObjectName(QStringLiteral("kernel_hint_text"));
  feedback_->setObjectName(QStringLiteral("kernel_feedback"));
  for (QLabel* label : {task_, hint_, feedback_}) label->setWordWrap(true);
  for (QComboBox* choice : std::initializer_list<QComboBox*>{step_, thread_})
    choice->setProperty(compact_control, true);  // as high as the buttons beside them
  start_->setDefaultAction(&start);
  start_->setObjectName(QStringLiteral("kernel_start"));

  auto* head = new QHBoxLayout(head_);
  head->setContentsMargins(0, 0, 0, 0);
  head->addWidget(step_, 1);
  head->addWidget(thread_);
  auto* buttons = new WrappingRow(tokens::space_small);
  buttons_->setContentsMargins(10, 6, 10, 0);
  buttons_->setLayout(buttons);
  for (QToolButton* button : {check_, hint_button_, show_, repeat_, leave_}) buttons->addWidget(button);
  auto* column = new QVBoxLayout(words_);
  column->setContentsMargins(10, 6, 10, 6);
  column->setSpacing(6);
  column->addWidget(task_);
  column->addWidget(feedback_);
  column->addWidget(hint_);
  column->addWidget(start_, 0, Qt::AlignLeft);
  column->addStretch(1);
  for (QScrollArea* area : {words_area_, area_}) {
    area->setWidgetResizable(true);
    area->setFrameShape(QFrame::NoFrame);
    area->setFocusPolicy(Qt::NoFocus);
  }
  words_area_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  words_area_->setWidget(words_);
  layout_->addWidget(words_area_, 1);
  layout_->addWidget(area_, 2);
  rows->addWidget(buttons_);
  rows->addLayout(layout_, 1);

  connect(&practice, &KernelPractice::changed, this, &KernelPane::show_practice);
  connect(&workbench.looks(), &Looks::changed, this, &KernelPane::show_practice);
  connect(&workbench.playback(), &Playback::axes_changed, this, [this] {
    trace_ = nullptr;
    show_practice();
  });
  connect(check_, &QToolButton::clicked, &practice, &KernelPractice::check);
  connect(hint_button_, &QToolButton::clicked, &practice, &KernelPractice::hint);
  connect(show_, &QToolButton::clicked, &practice, &KernelPractice::show_thread);
  connect(repeat_, &QToolButton::clicked, &practice, &KernelPractice::repeat);
  connect(leave_, &QToolButton::clicked, &practice, &KernelPractice::leave);
  connect(step_, &QComboBox::activated, this,
          [this](int row) { practice_.choose_step(step_->itemData(row).toUInt()); });
  connect(thread_, &QComboBox::activated, this, [this](int row) {
    const QVariant thread = thread_->itemData(row);
    practice_.choose_thread(thread.isValid() ? std::optional<std::uint64_t>(thread.toULongLong()) : std::nullopt);
  });
  show_practice();
}

void KernelPane::enter() {
  for (KernelSheet* sheet : sheets_)
    if (sheet->has_current()) sheet->setFocus(Qt::ShortcutFocusReason);
}

void KernelPane::make_sheets() {
  const KernelExercise* exercise = practice_.exercise();
  if (exercise && trace_ == &exercise->trace() && of_step_ == exercise->step() &&
      of_thread_ == exercise->scope().thread)
    return;
  const bool focused = std::any_of(sheets_.begin(), sheets_.end(), [](auto* sheet) { return sheet->hasFocus(); });
  if (focused) setFocus();
  sheets_.clear();
  trace_ = exercise ? &exercise->trace() : nullptr;
  auto* page = new QWidget;
  page->setBackgroundRole(QPalette::Base);
  auto* column = new QVBoxLayout(page);
  column->setContentsMargins(0, 6, 6, 6);
  column->setSpacing(4);
  if (exercise) {
    of_step_ = exercise->step();
    of_thread_ = exercise->scope().thread;
    std::vector<SheetRows> all = sheets_of(*exercise, workbench_.playback().axes());
    for (SheetRows& rows : all) {
      sheets_.push_back(new KernelSheet(practice_, workbench_, std::move(rows), page));
      column->addWidget(sheets_.back());
    }
  }
  column->addStretch(1);
  area_->setWidget(page);
  fill_choices();
  if (focused) enter();
}

void KernelPane::fill_choices() {
  const KernelExercise* exercise = practice_.exercise();
  step_->clear();
  thread_->clear();
  if (!exercise) return;
  constexpr qsizetype most_characters = 28;
  qsizetype longest = 12;
  for (const std::uint32_t step : practice_.steps()) {
    step_->addItem(as_label(step_words(exercise->trace().steps[step]).toStdString()), step);
    if (step == exercise->step()) step_->setCurrentIndex(step_->count() - 1);
    longest = std::max(longest, step_->itemText(step_->count() - 1).size());
  }
  step_->setMinimumContentsLength(static_cast<int>(std::min(longest, most_characters)));
  thread_->addItem(tr("all threads"));
  for (const std::uint64_t thread : practice_.threads()) {
    thread_->addItem(tr("thread %1").arg(thread), QVariant::fromValue<qulonglong>(thread));
    if (exercise->scope().thread == thread) thread_->setCurrentIndex(thread_->count() - 1);
  }
}

void KernelPane::show_practice() {
  if (std::exchange(filling_, true)) return;
  const KernelExercise* exercise = practice_.exercise();
  make_sheets();
  area_->widget()->setFont(interface_font(text_scale_of(*this, workbench_.looks().appearance()),
                                          window()->width() < roomy * fontMetrics().height() ? 1 : roomy_digits));
  const bool on = exercise != nullptr;
  for (QWidget* part : std::initializer_list<QWidget*>{head_, buttons_, area_}) part->setVisible(on);
  start_->setVisible(!on);
  task_->setText(on ? practice_.task()
                    : tr("Perform a step of the run yourself, cell by cell: the step at hand, or the next one that can "
                         "be performed. Every write is checked."));
  setWindowTitle(practice_.progress());  // the list beside it names the step
  hint_->setText(tr("Hint: %1").arg(practice_.hint_text()));
  hint_->setVisible(on && !practice_.hint_text().isEmpty());
  const bool wrong = practice_.found_wrong(), complete = practice_.is_complete();
  const QString sign = wrong ? QStringLiteral("\u2717 ") : complete ? QStringLiteral("\u2713 ") : QString();
  feedback_->setText(sign + practice_.feedback());
  feedback_->setVisible(on && !practice_.feedback().isEmpty());
  const Theme& t = theme_of(workbench_.looks().appearance());
  QPalette ink = palette();
  ink.setColor(QPalette::WindowText, colour(wrong ? t.failed : complete ? t.passed : t.text));
  feedback_->setPalette(ink);
  for (QToolButton* button : {check_, hint_button_, show_}) button->setEnabled(on && !complete);
  repeat_->setEnabled(practice_.can_repeat());
  const bool focused = std::any_of(sheets_.begin(), sheets_.end(), [](auto* sheet) { return sheet->hasFocus(); });
  for (KernelSheet* sheet : sheets_) {
    sheet->refresh();
    if (focused && sheet->has_current() && !sheet->hasFocus()) sheet->setFocus();
  }
  filling_ = false;
  lay_out();
}

int KernelPane::wanted_height() const {
  return buttons_->heightForWidth(width()) +
         std::max(words_->heightForWidth(words_area_->width()), area_->widget()->sizeHint().height());
}

/// Puts the words beside the sheets where the pane is wide; else they stand above the sheets, as high as they need and
/// the sheets leave.
void KernelPane::lay_out() {
  const bool wide = width() > 40 * fontMetrics().averageCharWidth() * 2;
  const bool on = practice_.exercise() != nullptr;
  layout_->setDirection(wide ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
  const int room = std::max(0, height() - buttons_->heightForWidth(width())),
            most = std::max(room * 2 / 3, room - area_->widget()->sizeHint().height());
  const bool above = on && !wide;
  words_area_->setMinimumHeight(above ? std::min(most, words_->heightForWidth(width())) : 0);
  words_area_->setMaximumHeight(above ? words_area_->minimumHeight() : QWIDGETSIZE_MAX);
}

void KernelPane::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  lay_out();
}

}  // namespace kdscope
