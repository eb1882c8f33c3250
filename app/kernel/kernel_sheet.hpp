#pragma once
// One table of a kernel exercise: the cells to be written, and below them the arrays before the step.

#include <QTableView>
#include <vector>

#include "app/kernel/kernel_practice.hpp"

namespace kdscope {

/// What a sheet shows: rows of one index space, or one array of several dimensions.
struct SheetRows {
  struct Row {
    QString label;
    bool written = false;             ///< by the step
    std::vector<QString> given = {};  ///< [columns] before the step
    std::vector<int> cells = {};      ///< [columns] index in KernelExercise::cells(), -1: none
  };
  QString title;  ///< what the columns count
  std::vector<QString> columns;
  std::vector<Row> rows;
};

/// Returns the sheets of an exercise. Of large arrays, only the columns with cells are taken. Work O(cells + shown
/// elements).
std::vector<SheetRows> sheets_of(const KernelExercise& exercise, const Axes& axes);

/// A table that takes values by keys and clicks and passes them to the practice. A click on a given value writes it
/// into the current cell.
class KernelSheet : public QTableView {
  Q_OBJECT

 public:
  KernelSheet(KernelPractice& practice, const Workbench& workbench, SheetRows rows, QWidget* parent);
  bool has_current() const;
  /// Shows marks, texts and the current cell.
  void refresh();
  /// Fits columns, rows and height to the font.
  void fit();
  const SheetRows& rows() const { return rows_; }
  QString shown_text(int row, int column) const;
  QSize sizeHint() const override;

 protected:
  bool event(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  bool focusNextPrevChild(bool next) override;
  void changeEvent(QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  class Model;
  bool takes(const QKeyEvent& key) const;
  void go_on();
  void move(int rows, int columns);
  std::pair<int, int> place_of(std::size_t cell) const;

  KernelPractice& practice_;
  const Workbench& workbench_;
  SheetRows rows_;
  Model* model_;
};

}  // namespace kdscope
