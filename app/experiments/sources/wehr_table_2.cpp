// Wehr & Radkowski 2018, Table II: the suggested method and the comparison on three kinds of data.

#include "algorithms/text/numbers.hpp"
#include "app/experiments/wehr_2018.hpp"

namespace kdscope::wehr_table_2 {

Experiment declare() {
  using namespace wehr_2018;
  Experiment made = experiment("wehr-table-2", "Table II",
                               "build times by points, TPB and data, beside one thread per chunk", {"base"});
  ExperimentSpec& spec = made.spec;
  spec.notes +=
      " The comparison sorts every chunk by one thread (sort=naive-radix), so TPB does not affect it. Table II prints "
      "61 ms at 2,000 random points, which the text gives for 10,000.";
  spec.facet_column = "data";
  spec.facets = {"R", "WB", "B"};
  spec.printed = {{"titan_x", "Titan X"}};
  spec.details = {"ratio", "paper_ratio"};
  spec.ratio_detail = 0;
  for (const char* method : {"comparison", "suggested"})
    for (const int tpb : threads_per_block) spec.series.push_back(std::string(method) + " " + std::to_string(tpb));
  for (const Data data : {Data::random, Data::workbench, Data::bunny})
    for (const bool comparison : {true, false})
      for (const int tpb : threads_per_block)
        for (const TableTwoRow& line : table_two) {
          const char* text = (comparison ? line.comparison : line.suggested)[static_cast<std::size_t>(data)];
          if (line.tpb != tpb || !*text) continue;
          ExperimentRow& row =
              add_row(spec, (comparison ? "comparison " : "suggested ") + std::to_string(tpb), data,
                      points_of(data, line.points),
                      {{"tpb", std::to_string(tpb)}, {"sort", comparison ? "naive-radix" : "adaptive"}});
          row.facet = spec.facets[static_cast<std::size_t>(data)];
          row.printed = {printed_value(text)};
          if (comparison) continue;
          row.compared_with = "comparison " + std::to_string(tpb);
          row.details[1] =
              short_number(std::stod(line.comparison[static_cast<std::size_t>(data)]) / std::stod(text), 3);
        }
  return made;
}

}  // namespace kdscope::wehr_table_2
