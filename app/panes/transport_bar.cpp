#include "app/panes/transport_bar.hpp"

#include <QHBoxLayout>
#include <QShortcut>
#include <QSignalBlocker>
#include <QTimer>
#include <algorithm>

#include "app/appearance/appearance.hpp"
#include "app/appearance/flat_style.hpp"
#include "app/appearance/icons.hpp"
#include "app/appearance/key_list.hpp"
#include "app/appearance/plain_text.hpp"
#include "app/questioning/questioning.hpp"
#include "app/recording/navigation.hpp"
#include "visualizer/model/step_heading.hpp"
#include "visualizer/style/tokens.hpp"

namespace kdscope {
namespace {

/// A number to be typed: keys and the wheel do not step it.
class TypedNumber : public QSpinBox {
 protected:
  StepEnabled stepEnabled() const override { return StepNone; }
};

}  // namespace

TransportActions::TransportActions(Workbench& workbench, QObject* parent) {
  const auto make = [&](QAction*& action, const QString& text, Symbol symbol, const QList<QKeySequence>& keys,
                        auto&& run) {
    action = new QAction(icon(symbol), text, parent);
    action->setShortcuts(keys);
    action->setToolTip(QStringLiteral("%1 (%2)").arg(text, keys.front().toString(QKeySequence::NativeText)));
    action->setEnabled(false);
    QObject::connect(action, &QAction::triggered, parent, run);
  };
  Workbench* w = &workbench;
  make(first, QObject::tr("First step"), Symbol::first, {Qt::Key_Home}, [w] { w->transport().first(); });
  make(back, QObject::tr("Step back"), Symbol::back, {Qt::Key_Left}, [w] { w->transport().back(); });
  make(play, QObject::tr("Play"), Symbol::play, {Qt::Key_Space},
       [w] { w->transport().set_playing(!w->transport().playing()); });
  play->setToolTip(QObject::tr("Play or pause (Space); playing stops at an open question"));
  make(forward, QObject::tr("Step forward"), Symbol::forward, {Qt::Key_Right},
       [w] { w->lessons().at_introduction() ? w->lessons().stop_forward() : w->transport().forward(); });
  make(last, QObject::tr("Last step"), Symbol::last, {Qt::Key_End}, [w] { w->transport().last(); });
  make(level_back, QObject::tr("Level back"), Symbol::level_back, {Qt::CTRL | Qt::Key_Left},
       [w] { w->transport().level_back(); });
  make(level_forward, QObject::tr("Level forward"), Symbol::level_forward, {Qt::CTRL | Qt::Key_Right},
       [w] { w->transport().level_forward(); });
  make(stop_back, QObject::tr("Previous lesson stop"), Symbol::previous_stop, {Qt::Key_PageUp},
       [w] { w->lessons().stop_back(); });
  make(stop_forward, QObject::tr("Next lesson stop"), Symbol::next_stop, {Qt::Key_PageDown},
       [w] { w->lessons().stop_forward(); });
  make(go_to_step, QObject::tr("Go to step\u2026"), Symbol::open, {Qt::CTRL | Qt::Key_G}, [] {});
  keep_in_window(*go_to_step);
  make(faster, QObject::tr("Play faster"), Symbol::play, {Qt::Key_Plus, Qt::Key_Equal},
       [w] { w->transport().change_speed(1); });
  make(slower, QObject::tr("Play slower"), Symbol::play, {Qt::Key_Minus}, [w] { w->transport().change_speed(-1); });
  make(next_violation, QObject::tr("Next violated check"), Symbol::failed, {Qt::Key_F4},
       [w] { w->violations().walk(1); });
  make(previous_violation, QObject::tr("Previous violated check"), Symbol::failed, {Qt::SHIFT | Qt::Key_F4},
       [w] { w->violations().walk(-1); });
  next_violation->setObjectName(QStringLiteral("next_violation"));
  previous_violation->setObjectName(QStringLiteral("previous_violation"));
  for (QAction* action : {go_to_step, faster, slower, next_violation, previous_violation}) action->setIcon(QIcon());

  const auto update = [this, w] {
    const bool any = w->playback().cursor() != nullptr;
    // Moves stay enabled at the ends, where they do nothing: a key must not fall through to another pane.
    for (QAction* action : {first, back, play, forward, last, level_back, level_forward, go_to_step, faster, slower})
      action->setEnabled(any);
    for (QAction* action : {stop_back, stop_forward}) action->setEnabled(!w->lessons().stop_steps().empty());
    for (QAction* action : {next_violation, previous_violation}) action->setEnabled(!w->violations().all().empty());
  };
  QObject::connect(&w->playback(), &Playback::stepped, parent, update);
  QObject::connect(&w->transport(), &Transport::playing_changed, parent, [this, w] {
    play->setIcon(icon(w->transport().playing() ? Symbol::pause : Symbol::play));
    play->setText(w->transport().playing() ? QObject::tr("Pause") : QObject::tr("Play"));
  });
}

TransportBar::TransportBar(Workbench& workbench, TransportActions& actions, QWidget* parent)
    : QWidget(parent),
      workbench_(workbench),
      slider_(new StepSlider),
      number_(new TypedNumber),
      of_(plain_label()),
      title_(plain_label()),
      speed_(new QComboBox) {
  auto* layout = new QHBoxLayout(this);
  layout->setContentsMargins(tokens::space, tokens::space_small / 2, tokens::space, tokens::space_small / 2);
  layout->setSpacing(tokens::space_small);
  leads_back_ = {actions.first, actions.level_back, actions.back};
  leads_forward_ = {actions.forward, actions.level_forward, actions.last};
  for (QAction* action : leads_back_ + QList{actions.play} + leads_forward_) {
    auto* button = new QToolButton;
    button->setDefaultAction(action);
    button->setAutoRaise(true);
    button->setFocusPolicy(Qt::TabFocus);
    button->setObjectName(action == actions.play ? QStringLiteral("play") : action->text());
    buttons_.push_back(button);
    layout->addWidget(button);
  }
  layout->addSpacing(4);
  layout->addWidget(speed_);
  layout->addWidget(slider_, 1);
  step_word_ = plain_label(tr("step"));
  layout->addWidget(step_word_);
  layout->addWidget(number_);
  layout->addWidget(of_);
  layout->addSpacing(10);
  layout->addWidget(title_);
  for (const double speed : playing_speeds)
    speed_->addItem(tr("%1 / s").arg(speed == 0.25  ? QStringLiteral("\u00bc")
                                     : speed == 0.5 ? QStringLiteral("\u00bd")
                                                    : QString::number(speed)),
                    speed);
  show_speed();
  speed_->setToolTip(tr("Playing speed in steps per second (+ and -)"));
  speed_->setObjectName(QStringLiteral("playing_speed"));
  speed_->setProperty(compact_control, true);
  speed_->setAccessibleName(tr("Playing speed"));
  speed_->setFocusPolicy(Qt::TabFocus);  // a click leaves Space and the arrows to the transport
  number_->setButtonSymbols(QAbstractSpinBox::NoButtons);
  number_->setAlignment(Qt::AlignRight);
  number_->setKeyboardTracking(false);
  number_->setObjectName(QStringLiteral("step_number"));
  number_->setAccessibleName(tr("Step number"));
  number_->setToolTip(tr("Type a step (Ctrl+G)"));
  slider_->setEnabled(false);
  number_->setEnabled(false);

  connect(speed_, &QComboBox::currentIndexChanged, this,
          [this] { workbench_.transport().set_speed(speed_->currentData().toDouble()); });
  connect(&workbench.transport(), &Transport::speed_changed, this, &TransportBar::show_speed);
  connect(&workbench.marks(), &Marks::changed, this, [this] { slider_->set_bookmarks(workbench_.marks().all()); });
  connect(slider_, &QAbstractSlider::valueChanged, this,
          [this](int step) { workbench_.playback().seek(static_cast<std::uint32_t>(step)); });
  connect(number_, &QSpinBox::valueChanged, this, [this](int step) {
    if (step > slider_->maximum())
      workbench_.messages().report({ErrorKind::bad_usage, tr("There is no step %1.").arg(step).toStdString(), "",
                                    tr("this run has steps 0 to %1").arg(slider_->maximum()).toStdString()});
    workbench_.playback().seek(static_cast<std::uint32_t>(std::min(step, slider_->maximum())));
    const QSignalBlocker quiet(number_);
    number_->setValue(std::min(step, slider_->maximum()));  // past the end: the last step
  });
  auto* leave = new QShortcut(
      Qt::Key_Escape, number_, [this] { number_->clearFocus(); }, Qt::WidgetWithChildrenShortcut);
  leave->setObjectName(QStringLiteral("leave_step_number"));
  // After Return the keys belong to the transport again.
  connect(number_, &QSpinBox::editingFinished, number_, &QWidget::clearFocus);
  connect(actions.go_to_step, &QAction::triggered, this, &TransportBar::edit_step);
  connect(&workbench.playback(), &Playback::opened, this, &TransportBar::open_run);
  connect(&workbench.playback(), &Playback::stepped, this, &TransportBar::show_step);
  connect(&workbench.coming_values(), &ComingValues::changed, this, &TransportBar::show_step);
  // Ticks and bands count the levels of the tree; those of a search name nodes.
  for (const auto signal : {&Playback::stepped, &Playback::concealment_changed})
    connect(&workbench.playback(), signal, this, [this] {
      const Trace& trace = *workbench_.playback().trace();
      const bool hidden = hides_steps(workbench_.playback().concealment(), trace);
      const auto now = static_cast<std::uint32_t>(workbench_.playback().step());
      std::vector<std::uint32_t> ticks = level_starts(trace);
      if (hidden) std::erase_if(ticks, [now](std::uint32_t level) { return level >= now; });
      slider_->set_ticks(std::move(ticks));
      slider_->set_bands(phase_bands(trace));
      if (hidden) slider_->cover_bands(now);
    });
  connect(&workbench.inside(), &Inside::moved, this, &TransportBar::show_step);
  connect(&workbench.looks(), &Looks::changed, this, &TransportBar::show_appearance);
  show_appearance();
}

void TransportBar::edit_step() {
  number_->setFocus(Qt::ShortcutFocusReason);
  number_->selectAll();
}

int TransportBar::width_without(std::size_t left_out) const {
  const std::array<QWidget*, 3> optional = optional_parts();
  // Leave parts out before the slider becomes too short to aim at.
  int width =
      40 + (left_out < optional_parts().size() ? 9 * fontMetrics().height() : slider_->minimumSizeHint().width());
  for (QWidget* part : findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly)) {
    const auto at = std::find(optional.begin(), optional.end(), part);
    if (part == slider_ || (at != optional.end() && at - optional.begin() < static_cast<std::ptrdiff_t>(left_out)))
      continue;
    width += std::max(part->sizeHint().width(), part->minimumWidth()) + layout()->spacing();
  }
  return width;
}

