#include "app/cli/variation_report.hpp"

#include "algorithms/text/counts.hpp"
#include "algorithms/text/json.hpp"
#include "algorithms/text/numbers.hpp"
#include "algorithms/text/printable_text.hpp"

namespace kdscope::cli {
namespace {

std::string step_text(const Trace& trace, std::uint32_t step) {
  return step < trace.steps.size() ? "step " + std::to_string(step) + " (" + path_text(trace.steps[step]) + ")"
                                   : "step " + std::to_string(step);
}

}  // namespace

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
  json.objects("varying", variation.arrays(), [&](const VaryingArray& a) {
    json.member("step", a.step);
    json.member("path", a.step < trace.steps.size() ? path_text(trace.steps[a.step]) : "");
    json.member("array", a.array.empty() ? std::nullopt : std::optional(a.array));  // null: the step itself
    json.member("runs", a.runs);
    json.member("first_run", a.first_run);
    json.member("most_different", a.most_different);
    if (a.most_different > 0) {
      json.member("least_index", a.least_index);
      json.member("most_index", a.most_index);
    }
  });
  json.end_object();
  out << "\n";
}

}  // namespace kdscope::cli
