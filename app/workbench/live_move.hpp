#pragma once
// Points that are moved with the mouse, and the run that follows them.

#include <memory>
#include <vector>

#include "app/workbench/workbench.hpp"

namespace kdscope {

/// Runs the open algorithm at once, on the UI thread, each time that the points move, and opens the run in place of the
/// one before, at the corresponding step. What is shown is always a whole run on the points where they are. The
/// workbench must outlive this.
class LiveMove {
 public:
  /// Runs that take longer do not follow the mouse.
  static constexpr double most_ms = 30;
  /// Runs of at most this many points get a trial even if the last run was slower, which may have been the first of its
  /// process.
  static constexpr std::uint64_t most_tried_points = 2'000;

  explicit LiveMove(Workbench& workbench) : workbench_(workbench) {}

  /// Remembers the open run with its points and its step. Returns false if moves do not run at once: the run is too
  /// slow, something else runs, or nothing is open.
  bool begin();
  bool active() const { return before_ != nullptr; }
  /// Whether the run that is being opened follows the move.
  bool is_opening() const { return workbench_.desk().moving(); }
  /// Runs with a point at another place; `words`: its coordinates and payload. The selection is left to the caller.
  /// Returns false if the run failed or the last ones were too slow; the run before stands then, and nothing moves
  /// until the next begin().
  bool move(std::uint32_t point, const std::vector<std::uint32_t>& words);
  /// Ends the move: one command takes it back, with its run. Returns whether there is something to take back.
  bool finish(const QString& what);
  /// Ends the move and restores what was there when it began.
  void take_back();
  /// Ends the move and leaves what is open: a run that does not follow the move has taken the place of the last one.
  void forget();
  /// Sets the limit in milliseconds, for tests on busy machines. 0: no run follows a move.
  void set_limit(double ms) { limit_ms_ = ms; }

 private:
  struct Before;
  void go_back_to(const Before& before);
  Workbench& workbench_;
  std::shared_ptr<Before> before_;
  int slow_ = 0;  // runs over the limit, one after the other
  bool moved_ = false;
  double limit_ms_ = most_ms;
};

}  // namespace kdscope
