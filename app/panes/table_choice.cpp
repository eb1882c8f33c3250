#include "app/panes/table_choice.hpp"

#include <algorithm>
#include <map>
#include <ranges>

#include "app/panes/rows_of_stop.hpp"
#include "app/select/selection.hpp"

namespace kdscope {

const Stop* TableChoice::stop() const {
  const int stop = workbench_.lessons().at_introduction() ? 0 : workbench_.lessons().stop_index();
  return stop < 0 ? nullptr : &workbench_.lessons().lesson()->stops[static_cast<std::size_t>(stop)];
}

Axes TableChoice::axes() const {
  const Axes& axes = workbench_.playback().axes();
  return stop() ? axes_with_rows_of(*stop(), cursor().trace(), axes) : axes;
}

ArrayTable TableChoice::whole_table(Space of) const {
  return ArrayTable(cursor(), workbench_.playback().baseline(), of, axes());
}

std::vector<std::string> TableChoice::arrays_named(const ArrayTable& table) const {
  return stop() ? rows_of_stop(*stop(), table) : std::vector<std::string>();
}

std::size_t TableChoice::most_named(Space of) const {
  const Lesson* lesson = workbench_.lessons().lesson();
  if (!lesson) return 0;
  const ArrayTable table = whole_table(of);
  std::size_t most = 0;
  for (const Stop& each : lesson->stops) most = std::max(most, count_telling_rows(table, rows_of_stop(each, table)));
  return most;
}

TableChoice::Extent TableChoice::largest_in_run(Space of) const {
  constexpr std::uint64_t most_looked_at = 20'000;  // elements per row; asked again at every size
  const ArrayTable here = whole_table(of);
  Extent largest{here.rows().size(), here.column_count()};
  if (std::max<std::uint64_t>(cursor().trace().header.n, 1) * cursor().step_count() > most_looked_at) return largest;
  largest = {};
  Cursor at = cursor();
  for (std::uint32_t step = 0; step < at.step_count(); ++step) {
    at.seek(step);
    const ArrayTable table(at, nullptr, of, axes());
    if (table.column_count() == 0) continue;
    const std::size_t telling = kdscope::rows_that_tell(table, at, {}).size();
    largest.rows = std::max(largest.rows, telling > 0 ? telling + 1 : table.rows().size());
    largest.columns = std::max(largest.columns, table.column_count());
  }
  return largest;
}

std::vector<IndexRange> TableChoice::claimed_columns(const ArrayTable& table) const {
  std::uint64_t end = 0;
  if (stop() && !workbench_.lessons().at_introduction())
    for (const ClaimedRow& claim : stop()->shows)
      for (const TableRow& row : table.rows())
        if (row.name == claim.row) end = std::max<std::uint64_t>(end, claim.values.size());
  if (end == 0) return {};
  return {{0, end}};
}

std::vector<IndexRange> TableChoice::spoken_columns(const ArrayTable& table, Space of, bool or_changed) const {
  std::vector<IndexRange> columns;
  for (const Highlight& highlight : workbench_.playback().added_highlights())
    if (highlight.space == of) columns.insert(columns.end(), highlight.ranges.begin(), highlight.ranges.end());
  const Question* question = workbench_.questions().question();
  if (question && question->expects) {
    const AnswerKind kind = question->expects->kind;
    const auto has_row = [&](const TableRow& row) { return row.name == question->expects->row; };
    const bool here = kind == AnswerKind::positions ? of == Space::position
                      : kind == AnswerKind::points  ? of == Space::point
                      : kind == AnswerKind::nodes   ? of == Space::node
                      : kind == AnswerKind::cell    ? std::ranges::any_of(table.rows(), has_row)
                                                    : false;
    for (const std::uint32_t element : question->expects->elements)
      if (here) columns.push_back({element, std::uint64_t{element} + 1});
  }
  // Or else of where the step splits
  if (stop() && columns.empty()) std::ranges::copy(table.columns_with(Role::pivot), std::back_inserter(columns));
  const bool takes_changes = or_changed && columns.empty();
  for (std::size_t row = 1; takes_changes && row < table.rows().size(); ++row)
    std::ranges::copy(table.changes(row), std::back_inserter(columns));
  std::ranges::sort(columns, {}, &IndexRange::begin);
  return columns;
}

std::vector<std::vector<IndexRange>> TableChoice::framed_columns(const ArrayTable& table, Space of) const {
  const Playback& playback = workbench_.playback();
  auto rows = columns_in(table, cursor(), playback.selection(), playback.linked(), of);
  const Question* question = workbench_.questions().question();
  const bool is_cell = question && question->expects && question->expects->kind == AnswerKind::cell &&
                       !workbench_.questions().is_open() && !playback.selection();
  if (rows.size() != 1 || !is_cell) return rows;
  // An answer that is a cell is one in its own order, not in all
  const std::vector<TableRow>& all = table.rows();
  const auto asked = std::ranges::find(all, question->expects->row, &TableRow::name);
  const std::vector<IndexRange> cell = std::move(rows[0]);
  rows.assign(all.size(), {});
  for (std::size_t row = 1; asked != all.end() && row < all.size(); ++row)
    if (all[row].name == asked->name || (asked->dimension != no_id && all[row].dimension == asked->dimension))
      rows[row] = cell;
  return rows;
}

std::vector<RowName> TableChoice::rows_that_fit(Space of, const std::vector<RowName>& before, std::size_t room,
                                                std::size_t most) const {
  const ArrayTable table = whole_table(of);
  RowWishes wishes;
  const bool at_stop = workbench_.lessons().stop_index() >= 0;
  if (at_stop) wishes.named = rows_asked_for(*stop());
  std::ranges::copy(arrays_named(table), std::back_inserter(wishes.named));
  if (stop()) wishes.mentioned = rows_mentioned(*stop(), table);
  wishes.written = cursor().current().wrote;
  for (const RowName& row : before)
    if (!at_stop) wishes.written.push_back(row.array);  // a stop shows the same rows whichever way one comes
  return rows_with_room(table, cursor(), wishes, room, most);
}

std::vector<RowName> TableChoice::rows_that_tell(const ArrayTable& whole) const {
  std::vector<std::string> named = arrays_named(whole);
  if (workbench_.lessons().stop_index() >= 0)
    for (std::string& asked : rows_asked_for(*stop())) named.push_back(std::move(asked));
  return kdscope::rows_that_tell(whole, cursor(), named);
}

std::vector<RowName> TableChoice::without_hidden(const ArrayTable& whole, std::vector<RowName> rows) const {
  const Concealment& concealed = workbench_.playback().concealment();
  if (!workbench_.lessons().at_introduction() || concealed.rows.empty()) return rows;
  std::vector<RowName> known;
  for (const TableRow& row : whole.rows() | std::views::drop(1)) {
    const RowName name{row.name, row.component};
    const Trace::Array* array = cursor().trace().find(row.name);
    const bool chosen = rows.empty() || std::ranges::find(rows, name) != rows.end();
    if (chosen && !(array && concealed.hides(array->info))) known.push_back(name);
  }
  return known.empty() ? rows : known;
}

Space TableChoice::space_of_step(const std::vector<Space>& spaces, Space shown) const {
  // A stop shows the same table whichever way one comes.
  const Space preferred = stop() ? spaces.front() : shown;
  Space wanted = changed_space(cursor(), workbench_.playback().baseline(), preferred).value_or(preferred);
  if (const std::vector<std::string> rows = arrays_named(whole_table(preferred)); !rows.empty())
    if (const Trace::Array* array = cursor().trace().find(rows.front());
        array && !(workbench_.lessons().at_introduction() && workbench_.playback().concealment().hides(array->info)))
      wanted = array->info.index_space;
  return std::ranges::find(spaces, wanted) == spaces.end() ? shown : wanted;
}

std::vector<Space> TableChoice::spaces_beside(std::vector<Space> spaces, Space shown) const {
  std::erase(spaces, shown);
  std::map<Space, std::size_t> spoken;
  for (const Space each : spaces) {
    const ArrayTable table = whole_table(each);
    if (stop()) spoken[each] += rows_mentioned(*stop(), table).size();
    for (const std::string& written : cursor().current().wrote)
      spoken[each] += std::ranges::any_of(table.rows(), [&](const TableRow& row) { return row.name == written; });
  }
  std::ranges::stable_sort(spaces, std::greater(), [&](Space each) { return spoken[each]; });
  return spaces;
}

}  // namespace kdscope
