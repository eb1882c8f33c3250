#pragma once
// Which rows of a stop an audience sees.

#include <algorithm>

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

}  // namespace kdscope
