#include "app/panes/transport_bar.hpp"

#include <QHBoxLayout>
#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QShortcut>
#include <QSignalBlocker>
#include <QTimer>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "app/appearance.hpp"
#include "app/icons.hpp"

namespace kdscope {

StepSlider::StepSlider(QWidget* parent) : QAbstractSlider(parent), theme_(&theme(ThemeId::light)) {
  setOrientation(Qt::Horizontal);
  setFocusPolicy(Qt::NoFocus);  // the step's number is there for the keyboard
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  setAccessibleName(tr("Step"));
  setTracking(true);
}

void StepSlider::set_ticks(std::vector<std::uint32_t> ticks) {
  ticks_ = std::move(ticks);
  update();
}

void StepSlider::set_bands(std::vector<StrategyBand> bands) {
  bands_ = std::move(bands);
  QStringList names;
  for (const StrategyBand& band : bands_)
    names << tr("%1 from step %2 to %3").arg(QString::fromStdString(band.name)).arg(band.first).arg(band.last);
  setAccessibleDescription(names.join(QStringLiteral("; ")));
  updateGeometry();
  update();
}

void StepSlider::set_theme(const Theme& theme) {
  theme_ = &theme;
  update();
}

QSize StepSlider::sizeHint() const {
  return {240, static_cast<int>(fontMetrics().height() * (bands_.empty() ? 1.9 : 2.7))};
}

double StepSlider::middle() const { return height() - fontMetrics().height() * 0.95; }

bool StepSlider::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QAbstractSlider::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  const auto step = static_cast<std::uint32_t>(std::clamp(step_at(help->pos().x()), 0, maximum()));
  for (const StrategyBand& band : bands_)
    if (band.first <= step && step <= band.last) {
      QToolTip::showText(help->globalPos(), tr("%1: steps %2 to %3").arg(QString::fromStdString(band.name)).arg(band.first).arg(band.last), this);
      return true;
    }
  QToolTip::hideText();
  return true;
}

double StepSlider::x_of(int step) const {
  const double margin = fontMetrics().height() * 0.6;
  return margin + (width() - 2 * margin) * (maximum() > 0 ? static_cast<double>(step) / maximum() : 0.0);
}

int StepSlider::step_at(double x) const {
  const double margin = fontMetrics().height() * 0.6;
  return static_cast<int>(std::lround((x - margin) / std::max(1.0, width() - 2 * margin) * maximum()));
}

void StepSlider::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const Theme& t = *theme_;
  const double unit = fontMetrics().height(), middle = this->middle();
  const double groove = std::max(4.0, unit * 0.26), here = x_of(sliderPosition());
  painter.setPen(Qt::NoPen);
  painter.setBrush(colour(t.line));
  painter.drawRoundedRect(QRectF(x_of(0), middle - groove / 2, x_of(maximum()) - x_of(0), groove), groove / 2,
                          groove / 2);
  if (!isEnabled()) return;
  QFont small = font();
  small.setPointSizeF(small.pointSizeF() * 0.8);
  for (const StrategyBand& band : bands_) {
    const double left = x_of(static_cast<int>(band.first)) - (band.first > 0 ? 0.5 : 0) * (x_of(1) - x_of(0));
    const double right = std::min(x_of(maximum()), x_of(static_cast<int>(band.last)) + 0.5 * (x_of(1) - x_of(0)));
    const QRectF strip(left, 0, std::max(2.0, right - left - 1), unit * 0.98);
    paint_strategy(painter, strip, t, band.kind);
    painter.setFont(small);
    painter.setPen(colour(text_on(strategy_colour(t, band.kind))));
    const QFontMetricsF metrics(small);
    const QString name = QString::fromStdString(band.name);
    if (metrics.horizontalAdvance(name) + 4 <= strip.width()) painter.drawText(strip, Qt::AlignCenter, name);
    else if (strip.width() > 3 * metrics.height()) painter.drawText(strip, Qt::AlignCenter, metrics.elidedText(name, Qt::ElideRight, strip.width() - 4));
    painter.setPen(Qt::NoPen);
  }
  painter.setBrush(colour(t.focus));
  painter.drawRoundedRect(QRectF(x_of(0), middle - groove / 2, here - x_of(0), groove), groove / 2, groove / 2);
  for (const std::uint32_t tick : ticks_) {
    const double x = x_of(static_cast<int>(tick));
    painter.setPen(QPen(colour(t.muted_text), std::max(1.5, unit * 0.1), Qt::SolidLine, Qt::FlatCap));
    painter.drawLine(QLineF(x, middle + groove, x, middle + unit * 0.75));
  }
  painter.setPen(QPen(colour(t.base), 2));
  painter.setBrush(colour(t.focus));
  painter.drawEllipse(QPointF(here, middle), unit * 0.5, unit * 0.5);
}

