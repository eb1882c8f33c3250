#include "app/variant_trials/page_sheets.hpp"

#include <algorithm>
#include <bit>
#include <memory>
#include <utility>

#include "algorithms/variants/inside/launch_walk.hpp"
#include "algorithms/variants/inside/sheet.hpp"
#include "app/variant_trials/step_look.hpp"

namespace kdscope {
namespace {

using namespace access_log;

/// The column of what the lanes did together; empty if they did nothing but accesses.
PageSheet::Column together_column(const Interval& call) {
  if (call.call == "lanes" || call.values.empty()) return {};
  if (call.call == "ballot")
    return {call.call, std::to_string(std::popcount(static_cast<std::uint32_t>(call.values.front()))) + " of 32"};
  if (call.call == "smallest" || call.call == "largest") return {call.call, value_text(call, 0)};
  return {call.call == "exclusive_sum" ? "sums before" : call.call + " from", ""};
}

/// What a lane had or received in it.
std::string together_text(const Interval& call, std::uint32_t lane) {
  if (call.call == "ballot") return lane < 32 ? (call.values.front() >> lane & 1 ? "1" : "0") : "";
  if (call.call == "smallest" || call.call == "largest" || lane >= call.values.size()) return "";
  const std::string value = value_text(call, lane);
  return lane < call.sources.size() ? "lane " + std::to_string(call.sources[lane]) + ": " + value : value;
}

PageSheet page_sheet(const LaunchRecording& recording, const Stretch& at) {
  const Launch& launch = recording.launches[at.launch];
  const bool grouped = launch.kind != LaunchKind::threads;
  const Sheet sheet = sheet_of(recording, at);
  PageSheet page;
  page.place = grouped ? std::string(recording.group_word(at.launch)) + " " + std::to_string(at.group) + ", interval " +
                             std::to_string(at.interval)
                       : "all indices";
  // A vote has every lane of its warp, whether it made accesses or not
  const Interval* call = at.call ? &recording.intervals[*at.call] : nullptr;
  const PageSheet::Column together = call ? together_column(*call) : PageSheet::Column();
  std::vector<std::uint32_t> lanes = sheet.lanes;
  if (!together.line.empty()) {
    for (std::uint32_t lane = 0; lane < launch.lanes; ++lane)
      if (std::ranges::find(sheet.lanes, lane) == sheet.lanes.end() && !together_text(*call, lane).empty())
        lanes.push_back(lane);
    std::ranges::sort(lanes, {}, [](std::uint32_t lane) { return lane == every_lane ? -1 : std::int64_t(lane); });
    page.columns.push_back(together);
  }
  const std::size_t shown = std::min(sheet.columns.size(), most_page_accesses);
  page.columns_left_out = sheet.columns.size() - shown;
  for (std::size_t c = 0; c < shown; ++c) {
    const SheetColumn& column = sheet.columns[c];
    const auto made = std::ranges::find_if(column.cells, [](const Access* access) { return access != nullptr; });
    page.columns.push_back(
        {recording.line_of(column.site) + (column.repetition > 0 ? " #" + std::to_string(column.repetition + 1) : ""),
         made == column.cells.end() ? "" : recording.array_of(**made).name});
  }
  page.lanes_left_out = lanes.size() - std::min(lanes.size(), most_page_lanes);
  lanes.resize(lanes.size() - page.lanes_left_out);
  for (const std::uint32_t lane : lanes) {
    page.lanes.push_back(lane == every_lane ? "every lane" : (grouped ? "lane " : "index ") + std::to_string(lane));
    const auto row = static_cast<std::size_t>(std::ranges::find(sheet.lanes, lane) - sheet.lanes.begin());
    std::vector<std::string>& cells = page.cells.emplace_back();
    if (!together.line.empty()) cells.push_back(lane == every_lane ? "" : together_text(*call, lane));
    for (std::size_t c = 0; c < shown; ++c) {
      const Access* access = row < sheet.lanes.size() ? sheet.columns[c].cells[row] : nullptr;
      cells.push_back(access ? cell_text(recording, *access) : "");
    }
  }
  return page;
}

Result<PageSheets> sheets_at(const Lesson& lesson, const Trace& trace, std::uint32_t step, const std::string& inside) {
  auto look = look_beside(lesson, trace, step);
  if (!look) return look.error();
  put_in_order(look->recording);
  LaunchWalk walk(std::make_shared<const LaunchRecording>(std::move(look->recording)));
  const auto place = place_inside(inside);
  if (!place || walk.empty() || !walk.go_to(*place))
    return Error{ErrorKind::bad_input, "does not hold " + inside, recording_beside(lesson), "record it again"};
  PageSheets page;
  const Stretch here = walk.stretch();
  page.launch = walk.recording().text_of_launch(here.launch);
  for (const Stretch& each : walk.stretches()) {
    if (each.launch != here.launch || each.group != here.group) continue;
    if (each == here) page.open = page.intervals.size();
    page.intervals.push_back(page_sheet(walk.recording(), each));
  }
  return page;
}

}  // namespace

PageSheetsByStop page_sheets(const Lesson& lesson, const Trace& trace) {
  PageSheetsByStop by_stop;
  const auto steps = resolve_stops(lesson, trace);
  if (!steps) return by_stop;  // the page reports it
  for (std::size_t i = 0; i < steps->size(); ++i) {
    const std::string& inside = lesson.stops[i].inside;
    if (inside.empty()) continue;
    auto sheets = sheets_at(lesson, trace, (*steps)[i], inside);
    if (sheets)
      by_stop[i] = std::move(*sheets);
    else
      by_stop[i].missing = sheets.error().message();
  }
  return by_stop;
}

}  // namespace kdscope
