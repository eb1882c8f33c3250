#pragma once
// The files that were opened last, as a menu. Files that no longer exist are marked.

#include <QMenu>
#include <QSettings>

namespace kdscope {

class RecentFiles : public QMenu {
  Q_OBJECT

 public:
  explicit RecentFiles(QWidget* parent = nullptr);
  /// Where the list lives between runs; without it, it lives as long as the program.
  void keep_in(QSettings* settings);
  void add(const QString& path);
  QStringList paths() const { return paths_; }

 signals:
  void chosen(const QString& path);
  /// Chosen, but not there any more; it is off the list.
  void missing(const QString& path);

 private:
  void fill();
  void change(const QStringList& paths);

  QStringList paths_;
  QSettings* settings_ = nullptr;
};

}  // namespace kdscope
