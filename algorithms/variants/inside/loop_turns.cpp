#include "algorithms/variants/inside/loop_turns.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace kdscope::access_log {

/// The ways between sites that lanes took.
struct LoopTurns::Ways {
  const std::vector<Site>& sites;
  std::vector<std::vector<Level>>& levels;
  std::set<std::pair<std::uint32_t, std::uint32_t>> ways = {};
  std::set<std::uint32_t> begins = {};  ///< where lanes begin
  std::uint32_t loops = 0;

  /// Returns the order of two sites in the machine code, by the calls that lead to them.
  bool is_before(std::uint32_t a, std::uint32_t b) const {
    const auto calls = [&](std::uint32_t site) {
      std::vector<std::uint64_t> codes;
      for (std::uint32_t at = site + 1; at != 0; at = sites[at - 1].caller) codes.push_back(sites[at - 1].code);
      std::ranges::reverse(codes);
      return codes;
    };
    return calls(a) < calls(b);
  }

  /// Returns the site at which lanes enter a loop; of several, the first one of the code.
  std::uint32_t head_of(const std::set<std::uint32_t>& loop) const {
    std::set<std::uint32_t> entries;
    for (const std::uint32_t site : loop)
      if (begins.contains(site)) entries.insert(site);
    for (const auto& [from, to] : ways)
      if (loop.contains(to) && !loop.contains(from)) entries.insert(to);
    return *std::ranges::min_element(entries.empty() ? loop : entries,
                                     [&](std::uint32_t a, std::uint32_t b) { return is_before(a, b); });
  }

  /// Adds a level to the sites of a loop, or of the kernel, without the ways back to its head.
  void place(const std::vector<std::uint32_t>& nodes, std::uint32_t loop, std::uint32_t head) {
    // Find which sites lanes can reach from each
    std::map<std::uint32_t, std::set<std::uint32_t>> reached;
    for (const std::uint32_t node : nodes) {
      std::vector<std::uint32_t> left{node};
      while (!left.empty()) {
        const std::uint32_t from = left.back();
        left.pop_back();
        for (auto way = ways.lower_bound({from, 0}); way != ways.end() && way->first == from; ++way)
          if (way->second != head && std::ranges::binary_search(nodes, way->second) &&
              reached[node].insert(way->second).second)
            left.push_back(way->second);
      }
    }
    // With itself, a site reaches more sites than one behind it, and as many as another one of its loop
    std::vector<std::uint32_t> sorted = nodes;
    std::ranges::stable_sort(sorted, std::ranges::greater(), [&](std::uint32_t node) {
      return reached[node].size() + (reached[node].contains(node) ? 0 : 1);
    });
    std::set<std::uint32_t> placed;
    std::uint32_t position = 0;
    for (const std::uint32_t node : sorted) {
      if (placed.contains(node)) continue;
      std::set<std::uint32_t> inner{node};
      for (const std::uint32_t other : reached[node])
        if (reached[other].contains(node)) inner.insert(other);
      for (const std::uint32_t member : inner) levels[member].push_back({loop, position}), placed.insert(member);
      ++position;
      if (reached[node].contains(node)) place({inner.begin(), inner.end()}, ++loops, head_of(inner));
    }
  }
};

LoopTurns::LoopTurns(const LaunchRecording& r, std::size_t begin, std::size_t end) : levels_(r.sites.size()) {
  Ways all{r.sites, levels_};
  std::set<std::uint32_t> sites;
  for (std::size_t i = begin; i < end; ++i) {
    const Access& access = r.accesses[i];
    if (i == begin || access.order == 0)
      all.begins.insert(access.site);
    else
      all.ways.insert({r.accesses[i - 1].site, access.site});
    sites.insert(access.site);
  }
  all.place({sites.begin(), sites.end()}, 0, static_cast<std::uint32_t>(r.sites.size()));
}

std::uint32_t LoopTurns::turn_of(const Access& access) {
  const std::vector<Level>& levels = levels_[access.site];
  // The levels that stay as they are: those of loops which hold both sites, in the same turn
  std::size_t kept = 0;
  std::uint32_t count = 0;
  if (!turns_.empty() && access.order > 0) {
    const std::vector<Level>& before = levels_[last_];
    while (kept + 1 < std::min(levels.size(), before.size()) && levels[kept + 1].loop == before[kept + 1].loop) ++kept;
    count = turns_[kept].count + (levels[kept].position <= before[kept].position);
  }
  turns_.resize(levels.size());
  for (std::size_t level = kept; level < levels.size(); ++level, count = 0) {
    const std::uint32_t outer = level > 0 ? turns_[level - 1].number : 0;
    const auto [place, added] =
        numbers_.try_emplace({outer, levels[level].loop, count}, static_cast<std::uint32_t>(numbers_.size() + 1));
    turns_[level] = {count, place->second};
  }
  last_ = access.site;
  return turns_.back().number;
}

}  // namespace kdscope::access_log
