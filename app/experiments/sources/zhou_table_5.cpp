// Zhou et al. 2008, Table 5: building kd-trees over photons, and finding the nearest photons.

#include <array>

#include "algorithms/text/numbers.hpp"
#include "app/experiments/measured_search.hpp"

namespace kdscope {
namespace {

enum Detail : std::size_t { picture, ratio, paper_ratio };

/// A line of the table: times in ms, and what section 5.2 says of its picture.
struct Line {
  const char* picture;
  std::uint64_t photons;
  std::uint32_t k;
  std::array<const char*, 2> build, search;  ///< CPU, GPU
};
constexpr Line lines[] = {{"Fig. 7(a)", 200'000, 50, {"81", "9"}, {"508", "44"}},
                          {"Fig. 7(b)", 400'000, 40, {"237", "17"}, {"371", "50"}}};
constexpr std::uint64_t pixels = 800 * 600;

}  // namespace

Experiment zhou_table_5_experiment() {
  Experiment made{{}, measure_searches};
  ExperimentSpec& spec = made.spec;
  spec.id = "zhou-table-5";
  spec.citation = "Zhou et al. 2008, Table 5";
  spec.title = "times of builds over photons and of searches for the nearest photons";
  spec.notes =
      "The photons are those of a metal ring's caustic in both rows; the source has those of Fig. 7(b) from a glass of "
      "champagne. There is one query for each of 800 x 600 pixels, placed like photons, where they are dense; the "
      "source's pixels also see parts of the table with few photons, and do not all see the table. The printed CPU "
      "search uses a priority queue (Jensen 2001); both series here use the source's radius histograms. The source "
      "says "
      "that both are around 10 times faster on the GPU.";
  spec.counted = "photons";
  spec.facet_column = "columns";
  spec.series_column = "processor";
  spec.x_column = "photons";
  spec.x = {"photons", "", false};
  spec.y = {"time", "ms", true};
  spec.printed = {{"cpu", "CPU"}, {"8800_ultra", "8800 ULTRA"}};
  spec.facets = {"kd-tree", "KNN"};
  spec.series = {"CPU", "GPU"};
  spec.parameters = parameters_of("zhou-vvh", {"small", "radius"});
  spec.details = {"picture", "ratio", "paper_ratio"};
  spec.ratio_detail = ratio;
  int run = 0;
  for (const bool gpu : {false, true})
    for (const Line& line : lines) {
      for (const bool search : {false, true}) {
        ExperimentRow& row = add_row(spec, spec.series[gpu], line.photons);
        row.facet = spec.facets[search];
        row.run = run;
        row.build = {
            "zhou-vvh", "caustic:n=" + std::to_string(line.photons), 3, {}, gpu ? Backend::cuda : Backend::cpu};
        if (search)
          row.search = {"radius-histogram", "caustic:n=" + std::to_string(pixels) + ",seed=2", pixels, line.k};
        const auto& times = search ? line.search : line.build;
        row.printed[gpu] = printed_value(times[gpu]);
        row.details[picture] = line.picture;
        if (!gpu) continue;
        row.compared_with = spec.series[0];
        row.details[paper_ratio] = short_number(std::stod(times[0]) / std::stod(times[1]), 3);
      }
      ++run;
    }
  return made;
}

}  // namespace kdscope
