#pragma once
// A data specification taken apart into a source and its parameters, for a form, and put together again.

#include <map>
#include <string>

#include "datasets/datasets.hpp"

namespace kdscope {

/// What a run panel shows of a specification. `source` is empty when the specification is a file's path.
struct DataForm {
  std::string source;  ///< id in data_sources()
  std::map<std::string, std::string> parameters;
  std::string file;
};

DataForm parse_data_form(const std::string& specification);

/// The specification; parameters at their defaults are left out, so that names stay short.
std::string specification_of(const DataForm& form);

const DataSource* find_data_source(const std::string& id);

}  // namespace kdscope
