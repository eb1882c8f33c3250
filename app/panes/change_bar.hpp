#pragma once
// A bar in the title of the Arrays pane: the state that changes are shown against, how many changes there are, and a
// walk over them; and a slider for the moves of the step.

#include <QAction>
#include <QComboBox>
#include <QWidget>
#include <vector>

#include "app/appearance/cut_label.hpp"
#include "app/workbench/workbench.hpp"

namespace kdscope {

class ChangeBar : public QWidget {
  Q_OBJECT

 public:
  explicit ChangeBar(Workbench& workbench, QWidget* parent = nullptr);
  /// The actions for the next and the previous change, for a menu.
  QList<QAction*> walk_actions() const { return {next_, back_}; }
  /// "change 3 of 17 since step 5: tags [4]: 0 -> 2".
  QString text() const { return text_->text(); }
  QSize sizeHint() const override;

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void list_baselines();
  void show_baseline();
  /// What precedes the text at the last change, or the first (-1).
  QString end_text(int end, const QString& key) const;
  void show_text();

  Workbench& workbench_;
  CutLabel* text_;
  QComboBox* baseline_;
  QAction *next_, *back_;
  std::vector<Baseline> choices_;
};

}  // namespace kdscope
