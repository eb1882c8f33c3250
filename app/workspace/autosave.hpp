#pragma once
// A copy of the session in the state folder, one file a running program, for the case that the program does not end
// well.

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
  /// Takes a place of its own in the folder, and holds on to what programs left there that are gone. A folder that
  /// cannot be used is reported once, by failed(), when something is to be written.
  explicit Autosave(const QString& folder, QObject* parent = nullptr);
  ~Autosave() override;

  /// What a program that is gone left behind, newest first. No other program offers it meanwhile.
  struct Left {
    QString path;
    QDateTime when;
  };
  std::vector<Left> left() const;
  /// Throws it away; or lets go of it, so that it is offered at the next start.
  void discard_left(const QString& path);
  void release_left();

  /// Writes in the background; of several at once the last one counts.
  void write(SavedSession saved);
  /// Writes work that another run replaced under a name of its own, in the background; the oldest of several go. The
  /// name.
  QString keep(SavedSession saved);
  /// Nothing is to be restored any more.
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
  std::deque<std::pair<std::string, SavedSession>> to_keep_;  ///< by path; these are written first
  BackgroundJob writer_;
};

}  // namespace kdscope
