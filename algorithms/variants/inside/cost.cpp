#include "algorithms/variants/inside/cost.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace kdscope::access_log {
namespace {

constexpr std::uint32_t warp_lanes = 32, banks = 32, word_bytes = 4;
constexpr std::int64_t sector_bytes = 32;

std::int64_t divided_down(std::int64_t a, std::int64_t b) { return a >= 0 ? a / b : -((-a + b - 1) / b); }

/// Adds the sectors of one warp access, or their least number, to a line.
void add_sectors(const std::vector<const Access*>& lanes, std::uint64_t times, LineCost& line) {
  std::set<std::int64_t> sectors, bytes;
  for (const Access* access : lanes)
    for (std::int64_t at = access->offset; at < access->offset + access->bytes; ++at)
      bytes.insert(at), sectors.insert(divided_down(at, sector_bytes));
  line.sectors += times * sectors.size();
  line.least_sectors += times * ((bytes.size() + sector_bytes - 1) / sector_bytes);
}

/// Returns how many more passes the banks take than one for each part of the warp.
std::uint64_t conflicts_of(const std::vector<const Access*>& lanes, std::uint32_t bank_offset) {
  std::map<std::uint32_t, std::map<std::int64_t, std::set<std::int64_t>>> words;  // by part of the warp and bank
  for (const Access* access : lanes) {
    const std::uint32_t lanes_of_part = warp_lanes / std::clamp(access->bytes / word_bytes, 1u, word_bytes);
    auto& part = words[access->lane == every_lane ? 0 : access->lane % warp_lanes / lanes_of_part];
    const std::int64_t begin = access->offset + bank_offset;
    for (std::int64_t word = divided_down(begin, word_bytes); word * word_bytes < begin + access->bytes; ++word)
      part[(word % banks + banks) % banks].insert(word);
  }
  std::uint64_t conflicts = 0;
  for (const auto& [number, part] : words) {
    std::size_t most = 1;
    for (const auto& [bank, different] : part) most = std::max(most, different.size());
    conflicts += most - 1;
  }
  return conflicts;
}

}  // namespace

std::vector<LineCost> cost_of_lines(const LaunchRecording& r) {
  // Gather the lanes of each warp access
  using WarpAccess = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t,
                                std::uint32_t>;  // launch, group, interval, warp, site, repetition
  std::map<WarpAccess, std::vector<const Access*>> warp_accesses;
  std::map<std::uint32_t, std::uint32_t> repetitions;  // by site, of the lane that runs
  const Access* before = nullptr;
  for (const Access& access : r.accesses) {
    if (!before || access.order == 0) repetitions.clear();
    before = &access;
    const std::uint32_t warp = access.lane == every_lane ? every_lane : access.lane / warp_lanes;
    warp_accesses[{access.launch, access.group, access.interval, warp, access.site, repetitions[access.site]++}]
        .push_back(&access);
  }
  // Sum them by lines and arrays
  std::map<std::tuple<std::uint32_t, std::string, std::uint32_t, std::uint32_t>, LineCost> lines;
  for (const auto& [key, lanes] : warp_accesses) {
    const Access& first = *lanes.front();
    const WatchedArray& array = r.array_of(first);
    LineCost& line = lines[{first.launch, r.line_of(first.site), first.array, first.kind}];
    line.launch = first.launch, line.line = r.line_of(first.site), line.array = array.name;
    line.shared = array.shared, line.kind = static_cast<AccessKind>(first.kind);
    const std::uint32_t lanes_of_group = r.launches[first.launch].lanes;
    const bool every = first.lane == every_lane;
    const std::uint64_t times = every ? (lanes_of_group + warp_lanes - 1) / warp_lanes : 1;
    line.warp_accesses += times;
    line.lanes += every ? lanes_of_group : lanes.size();
    if (array.shared)
      line.bank_conflicts += times * conflicts_of(lanes, array.bank_offset);
    else
      add_sectors(lanes, times, line);
  }
  std::vector<LineCost> sorted;
  for (auto& [key, line] : lines) sorted.push_back(std::move(line));
  std::ranges::stable_sort(sorted, std::ranges::greater(), [](const LineCost& line) {
    return std::tuple(line.sectors, line.bank_conflicts, line.warp_accesses);
  });
  return sorted;
}

}  // namespace kdscope::access_log
