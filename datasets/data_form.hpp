#pragma once
// Splits a data specification into a source and its parameters, for a form, and joins them again.

#include <map>
#include <string>

#include "datasets/datasets.hpp"

namespace kdscope {

/// A specification as the run panel shows it. `source` is empty if the specification names a file.
struct DataForm {
  std::string source;                             ///< id in data_sources()
  std::map<std::string, std::string> parameters;  ///< of the source, or of the file
  std::string file;
};

/// Splits a specification. If its parameters cannot be read, they stay behind the name of the file, or are dropped
/// behind that of a source.
DataForm parse_data_form(const std::string& specification);

/// Returns the specification, without parameters at their defaults.
std::string specification_of(const DataForm& form);

/// Returns the source that a specification names, with or without parameters; null if it names a file.
const DataSource* data_source_of(const std::string& specification);

}  // namespace kdscope
