#include "app/cli/commands.hpp"

#include <exception>
#include <new>

#include "algorithms/registry/registry.hpp"
#include "algorithms/text/printable_text.hpp"
#include "algorithms/text/similar_names.hpp"
#include "app/cli/device_option.hpp"
#include "app/cli/printable_stream.hpp"
#include "app/cli/run_options.hpp"

namespace kdscope::cli {
namespace {

std::string overview() {
  std::string text =
      "kdscope-cli COMMAND [options]\n\n"
      "Builds kd-trees with published parallel algorithms, at full speed or recorded step\n"
      "by step, and prints, checks and compares what they did.\n\n"
      "Commands:\n";
  for (const Command& c : commands())
    text += "  " + c.spec.name + std::string(12 - c.spec.name.size(), ' ') + c.spec.summary + "\n";
  text +=
      "\nkdscope-cli COMMAND --help explains every option. kdscope-cli --version prints the version.\n\n"
      "Exit codes: 0 success, 2 bad usage, 3 bad input, 4 failed checks or traces that differ,\n"
      "5 device, memory or disk failure, or interrupted, 6 bench: something got slower,\n"
      "7 variant build: no launch used the stage, 8 variant build: other steps, the same tree,\n"
      "9 record --until, show --where: no step meets the condition.\n";
  return text;
}

int failed(const Error& error, Console& console) {
  finish_progress(console);
  console.err << "kdscope-cli: " << printable(error.message()) << "\n";
  return exit_code_of(error.kind);
}

/// Flushes the output and returns `code`; if that fails, reports it and returns the code of an I/O failure.
int written(ExitCode code, Console& console) {
  if (console.out.flush()) return code;
  return failed({ErrorKind::io_failure, "the output cannot be written", "", "check the disk"}, console);
}

int run_checked(const Command& command, const std::vector<std::string>& words, Console& unfiltered) {
  PrintableBuffer printable_only(*unfiltered.out.rdbuf());
  std::ostream out(&printable_only);
  out.exceptions(unfiltered.out.exceptions());
  Console console{out, unfiltered.err, unfiltered.stop, unfiltered.show_progress, unfiltered.in};
  try {
    const Arguments arguments = value_of(parse_arguments(command.spec, words));
    const bool several = command.spreads && arguments.text("--device").find(',') != std::string::npos;
    const DeviceInUse elsewhere = several ? DeviceInUse() : value_of(device_from(arguments));
    return written(value_of(command.run(arguments, console)), console);
  } catch (const ErrorException& e) {
    return failed(e.error(), console);
  } catch (const std::bad_alloc&) {
    console.err << out_of_memory_words;  // no memory is left to compose a string
    return exit_other_failure;
  } catch (const std::exception& e) {
    return failed({ErrorKind::device_failure, std::string("a library failed: ") + e.what(), "", "run again"}, console);
  }
}

}  // namespace

ExitCode exit_code_of(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::bad_usage:
      return exit_bad_usage;
    case ErrorKind::bad_input:
      return exit_bad_input;
    case ErrorKind::failed_check:
      return exit_failed_check;
    default:
      return exit_other_failure;
  }
}

const std::vector<Command>& commands() {
  static const std::vector<Command> all = [] {
    std::vector<Command> list{list_command(),     build_command(),      record_command(),   show_command(),
                              verify_command(),   diff_command(),       repeat_command(),   bench_command(),
                              roofline_command(), experiment_command(), tune_command(),     query_command(),
                              render_command(),   cloud_command(),      track_command(),    variant_command(),
                              builder_command(),  inside_command(),     practise_command(), grade_command(),
                              export_command(),   device_command()};
    for (Command& command : list) command.spec.program = "kdscope-cli";
    return list;
  }();
  return all;
}

int run_command_line(const std::vector<std::string>& words, Console& console) {
  const auto asks_for_help = [](const std::string& word) { return word == "--help" || word == "-h"; };
  if (words.empty()) {
    console.err << overview();
    return exit_bad_usage;
  }
  if (asks_for_help(words[0]) || (words[0] == "help" && words.size() == 1)) {
    console.out << overview();
    return written(exit_ok, console);
  }
  if (words[0] == "--version") {
    console.out << "kdscope " << version() << "\n";
    return written(exit_ok, console);
  }
  const std::string name = words[0] == "help" ? words[1] : words[0];
  std::vector<std::string> names;
  for (const Command& c : commands()) {
    names.push_back(c.spec.name);
    if (c.spec.name != name) continue;
    const std::vector<std::string> rest(words.begin() + 1, words.end());
    bool help = words[0] == "help";
    for (const std::string& word : rest) {
      if (word == "--") break;
      help = help || asks_for_help(word);
    }
    if (!help) return run_checked(c, rest, console);
    console.out << help_text(c.spec);
    return written(exit_ok, console);
  }
  std::string remedy = did_you_mean(name, names);
  if (remedy.empty()) remedy = "kdscope-cli --help lists the commands";
  return failed({ErrorKind::bad_usage, "there is no command '" + name + "'", "", remedy}, console);
}

}  // namespace kdscope::cli
