#pragma once
// How the elements of the arrays travel to the places that a step gives them, and how what it makes enters: when, how
// far they are, and where they come from. All panes show the same motion.

#include <QObject>
#include <QTimeLine>
#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "app/workbench/playback.hpp"
#include "visualizer/figure/growth.hpp"
#include "visualizer/model/motion.hpp"

namespace kdscope {

/// Moves elements from the step that was shown before to a neighbouring step, if steps are animated, or on demand. On
/// the way forwards, what the step makes enters; jumps forwards let grow what has been split since. While a motion is
/// under way, the playback is already at its new step; what stands still shows that step. A step during a motion, and
/// those that follow as fast, such as while a key is held down, move nothing.
class StepMotion : public QObject {
  Q_OBJECT

 public:
  explicit StepMotion(Playback& playback, QObject* parent = nullptr);

  bool enabled() const { return enabled_; }
  /// Switches on or off that steps are animated; off ends a motion under way.
  void set_enabled(bool enabled);
  int duration_ms() const { return duration_ms_; }
  /// From now on, a motion takes this long.
  void set_duration(int ms) { duration_ms_ = ms; }

  /// Returns whether elements are on their way, or what is new enters, or they are held there.
  bool under_way() const { return from_.has_value(); }
  bool held() const { return under_way() && line_.state() != QTimeLine::Running; }
  /// The share of the time that has passed, from 0 to 1. Elements travel first, and what they make enters as they land:
  /// nobody watches the table and the tree at once.
  double time() const { return under_way() ? static_cast<double>(line_.currentTime()) / line_.duration() : 1; }
  /// The share of the time in which elements travel that has passed.
  double travelled() const {
    if (motions_.empty()) return 1;
    const double from = tokens::fades_until, until = enters_ ? tokens::travels_until : 1;
    return std::clamp((time() - from) / (until - from), 0.0, 1.0);
  }
  /// What enters, and how far it has come. No nodes are split where they are many, and nothing enters in large clouds,
  /// whose pictures take too long to draw again and again.
  Growth growth() const;
  /// Whether elements travel or planes grow, now or once the step's motion is shown again. Of many points, that is not
  /// looked for. Work as of one motion.
  bool moves_here();
  /// Returns the motion of the rows of a space; null if none is under way or nothing travels there.
  std::shared_ptr<const Motion> in(Space space) const;

  /// Shows the motion from the step before to this one again, whether or not steps are animated.
  void replay();
  /// Holds the elements after a share of the time; at 1 they are where they belong. If no motion is under way, that of
  /// the current step begins.
  void hold(double time);
  /// Holds the elements where they are, or lets them go on.
  void pause();
  /// Ends the motion: every element is where it belongs.
  void finish();

  /// Starts a motion if one leads to the step that is shown now. For the workbench, once it has followed the step.
  void follow_step();

 signals:
  void moved();  ///< under_way(), growth() or in() differs
  void enabled_changed();

 private:
  /// Prepares the motion from a step to the current one; false if nothing travels or enters.
  bool prepare(std::uint32_t from, double time);
  void find_motions();
  void forget_motions();
  bool nothing_moves() const { return motions_.empty() && !enters_; }
  void forget();

  Playback& playback_;
  QTimeLine line_;                     ///< of the motion; after a step in a hurry, it runs without one
  std::optional<std::uint32_t> from_;  ///< the step that elements come from
  std::map<Space, std::shared_ptr<const Motion>> motions_;  ///< of the motion under way; none are empty
  Growth growth_;                                           ///< of the motion under way, but for its time
  bool enters_ = false;
  /// The step shown now and the one before, with what they hid when they were shown last.
  std::optional<std::pair<std::uint32_t, Concealment>> now_, before_;
  int duration_ms_ = tokens::move_ms;
  bool enabled_ = false;
};

}  // namespace kdscope
