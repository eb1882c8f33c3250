#pragma once
// What every pane shares: the open run, the place in it, and the objects that change them. Panes call these and listen
// to them; they do not know one another.

#include <QObject>
#include <QUndoStack>
#include <memory>
#include <string>

#include "app/session/session_file.hpp"
#include "app/workbench/coming_values.hpp"
#include "app/workbench/device_choice.hpp"
#include "app/workbench/inside.hpp"
#include "app/workbench/jobs.hpp"
#include "app/workbench/lesson_editor.hpp"
#include "app/workbench/lesson_player.hpp"
#include "app/workbench/looks.hpp"
#include "app/workbench/marks.hpp"
#include "app/workbench/messages.hpp"
#include "app/workbench/playback.hpp"
#include "app/workbench/point_edits.hpp"
#include "app/workbench/questions.hpp"
#include "app/workbench/run_desk.hpp"
#include "app/workbench/step_motion.hpp"
#include "app/workbench/transport.hpp"
#include "app/workbench/violation_walk.hpp"

namespace kdscope {

struct SavedRun;

/// How much of a session file could be opened; with looks alone, the open run stays.
enum class Opening { whole, in_part, looks_alone };

/// Holds the objects together, opens files of all kinds, and gathers what a session file keeps. Each object emits its
/// own signals.
class Workbench : public QObject {
  Q_OBJECT

 public:
  explicit Workbench(QObject* parent = nullptr);

  /// The open trace and the place in it. Its listeners hear of a step after the lesson has followed it.
  Playback& playback() { return playback_; }
  const Playback& playback() const { return playback_; }
  /// The questions at the current step.
  Questions& questions() { return questions_; }
  const Questions& questions() const { return questions_; }
  /// The violated checks of the open run.
  ViolationWalk& violations() { return violations_; }
  const ViolationWalk& violations() const { return violations_; }
  /// The open lesson.
  LessonPlayer& lessons() { return lessons_; }
  const LessonPlayer& lessons() const { return lessons_; }
  /// How elements travel to the places that a step gives them.
  StepMotion& motion() { return motion_; }
  const StepMotion& motion() const { return motion_; }
  /// What lanes did inside steps, and the place in it.
  Inside& inside() { return inside_; }
  const Inside& inside() const { return inside_; }
  /// Moves through the steps, or through what is open inside one.
  Transport& transport() { return transport_; }
  const Transport& transport() const { return transport_; }
  /// The bookmarks of the open run.
  Marks& marks() { return marks_; }
  const Marks& marks() const { return marks_; }
  /// How everything looks.
  Looks& looks() { return looks_; }
  const Looks& looks() const { return looks_; }
  /// The points as they are edited.
  PointEdits& edits() { return edits_; }
  const PointEdits& edits() const { return edits_; }
  /// The open run and the way to another one.
  RunDesk& desk() { return desk_; }
  const RunDesk& desk() const { return desk_; }
  /// What the message bar shows.
  Messages& messages() { return messages_; }
  /// The long work.
  Jobs& jobs() { return jobs_; }
  const Jobs& jobs() const { return jobs_; }
  /// The values of open runs that are still elsewhere.
  ComingValues& coming_values() { return coming_values_; }
  const ComingValues& coming_values() const { return coming_values_; }
  /// The lesson that a person writes, if any.
  LessonEditor& editor() { return *editor_; }
  const LessonEditor& editor() const { return *editor_; }

  /// Everything that can be undone: edits of points, other data, layout, camera. Emptied when a lesson, a
  /// trace or a session is opened.
  QUndoStack& undo_stack() { return undo_; }
  /// Where the next run is made.
  DeviceChoice& device_choice() { return device_choice_; }
  const DeviceChoice& device_choice() const { return device_choice_; }
  /// The back ends and processors there.
  const DeviceReport& devices() const { return device_choice_.chosen().report; }

  /// Opens a session file, a lesson or a trace file, or runs the current algorithm on a data file or specification. The
  /// open run stays until the new run is complete, and for good if that fails.
  void open(const QString& what);
  Session session() const;
  /// Returns the contents of a session file, except for the layout, which the window adds.
  SavedSession saved_session() const;

 signals:
  /// A session file was opened, in part or as a whole; layout and camera are left to the window.
  void session_opened(const QString& path, const kdscope::SavedSession& saved, kdscope::Opening opening);

 private:
  void open_session(const std::string& path);
  void adopt_session(SavedRun opened, const std::string& path);

  ComingValues coming_values_;
  DeviceChoice device_choice_;
  Playback playback_;
  Questions questions_{playback_};
  // These two hear of a step first, so that the others find the lesson's stop and its highlights.
  ViolationWalk violations_{playback_};
  LessonPlayer lessons_{playback_, questions_};
  StepMotion motion_{playback_};
  Inside inside_{playback_};
  Transport transport_{playback_, motion_, inside_};
  Marks marks_{playback_};
  Looks looks_;
  QUndoStack undo_;
  PointEdits edits_{playback_, undo_};
  RunDesk desk_{*this};
  Messages messages_{device_choice_, desk_};
  Jobs jobs_{messages_};
  std::unique_ptr<LessonEditor> editor_;  // listens after the workbench
};

}  // namespace kdscope
