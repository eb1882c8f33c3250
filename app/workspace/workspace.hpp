#pragma once
// The session as a document: its file, what of it is not saved, what is kept in case the program ends badly, and what
// is remembered from one run of the program to the next.

#include <QSettings>
#include <QTimer>
#include <functional>
#include <memory>
#include <optional>

#include "app/session/session_file.hpp"
#include "app/workbench/workbench.hpp"
#include "app/workspace/autosave.hpp"

class QFileDialog;

namespace kdscope {

class WorkbenchWindow;
class RecentFiles;

/// Where things are remembered.
struct Memory {
  QString settings_file;    ///< window, layout, looks, recent files; empty: in the user's own settings
  QString state_folder;     ///< autosaves
  int autosave_ms = 10000;  ///< from a change to the file
};

/// XDG_STATE_HOME/kdscope.
QString state_folder();

class Workspace : public QObject {
  Q_OBJECT

 public:
  Workspace(WorkbenchWindow& window, Workbench& workbench);

  /// Without this nothing is read or written but what a person asks for: tests and pictures start alike.
  void remember(const Memory& memory);
  /// Window size, layout, theme and text scale as they were left. Before the window is shown.
  void restore_looks();
  /// Asks about what a crashed program left behind, if it did.
  void offer_restore();

  /// The session's file; empty while it has none.
  QString file() const { return file_; }
  /// Own points or bookmarks are not in a file; or what is in one has changed.
  bool unsaved() const;

  /// Asks for a file where there is none.
  void save();
  void save_as();
  /// Saves the recording of the open run as a trace file, off the UI thread.
  void save_trace_as();
  void open();
  /// Closes the window without a question, as the system asks for: unsaved work goes to a file that File > Open recent
  /// lists.
  void end();
  /// False, with a sentence in the window and the old file as it was, where that fails.
  bool save_to(const QString& path);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  /// What would be lost.
  struct Work {
    std::shared_ptr<const DataSet> own_points, edited_points;
    std::vector<Bookmark> bookmarks;
    bool operator==(const Work&) const = default;
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
  /// `ending` of a file to save; null: one to open. An existing file is replaced only once a person agrees.
  void ask_for_file(const char* ending, const QString& title, const QString& name,
                    std::function<void(const QString&)> then);

  WorkbenchWindow& window_;
  Workbench& workbench_;
  RecentFiles* recent_;
  std::unique_ptr<QSettings> settings_;
  std::unique_ptr<Autosave> autosave_;
  QTimer autosave_timer_;
  QString file_, restoring_, restored_;  // the last two: an autosave that was asked for, and that is open
  Work saved_work_;
  SavedSession latest_;  // as of the last change of work: what a run that is opened replaces
  Session as_opened_;
  bool leaving_ = false, said_lessons_ = false;
};

}  // namespace kdscope
