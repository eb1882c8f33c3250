// practise: asks generated questions about a run, or lets the student perform a step, on the terminal.

#include <array>
#include <ctime>
#include <filesystem>
#include <istream>
#include <optional>
#include <utility>

#include "algorithms/core/input_file.hpp"
#include "algorithms/core/replaced_file.hpp"
#include "algorithms/run/run.hpp"
#include "algorithms/trace/divergence.hpp"
#include "algorithms/trace/trace_file.hpp"
#include "app/cli/commands.hpp"
#include "app/cli/device_option.hpp"
#include "app/cli/find_step.hpp"
#include "app/cli/run_options.hpp"
#include "app/cli/search_options.hpp"
#include "app/cli/trace_table.hpp"
#include "datasets/datasets.hpp"
#include "walkthroughs/practice/generate.hpp"
#include "walkthroughs/practice/kernel_exercise.hpp"
#include "walkthroughs/practice/results.hpp"

namespace kdscope::cli {
namespace {

constexpr std::size_t most_questions = 1'000;

std::int64_t now() { return static_cast<std::int64_t>(std::time(nullptr)); }

/// The result file of a student: earlier work stays in it, and every attempt is written at once.
class ResultFile {
 public:
  /// Without --results, attempts are only counted. Errors: a name that check_student() refuses, one option without the
  /// other, a file that is damaged or another student's, so that nothing is lost.
  static Result<ResultFile> open(const Arguments& arguments) {
    ResultFile file;
    file.path_ = arguments.text("--results");
    file.results_.student = arguments.text("--student");
    if (arguments.has("--results") != arguments.has("--student"))
      return Error{ErrorKind::bad_usage, "--results and --student belong together", "", "give both"};
    if (file.path_.empty()) return file;
    ensure(check_student(file.results_.student));
    ensure(check_folder_of(file.path_));
    std::error_code ignored;
    if (!std::filesystem::exists(file.path_, ignored)) return file;
    const auto text = value_of(read_file(file.path_, most_result_bytes));
    auto earlier = value_of(read_results(text, file.path_));
    if (earlier.student != file.results_.student)
      return Error{ErrorKind::bad_usage, "holds the results of " + earlier.student, file.path_, "name another file"};
    file.results_ = std::move(earlier);
    return file;
  }

  Result<void> add(Attempt attempt) {
    ++counts_[static_cast<std::size_t>(attempt.outcome)];
    results_.attempts.push_back(std::move(attempt));
    return path_.empty() ? Result<void>() : replace_file(path_, results_text(results_));
  }
  /// Returns how the attempts of this session ended: "3 right, 1 wrong".
  std::string summary() const {
    std::string text;
    for (std::size_t i = 0; i < counts_.size(); ++i)
      text += (text.empty() ? "" : ", ") + std::to_string(counts_[i]) + " " + name_of(static_cast<Outcome>(i));
    return text + (path_.empty() ? "." : "; kept in " + path_ + ".");
  }

 private:
  std::string path_;
  Results results_;
  std::array<std::uint64_t, 4> counts_{};
};

/// A run and the student who is asked about it.
class PracticeSession {
 public:
  PracticeSession(Console& console, ResultFile file, RunRequest request, std::shared_ptr<const Trace> trace,
                  std::uint64_t seed)
      : console_(console),
        file_(std::move(file)),
        request_(std::move(request)),
        trace_(std::move(trace)),
        seed_(seed) {}

  /// Asks the questions, until the input ends.
  Result<void> ask(const std::vector<GeneratedQuestion>& questions) {
    console_.out << "Type an answer and press Enter. ? shows a hint, ! the answer; . skips; + asks another one like it "
                    "about fresh points; q ends.\n";
    const std::shared_ptr<const Trace> run = trace_;
    for (std::size_t i = 0; i < questions.size() && !ended_; ++i) {
      trace_ = run;
      console_.out << "\nQuestion " << i + 1 << " of " << questions.size() << " (" << name_of(questions[i].kind)
                   << ")\n";
      GeneratedQuestion question = questions[i];
      for (bool again = true; again && !ended_;) {
        const auto another = value_of(ask(question));
        again = another.has_value();
        if (again) question = *another;
      }
    }
    return finish();
  }

  /// Lets the student perform steps one after another, until the input ends.
  Result<void> perform(const std::vector<KernelExercise>& exercises) {
    const std::shared_ptr<const Trace> run = trace_;
    for (std::size_t i = 0; i < exercises.size() && !ended_; ++i) {
      trace_ = run;
      if (i > 0) console_.out << "\n";
      ensure(perform(exercises[i]));
    }
    return finish();
  }

