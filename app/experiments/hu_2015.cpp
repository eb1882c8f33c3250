#include "app/experiments/hu_2015.hpp"

namespace kdscope::hu_2015 {

Experiment table(std::string id, const std::string& place, std::string title, std::uint32_t dim,
                 const std::array<Line, 6>& lines) {
  Experiment made{{}, measure_build};
  ExperimentSpec& spec = made.spec;
  spec.id = std::move(id);
  spec.citation = "Hu et al. 2015, " + place;
  spec.title = std::move(title);
  spec.notes =
      "The printed CPU times are those of a serial builder; here both series run this builder, on the CPU with all "
      "threads. The source does not print its leaf size. Its search times are left out: only builds are measured.";
  spec.series_column = "processor";
  spec.x_column = "n";
  spec.x = {"points", "", true};
  spec.y = {"build time", "ms", true};
  spec.printed = {{"i7_960", "Core i7-960, serial"}, {"gtx_660", "GTX 660"}};
  spec.series = {"CPU", "GPU"};
  spec.parameters = parameters_of("hu", {"leaf_size", "dimensions_at_once"});
  for (const bool gpu : {false, true})
    for (const Line& line : lines) {
      ExperimentRow& row = add_row(spec, spec.series[gpu], line.points);
      row.build = {"hu",
                   "uniform:n=" + std::to_string(line.points) + ",dim=" + std::to_string(dim) + ",seed=1",
                   dim,
                   {},
                   gpu ? Backend::cuda : Backend::cpu};
      row.printed = {printed_value(gpu ? "" : line.cpu), printed_value(gpu ? line.gpu : "")};
    }
  return made;
}

}  // namespace kdscope::hu_2015
