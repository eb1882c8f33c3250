#pragma once
// Which rows of a stop an audience sees.

#include <algorithm>
#include <map>
#include <set>

#include "app/panes/arrays_pane.hpp"
#include "app/present/presentation.hpp"

namespace kdscope {

/// The claimed rows of a stop that belong to the table of the presentation but are not wholly in sight there. Of an
/// array with several components, those that read the same in all columns need not be.
inline std::vector<std::string> rows_out_of_sight(const Stop& stop, AudienceWindow& audience, const Cursor& now) {
  const auto shown = audience.shown_panes();
  if (std::find(shown.begin(), shown.end(), "arrays") == shown.end() || audience.arrays().shows_strips()) return {};
  ArrayTableView& view = audience.arrays().view();
  const std::vector<RowName> seen = view.rows_in_sight();
  const ArrayTable whole(now, nullptr, view.space());
  std::set<std::string> asked;
  for (const ClaimedRow& claim : stop.shows) asked.insert(claim.row);
  for (const Question& question : stop.questions) {
    if (question.expects && question.expects->kind == AnswerKind::cell) asked.insert(question.expects->row);
    asked.insert(question.hidden_rows.begin(), question.hidden_rows.end());
  }
  const auto tells = [&](std::size_t row) {
    for (std::uint64_t column = 1; column < whole.rows()[row].size; ++column)
      if (whole.cell(row, column).text != whole.cell(row, 0).text) return true;
    return whole.rows()[row].components == 1;
  };
  std::vector<std::string> missing;
  for (std::size_t row = 1; row < whole.rows().size(); ++row) {
    const TableRow& at = whole.rows()[row];
    if (asked.contains(at.name) && tells(row) && std::ranges::find(seen, RowName{at.name, at.component}) == seen.end())
      missing.push_back(at.name);
  }
  std::ranges::sort(missing);
  missing.erase(std::unique(missing.begin(), missing.end()), missing.end());
  return missing;
}

/// The columns that a stop highlights or a question expects in the table of a view, but that are not in sight. Where
/// there are none, the first pivot of the step.
inline std::vector<std::uint64_t> columns_out_of_sight(const Stop& stop, const Question* question,
                                                       const ArrayTableView& view) {
  std::set<std::uint64_t> spoken;
  for (const Highlight& highlight : stop.highlights)
    for (const IndexRange& range : highlight.ranges)
      for (std::uint64_t i = range.begin; i < range.end && highlight.space == view.space(); ++i) spoken.insert(i);
  const std::map<AnswerKind, Space> space_of{
      {AnswerKind::positions, Space::position}, {AnswerKind::points, Space::point}, {AnswerKind::nodes, Space::node}};
  if (question && question->expects)
    if (const auto kind = space_of.find(question->expects->kind);
        kind != space_of.end() && kind->second == view.space())
      spoken.insert(question->expects->elements.begin(), question->expects->elements.end());
  if (question && question->expects && question->expects->kind == AnswerKind::cell)
    for (const TableRow& row : view.table()->rows())
      if (row.name == question->expects->row)
        spoken.insert(question->expects->elements.begin(), question->expects->elements.end());
  if (const auto pivots = view.table()->columns_with(Role::pivot); spoken.empty() && !pivots.empty())
    spoken.insert(pivots.front().begin);
  std::vector<std::uint64_t> missing;
  for (const std::uint64_t column : spoken)
    if (column < view.table()->column_count() && view.cell_rect(0, column).isEmpty()) missing.push_back(column);
  return missing;
}

/// The rows in sight of a stage's table that have one value in all columns, and of which neither the stop nor its text
/// speaks, while a row of other values has no room.
inline std::vector<std::string> idle_rows_in_sight(const Stop& stop, AudienceWindow& audience, const Cursor& now) {
  const auto shown = audience.shown_panes();
  if (std::ranges::find(shown, "arrays") == shown.end() || audience.arrays().shows_strips()) return {};
  ArrayTableView& view = audience.arrays().view();
  const ArrayTable whole(now, nullptr, view.space(), view.axes());
  const std::vector<RowName> seen = view.rows_in_sight();
  std::string texts = stop.narration;
  std::set<std::string> spoken(stop.rows.begin(), stop.rows.end());
  for (const ClaimedRow& claim : stop.shows) spoken.insert(claim.row);
  for (const Question& question : stop.questions) {
    texts += question.text;
    spoken.insert(question.hidden_rows.begin(), question.hidden_rows.end());
    if (question.expects) spoken.insert(question.expects->row);
  }
  const auto values = [&](std::size_t row) {
    std::set<std::string> different;
    for (std::uint64_t column = 0; column < whole.rows()[row].size; ++column)
      different.insert(whole.cell(row, column).text);
    different.erase("\u2013");
    return different.size();
  };
  std::vector<std::string> idle;
  bool others = false;
  for (std::size_t row = 1; row < whole.rows().size(); ++row) {
    const TableRow& at = whole.rows()[row];
    const bool in_sight = std::ranges::find(seen, RowName{at.name, at.component}) != seen.end(),
               is_half = at.name.find_last_of('.') != std::string::npos || at.components > 1;  // comes with another
    if (is_half || spoken.contains(at.name) || at.size > 4096) continue;
    if (in_sight && values(row) < 2 && texts.find('`' + at.name + '`') == std::string::npos &&
        texts.find('`' + at.label + '`') == std::string::npos)
      idle.push_back(at.name);
    others |= !in_sight && values(row) > 1;
  }
  return others ? idle : std::vector<std::string>();
}

}  // namespace kdscope
