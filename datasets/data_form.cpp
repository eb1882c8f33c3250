#include "datasets/data_form.hpp"

#include <algorithm>

#include "datasets/specification.hpp"

namespace kdscope {

const DataSource* data_source_of(const std::string& specification) {
  const std::string id = specification.substr(0, specification.find(':'));
  const auto found = std::ranges::find(data_sources(), id, &DataSource::id);
  return found == data_sources().end() ? nullptr : &*found;
}

DataForm parse_data_form(const std::string& specification) {
  const DataSource* source = data_source_of(specification);
  const std::string path = source ? source->id : data_file_of(specification);
  const DataSource file{path, "", "", false, false, file_parameters()};
  const std::string_view parameters =
      std::string_view(specification).substr(std::min(specification.size(), path.size() + 1));
  try {
    const ParameterValues values(source ? *source : file, parameters);
    return {source ? path : "", values.all(), source ? "" : path};
  } catch (const ErrorException&) {
    return {source ? path : "", {}, source ? "" : specification};
  }
}

std::string specification_of(const DataForm& form) {
  if (const DataSource* source = data_source_of(form.source))
    return specification_of(source->id, source->parameters, form.parameters);
  return specification_of(form.file, file_parameters(), form.parameters);
}

}  // namespace kdscope
