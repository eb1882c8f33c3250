// tune: searches for a parameter's best value on a device, and stores it as the value of "auto" there.

#include "algorithms/registry/tuning.hpp"
#include "algorithms/text/printable_text.hpp"
#include "app/cli/commands.hpp"
#include "app/cli/run_options.hpp"
#include "app/measure/sampling.hpp"
#include "datasets/datasets.hpp"

namespace kdscope::cli {
namespace {

/// Prints one line per size and value; the last column marks the value that "auto" takes at that size. kept: what is
/// stored.
void print_rows(const std::vector<TuningRow>& rows, const std::vector<TuningRow>& kept, const Device& device,
                std::ostream& out) {
  out << "algorithm,parameter,backend,device,n,value,median_ms,best\n";
  for (const TuningRow& row : rows) {
    std::vector<TuningRow> alike;
    for (const TuningRow& r : kept)
      if (r.algorithm == row.algorithm && r.parameter == row.parameter) alike.push_back(r);
    out << row.algorithm << ',' << row.parameter << ',' << name_of(device.backend) << ",\"" << device.name << "\","
        << row.n << ',' << row.value << ',' << row.median_ms << ','
        << (best_tuning(alike, row.n)->value == row.value ? 1 : 0) << '\n';
  }
}

Result<ExitCode> print_stored(Backend backend, Console& console) {
  const auto device = device_on(backend);
  if (!device) return Error{ErrorKind::no_device, "no CUDA device can be used", "", "choose the CPU back end"};
  const auto rows = value_of(stored_tuning(*device));
  print_rows(rows, rows, *device, console.out);
  return exit_ok;
}

Result<ExitCode> run_tune(const Arguments& arguments, Console& console) {
  const auto backend = value_of(backend_named(arguments.text("--backend", "auto")));
  if (arguments.operand(0) == "list") return print_stored(backend, console);
  const auto parameters = value_of(parameters_from(arguments));
  const auto max_n = value_of(arguments.integer("--max-n", 500'000, 1, 1'000'000'000));
  const auto repeat = value_of(arguments.integer("--repeat", 5, 1, 1'000));
  TuningRequest request;
  request.algorithm = arguments.operand(0);
  request.parameter = arguments.text("--parameter");
  request.parameters = parameters;
  request.backend = backend;
  request.sizes = tuning_sizes(max_n);
  request.repeat = static_cast<int>(repeat);
  request.data = [](std::uint64_t n) { return open_data_set("uniform:n=" + std::to_string(n) + ",dim=3,seed=1"); };
  const auto found = value_of(search_tuning(request, nullptr, control_for(console)));
  finish_progress(console);
  print_rows(found.rows, found.kept, found.device, console.out);
  if (!found.undecided.empty()) {
    std::string sizes;
    for (const std::uint64_t n : found.undecided) sizes += (sizes.empty() ? "" : ", ") + std::to_string(n);
    console.err << "no clear winner at " << sizes << " points: auto stays what it is there\n";
  }
  if (!found.cut_short.empty())
    console.err << "kdscope-cli: larger sizes are left out: " << printable(found.cut_short) << "\n";
  // Do not store a result found with non-default parameters as the general default.
  if (arguments.has("--no-store") || arguments.has("--param")) return exit_ok;
  ensure(store_tuning(found));
  console.err << "Kept in " << tuning_path(found.device) << "\n";
  return exit_ok;
}

}  // namespace

Command tune_command() {
  return {
      {"tune",
       "find the best threads per block on this device",
       "Builds uniform points of ten sizes with every candidate value of a parameter, prints the medians as CSV and "
       "keeps for this device the best value of each size, if it is clearly faster than the one that auto takes "
       "otherwise: from then on, auto means the value kept for the nearest size. The file "
       "lies in $XDG_CONFIG_HOME/kdscope/tuning or ~/.config/kdscope/tuning (KDSCOPE_TUNING names another folder). "
       "An interrupted search keeps nothing.",
       {{"ALGORITHM", "The builder to search for, such as wehr; `list` prints what is kept."}},
       {{"--parameter", "NAME", "The parameter to search. Default: the first that has candidates."},
        {"--backend", "NAME", "auto, cpu or cuda. Default: auto."},
        {"--max-n", "N",
         "The largest of the sizes, of which 2,000 is the smallest; K, M or G as usual. Default: 500K."},
        {"--repeat", "R",
         "Timed builds per size and value, in turn. Default: 5; with fewer, no value is clearly faster."},
        {"--param", "NAME=VALUE", "Another parameter of the algorithm, held fixed.", false, true},
        {"--no-store", "", "Print only; --param implies this."}},
       {"tune wehr", "tune wehr --backend cpu --max-n 20K --no-store", "tune list"}},
      run_tune};
}

}  // namespace kdscope::cli
