#pragma once
// Strict readers of point and mesh files. What is in memory is parsed, so that tests need no files.
//
// A value is read as float32, correctly rounded from text; float64 is rounded to float32 and refused where that would
// be infinite. Sets of whole numbers that fit (integer text, NPY and PCD integers, PLY integer properties) become
// int32. NaN and infinite points are refused, with their count and the first one's position. ReadOptions change each of
// these rules.
//
// Texts may have any line ends (LF, CRLF, CR alone), a byte order mark, or UTF-16. Keywords may have any case.
//
// The nearest float stands for a decimal, as files of coordinates mean it. Where more than that is lost,
// DataSet::warnings has a sentence: with the first place, a whole number that becomes another one, or two different
// points that become equal; or coordinates that rounding moves by a notable part of their extent
// (PointCollector::finish() has the rule). Such files are read all the same: coordinates of maps and scans have more
// digits than any float, and a person who sees the warning can shift or scale them.

#include <string>
#include <string_view>

#include "algorithms/core/error.hpp"
#include "algorithms/core/points.hpp"
#include "datasets/loaders/read_options.hpp"

namespace kdscope {

enum class FileFormat { csv, xyz, npy, pcd, ply, obj, stl };

/// Parses the bytes of a file; `file` names it in errors and becomes the set's name. Work O(bytes); memory is only
/// taken for what the bytes really hold, whatever a header promises. Errors: bad_input with file, line and column or
/// byte offset; out_of_memory.
Result<DataSet> parse_points(FileFormat format, std::string_view bytes, const std::string& file,
                             const ReadOptions& options = {});

/// Reads and parses a file; its extension chooses the format. Errors as above, io_failure where it cannot be read.
Result<DataSet> load_points(const std::string& path, const ReadOptions& options = {});

// One reader a format; they throw ErrorException and leave the checks of counts and NaN to PointCollector.

/// Rows of numbers that commas, semicolons, tabs or blanks part (the separator that fits the first rows), with quotes
/// as in RFC 4180; lines that begin with #, % or // are skipped, unless they begin with a spreadsheet's error, which is
/// a missing value. Rows may end with separators. The first row may name the columns, and so may a comment in front of
/// it; or it counts the points. Left out with a warning: a first column without a name, as data frames write for row
/// numbers; names of rows, as R writes; columns that coordinates_by_name() takes for no coordinates. Decimal commas are
/// refused.
DataSet parse_csv(std::string_view bytes, const std::string& file, const ReadOptions& options);
/// Rows of numbers separated by blanks; otherwise as CSV, and empty lines are skipped. Without names, only the first
/// three columns are coordinates where colours seem to follow them, with a warning.
DataSet parse_xyz(std::string_view bytes, const std::string& file, const ReadOptions& options);
/// Versions 1 to 3, integers and floats of 4 and 8 bytes (integers of 1 and 2 too), either byte order, C and Fortran
/// order; shape (n, k), or (n) for k = 1.
DataSet parse_npy(std::string_view bytes, const std::string& file, const ReadOptions& options);
/// ascii, binary and binary_compressed; x, y, z where the file has them, otherwise all numeric fields.
DataSet parse_pcd(std::string_view bytes, const std::string& file, const ReadOptions& options);
/// ascii and binary of either byte order; vertices, faces and strips of triangles. Polygons are cut into triangles
/// (TriangleCollector). A warning counts rows of lists that may be faces by other names.
DataSet parse_ply(std::string_view bytes, const std::string& file, const ReadOptions& options);
/// Vertices and faces, with every form of index; polygons are cut into triangles.
DataSet parse_obj(std::string_view bytes, const std::string& file, const ReadOptions& options);
/// ascii and binary, with attribute bytes behind facets or without; equal vertices of different facets become one.
DataSet parse_stl(std::string_view bytes, const std::string& file, const ReadOptions& options);

}  // namespace kdscope
