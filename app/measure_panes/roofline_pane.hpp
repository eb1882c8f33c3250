#pragma once
// The roofline of the open run: what every step reads and writes, and how long it takes, beside a copy.

#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QTableWidget>
#include <QWidget>
#include <memory>
#include <optional>
#include <vector>

#include "app/bench/roofline.hpp"
#include "app/measure_panes/chart.hpp"
#include "app/workbench/workbench.hpp"

namespace kdscope {

class RooflinePane : public QWidget {
  Q_OBJECT

 public:
  explicit RooflinePane(Workbench& workbench, QWidget* parent = nullptr);

  /// Measures the open run as the only job of the window.
  void measure();
  /// Shows measured values of the open run, until another run is opened.
  void show_measured(Roofline measured);
  /// The rows of the table, with the run as `original`; empty before the first measurement.
  const std::vector<variants::StepRow>& rows() const { return rows_; }
  /// Goes to the first recorded step of a row.
  void go_to(int row);

 private:
  variants::RowsBy by() const;
  void finish(Result<Roofline> measured, const std::shared_ptr<const Trace>& of);
  void drop_if_other_run();
  void show_rows();
  void fill_table();
  /// Marks the row of the current step.
  void show_step();
  void show_busy();
  void show_message(const QString& text, bool failed = false);
  QString tip_of(const variants::StepRow& row) const;

  Workbench& workbench_;
  std::optional<Roofline> measured_;
  std::shared_ptr<const Trace> measured_of_;  ///< the open trace at that time
  std::vector<variants::StepRow> rows_;
  bool failed_ = false;

  QPushButton* start_;
  QComboBox* by_;
  QLabel *summary_, *legend_;
  RooflineChart* chart_;
  QTableWidget* table_;
};

}  // namespace kdscope
