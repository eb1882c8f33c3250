#include "app/lesson_editing/stop_form.hpp"

#include <QMenu>
#include <QRandomGenerator>
#include <algorithm>

#include "walkthroughs/practice/generate.hpp"
#include "walkthroughs/reader/panes.hpp"

namespace kdscope {
namespace {

constexpr int longest_question = 60;  ///< characters in a list

QString short_text(const std::string& text, const QString& otherwise) {
  const QString line = foreign_text(text).simplified();
  if (line.isEmpty()) return otherwise;
  return line.size() > longest_question ? line.left(longest_question) + QStringLiteral("\u2026") : line;
}

}  // namespace

StopForm::StopForm(Workbench& workbench, std::function<InSight()> in_sight)
    : workbench_(workbench),
      in_sight_(std::move(in_sight)),
      title_(new QLineEdit),
      narration_(text_area(6)),
      notes_(text_area(2)),
      panes_(new CheckedList),
      rows_(new CheckedList),
      place_(plain_label()) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  place_->setObjectName(QStringLiteral("editor_place"));
  place_->setWordWrap(true);
  column->addWidget(place_);
  column->addWidget(title_field_ = new LabelledField(tr("Heading"), title_, "editor_stop_title"));
  narration_->setPlaceholderText(tr("What happened, then why. Markdown: *so*, **so**, - lists."));
  column->addWidget(narration_field_ = new LabelledField(tr("Narration"), narration_, "editor_narration"));
  make_questions(*column);
  column->addWidget(new LabelledField(tr("Notes for the lecturer alone"), notes_, "editor_notes"));
  auto* as_now = text_button(tr("As they are now"), "editor_as_now", tr("Take panes and rows as they are now"));
  panes_->setFixedHeight(fontMetrics().lineSpacing() * 5 + 10);
  column->addWidget(panes_field_ = new LabelledField(tr("Panes of a presentation, the most important first"), panes_,
                                                     "editor_panes", as_now));
  rows_->setFixedHeight(fontMetrics().lineSpacing() * 4 + 10);
  column->addWidget(rows_field_ = new LabelledField(tr("Rows that come into view"), rows_, "editor_rows"));
  column->addStretch(1);

  connect(title_, &QLineEdit::textChanged, this,
          [this] { change([&](Stop& stop) { stop.title = text_of(*title_); }); });
  connect(narration_, &QPlainTextEdit::textChanged, this,
          [this] { change([&](Stop& stop) { stop.narration = prose_of(*narration_); }); });
  connect(notes_, &QPlainTextEdit::textChanged, this,
          [this] { change([&](Stop& stop) { stop.notes = text_of(*notes_); }); });
  connect(panes_, &CheckedList::checked_changed, this,
          [this] { change([&](Stop& stop) { stop.panes = panes_->checked(); }); });
  connect(rows_, &CheckedList::checked_changed, this,
          [this] { change([&](Stop& stop) { stop.rows = rows_->checked(); }); });
  connect(as_now, &QToolButton::clicked, this, [this] {
    const InSight now = in_sight_();
    change([&](Stop& stop) {
      stop.panes = now.panes;
      stop.rows = now.rows;
      // Rows whose values the stop shows come into view anyway.
      std::erase_if(stop.rows, [&](const std::string& row) {
        return std::any_of(stop.shows.begin(), stop.shows.end(),
                           [&](const ClaimedRow& claim) { return claim.row == row; });
      });
    });
    show_stop();
  });
}

void StopForm::make_questions(QVBoxLayout& column) {
  questions_ = new QComboBox;
  questions_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  questions_->setMinimumContentsLength(12);
  column.addWidget(new LabelledField(tr("Questions"), questions_, "editor_questions"));
  auto* add = text_button(tr("Add"), "editor_add_question", tr("Add a question"));
  suggest_ = text_button(tr("Suggest"), "editor_suggest", tr("Take over a question about the next step"));
  remove_question_ = text_button(tr("Remove"), "editor_remove_question", tr("Remove the question"));
  suggest_->setPopupMode(QToolButton::InstantPopup);
  suggest_->setMenu(new QMenu(suggest_));
  suggest_->menu()->setObjectName(QStringLiteral("editor_suggestions"));
  auto* row = new QHBoxLayout;
  for (QToolButton* each : {add, suggest_, remove_question_}) row->addWidget(each);
  row->addStretch(1);
  column.addLayout(row);
  question_form_ = new QuestionForm(workbench_);
  question_form_->hide();
  column.addWidget(question_form_);
  connect(questions_, &QComboBox::activated, this, [this](int index) {
    question_ = index;
    show_questions();
  });
  connect(add, &QToolButton::clicked, this, [this] { add_question({}); });
  connect(remove_question_, &QToolButton::clicked, this, &StopForm::remove_question);
  connect(suggest_->menu(), &QMenu::aboutToShow, this, &StopForm::suggest);
}

