#include "app/lesson_editing/question_form.hpp"

#include <QDoubleValidator>
#include <QGridLayout>
#include <algorithm>

#include "algorithms/text/numbers.hpp"
#include "algorithms/trace/coordinate_names.hpp"

namespace kdscope {
namespace {

/// The forms of an answer, in the order of the list; the first is an open question.
const std::vector<std::pair<QString, std::optional<AnswerKind>>>& answer_forms() {
  static const std::vector<std::pair<QString, std::optional<AnswerKind>>> forms{
      {QObject::tr("Answered aloud"), std::nullopt},
      {QObject::tr("Clicks on positions"), AnswerKind::positions},
      {QObject::tr("Clicks on points"), AnswerKind::points},
      {QObject::tr("Clicks on nodes"), AnswerKind::nodes},
      {QObject::tr("A click on a cell"), AnswerKind::cell},
      {QObject::tr("A click on a place in the view"), AnswerKind::split},
      {QObject::tr("A number"), AnswerKind::number},
      {QObject::tr("Words"), AnswerKind::words},
      {QObject::tr("One of several texts"), AnswerKind::choice}};
  return forms;
}

QString hidden_part_text(HiddenPart part) {
  switch (part) {
    case HiddenPart::marks:
      return QObject::tr("Marks");
    case HiddenPart::changes:
      return QObject::tr("Changes");
    case HiddenPart::tree:
      return QObject::tr("Tree");
    case HiddenPart::splits:
      return QObject::tr("Splits");
    case HiddenPart::strips:
      return QObject::tr("Strips");
    case HiddenPart::counts:
      return QObject::tr("Counts");
    case HiddenPart::code:
      return QObject::tr("Code");
  }
  return {};
}

std::vector<std::string> lines_of(const QPlainTextEdit& area) {
  std::vector<std::string> lines;
  for (const QString& line : text_of(area).empty() ? QStringList() : area.toPlainText().split(QLatin1Char('\n')))
    if (!line.trimmed().isEmpty()) lines.push_back(line.trimmed().toStdString());
  return lines;
}

std::string elements_text(const ExpectedAnswer& expected) {
  std::string text;
  for (const std::uint32_t element : expected.elements) text += (text.empty() ? "" : " ") + std::to_string(element);
  return text;
}

bool is_number(AnswerKind kind) { return kind == AnswerKind::number || kind == AnswerKind::split; }
bool is_texts(AnswerKind kind) { return kind == AnswerKind::words || kind == AnswerKind::choice; }

}  // namespace

std::vector<std::string> rows_with_values(const Workbench& workbench) {
  std::vector<std::string> rows;
  if (!workbench.playback().cursor()) return rows;
  for (const Trace::Array& array : workbench.playback().trace()->arrays)
    if (array.info.shown_as_row && workbench.playback().cursor()->row_size(array.info.name) > 0)
      rows.push_back(array.info.name);
  return rows;
}

QuestionForm::QuestionForm(Workbench& workbench) : workbench_(workbench), picker_(workbench.playback()) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  ask_ = text_area(2);
  column->addWidget(ask_field_ = new LabelledField(tr("Question"), ask_, "editor_ask"));
  make_answer(*column);
  answer_ = text_area(2);
  column->addWidget(answer_field_ = new LabelledField(tr("Model answer, with its reason"), answer_, "editor_answer"));
  hint_ = text_area(2);
  column->addWidget(hint_field_ = new LabelledField(tr("Hint"), hint_, "editor_hint"));

