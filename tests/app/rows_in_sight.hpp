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

/// The columns that a stop highlights or a question expects in the table of a view, but that are not in sight.
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
  std::vector<std::uint64_t> missing;
  for (const std::uint64_t column : spoken)
    if (column < view.table()->column_count() && view.cell_rect(0, column).isEmpty()) missing.push_back(column);
  return missing;
}

}  // namespace kdscope