QSize TransportBar::minimumSizeHint() const {
  return {width_without(optional_parts().size()), QWidget::minimumSizeHint().height()};
}

void TransportBar::leave_out() {
  constexpr int low = 450;  // at a text scale of 100 %
  slider_->set_low(window()->height() * 100 < low * workbench_.looks().appearance().text_scale);
  const std::array<QWidget*, 3> optional = optional_parts();
  std::size_t left_out = 0;
  while (left_out < optional.size() && width_without(left_out) > width()) ++left_out;
  for (std::size_t i = 0; i < optional.size(); ++i) optional[i]->setVisible(i >= left_out);
}

void TransportBar::resizeEvent(QResizeEvent*) { leave_out(); }

void TransportBar::open_run() {
  const QSignalBlocker quiet_slider(slider_), quiet_number(number_);
  const int last = static_cast<int>(workbench_.playback().step_count()) - 1;
  slider_->setRange(0, last);
  slider_->set_ticks(level_starts(workbench_.playback().cursor()->trace()));
  slider_->set_bands(phase_bands(workbench_.playback().cursor()->trace()));
  std::vector<std::uint32_t> violated;
  for (const Violation& v : workbench_.violations().all())
    if (violated.empty() || violated.back() != v.step) violated.push_back(v.step);
  slider_->set_violated(std::move(violated));
  number_->setRange(0, 10 * last + 99);  // a digit too many may be typed; the step stays within the run
  slider_->setEnabled(true);
  number_->setEnabled(true);
  of_->setText(QStringLiteral("/ %1").arg(last));
  show_appearance();
}

