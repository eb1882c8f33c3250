#include "algorithms/variants/inside/sheet.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace kdscope::access_log {
namespace {

/// The accesses of a lane in an interval, with their repetitions.
using Passed = std::vector<std::pair<std::pair<std::uint32_t, std::uint32_t>, const Access*>>;

/// Merges what a lane passed into the columns: a new column stands behind the one that the lane passed before it, and
/// there in the order of lines.
void add_lane(const LaunchRecording& recording, const Passed& passed, std::size_t row,
              std::vector<SheetColumn>& columns) {
  std::size_t next = 0;
  for (const auto& [key, access] : passed) {
    auto column = std::ranges::find_if(
        columns, [&](const SheetColumn& each) { return each.site == key.first && each.repetition == key.second; });
    if (column == columns.end()) {
      column = columns.begin() + static_cast<std::ptrdiff_t>(next);
      while (column != columns.end() && column->repetition == key.second &&
             recording.sites[column->site].line < recording.sites[key.first].line)
        ++column;
      column = columns.insert(column, {key.first, key.second, {}});
    }
    next = static_cast<std::size_t>(column - columns.begin()) + 1;
    column->cells.resize(row + 1);
    column->cells[row] = access;
  }
}

}  // namespace

std::vector<Sheet> sheets_of(const LaunchRecording& recording, std::uint32_t launch, Range groups, Range lanes) {
  // Gather by group, interval and lane; what every lane does comes first
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::int64_t>, Passed> passed;
  for (const Access& access : recording.accesses) {
    const bool every = access.lane == every_lane;
    if (access.launch != launch || !groups.has(access.group) || (!every && !lanes.has(access.lane))) continue;
    Passed& lane = passed[{access.group, access.interval, every ? -1 : std::int64_t(access.lane)}];
    const auto before = std::ranges::count_if(lane, [&](const auto& each) { return each.first.first == access.site; });
    lane.push_back({{access.site, static_cast<std::uint32_t>(before)}, &access});
  }
  std::vector<Sheet> sheets;
  for (const auto& [key, accesses] : passed) {
    const auto& [group, interval, lane] = key;
    if (sheets.empty() || sheets.back().group != group || sheets.back().interval != interval)
      sheets.push_back({launch, group, interval, {}, {}});
    Sheet& sheet = sheets.back();
    add_lane(recording, accesses, sheet.lanes.size(), sheet.columns);
    sheet.lanes.push_back(lane < 0 ? every_lane : static_cast<std::uint32_t>(lane));
  }
  for (Sheet& sheet : sheets)
    for (SheetColumn& column : sheet.columns) column.cells.resize(sheet.lanes.size());
  return sheets;
}

std::string cell_text(const LaunchRecording& recording, const Access& access) {
  const char* sign = access.is(AccessKind::read) ? " " : access.is(AccessKind::write) ? " <- " : " +> ";
  const bool bad = access.unwritten || recording.array_of(access).released || recording.out_of_bounds(access);
  return "[" + std::to_string(recording.index_of(access)) + "]" + sign + recording.value_of(access) + (bad ? "!" : "");
}

}  // namespace kdscope::access_log
