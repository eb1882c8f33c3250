// experiment: measures a table of a source on this machine, and prints the source's values beside the measured ones.

#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>

#include "algorithms/core/replaced_file.hpp"
#include "algorithms/text/similar_names.hpp"
#include "app/cli/commands.hpp"
#include "app/cli/run_options.hpp"
#include "app/experiments/experiment.hpp"

namespace kdscope::cli {
namespace {

/// Measures and writes each row to the stream of `open`, which is called at the first row: a rejected run writes
/// nothing.
Result<ExitCode> write_rows(const Experiment& experiment, const Arguments& arguments,
                            const std::function<std::ostream&()>& open, Console& console) {
  ExperimentOptions options;
  const auto [least, most] = range_of_n(experiment.spec);
  const auto max_n = arguments.integer("--max-n", most, least, most);
  if (!max_n) return max_n.error();
  const auto repeat = arguments.integer("--repeat", 0, 1, 1'000'000);
  if (!repeat) return repeat.error();
  const auto backend = backend_named(arguments.text("--backend", "auto"));
  if (!backend) return backend.error();
  options.max_n = *max_n;
  options.repeat = static_cast<int>(*repeat);
  options.backend = *backend;
  const auto parameters = parameters_from(arguments);
  if (!parameters) return parameters.error();
  options.parameters = *parameters;

  std::ostream* out = nullptr;
  const auto ran = run_experiment(
      experiment, options,
      [&](std::size_t, const ExperimentRow& row) {
        finish_progress(console);
        if (!out) write_csv_header(*(out = &open()), experiment.spec);
        write_csv_row(*out, experiment.spec, row);
        out->flush();
      },
      control_for(console));
  finish_progress(console);
  if (!ran) return ran.error();
  return exit_ok;
}

Result<ExitCode> run_command(const Arguments& arguments, Console& console) {
  const std::string id = arguments.operand(0);
  std::vector<std::string> ids{"list"};
  for (const Experiment& e : experiments()) {
    ids.push_back(e.spec.id);
    if (id != "list") continue;
    console.out << e.spec.id << "  " << e.spec.citation << ": " << e.spec.title << "\n";
    if (!e.spec.notes.empty()) console.out << "  " << e.spec.notes << "\n";
    for (const ParameterSpec& p : e.spec.parameters)
      console.out << "  " << p.name << "=" << p.default_value << "  " << p.help << "\n";
  }
  if (id == "list") return exit_ok;
  const Experiment* experiment = find_experiment(id);
  if (!experiment) {
    std::string remedy = did_you_mean(id, ids);
    if (remedy.empty()) remedy = "kdscope-cli experiment list names them all";
    return Error{ErrorKind::bad_usage, "there is no experiment '" + id + "'", "", remedy};
  }
  if (!arguments.has("-o"))
    return write_rows(
        *experiment, arguments, [&]() -> std::ostream& { return console.out; }, console);
  const std::string path = arguments.text("-o");
  Result<ReplacedFile> file = ReplacedFile::begin(path);
  if (!file) return file.error();
  std::ofstream rows(file->temporary(), std::ios::binary);
  const auto code = write_rows(
      *experiment, arguments, [&]() -> std::ostream& { return rows; }, console);
  const bool any = rows.tellp() > 0;
  rows.close();
  if (!rows)
    return Error{ErrorKind::io_failure, "cannot be written", path,
                 "check the folder, its permissions and the space left"};
  if (code) {
    if (Result<void> kept = file->keep(); !kept) return kept.error();
    return code;
  }
  if (!any) return code;
  // Keep the rows measured so far in F.unfinished.csv, and the older table as it is.
  Error error = code.error();
  const std::filesystem::path wanted(path);
  const std::string unfinished =
      (wanted.parent_path() / (wanted.stem().string() + ".unfinished" + wanted.extension().string())).string();
  std::ifstream measured(file->temporary(), std::ios::binary);
  if (replace_file(unfinished, std::string(std::istreambuf_iterator<char>(measured), {})))
    error.remedy += (error.remedy.empty() ? "the rows so far are in " : "; the rows so far are in ") + unfinished;
  return error;
}

}  // namespace

Command experiment_command() {
  return {
      {"experiment",
       "measure a table or figure of a source on this machine",
       "Measures a source's table or figure on this machine, and prints CSV with the measured and the printed values. "
       "Columns: the keys of the row (data or points if there are several, the series, n or level); parameters of the "
       "build with auto resolved, backend, device, repeats; median, min, max, mean and sd (one standard deviation) in "
       "the unit of their names (ms or percent); tree_hash; further results of the experiment; then paper_SERIES_UNIT, "
       "as printed. A row that cannot be measured has the reason in place of numbers: oom if the points do not fit in "
       "memory, no builder ID if the algorithm is not part of this build, no CUDA device if the series of a GPU has "
       "none.",
       {{"ID", "The experiment; `list` names them all with their parameters."}},
       {{"--max-n", "N", "Leave out larger sizes; K, M or G multiply by 10^3, 10^6 or 10^9. Default: all."},
        {"--repeat", "R", "Timed builds per row. Default: 25, or down to 3 if they would take over 2 s."},
        {"--param", "NAME=VALUE", "A parameter of the experiment, such as sort=bitonic or tpb=64.", false, true},
        {"--backend", "NAME", "auto, cpu or cuda; a series of one processor always runs there. Default: auto."},
        {"-o", "F.csv",
         "Write to this file instead of standard output, once all is measured. A run that is stopped leaves its rows "
         "in F.unfinished.csv."}},
       {"experiment wald-table-1 --max-n 10M -o table-1.csv", "experiment wehr-fig-5 --max-n 500K -o figure-5.csv"}},
      run_command};
}

}  // namespace kdscope::cli
