// Wehr & Radkowski 2018, Table III: nearest-neighbor queries by size of tree and number of queries.

#include "algorithms/text/numbers.hpp"
#include "app/experiments/measured_search.hpp"
#include "app/experiments/wehr_2018.hpp"

namespace kdscope::wehr_table_3 {

Experiment declare() {
  using namespace wehr_2018;
  struct Line {
    std::uint64_t n;
    std::array<const char*, 4> us;  ///< mean times of 100, 10,000, 50,000 and 100,000 queries
  };
  constexpr std::array<std::uint64_t, 4> query_counts{100, 10'000, 50'000, 100'000};
  constexpr Line lines[] = {{2'000, {"676", "1024", "4897", "9672"}},    {5'000, {"762", "1055", "5421", "10781"}},
                            {50'000, {"871", "1502", "7851", "15769"}},  {100'000, {"849", "1466", "8454", "17104"}},
                            {200'000, {"844", "1763", "9293", "18896"}}, {500'000, {"899", "1976", "10082", "20535"}}};
  Experiment made = experiment("wehr-table-3", "Table III", "times of nearest-neighbor queries", {"tpb", "base"});
  made.measure = measure_searches;
  ExperimentSpec& spec = made.spec;
  spec.parameters = parameters_of("wehr", {"tpb", "base"});  // quantized keys may put points on a wrong side
  spec.notes =
      "Table III labels its times ms; they can only be microseconds, and stand here as ms. The queries are uniform, "
      "without regard to order. The source's queue is bounded, but its bound is not printed; queue=0, the "
      "default, gives exact answers.";
  spec.y = {"query time", "ms", true};
  spec.printed = {{"titan_x", "Titan X"}};
  if (const Search* search = find_search("priority-queue"))
    for (const ParameterSpec& parameter : search->spec.parameters) spec.parameters.push_back(parameter);
  for (const std::uint64_t queries : query_counts) spec.series.push_back(std::to_string(queries) + " queries");
  int run = 0;
  for (const Line& line : lines) {
    for (std::size_t q = 0; q < query_counts.size(); ++q) {
      ExperimentRow& row = add_row(spec, spec.series[q], Data::random, line.n, {{"sort", "adaptive"}});
      row.searches("priority-queue", "uniform:n=" + std::to_string(query_counts[q]) + ",dim=3,seed=2", 1);
      row.printed = {printed_value(short_number(std::stod(line.us[q]) / 1000))};
      row.run = run;
    }
    ++run;
  }
  return made;
}

}  // namespace kdscope::wehr_table_3
