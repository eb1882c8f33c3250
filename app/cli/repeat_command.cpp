// repeat: records one run again and again, and prints what varies.

#include <optional>

#include "algorithms/text/printable_text.hpp"
#include "algorithms/trace/variation.hpp"
#include "app/cli/commands.hpp"
#include "app/cli/run_options.hpp"

namespace kdscope::cli {
namespace {

std::string step_text(const Trace& trace, std::uint32_t step) {
  return step < trace.steps.size() ? "step " + std::to_string(step) + " (" + path_text(trace.steps[step]) + ")"
                                   : "step " + std::to_string(step);
}

void print_variation(const Variation& variation, std::ostream& out) {
  const Trace& trace = variation.first();
  if (variation.different_runs() == 0) {
    out << "all " << variation.runs() << " runs are equal: " << trace.steps.size() << " steps, tree hash "
        << hash_text(trace.header.tree_hash) << "\n";
    return;
  }
  out << variation.different_runs() << " of " << variation.runs() << " runs differ from the first one\n";
  for (const VaryingArray& a : variation.arrays()) {
    out << printable(step_text(trace, a.step)) << ", " << (a.array.empty() ? "its name or what follows it" : "array ")
        << printable(a.array) << ": " << count_text(a.runs, "run", "runs") << ", the first is run " << a.first_run;
    if (a.most_different > 0) {
      out << "; up to " << count_text(a.most_different, "element", "elements") << ", from index " << a.least_index;
      if (a.most_index > a.least_index) out << " to " << a.most_index;
    }
    out << "\n";
  }
  out << "The cause is at the first of these steps or before it: a race between threads, or memory that is read before "
         "it is written.\n";
}

void write_variation(const Variation& variation, std::ostream& out) {
  const Trace& trace = variation.first();
  JsonWriter json(out);
  json.begin_object();
  json.member("runs", variation.runs());
  json.member("different_runs", variation.different_runs());
  json.member("tree_hash", hash_text(trace.header.tree_hash));
  json.key("varying");
  json.begin_array();
  for (const VaryingArray& a : variation.arrays()) {
    json.begin_object();
    json.member("step", a.step);
    json.member("path", a.step < trace.steps.size() ? path_text(trace.steps[a.step]) : "");
    json.key("array");  // null: the step itself
    a.array.empty() ? json.value(nullptr) : json.value(a.array);
    json.member("runs", a.runs);
    json.member("first_run", a.first_run);
    json.member("most_different", a.most_different);
    if (a.most_different > 0) {
      json.member("least_index", a.least_index);
      json.member("most_index", a.most_index);
    }
    json.end_object();
  }
  json.end_array();
  json.end_object();
  out << "\n";
}

Result<ExitCode> run_repeat(const Arguments& arguments, Console& console) {
  const auto times = arguments.integer("--times", 20, 2, 1'000'000);
  if (!times) return times.error();
  auto request = request_from(arguments);
  if (!request) return request.error();
  print_warnings(*request->points, console);
  RunControl control = control_for(console);
  const auto show_progress = control.progress;
  std::optional<Variation> variation;
  for (std::uint64_t run = 0; run < *times; ++run) {
    if (show_progress)
      control.progress = [&, run](double share, std::string_view) {
        show_progress((static_cast<double>(run) + share) / static_cast<double>(*times),
                      "run " + std::to_string(run + 1) + " of " + std::to_string(*times));
      };
    const auto trace = record(*request, control);
    if (!trace) {
      finish_progress(console);
      return trace.error();
    }
    if (variation)
      variation->add(*trace, console.stop);
    else
      variation.emplace(*trace);
  }
  finish_progress(console);
  (arguments.has("--json") ? write_variation : print_variation)(*variation, console.out);
  return variation->different_runs() == 0 ? exit_ok : exit_failed_check;
}

}  // namespace

Command repeat_command() {
  CommandSpec spec{
      "repeat",
      "record the same run again and again, and name what varies",
      "Records one run many times and compares each with the first. Every builder here is deterministic, so a step or "
      "an array varies only through a race between threads or memory that is read before it is written. Prints the "
      "first step and the arrays where runs diverge from the first one. Exit code 4 if any run differs.",
      {},
      run_options(),
      {"repeat --times 200 --data uniform:n=10000,dim=3 --algorithm brown --backend cuda"}};
  spec.options.push_back({"--times", "N", "Number of runs, 2 to 1000000. Default: 20."});
  spec.options.push_back(json_option());
  return {spec, run_repeat};
}

}  // namespace kdscope::cli
