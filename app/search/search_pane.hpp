#pragma once
// Searching the tree of the open run: the search, the question, the query, and the answer.

#include <QWidget>
#include <optional>
#include <vector>

#include "algorithms/queries/recorded_search.hpp"
#include "app/appearance/form_field.hpp"
#include "app/workbench/workbench.hpp"

class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QSpinBox;
class QVBoxLayout;

namespace kdscope {

class FieldGrid;
class QueryPicker;
class WorkbenchWindow;

/// Adds the pane "Search" to the window, with its menu entry and key.
void add_searching(WorkbenchWindow& window, Workbench& workbench);

class SearchPane : public QWidget {
  Q_OBJECT

 public:
  SearchPane(Workbench& workbench, QueryPicker& picker, QWidget* parent = nullptr);

  /// Records the search of the fields on the open run's tree, and opens it.
  void start();
  /// Records the search of the fields for all points at once, and opens its last step.
  void start_batch();
  /// Opens the build of the open run again.
  void show_build();
  /// The search of the fields for a query, as texts_of() writes one. Error: what is wrong with them.
  Result<SearchOfRun> asked(const QString& query) const;

 private:
  static FormField field_of(const ParameterSpec& parameter);

  void take_run();
  void take_search();
  void fill(const SearchOfRun& search);
  SearchQuestion chosen_question() const;
  void show_state();
  void pick(const std::vector<double>& query, bool last);
  void run(const SearchOfRun& search, bool at_end);
  void run_pending();

  Workbench& workbench_;
  QueryPicker& picker_;
  QComboBox *search_, *question_, *metric_;
  QSpinBox* k_;
  QLineEdit *radius_, *period_, *query_;
  QLabel *summary_, *status_;
  QPushButton *start_, *batch_, *pick_, *build_;
  QVBoxLayout* parameter_place_;
  QWidget* parameter_box_ = nullptr;
  FormFields parameters_;
  std::shared_ptr<const Trace> shown_;
  std::string kind_;                    ///< of the open run's tree
  std::optional<SearchOfRun> pending_;  ///< picked while another search was being recorded
  bool pending_at_end_ = false;
};

}  // namespace kdscope