void StepSlider::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return;
  setSliderDown(true);
  setValue(step_at(event->position().x()));
}

void StepSlider::mouseMoveEvent(QMouseEvent* event) {
  if (isSliderDown()) setValue(step_at(event->position().x()));
}

void StepSlider::mouseReleaseEvent(QMouseEvent*) { setSliderDown(false); }

void StepSlider::wheelEvent(QWheelEvent* event) {
  setValue(value() + (event->angleDelta().y() < 0 ? 1 : -1));
  event->accept();
}

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
  make(first, QObject::tr("First step"), Symbol::first, {Qt::Key_Home}, [w] { w->first(); });
  make(back, QObject::tr("Step back"), Symbol::back, {Qt::Key_Left}, [w] { w->back(); });
  make(play, QObject::tr("Play"), Symbol::play, {Qt::Key_Space}, [w] { w->set_playing(!w->playing()); });
  make(forward, QObject::tr("Step forward"), Symbol::forward, {Qt::Key_Right}, [w] { w->forward(); });
  make(last, QObject::tr("Last step"), Symbol::last, {Qt::Key_End}, [w] { w->last(); });
  make(level_back, QObject::tr("Level back"), Symbol::back, {Qt::CTRL | Qt::Key_Left}, [w] { w->level_back(); });
  make(level_forward, QObject::tr("Level forward"), Symbol::forward, {Qt::CTRL | Qt::Key_Right},
       [w] { w->level_forward(); });
  make(stop_back, QObject::tr("Previous lesson stop"), Symbol::previous_stop, {Qt::Key_PageUp},
       [w] { w->stop_back(); });
  make(stop_forward, QObject::tr("Next lesson stop"), Symbol::next_stop, {Qt::Key_PageDown},
       [w] { w->stop_forward(); });
  make(go_to_step, QObject::tr("Go to step\u2026"), Symbol::open, {Qt::CTRL | Qt::Key_G}, [] {});
  go_to_step->setIcon(QIcon());

  const auto update = [this, w] {
    const bool any = w->cursor() != nullptr;
    // Moves stay enabled at the ends, where they do nothing: a key must not fall through to another pane.
    for (QAction* action : {first, back, play, forward, last, level_back, level_forward, go_to_step})
      action->setEnabled(any);
    for (QAction* action : {stop_back, stop_forward}) action->setEnabled(!w->stop_steps().empty());
  };
  QObject::connect(w, &Workbench::step_changed, parent, update);
  QObject::connect(w, &Workbench::playing_changed, parent, [this, w] {
    play->setIcon(icon(w->playing() ? Symbol::pause : Symbol::play));
    play->setText(w->playing() ? QObject::tr("Pause") : QObject::tr("Play"));
  });
}

TransportBar::TransportBar(Workbench& workbench, TransportActions& actions, QWidget* parent)
    : QWidget(parent),
      workbench_(workbench),
      slider_(new StepSlider),
      number_(new QSpinBox),
      of_(new QLabel),
      title_(new QLabel),
      speed_(new QComboBox) {
  auto* layout = new QHBoxLayout(this);
  layout->setContentsMargins(8, 4, 12, 4);
  layout->setSpacing(6);
  for (QAction* action : {actions.first, actions.back, actions.play, actions.forward, actions.last}) {
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
  step_word_ = new QLabel(tr("step"));
  layout->addWidget(step_word_);
  layout->addWidget(number_);
  layout->addWidget(of_);
  layout->addSpacing(10);
  layout->addWidget(title_);
  for (const auto& [text, speed] : {std::pair{tr("\u00bd / s"), 0.5},
                                    {tr("1 / s"), 1.0},
                                    {tr("2 / s"), 2.0},
                                    {tr("4 / s"), 4.0},
                                    {tr("8 / s"), 8.0}})
    speed_->addItem(text, speed);
  speed_->setCurrentIndex(1);
  speed_->setToolTip(tr("Playing speed, steps a second"));
  speed_->setObjectName(QStringLiteral("playing_speed"));
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
          [this] { workbench_.set_speed(speed_->currentData().toDouble()); });
  connect(slider_, &QAbstractSlider::valueChanged, this,
          [this](int step) { workbench_.seek(static_cast<std::uint32_t>(step)); });
  connect(number_, &QSpinBox::valueChanged, this, [this](int step) {
    workbench_.seek(static_cast<std::uint32_t>(std::min(step, slider_->maximum())));
    const QSignalBlocker quiet(number_);
    number_->setValue(std::min(step, slider_->maximum()));  // past the end is the end, and says so
  });
  auto* leave = new QShortcut(Qt::Key_Escape, number_, [this] { number_->clearFocus(); }, Qt::WidgetWithChildrenShortcut);
  leave->setObjectName(QStringLiteral("leave_step_number"));
  // After Return the keys belong to the transport again.
  connect(number_, &QSpinBox::editingFinished, number_, &QWidget::clearFocus);
  connect(actions.go_to_step, &QAction::triggered, this, &TransportBar::edit_step);
  connect(&workbench, &Workbench::run_opened, this, &TransportBar::open_run);
  connect(&workbench, &Workbench::step_changed, this, &TransportBar::show_step);
  connect(&workbench, &Workbench::appearance_changed, this, &TransportBar::show_appearance);
  show_appearance();
}

