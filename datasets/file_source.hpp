#pragma once
// Data sets from files, with the parameters that say how a file is read.

#include <optional>
#include <string>

#include "datasets/datasets.hpp"

namespace kdscope {

/// Reads the file of a specification. `path`: data_file_of() it. Throws ErrorException: those of parameters and of
/// readers.
DataSet open_file(const std::string& specification, const std::string& path);

/// The rows of an NPY file of float32 or int32 points, as they lie in the file.
struct NpyRows {
  ScalarType type = ScalarType::float32;
  std::uint32_t dim = 0;
  std::uint64_t n = 0;
  std::uint64_t begin = 0;  ///< byte of the first row; every row has 4 dim bytes
};
/// Finds the rows of an NPY file without reading them, if it is an array of little-endian float32 or int32 in rows, as
/// numpy writes it. Throws ErrorException: those of InputFile.
std::optional<NpyRows> npy_rows_of(const std::string& path);

/// Reads the rows of a share alone, as open_data_share() wants them, if the file is an NPY array of float32 or int32 in
/// rows, as numpy writes it; other files have to be read as a whole. Throws ErrorException: those of readers.
std::optional<DataShare> open_npy_share(const std::string& path, std::uint32_t part, std::uint32_t parts);

}  // namespace kdscope
