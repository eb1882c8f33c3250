#include "visualizer/model/missing_values.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "algorithms/trace/row_reader.hpp"
#include "visualizer/model/count_array.hpp"
#include "visualizer/model/row_order.hpp"
#include "visualizer/model/split_candidates.hpp"

namespace kdscope {
namespace {

/// The values that are not in memory, each once, in the order of the trace.
class Missing {
 public:
  explicit Missing(const Trace& trace) : trace_(trace) {}
  /// Adds what the contents of an array at a step are made of: the last whole version and the changes since.
  void add(const Trace::Array& array, std::uint32_t step) {
    const ArrayVersion* version = version_at(array, step);
    for (; version; version = version == array.versions.data() ? nullptr : version - 1) {
      if (!version->values.present()) versions_.insert({&array - trace_.arrays.data(), version});
      if (version->keyframe) return;
    }
  }
  std::vector<TypedArray> values() const {
    std::vector<TypedArray> values;
    for (const auto& [array, version] : versions_) values.push_back(version->values);
    return values;
  }

 private:
  const Trace& trace_;
  std::set<std::pair<std::ptrdiff_t, const ArrayVersion*>> versions_;
};

}  // namespace

std::vector<TypedArray> missing_values(const Trace& trace, std::uint32_t step) {
  Missing missing(trace);
  for (const Trace::Array& array : trace.arrays) {
    missing.add(array, step);
    for (const Trace::Array* order : orders_read_with(trace, array, step))
      missing.add(*order, step_of_order(array, *order, step));
  }
  for (const std::string& name : CountArray::names(trace))
    for (const auto& [array, as_of] : CountArray::read_with(trace, name, step)) missing.add(*array, as_of);
  // A node may have been evaluated at any earlier step
  if (const CandidateArrays candidates(trace); candidates && candidates.tried_at)
    for (const ArrayVersion& version : candidates.tried_at->versions)
      for (const Trace::Array* array :
           {candidates.tried_at, candidates.tried, candidates.cost, candidates.choice, candidates.leaf_cost})
        if (array && version.step < step) missing.add(*array, version.step);
  return missing.values();
}

bool lacks_values(const Trace& trace) {
  return std::ranges::any_of(trace.arrays, [](const Trace::Array& array) {
    return !std::ranges::all_of(array.versions, [](const ArrayVersion& version) { return version.values.present(); });
  });
}

}  // namespace kdscope
