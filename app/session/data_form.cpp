#include "app/session/data_form.hpp"

#include <algorithm>

#include "datasets/specification.hpp"

namespace kdscope {

const DataSource* find_data_source(const std::string& id) {
  const auto& sources = data_sources();
  const auto found = std::find_if(sources.begin(), sources.end(), [&](const DataSource& s) { return s.id == id; });
  return found == sources.end() ? nullptr : &*found;
}

DataForm parse_data_form(const std::string& specification) {
  const DataSource* source = find_data_source(specification.substr(0, specification.find(':')));
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
  if (const DataSource* source = find_data_source(form.source))
    return specification_of(source->id, source->parameters, form.parameters);
  return specification_of(form.file, file_parameters(), form.parameters);
}

}  // namespace kdscope
