#pragma once
// Watches are expressions over the arrays. The pane shows their values at the current step and goes to the next or the
// previous step at which one holds.

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
  /// Runs to the next step at which a condition holds, or back to the one before (-1): that of the field, which becomes
  /// a watch, or else the chosen watch. The status line shows the values there, or that no step meets it. In a large
  /// trace, the search is a job that can be cancelled.
  void go(int direction);
  /// Takes the keyboard to the field, and says which keys run to what it holds.
  void write_condition();
  /// Traces that store more bytes are searched in a job.
  void set_searched_at_once(std::uint64_t bytes) { searched_at_once_ = bytes; }
  int count() const { return static_cast<int>(texts_.size()); }
  /// Write a condition; run to the next step at which it holds; run back to the one before.
  QList<QAction*> actions_of_menu() const { return {write_, next_, previous_}; }

 protected:
  /// The keys of the Go menu rest while text is edited; in the field, those that run to its condition act.
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void parse_all();
  void show_values();
  void stop_playing();
  void show_actions();
  void show_found(const QString& text, const Expression& expression, std::optional<std::uint32_t> step, int direction);
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
  QAction *write_, *next_, *previous_;
  std::uint64_t searched_at_once_ = 32 << 20;
};

}  // namespace kdscope
