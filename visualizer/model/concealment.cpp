#include "visualizer/model/concealment.hpp"

#include <algorithm>

namespace kdscope {

void Concealment::add(const Concealment& other) {
  for (bool Concealment::*part : {&Concealment::marks, &Concealment::changes, &Concealment::tree, &Concealment::splits,
                                  &Concealment::strips, &Concealment::counts, &Concealment::code, &Concealment::place})
    this->*part = this->*part || other.*part;
  if (!before) before = other.before;
  for (const std::string& row : other.rows)
    if (std::find(rows.begin(), rows.end(), row) == rows.end()) rows.push_back(row);
}

std::optional<std::uint32_t> Concealment::step_of_partition(const Cursor& cursor) const {
  if (!splits && !hides_nodes(cursor.trace())) return cursor.step();
  return place || !before || *before >= cursor.step() ? std::nullopt : before;
}

bool Concealment::hides(const ArrayInfo& info) const {
  return std::any_of(rows.begin(), rows.end(), [&](const std::string& row) {
    return row == info.name || (!info.label.empty() && row == info.label);
  });
}

bool Concealment::hides_values_of(const Trace& trace, Space space) const {
  return !rows.empty() && std::any_of(trace.arrays.begin(), trace.arrays.end(), [&](const Trace::Array& array) {
    return array.info.value_space == space && !array.info.gather && hides(array.info);
  });
}

}  // namespace kdscope
