#include "app/cli/different_arrays.hpp"

#include <algorithm>

#include "algorithms/text/counts.hpp"
#include "algorithms/text/printable_text.hpp"
#include "app/select/selection.hpp"

namespace kdscope::cli {

std::string TracePlace::text() const {
  std::string words;
  if (point) words = "point " + std::to_string(*point);
  if (node) words += (words.empty() ? "node " : ", node ") + std::to_string(*node);
  return words.empty() ? words : " (" + words + ")";
}

TracePlace place_of(const Cursor& cursor, const std::string& name, std::uint64_t index) {
  const Trace::Array* array = cursor.trace().find(name);
  if (!array) return {};
  const Space space = array->info.index_space;
  index /= std::max(1u, array->info.components);
  if (index * array->info.components >= cursor.row_size(name)) return {};
  const LinkedSelection linked =
      resolve_selection(cursor, {space, index, space == Space::position ? name : std::string()});
  TracePlace place;
  if (linked.points.size() == 1) place.point = linked.points.front();
  place.node = linked.node;
  if (!place.node && linked.nodes.size() == 1) place.node = linked.nodes.front();
  return place;
}

void print_both(const std::string& what, const std::string& in_a, const std::string& in_b, const TraceNames& names,
                std::ostream& out) {
  out << printable(what) << ": " << printable(in_a) << " in " << names.a << ", " << printable(in_b) << " in " << names.b
      << "\n";
}

void print_different_arrays(const Divergence& divergence, const Cursor& at_a, const TraceNames& names,
                            std::ostream& out) {
  if (!divergence.steps) return;
  const auto [step_a, step_b] = *divergence.steps;
  const std::string path = " (" + path_text(at_a.trace().steps[step_a]) + "), array ";
  const std::string steps =
      step_a == step_b ? std::to_string(step_a) : std::to_string(step_a) + " and " + std::to_string(step_b);
  for (const DifferentArray& array : divergence.arrays) {
    const std::string where = "step " + steps + path + array.array;
    if (!array.a.empty()) print_both(where, array.a, array.b, names, out);
    if (array.different == 0) continue;
    out << printable(where) << ": " << array.different << " of " << count_text(array.elements, "element", "elements")
        << (array.different == 1 ? " differs\n" : " differ\n");
    for (const DifferentElement& element : array.first)
      print_both("  index " + std::to_string(element.index) + place_of(at_a, array.array, element.index).text(),
                 element.a, element.b, names, out);
    print_both("  around the first", array.around_a, array.around_b, names, out);
    if (array.different > array.first.size()) out << "  and " << array.different - array.first.size() << " more\n";
  }
}

}  // namespace kdscope::cli
