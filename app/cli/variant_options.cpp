#include "app/cli/variant_options.hpp"

#include "algorithms/run/run.hpp"
#include "algorithms/text/printable_text.hpp"
#include "algorithms/text/quotes.hpp"
#include "app/cli/run_options.hpp"

namespace kdscope::cli {

Result<Backend> variant_backend(const Arguments& arguments) {
  auto backend = backend_named(arguments.text("--backend", "cpu"));
  if (backend && *backend == Backend::automatic)
    return Error{ErrorKind::bad_usage, "a variant runs on a back end of your choice", "",
                 "give --backend cpu, or --backend cuda"};
  return backend;
}

Result<VariantOfAction> variant_of_action(const Arguments& arguments, const std::string& example,
                                          std::string (*usual_data)(const std::string& algorithm), Console& console) {
  const std::string action = arguments.operand(0);
  if (arguments.operand_count() != 2)
    return Error{ErrorKind::bad_usage, action + " takes one file", "",
                 "for example kdscope-cli variant " + action + " my.cu " + example};
  const auto backend = value_of(variant_backend(arguments));
  const auto parameters = value_of(parameters_from(arguments));
  auto file = value_of(variants::read_variant(arguments.operand(1)));
  const std::string data = arguments.text("--data", usual_data(file.algorithm));
  auto run = value_of(opened({data, file.algorithm, parameters, backend}, {console.stop, {}}));
  print_warnings(*run.request.points, console);
  run.request.algorithm.clear();
  return VariantOfAction{std::move(file), std::move(run.request)};
}

std::string command_text(const std::string& action, const std::string& file, const std::string& data,
                         const Parameters& parameters) {
  std::string text = " kdscope-cli variant " + action + " " + shell_word(file);
  if (!data.empty()) text += " --data " + shell_word(data);
  for (const auto& [name, value] : parameters) text += " --param " + shell_word(name + "=" + value);
  return printable(text);
}

void print_messages(const std::vector<variants::CompilerMessage>& messages, const std::string& path, Console& console) {
  for (const variants::CompilerMessage& message : messages)
    console.err << path << ":" << message.line << ":" << message.column << ": " << message.kind << ": "
                << printable(message.text) << "\n";
}

void print_errors(const variants::CompilerErrors& errors, const std::string& path, Console& console) {
  if (errors.messages.empty()) console.err << printable_lines(errors.output);
  print_messages(errors.messages, path, console);
}

}  // namespace kdscope::cli
