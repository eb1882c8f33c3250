#pragma once
// The system's requests to end: SIGTERM, SIGINT and SIGHUP are answered on the UI thread, as a closed window is.

#include <QSocketNotifier>
#include <functional>
#include <memory>

namespace kdscope {

/// While it lives, the first of these signals calls `end`; a second one ends the program at once. One at a time.
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
