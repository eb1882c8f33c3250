#pragma once
// The verifier that runs where the tree was built: breadth first, with one thread per entry of a level's store. The
// verifier on the host (trees/median_stores/verify.hpp) checks the same rules with separate code.

#include <cstdint>

#include "algorithms/builders/timed_run.hpp"
#include "algorithms/core/level_order.hpp"
#include "algorithms/exec/scans.hpp"
#include "algorithms/trees/median_stores/layout.hpp"
#include "algorithms/trees/median_stores/on_device.hpp"
#include "algorithms/trees/median_stores/super_key.hpp"

namespace kdscope::brown {

// [region brown/verify]
/// Initial state: no point has an entry.
struct NoEntry {
  std::uint32_t* entry;  ///< [points]
  KDSCOPE_HD void operator()(std::uint32_t point) const { entry[point] = no_id; }
};
/// Records which entry each point is in. If two entries hold the same point, only one of them is recorded, and the
/// check of the other one fails.
struct EntryOfPoint {
  const PointId* stores;
  std::uint32_t points;
  std::uint32_t* entry;  ///< [points]
  KDSCOPE_HD void operator()(std::uint32_t i) const {
    if (stores[i].value < points) entry[stores[i].value] = i;
  }
};

/// Returns the entry of a level if it violates a rule, else no_id. Rules: the entry is filled if and only if its array
/// has points; its point is in no other entry, was not removed, and is on its side of every node above; its references
/// are the entries below it. Work O(level).
struct ViolatingEntry {
  PointsView points;
  std::uint32_t n;  ///< unique points
  int level;
  const PointId* stores;
  std::uint32_t slots;
  const std::uint32_t *less, *greater;  ///< null for stores alone
  const std::uint32_t* entry;           ///< [points] from EntryOfPoint
  const std::uint8_t* removed;          ///< [points]

  KDSCOPE_HD std::uint32_t operator()(std::uint32_t address) const {
    const std::uint32_t slot = store_begin(level) + address;
    return holds(slot, address) ? no_id : slot;
  }

 private:
  KDSCOPE_HD std::uint32_t at(std::uint64_t slot) const { return slot < slots ? stores[slot].value : no_id; }
  KDSCOPE_HD bool holds(std::uint32_t slot, std::uint32_t address) const {
    const std::uint32_t point = stores[slot].value;
    // The entry holds a point if and only if its array has points, and no other entry holds that point
    if (array_at(n, level, address).size() == 0) return point == no_id;
    if (point >= points.n || removed[point] || entry[point] != slot) return false;
    // Climb to the root: at every node above, the point lies on the side from which the path comes
    for (std::uint32_t child = slot; child > 0; child = (child - 1) / 2) {
      const std::uint32_t above = (child - 1) / 2,
                          dim = static_cast<std::uint32_t>(level_of(NodeId{above})) % points.dim;
      if (stores[above].value >= points.n ||
          compare_super_keys(points, point, stores[above].value, dim) != (child % 2 ? -1 : 1))
        return false;
    }
    // The node's references, if there are any, name the entries below
    return !less ||
           (less[point] == at(2 * std::uint64_t(slot) + 1) && greater[point] == at(2 * std::uint64_t(slot) + 2));
  }
};

/// Returns the entry where a lost point should be, or no_id if the point is not lost. A point is lost if it is in no
/// entry but was not removed. It is also lost if it was removed but a search from the root by super keys meets no point
/// with its coordinates and a lower index. The result is the entry where the search ends, or 0 without a search.
struct LostPoint {
  PointsView points;
  const PointId* stores;
  std::uint32_t slots;
  const std::uint32_t* entry;
  const std::uint8_t* removed;

  KDSCOPE_HD std::uint32_t operator()(std::uint32_t point) const {
    // A point that was not removed is in some entry
    if (!removed[point]) return entry[point] == no_id ? 0 : no_id;
    // A removed point has an equal one of lower index, which a search by super keys meets on its way
    std::uint32_t last = 0;
    for (std::uint64_t slot = 0; slot < slots && stores[slot].value < points.n;) {
      last = static_cast<std::uint32_t>(slot);
      const std::uint32_t there = stores[slot].value;
      const int side =
          compare_super_keys(points, point, there, static_cast<std::uint32_t>(level_of(NodeId{last})) % points.dim);
      if (side == 0) return there < point ? no_id : last;
      slot = 2 * slot + (side < 0 ? 1 : 2);
    }
    return last;
  }
};

struct LowerEntry {
  KDSCOPE_HD std::uint32_t operator()(std::uint32_t a, std::uint32_t b) const { return a < b ? a : b; }
};

/// Returns the first violating entry of a tree of n unique points: level by level from the root, then by lost points;
/// no_id for a sound tree. Work O(n log n).
template <class Exec>
std::uint32_t first_violation(Exec& exec, const PointsView& points, std::uint32_t n,
                              const MedianStoreTreeOnDevice<Exec>& tree) {
  const std::uint32_t slots = static_cast<std::uint32_t>(tree.stores.size());
  auto entry = exec.template array<std::uint32_t>("entry of point", points.n, Allocation::scratch);
  exec.for_each("no entry", points.n, NoEntry{entry.data()});
  exec.for_each("entry of point", slots, EntryOfPoint{tree.stores.data(), points.n, entry.data()});
  for (int level = 0; level < store_levels(n); ++level) {
    const std::uint32_t found = exec.template reduce<std::uint32_t>(
        "verify", 1u << level,
        ViolatingEntry{points, n, level, tree.stores.data(), slots, tree.less.data(), tree.greater.data(), entry.data(),
                       tree.removed.data()},
        LowerEntry{}, no_id);
    if (found != no_id) return found;
  }
  return exec.template reduce<std::uint32_t>(
      "verify", points.n, LostPoint{points, tree.stores.data(), slots, entry.data(), tree.removed.data()}, LowerEntry{},
      no_id);
}
// [endregion]

}  // namespace kdscope::brown
