// Wehr & Radkowski 2018, Figure 9: the builder on one CPU thread, beside the suggested method.

#include "app/experiments/wehr_2018.hpp"

namespace kdscope::wehr_fig_9 {

Experiment declare() {
  using namespace wehr_2018;
  Experiment made = experiment("wehr-fig-9", "Figure 9", "build times on one CPU thread", {"tpb", "base"});
  ExperimentSpec& spec = made.spec;
  spec.notes +=
      " The text says that the suggested method is up to 150 times faster; the figure's times are not printed.";
  spec.series = {"sequential", "adaptive"};
  spec.details = {"ratio", "paper_ratio"};
  spec.ratio_detail = 0;
  for (const std::string& sort : spec.series)
    for (const std::uint64_t n : {2'000, 5'000, 10'000, 20'000, 50'000, 100'000, 200'000, 300'000, 400'000, 500'000}) {
      ExperimentRow& row = add_row(spec, sort, Data::random, n, {{"sort", sort}});
      if (sort == "sequential") {
        row.backend = Backend::cpu;
        continue;
      }
      row.compared_with = "sequential";
      row.details[1] = "<150";
    }
  return made;
}

}  // namespace kdscope::wehr_fig_9
