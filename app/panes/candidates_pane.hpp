#pragma once
// The split candidates of the selected node, or else of the first node that the step splits: their costs as curves, and
// the sets on their sides as bits.

#include <QBoxLayout>
#include <QLabel>
#include <QStackedWidget>
#include <QTabBar>
#include <QWidget>

#include "app/views/cost_curves.hpp"
#include "app/views/set_matrix.hpp"
#include "app/workbench/workbench.hpp"

namespace kdscope {

class CandidatesPane : public QWidget {
  Q_OBJECT

 public:
  explicit CandidatesPane(Workbench& workbench, QWidget* parent = nullptr);
  CostCurves& curves() { return *curves_; }
  SetMatrix& sets() { return *sets_; }
  QTabBar& tabs() { return *tabs_; }
  /// Leaves out how to use it: an audience reads.
  void show_to_audience();
  /// Whether the current step has anything to show here.
  bool shows_candidates() const;
  QString headline() const { return headline_->text(); }
  QString status() const { return status_->text(); }

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void open_run();
  void show_state();
  void show_node(const NodeCandidates& node);
  void show_sets();
  void show_words();
  bool has_room_for_hints() const;
  void show_appearance();
  void show_tab();
  void pick(std::size_t candidate);
  void walk(int direction);
  void say_empty(const QString& words);
  /// The index of the selected candidate, else of the chosen one, else of the first.
  std::optional<std::size_t> at_hand() const;

  Workbench& workbench_;
  QBoxLayout* head_;
  QTabBar* tabs_;
  QLabel *headline_, *status_, *empty_;
  QStackedWidget* stack_;
  CostCurves* curves_;
  SetMatrix* sets_;
  bool has_candidates_ = false, for_audience_ = false;
  std::optional<NodeCandidates> node_;
  std::optional<std::size_t> picked_;
};

}  // namespace kdscope
