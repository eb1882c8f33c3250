#pragma once
// Several runs on the same points, level by level: where each stands, and what each costs. No Qt.

#include <memory>
#include <string>
#include <vector>

#include "app/session/session.hpp"

namespace kdscope {

inline constexpr std::size_t fewest_columns = 2, most_columns = 5;

/// Places in several traces that belong together. Stage 0 is what comes before the first level, stage l + 1 is level l;
/// a step outside of any level belongs to the stage before it. In a stage each run has steps of its own: one that has
/// finished waits for the others.
class LevelAlignment {
 public:
  /// A null trace is a column without a run: it stands still.
  explicit LevelAlignment(std::vector<std::shared_ptr<const Trace>> traces = {});

  std::size_t stage_count() const { return stage_count_; }
  std::size_t stage() const { return stage_; }
  std::uint32_t step(std::size_t column) const;
  /// Whether a run has no step in this stage, because its tree has fewer levels.
  bool waits(std::size_t column) const;
  bool at_start() const;
  bool at_end() const;

  /// One step of each run that has one left in this stage, then on to the next; beyond either end nothing happens.
  void forward();
  void back();
  /// To the end of this level, or of the next; to the end of the level before.
  void level_forward();
  void level_back();
  void first();
  void last();
  /// To the end of a stage.
  void go_to(std::size_t stage);
  /// Moves one run alone, within this stage; the next common move takes it along again.
  void move(std::size_t column, int steps);

 private:
  struct Run {
    std::vector<std::uint32_t> ends;  // by stage: the step after its last one
    std::uint32_t alone = 0;          // where it was moved to alone, as ticks
    bool moved = false;
  };
  std::uint32_t begin(const Run& run, std::size_t stage) const { return stage == 0 ? 0 : run.ends[stage - 1]; }
  std::uint32_t length(const Run& run, std::size_t stage) const { return run.ends[stage] - begin(run, stage); }
  std::uint32_t longest(std::size_t stage) const;
  void place(std::size_t stage, std::uint32_t tick);

  std::vector<Run> runs_;
  std::size_t stage_count_ = 1, stage_ = 0;
  std::uint32_t tick_ = 0;  // how far into the stage
};

/// What a run took up to a step, from its trace alone.
struct RunCosts {
  std::uint64_t launches = 0;     ///< steps on the device, library calls included
  std::uint64_t collectives = 0;  ///< of these, sorts, scans and other library calls
  std::uint64_t bytes_moved = 0;  ///< the arrays that the steps wrote, as they were before (read) and after (written)
  std::optional<std::uint64_t> visited = {};  ///< nodes visited; of a search alone
  bool operator==(const RunCosts&) const = default;
};
/// Costs of the steps up to `last`. What is recorded for the views alone (partition.*) does not count. Work
/// O(versions).
RunCosts costs_until(const Trace& trace, std::uint32_t last);

/// Returns the run with another algorithm and its usual parameters. A search asks the same of the other tree, by its
/// usual search.
RunRequest with_algorithm(RunRequest run, const std::string& algorithm);
/// Returns a search run with another search, by its id, and its usual parameters.
RunRequest with_search(RunRequest run, const std::string& search);

/// The first algorithm of the registry that takes such points and is not there yet, with its usual parameters, but
/// leaves of one point where the usual ones would hold all.
std::optional<RunRequest> another_algorithm(const std::vector<RunRequest>& present, const PointSet& points);

/// What to compare at first: the run that is open, and beside it another algorithm of the registry that takes such
/// points, or the same with another value of its first choice. Beside a search stands the next one for the same tree,
/// if there is one.
std::vector<RunRequest> usual_columns(const RunRequest& open, const PointSet& points);

/// Parameters that differ from the algorithm's defaults, and the search if there is one, as words: "sort bitonic, split
/// widest"; empty for none.
std::string parameter_words(const RunRequest& run);

}  // namespace kdscope
