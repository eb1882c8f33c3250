// Prints how long HostSearch takes, for beside_scipy.py: bench_host_search_times FILE DIMENSIONS K THREADS TURNS
// FILE holds float32 coordinates. Each turn prints a line: ms of build() and of nearest_into() for all points.

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <vector>

#include "algorithms/library/host_search.hpp"

int main(int count, char** arguments) {
  using namespace kdscope::library;
  using Clock = std::chrono::steady_clock;
  if (count != 6) return std::fprintf(stderr, "give FILE DIMENSIONS K THREADS TURNS\n"), 2;
  std::ifstream file(arguments[1], std::ios::binary);
  const std::vector<char> bytes{std::istreambuf_iterator<char>(file), {}};
  const std::span numbers(reinterpret_cast<const float*>(bytes.data()), bytes.size() / sizeof(float));
  const HostPoints points(numbers, static_cast<std::uint32_t>(std::atoi(arguments[2])));
  const auto k = static_cast<std::size_t>(std::atoi(arguments[3]));
  HostOptions options;
  options.threads = std::atoi(arguments[4]);
  const auto ms_since = [](Clock::time_point from) {
    return std::chrono::duration<double, std::milli>(Clock::now() - from).count();
  };
  for (int turn = 0; turn < std::atoi(arguments[5]); ++turn) {
    const auto before = Clock::now();
    const auto tree = HostSearch::build(points);
    const double build = ms_since(before);
    if (!tree) return std::fprintf(stderr, "%s\n", tree.error().message().c_str()), 1;
    const auto between = Clock::now();
    std::vector<std::int64_t> indices(points.size() * k);
    std::vector<double> distances(indices.size());
    const auto found = tree->nearest_into(points, k, indices, distances, options);
    if (!found) return std::fprintf(stderr, "%s\n", found.error().message().c_str()), 1;
    std::printf("%.6f %.6f\n", build, ms_since(between));
  }
}
