// Zhou et al. 2008, appendix B: a kd-tree over a point cloud, and the 10 nearest points of every point.

#include "app/experiments/measured_search.hpp"

namespace kdscope::zhou_point_cloud {
namespace {

enum Detail : std::size_t { ratio, paper_ratio };
constexpr std::uint64_t points = 127'000;
constexpr std::uint32_t neighbours = 10;

}  // namespace

Experiment declare() {
  Experiment made{{}, measure_searches};
  ExperimentSpec& spec = made.spec;
  spec.id = "zhou-point-cloud";
  spec.citation = "Zhou et al. 2008, appendix B";
  spec.title = "times of a build over a point cloud and of searches for the 10 nearest of every point";
  spec.notes =
      "The source's cloud of 127K points is not shipped; here as many points are drawn from the surface of the bunny. "
      "The printed times of ANN (Mount & Arya 2006) and Pointshop3D (Zwicker et al. 2002) are from a CPU. Their ratio "
      "to the printed GPU times is 26.5 and 186.6 for build and search together; the source says over 20 for ANN.";
  spec.facet_column = "columns";
  spec.series_column = "processor";
  spec.x_column = "n";
  spec.x = {"points", "", false};
  spec.y = {"time", "ms", true};
  spec.printed = {{"8800_ultra", "8800 ULTRA"}, {"ann", "ANN"}, {"pointshop3d", "Pointshop3D"}};
  spec.facets = {"kd-tree", "KNN"};
  spec.series = {"CPU", "GPU"};
  spec.parameters = parameters_of("zhou-vvh", {"small", "radius"});
  spec.details = {"ratio", "paper_ratio"};
  spec.ratio_detail = ratio;
  for (const bool gpu : {false, true})
    for (const bool search : {false, true}) {
      ExperimentRow& row = add_row(spec, spec.series[gpu], points);
      row.facet = spec.facets[search];
      row.run = gpu;
      row.builds("zhou-vvh", "bunny:sample=" + std::to_string(points), 3, {}, gpu ? Backend::cuda : Backend::cpu);
      if (search) row.searches("radius-histogram", "", neighbours);
      if (gpu) {
        row.printed[0] = printed_value(search ? "14" : "21");
        row.compared_with = spec.series[0];
        row.details[paper_ratio] = search ? "59.1" : "4.67";  // of ANN
      } else {
        row.printed[1] = printed_value(search ? "828" : "98");
        row.printed[2] = printed_value(search ? "6500" : "32");
      }
    }
  return made;
}

}  // namespace kdscope::zhou_point_cloud
