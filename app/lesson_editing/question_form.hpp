#pragma once
// The fields of one question: its text, its answers, and what it hides.

#include <QCheckBox>
#include <QComboBox>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QToolButton>
#include <map>

#include "app/lesson_editing/answer_picker.hpp"
#include "app/lesson_editing/checked_list.hpp"
#include "app/lesson_editing/field.hpp"
#include "app/workbench/workbench.hpp"

namespace kdscope {

class QuestionForm : public QWidget {
  Q_OBJECT

 public:
  explicit QuestionForm(Workbench& workbench);

  /// Shows a question of the stop that is edited, and what is wrong with it.
  void show_question(int index);
  /// Ends picking in the views.
  void stop_picking();

 private:
  const Question& question() const;
  void change(const std::function<void(Question&)>& edit);
  void make_answer(QVBoxLayout& column);
  void change_expected();
  void choose_form();
  void show_expected();
  void show_problems();

  Workbench& workbench_;
  AnswerPicker picker_;
  int index_ = -1;
  QPlainTextEdit *ask_, *answer_, *hint_, *texts_;
  QComboBox *form_, *row_, *dimension_, *right_;
  QLineEdit *given_, *within_;
  QToolButton* pick_;
  std::map<HiddenPart, QCheckBox*> hides_;
  CheckedList* hidden_rows_;
  LabelledField *ask_field_, *answer_field_, *hint_field_, *form_field_, *given_field_, *row_field_, *dimension_field_,
      *within_field_, *texts_field_, *right_field_, *rows_field_;
  QLabel* hides_note_;
};

/// The names of the rows that have values at the current step.
std::vector<std::string> rows_with_values(const Workbench& workbench);

}  // namespace kdscope
