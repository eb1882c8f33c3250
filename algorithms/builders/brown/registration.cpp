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
  return s;
}

Result<void> check(const PointSet&, const BrownOptions& options, Backend) {
  const auto power_of_two = [](const char* name, std::uint32_t value, std::uint32_t most, const std::string& or_else) {
    return std::has_single_bit(value)
               ? Result<void>()
               : Error{ErrorKind::bad_usage, std::string(name) + " cannot be " + std::to_string(value), "",
                       "give " + or_else + "a power of two from 1 to " + std::to_string(most)};
  };
  if (options.warps.chosen)
    if (auto warps = power_of_two("warps", options.warps, most_warps, "auto or "); !warps) return warps;
  return power_of_two("parts", options.parts, most_parts, "");
}

/// Returns the number of warps for a few hundred references each, up to the number that a device runs at once.
std::uint64_t busy_warps(const PointSet& points, const BrownOptions&, Backend backend) {
  const std::uint64_t most = backend == Backend::cuda ? 8192 : 256;
  return std::clamp<std::uint64_t>(std::bit_floor(std::max<std::uint64_t>(1, points.size() / 256)), 1, most);
}

/// Returns the memory for resolved parameters: the most that `here` parts hold, and the tree on the first of them.
std::uint64_t working_bytes(const PointSet& points, const BrownOptions& options, std::uint64_t here) {
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
  const std::uint64_t scratch = (library ? held * 8 + held / 256 : 0) + (1u << 16);  // allocated by the sort and kept
  return arrays + tree + std::max(sorting, growing) + scratch;
}

std::uint64_t host_bytes(const DataSet& data, const BrownOptions& options, bool on_cpu) {
  const PointSet& points = data.points;
  const std::uint64_t n = points.size(), tree = 4 * (2 * n + 1) + (options.form == Form::nodes ? 8 * n : 0) + 2 * n;
  return on_cpu ? working_bytes(points, options, options.parts) + tree : tree;
}

/// Returns the memory of the first device if there are as many devices as parts.
std::uint64_t device_bytes(const DataSet& data, const BrownOptions& options) {
  return working_bytes(data.points, options, 1);
}

}  // namespace

const OptionTable<BrownOptions>& option_table() {
  static const auto table =
      OptionTable<BrownOptions>()
          .choice({"sort", "Sort", "How references are sorted; all give the same tree."}, &BrownOptions::sort,
                  {{"library", "the library's merge sort, with the super-key comparison", SortMethod::library},
                   {"merge", "merge sort by hand: tiles in shared memory, then merges along merge paths",
                    SortMethod::merge}})
          .choice({"sorted", "Sorted first", "What is sorted before the first median is taken."}, &BrownOptions::sorted,
                  {{"all", "every dimension", SortedFirst::all},
                   {"first", "the first dimension; the others in the two halves that its median makes",
                    SortedFirst::first}})
          .choice({"form", "Form", "What the tree is made of."}, &BrownOptions::form,
                  {{"nodes", "nodes with less-than and greater-than references, beside the stores", Form::nodes},
                   {"stores", "the median stores alone", Form::stores}})
          .choice({"compare", "Compare", "How a reference's side of a median is known; both give the same tree."},
                  &BrownOptions::compare,
                  {{"sides", "by a mark per point, set from the sorted array's positions", Compare::sides},
                   {"tuples", "by the super keys of tuple and median, as the source does", Compare::tuples}})
          .choice({"writes", "Writes", "How warps write the references that they keep; both give the same tree."},
                  &BrownOptions::writes,
                  {{"coalesced", "in segments of 32 that are collected in shared memory, as the source does",
                    Writes::coalesced},
                   {"direct", "as they come, to show what the segments gain", Writes::direct}})
          .choice(
              {"verify", "Verify", "Whether the finished tree is checked where it was built, level by level."},
              &BrownOptions::verify,
              {{"no", "not by the builder", false}, {"yes", "one thread per entry; a wrong tree is an error", true}})
          .automatic({"warps", "Warps", "Warps used to remove duplicates and to partition arrays; a power of two."},
                     &BrownOptions::warps, 1, most_warps, busy_warps, {"512", "1024", "2048", "4096", "8192", "16384"})
          .integer({"parts", "Parts",
                    "Parts that the points are distributed over, one per GPU if there are enough; a power of two. The "
                    "tree does not depend on it."},
                   &BrownOptions::parts, 1, most_parts);
  return table;
}

Builder declare() {
  return BuilderWithOptions<BrownOptions>{
      .spec = spec(), .table = option_table(), .check = check, .host_bytes = host_bytes, .device_bytes = device_bytes};
}

}  // namespace kdscope::brown
