#pragma once
// Handles the system's requests to end (SIGTERM, SIGINT, SIGHUP) on the UI thread, like the closing of the window.

#include <QSocketNotifier>
#include <functional>
#include <memory>

namespace kdscope {

/// While it lives, the first of these signals calls `end`; the same signal again ends the program at once. Only one
/// object may exist at a time.
class EndSignals {
 public:
  explicit EndSignals(std::function<void()> end);
  ~EndSignals();
  EndSignals(const EndSignals&) = delete;
  EndSignals& operator=(const EndSignals&) = delete;

 private:
  std::unique_ptr<QSocketNotifier> heard_;
};

}  // namespace kdscope