void TransportBar::edit_step() {
  number_->setFocus(Qt::ShortcutFocusReason);
  number_->selectAll();
}

int TransportBar::width_without(std::size_t left_out) const {
  const std::array<QWidget*, 3> optional = optional_parts();
  int width = 40 + slider_->minimumSizeHint().width();
  for (QWidget* part : findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly)) {
    const auto at = std::find(optional.begin(), optional.end(), part);
    if (part == slider_ || (at != optional.end() && at - optional.begin() < static_cast<std::ptrdiff_t>(left_out))) continue;
    width += std::max(part->sizeHint().width(), part->minimumWidth()) + layout()->spacing();
  }
  return width;
}

QSize TransportBar::minimumSizeHint() const { return {width_without(optional_parts().size()), QWidget::minimumSizeHint().height()}; }

void TransportBar::leave_out() {
  const std::array<QWidget*, 3> optional = optional_parts();
  std::size_t left_out = 0;
  while (left_out < optional.size() && width_without(left_out) > width()) ++left_out;
  for (std::size_t i = 0; i < optional.size(); ++i) optional[i]->setVisible(i >= left_out);
}

void TransportBar::resizeEvent(QResizeEvent*) { leave_out(); }

void TransportBar::open_run() {
  const QSignalBlocker quiet_slider(slider_), quiet_number(number_);
  const int last = static_cast<int>(workbench_.step_count()) - 1;
  slider_->setRange(0, last);
  slider_->set_ticks(level_starts(workbench_.cursor()->trace()));
  slider_->set_bands(strategy_bands(workbench_.cursor()->trace()));
  number_->setRange(0, 10 * last + 99);  // a digit too many may be typed; where it leads is within the run
  slider_->setEnabled(true);
  number_->setEnabled(true);
  of_->setText(QStringLiteral("/ %1").arg(last));
  show_appearance();
}

void TransportBar::show_step() {
  const QSignalBlocker quiet_slider(slider_), quiet_number(number_);
  const Step& step = workbench_.cursor()->current();
  slider_->setValue(static_cast<int>(step.ordinal));
  slider_->update();
  number_->setValue(static_cast<int>(step.ordinal));
  for (const std::size_t button : {0, 1}) buttons_[button]->setEnabled(step.ordinal > 0);
  for (const std::size_t button : {3, 4}) buttons_[button]->setEnabled(step.ordinal + 1 < workbench_.step_count());
  title_->setText(
      QString::fromStdString(step.level >= 0 ? "level " + std::to_string(step.level) + ", " + step.name : step.name));
}

void TransportBar::show_appearance() {
  slider_->set_theme(theme_of(workbench_.session()));
  const int scale = workbench_.session().text_scale;
  for (QToolButton* button : buttons_) button->setIconSize(QSize(22, 22) * (scale / 100.0));
  const QFontMetrics metrics(interface_font(scale));
  number_->setFixedWidth(metrics.horizontalAdvance(QStringLiteral("0")) *
                         std::max(4, static_cast<int>(QString::number(number_->maximum()).size()) + 3));
  // A title that grows must not move the slider under the mouse.
  title_->setMinimumWidth(metrics.horizontalAdvance(QStringLiteral("level 00, update tags ")));
  QTimer::singleShot(0, this, &TransportBar::leave_out);  // once the parts know their font
}

}  // namespace kdscope
