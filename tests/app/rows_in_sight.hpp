#pragma once
// Which rows of a stop an audience sees.

#include <algorithm>
#include <map>
#include <set>

#include "app/panes/arrays_pane.hpp"
#include "app/present/presentation.hpp"

namespace kdscope {

/// The claimed rows of a stop that belong to the table of the presentation but are not wholly in sight there.
inline std::vector<std::string> rows_out_of_sight(const Stop& stop, AudienceWindow& audience, const Cursor& now) {
  const auto shown = audience.shown_panes();
  if (std::find(shown.begin(), shown.end(), "arrays") == shown.end() || audience.arrays().shows_strips()) return {};
  ArrayTableView& view = audience.arrays().view();
  const std::vector<std::string> seen = view.rows_in_sight();
  const ArrayTable whole(now, nullptr, view.space(), view.axes());
  std::vector<std::string> missing;
  for (const ClaimedRow& claim : stop.shows)
    for (std::size_t row = 1; row < whole.rows().size(); ++row)
      if (whole.rows()[row].name == claim.row && std::find(seen.begin(), seen.end(), claim.row) == seen.end())
        missing.push_back(claim.row);
  std::ranges::sort(missing);
  missing.erase(std::unique(missing.begin(), missing.end()), missing.end());
  return missing;
}

/// The columns that a stop highlights or a question expects in the table of a view, but that are not in sight though
/// all of them together would fit.
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
  if (spoken.empty() || *spoken.rbegin() - *spoken.begin() >= view.visible_count()) return missing;
  for (const std::uint64_t column : spoken)
    if (column < view.table()->column_count() && view.cell_rect(0, column).isEmpty()) missing.push_back(column);
  return missing;
}

}  // namespace kdscope
