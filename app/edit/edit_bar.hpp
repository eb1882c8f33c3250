#pragma once
// Above the view: whether points are being edited, what that does, and that the run is older than the points.

#include <QFrame>
#include <QLabel>
#include <QPushButton>
#include <QToolButton>

#include "app/edit/point_editor.hpp"
#include "app/workbench.hpp"

namespace kdscope {

class EditBar : public QWidget {
  Q_OBJECT

 public:
  EditBar(Workbench& workbench, PointEditor& editor, QWidget* parent = nullptr);
  /// A button of the bar for an action of the menu.
  void add_action(QAction* action);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void show_state();
  void show_colours();

  Workbench& workbench_;
  PointEditor& editor_;
  QWidget* row_;
  QFrame* stripe_;
  QLabel *hint_, *mark_, *stale_;
  QPushButton* run_again_;
};

}  // namespace kdscope
