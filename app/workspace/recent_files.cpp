#include "app/workspace/recent_files.hpp"

#include <QDir>
#include <QFileInfo>

#include "app/appearance/labels.hpp"
#include "app/appearance/plain_text.hpp"
#include "datasets/datasets.hpp"

namespace kdscope {
namespace {

constexpr int most_files = 10;
const QString key = QStringLiteral("recent_files");

}  // namespace

RecentFiles::RecentFiles(QWidget* parent) : QMenu(tr("Open &recent"), parent) {
  setObjectName(QStringLiteral("recent"));
  setToolTipsVisible(true);
  connect(this, &QMenu::aboutToShow, this, &RecentFiles::fill);  // files may have appeared or disappeared
  fill();
}

void RecentFiles::keep_in(QSettings* settings) {
  settings_ = settings;
  paths_ = settings->value(key).toStringList().mid(0, most_files);
  fill();
}

void RecentFiles::add(const QString& path) {
  QStringList paths = paths_;
  const QString absolute = QFileInfo(path).absoluteFilePath();
  paths.removeAll(absolute);
  paths.prepend(absolute);
  change(paths.mid(0, most_files));
}

QStringList RecentFiles::folders() const {
  QStringList folders;
  for (const QString& path : paths_)
    folders << QFileInfo(QString::fromStdString(data_file_of(path.toStdString()))).path();
  folders.removeDuplicates();
  return folders;
}

void RecentFiles::change(const QStringList& paths) {
  paths_ = paths;
  if (settings_) settings_->setValue(key, paths_);
  fill();
}

void RecentFiles::fill() {
  clear();
  for (int i = 0; i < paths_.size(); ++i) {
    const QString path = paths_[i];
    const QFileInfo file(QString::fromStdString(data_file_of(path.toStdString())));  // parameters may follow
    const QString name = as_label(file.fileName() + path.mid(file.filePath().size()));
    const QString folder = QDir::toNativeSeparators(file.path());
    QAction* action = addAction(QStringLiteral("&%1  %2  (%3)")
                                    .arg((i + 1) % 10)
                                    .arg(name, as_label(file.exists() ? folder : tr("missing from %1").arg(folder))));
    action->setToolTip(plain_tip(path));
    const auto choose = [this, path] {
      if (QFileInfo::exists(QString::fromStdString(data_file_of(path.toStdString())))) {
        emit chosen(path);
        return;
      }
      QStringList others = paths_;
      others.removeAll(path);
      change(others);
      emit missing(path);
    };
    connect(action, &QAction::triggered, this, choose, Qt::QueuedConnection);  // because choose() refills the list
  }
  if (paths_.isEmpty()) {
    addAction(tr("No file has been opened yet"))->setEnabled(false);
    return;
  }
  addSeparator();
  connect(
      addAction(tr("&Forget these")), &QAction::triggered, this, [this] { change({}); }, Qt::QueuedConnection);
}

}  // namespace kdscope
