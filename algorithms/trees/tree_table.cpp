#include "algorithms/trees/tree_table.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "algorithms/core/ids.hpp"

namespace kdscope::tree_files {
namespace {

/// Calls visit(column, value of the row) for each value of a row.
template <class Visit>
void each_value(const TreeTable& table, Visit visit) {
  std::size_t value = 0;
  for (const TableColumn& column : table.columns)
    for (std::size_t i = 0; i < column.titles.size(); ++i) visit(column, value++);
}

bool lacks(const TableColumn& column, const std::uint32_t* row) {
  return column.lacks_with >= 0 && row[column.lacks_with] == no_id;
}

}  // namespace

TableColumn index_column(const std::string& name, const char* what) { return {name, {name}, false, "", false, what}; }
TableColumn optional_column(const std::string& name, const char* what) { return {name, {name}, false, "", true, what}; }
TableColumn coordinates_column(std::uint32_t dim) {
  TableColumn column{"coordinates", {}, true, "(" + std::to_string(dim) + ",)"};
  for (std::uint32_t d = 0; d < dim; ++d) column.titles.push_back(column_name(d));
  return column;
}

TableColumn split_value_column(int split_dimension) {
  TableColumn column{"split_value", {"split_value"}, true};
  column.lacks_with = split_dimension;
  return column;
}
TableColumn box_column(std::uint32_t dim) {
  TableColumn column{"box", {}, true, "(2, " + std::to_string(dim) + ")"};
  for (const char* end : {"_min", "_max"})
    for (std::uint32_t d = 0; d < dim; ++d) column.titles.push_back(column_name(d) + end);
  return column;
}

std::size_t TreeTable::width() const {
  std::size_t width = 0;
  for (const TableColumn& column : columns) width += column.titles.size();
  return width;
}

std::string csv_names(const TreeTable& table) {
  std::string names = table.row;
  for (const TableColumn& column : table.columns)
    for (const std::string& title : column.titles) names += (names.empty() ? "" : ",") + title;
  return names;
}

std::string npy_header(const TreeTable& table, std::size_t n, ScalarType type) {
  std::string header;
  for (const TableColumn& column : table.columns)
    header += (header.empty() ? "('" : ", ('") + column.name + "', '" +
              (!column.coordinates           ? "<u4"
               : type == ScalarType::float32 ? "<f4"
                                             : "<i4") +
              "'" + (column.shape.empty() ? "" : ", " + column.shape) + ")";
  return "{'descr': [" + header + "], 'fortran_order': False, 'shape': (" + std::to_string(n) + ",), }";
}

std::string line_of(const CsvRows& rows) {
  std::string line;
  for (std::size_t i = 0; i < rows.fields().size(); ++i) line += (i == 0 ? "" : ",") + std::string(rows.fields()[i]);
  return line;
}

std::uint32_t dimension_of(const CsvRows& rows, std::size_t others, std::size_t each) {
  const std::size_t fields = rows.fields().size();
  return static_cast<std::uint32_t>(std::clamp<std::size_t>(fields > others ? (fields - others) / each : 1, 1, 512));
}

void expect_names(const CsvRows& rows, const TreeTable& table, const std::string& kind, const TreeTable& example) {
  if (line_of(rows) != csv_names(table))
    refuse("the first row is not that of " + kind, rows.place(0),
           "its columns are " + csv_names(example) + " for points of one dimension");
}

void write_csv(const TreeTable& table, ScalarType type, std::ostream& out) {
  out << csv_names(table) << '\n';
  std::string text;
  CsvWriter csv(text);
  for (std::size_t i = 0; i < table.rows(); ++i) {
    const std::uint32_t* const row = table.at(i);
    if (!table.row.empty()) csv << i;
    each_value(table, [&](const TableColumn& column, std::size_t value) {
      if (column.coordinates ? lacks(column, row) : column.may_lack && row[value] == no_id)
        csv << "";
      else if (column.coordinates)
        csv << coordinate_text(row[value], type);
      else
        csv << row[value];
    });
    csv.end_row();
    out << text;
    text.clear();
  }
}

void write_npy(const TreeTable& table, ScalarType type, std::ostream& out) {
  write_npy_header(out, npy_header(table, table.rows(), type));
  out.write(reinterpret_cast<const char*>(table.words.data()), static_cast<std::streamsize>(4 * table.words.size()));
}

bool read_csv(CsvRows& rows, TreeTable& table, std::vector<double>& coordinates) {
  const std::size_t numbered = table.row.empty() ? 0 : 1, fields = table.width() + numbered,
                    first_line = rows.line() + 1;
  table.place = [path = rows, first_line, numbered](std::size_t row, std::size_t value) {
    return path.place(first_line + row, value + numbered);
  };
  for (std::size_t number = 0; !rows.at_end(); ++number) {
    rows.next();
    if (rows.fields().size() == 1 && rows.fields()[0].empty()) return true;
    if (rows.fields().size() != fields)
      refuse("the row has " + std::to_string(rows.fields().size()) + " values, the row of names has " +
                 std::to_string(fields),
             rows.place(0));
    if (numbered && rows.number<std::uint32_t>(0, table.row.c_str()) != number)
      refuse(table.row + " " + std::string(rows.fields()[0]) + " stands where " + table.row + " " +
                 std::to_string(number) + " belongs",
             rows.place(0), "rows ascend by one, from 0");
    const std::size_t begin = table.words.size();
    table.words.resize(begin + table.width());
    each_value(table, [&](const TableColumn& column, std::size_t value) {
      const std::size_t field = value + numbered;
      std::uint32_t& word = table.words[begin + value];
      if (column.coordinates)
        coordinates.push_back(
            lacks(column, &table.words[begin]) && rows.fields()[field].empty() ? 0 : rows.coordinate(field));
      else if (column.may_lack && rows.fields()[field].empty())
        word = no_id;
      else
        word = rows.number<std::uint32_t>(field, column.what);
    });
  }
  return false;
}

void fill_coordinates(const CsvRows& rows, const std::vector<double>& coordinates,
                      std::initializer_list<TreeTable*> tables) {
  const std::vector<std::uint32_t> words = rows.words(coordinates);
  std::size_t next = 0;
  for (TreeTable* table : tables)
    for (std::size_t i = 0; i < table->rows(); ++i)
      each_value(*table, [&](const TableColumn& column, std::size_t value) {
        if (column.coordinates) table->words[i * table->width() + value] = words[next++];
      });
}

std::size_t read_npy(const NpyFile& file, const NpyArray& array, std::size_t n, ScalarType type, bool last,
                     TreeTable& table) {
  const std::string_view bytes = file.bytes;
  const std::string& path = file.path;
  const std::size_t width = 4 * table.width(), begin = array.begin, there = bytes.size() - begin;
  table.place = [=](std::size_t row, std::size_t value) { return npy_place(path, begin + row * width + 4 * value); };
  if (there / width < n)
    refuse("the header promises " + std::to_string(n) + " rows of " + std::to_string(width) + " bytes, " +
               std::to_string(there) + " bytes follow",
           npy_place(path, begin));
  if (last && there != n * width)
    refuse("more bytes follow the " + std::to_string(n) + " rows", npy_place(path, begin + n * width));
  table.words.resize(n * table.width());
  if (n > 0) std::memcpy(table.words.data(), bytes.data() + begin, n * width);
  for (std::size_t i = 0; i < n; ++i)
    each_value(table, [&](const TableColumn& column, std::size_t value) {
      if (column.coordinates && !std::isfinite(scalar_value(table.at(i)[value], type)))
        refuse("a coordinate is infinite or not a number", table.place(i, value));
    });
  return begin + n * width;
}

ScalarType type_of(const NpyArray& array) {
  return array.header.find("'<i4'") != array.header.npos ? ScalarType::int32 : ScalarType::float32;
}

}  // namespace kdscope::tree_files
