#include "algorithms/trace/divergence.hpp"

#include <algorithm>
#include <map>

#include "algorithms/trace/beside_state.hpp"

namespace kdscope {
namespace {

constexpr std::size_t most_elements = 5;

std::string size_text(std::uint64_t size) { return size ? std::to_string(size) + " elements" : "no elements"; }

std::string element_text(const Cursor& cursor, const std::string& array, std::uint64_t index) {
  const std::string text = cursor.text(array, index);
  return text.empty() ? "nothing" : text;
}

/// Returns an element with up to two neighbours on each side: "61 61 [30] 62 62".
std::string with_neighbours(const Cursor& cursor, const std::string& array, std::uint64_t index) {
  constexpr std::uint64_t each_side = 2;
  std::string text;
  for (std::uint64_t i = index - std::min(index, each_side); i < cursor.row_size(array) && i <= index + each_side; ++i)
    text += (text.empty() ? "" : " ") + (i == index ? "[" + cursor.text(array, i) + "]" : cursor.text(array, i));
  return text;
}

/// Compares a stored or derived row. Returns nullopt if it is equal. Work O(row).
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
  if (!found.first.empty()) {
    found.around_a = with_neighbours(a, name, found.first.front().index);
    found.around_b = with_neighbours(b, name, found.first.front().index);
  }
  return found.different == 0 && in_a == in_b ? std::nullopt : std::optional(found);
}

/// Returns the pairs of steps to compare: steps with the same number or, to compare single arrays across variants of an
/// algorithm, steps with the same path.
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

}  // namespace

std::optional<std::uint32_t> step_of_same_path(const Trace& from, std::uint32_t step, const Trace& to) {
  const std::string path = path_text(from.steps[step]);
  if (step < to.steps.size() && path_text(to.steps[step]) == path) return step;
  const auto same = [&](const Step& other) { return path_text(other) == path; };
  auto occurrence = std::count_if(from.steps.begin(), from.steps.begin() + step, same);
  for (const Step& other : to.steps)
    if (same(other) && occurrence-- == 0) return other.ordinal;
  return std::nullopt;
}

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

std::size_t failed_check_count(const Trace& trace) {
  std::size_t failed = 0;
  for (const Step& step : trace.steps)
    failed += std::count_if(step.checks.begin(), step.checks.end(), [](const CheckResult& c) { return !c.passed; });
  return failed;
}

Divergence find_divergence(const std::shared_ptr<const Trace>& a, const std::shared_ptr<const Trace>& b,
                   const std::vector<std::string>& only, std::stop_token stop) {
  Divergence divergence;
  divergence.hashes = a->header.tree_hash != b->header.tree_hash;
  divergence.step_counts = a->steps.size() != b->steps.size();
  divergence.failed_checks = failed_check_count(*a) != failed_check_count(*b);
  const auto wanted = [&](const ArrayInfo& info) {
    if (only.empty()) return !is_beside_state(info);
    return std::find(only.begin(), only.end(), info.name) != only.end();
  };
  std::vector<std::string> names;
  for (const Trace::Array& array : a->arrays)
    if (wanted(array.info)) (b->find(array.info.name) ? names : divergence.only_in_a).push_back(array.info.name);
  for (const Trace::Array& array : b->arrays)
    if (wanted(array.info) && !a->find(array.info.name)) divergence.only_in_b.push_back(array.info.name);

  Cursor x(a), y(b);
  for (const auto& [in_a, in_b] : paired_steps(*a, *b, !only.empty())) {
    if (stop.stop_requested()) throw ErrorException({ErrorKind::cancelled, "stopped on request", "", ""});
    divergence.step_names = path_text(a->steps[in_a]) != path_text(b->steps[in_b]);
    x.seek(in_a);
    y.seek(in_b);
    if (!divergence.step_names)
      for (const std::string& name : names)
        if (auto difference = compare_rows(x, y, name)) divergence.arrays.push_back(std::move(*difference));
    if (divergence.step_names || !divergence.arrays.empty()) {
      divergence.steps = {in_a, in_b};
      break;
    }
    ++divergence.compared_steps;
  }
  return divergence;
}

}  // namespace kdscope
