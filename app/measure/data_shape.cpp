#include "app/measure/data_shape.hpp"

#include <algorithm>

#include "datasets/specification.hpp"

namespace kdscope {

std::optional<DataShape> shape_from_parameters(const std::string& specification) {
  const DataSource* source = data_source_of(specification);
  if (!source) return std::nullopt;
  const std::size_t name_size = std::min(source->id.size() + 1, specification.size());
  const ParameterValues values(*source, std::string_view(specification).substr(name_size));
  DataShape shape;
  for (const DataParameter& parameter : source->parameters) {
    if (parameter.name == "dim") shape.dim = static_cast<std::uint32_t>(values.integer("dim"));
    for (const char* name : {"n", "triangles", "sample"})
      if (parameter.name == name) shape.n = static_cast<std::uint64_t>(values.integer(name));
  }
  return shape;
}

std::string replaced(std::string text, std::string_view placeholder, const std::string& value) {
  for (std::size_t at = 0; (at = text.find(placeholder, at)) != std::string::npos; at += value.size())
    text.replace(at, placeholder.size(), value);
  return text;
}

}  // namespace kdscope
