#pragma once
// The search for an automatic parameter's best value on this device: starts it, and shows it as a table of sizes and
// values. The kept values define "auto" afterwards.

#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QTableWidget>
#include <QWidget>
#include <vector>

#include "algorithms/registry/tuning.hpp"
#include "app/workbench/workbench.hpp"

namespace kdscope {

class TuningPanel : public QWidget {
  Q_OBJECT

 public:
  /// The panel is hidden if no algorithm has a parameter to search.
  explicit TuningPanel(Workbench& workbench, QWidget* parent = nullptr);
  QString status() const { return status_->text(); }

  /// Searches up to the chosen size on the open run's back end and keeps what it finds.
  void start();

 private:
  /// The device that a search would run on.
  Device device() const;
  void choose_open();
  void show_stored();
  void finish(const Result<TuningReport>& found);
  void fill_table();
  void show_busy();

  Workbench& workbench_;
  QComboBox *parameter_, *max_n_;
  QPushButton* start_;
  QLabel *device_, *status_;
  QTableWidget* table_;
  std::vector<TuningRow> rows_;  ///< rows of the chosen parameter: stored ones, or those of the running search
  bool running_ = false;
};

}  // namespace kdscope