const Stop& StopForm::stop() const {
  return workbench_.editor().lesson().stops[static_cast<std::size_t>(workbench_.editor().stop())];
}

void StopForm::change(const std::function<void(Stop&)>& edit) {
  const auto stop = static_cast<std::size_t>(workbench_.editor().stop());
  workbench_.editor().change([&](Lesson& lesson) {
    if (stop < lesson.stops.size()) edit(lesson.stops[stop]);
  });
}

void StopForm::add_question(Question question) {
  change([&](Stop& stop) { stop.questions.push_back(std::move(question)); });
  question_ = static_cast<int>(stop().questions.size()) - 1;
  show_questions();
  if (auto* ask = question_form_->findChild<QPlainTextEdit*>(QStringLiteral("editor_ask"))) ask->setFocus();
}

void StopForm::remove_question() {
  if (question_ < 0) return;
  question_form_->stop_picking();
  change([&](Stop& stop) { stop.questions.erase(stop.questions.begin() + question_); });
  question_ = std::min(question_, static_cast<int>(stop().questions.size()) - 1);
  show_questions();
}

/// Lists what can be asked at the stop's step about the next one.
void StopForm::suggest() {
  QMenu& menu = *suggest_->menu();
  menu.clear();
  const auto trace = workbench_.playback().trace();
  const auto step = trace && workbench_.editor().fits_run() ? resolve_stop(workbench_.editor().lesson(), stop(), *trace)
                                                            : Result<std::uint32_t>(Error{});
  if (step)
    for (const GeneratedQuestion& each : generated_questions(trace, *step, QRandomGenerator::global()->generate64()))
      menu.addAction(as_label(short_text(each.question.text, {})), this,
                     [this, question = each.question] { add_question(question); });
  if (menu.isEmpty()) menu.addAction(tr("Nothing can be asked about the step after this stop"))->setEnabled(false);
}

void StopForm::show_questions() {
  const auto& questions = stop().questions;
  const auto count = static_cast<int>(questions.size());
  question_ = std::clamp(question_, count > 0 ? 0 : -1, count - 1);
  const QSignalBlocker quiet(questions_);
  questions_->clear();
  for (int i = 0; i < count; ++i)
    questions_->addItem(QStringLiteral("%1. %2").arg(i + 1).arg(
        short_text(questions[static_cast<std::size_t>(i)].text, tr("(a new question)"))));
  if (count == 0) questions_->addItem(tr("This stop asks nothing."));
  questions_->setCurrentIndex(std::max(0, question_));
  questions_->setEnabled(count > 0);
  remove_question_->setEnabled(count > 0);
  question_form_->setVisible(count > 0);
  if (count > 0)
    question_form_->show_question(question_);
  else
    question_form_->stop_picking();
}

void StopForm::show_stop() {
  const int index = workbench_.editor().stop();
  if (std::exchange(shown_stop_, index) != index) {
    question_form_->stop_picking();
    question_ = 0;
  }
  const Stop& s = stop();
  place_->setText(tr("At %1%2").arg(foreign_text(s.select),
                                    s.occurrence > 0 ? tr(", occurrence %1").arg(s.occurrence) : QString()));
  show_text(*title_, s.title);
  show_text(*narration_, s.narration);
  show_text(*notes_, s.notes);
  panes_->show_names(lesson_panes(), s.panes);
  rows_->show_names(rows_with_values(workbench_), s.rows);
  show_questions();
  show_problems();
}

void StopForm::show_problems() {
  const Theme& t = theme_of(workbench_.looks().appearance());
  const int index = workbench_.editor().stop();
  const auto sentence = [&](LessonField of) {
    for (const LessonProblem& problem : workbench_.editor().problems())
      if (problem.stop == index && problem.question < 0 && problem.field == of) return foreign_text(problem.sentence);
    return QString();
  };
  title_field_->say(sentence(LessonField::stop_title), colour(t.failed));
  narration_field_->say(sentence(LessonField::narration), colour(t.failed));
  rows_field_->say(sentence(LessonField::rows), colour(t.failed));
  QString step = sentence(LessonField::step);
  if (step.isEmpty()) step = sentence(LessonField::shows);
  if (!step.isEmpty()) place_->setText(place_->text() + QStringLiteral(". ") + step);
  QPalette colours = palette();
  if (!step.isEmpty()) colours.setColor(QPalette::WindowText, colour(t.failed));
  place_->setPalette(colours);
}

}  // namespace kdscope
