// Wehr & Radkowski 2018, Figure 6: build times of a scanned scene and of the bunny, threads per block against number of
// points.

#include "app/experiments/wehr_2018.hpp"

namespace kdscope::wehr_fig_6 {

Experiment declare() {
  using namespace wehr_2018;
  Experiment made =
      experiment("wehr-fig-6", "Figure 6", "build times of a scanned scene and the bunny, TPB x N", {"base"});
  ExperimentSpec& spec = made.spec;
  spec.notes += " Printed numbers are those of Table II. The scene here is a simulated scan of a similar desk.";
  spec.facet_column = "data";
  spec.facets = {"workbench", "bunny"};
  spec.printed = {{"titan_x", "Titan X (Table II)"}};
  for (const int tpb : threads_per_block) spec.series.push_back("TPB " + std::to_string(tpb));
  for (const Data data : {Data::workbench, Data::bunny})
    for (const int tpb : threads_per_block)
      for (const std::uint64_t n : data == Data::workbench
                                       ? std::vector<std::uint64_t>{2'000, 10'000, 50'000, 100'000, 200'000, 300'000}
                                       : std::vector<std::uint64_t>{2'000, 10'000, 20'000, 36'000}) {
        ExperimentRow& row = add_row(spec, "TPB " + std::to_string(tpb), data, n, {{"tpb", std::to_string(tpb)}});
        row.facet = spec.facets[data == Data::workbench ? 0 : 1];
        for (const TableTwoRow& printed : table_two)
          if (points_of(data, printed.points) == n && printed.tpb == tpb)
            row.printed = {printed_value(printed.suggested[static_cast<std::size_t>(data)])};
      }
  return made;
}

}  // namespace kdscope::wehr_fig_6
