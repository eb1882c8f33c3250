// diff: where two recorded runs part, and everything that differs there.

#include <algorithm>
#include <map>
#include <optional>

#include "algorithms/text/printable_text.hpp"
#include "algorithms/trace/trace_file.hpp"
#include "app/cli/commands.hpp"
#include "app/cli/failed_checks.hpp"
#include "app/cli/run_options.hpp"

namespace kdscope::cli {
namespace {

/// An element that two traces hold different values of.
struct DifferentElement {
  std::uint64_t index = 0;
  std::string a, b;
};

/// An array that differs between two traces, at the steps that are compared.
struct DifferentArray {
  std::string array;
  std::string a, b;                          ///< sizes or types, where these differ
  std::uint64_t elements = 0;                ///< that both have
  std::uint64_t different = 0;               ///< of them
  std::vector<DifferentElement> first = {};  ///< the first of these
};

/// Everything that differs between two traces.
struct Comparison {
  std::uint64_t compared_steps = 0;
  std::vector<std::string> only_in_a, only_in_b;  ///< arrays
  bool hashes = false, step_counts = false, failed_checks = false;
  std::optional<std::pair<std::uint32_t, std::uint32_t>> steps = {};  ///< the first that differ, in a and in b
  bool step_names = false;                                            ///< the steps themselves differ
  std::vector<DifferentArray> arrays = {};                            ///< that differ at these steps

