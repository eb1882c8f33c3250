#include "walkthroughs/writer/lesson_checks.hpp"

#include <algorithm>
#include <cctype>
#include <optional>
#include <sstream>

#include "walkthroughs/practice/answer_checks.hpp"

namespace kdscope {
namespace {

bool is_blank(const std::string& text) { return text.find_first_not_of(" \t\n") == std::string::npos; }

std::string sentence(const Error& error) {
  std::string text = Error{error.kind, error.what, "", error.remedy}.message();
  if (!text.empty()) text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  return text;
}

bool has_control_character(const std::string& text) {
  return std::any_of(text.begin(), text.end(),
                     [](unsigned char c) { return c < 32 && c != '\t' && c != '\n' && c != '\r'; });
}

/// What keeps a Markdown text from being read back; empty if nothing does.
std::string problem_of_prose(const std::string& text) {
  if (has_control_character(text)) return "The text holds a control character; remove it.";
  std::istringstream lines(text);
  std::string fence;
  for (std::string line; std::getline(lines, line);) {
    if (!fence.empty()) {
      if (line == fence) fence.clear();
      continue;
    }
    if (line.starts_with("## ")) return "A line that begins with '## ' would begin a stop; use '### ' for a heading.";
    if (line == "```stop") return "A line '```stop' belongs to the file's own format; name this block otherwise.";
    if (line.starts_with("```") || line.starts_with("~~~")) fence = line.substr(0, 3);
  }
  return fence.empty() ? "" : "A block of code is never closed; end it with a line " + fence + ".";
}

class Checks {
 public:
  explicit Checks(const std::shared_ptr<const Trace>& trace) {
    if (trace) cursor_.emplace(trace);
  }

  void lesson(const Lesson& lesson) {
    required(LessonField::title, lesson.title, "Give the lesson a title.");
    required(LessonField::source, lesson.source, "Name the source that the lesson follows, such as 'own example'.");
    prose(LessonField::introduction, lesson.introduction);
    if (lesson.stops.empty()) add(LessonField::stops, "Go to a step and add a stop there.");
    for (const Stop& each : lesson.stops) {
      ++stop_;
      stop(lesson, each);
    }
  }
  std::vector<LessonProblem> found;

 private:
  void add(LessonField field, std::string text, bool refused = true) {
    found.push_back({field, stop_, question_, refused, std::move(text)});
  }
  void required(LessonField field, const std::string& text, const char* what) {
    if (is_blank(text))
      add(field, what);
    else if (has_control_character(text))
      add(field, "The text holds a control character; remove it.");
  }
  void prose(LessonField field, const std::string& text) {
    if (std::string problem = problem_of_prose(text); !problem.empty()) add(field, std::move(problem));
  }
  void rows(LessonField field, const std::vector<std::string>& names) {
    if (!at_step_) return;
    for (const std::string& row : names)
      if (cursor_->row_size(row) == 0) add(field, "Row '" + row + "' has no values at this step; leave it out.");
  }

  void stop(const Lesson& lesson, const Stop& stop) {
    required(LessonField::stop_title, stop.title, "Give the stop a heading.");
    if (stop.title.find('\n') != std::string::npos || stop.title.starts_with('#'))
      add(LessonField::stop_title, "A heading is one line that does not begin with '#'.");
    at_step_ = false;
    if (cursor_) {
      if (const auto step = resolve_stop(lesson, stop, cursor_->trace()); step) {
        cursor_->seek(*step);
        at_step_ = true;
      } else {
        add(LessonField::step,
            "The open run has no step '" + stop.select + "', or several; go to the stop's step and choose Move here.");
      }
    }
    required(LessonField::narration, stop.narration, "Write what happened at this step, and why.");
    prose(LessonField::narration, stop.narration);
    rows(LessonField::rows, stop.rows);
    if (at_step_) {
      Lesson alone = lesson;
      alone.stops = {stop};
      if (const auto held = check_claims(alone, cursor_->shared_trace()); !held)
        add(LessonField::shows, sentence(held.error()));
    }
    for (const Question& each : stop.questions) {
      ++question_;
      question(each);
    }
    question_ = -1;
  }

