#pragma once
// "Be the kernel": the student performs one step of a run, cell by cell. No Qt here.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "algorithms/core/error.hpp"
#include "algorithms/trace/trace.hpp"
#include "walkthroughs/practice/answer.hpp"

namespace kdscope {

/// A cell that the step writes and the student fills.
struct KernelCell {
  std::string array;            ///< its name in the trace
  std::uint32_t component = 0;  ///< for arrays of several components
  std::uint64_t index = 0;      ///< index in the array's space
  std::string row;              ///< as tables label it: "tags", "child.left"
  std::string place;            ///< "position 3", "node 0", "block 1, digit 2"
  std::string before;           ///< value before the step; empty if there was none
  Space values = Space::none;   ///< what its values are: those of points are named "p7", also if 7 was typed
};

/// How an entry was taken.
enum class Verdict : std::uint8_t {
  right,
  wrong,
  unread,   ///< no value of the cell's type; not counted as an entry
  no_cell,  ///< the step does not write this cell
  filled    ///< the cell is right already, or its answer was shown
};
const char* name_of(Verdict verdict);

/// A write that a student made.
struct KernelWrite {
  std::size_t cell = 0;
  std::string text;          ///< as typed
  std::int64_t seconds = 0;  ///< since 1970, UTC
  bool hinted = false;       ///< the hint was open
};

/// One entry, in the order in which entries were made.
struct KernelEntry {
  std::size_t cell = 0;
  Outcome outcome = Outcome::wrong;  ///< right, wrong or revealed
  std::string text;                  ///< as typed, or the answer that was shown
  std::int64_t seconds = 0;          ///< since 1970, UTC
  bool hinted = false;               ///< the hint was open
};

/// The part of a step that the student performs.
struct KernelScope {
  std::optional<std::uint64_t> thread;  ///< only the cells with this index; empty: all cells
  std::vector<std::string> arrays;      ///< only these; empty: see KernelExercise::at()
};

/// An exercise on one step. The state before the step is given; the cells that the step writes are blank.
class KernelExercise {
 public:
  static constexpr std::size_t most_cells = 2'000;

  /// Prepares the exercise of a step, which is at least 1. Takes the whole numbers that the step wrote: in rows by
  /// position, all within its segments; of a histogram, all cells; and those that are new or changed. Leaves out
  /// arrays that the step did not change, rows that are the same everywhere, the partition of space, and ragged arrays.
  /// If the step wrote no whole numbers, takes its coordinates, costs and other numbers. Errors of kind bad_usage: no
  /// such step; the step writes nothing that can be filled in; more than most_cells cells; the run is a search. Work
  /// O(arrays that the step wrote).
  static Result<KernelExercise> at(std::shared_ptr<const Trace> trace, std::uint32_t step, KernelScope scope = {});

  const Trace& trace() const { return *trace_; }
  std::uint32_t step() const { return step_; }
  const KernelScope& scope() const { return scope_; }
  /// Returns the task in one sentence.
  std::string task() const;
  const std::vector<KernelCell>& cells() const { return cells_; }
  /// Returns the cell of a row, by the row's label, or nullopt.
  std::optional<std::size_t> find(const std::string& row, std::uint64_t index) const;
  std::optional<std::size_t> find(const std::string& array, std::uint32_t component, std::uint64_t index) const;

  /// Grades an entry against the trace and records it. Whole numbers may be written in decimal, as 0x1f or as 0b101;
  /// other numbers are right within a hundred-thousandth of their size.
  Verdict enter(std::size_t cell, const std::string& text, std::int64_t seconds = 0);
  Verdict enter(const std::string& row, std::uint64_t index, const std::string& text, std::int64_t seconds = 0);
  /// Grades a sequence of writes in the order in which they were made. As in memory, a write takes the place of what
  /// the cell held before, right or wrong, unless the program filled it. Returns the verdict on each.
  std::vector<Verdict> perform(const std::vector<KernelWrite>& writes);
  /// Returns what the thread of a cell has to do, in one line.
  std::string thread_task(std::size_t cell) const;
  /// Returns facts about a cell that lead to its value: what it held, its segment, the pivot there.
  std::string hint(std::size_t cell) const;
  /// Returns one sentence on all writes so far: the first wrong one by its number and place, without its right value.
  std::string finding() const;
  /// Returns the value of a cell after the step.
  const std::string& model_answer(std::size_t cell) const { return answers_[cell]; }
  /// Fills the next blank cell with the model answer, as an entry with the outcome revealed. Returns the cell, or
  /// nullopt if none is blank.
  std::optional<std::size_t> reveal_next(std::int64_t seconds = 0);
  /// Fills a cell with the model answer, in the same way; false if it is right already or was shown.
  bool reveal(std::size_t cell, std::int64_t seconds = 0);
  bool is_filled(std::size_t cell) const { return filled_[cell]; }
  bool is_revealed(std::size_t cell) const { return revealed_[cell]; }
  /// Returns the first cell that is still blank, or nullopt.
  std::optional<std::size_t> next_blank() const;
  /// Returns the text of a cell: empty while it is blank.
  std::string shown(std::size_t cell) const { return filled_[cell] ? answers_[cell] : std::string(); }

  struct Progress {
    std::size_t cells = 0, right = 0, revealed = 0;  ///< cells, and how they were filled
    std::size_t wrong_entries = 0;
    std::optional<std::size_t> first_wrong;  ///< index in entries() of the first wrong entry
    bool complete() const { return right + revealed == cells; }
  };
  Progress progress() const;
  /// Returns the progress as text, with the first wrong entry by name.
  std::string summary() const;
  const std::vector<KernelEntry>& entries() const { return entries_; }
  /// Returns the entries as attempts, one per entry. The question's index is the cell's.
  std::vector<Attempt> attempts() const;

 private:
  KernelExercise(std::shared_ptr<const Trace> trace, std::uint32_t step, KernelScope scope)
      : trace_(std::move(trace)), step_(step), scope_(std::move(scope)) {}
  Verdict grade(const KernelWrite& write);
  void add_cells(const Trace::Array& array);
  void drop_constant_rows();

  std::shared_ptr<const Trace> trace_;
  std::uint32_t step_;
  KernelScope scope_;
  std::vector<KernelCell> cells_;
  std::vector<std::string> answers_;             // [cells]
  std::vector<bool> whole_, filled_, revealed_;  // [cells]
  std::vector<KernelEntry> entries_;
  std::size_t too_many_ = 0;
};

/// Returns the steps of a run that an exercise can be made of, with at least `fewest` cells. Work O(trace).
std::vector<std::uint32_t> kernel_steps(const std::shared_ptr<const Trace>& trace, std::size_t fewest = 3);

}  // namespace kdscope
