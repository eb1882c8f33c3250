#include "app/cli/variant_shrink.hpp"

#include <chrono>
#include <filesystem>
#include <string>

#include "algorithms/text/printable_text.hpp"
#include "app/cli/run_options.hpp"
#include "app/cli/variant_options.hpp"
#include "app/variant_trials/shrunk_failure.hpp"
#include "datasets/data_file.hpp"

namespace kdscope::cli {
namespace {

using namespace variants;

/// Writes the failure on the shrunk data as an exercise. The data lie beside it, or are named by their path.
Result<void> keep_exercise(const std::string& path, const ShrinkRequest& shrunk, const std::string& data,
                           Console& console) {
  TrialRequest request{shrunk.file.path, data, shrunk.run.parameters};
  request.seed = shrunk.seed;
  CompilerErrors errors;
  const auto trial = value_of(try_variant(request, errors, {console.stop, {}}));
  namespace fs = std::filesystem;
  const bool beside = fs::absolute(path).parent_path() == fs::absolute(data).parent_path();
  const std::string name = beside ? fs::path(data).filename().string() : fs::absolute(data).string();
  ensure(write_exercise(path, trial, name));
  console.out << "the exercise is " << printable(path) << ": open it in the pane Variants\n";
  return {};
}

}  // namespace

Result<ExitCode> shrink_variant(const Arguments& arguments, Console& console) {
  const auto needs = [](const char* what) {
    return Error{ErrorKind::bad_usage, what, "",
                 "for example kdscope-cli variant shrink my.cu --data uniform:n=100000,dim=2 --out points.csv"};
  };
  const std::string data = arguments.text("--data"), out = arguments.text("--out");
  if (data.empty()) return needs("shrink takes the points or triangles in --data");
  if (out.empty()) return needs("shrink takes the file to write in --out");
  const auto seconds = value_of(arguments.integer("--seconds", default_shrink_seconds, 1, 86'400));
  const auto variant = value_of(
      variant_of_action(arguments, "--data uniform:n=100000,dim=2 --out points.csv", usual_trial_data, console));
  const VariantFile& file = variant.file;
  const RunRequest& run = variant.run;
  if (run.backend != Backend::cpu)
    return Error{ErrorKind::bad_usage, "shrink runs the variant on the CPU", "", "leave --backend out"};

  // Check the output before a search that may take a minute.
  const bool triangles = find_algorithm(file.algorithm)->takes_triangles;
  ensure(check_data_file(out, triangles));
  ensure(check_folder_of(out));
  ensure(check_output_is_not_input("--out", out, data));
  const std::string exercise = arguments.text("--exercise");
  if (!exercise.empty() && !exercise.ends_with(".md"))
    return Error{ErrorKind::bad_usage, "--exercise takes a file that ends in .md", exercise, "choose such a name"};
  if (!exercise.empty()) ensure(check_folder_of(exercise));
  const auto seed = value_of(arguments.integer("--seed", default_order_seed, 0, largest_order_seed));
  const ShrinkRequest request{file, run, std::chrono::seconds(seconds), static_cast<std::uint64_t>(seed)};
  CompilerErrors errors;
  std::vector<CompilerMessage> warnings;
  const auto found = shrink_failure(request, errors, warnings, control_for(console));
  finish_progress(console);
  print_errors(errors, file.path, console);
  if (!found) return found.error();
  print_messages(warnings, file.path, console);
  const Shrunk* shrunk = &found->shrunk;
  ensure(save_data_set(shrunk->data, out));

  console.out << shrunk_text(*shrunk) << "\n";
  if (!shrunk->minimal)
    console.out << "the search was " << (console.stop.stop_requested() ? "stopped" : "not finished in time")
                << ": fewer " << (triangles ? "triangles" : "points") << " may fail as well\n";
  if (!found->failure.empty())
    console.out << "on " << (shrunk->elements.size() == 1 ? "it " : "them ") << printable(found->failure) << "\n";
  if (!exercise.empty()) ensure(keep_exercise(exercise, request, out, console));
  console.out << "to build the variant on " << (shrunk->elements.size() == 1 ? "it" : "them") << ":"
              << command_text("build", arguments.operand(1), out, run.parameters) << "\n";
  return exit_ok;
}

}  // namespace kdscope::cli
