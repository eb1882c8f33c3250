#pragma once
// The sheet of a block's or warp's interval: one row per lane, one column per access. Only what is in sight is painted.

#include <QAbstractTableModel>
#include <QTableView>
#include <optional>

#include "algorithms/variants/inside/sheet.hpp"
#include "app/workbench/workbench.hpp"
#include "visualizer/style/theme.hpp"

namespace kdscope {

/// The cells of the open look's interval. A column in front of the accesses has what the lanes did together: the bit of
/// a vote, the value of a shuffle, the sum of a scan.
class LaneSheetModel : public QAbstractTableModel {
  Q_OBJECT

 public:
  explicit LaneSheetModel(const Inside& inside, QObject* parent = nullptr);

  /// Shows the interval of the place.
  void show_interval();
  /// From now on one row stands for the idle lanes at the end, and heads name lines alone where the file is the same.
  void show_to_audience() { for_audience_ = true; }
  /// Whether the heads of lines that repeat name the repetitions, whose columns a reader then leaves out.
  void set_repeats_joined(bool joined) { repeats_joined_ = joined; }
  bool repeats(int column) const;
  void clear();
  bool is_of(const InsideLook* look, std::size_t stretch) const { return look_ == look && stretch_ == stretch; }

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

  /// The access in a cell; null in a hole.
  const access_log::Access* access_at(int row, int column) const;
  /// Its place in the recording.
  std::optional<std::size_t> place_at(int row, int column) const;
  /// The cell of an access of the interval.
  QModelIndex cell_of(std::size_t access) const;
  std::optional<int> row_of_lane(std::uint32_t lane) const;
  /// The lane of a row; where the row stands for several, the first one.
  std::uint32_t lane_of(int row) const { return lanes_[static_cast<std::size_t>(row)]; }
  std::uint32_t last_lane_of(int row) const { return tail_end_ && row + 1 == rowCount() ? *tail_end_ : lane_of(row); }
  bool has_lane(int row, std::uint32_t lane) const;
  /// Whether the row begins another warp than the one above it.
  bool begins_warp(int row) const;
  /// Whether the recording ended before this lane, so that its cells are no holes.
  bool is_left_out(int row) const;
  /// Whether a column shows what the lanes did together; and the bit of a vote there.
  bool is_together(int column) const { return together_ && column == 0; }
  std::optional<bool> bit_at(int row) const;
  /// The line of a column: "partition.hpp:62"; empty for what lanes did together.
  std::string line_of(int column) const;

 private:
  QString text_at(int row, int column) const;
  QString together_text(int row) const;
  QString head_of(int column) const;
  void join_idle_tail();

  const Inside& inside_;
  const InsideLook* look_ = nullptr;
  std::size_t stretch_ = 0;
  access_log::Sheet sheet_;
  const access_log::Interval* call_ = nullptr;
  bool together_ = false;
  std::vector<std::uint32_t> lanes_;     ///< by row
  std::vector<int> sheet_rows_;          ///< by row: that of the sheet, -1 for a lane without accesses
  std::optional<std::uint32_t> cut_at_;  ///< the last lane of a recording that the budget ended
  bool for_audience_ = false, repeats_joined_ = false;
  std::string usual_file_;                 ///< whose name heads leave out
  std::optional<std::uint32_t> tail_end_;  ///< the last lane of the last row, where it stands for several
};

/// The table. Up and Down go from lane to lane, a click chooses an access; W and R ask who wrote and who reads it.
class LaneSheet : public QTableView {
  Q_OBJECT

 public:
  explicit LaneSheet(Workbench& workbench, QWidget* parent = nullptr);
  const LaneSheetModel& cells() const { return *model_; }
  /// Shows the place: its interval, its lane and its access.
  void show_place();
  void set_appearance(const Theme& theme, int text_scale);
  /// Marks the columns of a line; empty: none.
  void mark_line(const std::string& line);
  /// Shows whole rows and columns, those of the place among them: nobody scrolls. Digits shrink where this shows more.
  void show_to_audience();
  /// The height of all rows, in digits of the usual size.
  int wanted_height() const;
  /// What an audience does not see: "lanes 0 to 15 of 128, 5 of 9 columns"; empty: it sees all.
  QString cut_text() const;

 signals:
  /// The audience sees other rows or columns.
  void fitted();
  void asks_for_writer();
  void asks_for_reader();

 protected:
  bool event(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  class Painter;
  void set_digits(double factor);
  void fit();
  void fit_columns();
  void fit_audience();
  void fit_person();
  QModelIndex cell_of_place() const;
  void choose(const QModelIndex& cell);

  Workbench& workbench_;
  LaneSheetModel* model_;
  const Theme* theme_;
  int text_scale_ = 100;
  bool for_audience_ = false;
  std::string marked_line_;
};

}  // namespace kdscope
