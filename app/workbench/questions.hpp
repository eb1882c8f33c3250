#pragma once
// The questions at the current step and the work on them: what is asked, clicked, typed, checked and kept. Every window
// shows the same ones.

#include <QObject>
#include <functional>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "app/workbench/playback.hpp"
#include "walkthroughs/practice/answers.hpp"

namespace kdscope {

/// A question and where its answer is kept.
struct AskedQuestion {
  QuestionPlace place;
  Question question;
};

/// Asks one question after the other. Until a question is answered, shown or skipped, the playback conceals what it
/// hides. Clicks in any viewer of the playback become part of the answer to the current question.
class Questions : public QObject {
  Q_OBJECT

 public:
  explicit Questions(Playback& playback, QObject* parent = nullptr);

  /// Asks the questions of a lesson's stop; those that were added to its step come after them. To be called before the
  /// step is shown, because viewers learn with it what is hidden; changed() follows when all of them show it.
  void ask(const std::string& lesson, const std::string& stop, const std::vector<Question>& questions);
  /// Asks nothing, but hides what these questions hide, as on the introduction before their stop.
  void announce(const std::string& lesson, const std::string& stop, const std::vector<Question>& questions);
  /// Names the step whose tree and partition views show in place of those that the next questions hide.
  void show_before(std::optional<std::uint32_t> step) { before_ = step; }
  /// Adds questions to the current step, for as long as the run is open, and goes to the first of them.
  void add(std::vector<AskedQuestion> questions);

  int count() const { return static_cast<int>(asked_.size()); }
  /// The question at hand, from 0; -1: nothing is asked.
  int current() const { return current_; }
  const Question* question() const { return current_ < 0 ? nullptr : &asked_[current_].question; }
  const QuestionPlace* place() const { return current_ < 0 ? nullptr : &asked_[current_].place; }
  void go_to(int question);
  QuestionState state() const { return state(current_); }
  QuestionState state(int question) const;
  bool is_open() const { return current_ >= 0 && state() == QuestionState::open; }
  /// Whether open questions hide what answers them; yes at first. A person who only looks may switch it off.
  bool hides() const { return hides_; }
  void set_hides(bool hides);
  /// The next open question after the current one, from the start again; nullopt if all are settled.
  std::optional<int> next_open() const;
  /// The open questions that hide something of which `what` holds.
  std::vector<int> hiding(const std::function<bool(const Concealment&)>& what) const;

  /// The answer so far, as a person would type it.
  const QString& text() const { return text_; }
  void type(const QString& text);
  /// Reads the answer so far; nullopt if there is none of the form that the question expects.
  std::optional<GivenAnswer> given() const;
  /// Chooses one of the given texts, from 0.
  void choose(std::uint32_t choice);
  std::optional<std::uint32_t> chosen() const;
  /// Whether there is something to check.
  bool can_check() const { return is_open() && question()->expects && !text_.trimmed().isEmpty(); }
  void check();
  bool can_hint() const { return is_open() && !hinted_ && !question()->hint.empty(); }
  void hint();
  bool hinted() const { return hinted_; }
  void reveal();
  void skip();
  /// Asks a settled question again.
  void try_again();

  /// What the last check found, or how the question was settled earlier, in one line; empty before. `wrong`: the answer
  /// was not right.
  QString feedback() const;
  bool wrong() const { return wrong_; }

  /// The show of hands: how many of the class chose each text of the current question.
  const std::vector<int>& votes() const { return votes_; }
  void vote(std::uint32_t choice, int votes);

  const Answers& answers() const { return answers_; }
  /// Those that are kept: without what a class has answered.
  const Answers& own_answers() const { return before_class_ ? *before_class_ : answers_; }
  /// Keeps attempts at work other than these questions.
  void add_attempts(const std::vector<Attempt>& attempts);
  /// Replaces everything that was answered, as it was kept from an earlier run of the program.
  void restore(Answers answers);
  /// Asks a class every question anew. Nothing of what it answers is kept, and at its end the answers of before hold.
  void ask_class(bool asks);

 signals:
  void changed();                                                 ///< anything of the above
  void attempted(const std::vector<kdscope::Attempt>& attempts);  ///< are now in answers()

 private:
  void start(int question);
  int first_open() const;
  void clear_answer();
  void settle(Outcome outcome);
  void keep(Outcome outcome, const GivenAnswer& given);
  Concealment concealed() const;
  void cell_clicked(Space space, const std::string& row, std::uint64_t index);
  void place_clicked(const std::vector<double>& coordinates, const std::vector<double>& pixel);
  void picked();
  void toggle(std::uint32_t element);
  std::optional<GivenAnswer> marked() const;
  void mark();
  void unmark();

  Playback& playback_;
  Answers answers_;
  std::optional<Answers> before_class_;  // what was answered before a class is asked
  std::vector<AskedQuestion> asked_;
  std::vector<AskedQuestion> hiding_;  // asked, or announced
  std::optional<std::uint32_t> before_;
  std::map<std::uint32_t, std::vector<AskedQuestion>> added_;  // by step
  int current_ = -1;
  QString text_, feedback_;
  std::string row_;    // of a clicked cell
  Selection carried_;  // was there before the question
  bool hides_ = true, hinted_ = false, wrong_ = false, marking_ = false, shows_line_ = false, shows_elements_ = false;
  std::vector<int> votes_;
};

}  // namespace kdscope
