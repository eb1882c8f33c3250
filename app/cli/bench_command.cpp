// bench: times builders and searches over sizes and data, beside a copy and other libraries, and compares the times
// with earlier ones.

#include <optional>
#include <utility>

#include "algorithms/core/replaced_file.hpp"
#include "algorithms/text/printable_text.hpp"
#include "app/bench/bench_run.hpp"
#include "app/bench/second_look.hpp"
#include "app/cli/aligned_table.hpp"
#include "app/cli/bench_options.hpp"
#include "app/cli/bench_tables.hpp"
#include "app/cli/commands.hpp"
#include "app/cli/device_option.hpp"
#include "app/cli/kept_runs.hpp"
#include "app/cli/run_options.hpp"
#include "app/measure/kept_file.hpp"

namespace kdscope::cli {
namespace {

/// Checks that no file is written over another one that is read.
Result<void> check_bench_files(const Arguments& arguments) {
  if (auto there = check_folder_of(arguments.text("--csv")); arguments.has("--csv") && !there) return there;
  for (const std::string& file : {arguments.text("--compare"), arguments.text("--keep"), arguments.operand(0)})
    ensure(check_other_file("--csv", arguments.text("--csv"), file));
  return check_other_file("--keep", arguments.text("--keep"), arguments.operand(0));
}

/// Writes the file of --csv, or its unfinished form.
Result<void> write_csv(const Arguments& arguments, const MeasuredRun& run, bool finished) {
  const std::string file = arguments.text("--csv");
  return file.empty() ? Result<void>() : replace_file(finished ? file : unfinished_file_of(file), csv_of(run));
}

void print_results(const MeasuredRun& results, std::ostream& out) {
  for (const MeasuredTable& table : results.tables) {
    if (&table != &results.tables.front()) out << "\n";
    print_table(table, out);
  }
}

/// The options of the rows: those of the command line, or those of the newest kept run if the command line names no
/// rows.
Result<BenchPlan> plan_from(const Arguments& arguments, const KeptRuns& kept) {
  if (kept.before().empty() || names_rows(arguments)) return bench_plan_from(arguments);
  CommandSpec of_file;
  of_file.name = "bench";
  of_file.options = bench_row_options();
  const std::vector<std::string>& options = newest(kept.before()).options;
  if (options.empty())
    return Error{ErrorKind::bad_input, "its newest rows are those of an experiment file, not of bench",
                 arguments.text("--compare"), "name rows, or compare with kdscope-cli experiment"};
  auto plan = caught([&] { return bench_plan_from(value_of(parse_arguments(of_file, options))); });
  if (!plan) {
    Error error = plan.error();
    error.kind = ErrorKind::bad_input;
    error.where = arguments.text("--compare");
    return error;
  }
  const auto own = value_of(bench_plan_from(arguments));
  if (arguments.has("--repeat")) plan->repeats = own.repeats;
  if (arguments.has("--time-limit")) plan->time_limit_s = own.time_limit_s;
  return plan;
}

/// Checks that rows compare with those of the file.
Result<void> check_comparable(const std::vector<MeasuredTable>& tables, const KeptRuns& kept,
                              const Arguments& arguments) {
  if (kept.before().empty()) return {};
  const auto run = comparable_run(tables, kept.before(), arguments.text("--compare"));
  return run ? Result<void>() : run.error();
}

/// Removes the rows that a stopped bench did not reach.
void keep_reached_rows(MeasuredRun& results) {
  for (MeasuredTable& table : results.tables)
    std::erase_if(table.rows, [](const MeasuredRow& row) { return !row.measured() && row.reason.empty(); });
  std::erase_if(results.tables, [](const MeasuredTable& table) { return table.rows.empty(); });
}

/// Results, and the plan by which they were measured now; no plan for those that were read.
struct Outcome {
  MeasuredRun run;
  std::optional<BenchPlan> plan = {};
};

/// Measures, prints and writes files. Errors of a bench that was stopped name the files with the rows so far.
Result<Outcome> measure_bench(const Arguments& arguments, const KeptRuns& kept, Console& console) {
  const auto plan = value_of(plan_from(arguments, kept));
  std::vector<std::string> warnings;
  auto tables = planned_tables(plan, warnings);
  print_warnings(warnings, console);
  if (!tables) return tables.error();
  ensure(check_comparable(*tables, kept, arguments));
  MeasuredRun run = run_of_this_program();
  run.options = words_of(plan);
  run.time_limit_s = plan.time_limit_s;
  run.tables = std::move(*tables);
  const auto ran = measure_bench(plan, run.tables, control_for(console));
  finish_progress(console);
  if (!ran) keep_reached_rows(run);
  print_results(run, console.out);
  if (!ran && run.tables.empty()) return ran.error();
  ensure(write_csv(arguments, run, ran.has_value()));
  ensure(kept.keep({run}, console.err));
  if (ran) return Outcome{std::move(run), plan};
  Error error = ran.error();
  if (arguments.has("--csv"))
    error.remedy += (error.remedy.empty() ? "the rows so far are in " : "; the rows so far are in ") +
                    unfinished_file_of(arguments.text("--csv"));
  return error;
}

/// Reads results instead of measuring. The newest run is printed; --keep copies all of them.
Result<Outcome> read(const Arguments& arguments, const KeptRuns& kept, Console& console) {
  const std::string file = arguments.operand(0);
  std::vector<Option> of_rows = bench_row_options();
  of_rows.push_back(device_option());
  for (const Option& option : of_rows)
    if (arguments.has(option.name))
      return Error{ErrorKind::bad_usage, option.name + " does not go with results that are read", file,
                   "leave out the file to measure"};
  const auto runs = value_of(read_runs(file));
  const MeasuredRun& run = newest(runs);
  ensure(check_comparable(run.tables, kept, arguments));
  if (runs.size() > 1) console.out << "the newest of " << runs.size() << " runs: " << program_of(run) << "\n";
  print_results(run, console.out);
  ensure(write_csv(arguments, run, true));
  ensure(kept.keep(runs, console.err));
  return Outcome{run};
}

/// Prints what got slower or faster, after a second look at what was measured now.
Result<ExitCode> compare_run(const Outcome& outcome, const KeptRuns& kept, const std::string& path, Console& console) {
  const MeasuredRun& run = outcome.run;
  std::vector<ComparedRow> rows;
  for (const MeasuredTable& table : run.tables)
    for (const MeasuredRow& row : table.rows) rows.push_back(compare(row, table, run.commit, kept.before()));
  if (outcome.plan) {
    ensure(look_again(*outcome.plan, run.tables, rows, control_for(console)));
    finish_progress(console);
  }
  console.out << "\nbeside " << printable(path) << "\n";
  ComparisonReport report(console.out);
  const MeasuredTable* table = nullptr;
  for (const ComparedRow& row : rows) {
    const bool first = row.on != std::exchange(table, row.on);
    if (first && row.before && row.on->copy_gigabytes > 0 && row.on_before->copy_gigabytes > 0)
      console.out << name_of(row.on->backend) << " copies " << formatted("%.4g", row.on->copy_gigabytes)
                  << " GB/s, then " << formatted("%.4g", row.on_before->copy_gigabytes) << "\n";
    report.add(row, true);
  }
  return report.finish();
}

Result<ExitCode> run_bench(const Arguments& arguments, Console& console) {
  ensure(check_bench_files(arguments));
  const auto kept = value_of(KeptRuns::open(arguments));
  const auto outcome = value_of((arguments.operand_count() > 0 ? read : measure_bench)(arguments, kept, console));
  return kept.compares() ? compare_run(outcome, kept, arguments.text("--compare"), console) : exit_ok;
}

}  // namespace

Command bench_command() {
  CommandSpec spec{
      "bench",
      "time builders and searches over sizes and data, beside a copy",
      "Times every combination of builders, data and sizes at full speed, data resident on the device, and prints per "
      "row the median of all repetitions, the smallest and the largest, nanoseconds per point (of a search: per "
      "query), GB/s, the peak memory with the input, and launches or threads. GB/s are compulsory bytes per second: a "
      "build has to read each record and write it with its 4-byte index, 28 bytes per point of three floats; a search "
      "has to read tree and queries, and write index and distance of each point found. Beside it stands what share "
      "that is of the bytes that a copy on the same device reads and writes per second, measured in the same run. "
      "Each device has its own table. On the CPU, the same points are given to nanoflann, FLANN and CGAL where they "
      "were installed when kdscope was built.",
      {{"RESULTS", "Print, copy or compare the newest run of this file of --keep instead of measuring.", false}},
      bench_row_options(),
      {"bench --n 100K,1M,10M --data uniform --data clustered --keep today.json",
       "bench --compare today.json                    # measures the same rows again",
       "bench --algorithm wald --algorithm hu:leaf_size=32 --search usual --k 1,8,32 --backend cpu --processors 1",
       "bench new.json --compare old.json"}};
  for (Option& option :
       kept_options(" What seems to differ is measured a second time, which has to agree. Measures the "
                    "rows of the newest run in the file unless options name rows. Refuses a file of "
                    "another device or of other rows."))
    spec.options.push_back(std::move(option));
  spec.options.push_back(device_option());
  spec.options.push_back({"--csv", "FILE",
                          "Write the tables as CSV, with a column for the device. A bench that is stopped leaves what "
                          "it measured in FILE.unfinished.csv."});
  return {std::move(spec), run_bench};
}

}  // namespace kdscope::cli
