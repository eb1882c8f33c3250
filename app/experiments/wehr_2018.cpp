#include "app/experiments/wehr_2018.hpp"

namespace kdscope::wehr_2018 {

constexpr std::array<TableTwoRow, 24> table_two{{{2'000, 32, {"61", "24", "18"}, {"1.5", "1.8", "1.9"}},
                                                 {2'000, 64, {"61", "24", "18"}, {"1.8", "2.2", "2.2"}},
                                                 {2'000, 128, {"61", "24", "18"}, {"2.4", "3.0", "2.8"}},
                                                 {2'000, 256, {"61", "24", "18"}, {"3.2", "4.2", "4.2"}},
                                                 {50'000, 32, {"302", "485", "315"}, {"3.0", "3.8", "3.6"}},
                                                 {50'000, 64, {"302", "489", "315"}, {"3.6", "4.5", "4.4"}},
                                                 {50'000, 128, {"302", "489", "315"}, {"5.1", "6.6", "6.0"}},
                                                 {50'000, 256, {"301", "489", "315"}, {"9.5", "13", "9.7"}},
                                                 {100'000, 32, {"605", "958", ""}, {"4.2", "4.7", ""}},
                                                 {100'000, 64, {"605", "958", ""}, {"4.6", "4.7", ""}},
                                                 {100'000, 128, {"605", "958", ""}, {"6.0", "6.3", ""}},
                                                 {100'000, 256, {"605", "958", ""}, {"11", "12", ""}},
                                                 {300'000, 32, {"1918", "2545", ""}, {"19", "16", ""}},
                                                 {300'000, 64, {"1916", "2478", ""}, {"16", "11", ""}},
                                                 {300'000, 128, {"1917", "2511", ""}, {"13", "11", ""}},
                                                 {300'000, 256, {"1912", "2579", ""}, {"18", "18", ""}},
                                                 {400'000, 32, {"2559", "", ""}, {"29", "", ""}},
                                                 {400'000, 64, {"2555", "", ""}, {"28", "", ""}},
                                                 {400'000, 128, {"2559", "", ""}, {"21", "", ""}},
                                                 {400'000, 256, {"2555", "", ""}, {"23", "", ""}},
                                                 {500'000, 32, {"3245", "", ""}, {"37", "", ""}},
                                                 {500'000, 64, {"3249", "", ""}, {"41", "", ""}},
                                                 {500'000, 128, {"3251", "", ""}, {"31", "", ""}},
                                                 {500'000, 256, {"3249", "", ""}, {"29", "", ""}}}};

std::uint64_t points_of(Data data, std::uint64_t row_points) {
  return data == Data::bunny && row_points == 50'000 ? 36'000 : row_points;
}

std::string specification(Data data, std::uint64_t n) {
  const std::string points = std::to_string(n);
  if (data == Data::random) return "uniform:n=" + points + ",dim=3,seed=1";
  return (data == Data::workbench ? "workbench:n=" : "bunny:sample=") + points;
}

ExperimentRow& add_row(ExperimentSpec& spec, std::string series, Data data, std::uint64_t n, Parameters fixed) {
  ExperimentRow& row = kdscope::add_row(spec, std::move(series), n);
  row.builds("wehr", specification(data, n), 3, std::move(fixed));
  return row;
}

Experiment experiment(std::string id, const std::string& place, std::string title,
                      const std::vector<std::string>& parameters) {
  Experiment made{{}, measure_build};
  ExperimentSpec& spec = made.spec;
  spec.id = std::move(id);
  spec.citation = "Wehr & Radkowski 2018, " + place;
  spec.title = std::move(title);
  spec.series_column = "series";
  spec.x_column = "n";
  spec.x = {"points", "", true};
  spec.y = {"build time", "ms", true};
  spec.statistic = Statistic::mean_and_deviation;
  spec.parameters = parameters_of("wehr", parameters);
  for (ParameterSpec& parameter : parameters_of("wehr", {"keys"})) {
    parameter.default_value = "quantized";
    spec.parameters.push_back(std::move(parameter));
  }
  spec.notes = "Keys are quantized as in section III-A; the parameter keys=exact measures keys without loss.";
  spec.shown_parameters = {"sort", "tpb", "cutoff", "base", "f"};
  spec.usual_max_n_on_cpu = 10'000;
  return made;
}

}  // namespace kdscope::wehr_2018
