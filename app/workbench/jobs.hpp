#pragma once
// The window's long work: one job at a time, and what opens once it has ended.

#include <functional>

#include "app/workbench/background_job.hpp"

namespace kdscope {

class Messages;

class Jobs : public QObject {
  Q_OBJECT

 public:
  explicit Jobs(Messages& messages, QObject* parent = nullptr);

  bool busy() const { return job_.running(); }
  /// Runs work as the only job; refused with a message while something runs. Its exceptions are reported, or passed to
  /// `failed`.
  void start(const QString& what, BackgroundJob::Work work, BackgroundJob::Failed failed = {});
  /// As start(), for work that opens a run.
  void start_opening(const QString& what, BackgroundJob::Work work, BackgroundJob::Failed failed);
  void cancel();

  /// Reports that something runs. Returns whether it does.
  bool refuse_while_busy();
  /// True where an opening has to wait for what runs; it is done as soon as that has ended. What opens a run is
  /// cancelled for it.
  bool waits_to_open(const QString& what, std::function<void()> open);
  /// Whether something else was chosen to open while this job ran.
  bool is_overtaken() const { return static_cast<bool>(waiting_); }

 signals:
  void busy_changed(const QString& what);  ///< empty: nothing runs any more
  void progressed(double fraction, const QString& what);

 private:
  Messages& messages_;
  bool opening_ = false;           // the job opens a run
  std::function<void()> waiting_;  // opens what was chosen last meanwhile
  BackgroundJob job_;
};

}  // namespace kdscope
