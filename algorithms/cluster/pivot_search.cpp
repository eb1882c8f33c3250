#include "algorithms/cluster/pivot_search.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

#include "algorithms/core/error.hpp"
#include "algorithms/exec/parallel_ranges.hpp"

namespace kdscope::cluster {

void set_brackets(std::span<PivotSearch> searches, std::span<const Sampled> samples) {
  // Put the orders of each node together
  std::vector<std::size_t> begins(searches.size() + 1);
  for (const Sampled& sampled : samples) ++begins[sampled.node + 1];
  std::partial_sum(begins.begin(), begins.end(), begins.begin());
  std::vector<rank::Order> orders(samples.size());
  std::vector<std::size_t> next = begins;
  for (const Sampled& sampled : samples) orders[next[sampled.node]++] = sampled.order;
  const auto set = [&](std::uint32_t begin, std::uint32_t end) {
    for (std::uint32_t i = begin; i < end; ++i) {
      PivotSearch& s = searches[i];
      if (s.found) continue;
      const std::span<rank::Order> sample(orders.data() + begins[i], orders.data() + begins[i + 1]);
      const auto order_at = [&](std::uint64_t at, std::uint64_t from) {
        const auto there = sample.begin() + static_cast<std::ptrdiff_t>(at);
        std::ranges::nth_element(sample.subspan(from), there);
        return *there;
      };
      const std::uint64_t size = sample.size(), rank = s.rank - s.below;
      s.lo = 0, s.hi = rank::largest_order;
      if (s.whole) {
        if (size != s.count)
          throw ErrorException({ErrorKind::device_failure, "ranks lost points of a window", "", "run again"});
        s.lo = s.hi = order_at(rank, 0);
      } else {
        // Four standard deviations of a rank in the sample, at most, to either side
        std::uint64_t root = 1;
        while (root * root < size) ++root;
        const std::uint64_t at = rank * size / s.count, tolerance = 2 * root + 1;
        // All orders behind lo are larger, so hi is one of them
        if (at > tolerance) s.lo = order_at(at - tolerance, 0);
        if (at + tolerance < size) s.hi = order_at(at + tolerance, at > tolerance ? at - tolerance : 0);
      }
    }
  };
  // Threads, which other ranks may want as well, are worth it for many samples
  const auto count = static_cast<std::uint32_t>(searches.size());
  if (samples.size() < 32768)
    set(0, count);
  else
    for_ranges(count, set);
}

Side take_side(PivotSearch& search, std::uint64_t less, std::uint64_t within) {
  const std::uint64_t rank = search.rank - search.below;
  if (rank < less) {  // the bracket has missed the pivot, as one in some ten thousand does
    search.to = search.lo - 1, search.count = less;
    return Side::before;
  }
  if (rank < less + within) {
    search.from = std::max(search.from, search.lo), search.to = std::min(search.to, search.hi);
    search.below += less, search.count = within;
    return Side::within;
  }
  search.from = search.hi + 1, search.below += less + within, search.count -= less + within;
  return Side::behind;
}

}  // namespace kdscope::cluster
