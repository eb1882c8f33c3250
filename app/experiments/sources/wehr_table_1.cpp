// Wehr & Radkowski 2018, Table I: the proposed method beside that of Hu et al., uniform points.

#include "algorithms/text/numbers.hpp"
#include "app/experiments/wehr_2018.hpp"

namespace kdscope::wehr_table_1 {

Experiment declare() {
  using namespace wehr_2018;
  struct Line {
    std::uint64_t n;
    const char *proposed, *hu;
  };
  constexpr Line lines[] = {{3'200, "3.5", "4.6"},  {6'400, "4", "7.2"},     {12'800, "4.8", "8.2"},
                            {25'600, "5.9", "8.8"}, {51'200, "9.5", "12.4"}, {102'400, "22.2", "20.2"}};
  Experiment made =
      experiment("wehr-table-1", "Table I", "build times beside Hu et al., uniform points", {"tpb", "base"});
  ExperimentSpec& spec = made.spec;
  spec.series_column = "method";
  spec.printed = {{"gtx_660", "GTX 660"}};
  spec.series = {"hu", "wehr"};
  spec.details = {"ratio", "paper_ratio"};
  spec.ratio_detail = 0;
  for (const std::string& method : spec.series)
    for (const Line& line : lines) {
      ExperimentRow& row = add_row(spec, method, Data::random, line.n, {});
      row.what.subject = method;
      row.printed = {printed_value(method == "wehr" ? line.proposed : line.hu)};
      if (method == "hu") continue;
      row.compared_with = "hu";
      row.details[1] = short_number(std::stod(line.hu) / std::stod(line.proposed), 3);
    }
  return made;
}

}  // namespace kdscope::wehr_table_1
