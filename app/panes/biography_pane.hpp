#pragma once
// The biography of the selected point: one line per step, with what the step did to the point. A click on a line goes
// to its step.

#include <QAbstractTableModel>
#include <QCheckBox>
#include <QLabel>
#include <QPushButton>
#include <QTableView>
#include <QTimer>
#include <optional>

#include "app/workbench/workbench.hpp"
#include "visualizer/model/biography.hpp"

namespace kdscope {

/// The lines as a table: all of them, or only those in which something changed.
class BiographyTable : public QAbstractTableModel {
  Q_OBJECT

 public:
  explicit BiographyTable(const Workbench& workbench, QObject* parent)
      : QAbstractTableModel(parent), workbench_(workbench) {}
  void show(std::shared_ptr<const Biography> life, std::shared_ptr<const Trace> trace, bool changes_only);
  /// The row of a step, or else of the last shown step before it; -1 if there is none.
  int row_of(std::uint32_t step) const;
  std::uint32_t step_of(int row) const { return life_->lines[lines_[static_cast<std::size_t>(row)]].step; }

  int rowCount(const QModelIndex& parent = {}) const override {
    return parent.isValid() ? 0 : static_cast<int>(lines_.size());
  }
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  const Workbench& workbench_;  // for its appearance
  std::shared_ptr<const Biography> life_;
  std::shared_ptr<const Trace> trace_;
  std::vector<std::size_t> lines_;  // indices of life_->lines, by row
};

class BiographyPane : public QWidget {
  Q_OBJECT

 public:
  explicit BiographyPane(Workbench& workbench, QWidget* parent = nullptr);
  /// The biography that is shown; null while there is none.
  const Biography* biography() const { return life_.get(); }
  /// Writes all lines to a CSV file; reports a failure in the message bar and returns false.
  bool save(const QString& path);

 private:
  /// The selected point, if exactly one is selected and it is a point of the trace.
  std::optional<PointId> selected_point() const;
  void refresh();
  void tell_in_background(PointId point);
  void show_life(std::shared_ptr<const Biography> life);
  void show_table();
  void show_step();
  void say(const QString& words, bool offer_to_run);
  void choose_file();
  bool write(const QString& path, const std::string& csv);

  Workbench& workbench_;
  BiographyTable* model_;
  QTableView* table_;
  QLabel *title_, *empty_;
  QCheckBox* changes_only_;
  QPushButton *save_, *follow_;
  QTimer later_;  // keeps selecting quick, however much this pane has to compute
  std::shared_ptr<const Biography> life_;
  std::shared_ptr<const Trace> of_trace_;
  bool placing_ = false;
};

}  // namespace kdscope
