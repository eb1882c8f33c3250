// Builds trees over the same uniform float3 points alternately with kdscope's CPU back end and with nanoflann, finds
// the 8 nearest of every point in both, and prints medians and ratios. nanoflann 1.4 builds on one thread and keeps
// buckets of 10 points; kdscope sorts down to single points. Both search on as many threads, with the points in random
// order; for kdscope, the time includes sorting them and, for bucket-walk, filling its buckets.
//   bench_beside_nanoflann [points=1000000] [turns=5] [threads=0]
// The names may be omitted: bench_beside_nanoflann 1000000 5. No threads are all. Exits with 2 for invalid arguments, 5
// if a build failed.
#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <nanoflann.hpp>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "algorithms/exec/threads.hpp"
#include "algorithms/registry/registry.hpp"
#include "algorithms/registry/searches.hpp"
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
  std::uint32_t points = 1'000'000, turns = 5, threads = 0;
};

/// Reads "points=N", "turns=N" or "threads=N", or only the number at its position. Returns false for anything else.
bool read_option(std::string_view argument, int position, Options& options) {
  struct {
    std::string_view name;
    std::uint32_t& value;
    std::uint32_t least, most;
  } known[] = {{"points=", options.points, 1, 0x7fffffff},
               {"turns=", options.turns, 1, 1'000'000},
               {"threads=", options.threads, 0, 1024}};
  for (int i = 0; i < 3; ++i) {
    const bool named = argument.starts_with(known[i].name);
    if (!named && i != position) continue;
    const std::string_view number = named ? argument.substr(known[i].name.size()) : argument;
    const auto [end, problem] = std::from_chars(number.data(), number.data() + number.size(), known[i].value);
    if (problem == std::errc() && end == number.data() + number.size() && known[i].value >= known[i].least &&
        known[i].value <= known[i].most)
      return true;
    if (named) return false;
  }
  return false;
}

using NanoflannTree =
    nanoflann::KDTreeSingleIndexAdaptor<nanoflann::L2_Simple_Adaptor<float, Cloud>, Cloud, 3, std::uint32_t>;
constexpr std::size_t k = 8;

double ms_since(std::chrono::steady_clock::time_point from) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - from).count();
}

/// Finds the k nearest of every point on some threads, and returns the time in ms. distances: [k n] squared.
double search_all(const NanoflannTree& tree, const kdscope::PointSet& points, std::size_t threads,
                  std::vector<float>& distances) {
  const auto from = std::chrono::steady_clock::now();
  std::vector<std::jthread> workers;
  std::vector<std::uint32_t> found(k * points.size());
  for (std::size_t t = 0; t < threads; ++t)
    workers.emplace_back([&, t] {
      for (std::size_t i = points.size() * t / threads; i < points.size() * (t + 1) / threads; ++i) {
        float query[3];
        for (std::uint32_t d = 0; d < 3; ++d) query[d] = std::bit_cast<float>(points.word(i, d));
        tree.knnSearch(query, k, found.data() + k * i, distances.data() + k * i);
      }
    });
  workers.clear();
  return ms_since(from);
}

}  // namespace

int main(int argc, char** argv) {
  using namespace kdscope;
  Options options;
  for (int i = 1; i < argc; ++i)
    if (!read_option(argv[i], i - 1, options))
      return std::fprintf(
                 stderr,
                 "bench_beside_nanoflann: cannot use '%s'; give points=N, 1 to 2147483647, turns=N, 1 to 1000000, and "
                 "threads=N, 0 to 1024\n",
                 argv[i]),
             2;
  const auto threads = static_cast<int>(options.threads > 0 ? options.threads : usable_threads());
  const std::string n = std::to_string(options.points);
  const auto data = open_data_set("uniform:n=" + n + ",dim=3,seed=1");
  if (!data) return std::fprintf(stderr, "%s\n", data.error().message().c_str()), 3;
  const PointSet& points = (*data)->points;
  struct OurSearch {
    const char* name;
    std::vector<double> ms = {};
  } searches[] = {{"stack"}, {"bucket-walk"}};
  std::vector<double> ours, theirs, their_searches;
  std::vector<float> distances(k * points.size());
  for (std::uint32_t turn = 0; turn < options.turns; ++turn) {
    auto report = on_threads(threads, [&] { return build({{}, "wald", {}, Backend::cpu, false, *data}); });
    if (!report) return std::fprintf(stderr, "%s\n", report.error().message().c_str()), 5;
    ours.push_back(report->build_ms.front());
    const Cloud cloud{points};
    const auto from = std::chrono::steady_clock::now();
    NanoflannTree tree(3, cloud, nanoflann::KDTreeSingleIndexAdaptorParams(10));
    tree.buildIndex();
    theirs.push_back(ms_since(from));
    if (points.size() >= k)
      their_searches.push_back(search_all(tree, points, static_cast<std::size_t>(threads), distances));

    SearchRequest request{"", std::make_shared<const Tree>(std::move(report->tree)), *data};
    request.k = static_cast<std::uint32_t>(std::min(k, points.size()));
    request.backend = Backend::cpu;
    request.order = QueryOrder::morton;
    for (OurSearch& one : searches) {
      request.search = one.name;
      const auto found = on_threads(threads, [&] { return search(request); });
      if (!found) return std::fprintf(stderr, "%s\n", found.error().message().c_str()), 5;
      one.ms.push_back(found->search_ms.front());
      for (std::size_t i = 0; points.size() >= k && i < distances.size(); ++i)
        if (static_cast<double>(distances[i]) != found->distances[i])
          return std::fprintf(stderr, "%s: the %zuth nearest of point %zu is at %g, nanoflann's at %g\n", one.name,
                              i % k + 1, i / k, found->distances[i], static_cast<double>(distances[i])),
                 5;
    }
  }
  std::printf(
      "%s uniform float3, %d of %s, %u turns\nbuild:\n  kdscope wald (radix), CPU: median %.0f ms\n  nanoflann, "
      "buckets "
      "of 10:  median %.0f ms\n  ratio kdscope / nanoflann: %.2f\n",
      n.c_str(), threads, find_devices().devices.back().name.c_str(), options.turns, median_ms(ours), median_ms(theirs),
      median_ms(ours) / median_ms(theirs));
  if (their_searches.empty()) return 0;
  std::printf("%zu nearest of all points:\n  %-26s median %.0f ms\n", k, "nanoflann:", median_ms(their_searches));
  for (const OurSearch& one : searches)
    std::printf("  kdscope %-18s median %.0f ms, ratio kdscope / nanoflann: %.2f\n", one.name, median_ms(one.ms),
                median_ms(one.ms) / median_ms(their_searches));
}
