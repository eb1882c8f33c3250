#pragma once
// Experiments in the app: choose one, set its options, and watch chart and table fill row by row beside the printed
// values.

#include <QBoxLayout>
#include <QComboBox>
#include <QFormLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QSpinBox>
#include <QTableWidget>
#include <QWidget>
#include <map>
#include <memory>

#include "app/bench/bench_charts.hpp"
#include "app/experiments/experiment.hpp"
#include "app/measure_panes/chart.hpp"
#include "app/workbench/workbench.hpp"

namespace kdscope {

class ExperimentPane : public QWidget {
  Q_OBJECT

 public:
  explicit ExperimentPane(Workbench& workbench, QWidget* parent = nullptr);

  /// Shows an experiment without measured values; ignored while one runs.
  void choose(const std::string& id);
  /// Reads an experiment file, or the results of a bench (*.json), in the background and shows it; a failure is a
  /// message in the status line. Ignored while something runs.
  void open_file(const QString& path);
  /// Asks for an experiment file and opens it.
  void choose_experiment_file();
  ExperimentOptions options() const;
  /// Measures with the current options. Discards earlier results.
  void run();
  const std::vector<ExperimentRow>& rows() const { return rows_; }
  /// Saves the measured rows as CSV, or the chart in a file that ends in .svg. Returns false, with a message in the
  /// status line, if the file cannot be written.
  bool save(const QString& path);

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void make_options();
  void reset_rows();
  void add_row(std::size_t index, const ExperimentRow& row);
  void finish(const Result<void>& result);
  void show_rows();
  void fill_table();
  void show_busy();
  void say(const QString& text, bool failed = false);
  void choose_file();
  std::string csv() const;
  bool write(const QString& path, const std::string& csv, const std::string& svg);
  void show_file(const QString& path, Experiment experiment);
  void show_bench(const QString& path, std::vector<BenchChart> charts);
  /// Adds an entry to the choice, or takes the one that is there, and shows its experiment. key: in files_.
  void choose_opened(const QString& key, const QString& text, const QString& path);
  std::vector<ExperimentRow> rows_in_range(const Experiment& experiment) const;

  Workbench& workbench_;
  std::shared_ptr<const Experiment> experiment_;                ///< a running job keeps its own
  std::map<QString, std::shared_ptr<const Experiment>> files_;  ///< opened experiment files by their paths
  /// Results of a bench have a second chart, by the keys of files_.
  std::map<QString, std::shared_ptr<const Experiment>> beside_of_file_;
  std::shared_ptr<const Experiment> beside_;  ///< the second chart's, or null
  std::vector<ExperimentRow> rows_;           ///< the spec's rows up to the chosen largest size
  bool running_ = false, failed_ = false;

  QBoxLayout* layout_;
  QWidget* side_;
  QComboBox *choice_, *max_n_, *backend_;
  QSpinBox* repeat_;
  QFormLayout* parameters_;
  std::map<std::string, QComboBox*> parameter_fields_;
  QPushButton *open_, *run_, *cancel_, *save_;
  QProgressBar* progress_;
  QLabel *title_, *status_;
  ExperimentChart *chart_, *chart_beside_;
  QTableWidget* table_;
};

}  // namespace kdscope
