// diff: prints where two recorded runs diverge, and everything that differs there.

#include <algorithm>
#include <optional>

#include "algorithms/text/printable_text.hpp"
#include "algorithms/text/quotes.hpp"
#include "algorithms/text/similar_names.hpp"
#include "algorithms/trace/divergence.hpp"
#include "algorithms/trace/trace_file.hpp"
#include "app/cli/commands.hpp"
#include "app/cli/different_arrays.hpp"
#include "app/cli/failed_checks.hpp"
#include "app/cli/run_options.hpp"

namespace kdscope::cli {
namespace {

std::string build_text(const Trace& trace) {
  const std::string text = text_of(trace.header.build);
  return text.empty() ? "an unknown build" : text;
}

void print_divergence(const Divergence& c, const Cursor& at_a, const Trace& b, const std::vector<std::string>& only,
                      const TraceNames& names, std::ostream& out) {
  const Trace& a = at_a.trace();
  const auto line = [&](const std::string& what, const std::string& in_a, const std::string& in_b) {
    print_both(what, in_a, in_b, names, out);
  };
  if (c.equal() && only.empty())
    out << "equal: " << c.compared_steps << " steps, tree hash " << hash_text(a.header.tree_hash) << "\n";
  if (!(a.header.build == b.header.build)) line("built from", build_text(a), build_text(b));
  for (const std::string& region : different_sources(a, b))
    out << "source " << printable(region) << ": different text in " << names.b << "\n";
  if (c.hashes) line("tree hash", hash_text(a.header.tree_hash), hash_text(b.header.tree_hash));
  if (c.step_counts) line("steps", std::to_string(a.steps.size()), std::to_string(b.steps.size()));
  if (c.failed_checks)
    line("failed checks", std::to_string(failed_check_count(a)), std::to_string(failed_check_count(b)));
  for (const std::string& array : c.only_in_a) out << "array " << printable(array) << ": only in " << names.a << "\n";
  for (const std::string& array : c.only_in_b) out << "array " << printable(array) << ": only in " << names.b << "\n";
  if (c.step_names)
    line("step " + std::to_string(c.steps->first), path_text(a.steps[c.steps->first]),
         path_text(b.steps[c.steps->second]));
  print_different_arrays(c, at_a, names, out);
  if (c.steps && a.header.n == b.header.n && a.header.dim == b.header.dim)
    out << "to see it: kdscope " << shell_word(names.a) << " " << shell_word(names.b) << "\n";
  if (only.empty()) {
    if (!c.steps && !c.equal())
      out << "the arrays that both traces hold are equal at the " << c.compared_steps << " steps that both have\n";
    return;
  }
  std::string arrays;
  for (const std::string& name : only) arrays += (arrays.empty() ? "" : ", ") + name;
  if (!c.steps)
    out << arrays << (only.size() == 1 ? " is" : " are") << " equal at the " << c.compared_steps
        << " steps of the same name\n";
  out << "compared only " << arrays << "\n";
}

void write_divergence(const Divergence& c, const Cursor& at_a, const Trace& b, const std::vector<std::string>& only,
                      JsonWriter& json) {
  const Trace& a = at_a.trace();
  const auto both = [&](const char* name, const auto& in_a, const auto& in_b) {
    json.object(name, [&] {
      json.member("a", in_a);
      json.member("b", in_b);
    });
  };
  json.begin_object();
  json.member("equal", c.equal());
  json.member("arrays_equal", c.arrays_equal());
  if (only.empty())
    json.member("compared", nullptr);  // everything
  else
    json.member("compared", only);
  both("tree_hash", hash_text(a.header.tree_hash), hash_text(b.header.tree_hash));
  both("steps", a.steps.size(), b.steps.size());
  both("failed_checks", failed_check_count(a), failed_check_count(b));
  both("build", text_of(a.header.build), text_of(b.header.build));
  json.member("different_sources", different_sources(a, b));
  json.member("only_in_a", c.only_in_a);
  json.member("only_in_b", c.only_in_b);
  json.member("step", c.steps ? std::optional(c.steps->first) : std::nullopt);
  if (c.steps) both("path", path_text(a.steps[c.steps->first]), path_text(b.steps[c.steps->second]));
  json.objects("arrays", c.arrays, [&](const DifferentArray& array) {
    json.member("array", array.array);
    if (!array.a.empty()) both("size_or_type", array.a, array.b);
    json.member("elements", array.elements);
    json.member("different", array.different);
    both("around_first", array.around_a, array.around_b);
    json.objects("first", array.first, [&](const DifferentElement& element) {
      json.member("index", element.index);
      const TracePlace place = place_of(at_a, array.array, element.index);
      if (place.point) json.member("point", *place.point);
      if (place.node) json.member("node", *place.node);
      json.member("a", element.a);
      json.member("b", element.b);
    });
  });
  json.end_object();
}

Result<ExitCode> run_diff(const Arguments& arguments, Console& console) {
  const auto a = value_of(load_trace(arguments.operand(0)));
  const auto b = value_of(load_trace(arguments.operand(1)));
  std::vector<std::string> only, known;
  for (const auto& trace : {a, b})
    for (const Trace::Array& array : trace->arrays) known.push_back(array.info.name);
  for (const std::string& name : arguments.all("--array")) {
    if (std::find(known.begin(), known.end(), name) == known.end())
      return Error{ErrorKind::bad_usage, "neither trace holds an array '" + name + "'", "", did_you_mean(name, known)};
    only.push_back(name);
  }
  const Divergence found = find_divergence(a, b, only, console.stop);
  Cursor at_a(a);
  if (found.steps) at_a.seek(found.steps->first);
  if (arguments.has("--json")) {
    JsonWriter json(console.out);
    write_divergence(found, at_a, *b, only, json);
    console.out << "\n";
  } else {
    print_divergence(found, at_a, *b, only, {printable(arguments.operand(0)), printable(arguments.operand(1))},
                     console.out);
  }
  return (only.empty() ? found.equal() : found.arrays_equal()) ? exit_ok : exit_failed_check;
}

}  // namespace

Command diff_command() {
  return {{"diff",
           "find where two traces diverge",
           "Compares tree hashes, numbers of steps, failed checks and lists of arrays, and walks both traces side by "
           "side to the first step that differs. Prints each array that differs there, its number of different "
           "elements, and the first of these with both values, their point and their node. Different builds and "
           "sources are printed but do not count; times, devices and launch dimensions are not compared. Exit code 4 "
           "if anything compared differs. With --array, only the named arrays decide the exit code; different tree "
           "hashes, numbers of steps and numbers of failed checks are still printed.",
           {{"A.kdtrace", "A trace."}, {"B.kdtrace", "Another one."}},
           {{"--array", "NAME", "Compare only this array, at the steps of the same name.", false, true}, json_option()},
           {"diff cpu.kdtrace cuda.kdtrace", "diff radix.kdtrace bitonic.kdtrace --array tags --array index"}},
          run_diff};
}

}  // namespace kdscope::cli
