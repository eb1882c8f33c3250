#pragma once
// The fields of one stop: heading, narration, notes, what a presentation shows, and its questions.

#include <QComboBox>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QToolButton>
#include <functional>

#include "app/lesson_editing/checked_list.hpp"
#include "app/lesson_editing/field.hpp"
#include "app/lesson_editing/question_form.hpp"
#include "app/workbench/workbench.hpp"

namespace kdscope {

/// What is in sight of the window now: panes, the largest first, and rows of the arrays.
struct InSight {
  std::vector<std::string> panes, rows;
};

class StopForm : public QWidget {
  Q_OBJECT

 public:
  StopForm(Workbench& workbench, std::function<InSight()> in_sight);
  /// Shows the stop that is edited, and what is wrong with it.
  void show_stop();
  void stop_picking() { question_form_->stop_picking(); }

 private:
  const Stop& stop() const;
  void change(const std::function<void(Stop&)>& edit);
  void make_questions(QVBoxLayout& column);
  void show_questions();
  void add_question(Question question);
  void remove_question();
  void suggest();
  void show_problems();

  Workbench& workbench_;
  std::function<InSight()> in_sight_;
  int shown_stop_ = -2, question_ = -1;
  QLineEdit* title_;
  QPlainTextEdit *narration_, *notes_;
  CheckedList *panes_, *rows_;
  QLabel* place_;
  QComboBox* questions_;
  QToolButton *suggest_, *remove_question_;
  QuestionForm* question_form_;
  LabelledField *title_field_, *narration_field_, *panes_field_, *rows_field_;
};

}  // namespace kdscope
