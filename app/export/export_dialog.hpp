#pragma once
// File > Export…: the choice of contents, format and steps, then the progress and the result.

#include <QDialog>

#include "app/export/exporter.hpp"

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QFormLayout;
class QLabel;
class QLineEdit;
class QProgressBar;
class QPushButton;
class QSpinBox;

namespace kdscope {

class WorkbenchWindow;
class Workbench;

class ExportDialog : public QDialog {
  Q_OBJECT

 public:
  /// Precondition: a run is open.
  ExportDialog(Workbench& workbench, const Scene& look, QWidget* parent = nullptr);

  void reject() override;

 private:
  void make_form(QFormLayout& form);
  QWidget* size_row();
  void list_formats();
  void show_rows();
  void suggest_file();
  void choose_file();
  /// Shows the problem of the current choice, if it has one.
  void show_problem();
  void say(const QString& words, bool problem);
  void start();
  void end(const std::optional<Error>& error);
  ExportRequest request() const;
  ExportFormat format() const;
  ExportWhat what() const;

  Workbench& workbench_;
  const Scene& look_;
  Exporter exporter_;
  QStringList written_;
  QFormLayout* form_;
  QWidget* inputs_;
  QComboBox *what_, *format_, *table_, *theme_;
  QSpinBox *first_, *last_, *width_, *height_, *frames_, *stop_frames_;
  QDoubleSpinBox* speed_;
  QCheckBox *captions_, *answers_;
  QLineEdit* file_;
  QWidget *steps_row_, *size_row_, *file_row_;
  QLabel* message_;
  QProgressBar* progress_;
  QPushButton *start_, *close_;
};

/// Puts Export… (Ctrl+E) into the File menu.
void add_export(WorkbenchWindow& window, Workbench& workbench);

}  // namespace kdscope
