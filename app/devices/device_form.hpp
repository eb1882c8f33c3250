#pragma once
// The form that adds a device elsewhere: a name, and the command that leads there, from a template.

#include <QComboBox>
#include <QDialog>
#include <QLabel>
#include <QLineEdit>
#include <QSpinBox>

#include "app/workbench/workbench.hpp"

namespace kdscope {

class DeviceForm : public QDialog {
  Q_OBJECT

 public:
  explicit DeviceForm(Workbench& workbench, QWidget* parent = nullptr);

 signals:
  /// The device was added under this name.
  void added(const QString& name);

 private:
  void show_template();
  void fill_command();
  void add();

  Workbench& workbench_;
  QComboBox* template_;
  QLabel *place_label_, *help_, *problem_;
  QLineEdit *name_, *place_, *command_;
  QSpinBox* wait_;
};

}  // namespace kdscope
