#include "app/workbench/questions.hpp"

#include <QDateTime>
#include <algorithm>
#include <cmath>
#include <limits>

#include "algorithms/text/numbers.hpp"
#include "app/appearance/labels.hpp"
#include "app/appearance/point_label.hpp"
#include "app/questioning/questioning.hpp"
#include "visualizer/model/question_concealment.hpp"

namespace kdscope {
namespace {

constexpr int most_votes = 9999;
constexpr char writer[] = "question";  // of the answer's marks

/// A name such as x or x53 keeps its letter.
QString sentence(const std::string& words) {
  const QString text = foreign_text(words);
  const bool name = text.size() > 1 && (text[1].isDigit() || text.mid(1).startsWith(QStringLiteral(" = ")));
  return text.isEmpty() ? text : (name ? text : text.left(1).toUpper() + text.mid(1)) + QLatin1Char('.');
}

}  // namespace

Questions::Questions(Playback& playback, QObject* parent) : QObject(parent), playback_(playback) {
  connect(&playback, &Playback::opened, this, [this] {
    added_.clear();
    asked_.clear();
    hiding_.clear();
    current_ = -1;
    shows_line_ = shows_elements_ = false;
    clear_answer();
  });
  // A question may take room from panes, which must not paint or measure a state that they do not know yet.
  connect(&playback, &Playback::step_shown, this, &Questions::changed);
  connect(&playback, &Playback::cell_clicked, this, &Questions::cell_clicked);
  connect(&playback, &Playback::place_clicked, this, &Questions::place_clicked);
  connect(&playback, &Playback::selected, this, &Questions::picked);
}

void Questions::ask(const std::string& lesson, const std::string& stop, const std::vector<Question>& questions) {
  std::vector<AskedQuestion> asked;
  for (std::uint32_t i = 0; i < questions.size(); ++i)
    asked.push_back({{lesson, stop, i, questions[i].text}, questions[i]});
  if (const auto added = added_.find(playback_.step()); added != added_.end())
    asked.insert(asked.end(), added->second.begin(), added->second.end());
  const bool same = std::equal(
      asked.begin(), asked.end(), asked_.begin(), asked_.end(),
      [](const AskedQuestion& a, const AskedQuestion& b) { return a.place == b.place && a.question == b.question; });
  if (!same) {
    asked_ = std::move(asked);
    current_ = first_open();
    clear_answer();
    unmark();
  }
  hiding_ = asked_;
  carried_ = playback_.selection();
  playback_.conceal_next(concealed());
}

void Questions::announce(const std::string& lesson, const std::string& stop, const std::vector<Question>& questions) {
  ask(lesson, stop, questions);
  asked_.clear();
  current_ = -1;
}

void Questions::add(std::vector<AskedQuestion> questions) {
  if (!playback_.cursor() || questions.empty()) return;
  const int first = count();
  std::vector<AskedQuestion>& added = added_[playback_.step()];
  added.insert(added.end(), questions.begin(), questions.end());
  asked_.insert(asked_.end(), questions.begin(), questions.end());
  hiding_ = asked_;
  start(first);
  playback_.conceal(concealed());
}

QuestionState Questions::state(int question) const {
  return question < 0 || question >= count() ? QuestionState::open : answers_.state(asked_[question].place);
}

std::optional<int> Questions::next_open() const {
  for (int i = 1; i <= count(); ++i)
    if (const int at = (current_ + i) % count(); state(at) == QuestionState::open) return at;
  return std::nullopt;
}

/// The question that comes first at a stop: the first one if all are settled, -1 if there is none.
int Questions::first_open() const {
  for (int i = 0; i < count(); ++i)
    if (state(i) == QuestionState::open) return i;
  return std::min(0, count() - 1);
}

std::vector<int> Questions::hiding(const std::function<bool(const Concealment&)>& what) const {
  std::vector<int> found;
  for (int i = 0; i < count(); ++i)
    if (state(i) == QuestionState::open && what(concealment_of(asked_[static_cast<std::size_t>(i)].question)))
      found.push_back(i);
  return found;
}

QString Questions::feedback() const {
  if (!feedback_.isEmpty() || is_open() || !question()) return feedback_;
  if (state() == QuestionState::skipped) return tr("Skipped.");
  if (!question()->expects || !playback_.cursor()) return {};
  const std::string right = right_answer(*question()->expects, playback_.cursor()->trace().header.dim);
  const bool is_right = state() == QuestionState::right;
  if (begins_with_answer(question()->answer, right)) return is_right ? tr("Right.") : QString();
  return is_right ? tr("Right: %1.").arg(foreign_text(right)) : sentence(right);
}

void Questions::clear_answer() {
  text_.clear();
  feedback_.clear();
  row_.clear();
  hinted_ = wrong_ = false;
  const ExpectedAnswer* expected = question() && question()->expects ? &*question()->expects : nullptr;
  votes_.assign(expected && expected->kind == AnswerKind::choice ? expected->texts.size() : 0, 0);
}

void Questions::start(int question) {
  current_ = question;
  clear_answer();
  unmark();
  emit changed();
}

void Questions::go_to(int question) {
  if (question >= 0 && question < count() && question != current_) start(question);
}

void Questions::set_hides(bool hides) {
  if (hides == hides_) return;
  hides_ = hides;
  playback_.conceal(concealed());
  emit changed();
}

void Questions::add_attempts(const std::vector<Attempt>& attempts) {
  if (attempts.empty()) return;
  for (const Attempt& attempt : attempts) answers_.add(attempt);
  if (!before_class_) emit attempted(attempts);
}

Concealment Questions::concealed() const {
  Concealment all;
  if (!hides_) return all;
  for (const AskedQuestion& asked : hiding_)
    if (answers_.state(asked.place) == QuestionState::open) all.add(concealment_of(asked.question));
  if (all) all.before = before_;
  return all;
}

void Questions::type(const QString& text) {
  if (text == text_ || !is_open()) return;
  text_ = text;
  row_.clear();
  feedback_.clear();
  wrong_ = false;
  mark();
  emit changed();
}

void Questions::choose(std::uint32_t choice) {
  if (!is_open() || !question()->expects || question()->expects->kind != AnswerKind::choice ||
      choice >= question()->expects->texts.size())
    return;
  text_ = QString::number(choice + 1);
  feedback_.clear();
  wrong_ = false;
  emit changed();
}

std::optional<std::uint32_t> Questions::chosen() const {
  if (current_ < 0 || !question()->expects || question()->expects->kind != AnswerKind::choice) return std::nullopt;
  if (state() == QuestionState::right || state() == QuestionState::revealed) return question()->expects->right;
  bool whole = false;
  const std::uint32_t number = text_.toUInt(&whole);
  return whole && number > 0 ? std::optional(number - 1) : std::nullopt;
}

std::optional<GivenAnswer> Questions::given() const {
  if (!question() || !question()->expects) return std::nullopt;
  const ExpectedAnswer& expected = *question()->expects;
  // The text of a choice is its number, even where one of the texts is another number.
  if (expected.kind == AnswerKind::choice) {
    const auto choice = chosen();
    if (!choice) return std::nullopt;
    GivenAnswer given;
    given.kind = expected.kind;
    given.choice = *choice;
    return given;
  }
  auto given = read_answer(expected, text_.toStdString());
  if (given && !row_.empty()) given->row = row_;
  return given;
}

void Questions::keep(Outcome outcome, const GivenAnswer& given) {
  Attempt attempt = attempt_at(asked_[current_].place);
  attempt.outcome = outcome;
  attempt.given = given;
  attempt.hinted = hinted_;
  attempt.seconds = QDateTime::currentSecsSinceEpoch();
  add_attempts({attempt});
}

void Questions::check() {
  if (!can_check()) return;
  const ExpectedAnswer& expected = *question()->expects;
  const std::uint32_t dim = playback_.cursor()->trace().header.dim;
  const auto answer = given();
  wrong_ = !answer || !is_right(expected, *answer);
  if (!answer) {
    feedback_ = tr("This cannot be read. %1").arg(sentence(how_to_answer(expected, dim, playback_.concealment())));
    emit changed();
    return;
  }
  const QString words = foreign_text(given_answer(expected, *answer, dim));
  const bool text = expected.kind == AnswerKind::choice;
  feedback_ = wrong_ ? tr("Not %1. Try again.").arg(text ? QStringLiteral("\u201c%1\u201d").arg(words) : words)
                     : tr("Right: %1.").arg(words);
  keep(wrong_ ? Outcome::wrong : Outcome::right, *answer);
  if (!wrong_) {
    mark();
    playback_.conceal(concealed());
  }
  emit changed();
}

void Questions::hint() {
  if (!can_hint()) return;
  hinted_ = true;
  emit changed();
}

void Questions::settle(Outcome outcome) {
  if (!is_open()) return;
  keep(outcome, {});
  text_.clear();
  feedback_.clear();  // of a wrong answer
  wrong_ = false;
  mark();
  playback_.conceal(concealed());
  emit changed();
}

void Questions::reveal() { settle(Outcome::revealed); }
void Questions::skip() { settle(Outcome::skipped); }

void Questions::try_again() {
  if (current_ < 0 || is_open()) return;
  answers_.reopen(asked_[current_].place);
  start(current_);
  playback_.conceal(concealed());
}

void Questions::vote(std::uint32_t choice, int votes) {
  if (choice >= votes_.size()) return;
  votes_[choice] = std::clamp(votes, 0, most_votes);
  emit changed();
}

void Questions::restore(Answers answers) {
  answers_ = std::move(answers);
  if (playback_.cursor()) playback_.conceal(concealed());
  emit changed();
}

void Questions::ask_class(bool asks) {
  if (asks == before_class_.has_value()) return;
  if (asks)
    before_class_ = std::exchange(answers_, {});
  else
    answers_ = *std::exchange(before_class_, std::nullopt);
  start(first_open());
  if (playback_.cursor()) playback_.conceal(concealed());
}

void Questions::cell_clicked(Space space, const std::string& row, std::uint64_t index) {
  if (!is_open() || !question()->expects || index >= no_id) return;
  const AnswerKind kind = question()->expects->kind;
  if (kind == AnswerKind::cell && !row.empty()) {
    text_ = QString::number(index);
    row_ = row;
    feedback_.clear();
    wrong_ = false;
    mark();
    emit changed();
  } else if (kind == AnswerKind::positions && space == Space::position) {
    toggle(static_cast<std::uint32_t>(index));
  }
}

void Questions::place_clicked(const std::vector<double>& coordinates, const std::vector<double>& pixel) {
  if (!is_open() || !question()->expects || question()->expects->kind != AnswerKind::split) return;
  const std::uint32_t d = question()->expects->dimension;
  if (d >= coordinates.size() || d >= pixel.size() || pixel[d] <= 0) return;  // the dimension is not drawn
  const bool whole = playback_.cursor()->trace().header.scalar == ScalarType::int32;
  text_ = QString::fromStdString(shortest(whole ? std::round(coordinates[d]) : coordinates[d]));
  feedback_.clear();
  wrong_ = false;
  mark();
  emit changed();
}

/// Takes what a person has picked in a viewer as a part of the answer.
void Questions::picked() {
  const Selection& selection = playback_.selection();
  if (marking_ || !selection || selection == carried_ || !is_open() || !question()->expects) return;
  carried_ = {};
  const LinkedSelection& linked = playback_.linked();
  if (question()->expects->kind == AnswerKind::points && selection.count == 1 && linked.points.size() == 1)
    toggle(linked.points.front());
  else if (question()->expects->kind == AnswerKind::nodes && selection.space == Space::node && selection.index < no_id)
    toggle(static_cast<std::uint32_t>(selection.index));
}

/// Adds an element to the answer, or removes it. Takes the place of a wrong answer, and of the only element of an
/// answer that has one.
void Questions::toggle(std::uint32_t element) {
  const auto before = given();
  std::vector<std::uint32_t> elements = before ? before->elements : std::vector<std::uint32_t>();
  const auto found = std::find(elements.begin(), elements.end(), element);
  const bool removes = found != elements.end();
  if (wrong_ || question()->expects->elements.size() == 1)
    elements.clear();
  else if (removes)
    elements.erase(found);
  if (!removes || wrong_) elements.push_back(element);
  QStringList words;
  const bool of_points = question()->expects->kind == AnswerKind::points;
  for (const std::uint32_t each : elements) words << (of_points ? point_label(each) : QString::number(each));
  text_ = words.join(QLatin1Char(' '));
  feedback_.clear();
  wrong_ = false;
  mark();
  emit changed();
}

/// What viewers mark: the answer so far of an open question, the right one where it was found or shown.
std::optional<GivenAnswer> Questions::marked() const {
  if (!question() || !question()->expects) return std::nullopt;
  if (is_open()) return text_.trimmed().isEmpty() ? std::nullopt : given();
  if (state() == QuestionState::skipped) return std::nullopt;
  const ExpectedAnswer& expected = *question()->expects;
  GivenAnswer right;
  right.kind = expected.kind;
  right.elements = expected.elements;
  right.dimension = expected.dimension;
  right.number = expected.number;
  return right;
}

/// Shows the answer in every viewer: elements as selected, a split as a line.
void Questions::mark() {
  const auto answer = marked();
  if (!answer) return unmark();
  if (answer->kind == AnswerKind::split) {
    const std::uint32_t dim = playback_.cursor()->trace().header.dim;
    constexpr double far = std::numeric_limits<double>::infinity();
    Overlay overlay;
    overlay.planes.push_back({{std::vector<double>(dim, -far), std::vector<double>(dim, far)},
                              answer->dimension,
                              answer->number,
                              {Ink::selected, 3, true}});
    playback_.add_overlay(writer, std::move(overlay));
    shows_line_ = true;
  } else if (is_of_elements(answer->kind) && (answer->kind != AnswerKind::cell || !is_open())) {
    std::vector<std::uint32_t> ascending = answer->elements;
    std::sort(ascending.begin(), ascending.end());
    SelectedElements elements;
    const Trace::Array* row = playback_.trace()->find(question()->expects->row);
    const bool of_nodes = answer->kind == AnswerKind::nodes || (row && row->info.index_space == Space::node);
    (answer->kind == AnswerKind::points ? elements.points
     : of_nodes                         ? elements.nodes
                                        : elements.positions) = std::move(ascending);
    shows_elements_ = marking_ = true;
    playback_.select(std::move(elements));
    marking_ = false;
  }
}

void Questions::unmark() {
  if (std::exchange(shows_line_, false)) playback_.add_overlay(writer, {});
  if (std::exchange(shows_elements_, false) && !playback_.selection()) playback_.select(SelectedElements());
}

}  // namespace kdscope
