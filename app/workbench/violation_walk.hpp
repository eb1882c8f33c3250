#pragma once
// The violated checks of the open run, and a walk over them.

#include <QObject>
#include <optional>
#include <vector>

#include "visualizer/model/violations.hpp"

namespace kdscope {

class Playback;

class ViolationWalk : public QObject {
  Q_OBJECT

 public:
  explicit ViolationWalk(Playback& playback, QObject* parent = nullptr);

  /// By step.
  const std::vector<Violation>& all() const { return violations_; }
  /// Where the walk stands; none after each other move.
  std::optional<std::size_t> current() const { return current_; }
  /// Goes to the step of a violated check, of all(), and selects the first element that violates it.
  void go_to(std::size_t violation);
  /// Goes to the next violated check after this step, or to the previous one (-1); stays at either end.
  void walk(int direction);

  /// For the desk, before another run opens. Emits no signal.
  void take(std::vector<Violation> violations);

 signals:
  void walked();  ///< current() changed

 private:
  Playback& playback_;
  std::vector<Violation> violations_;
  std::optional<std::size_t> current_;
};

}  // namespace kdscope
