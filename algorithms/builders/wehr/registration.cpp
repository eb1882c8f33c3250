#include <algorithm>
#include <vector>

#include "algorithms/builders/wehr/histogram.hpp"
#include "algorithms/builders/wehr/keys.hpp"
#include "algorithms/core/level_order.hpp"
#include "algorithms/trees/level_order/layout.hpp"

namespace kdscope::wehr {
namespace {

constexpr std::uint32_t least_tpb = 4, most_tpb = 1024;
constexpr std::uint32_t widest_insertion = 1u << 17;  // takes one thread a few seconds

AlgorithmSpec spec() {
  AlgorithmSpec s;
  s.id = "wehr";
  s.title = "Adaptive split-and-sort";
  s.citation = "Wehr & Radkowski 2018";
  s.summary =
      "Turns coordinates into integer keys, sorts all chunks of a level at once, by segmented radix sort while they "
      "are wide and by one thread each once they are narrow, and takes their medians as nodes.";
  s.scalars = {ScalarType::float32, ScalarType::int32};
  s.min_dim = 1;
  s.max_dim = max_dim;
  s.max_points = max_points_of_tree;
  return s;
}

/// Rejects histograms of more than 2^32 counts, and wide chunks that one thread would sort in quadratic time.
Result<void> check_work(std::uint32_t n, const WehrOptions& options) {
  if (const std::uint64_t counts = largest_histogram(options, n); counts > 0xffffffffull)
    return Error{ErrorKind::bad_input,
                 "histograms of base " + std::to_string(options.base) + " with tpb " + std::to_string(options.tpb) +
                     " would have " + std::to_string(counts) + " counts, more than 2^32",
                 "", "use a larger tpb, a smaller base or fewer points"};
  for (int level = 0; level < median_levels(n); ++level)
    if (strategy_of(options, n, level) == Strategy::insertion && n / (1u << level) > widest_insertion)
      return Error{ErrorKind::bad_input,
                   "sort=" + option_table().text("sort", options) + " would sort chunks of " +
                       std::to_string(n >> level) + " points by insertion, in quadratic time that nothing can stop",
                   "",
                   "keep chunks within " + std::to_string(widest_insertion) +
                       ": fewer points, a smaller cutoff or another sort"};
  return {};
}

Result<void> check(const PointSet& points, const WehrOptions& options, Backend backend) {
  const std::uint32_t tpb = options.tpb.chosen ? options.tpb.value : least_tpb;
  if (tpb % 32 != 0 && tpb != 4 && tpb != 8 && tpb != 16)
    return Error{ErrorKind::bad_usage, "tpb cannot be " + std::to_string(tpb), "",
                 "give auto, 4, 8, 16 or a multiple of 32 up to 1024"};
  if (options.cutoff.chosen && options.tpb.chosen && options.cutoff < tpb)
    return Error{ErrorKind::bad_usage,
                 "cutoff cannot be " + std::to_string(options.cutoff) + " with tpb " + std::to_string(tpb) +
                     ": a block may overlap at most two chunks",
                 "",
                 "give auto or an integer from " + std::to_string(tpb) + " to " + std::to_string(max_points_of_tree)};
  const WehrOptions usual;
  if (const char* set = options.f != usual.f           ? "f"
                        : options.scale != usual.scale ? "scale"
                                                       : nullptr;
      set && options.keys == KeyChoice::exact)
    return Error{ErrorKind::bad_usage,
                 std::string(set) + "=" + option_table().text(set, options) +
                     " has no effect with keys=exact, which are not scaled",
                 "", std::string("choose keys=quantized, or leave ") + set + " at " + option_table().text(set, usual)};
  if (options.sort == SortChoice::sequential && backend == Backend::cuda)
    return Error{ErrorKind::bad_usage, "sort=sequential runs on one thread of the CPU, not on CUDA", "",
                 "choose the CPU back end or another sort"};
  if (!options.tpb.chosen || !options.cutoff.chosen) return {};  // the registry calls this again once they are chosen
  return check_work(static_cast<std::uint32_t>(points.size()), options);
}

/// Returns the fastest value on an H100. Small sets get small blocks, as the source found on its device (§IV-A). Very
/// large sets get small blocks too: there memory, not the loop of a lane, limits the distribution. Blocks are never so
/// small that H has more than 2^32 counts.
std::uint64_t fastest_tpb(const PointSet& set, const WehrOptions& options, Backend) {
  const std::uint64_t points = set.size(), base = options.base,
                      limit = options.cutoff.chosen ? options.cutoff.value : most_tpb;
  std::uint64_t tpb = std::max<std::uint64_t>(points <= 400'000     ? 64
                                              : points <= 4'000'000 ? 128
                                                                    : 32,
                                              base / 2 / 32 * 32);
  while (tpb < most_tpb && 2 * base * (points / tpb + 1) > 0xffffffffull) tpb *= 2;
  if (tpb <= limit) return tpb;
  return limit >= 32 ? limit / 32 * 32 : limit >= 16 ? 16 : limit >= 8 ? 8 : 4;
}

std::uint64_t least_cutoff(const PointSet&, const WehrOptions& options, Backend) { return options.tpb; }

std::uint64_t host_bytes(const DataSet& data, const WehrOptions& options, bool on_cpu) {
  const PointSet& points = data.points;
  const std::uint64_t n = points.size(), tree = 2 * 5;  // up to two slots per point
  if (!on_cpu) return n * tree;
  const std::uint64_t merging =
      options.sort == SortChoice::sequential ? 6 : 0;  // an order, and the scratch of std::stable_sort
  return n * (4 * points.stride() + 4 * points.dim + 12 + 8 + tree + merging) +
         4 * largest_histogram(options, static_cast<std::uint32_t>(n));
}

KeyLoss loss_of_keys(const PointSet& points, const WehrOptions& options) {
  KeyLoss loss;
  if (options.keys == KeyChoice::exact) return loss;  // exact keys lose nothing
  const PointsView view = view_of(points);
  KeyBox box = empty_key_box();
  for (std::uint32_t i = 0; i < view.n; ++i) box = Enclose{}(box, BoxOfPoint{view}(i));
  const Quantizer quantizer = quantizer_of(box, view.dim, view.type, options.f, options.scale);
  std::vector<std::uint32_t> keys(view.n);
  for (std::uint32_t d = 0; d < view.dim; ++d) {
    for (std::uint32_t i = 0; i < view.n; ++i) keys[i] = quantizer.key(view.word(i, d), d);
    add_dimension(loss, keys, view, d);
  }
  return loss;
}

}  // namespace

const OptionTable<WehrOptions>& option_table() {
  static const auto table =
      OptionTable<WehrOptions>()
          .choice(
              {"sort", "Sort", "How the chunks of a level are sorted; all give the same tree."}, &WehrOptions::sort,
              {{"adaptive",
                "by the chunks' width: parallel radix, one thread per chunk by radix, by insertion below 16 (Alg. 2)",
                SortChoice::adaptive},
               {"adaptive-radix", "below the cutoff always by radix (Fig. 10)", SortChoice::adaptive_radix},
               {"adaptive-insertion", "below the cutoff always by insertion (Fig. 10)", SortChoice::adaptive_insertion},
               {"naive-radix", "one thread per chunk on every level, by radix (Fig. 8)", SortChoice::naive_radix},
               {"naive-insertion", "one thread per chunk on every level, by insertion (Fig. 8); quadratic",
                SortChoice::naive_insertion},
               {"sequential", "one thread for everything, on the CPU (Fig. 9)", SortChoice::sequential}})
          .automatic({"tpb", "Threads per block",
                      "Positions that a block counts: 4, 8, 16 or a multiple of 32 up to 1024 (TPB)."},
                     &WehrOptions::tpb, least_tpb, most_tpb, fastest_tpb,
                     {"32", "64", "96", "128", "192", "256", "384", "512", "768", "1024"})
          .automatic(
              {"cutoff", "Cutoff", "Narrower chunks are sorted by one thread each; at least tpb, which auto takes."},
              &WehrOptions::cutoff, least_tpb, max_points_of_tree, least_cutoff)
          .integer({"base", "Base", "Base of the radix sorts' digits."}, &WehrOptions::base, 2, 256)
          .choice({"keys", "Keys", "Integers that the points are sorted by."}, &WehrOptions::keys,
                  {{"exact", "the order of the coordinates' own 32 bits; distinct coordinates have distinct keys",
                    KeyChoice::exact},
                   {"quantized",
                    "0 to F, as the source scales coordinates (section III-A); distinct ones that share a key may end "
                    "up on a wrong side",
                    KeyChoice::quantized}})
          .integer({"f", "Largest quantized key", "F: quantized keys reach from 0 to F. Without effect on exact ones."},
                   &WehrOptions::f, 1, 0xffffffffll)
          .choice({"scale", "Scale of quantized keys", "What F stands for. Without effect on exact keys."},
                  &WehrOptions::scale,
                  {{"common", "the widest side of all points, one factor for all dimensions (section III-A)",
                    Scale::common},
                   {"each", "each dimension's own extent", Scale::each}});
  return table;
}

Builder declare() {
  return BuilderWithOptions<WehrOptions>{
      .spec = spec(), .table = option_table(), .check = check, .host_bytes = host_bytes, .key_loss = loss_of_keys};
}

}  // namespace kdscope::wehr
