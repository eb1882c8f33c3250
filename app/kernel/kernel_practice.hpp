#pragma once
// "Be the kernel": a student performs a step of the open run. What is written, graded and shown; the pane draws it.

#include <QObject>
#include <optional>
#include <vector>

#include "app/workbench/workbench.hpp"
#include "walkthroughs/practice/kernel_exercise.hpp"

namespace kdscope {

/// One exercise at a time. While it runs, the playback is confined to the step before the one that is performed, so
/// that no pane shows its result. Every graded write becomes an attempt in Workbench::questions().
class KernelPractice : public QObject {
  Q_OBJECT

 public:
  explicit KernelPractice(Workbench& workbench, QObject* parent = nullptr);

  /// Starts with the current step or the first one after it that can be performed, once its values are here. Reports an
  /// error if there is none.
  void start();
  /// Ends the exercise and restores run, step and selection as they were at its start.
  void leave();
  const KernelExercise* exercise() const { return exercise_ ? &*exercise_ : nullptr; }

  /// The steps that can be performed, ascending. Of runs of many points, and where values come later, only the chosen
  /// one.
  const std::vector<std::uint32_t>& steps() const { return steps_; }
  void choose_step(std::uint32_t step);
  /// The threads that write something, ascending: indices of cells.
  const std::vector<std::uint64_t>& threads() const { return threads_; }
  /// One thread, or nullopt for all of them. What was written so far is dropped, what was graded stays.
  void choose_thread(std::optional<std::uint64_t> thread);

  /// What a cell shows.
  enum class Mark { blank, written, right, wrong, shown };
  Mark mark(std::size_t cell) const { return marks_[cell]; }
  const QString& text(std::size_t cell) const { return texts_[cell]; }
  /// The cell that takes what is typed.
  std::size_t current() const { return current_; }
  void go_to(std::size_t cell);
  /// Goes to the next cell in the order of the threads that is not right yet, or to the one before (-1). Stays if there
  /// is none in that direction, and returns false.
  bool walk(int direction);
  /// Whether something was typed since the current cell was entered.
  bool is_typing() const { return typed_; }
  /// Types into the current cell, unless it is right already or was shown. A point gets its letter: "p7" for 7.
  void type(QString text);

  /// Grades everything that was written since the last check, in the order in which it was written.
  void check();
  void hint();
  /// Shows what the thread of the current cell writes, and goes to the next thread.
  void show_thread();
  /// Runs the same algorithm on fresh data of the same shape, and performs the same step there.
  void repeat();
  bool can_repeat() const { return exercise_ && !workbench_.jobs().busy(); }

  /// What the current thread has to do, in one line.
  QString task() const;
  QString progress() const;
  /// What the last check or the model answer says; empty before.
  const QString& feedback() const { return feedback_; }
  bool found_wrong() const { return found_wrong_; }
  const QString& hint_text() const { return hint_; }
  bool is_complete() const { return exercise_ && exercise_->progress().complete(); }

 signals:
  void changed();               ///< anything of the above
  void running(bool exercise);  ///< an exercise began or ended; another one on fresh data does not count

 private:
  /// The run of the first exercise, when the first one on fresh data was asked for.
  struct FirstRun {
    RecordedRun run;
    std::optional<Lesson> lesson;
    std::shared_ptr<const DataSet> edited;  ///< null: as recorded
    std::vector<Bookmark> bookmarks;
    int undo_index;
  };
  struct Origin {
    std::uint32_t step;
    int stop;
    bool introduction;
    Selection selection;
    std::optional<FirstRun> first = {};
    int repeats = 0;  ///< runs on fresh data since
  };
  struct Pending {
    std::string data;  ///< of the run that was asked for
    std::shared_ptr<const Trace> from;
    std::uint32_t step;
    KernelScope scope;
  };
  void find_steps();
  bool begin(std::uint32_t step, const KernelScope& scope);
  std::optional<KernelExercise> prepare(std::uint32_t step, const KernelScope& scope) const;
  void end();
  void go_back_to(const FirstRun& first);
  void resume();
  void commit();
  void grade();
  void keep_attempts();

  Workbench& workbench_;
  std::optional<KernelExercise> exercise_;
  std::optional<Origin> origin_;
  std::optional<Pending> pending_;
  std::vector<std::uint32_t> steps_;
  std::vector<std::uint64_t> threads_;
  std::vector<std::size_t> order_;  // of the cells: thread by thread
  std::vector<Mark> marks_;         // [cells], and so the texts
  std::vector<QString> texts_;
  std::vector<KernelWrite> writes_;  // not graded yet
  std::size_t current_ = 0, kept_ = 0;
  bool typed_ = false;  // the current cell, since it was entered
  bool hinted_ = false, found_wrong_ = false, leaving_ = false;
  QString feedback_, hint_;
};

}  // namespace kdscope
