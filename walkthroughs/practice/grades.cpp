#include "walkthroughs/practice/grades.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include "algorithms/text/counts.hpp"
#include "algorithms/text/csv.hpp"

namespace kdscope {
namespace {

/// The work on one text of a question: with fresh points, it is another text.
struct Instance {
  bool right = false, revealed = false, wrong = false;
};

/// Collects the attempts of one student at one question.
struct Work {
  std::map<std::string, Instance> instances;  ///< by the question's text
  std::uint32_t tries = 0;
  bool hinted = false, first_try = false, revealed = false;

  void add(const Attempt& attempt) {
    Instance& instance = instances[attempt.asked];
    hinted = hinted || attempt.hinted;
    if (attempt.outcome == Outcome::right && tries == 0) first_try = !hinted && !revealed;
    revealed = revealed || attempt.outcome == Outcome::revealed;
    switch (attempt.outcome) {
      case Outcome::right:
        ++tries;
        instance.right = instance.right || !instance.revealed;
        break;
      case Outcome::wrong:
        ++tries;
        instance.wrong = true;
        break;
      case Outcome::revealed:
        instance.revealed = true;
        break;
      case Outcome::skipped:
        break;
    }
  }

  Grade grade() const {
    const auto any = [&](bool Instance::*member) {
      return std::any_of(instances.begin(), instances.end(), [&](const auto& one) { return one.second.*member; });
    };
    Grade grade{Outcome::skipped, tries, hinted, first_try};
    if (any(&Instance::right))
      grade.outcome = Outcome::right;
    else if (any(&Instance::revealed))
      grade.outcome = Outcome::revealed;
    else if (any(&Instance::wrong))
      grade.outcome = Outcome::wrong;
    return grade;
  }
};

using Key = std::tuple<std::string, std::string, std::uint32_t>;  // lesson, stop, question

Key key_of(const Attempt& attempt) { return {attempt.lesson, attempt.stop, attempt.question}; }

/// Returns a text from a student's file for a CSV field, so that no spreadsheet takes it for a formula.
std::string no_formula(const std::string& text) {
  const bool is_formula = !text.empty() && std::string("=+-@\t\r").find(text[0]) != std::string::npos;
  return is_formula ? "'" + text : text;
}

}  // namespace

std::string name_of(const GradedQuestion& question) {
  return (question.lesson.empty() ? "own run" : question.lesson) + " / " + question.stop + " / " +
         std::to_string(std::uint64_t{question.question} + 1);
}

GradeTable grade_table(const std::vector<HandIn>& hand_ins) {
  GradeTable table;

  // List the questions of all files, lesson by lesson, stop by stop.
  std::map<Key, std::size_t> places;
  std::map<std::string, std::size_t> lessons;
  std::map<std::pair<std::string, std::string>, std::size_t> stops;
  for (const HandIn& hand_in : hand_ins)
    for (const Attempt& attempt : hand_in.results.attempts) {
      lessons.try_emplace(attempt.lesson, lessons.size());
      stops.try_emplace({attempt.lesson, attempt.stop}, stops.size());
      if (places.try_emplace(key_of(attempt), 0).second)
        table.questions.push_back({attempt.lesson, attempt.stop, attempt.question, attempt.asked});
    }
  const auto place = [&](const GradedQuestion& q) {
    return std::tuple(q.lesson.empty(), lessons[q.lesson], stops[{q.lesson, q.stop}], q.question);
  };
  std::sort(table.questions.begin(), table.questions.end(),
            [&](const GradedQuestion& a, const GradedQuestion& b) { return place(a) < place(b); });
  for (std::size_t i = 0; i < table.questions.size(); ++i) {
    const GradedQuestion& q = table.questions[i];
    places[{q.lesson, q.stop, q.question}] = i;
  }

  // Grade every student's work on each question.
  for (const HandIn& hand_in : hand_ins) {
    std::map<std::size_t, Work> work;
    for (const Attempt& attempt : hand_in.results.attempts) work[places[key_of(attempt)]].add(attempt);
    GradeRow& row = table.rows.emplace_back(GradeRow{hand_in.results.student, hand_in.file, {}});
    row.grades.resize(table.questions.size());
    for (const auto& [question, done] : work) row.grades[question] = done.grade();
  }
  return table;
}

std::string grades_csv(const GradeTable& table) {
  std::string text;
  CsvWriter csv(text);
  for (const char* title :
       {"student", "file", "right", "wrong", "revealed", "skipped", "not opened", "tries", "hints", "first try"})
    csv << title;
  for (const GradedQuestion& question : table.questions)
    csv << no_formula(name_of(question)) << no_formula(name_of(question) + ": tries");
  csv.end_row();
  for (const GradeRow& row : table.rows) {
    std::array<std::uint64_t, 4> outcomes{};
    std::uint64_t opened = 0, tries = 0, hints = 0, first_tries = 0;
    for (const std::optional<Grade>& grade : row.grades) {
      if (!grade) continue;
      ++outcomes[static_cast<std::size_t>(grade->outcome)];
      ++opened;
      tries += grade->tries;
      hints += grade->hinted;
      first_tries += grade->first_try;
    }
    csv << no_formula(row.student) << no_formula(row.file);
    for (const std::uint64_t count : outcomes) csv << count;
    for (const std::uint64_t count : {row.grades.size() - opened, tries, hints, first_tries}) csv << count;
    for (const std::optional<Grade>& grade : row.grades)
      csv << (grade ? name_of(grade->outcome) : "") << (grade ? std::to_string(grade->tries) : "");
    csv.end_row();
  }
  return text;
}

}  // namespace kdscope
