#pragma once
// A lesson that a person writes on the open run: its draft, what is wrong with it, and whether it is saved. The draft
// is the window's open lesson, so every pane, a presentation and every export show it as it is at the moment.

#include <QObject>
#include <QTimer>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "walkthroughs/reader/lesson.hpp"
#include "walkthroughs/writer/lesson_checks.hpp"

namespace kdscope {

class Workbench;

class LessonEditor : public QObject {
  Q_OBJECT

 public:
  explicit LessonEditor(Workbench& workbench);

  /// Begins a lesson on the open run; does nothing while nothing is open. Errors: bad_input for data that a lesson can
  /// neither name nor hold.
  Result<void> begin();
  /// Edits a lesson. Without a file of its own, or as a copy, its first save asks for a name. Opens its run unless that
  /// is open.
  void edit(Lesson lesson, bool as_copy);
  /// Ends editing, and drops what is not saved.
  void close();

  bool active() const { return draft_.has_value(); }
  /// Precondition of all that follows: active().
  const Lesson& lesson() const { return *draft_; }
  bool unsaved() const;
  /// The file of the lesson; empty while it has none.
  std::string file() const { return draft_ ? draft_->path : std::string(); }
  /// The draft as text, if it is not saved; else empty. For session files.
  std::string draft() const;
  /// Goes on with a draft of a session file on the open run. Keeps a draft that is not saved.
  void restore(const std::string& draft, const std::string& file);
  /// Writes the lesson's file, and a file of points that it needs beside it. Errors as for save_lesson(), and for the
  /// first field that is refused.
  Result<void> save(const std::string& path);

  /// Everything that is wrong, up to the last change.
  const std::vector<LessonProblem>& problems() const { return problems_; }
  /// Whether the open run is the lesson's. If not, the draft waits: the open run can become the lesson's, or its own
  /// run be opened.
  bool fits_run() const { return fits_; }
  Result<void> use_open_run();
  void open_run();

  /// The stop that is edited, from 0; -1: the lesson itself. Follows the run to its stops.
  int stop() const { return stop_; }
  void go_to(int stop);
  /// Changes texts of the draft; views follow after a moment.
  void change(const std::function<void(Lesson&)>& edit);

  /// Adds a stop at the current step, after those up to it. Undo takes back this and the next three.
  void add_stop();
  /// Moves the stop that is edited to the current step; the values that it shows are read again.
  void move_here();
  /// Moves the stop one place earlier (-1) or later (1) in the lesson.
  void reorder(int direction);
  void remove_stop();

  /// Shows the lesson as a student sees it: questions are asked, and what answers them is hidden.
  bool previews() const { return preview_; }
  void preview(bool on);
  /// Whether the workbench asks the questions of the open lesson: not while they are being written.
  bool asks() const { return !shows_draft_ || preview_; }

 signals:
  void opened();   ///< another draft, or none
  void changed();  ///< anything of the above

 private:
  class ChangeStops;
  void start(Lesson draft, std::optional<Lesson> saved);
  void set_draft(Lesson draft, int stop);
  void replace(Lesson draft, int stop, const QString& what);
  void show();
  void show_soon();
  void follow_step();
  void follow_run();
  bool is_of_open_run() const;
  Result<void> take_run(Lesson& lesson) const;

  Workbench& workbench_;
  std::optional<Lesson> draft_, saved_;
  std::vector<LessonProblem> problems_;
  mutable std::optional<std::string> text_;  ///< of draft(), once asked for after a change
  int stop_ = -1;
  int draft_number_ = 0;  ///< goes on with each draft: a change of one is not undone in another
  bool fits_ = false, preview_ = false, shows_draft_ = false, showing_ = false;
  QTimer soon_;
};

}  // namespace kdscope
