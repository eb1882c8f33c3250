#pragma once
// Writes data sets to files that open_data_set() reads back bit by bit.

#include <string>

#include "algorithms/core/error.hpp"
#include "algorithms/core/points.hpp"

namespace kdscope {

/// Checks that the extension of a path is one that save_data_set() writes: .csv or .npy for points, .ply for triangles.
/// Otherwise the error is bad_usage.
Result<void> check_data_file(const std::string& path, bool triangles);

/// Writes the coordinates and triangles of a data set; the extension chooses the format. Numbers have the shortest text
/// that reads back as the same word, and the file keeps their type. Work O(n k). Errors: bad_usage for another
/// extension; bad_input for points with payload, for a CSV file without points, and for meshes of more than 3
/// dimensions, which the formats do not hold; io_failure.
Result<void> save_data_set(const DataSet& data, const std::string& path);

}  // namespace kdscope
