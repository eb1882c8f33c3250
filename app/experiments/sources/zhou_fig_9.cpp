// Zhou et al. 2008, appendix B and Fig. 9: the strength field of a deformation, computed when handles change.

#include "algorithms/applications/point_clouds/deformation.hpp"
#include "app/experiments/zhou_2008.hpp"
#include "datasets/datasets.hpp"

namespace kdscope::zhou_fig_9 {
namespace {

enum Detail : std::size_t { active, fixed, trees_ms, searches_ms };
constexpr std::uint64_t points = 170'000;

Result<void> measure(std::span<ExperimentRow> rows, const ExperimentOptions& options, const RunControl& control) {
  ExperimentRow& row = rows.front();
  const auto device = device_on(options.backend);
  if (!device) {
    row.reason = "no CUDA device";
    return {};
  }
  const auto data = open_data_set(row.specification());
  if (!data) return data.error();
  StrengthRequest request;
  request.points = *data;
  request.active = points_within((*data)->points, zhou_2008::ear.centre, zhou_2008::ear.radius);
  request.fixed = points_within((*data)->points, zhou_2008::feet.centre, zhou_2008::feet.radius);
  request.backend = device->backend;
  const auto times_of = [](const StrengthField& field) { return sums_of(field.build_ms, field.search_ms); };
  const auto field = sample_repeats(
      request, options.repeat, [&](const StrengthRequest& asked) { return strength_field(asked, control); }, times_of);
  if (!field && field.error().kind == ErrorKind::out_of_memory) {
    row.reason = "oom";
    return {};
  }
  if (!field) return field.error();
  row.samples = {times_of(*field)};
  row.device = field->device;
  row.details[active] = std::to_string(request.active.size());
  row.details[fixed] = std::to_string(request.fixed.size());
  row.details[trees_ms] = zhou_2008::decimal(median_ms(field->build_ms));
  row.details[searches_ms] = zhou_2008::decimal(median_ms(field->search_ms));
  return {};
}

}  // namespace

Experiment declare() {
  Experiment made{{}, measure};
  ExperimentSpec& spec = made.spec;
  spec.id = "zhou-fig-9";
  spec.citation = "Zhou et al. 2008, appendix B and Fig. 9";
  spec.title = "time of the strength field of a deformation";
  spec.notes =
      "Two trees, over the points of the active handle and over those of the static ones, and every point's nearest in "
      "both. The source's cloud of 170K points and its handles are not shipped; here as many points are drawn from the "
      "surface of the bunny, an ear is the active handle and the feet are static. The printed "
      "time is that of a response to the user."
      " That of ANN is from a CPU.";
  spec.series_column = "field";
  spec.x_column = "n";
  spec.x = {"points", "", true};
  spec.y = {"time", "ms", true};
  spec.printed = {{"8800_ultra", "8800 ULTRA"}, {"ann", "ANN"}};
  spec.series = {"zhou-vvh"};
  spec.details = {"active", "static", "trees_ms", "searches_ms"};
  for (const std::uint64_t n : {std::uint64_t{17'000}, points}) {
    ExperimentRow& row = add_row(spec, spec.series.front(), n);
    row.builds("zhou-vvh", "bunny:sample=" + std::to_string(n), 3, {});
    if (n == points) row.printed = {printed_value("310"), printed_value("3000")};
  }
  return made;
}

}  // namespace kdscope::zhou_fig_9
