#include "app/experiments/hu_2015.hpp"

namespace kdscope::hu_2015 {
namespace {

enum Detail : std::size_t { speedup, paper_speedup };
constexpr std::uint32_t neighbours = 4;

/// The source's limit of the priority queue.
constexpr const char* longest_queue = "40";

}  // namespace

Experiment table(std::string id, const std::string& place, std::string title, std::uint32_t dim,
                 const std::array<Line, 6>& lines) {
  Experiment made{{}, measure_searches};
  ExperimentSpec& spec = made.spec;
  spec.id = std::move(id);
  spec.citation = "Hu et al. 2015, " + place;
  spec.title = std::move(title);
  spec.notes =
      "The printed CPU times are those of a serial program; here both series run this builder and this search, on the "
      "CPU with all threads. The source does not print its leaf size. Its search looks for the 4 nearest points of "
      "every point, and ends when more than 40 subtrees wait. In 512 dimensions it then has tested only a few hundred "
      "points per query; query --verify reports the share of neighbours that it finds.";
  spec.facet_column = "columns";
  spec.series_column = "processor";
  spec.x_column = "n";
  spec.x = {"points", "", true};
  spec.y = {"time", "ms", true};
  spec.printed = {{"i7_960", "Core i7-960, serial"}, {"gtx_660", "GTX 660"}};
  spec.facets = {"construction", "search"};
  spec.series = {"CPU", "GPU"};
  spec.parameters = parameters_of("hu", {"leaf_size", "dimensions_at_once"});
  spec.details = {"speedup", "paper_speedup"};
  spec.ratio_detail = speedup;
  int run = 0;
  for (const bool gpu : {false, true})
    for (const Line& line : lines) {
      for (const bool search : {false, true}) {
        ExperimentRow& row = add_row(spec, spec.series[gpu], line.points);
        row.facet = spec.facets[search];
        row.run = run;
        row.builds("hu", "uniform:n=" + std::to_string(line.points) + ",dim=" + std::to_string(dim) + ",seed=1", dim,
                   {}, gpu ? Backend::cuda : Backend::cpu);
        if (search) row.searches("best-bin-first", "", neighbours, {{"queue", longest_queue}, {"when_full", "end"}});
        const Times& times = search ? line.search : line.construction;
        row.printed = {printed_value(gpu ? "" : times.cpu), printed_value(gpu ? times.gpu : "")};
        if (!gpu) continue;
        row.compared_with = spec.series[0];
        row.details[paper_speedup] = times.speedup;
      }
      ++run;
    }
  return made;
}

}  // namespace kdscope::hu_2015
