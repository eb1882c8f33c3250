#pragma once
// One piece of long work off the UI thread, with progress and cancel.

#include <QObject>
#include <QString>
#include <atomic>
#include <functional>
#include <thread>

#include "algorithms/registry/registry.hpp"

namespace kdscope {

/// Runs work on a thread of its own. The work returns what is to happen on the UI thread once it is done, so results
/// cross by value and nothing of the window is touched from outside its thread. One job at a time.
class BackgroundJob : public QObject {
  Q_OBJECT

 public:
  using Finish = std::function<void()>;
  using Work = std::function<Finish(const RunControl&)>;

  explicit BackgroundJob(QObject* parent = nullptr) : QObject(parent) {}
  /// Asks running work to stop and waits for it; its finish is dropped.
  ~BackgroundJob() override;

  bool running() const { return running_; }
  /// Precondition: not running.
  void start(const QString& what, Work work);
  /// The work ends as soon as it polls its stop token; its finish then sees an error of kind cancelled.
  void cancel();

 signals:
  void started(const QString& what);
  void progressed(double fraction, const QString& what);
  void finished();

 private:
  bool running_ = false;
  std::atomic<bool> report_pending_ = false;  // at most one progress event waits in the queue
  std::jthread thread_;
};

}  // namespace kdscope
