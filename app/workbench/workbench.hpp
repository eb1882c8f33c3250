#pragma once
// What every pane shares: the session, the open trace and the place in it. Panes call it and listen to it; they do not
// know one another.

#include <QObject>
#include <QTimer>
#include <QUndoStack>
#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "algorithms/registry/registry.hpp"
#include "app/session/point_edits.hpp"
#include "app/session/run.hpp"
#include "app/session/saved_run.hpp"
#include "app/session/session.hpp"
#include "app/workbench/background_job.hpp"
#include "app/workbench/lesson_editor.hpp"
#include "app/workbench/playback.hpp"
#include "app/workbench/questions.hpp"
#include "visualizer/model/violations.hpp"
#include "walkthroughs/reader/lesson.hpp"

namespace kdscope {

class StepMotion;

/// How much of a session file could be opened; with looks alone, the open run stays.
enum class Opening { whole, in_part, looks_alone };

/// Steps per second, slowest first.
inline constexpr std::array playing_speeds{0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0};

class Workbench : public QObject {
  Q_OBJECT

 public:
  explicit Workbench(QObject* parent = nullptr);

  const Session& session() const { return session_; }
  const DeviceReport& devices() const { return devices_; }
  const LessonCatalogue& catalogue() const { return catalogue_; }

  /// The open trace and the place in it. Its listeners hear of a step after the workbench has followed it.
  Playback& playback() { return playback_; }
  const Playback& playback() const { return playback_; }
  /// Shorthands for the playback's.
  const Cursor* cursor() const { return playback_.cursor(); }
  std::shared_ptr<const Trace> trace() const { return playback_.trace(); }
  std::uint32_t step_count() const { return playback_.step_count(); }
  const LinkedSelection& linked() const { return playback_.linked(); }
  Axes axes() const { return playback_.axes(); }
  void select(Selection selection) { playback_.select(std::move(selection)); }
  void seek(std::uint32_t step) { playback_.seek(step); }

  /// The questions at the current step.
  Questions& questions() { return questions_; }
  const Questions& questions() const { return questions_; }

  /// How elements travel to the places that a step gives them.
  StepMotion& motion() const { return *motion_; }
  /// The lesson that a person writes, if any.
  LessonEditor& editor() { return *editor_; }
  const LessonEditor& editor() const { return *editor_; }

  /// The violated checks of the open run, by step; and the one where a walk over them stands, none after each other
  /// move.
  const std::vector<Violation>& violations() const { return violations_; }
  std::optional<std::size_t> violation() const { return violation_; }
  /// The points as they were last edited: what the next run takes. Null while nothing is open.
  std::shared_ptr<const DataSet> points() const;
  /// The points were edited since the open trace was recorded.
  bool stale() const { return edited_.data != nullptr; }
  /// Returns the points from which the open trace was recorded. Null while nothing is open.
  std::shared_ptr<const DataSet> recorded_points() const;
  /// Returns, for each of points(), its index in the open trace, or no_id. Empty: the same index. Work O(n).
  std::vector<std::uint32_t> recorded_indices() const;
  /// The run before the points were edited, until its differences to the open one are accepted or reverted.
  std::shared_ptr<const Trace> earlier_trace() const { return earlier_ ? earlier_->recording.trace : nullptr; }
  /// For each point of the open trace, its index in the earlier one, as in recorded_indices().
  std::vector<std::uint32_t> earlier_points() const;
  /// How long the open run took to record, in milliseconds; nullopt if it was not recorded here.
  std::optional<double> recording_ms() const { return recording_ms_; }
  /// Whether the run being opened is an earlier one that undo or revert brings back.
  bool going_back() const { return going_back_; }
  /// The lesson that was open before its points were edited or another algorithm ran on them; null if a lesson is open
  /// or the points are others.
  const Lesson* lesson_left() const { return left_ ? &left_->lesson : nullptr; }
  /// Opens that lesson again. Edits that are not saved are given up.
  void return_to_lesson();
  /// Whether the points as they are now are those of the lesson that is open or was left.
  bool has_points_of_lesson() const;
  /// Accepts the edited points; or restores the earlier run.
  void accept_edits();
  void revert_edits();

  /// Everything that can be undone: edits of points, other data, layout, camera. Emptied when a lesson, a
  /// trace or a session is opened.
  QUndoStack& undo_stack() { return undo_; }

  /// The open lesson, the steps of its stops, and the stop at the current step (-1: between stops, or the
  /// introduction).
  const Lesson* lesson() const { return lesson_ ? &*lesson_ : nullptr; }
  const std::vector<std::uint32_t>& stop_steps() const { return stop_steps_; }
  int stop_index() const { return stop_index_; }
  /// A lesson opens on its introduction: the step of its first stop, with title, source and aim instead of the stop's
  /// text.
  bool at_introduction() const { return at_introduction_; }
  /// The highlights that the lesson adds to those of a step: those of the stop there, none on the introduction.
  const std::vector<Highlight>& lesson_highlights(std::uint32_t step) const;

