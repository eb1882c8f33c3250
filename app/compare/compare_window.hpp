#pragma once
// View > Side by side…: two to five runs on the same points, level by level.

#include <QWidget>
#include <deque>
#include <memory>
#include <vector>

#include "app/compare/compare_column.hpp"
#include "app/workbench/background_job.hpp"

class QAction;
class QHBoxLayout;
class QLabel;
class QProgressBar;
class QPushButton;
class QSlider;
class QTimer;

namespace kdscope {

class WorkbenchWindow;
class Workbench;

class CompareWindow : public QWidget {
  Q_OBJECT

 public:
  /// Starts with the open run and another one beside it. Precondition: a run is open.
  CompareWindow(Workbench& workbench, QWidget* parent);

  void add_column(const RunRequest& run);
  const std::vector<CompareColumn*>& columns() const { return columns_; }
  /// Returns whether every column shows its run or the reason why it has none.
  bool complete() const { return waiting_.empty() && !job_.running(); }
  const LevelAlignment& alignment() const { return alignment_; }
  void select(const SelectedElements& elements);

 private:
  /// The run that is open in the workbench, on the points as they are now.
  RunRequest open_run() const;
  QAction* add_action(const char* name, const QString& text, const QKeySequence& key, void (LevelAlignment::*move)());
  QWidget* make_transport();
  void remove_column(CompareColumn* column);
  /// Records and times a column after the columns that are already waiting.
  void enqueue(CompareColumn* column);
  void run_next();
  void run_again();
  void align();
  Concealment concealed() const;
  void show_all();
  void show_hidden();
  void show_columns();
  void set_playing(bool playing);

  Workbench& workbench_;
  std::shared_ptr<const DataSet> points_;
  std::vector<CompareColumn*> columns_;
  std::deque<CompareColumn*> waiting_;
  CompareColumn* running_ = nullptr;
  BackgroundJob job_;
  LevelAlignment alignment_;
  SelectedElements selected_;
  QHBoxLayout* row_;
  QLabel *title_, *hidden_, *level_;
  bool follows_ = false;  ///< columns have once gone to the open run's step
  bool reveals_ = false;  ///< what a question hides, too
  QPushButton *reveal_, *add_, *again_, *cancel_;
  QProgressBar* progress_;
  QSlider* slider_;
  QAction* play_ = nullptr;
  std::vector<QAction*> backwards_, forwards_;
  QTimer* player_;
};

/// Puts Side by side… into the View menu.
void add_side_by_side(WorkbenchWindow& window, Workbench& workbench);

}  // namespace kdscope
