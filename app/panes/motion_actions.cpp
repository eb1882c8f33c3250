#include "app/panes/motion_actions.hpp"

#include <cmath>

#include "app/workbench/step_motion.hpp"

namespace kdscope {
namespace {

/// The share of the time by which one press of a key scrubs.
constexpr double notch = 0.1;

}  // namespace

MotionActions::MotionActions(Workbench& workbench, QObject* parent) {
  StepMotion* motion = &workbench.motion();
  const auto make = [&](QAction*& action, const QString& text, const char* name, const QKeySequence& key, auto&& run) {
    action = new QAction(text, parent);
    action->setObjectName(QString::fromLatin1(name));
    action->setShortcut(key);
    QObject::connect(action, &QAction::triggered, motion, run);
  };
  // Whoever looks at a moment of a motion does not want the next step.
  const auto scrub = [&workbench, motion](double by) {
    return [&workbench, motion, by] {
      workbench.transport().set_playing(false);
      const double from = by > 0 && !motion->under_way() ? 0 : motion->time();
      motion->hold(std::round(from / notch + by) * notch);
    };
  };
  make(animate, QObject::tr("&Animate moves"), "animate_moves", Qt::Key_M,
       [motion](bool on) { motion->set_enabled(on); });
  animate->setCheckable(true);
  make(replay, QObject::tr("Show this step's moves a&gain"), "replay_moves", Qt::SHIFT | Qt::Key_M,
       [motion] { motion->replay(); });
  make(pause, QObject::tr("&Hold the moves, or let them go on"), "hold_moves", Qt::SHIFT | Qt::Key_Space,
       [&workbench, motion] {
         workbench.transport().set_playing(false);
         motion->pause();
       });
  make(back, QObject::tr("Scrub the moves back by a tenth"), "moves_back", Qt::SHIFT | Qt::Key_Left, scrub(-1));
  make(on, QObject::tr("Scrub the moves on by a tenth"), "moves_on", Qt::SHIFT | Qt::Key_Right, scrub(1));

  const auto update = [this, &workbench, motion] {
    animate->setChecked(motion->enabled());
    for (QAction* action : {replay, pause, back, on}) action->setEnabled(workbench.playback().cursor() != nullptr);
  };
  QObject::connect(motion, &StepMotion::enabled_changed, parent, update);
  QObject::connect(&workbench.playback(), &Playback::stepped, parent, update);
  update();
}

}  // namespace kdscope
