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
#include <functional>
#include <map>

#include "app/session/data_form.hpp"
#include "app/workbench/workbench.hpp"

namespace kdscope {

class RunPanel : public QWidget {
  Q_OBJECT

 public:
  explicit RunPanel(Workbench& workbench, QWidget* parent = nullptr);
  /// The run that the form describes.
  RunRequest spec() const;
  void fill(const RunRequest& run);

 private:
  struct Field {
    QWidget* widget;
    std::function<QString()> value;
    std::function<void(const QString&)> set;
  };
  using Fields = std::map<std::string, Field>;

  Field choice_field(const std::vector<std::pair<QString, QString>>& values_and_help, const QString& start);
  Field integer_field(std::int64_t min, std::int64_t max, const QString& start, bool automatic = false);
  void make_data_fields();
  void make_parameter_fields();
  void choose_file();
  bool takes_own_points() const;
  /// Opens the data that the form names, so that it can be edited and run later.
  void take_as_own_points();
  void show_points();
  /// Points of the number and dimension that the form asks for, to check whether the builder would accept them.
  PointSet form_points() const;
  void validate();
  void show_busy();

  Workbench& workbench_;
  QComboBox *algorithm_, *source_, *backend_;
  QLabel *summary_, *description_, *device_, *problem_;
  QWidget *data_box_ = nullptr, *parameter_box_ = nullptr, *file_row_;
  QLineEdit* file_;
  QSpinBox* budget_;  // MiB; 0: automatic
  QVBoxLayout *data_place_, *parameter_place_;
  QPushButton *run_, *cancel_, *own_;
  QProgressBar* progress_;
  Fields data_fields_, parameter_fields_;
};

}  // namespace kdscope
