#pragma once
// Tables that tree files are made of, as CSV rows and as NPY structured arrays: columns of indices and of coordinates,
// one row an element. A file may hold several, one after the other; which columns there are is up to each kind of tree.

#include <cstdint>
#include <functional>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "algorithms/core/points.hpp"
#include "algorithms/trees/csv_rows.hpp"
#include "algorithms/trees/npy_array.hpp"

namespace kdscope::tree_files {

/// uint32 indices, or coordinates in the type of the points; several of them may be one NPY field.
struct TableColumn {
  std::string name;                 ///< of the NPY field
  std::vector<std::string> titles;  ///< in CSV, one a value
  bool coordinates = false;
  std::string shape = "";       ///< of the NPY field: "(3,)", "(2, 3)"; empty for one value
  bool may_lack = false;        ///< an index may be no_id: an empty field in CSV
  const char* what = "number";  ///< an index is, when a CSV field is none
  int lacks_with = -1;  ///< value of the row that is no_id where the coordinate has no meaning: an empty field, 0
};

/// An index; an index that a row may lack; coordinates of k dimensions; where a node is split, if it is along the
/// dimension in value `split_dimension` of the row; both ends of a node's box.
TableColumn index_column(const std::string& name, const char* what = "number");
TableColumn optional_column(const std::string& name, const char* what = "number");
TableColumn coordinates_column(std::uint32_t dim);
TableColumn split_value_column(int split_dimension);
TableColumn box_column(std::uint32_t dim);

struct TreeTable {
  std::string row;  ///< what a row is; CSV rows have their number in front under this name; empty: not numbered
  std::vector<TableColumn> columns;
  std::vector<std::uint32_t> words;  ///< [rows x width]

  std::size_t width() const;
  std::size_t rows() const { return words.size() / width(); }
  const std::uint32_t* at(std::size_t i) const { return words.data() + i * width(); }
  /// Where a value of a table that was read stands in its file.
  std::function<std::string(std::size_t row, std::size_t value)> place;
};

/// The first row, and the header of an array of n rows: what tells tables apart.
std::string csv_names(const TreeTable& table);
std::string npy_header(const TreeTable& table, std::size_t n, ScalarType type);
/// The fields of the current row as they stood in it.
std::string line_of(const CsvRows& rows);
/// The dimension of rows of so many fields, `others` of which are no coordinates, `each` of a dimension; within 1 to
/// 512, whatever they are.
std::uint32_t dimension_of(const CsvRows& at_names, std::size_t others, std::size_t each);
/// Throws an error that the file's first row is not of `kind`, unless it is; `example` has one dimension.
void expect_names(const CsvRows& at_names, const TreeTable& table, const std::string& kind, const TreeTable& example);

void write_csv(const TreeTable& table, ScalarType type, std::ostream& out);
void write_npy(const TreeTable& table, ScalarType type, std::ostream& out);

/// Reads the rows after the names, to the end or to an empty row, and says whether that row was there. Coordinates are
/// appended to `coordinates` and have their places filled by fill_coordinates(), because the last row may still make
/// all of them floats.
bool read_csv(CsvRows& at_names, TreeTable& table, std::vector<double>& coordinates);
/// Fills tables that were read, in the order in which they were.
void fill_coordinates(const CsvRows& rows, const std::vector<double>& coordinates,
                      std::initializer_list<TreeTable*> tables);
/// Reads an array whose header is npy_header()'s; `last`: nothing may follow it. Returns the byte after it.
std::size_t read_npy(std::string_view bytes, const NpyArray& array, const std::string& path, std::size_t n,
                     ScalarType type, bool last, TreeTable& table);

/// The type in an array's header.
ScalarType type_of(const NpyArray& array);

}  // namespace kdscope::tree_files
