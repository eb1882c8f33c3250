#pragma once
// Records looks inside steps, or opens those that the trace holds, as the window's job.

#include <QObject>
#include <optional>

#include "app/inside/element_history.hpp"

namespace kdscope {

/// Answers Inside::asked(). What it does and why it cannot go on, it reports by Inside::say().
class LookRecorder : public QObject {
  Q_OBJECT

 public:
  explicit LookRecorder(Workbench& workbench, QObject* parent = nullptr);

  /// Opens the look inside the current step: the one that was made before, the one that the trace holds, or a new one.
  void look_inside();
  /// Records the current step again, with some of its blocks or warps alone.
  void record_groups(access_log::Range groups);
  /// Records the current step of the builder of which the open run has a variant, beside the open look; nothing while
  /// something runs.
  void record_original();

 signals:
  void original_recorded(std::uint32_t step, const kdscope::OriginalBeside& original);
  void original_failed(const QString& problem);

 private:
  void record(access_log::Range groups);
  void adopt(const std::shared_ptr<const InsideLook>& look, const std::shared_ptr<const Trace>& of, std::uint32_t step);
  void report(const Error& error);
  void adopt_original(std::uint32_t step, const OriginalBeside& original);
  void report_original(const Error& error);
  /// The place that the lesson's stop names, if it does.
  std::optional<access_log::PlaceInside> place_of_stop() const;
  void go_to_place_of_stop();

  Workbench& workbench_;
};

}  // namespace kdscope
