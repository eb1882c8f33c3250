// Wehr & Radkowski 2018, Figure 5: build times of uniform points, threads per block against number of points.

#include "app/experiments/wehr_2018.hpp"

namespace kdscope::wehr_fig_5 {

Experiment declare() {
  using namespace wehr_2018;
  Experiment made = experiment("wehr-fig-5", "Figure 5", "build times of uniform points, TPB x N", {"base"});
  ExperimentSpec& spec = made.spec;
  spec.notes +=
      " Printed numbers are those of Table II. The text gives 2.5 ms for 2,000 and 30 ms for 500,000 points, on "
      "average over the TPBs. 1M and 10M points are not in the source.";
  spec.printed = {{"titan_x", "Titan X (Table II)"}};
  for (const int tpb : {32, 64, 128, 256, 512, 1024}) {
    spec.series.push_back("TPB " + std::to_string(tpb));
    for (const std::uint64_t n :
         {2'000, 5'000, 10'000, 20'000, 50'000, 100'000, 200'000, 300'000, 400'000, 500'000, 1'000'000, 10'000'000}) {
      ExperimentRow& row = add_row(spec, spec.series.back(), Data::random, n, {{"tpb", std::to_string(tpb)}});
      for (const TableTwoRow& printed : table_two)
        if (printed.points == n && printed.tpb == tpb) row.printed = {printed_value(printed.suggested[0])};
    }
  }
  return made;
}

}  // namespace kdscope::wehr_fig_5