  /// Returns the last full-speed build of the open run.
  const std::optional<BuildReport>& timing() const { return timing_; }

  bool busy() const { return job_.running(); }
  bool playing() const { return player_.isActive(); }
  double steps_per_second() const { return steps_per_second_; }

  /// Opens a session file or a trace file, or runs the current algorithm on a data file or specification. The open run
  /// stays until the new run is complete, and for good if that fails. While another run, session or trace opens, this
  /// one takes its place; while other work runs, it opens after that. The others are ignored, with a message, while
  /// something runs.
  void open(const QString& what);
  /// Opens a trace file at the first step that differs from another trace file, and compares each step with it.
  void open_compared(const QString& path, const QString& other);
  /// Compares the open run with a trace file from now on, and goes to the first step that differs.
  void compare_with(const QString& path);
  /// Opens a run that a job has made. Precondition: not busy().
  void show_run(RecordedRun run);
  void open_lesson(const std::string& id);
  /// Runs a lesson that need not be in the catalogue, and opens it.
  void open_lesson(const Lesson& lesson);
  /// Puts a lesson in the place of the open one without another run, and shows this step again: as the stop `stop`, if
  /// that is here. Without a lesson, or with one whose stops the run does not have, the run alone is open.
  void show_lesson(std::optional<Lesson> lesson, int stop = -1);
  /// Returns whether a lesson is one of the catalogue.
  bool is_listed(const Lesson& lesson) const;
  void run(const RunRequest& run);
  /// Repeats a failed run with the change that was offered; a lesson stays a lesson.
  void retry(const RunRequest& run);
  /// Runs the open algorithm on the points as they are now; stale() is false afterwards.
  void run_again();
  void time_full_speed();
  /// Runs other long work as the only job. Its exceptions are reported, or passed to `failed`.
  void start_job(const QString& what, BackgroundJob::Work work, BackgroundJob::Failed failed = {});
  void cancel();
  /// The step at which the next run opens, instead of its first one.
  void set_first_step(std::optional<std::uint32_t> step) { first_step_ = step; }

  /// Moves by a step, to an end or by a level; does nothing beyond either end.
  void back();
  void forward();
  void first() { seek(0); }
  void last();
  void level_back();
  void level_forward();
  /// Goes to a stop of the open lesson, counted from 0, or to its introduction (-1), unless a stop does not exist or
  /// the playback does not allow its step.
  void go_to_stop(int stop);
  /// Moves from stop to stop; the introduction comes before the first one.
  void stop_back();
  void stop_forward();
  void set_playing(bool playing);
  void set_speed(double steps_per_second);
  /// Changes to the next faster of playing_speeds, or the next slower (-1); stops at the ends.
  void change_speed(int direction);

  void set_backend(Backend backend) { session_.run.backend = backend; }
  /// Goes to the step of a violated check, of violations(), and selects the first element that violates it.
  void go_to_violation(std::size_t violation);
  /// Goes to the next violated check after this step, or to the previous one (-1); stays at either end.
  void walk_violations(int direction);

  /// One choice that undo takes back; the camera is fitted anew. Axes that the open run does not have are refused.
  void choose_axes(const Axes& axes);

  /// Replaces all bookmarks. Precondition: ascending steps of the run, one bookmark each.
  void set_bookmarks(std::vector<Bookmark> bookmarks);
  /// Sets, replaces or removes the bookmark of a step.
  void set_bookmark(std::uint32_t step, const std::string& note);
  void remove_bookmark(std::uint32_t step);
  const Bookmark* bookmark_at(std::uint32_t step) const;
  /// Goes to the n-th bookmark, from 0, if there is one.
  void go_to_bookmark(std::size_t n);

  /// Makes one edit that undo reverts; `what` names it in the Edit menu. The trace is stale until it is run again.
  void edit_points(PointChange change, const QString& what);
  /// Replaces all points. If number, type and dimension stay the same, the points count as moved.
  void edit_points(std::shared_ptr<const DataSet> points, const QString& what);
  /// Returns the contents of a session file, except for the layout, which the window adds.
  SavedSession saved_session() const;
  /// Keeps the camera that the user moved. Undo does not revert this by itself.
  void set_camera(std::optional<CameraState> camera) { session_.camera = camera; }

  void set_theme(const std::string& theme);
  void set_text_scale(int percent);
  void set_smallest_boxes(bool shown);
  void set_surface(bool shown);
  void set_equal_scales(bool equal);
  void set_colouring(Colouring colouring);

