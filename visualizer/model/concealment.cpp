#include "visualizer/model/concealment.hpp"

#include <algorithm>

namespace kdscope {

void Concealment::add(const Concealment& other) {
  for (bool Concealment::*part : {&Concealment::marks, &Concealment::changes, &Concealment::tree, &Concealment::splits,
                                  &Concealment::strips, &Concealment::counts, &Concealment::code})
    this->*part = this->*part || other.*part;
  for (const std::string& row : other.rows)
    if (std::find(rows.begin(), rows.end(), row) == rows.end()) rows.push_back(row);
}

bool Concealment::hides(const Trace& trace, const ArrayInfo& info) const {
  if (rows.empty()) return false;
  const auto named = [&](const ArrayInfo& array) {
    return std::find(rows.begin(), rows.end(), array.name) != rows.end() ||
           (!array.label.empty() && std::find(rows.begin(), rows.end(), array.label) != rows.end());
  };
  if (named(info)) return true;
  if (!info.gather) return false;
  for (const std::string& from : {info.gather->through, info.gather->source})
    if (const Trace::Array* array = trace.find(from); array && named(array->info)) return true;
  return false;
}

bool Concealment::hides_values_of(const Trace& trace, Space space) const {
  return !rows.empty() && std::any_of(trace.arrays.begin(), trace.arrays.end(), [&](const Trace::Array& array) {
    return array.info.value_space == space && !array.info.gather && hides(trace, array.info);
  });
}

}  // namespace kdscope
