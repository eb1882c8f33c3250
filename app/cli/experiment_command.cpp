// experiment: measures a table of a source, or a sweep of one's own, here, on devices elsewhere or in a cluster. Prints
// a source's values beside the measured ones.

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <functional>
#include <sstream>
#include <string>
#include <utility>

#include "algorithms/core/replaced_file.hpp"
#include "algorithms/text/csv.hpp"
#include "algorithms/text/numbers.hpp"
#include "algorithms/text/printable_text.hpp"
#include "algorithms/text/similar_names.hpp"
#include "app/cli/busy_machine.hpp"
#include "app/cli/commands.hpp"
#include "app/cli/device_option.hpp"
#include "app/cli/kept_runs.hpp"
#include "app/cli/run_options.hpp"
#include "app/cli/slurm_array.hpp"
#include "app/experiments/experiment_drawing.hpp"
#include "app/experiments/experiment_file.hpp"
#include "visualizer/web/lesson_page.hpp"

namespace kdscope::cli {
namespace {

/// The options that built-in experiments and files share.
Result<ExperimentOptions> options_from(const Experiment& experiment, const Arguments& arguments) {
  ExperimentOptions options;
  const auto [least, most] = range_of_n(experiment.spec);
  options.max_n = value_of(arguments.integer("--max-n", most, least, most));
  options.repeat = static_cast<int>(value_of(arguments.integer("--repeat", 0, 1, 1'000'000)));
  options.backend = value_of(backend_named(arguments.text("--backend", "auto")));
  options.parameters = value_of(parameters_from(arguments));
  return options;
}

/// The part of --part, and the devices of --device if there are several.
Result<ExperimentShare> share_from(const Experiment& experiment, const ExperimentOptions& options,
                                   const Arguments& arguments) {
  ExperimentShare share;
  share.devices = value_of(devices_from(arguments));
  if (!arguments.has("--part")) return share;
  const std::string text = arguments.text("--part");
  const std::size_t slash = text.find('/');
  const auto number = [&](std::string_view digits) {
    std::size_t value = 0;
    const auto [end, failed] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    return failed == std::errc() && end == digits.data() + digits.size() ? value : 0;
  };
  const std::string_view words = text;
  const std::size_t part = slash == std::string::npos ? 0 : number(words.substr(0, slash));
  share.of = slash == std::string::npos ? 0 : number(words.substr(slash + 1));
  const std::size_t runs = count_runs(experiment, options);
  if (part < 1 || part > share.of || share.of > runs)
    return Error{ErrorKind::bad_usage, "--part cannot be '" + text + "'", "",
                 "give I/N, with I from 1 to N and N of at most " + std::to_string(runs) +
                     ", the number of runs of this experiment"};
  share.part = part - 1;
  return share;
}

/// Returns a number with as many digits as people read; any other text as it is.
std::string short_cell(std::string text) {
  double value = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool is_number = failed == std::errc() && end == text.data() + text.size();
  return is_number && text.find('.') != std::string::npos ? short_number(value, 4) : text;
}

/// Writes a page with the chart of rows, and their CSV, a row a text, as a table.
Result<void> write_chart_page(const ExperimentSpec& spec, const std::vector<ExperimentRow>& rows,
                              const std::vector<std::string>& csv, const std::string& file) {
  ChartPage page{spec.title, spec.notes, {experiment_drawing(spec, rows, {.width = 960, .height = 560})}, {}, {}};
  std::vector<CsvField> fields;
  for (const std::string& row : csv) {
    if (!split_csv_row(std::string_view(row).substr(0, row.size() - 1), fields)) continue;
    auto& cells = page.heads.empty() ? page.heads : page.rows.emplace_back();
    for (const CsvField& field : fields) cells.push_back(short_cell(field.value()));
  }
  return replace_file(file, chart_page(page));
}

/// Measures, and passes each row to `write` as soon as it is measured, the first one with the header: a rejected run
/// writes nothing. With --compare, prints each row beside a kept one.
Result<ExitCode> write_experiment_rows(const Experiment& experiment, const Arguments& arguments,
                                       const std::function<void(const std::string&)>& write, const KeptRuns& kept,
                                       Console& console) {
  const auto options = value_of(options_from(experiment, arguments));
  auto share = value_of(share_from(experiment, options, arguments));
  const std::string page = arguments.text("--page");
  if (auto folder = check_folder_of(page); !page.empty() && !folder) return folder.error();
  std::vector<ExperimentRow> rows;
  std::vector<std::string> csv;
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
      experiment, options,
      [&](std::size_t, const ExperimentRow& row) {
        finish_progress(console);
        std::ostringstream head, text;
        if (csv.empty()) write_csv_header(head, experiment.spec), csv.push_back(head.str());
        write_csv_row(text, experiment.spec, row);
        rows.push_back(row), csv.push_back(text.str());
        write(head.str() + csv.back());
        take(row);
        if (row.samples.count() >= 3 && !experiment.spec.y.unit.empty())
          busy.add(row.series + " at " + short_number(row.x), row.samples.least(), row.samples.median(),
                   row.samples.most());
      },
      control_for(console), &share);
  finish_progress(console);
  for (const Error& lost : share.lost)
    if (ran) console.err << "kdscope-cli: " << printable(lost.message()) << "\n";
  const ExitCode code = comparison.finish();
  console.err << busy.text();  // standard output holds the table
  // Keep the rows of a run that was stopped, too; its error comes first.
  const auto added = kept.keep({now}, console.err);
  if (!ran) return ran.error();
  if (!added) return added.error();
  if (!page.empty()) ensure(write_chart_page(experiment.spec, rows, csv, page));
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
    ensure(check_other_file("-o", arguments.text("-o"), file));
  for (const std::string& file :
       {experiment_file, arguments.text("--compare"), arguments.text("--keep"), arguments.text("-o")})
    ensure(check_other_file("--page", arguments.text("--page"), file));
  return check_other_file("--keep", arguments.text("--keep"), experiment_file);
}

/// Writes the CSV to the file of -o once all is measured, or what was measured so far to F.unfinished.csv.
Result<ExitCode> write_file(const Experiment& experiment, const Arguments& arguments, const KeptRuns& kept,
                            Console& console) {
  const std::string path = arguments.text("-o");
  auto file = value_of(ReplacedFile::begin(path));
  std::string rows;
  Result<void> saved;
  const auto write = [&](const std::string& text) {
    rows += text;
    if (saved) saved = file.write(text);
  };
  const auto code = caught([&] { return write_experiment_rows(experiment, arguments, write, kept, console); });
  if (code) {
    if (saved) saved = file.keep();
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
  const auto kept = value_of(KeptRuns::open(arguments));
  if (arguments.has("-o")) return write_file(experiment, arguments, kept, console);
  const auto print = [&](const std::string& text) {
    if (!kept.compares()) console.out << text << std::flush;
  };
  return write_experiment_rows(experiment, arguments, print, kept, console);
}

/// Prints or submits the job array of --slurm.
Result<ExitCode> measure_in_cluster(const Experiment& experiment, const std::string& file, const Arguments& arguments,
                                    Console& console) {
  constexpr std::size_t most_tasks = 1000;  // as Slurm is set up usually
  const auto options = value_of(options_from(experiment, arguments));
  for (const char* other : {"--device", "--part", "--compare", "-o", "--page"})
    if (arguments.has(other))
      return Error{ErrorKind::bad_usage, std::string(other) + " and --slurm exclude each other", "",
                   "leave out one of them"};
  if (!arguments.has("--keep"))
    return Error{ErrorKind::bad_usage, "--slurm needs a file that the rows come to", "", "add --keep FILE.json"};
  SlurmArray array;
  std::error_code failed;
  array.program = std::filesystem::read_symlink("/proc/self/exe", failed).string();
  array.file = std::filesystem::absolute(file, failed).string();
  array.keep = std::filesystem::absolute(arguments.text("--keep"), failed).string();
  array.options = arguments.text("--slurm");
  if (printable(array.options) != array.options)
    return Error{ErrorKind::bad_usage, "--slurm takes the options of sbatch on one line", "", "give them as one word"};
  for (const char* option : {"--max-n", "--repeat", "--backend"})
    if (arguments.has(option)) array.words.insert(array.words.end(), {option, arguments.text(option)});
  array.parts = std::min(count_runs(experiment, options), most_tasks);
  const std::string tasks = count_text(array.parts, "task", "tasks");
  if (!arguments.has("--submit")) {
    console.out << array_script(array);
    console.err << "This is a job array of " << tasks << " for sbatch. Then this brings the rows to "
                << printable(array.keep) << ":\n"
                << merge_script(array);
    return exit_ok;
  }
  const auto job = value_of(submit(array_script(array), {}, console.stop));
  // afterany: rows of tasks that failed are missing, and those of the others come.
  const auto merging = value_of(submit(merge_script(array), {"--dependency=afterany:" + job}, console.stop));
  console.out << "job " << job << " of " << tasks << "; its rows come to " << printable(array.keep) << " by job "
              << merging << "\n";
  return exit_ok;
}

Result<ExitCode> measure_file(const std::string& file, const Arguments& arguments, Console& console) {
  if (arguments.has("--param"))
    return Error{ErrorKind::bad_usage, "--param does not go with an experiment file", file,
                 "write the values under 'parameters' in the file"};
  ensure(check_output(arguments, file));
  const auto experiment = value_of(read_experiment(file));
  if (arguments.has("--slurm")) return measure_in_cluster(experiment, file, arguments, console);
  return measure_experiment(experiment, arguments, console);
}

Result<ExitCode> run_command(const Arguments& arguments, Console& console) {
  const std::string id = arguments.operand(0);
  if (id == "list") {
    list_experiments(console.out);
    return exit_ok;
  }
  if (const Experiment* experiment = find_experiment(id)) {
    for (const char* option : {"--keep", "--compare", "--slurm"})
      if (arguments.has(option))
        return Error{ErrorKind::bad_usage, std::string(option) + " needs an experiment file, not a built-in one", "",
                     "write the sweep as an experiment file, or use kdscope-cli bench"};
    ensure(check_output(arguments, {}));
    return measure_experiment(*experiment, arguments, console);
  }
  if (arguments.has("--submit") && !arguments.has("--slurm"))
    return Error{ErrorKind::bad_usage, "--submit belongs to --slurm", "", "add --slurm"};
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
       "in F.unfinished.csv."},
      {"--page", "F.html", "Write a web page with the chart, and the rows as a table, once all is measured."},
      devices_option(),
      {"--part", "I/N", "Measure the I-th of N parts alone: every N-th run, from the I-th on."},
      {"--slurm", "OPTIONS",
       "Print a job array of Slurm whose tasks measure the rows, with these options of sbatch, such as "
       "\"--gres=gpu:1\"; --keep names the file that the rows come to. Only for an experiment file."},
      {"--submit", "", "With --slurm: submit the array, and a job behind it that gathers the rows."}};
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
       {"experiment wald-table-1 --max-n 10M -o table-1.csv --page table-1.html",
        "experiment wehr-fig-5 --max-n 500K -o figure-5.csv",
        "experiment my-sweep.yaml --keep my-sweep.json --compare my-sweep.json",
        "experiment my-sweep.yaml --device lab,second --keep my-sweep.json",
        "experiment my-sweep.yaml --keep my-sweep.json --slurm \"--gres=gpu:1 --time=10\" --submit"}},
      run_command,
      true};
}

}  // namespace kdscope::cli
