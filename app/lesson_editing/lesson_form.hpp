#pragma once
// The fields of a lesson itself: title, source, aim, minutes, what it builds on, and its introduction.

#include <QLineEdit>
#include <QPlainTextEdit>
#include <QSpinBox>

#include "app/lesson_editing/field.hpp"
#include "app/workbench/workbench.hpp"

namespace kdscope {

class LessonForm : public QWidget {
  Q_OBJECT

 public:
  explicit LessonForm(Workbench& workbench);
  /// Shows the lesson that is edited, and what is wrong with it.
  void show_lesson();

 private:
  Workbench& workbench_;
  QLineEdit *title_, *source_, *aim_, *builds_on_;
  QSpinBox* minutes_;
  QPlainTextEdit* introduction_;
  QLabel* run_;
  LabelledField *title_field_, *source_field_, *builds_on_field_, *introduction_field_;
};

}  // namespace kdscope
