#include "app/cli/variant_options.hpp"

#include "algorithms/registry/registry.hpp"
#include "algorithms/text/printable_text.hpp"

namespace kdscope::cli {

Result<Backend> variant_backend(const Arguments& arguments) {
  auto backend = backend_named(arguments.text("--backend", "cpu"));
  if (backend && *backend == Backend::automatic)
    return Error{ErrorKind::bad_usage, "a variant runs on a back end of your choice", "",
                 "give --backend cpu, or --backend cuda"};
  return backend;
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
