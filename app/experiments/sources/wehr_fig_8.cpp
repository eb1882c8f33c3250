// Wehr & Radkowski 2018, Figure 8: each chunk sorted by one thread on every level.

#include "app/experiments/wehr_2018.hpp"

namespace kdscope::wehr_fig_8 {

Experiment declare() {
  using namespace wehr_2018;
  Experiment made =
      experiment("wehr-fig-8", "Figure 8", "build times with one thread per chunk, by sort", {"tpb", "base"});
  ExperimentSpec& spec = made.spec;
  spec.notes +=
      " The text gives 61 ms for 10,000 points; Table II prints the same 61 ms at 2,000, where the slope of its column "
      "does not fit. Insertion sort is quadratic, so it stops at 5,000 points.";
  spec.printed = {{"text", "Titan X (section IV-B)"}, {"table_2", "Titan X (Table II, TPB 32)"}};
  spec.series = {"naive-radix", "naive-insertion", "adaptive"};
  for (const std::string& sort : spec.series)
    for (const std::uint64_t n : {1'000, 2'000, 5'000, 10'000, 20'000, 50'000, 100'000, 300'000, 400'000, 500'000}) {
      if (sort == "naive-insertion" && n > 5'000) break;
      ExperimentRow& row = add_row(spec, sort, Data::random, n, {{"sort", sort}});
      if (sort == "naive-insertion" && n == 5'000) row.printed[0] = printed_value("4000");
      if (sort != "naive-radix") continue;
      if (n == 10'000) row.printed[0] = printed_value("61");
      for (const TableTwoRow& printed : table_two)
        if (printed.points == n && printed.tpb == 32) row.printed[1] = printed_value(printed.comparison[0]);
    }
  return made;
}

}  // namespace kdscope::wehr_fig_8
