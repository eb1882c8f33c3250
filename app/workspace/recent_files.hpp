#pragma once
// The most recently opened files as a menu. Files that no longer exist are marked.

#include <QMenu>
#include <QSettings>

namespace kdscope {

class RecentFiles : public QMenu {
  Q_OBJECT

 public:
  explicit RecentFiles(QWidget* parent = nullptr);
  /// Keeps the list in the settings between runs. Without settings, it lasts as long as the program.
  void keep_in(QSettings* settings);
  void add(const QString& path);
  QStringList paths() const { return paths_; }
  /// The folders of paths(), each once.
  QStringList folders() const;

 signals:
  void chosen(const QString& path);
  /// A chosen file that no longer exists; it was removed from the list.
  void missing(const QString& path);

 private:
  void fill();
  void change(const QStringList& paths);

  QStringList paths_;
  QSettings* settings_ = nullptr;
};

}  // namespace kdscope
