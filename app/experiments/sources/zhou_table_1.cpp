// Zhou et al. 2008, Table 1: the operators of segmented reductions, and the cost of segments.

#include <array>
#include <cstdio>

#include "algorithms/microbench/reduction_times.hpp"
#include "app/experiments/measured_build.hpp"

namespace kdscope::zhou_table_1 {
namespace {

/// The table's lines, in the order of ReductionOperator.
struct Operator {
  const char *name, *identity, *usage;
};
constexpr std::array<Operator, 3> operators{
    {{"min", "+inf", "bounding boxes"}, {"max", "-inf", "bounding boxes"}, {"+", "0", "numbers of triangles"}}};
const std::vector<std::string> ways{"unsegmented", "segmented, chunks first",
                                    "segmented, every element"};  // in the order of ReductionWay

enum Detail : std::size_t { identity, usage, segments, first_result, times_unsegmented };

/// Measures all ways to reduce this many elements.
Result<void> measure(std::span<ExperimentRow> rows, const ExperimentOptions& options, const RunControl& control) {
  const std::optional<Device> device = device_on(options.backend);
  std::size_t of = 0;
  while (rows.front().facet != operators[of].name) ++of;
  for (std::size_t way = 0; way < rows.size(); ++way) {
    ExperimentRow& row = rows[way];
    row.device.backend = options.backend;
    if (!device) {
      row.reason = "no CUDA device";
      continue;
    }
    row.device = *device;
    const auto times = time_reductions({static_cast<ReductionOperator>(of), static_cast<ReductionWay>(way),
                                        static_cast<std::uint32_t>(row.n), options.repeat > 0 ? options.repeat : 25},
                                       *device, control.stop);
    if (!times) {
      if (times.error().kind != ErrorKind::out_of_memory) return times.error();
      row.reason = "oom";
      continue;
    }
    row.samples = {times->ms};
    row.facts.parameters.clear();
    row.details[segments] = std::to_string(times->segments);
    row.details[first_result] = times->first;
    if (!rows.front().measured()) continue;
    char text[40];
    std::snprintf(text, sizeof text, "%.2f", row.samples.median() / rows.front().samples.median());
    row.details[times_unsegmented] = text;
  }
  return {};
}

}  // namespace

Experiment declare() {
  Experiment made{{}, measure};
  ExperimentSpec& spec = made.spec;
  spec.id = "zhou-table-1";
  spec.citation = "Zhou et al. 2008, Table 1";
  spec.title = "the operators of segmented reductions, and the cost of segments";
  spec.notes =
      "The table prints operators, identities and usages, but no times. The text cites that large segmented reductions "
      "take about three times as long as others, and therefore reduces chunks of 256 first. Segments here are 1 to 15 "
      "chunks long, elements are floats for min and max and integers for +, and every result is compared with that of "
      "a plain loop. On the CPU the lanes of a block are a loop, so only the GPU's times show the cost of segments.";
  spec.counted = "elements";
  spec.facet_column = "operator";
  spec.series_column = "reduction";
  spec.x_column = "n";
  spec.x = {"elements", "", true};
  spec.y = {"time", "ms", true};
  spec.series = ways;
  spec.details = {"identity", "usage", "segments", "first_result", "times_unsegmented"};
  int run = 0;
  for (const Operator& of : operators) {
    spec.facets.emplace_back(of.name);
    for (std::uint64_t n = 1 << 12; n <= 1 << 24; n *= 4, ++run)
      for (const std::string& way : ways) {
        ExperimentRow& row = add_row(spec, way, n);
        row.facet = of.name;
        row.run = run;
        row.details[identity] = of.identity;
        row.details[usage] = of.usage;
      }
  }
  return made;
}

}  // namespace kdscope::zhou_table_1