  void question(const Question& question) {
    required(LessonField::ask, question.text, "Write the question.");
    required(LessonField::answer, question.answer, "Write the answer, with its reason.");
    rows(LessonField::hidden_rows, question.hidden_rows);
    if (!question.expects) return;
    const ExpectedAnswer& expected = *question.expects;
    if (const std::string problem = problem_of_form(expected); !problem.empty())
      return add(LessonField::expects, problem);
    if (at_step_)
      if (const auto given = can_be_given(expected, *cursor_); !given)
        return add(LessonField::expects, sentence(given.error()));
    if (expected.kind == AnswerKind::cell &&
        std::count(question.hidden_rows.begin(), question.hidden_rows.end(), expected.row) > 0)
      add(LessonField::hidden_rows, "The cell is clicked in row '" + expected.row + "'; do not hide it.");
    if (!is_blank(question.answer) && !agrees(expected, question.answer))
      add(LessonField::answer, "The text does not state the answer that is expected; check one of the two.", false);
  }

  /// What the reader would refuse about an expected answer; empty if nothing.
  static std::string problem_of_form(const ExpectedAnswer& expected) {
    switch (expected.kind) {
      case AnswerKind::positions:
      case AnswerKind::points:
      case AnswerKind::nodes:
        return expected.elements.empty() ? "Click the right answer in a view, or type its numbers." : "";
      case AnswerKind::cell:
        return expected.elements.size() != 1 || expected.row.empty() ? "Click the cell in the table." : "";
      case AnswerKind::words:
        return expected.texts.empty() || std::any_of(expected.texts.begin(), expected.texts.end(), is_blank)
                   ? "Write each right answer on a line of its own."
                   : "";
      case AnswerKind::choice: {
        constexpr std::size_t most = 9;
        const auto& texts = expected.texts;
        if (texts.size() < 2 || texts.size() > most || std::any_of(texts.begin(), texts.end(), is_blank))
          return "Write 2 to 9 texts to choose from, each on a line of its own.";
        if (expected.right >= texts.size()) return "Choose the right one.";
        if (std::count(texts.begin(), texts.end(), texts[expected.right]) > 1) return "The right text occurs twice.";
        return "";
      }
      case AnswerKind::split:
      case AnswerKind::number:
        return expected.within < 0 ? "The tolerance must not be negative." : "";
    }
    return "";
  }

  std::optional<Cursor> cursor_;
  int stop_ = -1, question_ = -1;
  bool at_step_ = false;  ///< the cursor is at the stop's step
};

}  // namespace

std::vector<LessonProblem> problems_of(const Lesson& lesson, const std::shared_ptr<const Trace>& trace) {
  Checks checks(trace);
  checks.lesson(lesson);
  return std::move(checks.found);
}

StepChoice choice_of(const Trace& trace, std::uint32_t step) {
  const std::vector<std::string>& path = trace.steps[step].path;
  const auto joined = [&](std::size_t first) {
    std::string text;
    for (std::size_t i = first; i < path.size(); ++i) text += (i == first ? "" : " / ") + path[i];
    return text;
  };
  for (std::size_t first = path.size() > 2 ? path.size() - 2 : 0;; --first) {
    const std::string select = joined(first);
    const std::vector<std::uint32_t> matches = steps_matching(trace, select);
    if (matches.size() == 1) return {select, 0};
    if (first > 0) continue;
    const auto found = std::find(matches.begin(), matches.end(), step);
    return {select, static_cast<std::uint32_t>(found - matches.begin()) + 1};
  }
}

void read_shows_again(Stop& stop, const Cursor& cursor) {
  for (ClaimedRow& claim : stop.shows) {
    const std::uint64_t size = cursor.row_size(claim.row);
    const std::uint64_t count = claim.whole ? size : std::min<std::uint64_t>(size, claim.values.size());
    claim.values.clear();
    for (std::uint64_t i = 0; i < count; ++i) {
      std::string text = cursor.text(claim.row, i);
      claim.values.push_back(is_blank(text) ? std::to_string(no_id) : std::move(text));
    }
  }
  std::erase_if(stop.shows, [](const ClaimedRow& claim) { return claim.values.empty(); });
}

}  // namespace kdscope