 private:
  /// Returns the next line of the input, or nothing at its end, after q, or when the program is stopped.
  std::optional<std::string> prompt(const std::string& text) {
    console_.out << text << std::flush;
    std::string line;
    if (console_.stop.stop_requested() || !console_.in || !std::getline(*console_.in, line)) {
      console_.out << "\n";
      ended_ = true;
      return std::nullopt;
    }
    while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) line.pop_back();
    if (line == "q") ended_ = true;
    return ended_ ? std::nullopt : std::optional(line);
  }

  /// Lets the student fill the cells of one step.
  Result<void> perform(KernelExercise exercise) {
    introduce(exercise);
    std::size_t recorded = 0;
    while (const auto blank = exercise.next_blank()) {
      const KernelCell& cell = exercise.cells()[*blank];
      const std::string name = cell.row + " at " + cell.place;
      const auto line = prompt(name + (cell.before.empty() ? "" : " (before: " + cell.before + ")") + " = ");
      if (!line) break;
      if (*line == "+") {
        if (auto another = fresh(exercise)) {
          console_.out << exercise.summary() << "\n";
          exercise = std::move(*another);
          recorded = 0;
          introduce(exercise);
        } else {
          console_.out << "There are no fresh data for this step.\n";
        }
        continue;
      }
      if (*line == "!") {
        exercise.reveal_next(now());
        console_.out << name << " is " << exercise.model_answer(*blank) << ".\n";
      } else {
        enter(exercise, *blank, *line);
      }
      if (exercise.entries().size() == recorded) continue;
      recorded = exercise.entries().size();
      ensure(file_.add(exercise.attempts().back()));
    }
    console_.out << "\n" << exercise.summary() << "\n";
    return {};
  }

  void introduce(const KernelExercise& exercise) {
    print_state(exercise.step() - 1);
    const KernelCell& first = exercise.cells().front();
    console_.out << exercise.task() << "\nType the value of the cell and press Enter, or fill another cell, such as "
                 << first.row << "[" << first.index
                 << "] = 1. ! shows the value; + starts again with fresh points; q ends.\n";
  }

  /// Prints the tables of a step, unless they stand above already.
  void print_state(std::uint32_t step) {
    if (std::exchange(printed_, {trace_, step}) == std::pair(trace_, step)) return;
    Cursor cursor(trace_);
    cursor.seek(step);
    console_.out << "State after step " << step << ", " << path_text(trace_->steps[step]) << ":\n";
    if (auto rows = table_rows(*trace_, {})) {
      leave_out_dimensions(*trace_, *rows);
      console_.out << tables_text(cursor, *rows, {});
    }
  }

  void enter(KernelExercise& exercise, std::size_t blank, const std::string& line) {
    std::size_t cell = blank;
    std::string value = line;
    if (const std::size_t equals = line.find('='); equals != line.npos) {
      const std::size_t open = line.rfind('[', equals), close = line.rfind(']', equals);
      value = line.substr(equals + 1);
      std::optional<std::size_t> found;
      if (open != line.npos && close != line.npos && open < close)
        for (std::size_t i = 0; i < exercise.cells().size() && !found; ++i)
          if (exercise.cells()[i].row == line.substr(0, open) &&
              std::to_string(exercise.cells()[i].index) == line.substr(open + 1, close - open - 1))
            found = i;
      if (!found) {
        console_.out << "The step writes no such cell.\n";
        return;
      }
      cell = *found;
    }
    switch (exercise.enter(cell, value, now())) {
      case Verdict::right:
        console_.out << "Right.\n";
        break;
      case Verdict::wrong:
        console_.out << "Wrong.\n";
        break;
      case Verdict::unread:
        console_.out << "That is no value of this row.\n";
        break;
      case Verdict::filled:
        console_.out << "That cell is filled already.\n";
        break;
      case Verdict::no_cell:
        break;
    }
  }

