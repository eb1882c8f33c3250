#pragma once
// Of which rows of a table a lesson's stop speaks, and which rows are shown where not all have room. No Qt here.

#include <string>
#include <vector>

#include "visualizer/model/array_table.hpp"
#include "walkthroughs/reader/lesson.hpp"

namespace kdscope {

/// The arrays of which a stop speaks: those that it names, then those whose values it claims. What the step changes
/// counts more than what it reads.
std::vector<std::string> rows_of_stop(const Stop& stop, const ArrayTable& table);

/// The arrays of which the questions of a stop ask.
std::vector<std::string> rows_asked_for(const Stop& stop);

/// The arrays of a table that the narration or a question of a stop names as code, by their name or a row's label.
std::vector<std::string> rows_mentioned(const Stop& stop, const ArrayTable& table);

/// How many rows of a table with values at this step are not shown, but those that tell no columns apart. None shown:
/// 0, as all are.
std::size_t count_left_out(const ArrayTable& table, const Cursor& cursor, const std::vector<RowName>& shown);

/// The dimensions whose rows are shown, if there are too many to show all: those on the axes and, in the place of z,
/// one of which the stop speaks.
Axes axes_with_rows_of(const Stop& stop, const Trace& trace, Axes axes);

/// How many rows of a table these arrays have, but those that tell no columns apart.
std::size_t count_telling_rows(const ArrayTable& table, std::vector<std::string> arrays);

/// Chooses the rows of a table that tell something at this step: not those without any value or all infinite, and in a
/// flat set not those of the dimension in which all is 0, but in any case those of the arrays that are named. Empty:
/// all rows are shown.
std::vector<RowName> rows_that_tell(const ArrayTable& table, const Cursor& cursor,
                                    const std::vector<std::string>& named);

/// Arrays whose rows are wanted, the most important ones first.
struct RowWishes {
  std::vector<std::string> named;      ///< by the stop or its questions: shown whatever they hold
  std::vector<std::string> mentioned;  ///< in its text
  std::vector<std::string> written;    ///< by the step, or shown before
};

/// Chooses so many rows of a table, in its order: those that are wished for, then those of the dimensions of named
/// ones, then others; rows that have one value in all columns come last, unless they are named or mentioned. The two
/// halves of a pair, such as x.lo and x.hi, come together. Of several components, those that read the same in all
/// columns are left out, and so are arrays without any values that are not named. `most`: so many rows, rather than
/// `room`, if that many are named. Empty: all rows are shown.
std::vector<RowName> rows_with_room(const ArrayTable& table, const Cursor& cursor, const RowWishes& wishes,
                                    std::size_t room, std::size_t most);

}  // namespace kdscope
