#pragma once
// Which table of the arrays is shown at a place of the run, and which of its rows and columns: those of which a stop of
// the lesson speaks, those that the step changed, and those that tell something.

#include "app/workbench/workbench.hpp"
#include "visualizer/model/array_table.hpp"

namespace kdscope {

/// Reads the place, the lesson and the questions of a workbench. All but stop() need an open run.
class TableChoice {
 public:
  explicit TableChoice(const Workbench& workbench) : workbench_(workbench) {}

  /// The stop whose rows are shown; null between stops. During the introduction the first one, so that nothing jumps
  /// on the way there.
  const Stop* stop() const;
  /// The axes whose dimensions have rows.
  Axes axes() const;
  /// The table of an index space with all its rows.
  ArrayTable whole_table(Space of) const;
  /// The arrays of which the current stop speaks.
  std::vector<std::string> arrays_named(const ArrayTable& table) const;
  /// The most rows of a table of which a stop of the lesson speaks: the table has one height at all of them, and
  /// figures stay where they are.
  std::size_t most_named(Space of) const;
  /// The rows, with the index row, and the columns of the largest table of an index space that a step of the run shows.
  /// Of a run of many steps or elements, those of all rows at this step.
  struct Extent {
    std::size_t rows = 0;
    std::uint64_t columns = 0;
  };
  Extent largest_in_run(Space of) const;
  /// The columns whose values the current stop claims in a table: from the first one on.
  std::vector<IndexRange> claimed_columns(const ArrayTable& table) const;
  /// The columns of a table of which the stop speaks: those that it highlights, and what the question at hand expects;
  /// in place of none, the pivots of a stop's step. `or_changed`: in place of none of these, what the step changed.
  std::vector<IndexRange> spoken_columns(const ArrayTable& table, Space of, bool or_changed) const;
  /// The columns of a table that are framed, as one list for all rows or one per row: what is selected, or the settled
  /// answer of the question at hand.
  std::vector<std::vector<IndexRange>> framed_columns(const ArrayTable& table, Space of) const;

  /// Names the rows for a table that does not scroll: those of which the questions ask, those of the stop, those that
  /// its text names, those of the step, between stops those that were shown before, and all others; empty if all are.
  /// `room`, `most`: see rows_with_room().
  std::vector<RowName> rows_that_fit(Space of, const std::vector<RowName>& before, std::size_t room,
                                     std::size_t most) const;
  /// Names the rows for a table that scrolls: those that tell something; empty if all do.
  std::vector<RowName> rows_that_tell(const ArrayTable& whole) const;
  /// These rows, or all if there are none. At an introduction, where no question is in sight that would explain a
  /// hidden row, such rows are absent.
  std::vector<RowName> without_hidden(const ArrayTable& whole, std::vector<RowName> rows) const;

  /// The table of the step: the one that the claims of its lesson stop are about, or else one that the step changed. An
  /// introduction opens on none whose values its first question hides.
  Space space_of_step(const std::vector<Space>& spaces, Space shown) const;
  /// The other tables, those first of which the stop speaks most, or that the step wrote.
  std::vector<Space> spaces_beside(std::vector<Space> spaces, Space shown) const;

 private:
  const Cursor& cursor() const { return *workbench_.playback().cursor(); }
  const Workbench& workbench_;
};

}  // namespace kdscope