  auto* parts = new QWidget;
  auto* grid = new QGridLayout(parts);
  grid->setContentsMargins(0, 0, 0, 0);
  for (const HiddenPart part : hidden_parts) {
    auto* box = new QCheckBox(hidden_part_text(part));
    box->setObjectName(QStringLiteral("editor_hides_") + QString::fromLatin1(name_of(part)));
    const int place = static_cast<int>(hides_.size());
    grid->addWidget(box, place / 3, place % 3);
    hides_[part] = box;
    connect(box, &QCheckBox::toggled, this, [this, part](bool on) {
      change([&](Question& question) {
        std::erase(question.hides, part);
        if (on) question.hides.push_back(part);
      });
    });
  }
  column->addWidget(plain_label(tr("Hidden until the question is answered:")));
  column->addWidget(parts);
  hides_note_ = plain_label();
  hides_note_->setObjectName(QStringLiteral("editor_hides_note"));
  hides_note_->setWordWrap(true);
  column->addWidget(hides_note_);
  hidden_rows_ = new CheckedList;
  hidden_rows_->setFixedHeight(fontMetrics().lineSpacing() * 4 + 10);
  column->addWidget(rows_field_ = new LabelledField(tr("Hidden rows"), hidden_rows_, "editor_hidden_rows"));

  connect(ask_, &QPlainTextEdit::textChanged, this,
          [this] { change([&](Question& question) { question.text = text_of(*ask_); }); });
  connect(answer_, &QPlainTextEdit::textChanged, this,
          [this] { change([&](Question& question) { question.answer = text_of(*answer_); }); });
  connect(hint_, &QPlainTextEdit::textChanged, this,
          [this] { change([&](Question& question) { question.hint = text_of(*hint_); }); });
  connect(hidden_rows_, &CheckedList::checked_changed, this,
          [this] { change([&](Question& question) { question.hidden_rows = hidden_rows_->checked(); }); });
}

/// The fields of the answer that the program checks; those of other forms are hidden.
void QuestionForm::make_answer(QVBoxLayout& column) {
  form_ = new QComboBox;
  for (const auto& [text, kind] : answer_forms()) form_->addItem(text);
  column.addWidget(form_field_ = new LabelledField(tr("Answered by"), form_, "editor_form"));
  pick_ = text_button(tr("Click it in the views"), "editor_pick", tr("Click the right answer in the views"));
  pick_->setCheckable(true);
  given_ = new QLineEdit;
  column.addWidget(given_field_ = new LabelledField(tr("Right answer"), given_, "editor_given", pick_));
  row_ = new QComboBox;
  column.addWidget(row_field_ = new LabelledField(tr("Row of the cell"), row_, "editor_row"));
  dimension_ = new QComboBox;
  column.addWidget(dimension_field_ = new LabelledField(tr("Along"), dimension_, "editor_dimension"));
  within_ = new QLineEdit;
  auto* validator = new QDoubleValidator(0, 1e30, 12, this);
  validator->setLocale(QLocale::c());
  within_->setValidator(validator);
  column.addWidget(within_field_ = new LabelledField(tr("Right within \u00b1"), within_, "editor_within"));
  texts_ = text_area(3);
  column.addWidget(texts_field_ = new LabelledField(tr("Texts, one per line"), texts_, "editor_texts"));
  right_ = new QComboBox;
  column.addWidget(right_field_ = new LabelledField(tr("The right one"), right_, "editor_right"));

  connect(form_, &QComboBox::activated, this, &QuestionForm::choose_form);
  connect(given_, &QLineEdit::textChanged, this, &QuestionForm::change_expected);
  // The draft is shown again when the field is left, in place of what cannot be read.
  connect(given_, &QLineEdit::editingFinished, this, [this] { change([](Question&) {}); });
  connect(within_, &QLineEdit::textChanged, this, &QuestionForm::change_expected);
  connect(texts_, &QPlainTextEdit::textChanged, this, &QuestionForm::change_expected);
  for (QComboBox* list : {row_, dimension_, right_})
    connect(list, &QComboBox::activated, this, &QuestionForm::change_expected);
  connect(pick_, &QToolButton::toggled, this, [this](bool on) {
    if (!on || !question().expects) return picker_.stop();
    // At the stop's step, as it is without a question.
    workbench_.editor().preview(false);
    workbench_.editor().go_to(workbench_.editor().stop());
    picker_.start(*question().expects);
  });
  connect(&picker_, &AnswerPicker::picked, this, [this](const GivenAnswer& answer) {
    change([&](Question& question) {
      if (question.expects && question.expects->kind == answer.kind) take_over(answer, *question.expects);
    });
    show_expected();
  });
}

