#pragma once
// Strict readers of point and mesh files. What is in memory is parsed, so that tests need no files.
//
// A value is read as float32, correctly rounded from text; float64 is rounded to float32 and refused where that would
// be infinite. Sets of whole numbers that fit (integer text, NPY and PCD integers, PLY integer properties) become
// int32. NaN and infinite points are refused, with their count and the first one's position.
//
// The nearest float stands for a decimal, as files of coordinates mean it. Where more than that is lost,
// DataSet::warnings has a sentence with the first place: a whole number that becomes another one, or two different
// numbers of a column that become the same. Such files are read all the same: coordinates of maps and scans have more
// digits than any float, and a person who sees the warning can shift or scale them.

#include <string>
#include <string_view>

#include "algorithms/core/error.hpp"
#include "algorithms/core/points.hpp"

namespace kdscope {

enum class FileFormat { csv, xyz, npy, pcd, ply, obj, stl };

/// Parses the bytes of a file; `file` names it in errors and becomes the set's name. Work O(bytes); memory is only
/// taken for what the bytes really hold, whatever a header promises. Errors: bad_input with file, line and column or
/// byte offset; out_of_memory.
Result<DataSet> parse_points(FileFormat format, std::string_view bytes, const std::string& file);

/// Reads and parses a file; its extension chooses the format. Errors as above, io_failure where it cannot be read.
Result<DataSet> load_points(const std::string& path);

// One reader a format; they throw ErrorException and leave the checks of counts and NaN to PointCollector.

/// Rows of numbers separated by commas, or by semicolons where the first row has one; the first row may name the
/// columns. Decimal commas are refused.
DataSet parse_csv(std::string_view bytes, const std::string& file);
/// Rows of numbers separated by blanks; empty lines and lines that begin with # are skipped.
DataSet parse_xyz(std::string_view bytes, const std::string& file);
/// Versions 1 to 3, integers and floats of 4 and 8 bytes (integers of 1 and 2 too), either byte order, C and Fortran
/// order; shape (n, k), or (n) for k = 1.
DataSet parse_npy(std::string_view bytes, const std::string& file);
/// ascii, binary and binary_compressed; x, y, z where the file has them, otherwise all numeric fields.
DataSet parse_pcd(std::string_view bytes, const std::string& file);
/// ascii and binary of either byte order; vertices and faces, polygons cut into fans.
DataSet parse_ply(std::string_view bytes, const std::string& file);
/// Vertices and faces, with every form of index; polygons cut into fans.
DataSet parse_obj(std::string_view bytes, const std::string& file);
/// ascii and binary; equal vertices of different facets become one.
DataSet parse_stl(std::string_view bytes, const std::string& file);

}  // namespace kdscope
