#pragma once
// The first rows of a file of points, as a data specification reads them, with the reader's warnings or its refusal.

#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QTableWidget>
#include <QTimer>
#include <QWidget>

#include "app/workbench/background_job.hpp"
#include "app/workbench/workbench.hpp"

namespace kdscope {

/// Reads with the same reader as a run does, on a thread of its own and only while the widget is visible, a moment
/// after the last change. A very large file is read when a person asks for it.
class FilePreview : public QWidget {
  Q_OBJECT

 public:
  explicit FilePreview(Workbench& workbench, QWidget* parent = nullptr);
  /// Shows a specification of a file, which can be copied, and what it reads. Empty: there is no file.
  void show_specification(const std::string& specification);
  bool reading() const { return job_.running(); }

 signals:
  /// The specification was read, with these warnings, or refused.
  void shown(bool refused, const QStringList& warnings);
  /// Nothing is read any more.
  void rested();

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  /// What the window shows of a file.
  struct Reading {
    QString sentence;  ///< the refusal, or how many points there are
    bool refused = false;
    QStringList warnings, columns;
    std::vector<QStringList> rows;
  };
  static Reading read_file(const std::string& specification);
  /// Reads the specification, or leaves that to a person if the file is very large.
  void begin();
  void read();
  void cancel();
  void take(const std::string& specification, const Reading& reading);
  void show_reading(const Reading& reading);
  void say(const QString& sentence, bool refused);

  Workbench& workbench_;
  QLineEdit* specification_;
  QTableWidget* table_;
  QLabel* sentence_;
  QProgressBar* progress_;
  QPushButton *read_, *cancel_;
  QTimer delay_, patience_;
  std::string wanted_, known_;  // specifications: to be read, and read or cancelled
  bool refused_ = false;
  BackgroundJob job_;  // last: its end waits for the thread
};

}  // namespace kdscope