const Question& QuestionForm::question() const {
  const LessonEditor& editor = workbench_.editor();
  return editor.lesson().stops[static_cast<std::size_t>(editor.stop())].questions[static_cast<std::size_t>(index_)];
}

void QuestionForm::change(const std::function<void(Question&)>& edit) {
  const auto stop = static_cast<std::size_t>(workbench_.editor().stop()), index = static_cast<std::size_t>(index_);
  workbench_.editor().change([&](Lesson& lesson) {
    if (stop < lesson.stops.size() && index < lesson.stops[stop].questions.size())
      edit(lesson.stops[stop].questions[index]);
  });
}

void QuestionForm::stop_picking() {
  picker_.stop();
  const QSignalBlocker quiet(pick_);
  pick_->setChecked(false);
}

void QuestionForm::choose_form() {
  stop_picking();
  const auto& kind = answer_forms()[static_cast<std::size_t>(form_->currentIndex())].second;
  change([&](Question& question) {
    if (!kind) return question.expects.reset();
    ExpectedAnswer expected;
    expected.kind = *kind;
    if (*kind == AnswerKind::cell)
      if (const auto rows = rows_with_values(workbench_); !rows.empty()) expected.row = rows.front();
    if (*kind == AnswerKind::split && workbench_.playback().trace()) {
      // Such a difference is easy to click, and still a place.
      const Box box = bounding_box(workbench_.edits().recorded_points()->points);
      if (!box.lo.empty()) expected.within = (box.hi[0] - box.lo[0]) / 50;
    }
    question.expects = expected;
  });
  show_expected();
  show_problems();
}

/// Reads the fields of the answer.
void QuestionForm::change_expected() {
  if (!question().expects) return;
  ExpectedAnswer expected = *question().expects;
  const std::string typed = text_of(*given_);
  if (is_number(expected.kind)) {
    if (const auto given = read_answer(expected, typed)) expected.number = given->number;
    expected.within = within_->text().isEmpty() ? 0 : QLocale::c().toDouble(within_->text());
    expected.dimension = static_cast<std::uint32_t>(std::max(0, dimension_->currentIndex()));
  } else if (is_texts(expected.kind)) {
    expected.texts = lines_of(*texts_);
    expected.right = static_cast<std::uint32_t>(std::max(0, right_->currentIndex()));
    if (expected.right >= expected.texts.size()) expected.right = 0;
  } else {
    expected.elements.clear();
    if (const auto given = read_answer(expected, typed)) take_over(*given, expected);
    if (expected.kind == AnswerKind::cell) expected.row = row_->currentText().toStdString();
  }
  change([&](Question& question) { question.expects = expected; });
  if (picker_.picks() && sender() == dimension_) picker_.start(expected);
  show_expected();
}

