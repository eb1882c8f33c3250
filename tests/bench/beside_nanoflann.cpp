// Builds the same uniform float3 points with kdscope's CPU back end and with nanoflann, in turns, and prints both medians
// and their ratio. nanoflann 1.4 builds on one thread and keeps buckets of 10 points; kdscope sorts to single points.
//   bench_beside_nanoflann [points=1000000] [turns=5]
#include <chrono>
#include <cstdio>
#include <nanoflann.hpp>
#include <string>
#include <vector>

#include "algorithms/registry/registry.hpp"
#include "datasets/datasets.hpp"

namespace {

struct Cloud {
  const kdscope::PointSet& points;
  std::size_t kdtree_get_point_count() const { return points.size(); }
  float kdtree_get_pt(std::size_t i, std::size_t d) const { return std::bit_cast<float>(points.word(i, static_cast<std::uint32_t>(d))); }
  template <class Box>
  bool kdtree_get_bbox(Box&) const { return false; }
};

}  // namespace

int main(int argc, char** argv) {
  using namespace kdscope;
  const std::string n = argc > 1 ? argv[1] : "1000000";
  const int turns = argc > 2 ? std::stoi(argv[2]) : 5;
  const auto data = open_data_set("uniform:n=" + n + ",dim=3,seed=1");
  if (!data) return std::fprintf(stderr, "%s\n", data.error().message().c_str()), 3;
  std::vector<double> ours, theirs;
  for (int turn = 0; turn < turns; ++turn) {
    const auto report = build({"wald", *data, {}, Backend::cpu});
    if (!report) return std::fprintf(stderr, "%s\n", report.error().message().c_str()), 5;
    ours.push_back(report->build_ms.front());
    const Cloud cloud{(*data)->points};
    const auto from = std::chrono::steady_clock::now();
    nanoflann::KDTreeSingleIndexAdaptor<nanoflann::L2_Simple_Adaptor<float, Cloud>, Cloud, 3> tree(3, cloud, nanoflann::KDTreeSingleIndexAdaptorParams(10));
    tree.buildIndex();
    theirs.push_back(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - from).count());
  }
  std::printf("%s uniform float3, %s, %d turns\nkdscope wald (radix), CPU: median %.0f ms\nnanoflann, buckets of 10:  median %.0f ms\nratio kdscope / nanoflann: %.2f\n", n.c_str(),
              find_devices().devices.back().name.c_str(), turns, median_ms(ours), median_ms(theirs), median_ms(ours) / median_ms(theirs));
}
