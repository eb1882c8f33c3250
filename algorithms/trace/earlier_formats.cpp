#include "algorithms/trace/earlier_formats.hpp"

#include <algorithm>
#include <string_view>

namespace kdscope::trace_format {

bool NamedRelations::has(const std::string& name) const {
  return std::find(names_.begin(), names_.end(), name) != names_.end();
}

void NamedRelations::declare(ArrayInfo& info) {
  // "kept.box" belongs to the list "kept", and "kept.node" holds the nodes of both arrays.
  if (info.index_space == Space::position) {
    const std::string list = info.name.substr(0, info.name.find('.'));
    if (has(list + ".node")) {
      info.owner = list + ".node";
      if (list != info.name && has(list)) info.order = list;
    }
  }
  if (has(info.name + ".columns")) info.offsets = info.name + ".columns";
  for (ArrayDimension& dimension : info.dimensions) {
    constexpr std::string_view relative = "_rel";
    if (has(dimension.name) || !dimension.name.ends_with(relative)) continue;
    dimension.row = dimension.name.substr(0, dimension.name.size() - relative.size());
    dimension.from_least = true;
  }
  // The first mask of a candidate is for the left child, the second one for the right.
  if (info.index_space == Space::candidate && info.value_space == Space::bit_mask && info.type == ElementType::uint64) {
    info.side = left_mask_seen_ ? Side::right : Side::left;
    left_mask_seen_ = true;
  }
}

}  // namespace kdscope::trace_format
