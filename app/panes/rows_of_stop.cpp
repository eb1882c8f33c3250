#include "app/panes/rows_of_stop.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <optional>
#include <ranges>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include "algorithms/trace/row_reader.hpp"

namespace kdscope {
namespace {

/// Whether the cells of a row differ at this step.
bool cells_differ(const ArrayTable& table, std::size_t row) {
  constexpr std::uint64_t most_looked_at = 64;
  const std::uint64_t size = std::min(table.rows()[row].size, most_looked_at);
  for (std::uint64_t column = 1; column < size; ++column)
    if (table.cell(row, column).text != table.cell(row, 0).text) return true;
  return false;
}

/// Whether an array has two different values at this step, missing ones apart, or is hidden. Of long rows, evenly
/// spread columns are read.
bool values_differ(const ArrayTable& table, const Cursor& cursor, const std::string& array) {
  constexpr std::uint64_t most_looked_at = 64;
  for (std::size_t row = 1; row < table.rows().size(); ++row) {
    const TableRow& at = table.rows()[row];
    if (at.name != array) continue;
    if (at.concealed) return true;
    const RowReader reader(cursor, at.name, at.component);
    std::optional<std::string> first;
    for (std::uint64_t column = 0; column < at.size; column += at.size / most_looked_at + 1)
      if (!reader.is_missing(column) && reader.text(column) != first.value_or(reader.text(column)))
        return true;
      else if (!reader.is_missing(column))
        first = reader.text(column);
  }
  return false;
}

/// Which kinds of values a row has. Long rows count as if they had all.
struct Kinds {
  bool zero = false, infinite = false, other = false;
  bool any() const { return zero || infinite || other; }
};

Kinds kinds_in(const Cursor& cursor, const TableRow& row) {
  constexpr std::uint64_t most_looked_at = 4096;
  if (row.concealed || row.size > most_looked_at) return {true, true, true};
  const RowReader reader(cursor, row.name, row.component);
  Kinds kinds;
  for (std::uint64_t column = 0; column < row.size && !kinds.other; ++column) {
    if (reader.is_missing(column)) continue;
    const double value = reader.number(column);
    (value == 0 ? kinds.zero : std::isinf(value) ? kinds.infinite : kinds.other) = true;
  }
  return kinds;
}

/// Whether any element of an array is there and not missing.
bool has_values(const ArrayTable& table, const Cursor& cursor, const std::string& array) {
  return std::ranges::any_of(table.rows(),
                             [&](const TableRow& row) { return row.name == array && kinds_in(cursor, row).any(); });
}

/// Returns the rows of an array that tell the columns apart: of several components, those that do not read the same in
/// all columns, such as z in a flat scene. If none do, all rows.
std::vector<RowName> telling_rows(const ArrayTable& table, const std::string& array) {
  std::vector<RowName> all, telling;
  for (std::size_t row = 1; row < table.rows().size(); ++row) {
    const TableRow& at = table.rows()[row];
    if (at.name != array) continue;
    all.push_back({at.name, at.component});
    if (at.components > 1 && cells_differ(table, row)) telling.push_back(all.back());
  }
  return telling.empty() ? all : telling;
}

/// The array that says half of what another one says, such as bracket.hi of bracket.lo; empty: none.
std::string other_half(const std::string& array) {
  constexpr std::pair<std::string_view, std::string_view> halves[]{
      {".lo", ".hi"}, {".hi", ".lo"}, {".left", ".right"}, {".right", ".left"}};
  for (const auto& [end, other] : halves)
    if (array.ends_with(end)) return array.substr(0, array.size() - end.size()).append(other);
  return {};
}

}  // namespace

std::vector<std::string> rows_of_stop(const Stop& stop, const ArrayTable& table) {
  std::vector<std::string> rows = stop.rows;
  const auto changes = [&](const ClaimedRow& claim) {
    for (std::size_t row = 1; row < table.rows().size(); ++row)
      if (table.rows()[row].name == claim.row) return !table.changes(row).empty();
    return false;
  };
  for (const bool wanted : {true, false})
    for (const ClaimedRow& claim : stop.shows)
      if (changes(claim) == wanted) rows.push_back(claim.row);
  return rows;
}

std::vector<std::string> rows_asked_for(const Stop& stop) {
  std::vector<std::string> rows;
  for (const Question& question : stop.questions) {
    if (question.expects && question.expects->kind == AnswerKind::cell) rows.push_back(question.expects->row);
    rows.insert(rows.end(), question.hidden_rows.begin(), question.hidden_rows.end());
  }
  return rows;
}

std::vector<std::string> rows_mentioned(const Stop& stop, const ArrayTable& table) {
  std::string text = stop.narration;
  for (const Question& question : stop.questions) text += question.text;
  std::vector<std::string> rows;
  const auto names = [&](const std::string& word) { return text.find('`' + word + '`') != std::string::npos; };
  for (const TableRow& row : table.rows() | std::views::drop(1))
    if ((rows.empty() || rows.back() != row.name) && (names(row.name) || names(row.label))) rows.push_back(row.name);
  return rows;
}

std::size_t count_left_out(const ArrayTable& table, const Cursor& cursor, const std::vector<RowName>& shown) {
  if (shown.empty()) return 0;
  std::size_t rows = 0;
  const std::string* before = nullptr;
  for (const TableRow& row : table.rows() | std::views::drop(1)) {
    if (before && *before == row.name) continue;
    before = &row.name;
    if (has_values(table, cursor, row.name))
      rows += static_cast<std::size_t>(std::ranges::count_if(telling_rows(table, row.name), [&](const RowName& each) {
        return std::ranges::find(shown, each) == shown.end();
      }));
  }
  return rows;
}

Axes axes_with_rows_of(const Stop& stop, const Trace& trace, Axes axes) {
  std::vector<std::string> rows = stop.rows;
  for (const ClaimedRow& claim : stop.shows) rows.push_back(claim.row);
  for (const std::string& row : rows)
    if (const Trace::Array* array = trace.find(row);
        array && !shows_dimension(axes, trace.header.dim, array->info.dimension))
      axes[2] = static_cast<int>(array->info.dimension);
  return axes;
}

std::size_t count_telling_rows(const ArrayTable& table, std::vector<std::string> arrays) {
  std::ranges::sort(arrays);
  arrays.erase(std::unique(arrays.begin(), arrays.end()), arrays.end());
  std::size_t rows = 0;
  for (const std::string& array : arrays) rows += telling_rows(table, array).size();
  return rows;
}

std::vector<RowName> rows_that_tell(const ArrayTable& table, const Cursor& cursor,
                                    const std::vector<std::string>& named) {
  std::vector<Kinds> kinds;
  std::map<std::uint32_t, Kinds> of_dimensions;
  for (const TableRow& row : table.rows()) {
    kinds.push_back(kinds_in(cursor, row));
    Kinds& all = of_dimensions[row.dimension];
    all.zero |= kinds.back().zero, all.other |= kinds.back().other;
  }
  const auto is_flat = [&](std::uint32_t d) { return d != no_id && of_dimensions[d].zero && !of_dimensions[d].other; };
  const bool all_flat =
      std::ranges::all_of(of_dimensions, [&](const auto& d) { return d.first == no_id || is_flat(d.first); });
  std::vector<RowName> rows;
  for (std::size_t row = 1; row < kinds.size(); ++row) {
    const TableRow& at = table.rows()[row];
    const bool tells = (kinds[row].zero || kinds[row].other) && (all_flat || !is_flat(at.dimension));
    if (tells || std::ranges::find(named, at.name) != named.end()) rows.push_back({at.name, at.component});
  }
  return rows.size() + 1 == table.rows().size() ? std::vector<RowName>() : rows;
}

std::vector<RowName> rows_with_room(const ArrayTable& table, const Cursor& cursor, const RowWishes& wishes,
                                    std::size_t room, std::size_t most) {
  const auto is_empty = [&](const std::string& array) { return !has_values(table, cursor, array); };
  const auto is_empty_row = [&](const TableRow& row) { return !row.name.empty() && is_empty(row.name); };
  const bool all_fit = table.rows().size() - 1 <= room;
  if (table.column_count() == 0 || (all_fit && std::ranges::none_of(table.rows(), is_empty_row))) return {};
  std::vector<RowName> chosen;
  const auto is_chosen = [&](const RowName& row) { return std::ranges::find(chosen, row) != chosen.end(); };
  const auto choose = [&](const std::vector<std::string>& arrays, std::size_t limit, bool with_other_half) {
    for (const std::string& name : arrays) {
      std::vector<RowName> rows = telling_rows(table, name);
      if (const std::string other = other_half(name); with_other_half && !other.empty())
        std::ranges::copy(telling_rows(table, other), std::back_inserter(rows));
      std::erase_if(rows, is_chosen);
      if (rows.empty()) continue;
      if (chosen.size() + rows.size() > limit && !chosen.empty()) continue;  // fewer rows may fit
      chosen.insert(chosen.end(), rows.begin(), rows.end());
    }
  };
  for (const bool with_other_half : {false, true}) choose(wishes.named, most, with_other_half);

  // Choose rows that tell columns apart; rather one row of several arrays than all of one
  std::set<std::uint32_t> named_dimensions;
  for (const TableRow& row : table.rows())
    if (row.dimension != no_id && std::ranges::find(wishes.named, row.name) != wishes.named.end())
      named_dimensions.insert(row.dimension);
  const auto is_akin = [&](const std::string& array) {
    const Trace::Array* found = cursor.trace().find(array);
    return found && named_dimensions.contains(found->info.dimension);
  };
  std::vector<std::string> mentioned = wishes.mentioned, written = wishes.written, others;
  for (const TableRow& row : table.rows() | std::views::drop(1)) others.push_back(row.name);
  for (std::vector<std::string>* some : {&mentioned, &written, &others}) std::erase_if(*some, is_empty);
  std::erase_if(written, [&](const std::string& array) { return !values_differ(table, cursor, array); });
  std::ranges::stable_sort(others, {}, [&](const std::string& array) {
    return std::tuple(!values_differ(table, cursor, array), !is_akin(array), telling_rows(table, array).size());
  });
  for (const std::vector<std::string>& some : {mentioned, written, others}) choose(some, room, true);
  std::ranges::sort(chosen);
  return chosen;
}

}  // namespace kdscope
