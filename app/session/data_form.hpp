#pragma once
// Splits a data specification into a source and its parameters, for a form, and joins them again.

#include <map>
#include <string>

#include "datasets/datasets.hpp"

namespace kdscope {

/// A specification as the run panel shows it. `source` is empty if the specification is the path of a file.
struct DataForm {
  std::string source;  ///< id in data_sources()
  std::map<std::string, std::string> parameters;
  std::string file;
};

DataForm parse_data_form(const std::string& specification);

/// Returns the specification. Leaves out parameters at their defaults, so that names stay short.
std::string specification_of(const DataForm& form);

const DataSource* find_data_source(const std::string& id);

}  // namespace kdscope
