// grade: turns a folder of students' result files into a table and a chart.

#include <algorithm>
#include <filesystem>

#include "algorithms/core/input_file.hpp"
#include "algorithms/core/replaced_file.hpp"
#include "algorithms/text/counts.hpp"
#include "algorithms/text/printable_text.hpp"
#include "app/cli/commands.hpp"
#include "app/cli/run_options.hpp"
#include "walkthroughs/practice/grades.hpp"

namespace kdscope::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_files = 10'000;

/// Returns the files of a folder and of the folders in it, sorted, without hidden ones and without `outputs`. Learning
/// platforms hand out one folder per student.
Result<std::vector<fs::path>> files_in(const std::string& folder, const std::vector<std::string>& outputs) {
  std::error_code failed;
  if (!fs::is_directory(folder, failed))
    return Error{ErrorKind::bad_input, "is no folder", folder, "name the folder that holds the result files"};
  std::vector<fs::path> files;
  fs::recursive_directory_iterator entry(folder, failed);
  for (; !failed && entry != fs::recursive_directory_iterator(); entry.increment(failed)) {
    const fs::path& path = entry->path();
    std::error_code ignored;
    if (path.filename().string().starts_with('.')) {
      entry.disable_recursion_pending();
      continue;
    }
    const bool is_output = std::any_of(outputs.begin(), outputs.end(), [&](const std::string& output) {
      return !output.empty() && fs::equivalent(path, output, ignored);
    });
    if (is_output || entry->is_directory(ignored)) continue;
    if (files.size() == most_files)
      return Error{ErrorKind::bad_input, "holds more than " + std::to_string(most_files) + " files", folder,
                   "name a folder that holds only result files"};
    files.push_back(path);
  }
  if (failed) return Error{ErrorKind::bad_input, "cannot be read (" + failed.message() + ")", folder, ""};
  if (files.empty())
    return Error{ErrorKind::bad_input, "holds no files", folder, "name the folder of the result files"};
  std::sort(files.begin(), files.end());
  return files;
}

Result<Results> results_in(const std::string& path) {
  return caught([&] { return read_results(value_of(read_file(path, most_result_bytes)), path); });
}

Result<ExitCode> run_grade(const Arguments& arguments, Console& console) {
  const std::string folder = arguments.operand(0), out = arguments.text("--out"), chart = arguments.text("--chart");
  for (const std::string& file : {out, chart}) ensure(check_folder_of(file));
  const auto files = value_of(files_in(folder, {out, chart}));

  // Read every file; a damaged one is reported and does not keep the others from being graded.
  std::vector<HandIn> hand_ins;
  std::size_t refused = 0;
  for (const fs::path& file : files) {
    if (console.stop.stop_requested()) return Error{ErrorKind::cancelled, "stopped on request", "", ""};
    auto results = results_in(file.string());
    if (results) {
      hand_ins.push_back({file.lexically_relative(folder).string(), std::move(*results)});
      continue;
    }
    ++refused;
    console.err << "kdscope-cli: " << printable(results.error().message()) << "\n";
  }

  const GradeTable table = grade_table(hand_ins);
  if (out.empty())
    console.out << grades_csv(table);
  else
    ensure(replace_file(out, grades_csv(table)));
  if (!chart.empty()) ensure(replace_file(chart, grades_svg(table)));
  console.err << count_text(hand_ins.size(), "file", "files") << " graded";
  if (refused > 0) console.err << ", " << refused << " refused";
  console.err << ".\n";
  return refused > 0 ? exit_bad_input : exit_ok;
}

}  // namespace

Command grade_command() {
  return {{"grade",
           "grade a folder of students' result files",
           "Reads the result files that the window and `practise` write, in a folder and the folders in it, and prints "
           "a CSV table: one row per file, with totals (\"first try\": questions whose first answer was right, without "
           "the hint), and the outcome and the number of tries per question. A file "
           "that is damaged, was edited or is no result file is reported with its reason, and the others are graded; "
           "the exit code is then 3.",
           {{"FOLDER", "The folder with the result files."}},
           {{"--out", "TABLE.csv", "Write the table to this file."},
            {"--chart", "CHART.svg", "Also write a bar chart: the share of each outcome, per question."}},
           {"grade hand-ins", "grade hand-ins --out table.csv --chart chart.svg"}},
          run_grade};
}

}  // namespace kdscope::cli