void QuestionForm::show_expected() {
  const auto& expected = question().expects;
  const auto& forms = answer_forms();
  const auto at = std::find_if(forms.begin(), forms.end(), [&](const auto& form) {
    return form.second == (expected ? std::optional(expected->kind) : std::nullopt);
  });
  form_->setCurrentIndex(static_cast<int>(at - forms.begin()));
  const bool clicked = expected && expected->kind != AnswerKind::number && !is_texts(expected->kind);
  const bool number = expected && is_number(expected->kind);
  given_field_->setVisible(expected && !is_texts(expected->kind));
  pick_->setVisible(clicked);
  row_field_->setVisible(expected && expected->kind == AnswerKind::cell);
  dimension_field_->setVisible(expected && expected->kind == AnswerKind::split);
  within_field_->setVisible(number);
  texts_field_->setVisible(expected && is_texts(expected->kind));
  right_field_->setVisible(expected && expected->kind == AnswerKind::choice);
  if (!expected) return;

  if (number) {
    // "4." and "-" stay while they are typed.
    const auto typed = read_answer(*expected, text_of(*given_));
    if (typed ? typed->number != expected->number : !given_->hasFocus()) show_text(*given_, shortest(expected->number));
    if (QLocale::c().toDouble(within_->text()) != expected->within)
      show_text(*within_, expected->within == 0 ? "" : shortest(expected->within));
    const QSignalBlocker quiet(dimension_);
    const std::uint32_t dim = workbench_.playback().trace() ? workbench_.playback().trace()->header.dim : 0;
    if (dimension_->count() != static_cast<int>(dim)) {
      dimension_->clear();
      for (std::uint32_t d = 0; d < dim; ++d) dimension_->addItem(QString::fromStdString(coordinate_name(d, dim)));
    }
    dimension_->setCurrentIndex(static_cast<int>(expected->dimension));
  } else if (is_texts(expected->kind)) {
    if (lines_of(*texts_) != expected->texts) {
      std::string text;
      for (const std::string& line : expected->texts) text += (text.empty() ? "" : "\n") + line;
      const QSignalBlocker quiet(texts_);
      texts_->setPlainText(QString::fromStdString(text));
    }
    const QSignalBlocker quiet(right_);
    right_->clear();
    for (const std::string& text : expected->texts) right_->addItem(foreign_text(text));
    right_->setCurrentIndex(static_cast<int>(expected->right));
  } else {
    ExpectedAnswer typed = *expected;
    typed.elements.clear();
    if (const auto given = read_answer(typed, text_of(*given_))) take_over(*given, typed);
    if (typed.elements != expected->elements) show_text(*given_, elements_text(*expected));
    std::vector<std::string> rows = rows_with_values(workbench_);
    if (std::find(rows.begin(), rows.end(), expected->row) == rows.end()) rows.push_back(expected->row);
    const QSignalBlocker quiet(row_);
    row_->clear();
    for (const std::string& row : rows) row_->addItem(QString::fromStdString(row));
    row_->setCurrentText(QString::fromStdString(expected->row));
  }
}

void QuestionForm::show_question(int index) {
  if (index != index_) stop_picking();
  index_ = index;
  const Question& q = question();
  show_text(*ask_, q.text);
  show_text(*answer_, q.answer);
  show_text(*hint_, q.hint);
  for (const auto& [part, box] : hides_) {
    const QSignalBlocker quiet(box);
    box->setChecked(std::find(q.hides.begin(), q.hides.end(), part) != q.hides.end());
  }
  hidden_rows_->show_names(rows_with_values(workbench_), q.hidden_rows);
  show_expected();
  show_problems();
}

void QuestionForm::show_problems() {
  const Theme& t = theme_of(workbench_.looks().appearance());
  const auto say = [&](LessonField field, auto&& show) {
    for (const LessonProblem& problem : workbench_.editor().problems())
      if (problem.field == field && problem.stop == workbench_.editor().stop() && problem.question == index_)
        return show(foreign_text(problem.sentence), colour(problem.refused ? t.failed : t.warning));
    show(QString(), colour(t.failed));
  };
  const auto in = [](LabelledField* field) {
    return [field](const QString& sentence, const QColor& ink) { field->say(sentence, ink); };
  };
  say(LessonField::ask, in(ask_field_));
  say(LessonField::answer, in(answer_field_));
  say(LessonField::expects, in(question().expects && is_texts(question().expects->kind) ? texts_field_ : given_field_));
  say(LessonField::hidden_rows, in(rows_field_));
  say(LessonField::hides, [this](const QString& sentence, const QColor& ink) {
    QPalette colours = palette();
    colours.setColor(QPalette::WindowText, ink);
    hides_note_->setPalette(colours);
    hides_note_->setText(sentence);
    hides_note_->setVisible(!sentence.isEmpty());
  });
}

}  // namespace kdscope
