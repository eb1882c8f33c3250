// Builds the same uniform float3 points alternately with kdscope's CPU back end and with nanoflann, and prints both
// medians and their ratio. nanoflann 1.4 builds on one thread and keeps buckets of 10 points; kdscope sorts down to
// single points.
//   bench_beside_nanoflann [points=1000000] [turns=5]
// The names may be omitted: bench_beside_nanoflann 1000000 5. Exits with 2 for invalid arguments, 5 if a build failed.
#include <charconv>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <nanoflann.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "algorithms/registry/registry.hpp"
#include "datasets/datasets.hpp"

namespace {

struct Cloud {
  const kdscope::PointSet& points;
  std::size_t kdtree_get_point_count() const { return points.size(); }
  float kdtree_get_pt(std::size_t i, std::size_t d) const {
    return std::bit_cast<float>(points.word(i, static_cast<std::uint32_t>(d)));
  }
  template <class Box>
  bool kdtree_get_bbox(Box&) const {
    return false;
  }
};

/// The options of the command line.
struct Options {
  std::uint32_t points = 1'000'000, turns = 5;
};

/// Reads "points=N" or "turns=N", or only the number at its position. Returns false for anything else.
bool read_option(std::string_view argument, int position, Options& options) {
  struct {
    std::string_view name;
    std::uint32_t& value;
    std::uint32_t most;
  } known[] = {{"points=", options.points, 0x7fffffff}, {"turns=", options.turns, 1'000'000}};
  for (int i = 0; i < 2; ++i) {
    const bool named = argument.starts_with(known[i].name);
    if (!named && i != position) continue;
    const std::string_view number = named ? argument.substr(known[i].name.size()) : argument;
    const auto [end, problem] = std::from_chars(number.data(), number.data() + number.size(), known[i].value);
    if (problem == std::errc() && end == number.data() + number.size() && known[i].value >= 1 &&
        known[i].value <= known[i].most)
      return true;
    if (named) return false;
  }
  return false;
}

}  // namespace

int main(int argc, char** argv) {
  using namespace kdscope;
  Options options;
  for (int i = 1; i < argc; ++i)
    if (!read_option(argv[i], i - 1, options))
      return std::fprintf(
                 stderr,
                 "bench_beside_nanoflann: cannot use '%s'; give points=N, 1 to 2147483647, and turns=N, 1 to 1000000\n",
                 argv[i]),
             2;
  const std::string n = std::to_string(options.points);
  const auto data = open_data_set("uniform:n=" + n + ",dim=3,seed=1");
  if (!data) return std::fprintf(stderr, "%s\n", data.error().message().c_str()), 3;
  std::vector<double> ours, theirs;
  for (std::uint32_t turn = 0; turn < options.turns; ++turn) {
    const auto report = build({"wald", *data, {}, Backend::cpu});
    if (!report) return std::fprintf(stderr, "%s\n", report.error().message().c_str()), 5;
    ours.push_back(report->build_ms.front());
    const Cloud cloud{(*data)->points};
    const auto from = std::chrono::steady_clock::now();
    nanoflann::KDTreeSingleIndexAdaptor<nanoflann::L2_Simple_Adaptor<float, Cloud>, Cloud, 3> tree(
        3, cloud, nanoflann::KDTreeSingleIndexAdaptorParams(10));
    tree.buildIndex();
    theirs.push_back(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - from).count());
  }
  std::printf(
      "%s uniform float3, %s, %u turns\nkdscope wald (radix), CPU: median %.0f ms\nnanoflann, buckets of 10:  median "
      "%.0f ms\nratio kdscope / nanoflann: %.2f\n",
      n.c_str(), find_devices().devices.back().name.c_str(), options.turns, median_ms(ours), median_ms(theirs),
      median_ms(ours) / median_ms(theirs));
}