  /// Whether the arrays that were compared are equal.
  bool arrays_equal() const { return only_in_a.empty() && only_in_b.empty() && !steps; }
  bool equal() const { return arrays_equal() && !hashes && !step_counts && !failed_checks; }
};

constexpr std::size_t most_elements = 5;

std::string size_text(std::uint64_t size) { return size ? std::to_string(size) + " elements" : "no elements"; }

std::string element_text(const Cursor& cursor, const std::string& array, std::uint64_t index) {
  const std::string text = cursor.text(array, index);
  return text.empty() ? "nothing" : text;
}

/// Compares a row, stored or derived. Work O(row).
std::optional<DifferentArray> compare_rows(const Cursor& a, const Cursor& b, const std::string& name) {
  const std::uint64_t in_a = a.row_size(name), in_b = b.row_size(name);
  DifferentArray found{name, "", ""};
  if (in_a != in_b) found.a = size_text(in_a), found.b = size_text(in_b);
  found.elements = std::min(in_a, in_b);
  if (found.elements == 0) return in_a == in_b ? std::nullopt : std::optional(found);
  const ElementType type_in_a = a.trace().find(name)->info.type, type_in_b = b.trace().find(name)->info.type;
  if (type_in_a != type_in_b) {
    found.a = name_of(type_in_a), found.b = name_of(type_in_b);
    return found;
  }
  for (const IndexRange& range : changed_ranges(a, b, name))
    for (std::uint64_t i = range.begin; i < std::min(range.end, found.elements); ++i)
      if (++found.different <= most_elements)
        found.first.push_back({i, element_text(a, name, i), element_text(b, name, i)});
  return found.different == 0 && in_a == in_b ? std::nullopt : std::optional(found);
}

/// Steps to hold against each other: those of the same number, or, to compare single arrays across variants of an
/// algorithm, those of the same path.
std::vector<std::pair<std::uint32_t, std::uint32_t>> paired_steps(const Trace& a, const Trace& b, bool by_path) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
  if (!by_path) {
    for (std::uint32_t s = 0; s < std::min(a.steps.size(), b.steps.size()); ++s) pairs.emplace_back(s, s);
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

/// The source regions whose text differs, or that only one of the traces holds. None where one holds no source at all.
std::vector<std::string> different_sources(const Trace& a, const Trace& b) {
  std::map<std::string, std::string> in_a;
  std::vector<std::string> different;
  if (a.header.sources.empty() || b.header.sources.empty()) return different;
  for (const RecordedSource& source : a.header.sources) in_a.emplace(source.region, source.text);
  for (const RecordedSource& source : b.header.sources) {
    const auto same = in_a.find(source.region);
    if (same == in_a.end() || same->second != source.text) different.push_back(source.region);
    if (same != in_a.end()) in_a.erase(same);
  }
  for (const auto& [region, text] : in_a) different.push_back(region);
  return different;
}

std::size_t failed_check_count(const Trace& trace) { return failed_checks(trace).size(); }

Comparison compare(const std::shared_ptr<const Trace>& a, const std::shared_ptr<const Trace>& b,
                   const std::vector<std::string>& only, std::stop_token stop) {
  Comparison comparison;
  comparison.hashes = a->header.tree_hash != b->header.tree_hash;
  comparison.step_counts = a->steps.size() != b->steps.size();
  comparison.failed_checks = failed_check_count(*a) != failed_check_count(*b);
  const auto wanted = [&](const std::string& name) {
    return only.empty() || std::find(only.begin(), only.end(), name) != only.end();
  };
  std::vector<std::string> names;
  for (const Trace::Array& array : a->arrays)
    if (wanted(array.info.name)) (b->find(array.info.name) ? names : comparison.only_in_a).push_back(array.info.name);
  for (const Trace::Array& array : b->arrays)
    if (wanted(array.info.name) && !a->find(array.info.name)) comparison.only_in_b.push_back(array.info.name);

  Cursor x(a), y(b);
  for (const auto& [in_a, in_b] : paired_steps(*a, *b, !only.empty())) {
    if (stop.stop_requested()) throw ErrorException({ErrorKind::cancelled, "stopped on request", "", ""});
    comparison.step_names = path_text(a->steps[in_a]) != path_text(b->steps[in_b]);
    x.seek(in_a);
    y.seek(in_b);
    if (!comparison.step_names)
      for (const std::string& name : names)
        if (auto difference = compare_rows(x, y, name)) comparison.arrays.push_back(std::move(*difference));
    if (comparison.step_names || !comparison.arrays.empty()) {
      comparison.steps = {in_a, in_b};
      break;
    }
    ++comparison.compared_steps;
  }
  return comparison;
}

std::string build_text(const Trace& trace) {
  const std::string text = text_of(trace.header.build);
  return text.empty() ? "an unknown build" : text;
}

void print_comparison(const Comparison& c, const Trace& a, const Trace& b, const std::vector<std::string>& only,
                      const std::string& name_a, const std::string& name_b, std::ostream& out) {
  const auto line = [&](const std::string& what, const std::string& in_a, const std::string& in_b) {
    out << printable(what) << ": " << printable(in_a) << " in " << name_a << ", " << printable(in_b) << " in " << name_b
        << "\n";
  };
  if (c.equal() && only.empty())
    out << "equal: " << c.compared_steps << " steps, tree hash " << hash_text(a.header.tree_hash) << "\n";
  if (!(a.header.build == b.header.build)) line("built from", build_text(a), build_text(b));
  for (const std::string& region : different_sources(a, b))
    out << "source " << printable(region) << ": other text in " << name_b << "\n";
  if (c.hashes) line("tree hash", hash_text(a.header.tree_hash), hash_text(b.header.tree_hash));
  if (c.step_counts) line("steps", std::to_string(a.steps.size()), std::to_string(b.steps.size()));
  if (c.failed_checks)
    line("failed checks", std::to_string(failed_check_count(a)), std::to_string(failed_check_count(b)));
  for (const std::string& array : c.only_in_a) out << "array " << printable(array) << ": only in " << name_a << "\n";
  for (const std::string& array : c.only_in_b) out << "array " << printable(array) << ": only in " << name_b << "\n";
  if (c.step_names)
    line("step " + std::to_string(c.steps->first), path_text(a.steps[c.steps->first]),
         path_text(b.steps[c.steps->second]));
  for (const DifferentArray& array : c.arrays) {
    std::string where = "step " + std::to_string(c.steps->first) + " (" + path_text(a.steps[c.steps->first]) +
                        "), array " + array.array;
    if (c.steps->first != c.steps->second)
      where = "step " + std::to_string(c.steps->first) + " and " + std::to_string(c.steps->second) +
              where.substr(where.find(" ("));
    if (!array.a.empty()) line(where, array.a, array.b);
    if (array.different == 0) continue;
    out << printable(where) << ": " << array.different << " of " << size_text(array.elements)
        << (array.different == 1 ? " differs\n" : " differ\n");
    for (const DifferentElement& element : array.first)
      line("  index " + std::to_string(element.index), element.a, element.b);
    if (array.different > array.first.size()) out << "  and " << array.different - array.first.size() << " more\n";
  }
  if (only.empty()) {
    if (!c.steps && !c.equal())
      out << "the arrays that both traces hold are equal at the " << c.compared_steps << " steps that both have\n";
    return;
  }
  std::string names;
  for (const std::string& name : only) names += (names.empty() ? "" : ", ") + name;
  if (!c.steps)
    out << names << (only.size() == 1 ? " is" : " are") << " equal at the " << c.compared_steps
        << " steps of the same name\n";
  out << "compared only " << names << "\n";
}

void write_comparison(const Comparison& c, const Trace& a, const Trace& b, const std::vector<std::string>& only,
                      JsonWriter& json) {
  const auto both = [&](const char* name, const auto& in_a, const auto& in_b) {
    json.key(name);
    json.begin_object();
    json.member("a", in_a);
    json.member("b", in_b);
    json.end_object();
  };
  json.begin_object();
  json.member("equal", c.equal());
  json.member("arrays_equal", c.arrays_equal());
  json.key("compared");  // null: everything
  if (only.empty())
    json.value(nullptr);
  else {
    json.begin_array();
    for (const std::string& name : only) json.value(name);
    json.end_array();
  }
  both("tree_hash", hash_text(a.header.tree_hash), hash_text(b.header.tree_hash));
  both("steps", a.steps.size(), b.steps.size());
  both("failed_checks", failed_check_count(a), failed_check_count(b));
  both("build", text_of(a.header.build), text_of(b.header.build));
  json.member("different_sources", different_sources(a, b));
  json.member("only_in_a", c.only_in_a);
  json.member("only_in_b", c.only_in_b);
  json.key("step");
  c.steps ? json.value(c.steps->first) : json.value(nullptr);
  if (c.steps) both("path", path_text(a.steps[c.steps->first]), path_text(b.steps[c.steps->second]));
  json.key("arrays");
  json.begin_array();
  for (const DifferentArray& array : c.arrays) {
    json.begin_object();
    json.member("array", array.array);
    if (!array.a.empty()) both("size_or_type", array.a, array.b);
    json.member("elements", array.elements);
    json.member("different", array.different);
    json.key("first");
    json.begin_array();
    for (const DifferentElement& element : array.first) {
      json.begin_object();
      json.member("index", element.index);
      json.member("a", element.a);
      json.member("b", element.b);
      json.end_object();
    }
    json.end_array();
    json.end_object();
  }
  json.end_array();
  json.end_object();
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
  const Comparison comparison = compare(*a, *b, only, console.stop);
  if (arguments.has("--json")) {
    JsonWriter json(console.out);
    write_comparison(comparison, **a, **b, only, json);
    console.out << "\n";
  } else {
    print_comparison(comparison, **a, **b, only, printable(arguments.operand(0)), printable(arguments.operand(1)),
                     console.out);
  }
  return (only.empty() ? comparison.equal() : comparison.arrays_equal()) ? exit_ok : exit_failed_check;
}

}  // namespace

Command diff_command() {
  return {{"diff",
           "find where two traces part",
           "Compares tree hashes, numbers of steps, failed checks and lists of arrays, and walks both traces side by "
           "side to the first "
           "step that differs: all arrays that differ there, with how many elements and the first of these with both "
           "values. Builds and "
           "sources that differ are printed and do not count; what differs by nature (times, device, launch "
           "dimensions) is not compared. Exit code 4 if anything compared differs. With "
           "--array, only the named arrays decide the exit code; tree hashes, numbers of steps and of failed checks "
           "that differ are "
           "printed.",
           {{"A.kdtrace", "A trace."}, {"B.kdtrace", "Another one."}},
           {{"--array", "NAME", "Compare only this array, at the steps of the same name.", false, true}, json_option()},
           {"diff cpu.kdtrace cuda.kdtrace", "diff radix.kdtrace bitonic.kdtrace --array tags --array index"}},
          run_diff};
}

}  // namespace kdscope::cli