void TransportBar::show_step() {
  if (!workbench_.playback().cursor()) return;
  const QSignalBlocker quiet_slider(slider_), quiet_number(number_);
  const Step& step = workbench_.playback().trace()->steps[workbench_.playback().target()];
  slider_->setValue(static_cast<int>(step.ordinal));
  slider_->update();
  number_->setValue(static_cast<int>(step.ordinal));
  for (QToolButton* button : buttons_) {
    const bool inside = workbench_.inside().is_open();
    if (leads_back_.contains(button->defaultAction())) button->setEnabled(inside || step.ordinal > 0);
    if (leads_forward_.contains(button->defaultAction()))
      button->setEnabled(inside || step.ordinal + 1 < workbench_.playback().step_count());
  }
  if (workbench_.inside().is_open()) return title_->setText(workbench_.inside().place_text());
  // The name has room; the tip has the sentence
  Step named;
  named.name = step.name, named.level = step.level;
  title_->setText(foreign_text(step_heading(named)));
  title_->setToolTip(plain_tip(foreign_text(step_heading(step))));
}

void TransportBar::show_speed() {
  const QSignalBlocker quiet(speed_);
  speed_->setCurrentIndex(speed_->findData(workbench_.transport().steps_per_second()));
}

void TransportBar::show_appearance() {
  slider_->set_theme(theme_of(workbench_.looks().appearance()));
  const int scale = scale_of_bars(workbench_.looks().appearance().text_scale);
  setFont(interface_font(scale));
  for (QToolButton* button : buttons_) button->setIconSize(QSize(22, 22) * (scale / 100.0));
  const QFontMetrics metrics(interface_font(scale));
  number_->setFixedWidth(metrics.horizontalAdvance(QStringLiteral("0")) *
                         std::max(4, static_cast<int>(QString::number(number_->maximum()).size()) + 3));
  // A title that grows must not move the slider under the mouse.
  title_->setMinimumWidth(metrics.horizontalAdvance(QStringLiteral("Level 00: update tags ")));
  QTimer::singleShot(0, this, &TransportBar::leave_out);  // after the parts get their font
}

}  // namespace kdscope
