#pragma once
// Tables of tree files, as CSV rows and as NPY structured arrays, with columns of indices and of coordinates and one
// row per element. A file may hold several tables, one after another. Each kind of tree chooses its columns.

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

/// A column of uint32 indices, or of coordinates in the type of the points. Several values may form one NPY field.
struct TableColumn {
  std::string name;                 ///< name of the NPY field
  std::vector<std::string> titles;  ///< names in CSV, one per value
  bool coordinates = false;
  std::string shape = "";       ///< shape of the NPY field: "(3,)", "(2, 3)"; empty for one value
  bool may_lack = false;        ///< whether an index may be no_id: an empty field in CSV
  const char* what = "number";  ///< what an index should be, for the error if a CSV field is not a number
  int lacks_with = -1;          ///< the value of the row that is no_id if the coordinate has no meaning; it is then an
                                ///< empty field in CSV, 0 in NPY
};

/// Make columns: an index; an optional index; coordinates of k dimensions; the split value of a node, if value
/// `split_dimension` of the row names a dimension; and both ends of a node's box.
TableColumn index_column(const std::string& name, const char* what = "number");
TableColumn optional_column(const std::string& name, const char* what = "number");
TableColumn coordinates_column(std::uint32_t dim);
TableColumn split_value_column(int split_dimension);
TableColumn box_column(std::uint32_t dim);

struct TreeTable {
  std::string row;  ///< name of a row, under which CSV rows begin with their number; empty for rows without numbers
  std::vector<TableColumn> columns;
  std::vector<std::uint32_t> words;  ///< [rows x width]

  std::size_t width() const;
  std::size_t rows() const { return words.size() / width(); }
  const std::uint32_t* at(std::size_t i) const { return words.data() + i * width(); }
  /// Returns the place of a value in the file from which the table was read.
  std::function<std::string(std::size_t row, std::size_t value)> place;
};

/// Return the first row, and the header of an array of n rows. They distinguish the tables.
std::string csv_names(const TreeTable& table);
std::string npy_header(const TreeTable& table, std::size_t n, ScalarType type);
/// Returns the unparsed fields of the current row.
std::string line_of(const CsvRows& rows);
/// Returns the dimension of rows with this many fields. `others` fields are not coordinates, and `each` fields belong
/// to each dimension. The result is from 1 to 512 for any input.
std::uint32_t dimension_of(const CsvRows& at_names, std::size_t others, std::size_t each);
/// Throws an error unless the file's first row is of `kind`. example: a table of one dimension, for the message.
void expect_names(const CsvRows& at_names, const TreeTable& table, const std::string& kind, const TreeTable& example);

void write_csv(const TreeTable& table, ScalarType type, std::ostream& out);
void write_npy(const TreeTable& table, ScalarType type, std::ostream& out);

/// Reads the rows after the names, up to the end or an empty row. Returns whether there was an empty row. Appends
/// coordinates to `coordinates`. fill_coordinates() puts them into the table later, because the last row may still make
/// all of them floats.
bool read_csv(CsvRows& at_names, TreeTable& table, std::vector<double>& coordinates);
/// Fills tables in the order in which they were read.
void fill_coordinates(const CsvRows& rows, const std::vector<double>& coordinates,
                      std::initializer_list<TreeTable*> tables);
/// Reads an array whose header equals npy_header(). last: nothing may follow it. Returns the offset of the byte after
/// it.
std::size_t read_npy(const NpyFile& file, const NpyArray& array, std::size_t n, ScalarType type, bool last,
                     TreeTable& table);

/// Returns the coordinate type in an array's header.
ScalarType type_of(const NpyArray& array);

}  // namespace kdscope::tree_files
