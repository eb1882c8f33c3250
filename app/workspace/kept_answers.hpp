#pragma once
// The answers to questions, kept between runs of the program, and handed in as a file.

#include <QDialog>
#include <QObject>
#include <QString>

#include "app/workbench/workbench.hpp"

class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;

namespace kdscope {

/// Keeps every attempt in one file of a folder. Several programs may use the folder at the same time: each adds its own
/// attempts to those in the file.
class KeptAnswers : public QObject {
  Q_OBJECT

 public:
  /// Reads what the folder holds and goes on from there. A file that cannot be read is reported and kept under another
  /// name.
  KeptAnswers(Workbench& workbench, const QString& folder, QObject* parent);
  QString path() const { return path_; }

 private:
  void write();

  Workbench& workbench_;
  QString path_;
  std::vector<Attempt> to_write_;
  bool reported_ = false;
};

/// Asks for the student's name and what to hand in: one lesson, or everything.
class HandInDialog : public QDialog {
  Q_OBJECT

 public:
  HandInDialog(const Workbench& workbench, const QString& student, QWidget* parent);
  QString student() const;
  /// The chosen answers, in the order in which they were given.
  std::vector<Attempt> attempts() const;

 private:
  void check();

  const Workbench& workbench_;
  QLineEdit* student_;
  QComboBox* what_;
  QLabel* problem_;
  QPushButton* save_;
};

/// Writes a result file. Errors: a name that check_student() rejects, or io_failure; an old file is then unchanged.
Result<void> hand_in(const QString& student, std::vector<Attempt> attempts, const QString& path);

}  // namespace kdscope
