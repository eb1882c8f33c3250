#pragma once
// Measures how long an event loop does not turn, which is how long a window does not answer.

#include <QElapsedTimer>
#include <QObject>
#include <algorithm>
#include <utility>

namespace kdscope::test {

/// The longest time between two turns of the event loop.
class LongestTurn : public QObject {
 public:
  LongestTurn() {
    startTimer(5);
    since_.start();
  }
  /// Since the last call, in milliseconds.
  qint64 take() { return std::max(std::exchange(longest_, 0), since_.restart()); }

 protected:
  void timerEvent(QTimerEvent*) override { longest_ = std::max(longest_, since_.restart()); }

 private:
  QElapsedTimer since_;
  qint64 longest_ = 0;
};

}  // namespace kdscope::test
