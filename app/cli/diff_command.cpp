// diff: where two recorded runs part.

#include <algorithm>
#include <map>
#include <optional>

#include "algorithms/trace/trace_file.hpp"
#include "app/cli/commands.hpp"
#include "app/cli/run_options.hpp"

namespace kdscope::cli {
namespace {

/// The first place where two traces differ; step -1 for the lists of arrays.
struct Difference {
  std::int64_t step = -1;
  std::string path;   ///< of the step
  std::string array;  ///< empty if the steps themselves differ
  std::int64_t index = -1;
  std::string a, b;  ///< what is there; sizes when index is -1
};

std::string size_text(std::uint64_t size) { return size ? std::to_string(size) + " elements" : "no elements"; }

/// Of a row, stored or derived.
std::optional<Difference> compare_rows(const Cursor& a, const Cursor& b, const std::string& name) {
  const std::uint64_t in_a = a.row_size(name), in_b = b.row_size(name);
  Difference difference{a.step(), path_text(a.current()), name, -1, size_text(in_a), size_text(in_b)};
  if (in_a == 0 || in_b == 0) return in_a == in_b ? std::nullopt : std::optional(difference);
  const ElementType type_in_a = a.trace().find(name)->info.type, type_in_b = b.trace().find(name)->info.type;
  if (type_in_a != type_in_b) {
    difference.a = name_of(type_in_a);
    difference.b = name_of(type_in_b);
    return difference;
  }
  const std::vector<IndexRange> changed = changed_ranges(a, b, name);
  const std::uint64_t first = changed.empty() ? in_b : changed.front().begin;
  if (first < std::min(in_a, in_b)) {
    difference.index = static_cast<std::int64_t>(first);
    difference.a = a.text(name, first);
    difference.b = b.text(name, first);
  } else if (in_a == in_b) {
    return std::nullopt;
  }
  return difference;
}

/// Steps to hold against each other: those of the same number, or, to compare single arrays across variants of an
/// algorithm, those of the same path.
std::vector<std::pair<std::uint32_t, std::uint32_t>> paired_steps(const Trace& a, const Trace& b, bool by_path) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
  if (!by_path) {
    for (std::uint32_t s = 0; s < std::max(a.steps.size(), b.steps.size()); ++s) pairs.emplace_back(s, s);
    return pairs;
  }
  std::map<std::string, std::vector<std::uint32_t>> in_b;
  for (auto step = b.steps.rbegin(); step != b.steps.rend(); ++step) in_b[path_text(*step)].push_back(step->ordinal);
  for (const Step& step : a.steps) {
    std::vector<std::uint32_t>& same = in_b[path_text(step)];
    if (same.empty()) continue;
    pairs.emplace_back(step.ordinal, same.back());
    same.pop_back();
  }
  return pairs;
}

std::optional<Difference> first_difference(const std::shared_ptr<const Trace>& a, const std::shared_ptr<const Trace>& b,
                                           const std::vector<std::string>& only, std::stop_token stop) {
  const auto wanted = [&](const std::string& name) {
    return only.empty() || std::find(only.begin(), only.end(), name) != only.end();
  };
  std::vector<std::string> names;
  for (const Trace::Array& array : a->arrays)
    if (wanted(array.info.name)) {
      if (!b->find(array.info.name)) return Difference{-1, "", array.info.name, -1, "there", "missing"};
      names.push_back(array.info.name);
    }
  for (const Trace::Array& array : b->arrays)
    if (wanted(array.info.name) && !a->find(array.info.name))
      return Difference{-1, "", array.info.name, -1, "missing", "there"};

  Cursor x(a), y(b);
  for (const auto& [in_a, in_b] : paired_steps(*a, *b, !only.empty())) {
    if (stop.stop_requested()) throw ErrorException({ErrorKind::cancelled, "stopped on request", "", ""});
    const auto path = [](const Trace& t, std::uint32_t s) {
      return s < t.steps.size() ? path_text(t.steps[s]) : "no such step";
    };
    if (path(*a, in_a) != path(*b, in_b))
      return Difference{in_a, path(*a, in_a), "", -1, path(*a, in_a), path(*b, in_b)};
    x.seek(in_a);
    y.seek(in_b);
    for (const std::string& name : names)
      if (auto difference = compare_rows(x, y, name)) return difference;
  }
  return std::nullopt;
}

Result<ExitCode> run_diff(const Arguments& arguments, Console& console) {
  const auto a = load_trace(arguments.operand(0));
  if (!a) return a.error();
  const auto b = load_trace(arguments.operand(1));
  if (!b) return b.error();
  std::vector<std::string> only, known;
  for (const auto& trace : {*a, *b})
    for (const Trace::Array& array : trace->arrays) known.push_back(array.info.name);
  for (const std::string& name : arguments.all("--array")) {
    if (std::find(known.begin(), known.end(), name) == known.end())
      return Error{ErrorKind::bad_usage, "neither trace holds an array '" + name + "'", "", did_you_mean(name, known)};
    only.push_back(name);
  }
  const auto difference = first_difference(*a, *b, only, console.stop);
  if (arguments.has("--json")) {
    JsonWriter json(console.out);
    json.begin_object();
    json.member("equal", !difference.has_value());
    if (difference) {
      json.member("step", difference->step);
      json.member("path", difference->path);
      json.member("array", difference->array);
      json.member("index", difference->index);
      json.member("a", difference->a);
      json.member("b", difference->b);
    }
    json.end_object();
    console.out << "\n";
  } else if (!difference) {
    console.out << "equal: " << (*a)->steps.size() << " steps, tree hash " << hash_text((*a)->header.tree_hash) << "\n";
  } else {
    if (difference->step >= 0)
      console.out << "step " << difference->step << (difference->array.empty() ? "" : " (" + difference->path + "), ");
    if (!difference->array.empty()) console.out << "array " << difference->array;
    if (difference->index >= 0) console.out << ", index " << difference->index;
    console.out << ": " << difference->a << " in " << arguments.operand(0) << ", " << difference->b << " in "
                << arguments.operand(1) << "\n";
  }
  return difference ? exit_failed_check : exit_ok;
}

}  // namespace

Command diff_command() {
  return {
      {"diff",
       "find where two traces part",
       "Walks two traces side by side and prints the first step, array and index that differ, with both values. What "
       "differs by nature (times, device, launch dimensions) is not compared. Exit code 4 if they differ.",
       {{"A.kdtrace", "A trace."}, {"B.kdtrace", "Another one."}},
       {{"--array", "NAME", "Compare only this array, at the steps that both traces have.", false, true},
        json_option()},
       {"diff cpu.kdtrace cuda.kdtrace", "diff radix.kdtrace bitonic.kdtrace --array tags --array index"}},
      run_diff};
}

}  // namespace kdscope::cli
