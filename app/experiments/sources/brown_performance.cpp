// Robinson, "Performance Examples": times of the parts of a build of 16,777,216 tuples in four dimensions.

#include <algorithm>
#include <array>

#include "app/experiments/measured_build.hpp"

namespace kdscope::brown_performance {
namespace {

/// Series: the source's parts and their sum, in its order.
enum Part : std::size_t { init, sort_and_removal, build_tree, verify, total };
const std::vector<std::string> parts{"init", "sort and removal", "build", "verify", "total"};

/// The printed times of one machine, converted to ms.
struct Printed {
  const char *id, *title;
  bool gpu;
  std::array<const char*, 5> ms;  ///< one per part
};
constexpr std::array<Printed, 5> machines{
    {{"macbook_i7", "MacBook Pro, i7 2.2 GHz", false, {"120", "5560", "5970", "220", "11880"}},
     {"desktop_i7", "i7 3.4 GHz", false, {"60", "7600", "6920", "190", "14770"}},
     {"g2_cpu", "AWS G2, CPU", false, {"50", "8700", "8860", "170", "17790"}},
     {"k520", "GRID K520", true, {"81", "823", "1365", "101", "2371"}},
     {"titan_black", "Titan Black", true, {"48", "388", "920", "80", "1437"}}}};

/// The part that a step belongs to.
Part part_of(const StepTime& step) {
  if (step.name.ends_with("initialise references")) return init;
  if (step.name.ends_with("verify")) return verify;
  return step.level < 0 ? sort_and_removal : build_tree;
}

const std::string two_gpus = "2 GPUs";

/// Measures all parts by the same run.
Result<void> measure(std::span<ExperimentRow> rows, const ExperimentOptions& options, const RunControl& control) {
  // Require two devices: on one device, the two shares would run one after the other.
  const auto& devices = find_devices().devices;
  if (rows.front().facet == two_gpus &&
      std::count_if(devices.begin(), devices.end(), [](const Device& d) { return d.backend == Backend::cuda; }) < 2) {
    for (ExperimentRow& row : rows) row.reason = "no second CUDA device";
    return {};
  }
  const auto of_part = [&](ExperimentRow& row, const BuildReport& report) {
    std::array<double, 5> ms{};
    ms[init] = report.upload_ms;
    for (const StepTime& step : report.step_times) ms[part_of(step)] += step.ms;
    ms[total] = ms[init] + ms[sort_and_removal] + ms[build_tree] + ms[verify];
    return ms[static_cast<std::size_t>(&row - rows.data())];
  };
  return measure_by_steps(rows, of_part, options, control);
}

}  // namespace

Experiment declare() {
  Experiment made{{}, measure};
  ExperimentSpec& spec = made.spec;
  spec.id = "brown-performance";
  spec.citation = "Robinson, Performance Examples";
  spec.title = "parts of a build of points in 4 dimensions, CPU and GPU";
  spec.notes =
      "Printed only for 16,777,216 points; for CPUs, sort and removal were printed separately and are added up here. "
      "The source does not define init: here it is the upload of the points and the first references. The CPUs ran "
      "Brown's depth-first program with 8 threads and verified depth first; here both run this builder and its "
      "breadth-first verifier. The source's own choices are sort=merge, compare=tuples and warps=2048. For two GPUs "
      "the source only states that one example ran 1.9 times as fast as on one; the ratio is that of one GPU's time to "
      "that of two.";
  spec.facet_column = "processor";
  spec.series_column = "part";
  spec.x_column = "n";
  spec.x = {"points", "", true};
  spec.y = {"time", "ms", true};
  spec.facets = {"CPU", "GPU", two_gpus};
  spec.series = parts;
  spec.details = {"ratio", "paper_ratio"};
  spec.ratio_detail = 0;
  for (const Printed& machine : machines) spec.printed.push_back({machine.id, machine.title});
  spec.parameters = parameters_of("brown", {"sort", "sorted", "form", "compare", "warps"});
  spec.usual_max_n_on_cpu = 1 << 24;  // takes minutes, but the source prints no other size
  int run = 0;
  for (const std::string& facet : spec.facets)
    for (std::uint64_t n = 1 << 16; n <= 1 << 24; n *= 4, ++run)
      for (std::size_t part = 0; part < parts.size(); ++part) {
        ExperimentRow& row = add_row(spec, parts[part], n);
        row.facet = facet;
        row.run = run;
        row.builds("brown", "uniform:n=" + std::to_string(n) + ",dim=4,seed=1,type=int,range=2147483647", 4,
                   {{"verify", "yes"}, {"parts", facet == two_gpus ? "2" : "1"}},
                   facet == "CPU" ? Backend::cpu : Backend::cuda);
        if (facet == two_gpus) {
          row.compared_with = parts[part];
          row.compared_facet = "GPU";
          if (part == total && n == 1 << 24) row.details[1] = "1.9";
        }
        for (std::size_t m = 0; m < machines.size(); ++m)
          if (n == 1 << 24 && facet == (machines[m].gpu ? "GPU" : "CPU"))
            row.printed[m] = printed_value(machines[m].ms[part]);
      }
  return made;
}

}  // namespace kdscope::brown_performance
