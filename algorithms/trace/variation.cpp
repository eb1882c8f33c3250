#include "algorithms/trace/variation.hpp"

#include <algorithm>

namespace kdscope {

void Variation::add(const std::shared_ptr<const Trace>& run, std::stop_token stop) {
  const Divergence found = find_divergence(first_, run, {}, stop);
  ++runs_;
  if (found.equal()) return;
  ++different_;
  if (!found.steps) {
    // All steps that both runs have are equal: one run has more steps, or only the finished trees differ.
    const std::size_t both = std::min(first_->steps.size(), run->steps.size());
    return note(both == 0 ? 0 : static_cast<std::uint32_t>(both - 1), "", {}, 0);
  }
  if (found.arrays.empty()) note(found.steps->first, "", {}, 0);
  for (const DifferentArray& array : found.arrays) note(found.steps->first, array.array, array.first, array.different);
}

void Variation::note(std::uint32_t step, const std::string& array, const std::vector<DifferentElement>& elements,
                     std::uint64_t different) {
  const auto rank = [&](const std::string& name) {
    const auto& arrays = first_->arrays;
    return std::find_if(arrays.begin(), arrays.end(), [&](const Trace::Array& a) { return a.info.name == name; }) -
           arrays.begin();
  };
  const auto before = [&](const VaryingArray& a, const VaryingArray& b) {
    return a.step != b.step ? a.step < b.step : rank(a.array) < rank(b.array);
  };
  VaryingArray noted{step, array, 0, runs_, ~std::uint64_t{0}, 0, 0};
  auto place = std::lower_bound(arrays_.begin(), arrays_.end(), noted, before);
  if (place == arrays_.end() || place->step != step || place->array != array) place = arrays_.insert(place, noted);
  ++place->runs;
  place->most_different = std::max(place->most_different, different);
  if (elements.empty()) return;
  place->least_index = std::min(place->least_index, elements.front().index);
  place->most_index = std::max(place->most_index, elements.front().index);
}

}  // namespace kdscope
