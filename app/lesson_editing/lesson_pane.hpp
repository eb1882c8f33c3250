#pragma once
// The pane "Lesson editor": the list of stops, and the fields of the lesson or of the stop that is edited.

#include <QComboBox>
#include <QLabel>
#include <QStackedWidget>
#include <QToolButton>

#include "app/lesson_editing/lesson_form.hpp"
#include "app/lesson_editing/stop_form.hpp"
#include "app/workbench/workbench.hpp"

class QAction;

namespace kdscope {

/// The actions of the Lessons menu that the pane offers as buttons.
struct LessonActions {
  QAction *begin, *edit, *save, *add_stop, *preview;
};

class LessonPane : public QWidget {
  Q_OBJECT

 public:
  LessonPane(Workbench& workbench, const LessonActions& actions, std::function<InSight()> in_sight);

 protected:
  bool event(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  QWidget* make_empty();
  QWidget* make_editing(std::function<InSight()> in_sight);
  void show_draft();

  Workbench& workbench_;
  LessonActions actions_;
  QStackedWidget *pages_, *forms_;
  QWidget* other_run_;
  QComboBox* stops_;
  QToolButton *move_, *up_, *down_, *remove_;
  QLabel* state_;
  LessonForm* lesson_form_;
  StopForm* stop_form_;
};

}  // namespace kdscope
