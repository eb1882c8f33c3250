#include <algorithm>
#include <vector>

#include "algorithms/builders/wehr/histogram.hpp"
#include "algorithms/builders/wehr/keys.hpp"
#include "algorithms/core/level_order.hpp"
#include "algorithms/trees/level_order/layout.hpp"

namespace kdscope::wehr {
namespace {

constexpr std::uint32_t least_tpb = 4, most_tpb = 1024;
constexpr std::uint32_t widest_insertion = 1u << 17;  // some seconds for one thread

AlgorithmSpec spec() {
  AlgorithmSpec s;
  s.id = "wehr";
  s.title = "Adaptive split-and-sort";
  s.citation = "Wehr & Radkowski 2018";
  s.summary =
      "Turns coordinates into integer keys, sorts all chunks of a level at once, by segmented radix sort while they "
      "are wide "
      "and by one thread each once they are narrow, and takes their medians as nodes.";
  s.scalars = {ScalarType::float32, ScalarType::int32};
  s.min_dim = 1;
  s.max_dim = max_dim;
  s.max_points = max_points_of_tree;
  s.parameters = {
      {"sort",
       "Sort",
       "How the chunks of a level are sorted; all give the same tree.",
       "adaptive",
       {{"adaptive",
         "by the chunks' width: parallel radix, one thread a chunk by radix, by insertion below 16 (Alg. 2)"},
        {"adaptive-radix", "below the cutoff always by radix (Fig. 10)"},
        {"adaptive-insertion", "below the cutoff always by insertion (Fig. 10)"},
        {"naive-radix", "one thread a chunk on every level, by radix (Fig. 8)"},
        {"naive-insertion", "one thread a chunk on every level, by insertion (Fig. 8); quadratic"},
        {"sequential", "one thread for everything, on the CPU (Fig. 9)"}}},
      {"tpb",
       "Threads per block",
       "Positions that a block counts: 4, 8, 16 or a multiple of 32 up to 1024 (TPB).",
       automatic_value,
       {},
       least_tpb,
       most_tpb,
       true,
       {"32", "64", "96", "128", "192", "256", "384", "512", "768", "1024"}},
      {"cutoff",
       "Cutoff",
       "Narrower chunks are sorted by one thread each; at least tpb, which auto takes.",
       automatic_value,
       {},
       least_tpb,
       max_points_of_tree,
       true,
       {}},
      {"base", "Base", "Base of the radix sorts' digits.", "32", {}, 2, 256},
      {"keys",
       "Keys",
       "Integers that the points are sorted by.",
       "exact",
       {{"exact", "the order of the coordinates' own 32 bits; distinct coordinates have distinct keys"},
        {"quantized",
         "0 to F, as the source scales coordinates (section III-A); distinct ones that share a key may end up on a "
         "wrong side"}}},
      {"f",
       "Largest quantized key",
       "F: quantized keys reach from 0 to F. Without effect on exact ones.",
       std::to_string(default_f),
       {},
       1,
       0xffffffffll},
      {"scale",
       "Scale of quantized keys",
       "What F stands for. Without effect on exact keys.",
       "common",
       {{"common", "the widest side of all points, one factor for all dimensions (section III-A)"},
        {"each", "each dimension's own extent"}}}};
  return s;
}

std::uint64_t number(const Parameters& parameters, const char* name) { return std::stoull(parameters.at(name)); }
bool is_automatic(const Parameters& parameters, const char* name) { return parameters.at(name) == automatic_value; }

/// Refuses counts past 2^32 and chunks that one thread would sort in quadratic time.
Result<void> check_work(std::uint32_t n, const WehrOptions& options, const Parameters& parameters) {
  if (const std::uint64_t counts = largest_histogram(options, n); counts > 0xffffffffull)
    return Error{ErrorKind::bad_input,
                 "histograms of base " + parameters.at("base") + " with tpb " + parameters.at("tpb") + " would have " +
                     std::to_string(counts) + " counts, more than 2^32",
                 "", "use a larger tpb, a smaller base or fewer points"};
  for (int level = 0; level < median_levels(n); ++level)
    if (strategy_of(options, n, level) == Strategy::insertion && n / (1u << level) > widest_insertion)
      return Error{ErrorKind::bad_input,
                   "sort=" + parameters.at("sort") + " would sort chunks of " + std::to_string(n >> level) +
                       " points by insertion, in quadratic time that nothing can stop",
                   "",
                   "keep chunks within " + std::to_string(widest_insertion) +
                       ": fewer points, a smaller cutoff or another sort"};
  return {};
}

Result<void> check(const PointSet& points, const Parameters& parameters, Backend backend) {
  const std::uint64_t tpb = is_automatic(parameters, "tpb") ? least_tpb : number(parameters, "tpb");
  if (tpb % 32 != 0 && tpb != 4 && tpb != 8 && tpb != 16)
    return Error{ErrorKind::bad_usage, "tpb cannot be " + std::to_string(tpb), "",
                 "give auto, 4, 8, 16 or a multiple of 32 up to 1024"};
  if (!is_automatic(parameters, "cutoff") && !is_automatic(parameters, "tpb") && number(parameters, "cutoff") < tpb)
    return Error{ErrorKind::bad_usage,
                 "cutoff cannot be " + parameters.at("cutoff") + " with tpb " + std::to_string(tpb) +
                     ": a block may overlap at most two chunks",
                 "",
                 "give auto or an integer from " + std::to_string(tpb) + " to " + std::to_string(max_points_of_tree)};
  if (const char* set = parameters.at("f") != std::to_string(default_f) ? "f"
                        : parameters.at("scale") != "common"            ? "scale"
                                                                        : nullptr;
      set && parameters.at("keys") == "exact")
    return Error{ErrorKind::bad_usage,
                 std::string(set) + "=" + parameters.at(set) + " has no effect with keys=exact, which are not scaled",
                 "",
                 std::string("choose keys=quantized, or leave ") + set + " at " +
                     (*set == 'f' ? std::to_string(default_f) : "common")};
  if (parameters.at("sort") == "sequential" && backend == Backend::cuda)
    return Error{ErrorKind::bad_usage, "sort=sequential runs on one thread of the CPU, not on CUDA", "",
                 "choose the CPU back end or another sort"};
  if (is_automatic(parameters, "tpb") || is_automatic(parameters, "cutoff"))
    return {};  // asked again once they are chosen
  return check_work(static_cast<std::uint32_t>(points.size()), options_of(parameters), parameters);
}

/// What was fastest on an H100: small blocks for small sets, as the source found on its device (§IV-A), and again for
/// very large ones, where the distribution is bound by memory rather than by its loop. Blocks are never so small that H
/// has more than 2^32 counts.
std::string automatic(const std::string& name, const PointSet& set, const Parameters& parameters, Backend) {
  const std::uint64_t points = set.size();
  if (name == "cutoff") return parameters.at("tpb");
  const std::uint64_t limit = is_automatic(parameters, "cutoff") ? most_tpb : number(parameters, "cutoff"),
                      base = number(parameters, "base");
  std::uint64_t tpb = std::max<std::uint64_t>(points <= 400'000     ? 64
                                              : points <= 4'000'000 ? 128
                                                                    : 32,
                                              base / 2 / 32 * 32);
  while (tpb < most_tpb && 2 * base * (points / tpb + 1) > 0xffffffffull) tpb *= 2;
  if (tpb <= limit) return std::to_string(tpb);
  return std::to_string(limit >= 32 ? limit / 32 * 32 : limit >= 16 ? 16 : limit >= 8 ? 8 : 4);
}

/// Of resolved parameters.
std::uint64_t histogram_bytes(std::uint64_t n, const Parameters& parameters) {
  return 4 * largest_histogram(options_of(parameters), static_cast<std::uint32_t>(n));
}

std::uint64_t host_bytes(const DataSet& data, const Parameters& parameters, bool on_cpu) {
  const PointSet& points = data.points;
  const std::uint64_t n = points.size(), tree = 2 * 5;  // up to two slots a point
  if (!on_cpu) return n * tree;
  const std::uint64_t merging =
      parameters.at("sort") == "sequential" ? 6 : 0;  // an order, and what std::stable_sort takes
  return n * (4 * points.stride() + 4 * points.dim + 12 + 8 + tree + merging) + histogram_bytes(n, parameters);
}

KeyLoss loss_of_keys(const PointSet& points, const Parameters& parameters) {
  const WehrOptions options = options_of(parameters);
  KeyLoss loss;
  if (options.keys == KeyChoice::exact) return loss;  // nothing is lost, by construction
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

Builder declare() {
  Builder builder{.spec = spec(), .check = check};
  builder.automatic = automatic;
  builder.host_bytes = host_bytes;
  builder.key_loss = loss_of_keys;
  return builder;
}

}  // namespace kdscope::wehr
