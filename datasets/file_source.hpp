#pragma once
// Data sets from files, with the parameters that say how a file is read.

#include <string>

#include "algorithms/core/points.hpp"

namespace kdscope {

/// Reads the file of a specification. `path`: data_file_of() it. Throws ErrorException: those of parameters and of
/// readers.
DataSet open_file(const std::string& specification, const std::string& path);

}  // namespace kdscope
