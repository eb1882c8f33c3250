#pragma once
// The session as a document: its file, its unsaved work, the autosave in case of a crash, and the settings that persist
// between runs of the program.

#include <QSettings>
#include <QTimer>
#include <functional>
#include <memory>

#include "app/session/session_file.hpp"
#include "app/workbench/workbench.hpp"
#include "app/workspace/autosave.hpp"

class QFileDialog;

namespace kdscope {

class WorkbenchWindow;
class CourseMenu;
class LessonFiles;
class RecentFiles;

/// The places of settings and autosaves.
struct Memory {
  QString
      settings_file;  ///< window, layout, looks, recent files, progress in the course; empty: the user's own settings
  QString state_folder;     ///< autosaves, and answers to questions
  int autosave_ms = 10000;  ///< time from a change to its autosave
};

/// $XDG_STATE_HOME/kdscope, or ~/.local/state/kdscope.
QString state_folder();

class Workspace : public QObject {
  Q_OBJECT

 public:
  Workspace(WorkbenchWindow& window, Workbench& workbench);

  /// Turns on settings and autosaves. Without them only files that the user names are read or written, so tests and
  /// screenshots always start in the same state.
  void remember(const Memory& memory);
  /// Restores window size, layout, theme and text scale. Call it before the window is shown.
  void restore_looks();
  /// Shows a theme and a text scale of a command line, which hold for this run: later ones have what a person chose.
  /// Empty or 0: as restored.
  void show_for_this_run(const std::string& theme, int text_scale);
  /// Offers to restore the session that a crashed program left behind, if there is one.
  void offer_restore();

  /// The session's file; empty while it has none.
  QString file() const { return file_; }
  /// Returns whether own points or bookmarks are in no file, or have changed since they were saved.
  bool unsaved() const;

  /// Saves the session to its file; asks for one if it has none.
  void save();
  void save_as();
  /// Saves the recording of the open run as a trace file, off the UI thread.
  void save_trace_as();
  void open();
  void compare();
  /// Asks for the student's name, and saves the answers to questions as a result file.
  void hand_in();
  /// Closes the window at the system's request, without a question. Unsaved work is written to a file that File > Open
  /// recent lists.
  void end();
  /// Saves the session. On failure, reports it in the window, keeps the old file and returns false.
  bool save_to(const QString& path);

  /// Asks for a file to save with this `ending`, or for null, for a file to open, of the `only` name filter if there is
  /// one. An existing file is replaced only if the user agrees.
  void ask_for_file(const char* ending, const QString& title, const QString& name,
                    std::function<void(const QString&)> then, const QString& only = {});
  /// Adds a file to File > Open recent.
  void note_file(const QString& path);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  /// The work that would be lost without a save.
  struct Work {
    std::shared_ptr<const DataSet> own_points, edited_points;
    std::vector<Bookmark> bookmarks;
    bool operator==(const Work& other) const;  ///< points compare by their values
    explicit operator bool() const { return own_points || edited_points || !bookmarks.empty(); }
  };
  Work work() const;
  SavedSession present() const;
  void fill_menu();
  void run_opened();
  void session_opened(const QString& path, const SavedSession& saved, Opening opening);
  void touched();
  void autosave();
  void keep_replaced_work();
  void set_file(const QString& path);
  void ask_to_save();
  void leave();

  WorkbenchWindow& window_;
  Workbench& workbench_;
  RecentFiles* recent_;
  CourseMenu* course_;
  LessonFiles* lessons_;
  QString student_;  ///< the name that was handed in last
  std::unique_ptr<QSettings> settings_;
  std::string theme_of_run_;  // which no later run has
  int text_scale_of_run_ = 0;
  bool usually_animates_ = false;  // steps, as the system wishes
  std::unique_ptr<Autosave> autosave_;
  QTimer autosave_timer_;
  QString file_, restoring_, restored_;  // the last two: an autosave that is being opened, and one that is open
  Work saved_work_;
  SavedSession latest_;                   // the session after its last change, which the next opened run replaces
  bool latest_points_of_lesson_ = false;  ///< the points of latest_ were those of its lesson
  Session as_opened_;
  bool leaving_ = false, said_lessons_ = false;
};

}  // namespace kdscope
