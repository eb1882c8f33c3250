// experiment: measures a table of a source, or a sweep of one's own, on this machine. Prints a source's values beside
// the measured ones.

#include <filesystem>
#include <functional>
#include <sstream>
#include <string>
#include <utility>

#include "algorithms/core/replaced_file.hpp"
#include "algorithms/text/numbers.hpp"
#include "algorithms/text/printable_text.hpp"
#include "algorithms/text/similar_names.hpp"
#include "app/cli/busy_machine.hpp"
#include "app/cli/commands.hpp"
#include "app/cli/kept_runs.hpp"
#include "app/cli/run_options.hpp"
#include "app/experiments/experiment.hpp"
#include "app/experiments/experiment_file.hpp"

namespace kdscope::cli {
namespace {

/// The options that built-in experiments and files share.
Result<ExperimentOptions> options_from(const Experiment& experiment, const Arguments& arguments) {
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
  return options;
}

/// Measures, and passes each row to `write` as soon as it is measured, the first one with the header: a rejected run
/// writes nothing. With --compare, prints each row beside a kept one.
Result<ExitCode> write_experiment_rows(const Experiment& experiment, const Arguments& arguments,
                                       const std::function<void(const std::string&)>& write, const KeptRuns& kept,
                                       Console& console) {
  const auto options = options_from(experiment, arguments);
  if (!options) return options.error();
  bool begun = false;
  BusyMachine busy;
  MeasuredRun now = run_of_this_program();
  ComparisonReport comparison(console.out);
  const auto take = [&](const ExperimentRow& row) {
    MeasuredRow measured = row;
    if (!row.measured()) {
      if (kept.compares()) console.out << printable(measured.what.title() + ": " + row.reason) << "\n";
      return;
    }
    MeasuredTable& table = table_on(row.device, now);
    if (kept.compares()) comparison.add(compare(measured, table, now.commit, kept.before()));
    table.rows.push_back(std::move(measured));
  };
  const auto ran = run_experiment(
      experiment, *options,
      [&](std::size_t, const ExperimentRow& row) {
        finish_progress(console);
        std::ostringstream text;
        if (!std::exchange(begun, true)) write_csv_header(text, experiment.spec);
        write_csv_row(text, experiment.spec, row);
        write(text.str());
        take(row);
        if (row.samples.count() >= 3 && !experiment.spec.y.unit.empty())
          busy.add(row.series + " at " + short_number(row.x), row.samples.least(), row.samples.median(),
                   row.samples.most());
      },
      control_for(console));
  finish_progress(console);
  const ExitCode code = comparison.finish();
  console.err << busy.text();  // standard output holds the table
  // Keep the rows of a run that was stopped, too; its error comes first.
  const auto added = kept.keep({now}, console.err);
  if (!ran) return ran.error();
  if (!added) return added.error();
  return code;
}

void list_experiments(std::ostream& out) {
  for (const Experiment& e : experiments()) {
    out << e.spec.id << "  " << e.spec.citation << ": " << e.spec.title << "\n";
    if (!e.spec.notes.empty()) out << "  " << e.spec.notes << "\n";
    for (const ParameterSpec& p : e.spec.parameters)
      out << "  " << p.name << "=" << p.default_value << "  " << p.help << "\n";
  }
}

/// Whether an operand that is no built-in experiment is meant as a file.
bool names_file(const std::string& operand) {
  std::error_code ignored;
  return operand.find_first_of("/.") != std::string::npos || std::filesystem::exists(operand, ignored);
}

Error unknown_experiment(const std::string& id) {
  std::vector<std::string> ids{"list"};
  for (const Experiment& e : experiments()) ids.push_back(e.spec.id);
  std::string remedy = did_you_mean(id, ids);
  if (remedy.empty()) remedy = "kdscope-cli experiment list names them all, and a file's name ends in .yaml";
  return Error{ErrorKind::bad_usage, "there is no experiment '" + id + "'", "", remedy};
}

/// Checks that no file is written over another one of this run.
Result<void> check_output(const Arguments& arguments, const std::string& experiment_file) {
  for (const std::string& file : {experiment_file, arguments.text("--compare"), arguments.text("--keep")})
    if (auto other = check_other_file("-o", arguments.text("-o"), file); !other) return other;
  return check_other_file("--keep", arguments.text("--keep"), experiment_file);
}

/// Writes the CSV to the file of -o once all is measured, or what was measured so far to F.unfinished.csv.
Result<ExitCode> write_file(const Experiment& experiment, const Arguments& arguments, const KeptRuns& kept,
                            Console& console) {
  const std::string path = arguments.text("-o");
  Result<ReplacedFile> file = ReplacedFile::begin(path);
  if (!file) return file.error();
  std::string rows;
  Result<void> saved;
  const auto write = [&](const std::string& text) {
    rows += text;
    if (saved) saved = file->write(text);
  };
  const auto code = write_experiment_rows(experiment, arguments, write, kept, console);
  if (code) {
    if (saved) saved = file->keep();
    return saved ? code : saved.error();
  }
  if (rows.empty()) return code;
  // Keep the rows measured so far in F.unfinished.csv, and the older table as it is.
  Error error = code.error();
  const std::string unfinished = unfinished_file_of(path);
  if (replace_file(unfinished, rows))
    error.remedy += (error.remedy.empty() ? "the rows so far are in " : "; the rows so far are in ") + unfinished;
  return error;
}

Result<ExitCode> measure_experiment(const Experiment& experiment, const Arguments& arguments, Console& console) {
  const auto kept = KeptRuns::open(arguments);
  if (!kept) return kept.error();
  if (arguments.has("-o")) return write_file(experiment, arguments, *kept, console);
  const auto print = [&](const std::string& text) {
    if (!kept->compares()) console.out << text << std::flush;
  };
  return write_experiment_rows(experiment, arguments, print, *kept, console);
}

Result<ExitCode> measure_file(const std::string& file, const Arguments& arguments, Console& console) {
  if (arguments.has("--param"))
    return Error{ErrorKind::bad_usage, "--param does not go with an experiment file", file,
                 "write the values under 'parameters' in the file"};
  if (const auto safe = check_output(arguments, file); !safe) return safe.error();
  const auto experiment = read_experiment(file);
  if (!experiment) return experiment.error();
  return measure_experiment(*experiment, arguments, console);
}

Result<ExitCode> run_command(const Arguments& arguments, Console& console) {
  const std::string id = arguments.operand(0);
  if (id == "list") {
    list_experiments(console.out);
    return exit_ok;
  }
  if (const Experiment* experiment = find_experiment(id)) {
    for (const char* option : {"--keep", "--compare"})
      if (arguments.has(option))
        return Error{ErrorKind::bad_usage, std::string(option) + " needs an experiment file, not a built-in one", "",
                     "write the sweep as an experiment file, or use kdscope-cli bench"};
    return measure_experiment(*experiment, arguments, console);
  }
  if (names_file(id)) return measure_file(id, arguments, console);
  return unknown_experiment(id);
}

std::vector<Option> options() {
  std::vector<Option> all{
      {"--max-n", "N", "Leave out larger sizes; K, M or G multiply by 10^3, 10^6 or 10^9. Default: all."},
      {"--repeat", "R",
       "Timed builds per row. Default: as an experiment file states, else 25, or down to 3 if they would take over "
       "2 s."},
      {"--param", "NAME=VALUE", "A parameter of the experiment, such as sort=bitonic or tpb=64.", false, true},
      {"--backend", "NAME", "auto, cpu or cuda; a series of one processor always runs there. Default: auto."},
      {"-o", "F.csv",
       "Write to this file instead of standard output, once all is measured. A run that is stopped leaves its rows "
       "in F.unfinished.csv."}};
  for (Option& option : kept_options(" The CSV then goes only to the file of -o. Only for an experiment file."))
    all.push_back(std::move(option));
  return all;
}

}  // namespace

Command experiment_command() {
  return {
      {"experiment",
       "measure a table or figure of a source, or a sweep of one's own",
       "Measures a source's table or figure on this machine, and prints CSV with the measured and the printed values. "
       "Columns: the keys of the row (data or points if there are several, the series, n or level); parameters of the "
       "build with auto resolved, backend, device, repeats; median, min, max, mean and sd (one standard deviation) in "
       "the unit of their names (ms or percent); tree_hash; further results of the experiment; then paper_SERIES_UNIT, "
       "as printed. A row that cannot be measured has the reason in place of numbers: oom if the points do not fit in "
       "memory, no builder ID if the algorithm is not part of this build, no CUDA device if the series of a GPU has "
       "none. An experiment file declares a sweep of one's own in YAML: title, algorithms and data, and optionally "
       "notes, n, dim, parameters, backend, processors, repeats and x; app/experiments/README.md explains them. It has "
       "no printed values, and what a builder refuses is the reason of its row.",
       {{"ID", "The experiment, or an experiment file; `list` names the built-in ones with their parameters."}},
       options(),
       {"experiment wald-table-1 --max-n 10M -o table-1.csv", "experiment wehr-fig-5 --max-n 500K -o figure-5.csv",
        "experiment my-sweep.yaml --keep my-sweep.json --compare my-sweep.json"}},
      run_command};
}

}  // namespace kdscope::cli