  /// Asks one question until it is right, shown or skipped. Returns another question if one was wanted.
  Result<std::optional<GeneratedQuestion>> ask(const GeneratedQuestion& generated) {
    const Question& question = generated.question;
    print_state(generated.step);
    console_.out << "\n" << question.text << "\n";
    bool hinted = false, open = true;
    std::optional<GeneratedQuestion> another;
    while (open) {
      const auto line = prompt(std::string(name_of(question.expects->kind)) + "> ");
      if (!line) break;
      Attempt attempt = attempt_at(generated, *trace_);
      attempt.hinted = hinted;
      attempt.seconds = now();
      if (*line == "?") {
        hinted = true;
        console_.out << question.hint << "\n";
        continue;
      }
      if (*line == "+") {
        another = fresh(generated);
        if (another) return another;
        console_.out << "The fresh points have no question of this kind.\n";
        continue;
      }
      if (*line == "!" || *line == ".") {
        attempt.outcome = *line == "!" ? Outcome::revealed : Outcome::skipped;
        if (*line == "!") console_.out << question.answer << "\n";
        open = false;
      } else {
        const auto given = read_answer(*question.expects, *line);
        if (!given) {
          console_.out << "The answer must be " << form_of(question.expects->kind) << ".\n";
          continue;
        }
        attempt.given = *given;
        attempt.outcome = is_right(*question.expects, *given) ? Outcome::right : Outcome::wrong;
        open = attempt.outcome == Outcome::wrong;
        console_.out << (open ? "Wrong. Try again, or type ? for a hint." : "Right. " + question.answer) << "\n";
      }
      ensure(file_.add(std::move(attempt)));
    }
    return another;
  }

  static const char* form_of(AnswerKind kind) {
    switch (kind) {
      case AnswerKind::positions:
        return "positions, such as 3 or 3 7";
      case AnswerKind::nodes:
        return "nodes, such as 3 or 3 7";
      default:
        return "a number";
    }
  }

  /// Runs the builder on fresh data of the same shape. Null if that is not possible, as with a trace from a file.
  std::shared_ptr<const Trace> fresh_run() {
    if (!request_.points) return nullptr;
    const std::string specification = fresh_data(*trace_, ++seed_);
    const auto data = open_data_set(specification);
    if (!data) return nullptr;
    RunRequest request = request_;
    request.points = *data;
    const auto fresh = whole_trace(run_record(request, control_for(console_)));
    finish_progress(console_);
    if (!fresh) return nullptr;
    console_.out << "\nFresh data: " << specification << "\n";
    return *fresh;
  }

  std::optional<GeneratedQuestion> fresh(const GeneratedQuestion& question) {
    const std::shared_ptr<const Trace> trace = fresh_run();
    if (!trace) return std::nullopt;
    const auto another = another_like(question, *trace_, trace, seed_);
    if (another) trace_ = trace;
    return another;
  }

  std::optional<KernelExercise> fresh(const KernelExercise& exercise) {
    const std::shared_ptr<const Trace> trace = fresh_run();
    const auto step = trace ? step_of_same_path(*trace_, exercise.step(), *trace) : std::nullopt;
    if (!step) return std::nullopt;
    auto another = KernelExercise::at(trace, *step, exercise.scope());
    if (!another) return std::nullopt;
    trace_ = trace;
    return *another;
  }

  Result<void> finish() {
    console_.out << "\n" << file_.summary() << "\n";
    return {};
  }

