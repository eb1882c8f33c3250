#include "app/panes/motion_slider.hpp"

#include <QSignalBlocker>
#include <cmath>

#include "app/appearance/plain_text.hpp"
#include "app/workbench/step_motion.hpp"

namespace kdscope {

MotionSlider::MotionSlider(Workbench& workbench, QWidget* parent)
    : QSlider(Qt::Horizontal, parent), workbench_(workbench), label_(plain_label(tr("moves"))) {
  label_->setParent(parent);
  setObjectName(QStringLiteral("motion"));
  setAccessibleName(tr("Moves of this step"));
  setToolTip(
      tr("Moves of this step, from the old places to the new ones (Shift+Left and Shift+Right; Shift+M shows them)"));
  setRange(0, 100);
  setPageStep(10);
  setFocusPolicy(Qt::TabFocus);  // a click leaves the arrows to the transport
  setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Preferred);
  connect(this, &QSlider::valueChanged, this, [this](int value) {
    workbench_.transport().set_playing(false);
    workbench_.motion().hold(static_cast<double>(value) / maximum());
    if (!isSliderDown()) show_motion();  // where nothing moves, it springs back
  });
  connect(this, &QSlider::sliderReleased, this, &MotionSlider::show_motion);
  for (const auto signal : {&StepMotion::moved, &StepMotion::enabled_changed})
    connect(&workbench.motion(), signal, this, &MotionSlider::show_motion);
  for (const auto signal : {&Playback::step_shown, &Playback::concealment_changed, &Playback::change_walked})
    connect(&workbench.playback(), signal, this, &MotionSlider::show_motion);
  show_motion();
}

QSize MotionSlider::sizeHint() const { return {5 * fontMetrics().height(), QSlider::sizeHint().height()}; }

QSize MotionSlider::minimumSizeHint() const { return {sizeHint().width() / 2, sizeHint().height()}; }

void MotionSlider::show_motion() {
  StepMotion& motion = workbench_.motion();
  if (isSliderDown()) return;
  const bool walks = workbench_.playback().change().has_value();  // whose words need the room
  const bool moves = !walks && (motion.under_way() || motion.enabled()) && motion.moves_here();
  for (QWidget* widget : {static_cast<QWidget*>(this), static_cast<QWidget*>(label_)}) widget->setVisible(moves);
  const QSignalBlocker quiet(this);
  setValue(static_cast<int>(std::lround(motion.time() * maximum())));
}

}  // namespace kdscope
