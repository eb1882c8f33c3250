#include "algorithms/trace/array_def.hpp"

namespace kdscope {

std::string array_name(const char* pattern, std::uint32_t dim, std::uint32_t k) {
  std::string name;
  for (; pattern && *pattern; ++pattern)
    if (*pattern == '%')
      name += coordinate_name(dim, k);
    else if (*pattern == '#')
      name += std::to_string(dim);
    else
      name += *pattern;
  return name;
}

ArrayInfo ArrayList::info(const ArrayDecl& array, ElementType type, std::uint32_t dim) const {
  const std::uint32_t k = header_.dim;
  const auto text = [&](const char* pattern) { return array_name(pattern, dim, k); };
  ArrayInfo info;
  info.name = text(array.name);
  info.label = array.label ? text(array.label) : info.name;
  info.type = type;
  info.index_space = array.index;
  info.value_space = array.values;
  info.shown_as_row = array.shown_as_row;
  if (array.by_dimension) info.dimension = dim;
  if (array.gather.source)
    info.gather = Gather{text(array.gather.source), text(array.gather.through),
                         array.gather.component == no_id ? dim : array.gather.component};
  info.order = text(array.order);
  info.owner = text(array.owner);
  info.offsets = text(array.offsets);
  info.side = array.side;
  for (const DimensionDef& d : array.dimensions)
    if (d.name) info.dimensions.push_back({d.name, d.row ? d.row : d.name, d.from_least});

  switch (array.components) {
    case Components::one:
      break;
    case Components::per_dimension:
      info.components = k;
      break;
    case Components::children:
      info.components = 2;
      info.component_names = {"left", "right"};
      break;
    case Components::corners:
      info.components = 3;
      break;
    case Components::box:
      info.components = 2 * k;
      for (const char* end : {"low.", "high."})
        for (std::uint32_t d = 0; d < k; ++d) info.component_names.push_back(end + coordinate_name(d, k));
      break;
  }
  return info;
}

}  // namespace kdscope
