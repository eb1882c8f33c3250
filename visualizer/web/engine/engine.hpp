#pragma once
// What a page asks while it is open: runs on its reader's own points, and the states of their steps. Requests and
// answers are JSON texts. The same code answers in the browser (main.cpp) and in tests of this machine.

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "algorithms/builders/algorithm.hpp"
#include "algorithms/text/json_value.hpp"
#include "algorithms/trace/trace.hpp"
#include "visualizer/web/page_code.hpp"
#include "walkthroughs/practice/generate.hpp"
#include "walkthroughs/practice/kernel_exercise.hpp"

namespace kdscope {

/// Keeps the last run. Not for several threads.
class Engine {
 public:
  using Progress = std::function<void(double fraction, std::string_view what)>;
  /// `progress`: called while a run is recorded; may be empty.
  explicit Engine(Progress progress = {}) : progress_(std::move(progress)) {}

  /// Returns the answer to a request, an object whose member "ask" is one of these:
  ///
  /// builders  What a page offers. Answer: program; builders with their searches, and sources of data, each
  ///           with its parameters.
  /// run       Records a run. `points`: the text of a CSV file, with `rows_alone` if no row names columns; or `data`: a
  ///           specification (datasets/datasets.hpp); `algorithm`, and the texts `parameters` and `search` by name.
  ///           Answer: a page's data without states;
  ///           count, dim, integers, warnings, hash; points: the coordinates as texts, where there are few; middle,
  ///           ray_origin, ray_direction and reach, for queries.
  /// practice  Asks about the last run, or, if `fresh`, about a run like it on other points. `seed`: chooses points and
  ///           questions. Answer: as for run; steps with `questions` are stops.
  /// kernel    Lets the reader perform a step of the last run, cell by cell. `step`: begins with the first step from
  /// there
  ///           on that can be performed; `writes`: grades texts in cells, each with `cell`, `text` and `hinted`;
  ///           `reveal`: shows what is written at the place of a cell; `hint`: a cell. `seconds`: the time. Answer:
  ///           step, task, finding, complete; cells in the order of the threads, each with its number, row, place, text
  ///           before the step, text now, and 1 if it is right or 2 if it was shown; verdicts on the writes; attempts,
  ///           as in a result file, that this request made; hint.
  /// state     Returns what a page shows of one step of the last run. `step`: its number. Answer: its states, and the
  ///           parts of a page's data that they refer to; css: the style sheet of their colours.
  ///
  /// An error is one sentence in the member "error" of the answer; the last run stays.
  std::string answer(const std::string& request);

  /// With more points than this, the answer to a run leaves out their coordinates.
  static constexpr std::size_t most_listed_points = 2000;
  /// A run may have as many points as this.
  static constexpr std::size_t most_points = 100'000;

 private:
  std::string answer_run(const JsonValue& request);
  std::string answer_practice(const JsonValue& request);
  std::string answer_kernel(const JsonValue& request);
  std::string answer_state(const JsonValue& request) const;
  void require_run() const;
  void keep(RunRequest run);
  std::string description(const std::vector<GeneratedQuestion>& questions) const;

  Progress progress_;
  RunRequest run_;
  std::shared_ptr<const Trace> trace_;  ///< of run_; null before the first run
  PageCode code_;
  std::optional<KernelExercise> exercise_;
};

}  // namespace kdscope
