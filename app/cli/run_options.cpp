#include "app/cli/run_options.hpp"

#include <cstdio>
#include <filesystem>
#include <sstream>

#include "algorithms/registry/usual_algorithm.hpp"
#include "algorithms/run/run.hpp"
#include "algorithms/text/printable_text.hpp"
#include "app/cli/guarded_program.hpp"
#include "datasets/datasets.hpp"

namespace kdscope::cli {

std::vector<Option> run_options() {
  return {algorithm_option(usual_algorithm_id), data_option(true), backend_option(), parameter_option()};
}

Option json_option() { return {"--json", "", "Print one JSON value for programs instead of text for people."}; }

Result<TypedRun> run_from(const Arguments& arguments) {
  const auto parameters = value_of(parameters_from(arguments));
  const auto backend = value_of(backend_named(arguments.text("--backend", "auto")));
  return opened({arguments.text("--data"), arguments.text("--algorithm", usual_algorithm_id), parameters, backend});
}

Result<void> check_folder_of(const std::string& file) {
  const std::filesystem::path folder = std::filesystem::path(file).parent_path();
  std::error_code ignored;
  if (folder.empty() || std::filesystem::is_directory(folder, ignored)) return {};
  return Error{ErrorKind::io_failure, "cannot be written (there is no folder " + folder.string() + ")", file,
               "make the folder, or name another one"};
}

std::string unfinished_file_of(const std::string& file) {
  const std::filesystem::path wanted(file);
  return (wanted.parent_path() / (wanted.stem().string() + ".unfinished" + wanted.extension().string())).string();
}

Result<void> check_output_is_not_input(const std::string& option, const std::string& output, const std::string& data) {
  std::error_code ignored;  // a missing file is not the same as any other
  if (!std::filesystem::equivalent(output, data_file_of(data), ignored)) return {};
  return Error{ErrorKind::bad_usage, option + " names a file that this command reads, which would be lost", output,
               "choose another name"};
}

Result<void> check_other_file(const std::string& option, const std::string& file, const std::string& other) {
  std::error_code ignored;
  const auto place = [&](const std::string& path) { return std::filesystem::weakly_canonical(path, ignored); };
  if (file.empty() || other.empty() || place(file) != place(other)) return {};
  return Error{ErrorKind::bad_usage, option + " names a file that this run reads or keeps, which would be lost", file,
               "choose another name"};
}

Result<void> check_output_of(const std::string& option, const Arguments& arguments) {
  const std::string file = arguments.text(option);
  if (file.empty()) return {};
  ensure(check_folder_of(file));
  return check_output_is_not_input(option, file, arguments.text("--data"));
}

void print_warnings(const std::vector<std::string>& warnings, Console& console) {
  if (!warnings.empty()) finish_progress(console);
  for (const std::string& warning : warnings) console.err << "kdscope-cli: warning: " << printable(warning) << "\n";
}

RunControl control_for(Console& console) {
  RunControl control;
  control.stop = console.stop;
  control.step_starts = note_running;
  control.progress = [](double, std::string_view what) { note_running(what); };
  if (console.show_progress) {
    control.progress = [&err = console.err](double fraction, std::string_view what) {
      note_running(what);
      char line[80];
      std::snprintf(line, sizeof line, "\r%3.0f %%  %-60.60s", 100 * fraction, printable(what).c_str());
      err << line << std::flush;
    };
  }
  return control;
}

void finish_progress(Console& console) {
  if (console.show_progress) console.err << '\r' << std::string(70, ' ') << '\r' << std::flush;
}

std::string parameters_text(const Parameters& parameters) {
  std::string text;
  for (const auto& [name, value] : parameters) text += (text.empty() ? "" : " ") + name + "=" + value;
  return text;
}

bool print_findings(const std::vector<CheckResult>& findings, std::ostream& out) {
  bool all = true;
  for (const CheckResult& f : findings) {
    all = all && f.passed;
    out << "  " << (f.passed ? "ok      " : "FAILED  ") << f.name << ": " << f.statement << "\n";
    if (f.passed) continue;
    std::istringstream lines(f.detail);
    for (std::string line; std::getline(lines, line);) out << "          " << line << "\n";
  }
  return all;
}

void write_findings(const std::vector<CheckResult>& findings, JsonWriter& json) {
  json.objects("checks", findings, [&](const CheckResult& f) {
    json.member("name", f.name);
    json.member("statement", f.statement);
    json.member("passed", f.passed);
    json.member("detail", f.detail);
  });
}

void print_steps(const std::vector<StepTime>& steps, std::ostream& out) {
  if (!steps.empty()) out << "steps\n";
  for (const StepTime& step : steps) {
    const std::string time = duration_text(step.ms);
    out << std::string(time.size() < 14 ? 14 - time.size() : 0, ' ') << time << "  " << step.name << "\n";
  }
}

void write_steps(const std::vector<StepTime>& steps, JsonWriter& json) {
  json.objects("steps", steps, [&](const StepTime& step) {
    json.member("name", step.name);
    json.member("level", step.level);
    json.member("ms", step.ms);
  });
}

}  // namespace kdscope::cli
