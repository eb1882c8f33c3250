#pragma once
// The points as an editable table: coordinates are typed, rows added and removed, text pasted and copied.

#include <QAbstractTableModel>
#include <QAction>
#include <QLabel>
#include <QTableView>
#include <QToolBar>
#include <QWidget>

#include "app/point_editing/point_editor.hpp"
#include "app/views/shown_updates.hpp"
#include "app/workbench/workbench.hpp"

namespace kdscope {

/// The model of workbench.edits().points(): one row per point, for the first million points.
class PointsModel : public QAbstractTableModel {
  Q_OBJECT

 public:
  PointsModel(Workbench& workbench, PointEditor& editor, QObject* parent);
  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
  Qt::ItemFlags flags(const QModelIndex& index) const override;
  /// Edits the point, or reports an error and changes nothing.
  bool setData(const QModelIndex& index, const QVariant& value, int role) override;
  void take_points();

 private:
  Workbench& workbench_;
  PointEditor& editor_;
  std::uint32_t dimension_of(int column) const { return columns_[static_cast<std::size_t>(column)]; }
  bool is_left_out(std::size_t row) const;  // whether the tree leaves the point out at this step; false after edits
  std::shared_ptr<const DataSet> points_;
  std::vector<std::uint32_t> columns_;  // the dimension in each column
  std::vector<std::uint32_t> then_;     // recorded index of moved points, no_id for new ones; empty: no edits
};

class PointsPane : public QWidget {
  Q_OBJECT

 public:
  PointsPane(Workbench& workbench, PointEditor& editor, QWidget* parent = nullptr);
  /// The same at every width, so that layouts do not depend on where the pane was before.
  QSize minimumSizeHint() const override;
  QTableView& table() { return *table_; }
  /// Adds a button for another way to get points.
  void add_button(QAction* action) { bar_->addAction(action); }

  /// Appends a point in the middle of the bounding box, and opens its first coordinate for typing.
  void add_point();
  /// Replaces all points by those in the clipboard, or appends them.
  void paste(bool append);
  void copy();
  /// Starts an empty set of points.
  void start_new(ScalarType type, std::uint32_t dim);

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void show_points();
  void show_chosen();
  void take_pasted(Result<DataSet> pasted, bool append);
  std::vector<std::uint32_t> selected_rows() const;

  Workbench& workbench_;
  PointEditor& editor_;
  PointsModel* model_;
  QTableView* table_;
  QToolBar* bar_;
  QLabel* summary_;
  ShownUpdate *points_shown_ = nullptr, *chosen_shown_ = nullptr;
  bool selecting_ = false;
  bool scattered_ = false;  // the chosen rows form more runs than the table's own selection takes
};

}  // namespace kdscope
