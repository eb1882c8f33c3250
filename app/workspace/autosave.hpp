#pragma once
// A copy of the session in the state folder, one file per running program, in case the program crashes.

#include <QDateTime>
#include <QLockFile>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "app/session/session_file.hpp"
#include "app/workbench/background_job.hpp"

namespace kdscope {

class Autosave : public QObject {
  Q_OBJECT

 public:
  /// Reserves this program's file in the folder, and locks the files that ended programs left there. If the folder
  /// cannot be used, the first write reports it by failed().
  explicit Autosave(const QString& folder, QObject* parent = nullptr);
  ~Autosave() override;

  /// A session that an ended program left behind. No other program offers it while this one holds it.
  struct Left {
    QString path;
    QDateTime when;
  };
  /// All such sessions, newest first.
  std::vector<Left> left() const;
  /// Deletes a left session.
  void discard_left(const QString& path);
  /// Releases all left sessions, so that the next start offers them again.
  void release_left();

  /// Writes the session in the background. If several wait, only the last one is written.
  void write(SavedSession saved);
  /// Writes work that another run replaced to a separate file in the background, and deletes the oldest such files.
  /// Returns the path of the file.
  QString keep(SavedSession saved);
  /// Deletes the autosave, so that nothing is offered at the next start.
  void clear();
  QString path() const { return own_path_; }

 signals:
  void written();
  void failed(const kdscope::Error& error);

 private:
  struct Found {
    Left left;
    std::unique_ptr<QLockFile> lock;
  };
  void write_next();
  void end_of_write(const Result<void>& result);

  QString folder_, own_path_;
  std::unique_ptr<QLockFile> own_lock_;
  std::vector<Found> left_;
  bool told_ = false;
  std::optional<SavedSession> next_;
  std::deque<std::pair<std::string, SavedSession>> to_keep_;  ///< with their paths; written before next_
  BackgroundJob writer_;
};

}  // namespace kdscope