  /// Shows one clear sentence in the window's message bar.
  void report(const Error& error, const RunRequest& run);
  /// Shows an error of other work, for which no other run can be offered.
  void report(const Error& error);
  /// Shows the error of something that failed; after a success, the message about an earlier failure goes. Returns
  /// whether it succeeded.
  bool conclude(const Result<void>& done);

 signals:
  /// A session file was opened, in part or as a whole; layout and camera are left to the window.
  void session_opened(const QString& path, const kdscope::SavedSession& saved, kdscope::Opening opening);
  void lesson_shown();      ///< another lesson is shown on the open run
  void violation_walked();  ///< violation() changed
  void speed_changed();
  void bookmarks_changed();
  void earlier_run_changed();
  void points_changed();  ///< points() are others; also when a run is opened
  void appearance_changed();
  void timing_changed();
  void playing_changed();
  void busy_changed(const QString& what);  ///< empty: nothing runs any more
  void progressed(double fraction, const QString& what);
  void failed(const kdscope::Error& error, kdscope::Offer offer, const kdscope::RunRequest& run);
  void succeeded();  ///< conclude() was called with a success

 private:
  friend class ChangePoints;
  friend class ChooseAxes;
  friend class ReplacePoints;
  friend class OpenRun;
  friend class LiveMove;
  /// A set of points and which is which.
  struct PointState {
    std::shared_ptr<const DataSet> data;
    std::shared_ptr<const PointIds> ids;
  };
  struct EarlierRun {
    RecordedRun recording;
    std::optional<Lesson> lesson;
    PointState points;
    std::uint32_t step;
  };
  PointState point_state() const { return {points(), edited_.data ? edited_.ids : recorded_.ids}; }
  /// A lesson whose points were edited, or used by another run.
  struct LeftLesson {
    Lesson lesson;
    RunRequest run;
    std::shared_ptr<const DataSet> points;
  };
  void set_points(PointState points);
  std::shared_ptr<const PointIds> fresh_ids(std::uint64_t count);
  /// The points of a run that is about to be shown; true for those that were open. Others may be taken back.
  bool take_points(const RecordedRun& recording, bool afresh, bool to_lesson);
  /// Keeps the open run for comparison, when the one to be shown is the same of edited points.
  void keep_earlier(const RecordedRun& next, bool same_points, PointState points);
  void set_axes(const std::optional<Axes>& axes);
  void follow_step();
  void ask_questions();
  void name_lesson();
  void start_recording(const QString& what, std::function<Result<RecordedRun>(const RunControl&)> work,
                       std::optional<Lesson> lesson, RunRequest asked, PointState of_lesson = {});
  void adopt(RecordedRun recording, std::optional<Lesson> lesson, bool afresh = false);
  void open_session(const std::string& path);
  void adopt_session(SavedRun opened, const std::string& path);
  void go_back_to(const EarlierRun& run, const PointState& edited, std::optional<EarlierRun> earlier = {});
  /// The points after a change, with the name of edited points.
  PointState changed_points(const PointState& before, const PointChange& change, const std::string& name) const;
  bool refuse_while_busy();
  /// True where an opening has to wait for what runs; it is done as soon as that has ended.
  bool waits_to_open(const QString& what, std::function<void()> open);
  void go_to(std::uint32_t step, bool introduction);
  void limit_motion();
  void go_to_introduction();

  Session session_;
  DeviceReport devices_;
  LessonCatalogue catalogue_;
  Playback playback_;
  Questions questions_{playback_};
  mutable PointState recorded_;       // of the open trace; its points once asked for
  PointState edited_, asked_points_;  // null: as recorded; what a run in progress was given
  std::uint64_t next_point_id_ = 0;
  std::optional<EarlierRun> earlier_;
  std::optional<LeftLesson> left_;
  std::optional<EarlierRun> earlier_then_;  // while going back: the earlier run of that time
  bool going_back_ = false, moving_ = false;
  std::optional<double> recording_ms_;  // of the last run that was recorded here
  std::vector<Violation> violations_;
  std::optional<std::size_t> violation_;
  bool opening_ = false;           // the job opens a run
  std::function<void()> waiting_;  // opens what was chosen last meanwhile
  QUndoStack undo_;
  std::optional<Lesson> lesson_, asked_lesson_;
  std::vector<std::uint32_t> stop_steps_;
  int stop_index_ = -1, stop_next_ = -1;  ///< of the current step; of the one to come, where stops share it
  bool at_introduction_ = false, introduction_next_ = false;  ///< now; at the step to come
  std::optional<BuildReport> timing_;
  std::optional<std::uint32_t> first_step_;
  QTimer player_;
  double steps_per_second_ = 1.0;
  BackgroundJob job_;
  StepMotion* motion_;
  std::unique_ptr<LessonEditor> editor_;  // listens after the workbench
};

}  // namespace kdscope
