#include <algorithm>
#include <bit>

#include "algorithms/builders/brown/options.hpp"
#include "algorithms/core/level_order.hpp"

namespace kdscope::brown {
namespace {

constexpr std::uint32_t most_warps = 1u << 15, most_parts = 16;

AlgorithmSpec spec() {
  AlgorithmSpec s;
  s.id = "brown";
  s.title = "Sorted references, parted at medians";
  s.citation = "Brown 2015; Robinson";
  s.summary =
      "Sorts references to the points once in every dimension by super key, drops duplicates, and level by level takes "
      "the median of one "
      "array as a node and parts the others by it, in order.";
  s.scalars = {ScalarType::float32, ScalarType::int32};
  s.min_dim = 1;
  s.max_dim = max_dim;
  s.max_points = max_points_of_tree;
  s.parameters = {{"sort",
                   "Sort",
                   "How references are sorted; all give the same tree.",
                   "library",
                   {{"library", "the library's merge sort, with the super-key comparison"},
                    {"merge", "merge sort by hand: tiles in shared memory, then merges along merge paths"}}},
                  {"sorted",
                   "Sorted first",
                   "What is sorted before the first median is taken.",
                   "all",
                   {{"all", "every dimension"},
                    {"first", "the first dimension; the others in the two halves that its median makes"}}},
                  {"form",
                   "Form",
                   "What the tree is made of.",
                   "nodes",
                   {{"nodes", "nodes with less-than and greater-than references, beside the stores"},
                    {"stores", "the median stores alone"}}},
                  {"compare",
                   "Compare",
                   "How a reference's side of a median is known; both give the same tree.",
                   "sides",
                   {{"sides", "by a byte a point, marked from the sorted array's positions"},
                    {"tuples", "by the super keys of tuple and median, as the source does"}}},
                  {"verify",
                   "Verify",
                   "Whether the finished tree is checked where it was built, level by level.",
                   "no",
                   {{"no", "not by the builder"}, {"yes", "one thread an entry; a tree that is wrong is an error"}}},
                  {"warps",
                   "Warps",
                   "That duplicates are removed by and arrays parted: a power of two.",
                   automatic_value,
                   {},
                   1,
                   most_warps,
                   true,
                   {"512", "1024", "2048", "4096", "8192", "16384"}},
                  {"parts",
                   "Parts",
                   "That the points are spread over, a power of two: one a device, where there are as many; a tree has "
                   "no trace of them.",
                   "1",
                   {},
                   1,
                   most_parts}};
  return s;
}

Result<void> check(const PointSet&, const Parameters& parameters, Backend) {
  const auto power_of_two = [&](const char* name, std::uint32_t most, const std::string& or_else) -> Result<void> {
    const std::string& value = parameters.at(name);
    if (value == automatic_value || std::has_single_bit(std::stoull(value))) return {};
    return Error{ErrorKind::bad_usage, std::string(name) + " cannot be " + value, "",
                 "give " + or_else + "a power of two from 1 to " + std::to_string(most)};
  };
  if (auto warps = power_of_two("warps", most_warps, "auto or "); !warps) return warps;
  if (auto parts = power_of_two("parts", most_parts, ""); !parts) return parts;
  return {};
}

/// A few hundred references a warp, up to what a device runs at once.
std::string automatic(const std::string&, const PointSet& points, const Parameters&, Backend backend) {
  const std::uint64_t most = backend == Backend::cuda ? 8192 : 256;
  return std::to_string(
      std::clamp<std::uint64_t>(std::bit_floor(std::max<std::uint64_t>(1, points.size() / 256)), 1, most));
}

/// Of resolved parameters: what `here` of the parts hold at most, and the tree on the first of them.
std::uint64_t working_bytes(const PointSet& points, const Parameters& parameters, std::uint64_t here) {
  const BrownOptions options = options_of(parameters);
  const bool several = options.parts > 1, library = options.sort == SortMethod::library;
  const std::uint64_t n = points.size(), held = (n + options.parts - 1) / options.parts * here,
                      record = 4 * points.stride();
  const auto stores = [](std::uint64_t of) { return 4 * store_slots(static_cast<std::uint32_t>(of)); };
  const std::uint64_t arrays =
      held * (record + 4 * points.dim + 8 + (several ? 4 : 0)) + here * 16 * (options.warps + 1);
  const std::uint64_t tree =
      n * (options.form == Form::nodes ? 9 : 1) + (several ? stores(n) + (options.verify ? n * record : 0) : 0);
  const std::uint64_t sorting =
      held * (library && !several ? 8 : 16) + (several ? held * (record + 8) : 0);  // and points that move
  const std::uint64_t growing = held + 4 * here + stores(held) + (options.verify ? 4 * n : 0);
  const std::uint64_t scratch = (library ? held * 8 + held / 256 : 0) + (1u << 16);  // kept from the sort on
  return arrays + tree + std::max(sorting, growing) + scratch;
}

std::uint64_t host_bytes(const DataSet& data, const Parameters& parameters, bool on_cpu) {
  const PointSet& points = data.points;
  const std::uint64_t n = points.size(),
                      tree = 4 * (2 * n + 1) + (parameters.at("form") == "nodes" ? 8 * n : 0) + 2 * n;
  return on_cpu ? working_bytes(points, parameters, options_of(parameters).parts) + tree : tree;
}

/// Of the first of as many devices as parts.
std::uint64_t device_bytes(const DataSet& data, const Parameters& parameters) {
  return working_bytes(data.points, parameters, 1);
}

}  // namespace

Builder declare() {
  Builder builder{.spec = spec(), .check = check};
  builder.automatic = automatic;
  builder.host_bytes = host_bytes;
  builder.device_bytes = device_bytes;
  return builder;
}

}  // namespace kdscope::brown
