#pragma once
// One piece of long work off the UI thread, with progress and cancel.

#include <QObject>
#include <QString>
#include <array>
#include <atomic>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>

#include "algorithms/core/error.hpp"
#include "algorithms/registry/registry.hpp"

namespace kdscope {

/// Runs work on a thread of its own. The work returns what is to happen on the UI thread once it is done, so results
/// cross by value and nothing of the window is touched from outside its thread. One job at a time.
///
/// Work that throws ends the job, not the program. Neither progress nor the end of a job takes memory, so a job that
/// has none left still reports it.
class BackgroundJob : public QObject {
  Q_OBJECT

 public:
  using Finish = std::function<void()>;
  using Work = std::function<Finish(const RunControl&)>;
  using Failed = std::function<void(const Error&)>;

  explicit BackgroundJob(QObject* parent = nullptr);
  /// Asks running work to stop and waits for it; its finish is dropped.
  ~BackgroundJob() override;

  bool running() const { return running_; }
  /// Later, on the UI thread, exactly one of two follows finished(): what the work returned, or `failed` with what it
  /// threw, or with the reason why no thread could be started. Precondition: not running.
  void start(const QString& what, Work work, Failed failed);
  /// The work ends as soon as it polls its stop token; its finish then sees an error of kind cancelled.
  void cancel();
  /// Blocks until the work is done. Its finish still comes from the event loop.
  void wait();

 signals:
  void started(const QString& what);
  void progressed(double fraction, const QString& what);
  void finished();

 private:
  void work_on(const Work& work, std::stop_token stop);
  void show_progress(double fraction, std::string_view now);
  void ring() const;
  void answer();

  bool running_ = false;
  Failed failed_;
  int bell_ = -1;  ///< eventfd: the thread rings, the event loop answers
  std::atomic<bool> done_ = false;
  Finish finish_;              ///< these two are the thread's until done_
  std::exception_ptr thrown_;  ///< instead of finish_
  std::mutex progress_mutex_;
  struct Progress {
    double fraction = 0;
    std::array<char, 256> text{};
    std::size_t length = 0;
    bool told = true;
  } progress_;
  std::jthread thread_;
};

}  // namespace kdscope
