#include "algorithms/variants/inside/sheet.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace kdscope::access_log {
namespace {

/// A place of the code that a lane passed, how often it had been there in the interval, and its access.
struct Passed {
  std::uint32_t site, repetition;
  const Access* access;
};

/// Merges what a lane passed into the columns: a new column stands behind the one that the lane passed before it, and
/// there in the order of lines.
void add_lane(const LaunchRecording& recording, const std::vector<Passed>& lane, std::size_t row,
              std::vector<SheetColumn>& columns) {
  std::size_t next = 0;
  for (const Passed& passed : lane) {
    const auto is_its = [&](const SheetColumn& each) {
      return each.site == passed.site && each.repetition == passed.repetition;
    };
    // Lanes that take the same way find their columns in a row
    auto column = next < columns.size() && is_its(columns[next]) ? columns.begin() + static_cast<std::ptrdiff_t>(next)
                                                                 : std::ranges::find_if(columns, is_its);
    if (column == columns.end()) {
      column = columns.begin() + static_cast<std::ptrdiff_t>(next);
      while (column != columns.end() && column->repetition == passed.repetition &&
             recording.sites[column->site].line < recording.sites[passed.site].line)
        ++column;
      column = columns.insert(column, {passed.site, passed.repetition, {}});
    }
    next = static_cast<std::size_t>(column - columns.begin()) + 1;
    column->cells.resize(row + 1);
    column->cells[row] = passed.access;
  }
}

/// Returns the sheet of accesses of one interval, those of each lane in their order.
Sheet sheet_of(const LaunchRecording& recording, const Stretch& stretch, std::vector<const Access*> accesses) {
  // What every lane does comes first
  const auto row_of = [](const Access* access) { return access->lane == every_lane ? -1 : std::int64_t(access->lane); };
  if (!std::ranges::is_sorted(accesses, {}, row_of)) std::ranges::stable_sort(accesses, {}, row_of);
  Sheet sheet{stretch.launch, stretch.group, stretch.interval, {}, {}};
  std::vector<Passed> lane;
  std::map<std::uint32_t, std::uint32_t> times;
  for (std::size_t i = 0; i < accesses.size(); ++i) {
    lane.push_back({accesses[i]->site, times[accesses[i]->site]++, accesses[i]});
    if (i + 1 < accesses.size() && accesses[i + 1]->lane == accesses[i]->lane) continue;
    add_lane(recording, lane, sheet.lanes.size(), sheet.columns);
    sheet.lanes.push_back(accesses[i]->lane);
    lane.clear();
    times.clear();
  }
  for (SheetColumn& column : sheet.columns) column.cells.resize(sheet.lanes.size());
  return sheet;
}

}  // namespace

Sheet sheet_of(const LaunchRecording& recording, const Stretch& stretch) {
  std::vector<const Access*> accesses;
  for (std::size_t i = stretch.begin; i < stretch.end; ++i) accesses.push_back(&recording.accesses[i]);
  return sheet_of(recording, stretch, std::move(accesses));
}

std::vector<Sheet> sheets_of(const LaunchRecording& recording, std::uint32_t launch, Range groups, Range lanes) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<const Access*>> intervals;  // by group and interval
  for (const Access& access : recording.accesses)
    if (access.launch == launch && groups.has(access.group) && (access.lane == every_lane || lanes.has(access.lane)))
      intervals[{access.group, access.interval}].push_back(&access);
  std::vector<Sheet> sheets;
  for (auto& [key, accesses] : intervals)
    sheets.push_back(sheet_of(recording, {launch, key.first, key.second}, std::move(accesses)));
  return sheets;
}

std::string cell_text(const LaunchRecording& recording, const Access& access) {
  const char* sign = access.is(AccessKind::read) ? " " : access.is(AccessKind::write) ? " <- " : " +> ";
  const bool bad = access.unwritten || recording.array_of(access).released || recording.out_of_bounds(access);
  return "[" + std::to_string(recording.index_of(access)) + "]" + sign + recording.value_of(access) + (bad ? "!" : "");
}

}  // namespace kdscope::access_log
