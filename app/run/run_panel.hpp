#pragma once
// The form that describes a run: algorithm, data, parameters and back end, with fields from the registry and the data
// sources.

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>
#include <QWidget>

#include "app/appearance/form_field.hpp"
#include "app/workbench/workbench.hpp"
#include "datasets/data_form.hpp"

namespace kdscope {

class RunPanel : public QWidget {
  Q_OBJECT

 public:
  explicit RunPanel(Workbench& workbench, QWidget* parent = nullptr);
  /// The run that the form describes.
  RunRequest spec() const;
  void fill(const RunRequest& run);

 private:
  void make_data_fields();
  void make_parameter_fields();
  void choose_file();
  void choose_reading();
  bool takes_file() const;
  bool takes_own_points() const;
  /// Opens the data that the form names, so that it can be edited and run later.
  void take_as_own_points();
  void show_points();
  /// Points of the number and dimension that the form asks for, to check whether the builder would accept them.
  PointSet form_points() const;
  void validate();
  void show_busy();
  void lay_out();
  /// The devices to choose from, and the back ends of the chosen one.
  void show_devices();
  void show_progress(double fraction);

  Workbench& workbench_;
  QComboBox *algorithm_, *source_, *place_, *backend_;
  QLabel *summary_, *description_, *device_, *problem_;
  QWidget *data_box_ = nullptr, *parameter_box_ = nullptr, *file_row_;
  QLineEdit* file_;  // the specification of a file
  QPushButton* how_read_;
  QSpinBox* budget_;  // MiB; 0: automatic
  QVBoxLayout *data_place_ = new QVBoxLayout, *parameter_place_ = new QVBoxLayout;
  QPushButton *run_, *cancel_, *own_;
  QProgressBar* progress_;
  FormFields data_fields_, parameter_fields_;
};

}  // namespace kdscope
