// Robinson: what warps gain when they collect references into whole segments before they write them.

#include "app/experiments/measured_build.hpp"

namespace kdscope::brown_coalescing {
namespace {

enum Detail : std::size_t { ratio, paper_ratio };

}  // namespace

Experiment declare() {
  Experiment made{{}, measure_build};
  ExperimentSpec& spec = made.spec;
  spec.id = "brown-coalescing";
  spec.citation = "Robinson, Removing duplicates";
  spec.title = "build times with and without coalesced writes, points in 4 dimensions";
  spec.notes =
      "The source states a gain of about 5 %, without saying of what; here the whole build is timed. The ratio is that "
      "of the time with direct writes to the time with coalesced ones.";
  spec.series_column = "writes";
  spec.x_column = "n";
  spec.x = {"points", "", true};
  spec.y = {"build time", "ms", true};
  spec.series = {"direct", "coalesced"};
  spec.parameters = parameters_of("brown", {"sort", "compare", "warps"});
  spec.details = {"ratio", "paper_ratio"};
  spec.ratio_detail = ratio;
  for (const std::string& writes : spec.series)
    for (std::uint64_t n = 1 << 16; n <= 1 << 24; n *= 4) {
      ExperimentRow& row = add_row(spec, writes, n);
      row.builds("brown", "uniform:n=" + std::to_string(n) + ",dim=4,seed=1,type=int,range=2147483647", 4,
                 {{"writes", writes}});
      if (writes == spec.series.front()) continue;
      row.compared_with = spec.series.front();
      row.details[paper_ratio] = "1.05";
    }
  return made;
}

}  // namespace kdscope::brown_coalescing
