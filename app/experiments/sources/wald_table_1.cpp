// Wald 2023, Table 1: build times of uniform points, round-robin split.

#include "app/experiments/measured_build.hpp"

namespace kdscope::wald_table_1 {
namespace {

/// A column of the table: times as printed, in ms.
struct Column {
  std::uint64_t n;
  const char *rtx_8000, *a6000, *rtx_3090ti;
};

struct Table {
  const char* data;  ///< the paper's name of the data type
  std::uint32_t dim;
  const char* type;
  Column columns[7];
};

constexpr Table tables[] = {{"int1",
                             1,
                             "int32",
                             {{1'000, "<1", "<1", "<1"},
                              {10'000, "0.6", "0.6", "0.6"},
                              {100'000, "1.4", "1.2", "1.2"},
                              {1'000'000, "12.8", "11.9", "11.0"},
                              {10'000'000, "165", "124", "106"},
                              {100'000'000, "1890", "1370", "1070"},
                              {1'000'000'000, "24700", "17700", "16800"}}},
                            {"float4",
                             4,
                             "float",
                             {{1'000, "<1", "<1", "<1"},
                              {10'000, "0.9", "0.9", "0.9"},
                              {100'000, "6.0", "5.6", "5.6"},
                              {1'000'000, "54.4", "49.7", "44.4"},
                              {10'000'000, "783", "536", "424"},
                              {100'000'000, "10300", "6500", "5300"},
                              {1'000'000'000, "oom", "oom", "oom"}}}};

}  // namespace

Experiment declare() {
  Experiment experiment{{}, measure_build};
  ExperimentSpec& spec = experiment.spec;
  spec.id = "wald-table-1";
  spec.citation = "Wald 2023, Table 1";
  spec.title = "build times of int1 and float4 points, 10^3 to 10^9, uniform, round-robin";
  spec.series_column = "data";
  spec.x_column = "n";
  spec.x = {"points", "", true};
  spec.y = {"build time", "ms", true};
  spec.printed = {{"rtx_8000", "RTX 8000"}, {"a6000", "A6000"}, {"rtx_3090ti", "RTX 3090 Ti"}};
  spec.parameters = parameters_of("wald", {"sort"});
  for (const Table& table : tables) {
    spec.series.emplace_back(table.data);
    for (const Column& column : table.columns) {
      ExperimentRow& row = add_row(spec, table.data, column.n);
      row.builds(
          "wald",
          "uniform:n=" + std::to_string(row.n) + ",dim=" + std::to_string(table.dim) + ",seed=1,type=" + table.type,
          table.dim, {});
      row.printed = {printed_value(column.rtx_8000), printed_value(column.a6000), printed_value(column.rtx_3090ti)};
    }
  }
  return experiment;
}

}  // namespace kdscope::wald_table_1
