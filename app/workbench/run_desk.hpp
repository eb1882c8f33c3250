#pragma once
// The open run, and the way to another one: recorded, timed, opened from a file, or brought back by undo.

#include <QObject>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "algorithms/registry/registry.hpp"
#include "app/workbench/kept_run.hpp"

namespace kdscope {

class Workbench;

/// The open run stays until another one is complete, and for good if that fails. One from a device elsewhere opens with
/// the steps that have come half a second after it was asked for; later ones are added, and what came stays. While
/// another run, session or trace opens, the next one takes its place; while other work runs, it opens after that.
/// run(), retry() and run_again() are ignored, with a message, while something runs.
class RunDesk : public QObject {
  Q_OBJECT

 public:
  explicit RunDesk(Workbench& workbench);

  /// What made the open run; what the next one begins with.
  const RunRequest& request() const { return request_; }
  /// The file that the open run was read from; empty if it was run.
  const std::string& trace_file() const { return trace_file_; }
  /// Name of the device elsewhere that made the open run; empty: this machine, or a file.
  const std::string& device() const { return device_; }
  void set_backend(Backend backend) { request_.backend = backend; }
  /// How long the open run took to record, in milliseconds; nullopt if it was not recorded here.
  std::optional<double> recording_ms() const { return recording_ms_; }

  void run(const RunRequest& run);
  /// Repeats a failed run with the change that was offered; a lesson stays a lesson.
  void retry(const RunRequest& run);
  /// Runs the open algorithm on the points as they are now, which are no longer stale afterwards.
  void run_again();
  /// Runs the open algorithm on a data file or specification.
  void open_data(const std::string& data);
  void open_trace(const QString& path);
  /// Opens a trace file at the first step that differs from another trace file, and compares each step with it.
  void open_compared(const QString& path, const QString& other);
  /// Compares the open run with a trace file from now on, and goes to the first step that differs.
  void compare_with(const QString& path);
  void open_lesson(const std::string& id);
  /// Runs a lesson that need not be in the catalogue, and opens it.
  void open_lesson(const Lesson& lesson);
  /// Opens a run that a job has made. Precondition: nothing runs.
  void show_run(RecordedRun run);
  /// As show_run(), for the run of a session file: nothing of the run before is carried over.
  void show_saved_run(RecordedRun run, std::optional<Lesson> lesson, std::uint32_t step);
  /// The step at which the next run opens, instead of its first one.
  void set_first_step(std::optional<std::uint32_t> step) { first_step_ = step; }

  /// Returns the last full-speed build of the open run.
  const std::optional<BuildReport>& timing() const { return timing_; }
  void time_full_speed();

  /// The run before the points were edited, until its differences to the open one are accepted or reverted.
  const std::optional<KeptRun>& earlier() const { return earlier_; }
  std::shared_ptr<const Trace> earlier_trace() const { return earlier_ ? earlier_->recording.trace : nullptr; }
  /// For each point of the open trace, its index in the earlier one, as in PointEdits::recorded_indices().
  std::vector<std::uint32_t> earlier_points() const;
  /// Accepts the edited points; or restores the earlier run.
  void accept_edits();
  void revert_edits();
  /// Opens a run again that was open before, with the edits and the earlier run that it had. Null: no edits.
  void go_back_to(const KeptRun& run, const PointState& edited, std::optional<KeptRun> earlier = {});
  /// Whether the run being opened is an earlier one that undo or revert brings back.
  bool going_back() const { return going_back_; }
  /// The open run as it stands, without its lesson.
  KeptRun as_it_stands() const;

  /// Opens the run of points that follow the mouse, at a step. `ms`: how long it took to record.
  void show_moved(RecordedRun run, PointState points, std::uint32_t step, double ms);
  /// Whether the run being opened follows a move.
  bool moving() const { return moving_; }

  /// The lesson that was open before its points were edited or another algorithm ran on them; null if a lesson is open
  /// or the points are others.
  const Lesson* lesson_left() const { return left_ ? &left_->lesson : nullptr; }
  /// Opens that lesson again. Edits that are not saved are given up.
  void return_to_lesson();
  /// Whether the points as they are now are those of the lesson that is open or was left.
  bool has_points_of_lesson() const;

 signals:
  void timing_changed();
  void earlier_run_changed();

 private:
  /// A lesson whose points were edited, or used by another run.
  struct LeftLesson {
    Lesson lesson;
    RunRequest run;
    std::shared_ptr<const DataSet> points;
    std::optional<std::uint32_t> step;  ///< none at the introduction
  };
  using Arrived = std::function<void(RecordedRun so_far)>;
  using Recorder = std::function<Result<RecordedRun>(const RunControl& control, const Arrived& arrived)>;
  void start_recording(const QString& what, Recorder work, std::optional<Lesson> lesson, RunRequest asked,
                       PointState of_lesson = {});
  /// Opens the steps of a run that have come, or adds those that came since. Nothing happens if a person has opened
  /// something else meanwhile, or if the run has a lesson or a step to open at, which need all steps.
  void show_arrived(RecordedRun so_far);
  /// Takes the place of the open run, of which it is more.
  void add_steps(RecordedRun longer);
  bool shows_arrived() const;
  void adopt(RecordedRun recording, std::optional<Lesson> lesson, bool afresh = false);
  /// The points of a run that is about to be shown; true for those that were open. Others may be taken back.
  bool take_points(const RecordedRun& recording, bool afresh, bool to_lesson);
  /// Keeps the open run for comparison, when the one to be shown is the same of edited points. A search is compared
  /// with the same search, and never with a build: a search accepts no edit of points, and the comparison comes back
  /// with the build.
  void keep_earlier(const RecordedRun& next, bool same_points, PointState points);

  Workbench& workbench_;
  RunRequest request_;
  std::string device_;
  std::string trace_file_;
  std::optional<double> recording_ms_;
  std::optional<BuildReport> timing_;
  PointState asked_points_;  // what a run in progress was given
  std::optional<Lesson> asked_lesson_;
  std::optional<std::uint32_t> first_step_;
  std::shared_ptr<const Trace> arrived_;           // the open steps of a run whose later steps travel
  // The second one: while going back, the earlier run of that time; otherwise that of another search on these points
  std::optional<KeptRun> earlier_, earlier_then_;
  std::optional<LeftLesson> left_;
  bool going_back_ = false, moving_ = false;
};

}  // namespace kdscope