  Console& console_;
  ResultFile file_;
  RunRequest request_;
  std::shared_ptr<const Trace> trace_;
  std::uint64_t seed_;
  std::pair<std::shared_ptr<const Trace>, std::uint32_t> printed_;
  bool ended_ = false;
};

Result<std::vector<QuestionKind>> kinds_from(const Arguments& arguments) {
  std::vector<std::string> names;
  for (const QuestionKind kind : question_kinds) names.emplace_back(name_of(kind));
  std::vector<QuestionKind> kinds;
  for (const std::string& name : arguments.all("--kind")) {
    const auto kind = question_kind_named(name);
    if (!kind) {
      std::string all;
      for (const std::string& one : names) all += (all.empty() ? "" : ", ") + one;
      return Error{ErrorKind::bad_usage, "there is no kind of question '" + name + "'", "", "choose among " + all};
    }
    kinds.push_back(*kind);
  }
  return kinds;
}

/// Returns the exercises of the steps that a text names: one by its number, or all that its phases match, without those
/// that write nothing if others do.
Result<std::vector<KernelExercise>> exercises_from(const std::shared_ptr<const Trace>& trace, const std::string& text,
                                                   const KernelScope& scope) {
  std::vector<std::uint32_t> steps = steps_matching(*trace, text);
  if (steps.empty()) {
    steps.push_back(value_of(find_step(*trace, text)));
  }
  std::vector<KernelExercise> exercises;
  std::optional<Error> refused;
  for (const std::uint32_t step : steps) {
    auto exercise = KernelExercise::at(trace, step, scope);
    if (exercise)
      exercises.push_back(std::move(*exercise));
    else if (!refused)
      refused = exercise.error();
  }
  if (exercises.empty()) return *refused;
  return exercises;
}

Result<ExitCode> run_practise(const Arguments& arguments, Console& console) {
  const auto count = value_of(arguments.integer("--questions", 10, 1, most_questions));
  const auto seed = value_of(arguments.integer("--seed", 1, 0, 1'000'000'000));
  const auto thread = value_of(arguments.integer("--thread", 0, 0, 4'294'967'294u));
  const auto kinds = value_of(kinds_from(arguments));
  if (arguments.has("--thread") && !arguments.has("--kernel"))
    return Error{ErrorKind::bad_usage, "--thread is for a step that is performed", "", "name the step with --kernel"};
  auto file = value_of(ResultFile::open(arguments));

  // Practise on a recorded run, or record one.
  RunRequest request;
  std::shared_ptr<const Trace> trace;
  if (arguments.operand_count() > 0) {
    if (arguments.has("--data"))
      return Error{ErrorKind::bad_usage, "a trace and --data exclude each other", "", "give one of them"};
    trace = value_of(load_trace(arguments.operand(0)));
  } else {
    if (!arguments.has("--data"))
      return Error{ErrorKind::bad_usage, "practise needs a trace or --data SPEC", "", "for example --data wald-10"};
    auto run = value_of(run_from(arguments));
    run.request.search = value_of(recorded_search_from(arguments, *run.request.points));
    print_warnings(*run.request.points, console);
    trace = value_of(whole_trace(run_record(run, control_for(console))));
    finish_progress(console);
    request = std::move(run.request);
  }

  if (arguments.has("--kernel")) {
    KernelScope scope;
    if (arguments.has("--thread")) scope.thread = thread;
    const auto exercises = value_of(exercises_from(trace, arguments.text("--kernel"), scope));
    PracticeSession session(console, std::move(file), std::move(request), trace, seed);
    ensure(session.perform(exercises));
    return exit_ok;
  }
  const auto questions = practice_questions(trace, count, kinds, seed);
  if (questions.empty())
    return Error{ErrorKind::bad_usage, "the run has no question of these kinds", "",
                 "choose other kinds, another builder or more points"};
  PracticeSession session(console, std::move(file), std::move(request), trace, seed);
  ensure(session.ask(questions));
  return exit_ok;
}

}  // namespace

Command practise_command() {
  std::string kinds;
  for (const QuestionKind kind : question_kinds) kinds += (kinds.empty() ? "" : ", ") + std::string(name_of(kind));
  CommandSpec spec{
      "practise",
      "answer questions about a run, or perform a step of it",
      "Asks questions that are generated from a run: what the next step writes, where pivots and elements go, what a "
      "search visits. With --kernel, you perform a step cell by cell. Answers are checked against the run. With "
      "--results, every answer is kept in a file that `grade` reads; more work is added to the same file.",
      {{"F.kdtrace", "A trace to practise on; without it, --data is recorded first.", false}},
      {},
      {"practise --data wald-10", "practise --data wald-10 --kernel \"level 1 / update tags\"",
       "practise --data uniform:n=20,dim=2,type=int --algorithm wehr --kind count --results me.kdresults --student Ann",
       "practise --data wald-10 --query 50,40"}};
  spec.options = {algorithm_option("wald"), data_option(false), backend_option(), parameter_option(), device_option()};
  spec.options.push_back({"--questions", "N", "Number of questions, 1 to 1000. Default: 10, or all that the run has."});
  spec.options.push_back({"--kind", "KIND", "Only questions of this kind: " + kinds + ".", false, true});
  spec.options.push_back({"--kernel", "STEP",
                          "Perform this step: its number, or phases such as \"level 1 / update tags\". If "
                          "several steps match, such as \"update tags\", perform one after another."});
  spec.options.push_back({"--thread", "I", "Perform only thread I: the cells with this index."});
  spec.options.push_back({"--seed", "S", "Chooses the questions; the same seed asks the same ones. Default: 1."});
  spec.options.push_back({"--results", "FILE.kdresults", "Keep every answer in this file."});
  spec.options.push_back({"--student", "NAME", "The name in the file."});
  spec.options.push_back({"--query", "X,Y", "Practise on the search of this query on the finished tree."});
  for (Option& option : search_options()) spec.options.push_back(std::move(option));
  return {std::move(spec), run_practise};
}

}  // namespace kdscope::cli
