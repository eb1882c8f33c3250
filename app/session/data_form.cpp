#include "app/session/data_form.hpp"

#include <algorithm>

namespace kdscope {

const DataSource* find_data_source(const std::string& id) {
  const auto& sources = data_sources();
  const auto found = std::find_if(sources.begin(), sources.end(), [&](const DataSource& s) { return s.id == id; });
  return found == sources.end() ? nullptr : &*found;
}

DataForm parse_data_form(const std::string& specification) {
  const std::size_t colon = specification.find(':');
  const DataSource* source = find_data_source(specification.substr(0, colon));
  if (!source) return {"", {}, specification};
  DataForm form{source->id, {}, ""};
  std::size_t at = colon;
  while (at != std::string::npos) {
    const std::size_t begin = at + 1, comma = specification.find(',', begin);
    const std::string pair = specification.substr(begin, comma == std::string::npos ? comma : comma - begin);
    if (const std::size_t equals = pair.find('='); equals != std::string::npos)
      form.parameters[pair.substr(0, equals)] = pair.substr(equals + 1);
    at = comma;
  }
  return form;
}

std::string specification_of(const DataForm& form) {
  const DataSource* source = find_data_source(form.source);
  if (!source) return form.file;
  std::string text = source->id;
  char separator = ':';
  for (const DataParameter& parameter : source->parameters) {
    const auto given = form.parameters.find(parameter.name);
    if (given == form.parameters.end() || given->second == parameter.default_value) continue;
    text += separator + parameter.name + '=' + given->second;
    separator = ',';
  }
  return text;
}

}  // namespace kdscope
