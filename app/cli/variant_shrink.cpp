#include "app/cli/variant_shrink.hpp"

#include <chrono>
#include <cstdio>
#include <string>

#include "algorithms/text/counts.hpp"
#include "algorithms/text/printable_text.hpp"
#include "algorithms/variants/shrink.hpp"
#include "algorithms/variants/variant_failure.hpp"
#include "app/cli/run_options.hpp"
#include "app/cli/variant_options.hpp"
#include "datasets/data_file.hpp"
#include "datasets/datasets.hpp"

namespace kdscope::cli {
namespace {

using namespace variants;

/// A word as a shell reads it.
std::string shell_word(const std::string& word) {
  const bool plain = word.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./=,:") ==
                     std::string::npos;
  if (plain && !word.empty()) return word;
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

std::string decimal(double value, const char* unit) {
  char text[40];
  std::snprintf(text, sizeof text, "%.1f %s", value, unit);
  return text;
}

}  // namespace

Result<ExitCode> shrink_variant(const Arguments& arguments, Console& console) {
  const auto needs = [](const char* what) {
    return Error{ErrorKind::bad_usage, what, "",
                 "for example kdscope-cli variant shrink my.cu --data uniform:n=100000,dim=2 --out points.csv"};
  };
  const std::string data = arguments.text("--data"), out = arguments.text("--out");
  if (arguments.operand_count() != 2) return needs("shrink takes one file");
  if (data.empty()) return needs("shrink takes the points or triangles in --data");
  if (out.empty()) return needs("shrink takes the file to write in --out");
  const auto seconds = arguments.integer("--seconds", default_shrink_seconds, 1, 86'400);
  if (!seconds) return seconds.error();
  const auto variant = read_variant(arguments.operand(1));
  if (!variant) return variant.error();
  const auto parameters = parameters_from(arguments);
  if (!parameters) return parameters.error();

  // Check the output before a search that may take a minute.
  const bool triangles = find_algorithm(variant->algorithm)->takes_triangles;
  if (const auto known = check_data_file(out, triangles); !known) return known.error();
  if (const auto folder = check_folder_of(out); !folder) return folder.error();
  if (const auto other = check_output_is_not_input("--out", out, data); !other) return other.error();
  const auto opened = open_data_set(data);
  if (!opened) return opened.error();
  print_warnings(**opened, console);
  const auto kit = find_kit();
  if (!kit) return kit.error();
  CompilerErrors errors;
  const auto compiled = compile(*variant, *kit, errors, console.stop);
  print_errors(errors, variant->path, console);
  if (!compiled) return compiled.error();
  print_messages(compiled->warnings, variant->path, console);

  // Builders of points take the vertices of a mesh.
  DataSet searched = **opened;
  if (!triangles) searched.triangles.clear();
  const char* const one = triangles ? "triangle" : "point";
  const char* const many = triangles ? "triangles" : "points";
  VariantTester tester(*variant, compiled->program, *kit, *parameters, console.stop);
  const auto fails = [&](const DataSet& tested) -> Result<bool> {
    const auto failure = tester.failure_on(tested);
    if (!failure) return failure.error();
    return !failure->empty();
  };
  ShrinkOptions options;
  options.time = std::chrono::seconds(*seconds);
  options.stop = console.stop;
  if (console.show_progress)
    options.progress = [&](const ShrinkProgress& progress) {
      console.err << "\r" << count_text(progress.tests, "test", "tests") << ", " << count_text(progress.size, one, many)
                  << std::string(12, ' ') << std::flush;
    };
  const auto shrunk = shrink(searched, fails, options);
  finish_progress(console);
  if (!shrunk) return shrunk.error();
  if (const auto saved = save_data_set(shrunk->data, out); !saved) return saved.error();

  console.out << "shrunk from " << count_text(shrunk->original_size, one, many) << " to " << shrunk->elements.size()
              << " in " << count_text(shrunk->tests, "test", "tests") << " and " << decimal(shrunk->seconds, "s")
              << "\n";
  if (!shrunk->minimal)
    console.out << "the search was " << (console.stop.stop_requested() ? "stopped" : "not finished in time")
                << ": fewer " << many << " may fail as well\n";
  if (!console.stop.stop_requested()) {
    const auto failure = tester.failure_on(shrunk->data);
    if (!failure) return failure.error();
    console.out << "on " << (shrunk->elements.size() == 1 ? "it " : "them ") << printable(*failure) << "\n";
  }
  console.out << "to build the variant on " << (shrunk->elements.size() == 1 ? "it" : "them")
              << ": kdscope-cli variant build " << printable(shell_word(arguments.operand(1))) << " --data "
              << printable(shell_word(out));
  for (const auto& [name, value] : *parameters) console.out << " --param " << shell_word(name + "=" + value);
  console.out << "\n";
  return exit_ok;
}

}  // namespace kdscope::cli
