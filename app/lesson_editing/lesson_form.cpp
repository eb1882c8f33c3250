#include "app/lesson_editing/lesson_form.hpp"

#include <sstream>

namespace kdscope {

LessonForm::LessonForm(Workbench& workbench)
    : workbench_(workbench),
      title_(new QLineEdit),
      source_(new QLineEdit),
      aim_(new QLineEdit),
      builds_on_(new QLineEdit),
      minutes_(new QSpinBox),
      introduction_(text_area(5)),
      run_(plain_label()) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  run_->setObjectName(QStringLiteral("editor_run"));
  run_->setWordWrap(true);
  minutes_->setRange(0, 600);
  minutes_->setSpecialValueText(tr("not stated"));
  builds_on_->setPlaceholderText(tr("such as wald/six-points"));
  column->addWidget(title_field_ = new LabelledField(tr("Title"), title_, "editor_title"));
  column->addWidget(new LabelledField(tr("What the class can do afterwards, in one sentence"), aim_, "editor_aim"));
  column->addWidget(new LabelledField(tr("Minutes"), minutes_, "editor_minutes"));
  column->addWidget(introduction_field_ = new LabelledField(tr("Introduction"), introduction_, "editor_introduction"));
  column->addWidget(source_field_ = new LabelledField(tr("Source that it follows"), source_, "editor_source"));
  column->addWidget(builds_on_field_ =
                        new LabelledField(tr("Prerequisite lessons, by id"), builds_on_, "editor_builds_on"));
  column->addWidget(run_);
  column->addStretch(1);

  LessonEditor* editor = &workbench.editor();
  const auto line = [editor](QLineEdit* input, std::string Lesson::*text) {
    connect(input, &QLineEdit::textChanged, editor,
            [editor, input, text] { editor->change([&](Lesson& lesson) { lesson.*text = text_of(*input); }); });
  };
  line(title_, &Lesson::title);
  line(source_, &Lesson::source);
  line(aim_, &Lesson::aim);
  connect(introduction_, &QPlainTextEdit::textChanged, this, [this] {
    workbench_.editor().change([&](Lesson& lesson) { lesson.introduction = prose_of(*introduction_); });
  });
  connect(minutes_, &QSpinBox::valueChanged, this,
          [this](int minutes) { workbench_.editor().change([&](Lesson& lesson) { lesson.minutes = minutes; }); });
  connect(builds_on_, &QLineEdit::textChanged, this, [this] {
    workbench_.editor().change([&](Lesson& lesson) {
      std::string ids = text_of(*builds_on_);
      std::replace(ids.begin(), ids.end(), ',', ' ');
      std::istringstream in(ids);
      lesson.builds_on.clear();
      for (std::string id; in >> id;) lesson.builds_on.push_back(id);
    });
  });
}

void LessonForm::show_lesson() {
  const Lesson& lesson = workbench_.editor().lesson();
  show_text(*title_, lesson.title);
  show_text(*source_, lesson.source);
  show_text(*aim_, lesson.aim);
  show_text(*introduction_, lesson.introduction);
  if (minutes_->value() != lesson.minutes) {
    const QSignalBlocker quiet(minutes_);
    minutes_->setValue(lesson.minutes);
  }
  std::string ids, typed = text_of(*builds_on_);
  for (const std::string& id : lesson.builds_on) ids += (ids.empty() ? "" : " ") + id;
  std::replace(typed.begin(), typed.end(), ',', ' ');
  std::istringstream in(typed);
  std::vector<std::string> words;
  for (std::string id; in >> id;) words.push_back(id);
  if (words != lesson.builds_on) show_text(*builds_on_, ids);
  run_->setText(lesson.points ? tr("Runs %1 on points that the lesson holds.").arg(foreign_text(lesson.algorithm))
                              : tr("Runs %1 on %2.").arg(foreign_text(lesson.algorithm), foreign_text(lesson.data)));

  const Theme& t = theme_of(workbench_.looks().appearance());
  const auto say = [&](LabelledField* field, LessonField of) {
    for (const LessonProblem& problem : workbench_.editor().problems())
      if (problem.stop < 0 && problem.field == of)
        return field->say(foreign_text(problem.sentence), colour(problem.refused ? t.failed : t.warning));
    field->say({}, colour(t.failed));
  };
  say(title_field_, LessonField::title);
  say(source_field_, LessonField::source);
  say(introduction_field_, LessonField::introduction);
  QString unknown;
  for (const std::string& id : lesson.builds_on) {
    const auto& known = workbench_.lessons().catalogue().lessons;
    if (std::none_of(known.begin(), known.end(), [&](const Lesson& each) { return each.id == id; }))
      unknown = tr("No lesson of the course is called '%1'.").arg(foreign_text(id));
  }
  builds_on_field_->say(unknown, colour(t.warning));
}

}  // namespace kdscope
