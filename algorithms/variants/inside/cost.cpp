#include "algorithms/variants/inside/cost.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "algorithms/variants/inside/loop_turns.hpp"

namespace kdscope::access_log {
namespace {

constexpr std::uint32_t warp_lanes = 32, banks = 32, word_bytes = 4;
constexpr std::int64_t sector_bytes = 32;

std::int64_t divided_down(std::int64_t a, std::int64_t b) { return a >= 0 ? a / b : -((-a + b - 1) / b); }

/// What one lane accesses at once.
struct Piece {
  std::uint32_t lane = 0, bytes = 0;
  std::int64_t offset = 0;
};

/// Returns how wide the pieces are in which a device makes an access: an element of 8 bytes on a boundary of 4 takes
/// two in global memory. In shared memory the compiler knows the boundary of the whole array.
std::uint32_t piece_bytes(const Access& access, const WatchedArray& array) {
  const bool in_pieces = !array.shared && array.alignment > 0 && access.bytes > array.alignment;
  return in_pieces ? array.alignment : access.bytes;
}

/// Adds the sectors of one warp access, or their least number, to a line.
void add_sectors(const std::vector<Piece>& lanes, std::uint64_t times, LineCost& line) {
  std::set<std::int64_t> sectors, bytes;
  for (const Piece& piece : lanes)
    for (std::int64_t at = piece.offset; at < piece.offset + piece.bytes; ++at)
      bytes.insert(at), sectors.insert(divided_down(at, sector_bytes));
  line.sectors += times * sectors.size();
  line.least_sectors += times * ((bytes.size() + sector_bytes - 1) / sector_bytes);
}

/// Returns whether the lanes 2 i and 2 i + 1 of a warp, where both take part, access the same bytes.
bool pairs_agree(const std::vector<Piece>& lanes) {
  std::map<std::uint32_t, std::int64_t> offsets;  // by pair
  return std::ranges::all_of(lanes, [&](const Piece& piece) {
    return offsets.try_emplace(piece.lane / 2, piece.offset).first->second == piece.offset;
  });
}

/// Returns how many more passes the banks take than one for each part of the warp. Wide accesses go part by part, but
/// reads of 8 bytes by the whole warp at once if its pairs of lanes agree, as measured on an H100.
std::uint64_t conflicts_of(const std::vector<Piece>& lanes, std::uint32_t bank_offset, bool reads) {
  std::map<std::uint32_t, std::map<std::int64_t, std::set<std::int64_t>>> words;  // by part of the warp and bank
  const bool at_once = reads && lanes.front().bytes == 2 * word_bytes && pairs_agree(lanes);
  for (const Piece& piece : lanes) {
    const std::uint32_t parts = at_once ? 1 : std::clamp(piece.bytes / word_bytes, 1u, word_bytes),
                        lanes_of_part = warp_lanes / parts;
    auto& part = words[piece.lane == every_lane ? 0 : piece.lane % warp_lanes / lanes_of_part];
    const std::int64_t begin = piece.offset + bank_offset;
    for (std::int64_t word = divided_down(begin, word_bytes); word * word_bytes < begin + piece.bytes; ++word)
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
  // Gather the lanes of each warp access, piece by piece
  using WarpAccess = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t,
                                std::uint32_t>;  // launch, group, interval, warp, site, turn
  struct Gathered {
    const Access* first = nullptr;
    std::vector<std::vector<Piece>> pieces = {};
  };
  std::map<WarpAccess, Gathered> warp_accesses;
  LoopTurns turns(r, 0, r.accesses.size());
  for (const Access& access : r.accesses) {
    const std::uint32_t warp = access.lane == every_lane ? every_lane : access.lane / warp_lanes;
    Gathered& gathered =
        warp_accesses[{access.launch, access.group, access.interval, warp, access.site, turns.turn_of(access)}];
    if (!gathered.first) gathered.first = &access;
    const std::uint32_t width = piece_bytes(access, r.array_of(access));
    for (std::uint32_t begin = 0; begin < access.bytes; begin += width) {
      const std::size_t number = begin / width;
      if (gathered.pieces.size() <= number) gathered.pieces.emplace_back();
      gathered.pieces[number].push_back({access.lane, std::min(width, access.bytes - begin), access.offset + begin});
    }
  }
  // Sum them by lines and arrays
  std::map<std::tuple<std::uint32_t, std::string, std::uint32_t, std::uint32_t>, LineCost> lines;
  for (const auto& [key, gathered] : warp_accesses) {
    const Access& first = *gathered.first;
    const WatchedArray& array = r.array_of(first);
    LineCost& line = lines[{first.launch, r.line_of(first.site), first.array, first.kind}];
    line.launch = first.launch, line.line = r.line_of(first.site), line.array = array.name;
    line.shared = array.shared, line.kind = static_cast<AccessKind>(first.kind);
    const std::uint32_t lanes_of_group = r.launches[first.launch].lanes;
    const bool every = first.lane == every_lane;
    const std::uint64_t times = every ? (lanes_of_group + warp_lanes - 1) / warp_lanes : 1;
    for (const std::vector<Piece>& lanes : gathered.pieces) {
      line.warp_accesses += times;
      line.lanes += every ? lanes_of_group : lanes.size();
      if (array.shared)
        line.bank_conflicts += times * conflicts_of(lanes, array.bank_offset, first.is(AccessKind::read));
      else
        add_sectors(lanes, times, line);
    }
  }
  std::vector<LineCost> sorted;
  for (auto& [key, line] : lines) sorted.push_back(std::move(line));
  std::ranges::stable_sort(sorted, std::ranges::greater(), [](const LineCost& line) {
    return std::tuple(line.sectors, line.bank_conflicts, line.warp_accesses);
  });
  return sorted;
}

}  // namespace kdscope::access_log
