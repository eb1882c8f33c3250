#include "algorithms/trees/node_rows.hpp"

#include <cmath>
#include <cstring>

namespace kdscope::tree_files {
namespace {

std::string npy_header(bool with_nodes, std::size_t n, std::uint32_t dim, ScalarType type) {
  return "{'descr': [" + std::string(with_nodes ? "('node', '<u4'), " : "") +
         "('original_index', '<u4'), ('split_dimension', '|u1'), ('coordinates', '" +
         std::string(type == ScalarType::float32 ? "<f4" : "<i4") + "', (" + std::to_string(dim) +
         ",))], 'fortran_order': False, 'shape': (" + std::to_string(n) + ",), }";
}

}  // namespace

void write_rows_npy(const NodeRows& rows, std::ostream& out) {
  const std::size_t n = rows.original_index.size();
  write_npy_header(out, npy_header(rows.with_nodes, n, rows.points.dim, rows.points.type));
  for (std::size_t i = 0; i < n; ++i) {
    if (rows.with_nodes) out.write(reinterpret_cast<const char*>(&rows.node[i]), 4);
    out.write(reinterpret_cast<const char*>(&rows.original_index[i].value), 4);
    out.put(static_cast<char>(rows.split_dim[i]));
    out.write(reinterpret_cast<const char*>(&rows.points.words[i * rows.points.stride()]), 4 * rows.points.dim);
  }
}

void write_rows_npy_header(std::ostream& out, std::size_t n, std::uint32_t dim, ScalarType type) {
  write_npy_header(out, npy_header(false, n, dim, type));
}

void write_rows_csv(const NodeRows& rows, std::ostream& out) {
  std::string text;
  CsvWriter csv(text);
  if (rows.with_nodes) csv << "node";
  csv << "original_index"
      << "split_dimension";
  for (std::uint32_t d = 0; d < rows.points.dim; ++d) csv << column_name(d);
  csv.end_row();
  out << text;
  text.clear();
  for (std::size_t i = 0; i < rows.original_index.size(); ++i) {
    if (rows.with_nodes) csv << rows.node[i];
    csv << rows.original_index[i].value << unsigned{rows.split_dim[i]};
    for (std::uint32_t d = 0; d < rows.points.dim; ++d)
      csv << coordinate_text(rows.points.word(i, d), rows.points.type);
    csv.end_row();
    out << text;
    text.clear();
  }
}

bool begins_node_rows(const CsvRows& lines, bool with_nodes) {
  const auto& fields = lines.fields();
  const std::size_t first = with_nodes ? 1 : 0;
  return fields.size() > first + 1 && (fields[0] == "node") == with_nodes && fields[first] == "original_index" &&
         fields[first + 1] == "split_dimension";
}

bool begins_node_rows(const NpyArray& first, bool with_nodes) {
  const auto has = [&](const char* field) { return first.header.find(field) != first.header.npos; };
  return has("'split_dimension', '|u1'") && has("'node'") == with_nodes;
}

NodeRows read_node_rows(CsvRows& lines, bool with_nodes) {
  NodeRows rows;
  rows.with_nodes = with_nodes;
  const std::size_t first = rows.with_nodes ? 1 : 0;  // column of the original index
  const std::size_t columns = lines.fields().size();
  if (columns < first + 3 || lines.fields()[first] != "original_index" ||
      lines.fields()[first + 1] != "split_dimension")
    refuse(
        "the first row is not that of a tree file", lines.place(0),
        "its columns are original_index, split_dimension and the coordinates, a column node in front where slots may "
        "be empty, as kdscope-cli build --tree-out writes them");
  const std::size_t dim = columns - first - 2;
  if (dim > 512) refuse(std::to_string(dim) + " coordinates, 1 to 512 are possible", lines.place(0));
  rows.points.dim = static_cast<std::uint32_t>(dim);
  std::vector<double> values;
  while (!lines.at_end()) {
    lines.next();
    if (lines.fields().size() != columns)
      refuse("the row has " + std::to_string(lines.fields().size()) + " values, the first one has " +
                 std::to_string(columns),
             lines.place(0));
    if (rows.with_nodes) rows.node.push_back(lines.number<std::uint32_t>(0, "node"));
    rows.original_index.push_back({lines.number<std::uint32_t>(first, "index of a point")});
    rows.split_dim.push_back(lines.number<std::uint8_t>(first + 1, "dimension"));
    for (std::size_t c = first + 2; c < columns; ++c) values.push_back(lines.coordinate(c));
  }
  rows.points.type = lines.type();
  rows.points.words = lines.words(values);
  rows.place = [lines](std::size_t row, std::size_t column) { return lines.place(row + 2, column); };
  return rows;
}

NodeRows read_node_rows(const NpyArray& array, std::string_view bytes, const std::string& path, bool with_nodes) {
  const auto at = [path](std::size_t offset) { return npy_place(path, offset); };

  // Accept only headers that write_rows_npy() writes: find the three numbers, write the header again, compare.
  NodeRows rows;
  const std::string& header = array.header;
  rows.with_nodes = with_nodes;
  rows.points.type = header.find("'<i4'") != header.npos ? ScalarType::int32 : ScalarType::float32;
  const std::uint64_t dim = array.number_after("4', ("), n = array.number_after("'shape': (");
  if (dim == 0 || dim > 512 ||
      header != npy_header(rows.with_nodes, n, static_cast<std::uint32_t>(dim), rows.points.type))
    refuse("the array is no tree", at(10), "name a file that kdscope-cli build --tree-out wrote");
  rows.points.dim = static_cast<std::uint32_t>(dim);

  const std::size_t first = rows.with_nodes ? 4 : 0;  // first byte of the original index in a row
  const std::size_t width = first + 5 + 4 * dim, begin = array.begin, there = bytes.size() - begin;
  if (there % width != 0 || there / width != n)
    refuse("the header promises " + std::to_string(n) + " rows of " + std::to_string(width) + " bytes, " +
               std::to_string(there) + " bytes follow",
           at(begin));
  rows.node.resize(rows.with_nodes ? n : 0);
  rows.original_index.resize(n);
  rows.split_dim.resize(n);
  rows.points.words.resize(n * dim);
  for (std::size_t i = 0; i < n; ++i) {
    const char* row = bytes.data() + begin + i * width;
    if (rows.with_nodes) std::memcpy(&rows.node[i], row, 4);
    std::memcpy(&rows.original_index[i].value, row + first, 4);
    rows.split_dim[i] = static_cast<std::uint8_t>(row[first + 4]);
    std::memcpy(&rows.points.words[i * dim], row + first + 5, 4 * dim);
    for (std::uint32_t d = 0; d < dim; ++d)
      if (!std::isfinite(rows.points.value(i, d)))
        refuse("a coordinate is infinite or not a number", at(begin + i * width + first + 5 + 4 * d));
  }
  rows.place = [=](std::size_t row, std::size_t column) { return at(begin + row * width + 4 * column); };
  return rows;
}

}  // namespace kdscope::tree_files
