#pragma once
// Watches: expressions over the arrays, with their values at the current step, and steps at which they hold.

#include <QWidget>
#include <optional>
#include <vector>

#include "algorithms/trace/expression.hpp"
#include "app/workbench/workbench.hpp"

class QAction;
class QLabel;
class QLineEdit;
class QTableWidget;

namespace kdscope {

class ShownUpdate;
class WorkbenchWindow;

/// Adds the pane "Watches" and its entries in the Go menu to the window.
void add_watches(WorkbenchWindow& window, Workbench& workbench);

class WatchPane : public QWidget {
  Q_OBJECT

 public:
  explicit WatchPane(Workbench& workbench, QWidget* parent = nullptr);

  /// Adds a watch, and chooses it. An expression that the open run refuses is not added; the status line shows why.
  bool add(const QString& text);
  void remove(int row);
  /// Lets playing stop at each step at which a watch holds.
  void set_stops(int row, bool stops);
  /// Goes to the next step at which the chosen watch holds, or the one before (-1). The status line reports if there is
  /// none.
  void go(int direction);
  int count() const { return static_cast<int>(texts_.size()); }
  /// Go to the next step at which the chosen watch holds, and to the one before.
  QList<QAction*> actions_of_menu() const { return {next_, previous_}; }

 private:
  void parse_all();
  void show_values();
  void stop_playing();
  void say(const QString& text);

  Workbench& workbench_;
  std::vector<QString> texts_;
  std::vector<bool> stops_;  ///< for each text
  bool filling_ = false;     ///< the table changes by itself, not by the user
  /// For each text, its expression in the open run, or why there is none.
  std::vector<Result<Expression>> expressions_;
  ShownUpdate* shown_;
  QLineEdit* field_;
  QTableWidget* table_;
  QLabel* status_;
  QAction *next_, *previous_;
};

}  // namespace kdscope
