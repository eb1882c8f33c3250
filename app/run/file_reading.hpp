#pragma once
// Asks how a file of points is read: a field for each parameter of its data specification, and what they read.

#include <QDialog>
#include <functional>

#include "app/appearance/form_field.hpp"
#include "app/run/file_preview.hpp"

namespace kdscope {

class FileReading : public QDialog {
  Q_OBJECT

 public:
  /// `specification`: of a file, with parameters or without. `accept`: the name of the button that takes the choice.
  FileReading(Workbench& workbench, const QString& specification, const QString& accept, QWidget* parent);
  /// The data specification that the fields describe.
  QString specification() const;
  /// What the reader's warnings, which the dialog shows, say.
  const QStringList& warnings() const { return warnings_; }
  /// Hides the dialog, which goes once nothing is read any more: its end would wait for that.
  void done(int result) override;

 private:
  /// Fills the fields from a specification.
  void fill(const QString& specification);
  void show_choice();

  QLineEdit* file_;
  FormFields fields_;
  QStringList warnings_;
  FilePreview* preview_;
  QPushButton* accept_;
};

/// Opens the dialog, and calls `then` with the specification that is chosen and the warnings that were shown.
void ask_how_to_read(QWidget& parent, Workbench& workbench, const QString& specification, const QString& accept,
                     std::function<void(const QString&, const QStringList&)> then);

/// Asks for the path of a file of points. `folder`: the folder that is shown.
void ask_for_points(QWidget& parent, const QString& folder, std::function<void(const QString&)> then);

}  // namespace kdscope
