#pragma once
// The biography of the selected point: a line a step, with what it did to the point. A click on a line goes to its
// step.

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

/// The lines as a table: all of them, or those in which something changed.
class BiographyTable : public QAbstractTableModel {
  Q_OBJECT

 public:
  explicit BiographyTable(const Workbench& workbench, QObject* parent)
      : QAbstractTableModel(parent), workbench_(workbench) {}
  void show(std::shared_ptr<const Biography> life, std::shared_ptr<const Trace> trace, bool changes_only);
  /// The row of a step, or of the last one before it; -1 when there is none.
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
  std::vector<std::size_t> lines_;  // of life_, in the order of rows
};

class BiographyPane : public QWidget {
  Q_OBJECT

 public:
  explicit BiographyPane(Workbench& workbench, QWidget* parent = nullptr);
  /// What is shown; null while no point is.
  const Biography* biography() const { return life_.get(); }
  /// Writes all lines; a failure is reported in the message bar.
  bool save(const QString& path);

 private:
  /// The selected point, if it is one and the trace knows it.
  std::optional<PointId> selected_point() const;
  void refresh();
  void tell_in_background(PointId point);
  void show_life(std::shared_ptr<const Biography> life);
  void show_table();
  void show_step();
  void say(const QString& words, bool offer_to_run);
  void choose_file();

  Workbench& workbench_;
  BiographyTable* model_;
  QTableView* table_;
  QLabel *title_, *empty_;
  QCheckBox* changes_only_;
  QPushButton *save_, *follow_;
  QTimer later_;  // selecting is quick, whatever this pane has to find out
  std::shared_ptr<const Biography> life_;
  std::shared_ptr<const Trace> of_trace_;
  bool placing_ = false;
};

}  // namespace kdscope
