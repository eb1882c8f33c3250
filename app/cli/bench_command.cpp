// bench: times builders and searches over sizes and data, beside a copy and other libraries, and compares the times
// with earlier ones.

#include <algorithm>
#include <filesystem>
#include <optional>

#include "algorithms/core/replaced_file.hpp"
#include "algorithms/text/printable_text.hpp"
#include "app/bench/bench_comparison.hpp"
#include "app/bench/bench_file.hpp"
#include "app/bench/bench_run.hpp"
#include "app/bench/second_look.hpp"
#include "app/cli/bench_options.hpp"
#include "app/cli/bench_tables.hpp"
#include "app/cli/commands.hpp"
#include "app/cli/run_options.hpp"

namespace kdscope::cli {
namespace {

/// The file of one table's CSV: "t.cuda.csv" for "t.csv" if there are several tables, because no file mixes devices.
std::string csv_file_of(const std::string& file, const BenchTable& table, std::size_t tables) {
  if (tables < 2) return file;
  const std::filesystem::path path(file);
  return (path.parent_path() / (path.stem().string() + "." + name_of(table.backend) + path.extension().string()))
      .string();
}

Result<void> check_files(const Arguments& arguments) {
  for (const char* option : {"--csv", "--json"}) {
    if (!arguments.has(option)) continue;
    const std::string file = arguments.text(option);
    if (auto there = check_folder_of(file); !there) return there;
    for (const std::string& input : {arguments.text("--compare"), arguments.operand(0)}) {
      std::error_code ignored;
      if (!input.empty() &&
          std::filesystem::weakly_canonical(file, ignored) == std::filesystem::weakly_canonical(input, ignored))
        return Error{ErrorKind::bad_usage, std::string(option) + " names a file that is read, which would be lost",
                     file, "choose another name"};
    }
  }
  return {};
}

/// Writes the files of --csv and --json, or their unfinished forms.
Result<void> write_files(const Arguments& arguments, const BenchResults& results, bool finished) {
  const auto name = [&](const std::string& file) { return finished ? file : unfinished_file_of(file); };
  if (arguments.has("--csv"))
    for (const BenchTable& table : results.tables) {
      const std::string file = csv_file_of(arguments.text("--csv"), table, results.tables.size());
      if (auto written = replace_file(name(file), csv_of(table)); !written) return written;
    }
  if (arguments.has("--json")) return replace_file(name(arguments.text("--json")), json_of(results));
  return {};
}

void print_results(const BenchResults& results, std::ostream& out) {
  for (const BenchTable& table : results.tables) {
    if (&table != &results.tables.front()) out << "\n";
    print_table(table, out);
  }
}

/// The options of the rows: those of the command line, or those of the earlier file if the command line names no rows.
Result<BenchPlan> plan_from(const Arguments& arguments, const std::optional<BenchResults>& before) {
  if (!before || names_rows(arguments)) return bench_plan_from(arguments);
  CommandSpec of_file;
  of_file.name = "bench";
  of_file.options = bench_row_options();
  const auto words = parse_arguments(of_file, before->options);
  auto plan = words ? bench_plan_from(*words) : Result<BenchPlan>(words.error());
  if (!plan) {
    Error error = plan.error();
    error.kind = ErrorKind::bad_input;
    error.where = arguments.text("--compare");
    return error;
  }
  const auto own = bench_plan_from(arguments);
  if (!own) return own.error();
  if (arguments.has("--repeat")) plan->repeats = own->repeats;
  if (arguments.has("--time-limit")) plan->time_limit_s = own->time_limit_s;
  return plan;
}

/// Removes the rows that a stopped bench did not reach.
void keep_reached_rows(BenchResults& results) {
  for (BenchTable& table : results.tables)
    std::erase_if(table.rows, [](const BenchRow& row) { return !row.measured() && row.reason.empty(); });
  std::erase_if(results.tables, [](const BenchTable& table) { return table.rows.empty(); });
}

/// Results, and the plan by which they were measured now; no plan for those that were read.
struct Outcome {
  BenchResults results;
  std::optional<BenchPlan> plan = {};
};

/// Measures, prints and writes files. Errors of a bench that was stopped name the files with the rows so far.
Result<Outcome> measure_bench(const Arguments& arguments, const std::optional<BenchResults>& before, Console& console) {
  const auto plan = plan_from(arguments, before);
  if (!plan) return plan.error();
  std::vector<std::string> warnings;
  auto tables = planned_tables(*plan, warnings);
  print_warnings(warnings, console);
  if (!tables) return tables.error();
  if (before)
    if (auto comparable = check_comparable(*tables, *before, arguments.text("--compare")); !comparable)
      return comparable.error();
  BenchResults results{version(), kept_commit(), now_in_utc(), words_of(*plan), plan->time_limit_s, std::move(*tables)};
  const auto ran = measure_bench(
      *plan, results.tables, [](const BenchTable&, const BenchRow&) {}, control_for(console));
  finish_progress(console);
  if (!ran) keep_reached_rows(results);
  print_results(results, console.out);
  if (!ran && results.tables.empty()) return ran.error();
  if (auto written = write_files(arguments, results, ran.has_value()); !written) return written.error();
  if (ran) return Outcome{std::move(results), *plan};
  Error error = ran.error();
  for (const char* option : {"--csv", "--json"})
    if (arguments.has(option))
      error.remedy +=
          (error.remedy.empty() ? "the rows so far are in " : " and in ") + unfinished_file_of(arguments.text(option));
  return error;
}

/// Reads results instead of measuring.
Result<Outcome> read(const Arguments& arguments, const std::optional<BenchResults>& before, Console& console) {
  const std::string file = arguments.operand(0);
  for (const Option& option : bench_row_options())
    if (arguments.has(option.name))
      return Error{ErrorKind::bad_usage, option.name + " does not go with results that are read", file,
                   "leave out the file to measure"};
  auto results = read_bench(file);
  if (!results) return results.error();
  if (before)
    if (auto comparable = check_comparable(results->tables, *before, arguments.text("--compare")); !comparable)
      return comparable.error();
  print_results(*results, console.out);
  if (auto written = write_files(arguments, *results, true); !written) return written.error();
  return Outcome{std::move(*results)};
}

Result<ExitCode> run_bench(const Arguments& arguments, Console& console) {
  if (auto files = check_files(arguments); !files) return files.error();
  std::optional<BenchResults> before;
  if (arguments.has("--compare")) {
    auto earlier = read_bench(arguments.text("--compare"));
    if (!earlier) return earlier.error();
    before = std::move(*earlier);
  }
  const auto outcome = (arguments.operand_count() > 0 ? read : measure_bench)(arguments, before, console);
  if (!outcome) return outcome.error();
  if (!before) return exit_ok;
  const auto& tables = outcome->results.tables;
  auto rows = compare_benches(tables, *before);
  if (outcome->plan) {
    const auto looked = look_again(*outcome->plan, tables, rows, control_for(console));
    finish_progress(console);
    if (!looked) return looked.error();
  }
  print_comparison(rows, tables, *before, arguments.text("--compare"), console.out);
  if (std::ranges::any_of(rows, [](const BenchedAgain& row) { return !row.same_result; })) return exit_failed_check;
  const auto slower = [](const BenchedAgain& row) { return row.verdict == TimeVerdict::slower; };
  return std::ranges::any_of(rows, slower) ? exit_slower : exit_ok;
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
      {{"RESULTS", "Print, convert or compare this file of --json instead of measuring.", false}},
      bench_row_options(),
      {"bench --n 100K,1M,10M --data uniform --data clustered --json today.json",
       "bench --compare today.json                    # measures the same rows again",
       "bench --algorithm wald --algorithm hu:leaf_size=32 --search usual --k 1,8,32 --backend cpu --processors 1",
       "bench new.json --compare old.json"}};
  spec.options.push_back({"--csv", "FILE",
                          "Write the table as CSV; for two back ends, as FILE.cpu.csv and FILE.cuda.csv.", false, false,
                          "Results"});
  spec.options.push_back({"--json", "FILE",
                          "Write device, versions, method and every single time. A bench that is stopped leaves what "
                          "it measured in FILE.unfinished.json or .csv."});
  spec.options.push_back(
      {"--compare", "OLD.json",
       "Print what got slower or faster than in this file: medians apart by more than 3 % and by more than the noise "
       "of both together, which is that of normal times whose quartiles are as far from the median as the farther one. "
       "What seems to differ is measured a second time, which has to agree. Measures the rows of the file unless "
       "options name rows. Exit code 6 if something got slower, 4 if a result is another. Refuses a file of another "
       "device or of other rows."});
  return {std::move(spec), run_bench};
}

}  // namespace kdscope::cli
