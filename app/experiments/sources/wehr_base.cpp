// Wehr & Radkowski 2018, section IV-A: build times by the base of the radix sorts' digits.

#include "app/experiments/wehr_2018.hpp"

namespace kdscope::wehr_base {

Experiment declare() {
  using namespace wehr_2018;
  Experiment made = experiment("wehr-base", "section IV-A", "build times by the base of the radix sorts", {"tpb"});
  ExperimentSpec& spec = made.spec;
  spec.notes += " The text states that base 32 was optimal for all scenarios, and prints no times.";
  spec.x_column = "base";
  std::erase(spec.shown_parameters, "base");
  spec.x = {"base", "", true};
  for (const std::uint64_t n : {2'000, 50'000, 200'000, 500'000}) {
    spec.series.push_back(std::to_string(n) + " points");
    for (const int base : {2, 4, 8, 16, 32, 64, 128, 256}) {
      ExperimentRow& row =
          add_row(spec, spec.series.back(), Data::random, n, {{"sort", "adaptive"}, {"base", std::to_string(base)}});
      row.x = base;
    }
  }
  return made;
}

}  // namespace kdscope::wehr_base
