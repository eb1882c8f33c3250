#include "app/cli/median_store_file.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "algorithms/core/median_stores.hpp"

namespace kdscope::cli {
namespace {

/// The ids in front of the coordinates: node, original index, and the two references where a tree has them.
constexpr std::size_t id_columns(bool references) { return references ? 4 : 2; }
constexpr const char* id_names[] = {"node", "original_index", "less_than", "greater_than"};

bool has_references(const MedianStoreTree& tree) { return !tree.less.empty(); }

/// The rows of a file.
struct Rows {
  bool references = false;
  ScalarType type = ScalarType::float32;
  std::uint32_t dim = 0;
  std::vector<std::uint32_t> ids;    ///< [rows x id_columns]
  std::vector<std::uint32_t> words;  ///< [rows x dim] coordinates
};

Rows rows_of(const MedianStoreTree& tree) {
  Rows rows{has_references(tree), tree.points->type, tree.points->dim, {}, {}};
  const auto add = [&](std::uint32_t node, std::uint32_t point) {
    rows.ids.insert(rows.ids.end(), {node, point});
    if (rows.references) rows.ids.insert(rows.ids.end(), {tree.less[point], tree.greater[point]});
    for (std::uint32_t d = 0; d < rows.dim; ++d) rows.words.push_back(tree.points->word(point, d));
  };
  for (std::uint32_t node = 0; node < tree.size(); ++node)
    if (tree.stores[node].value != no_id) add(node, tree.stores[node].value);
  for (const PointId point : tree.removed) add(no_id, point.value);
  return rows;
}

/// The tree that rows are of; place(row, column) names a cell of the file.
template <class Place>
MedianStoreTree tree_of(const Rows& rows, Place place) {
  const std::size_t ids = id_columns(rows.references), n = rows.ids.size() / ids;
  std::uint32_t kept = 0;
  for (std::size_t i = 0; i < n; ++i) kept += rows.ids[i * ids] != no_id;
  auto points = std::make_shared<PointSet>(PointSet{rows.type, rows.dim, 0, std::vector<std::uint32_t>(n * rows.dim)});
  MedianStoreTree tree{points, std::vector<PointId>(store_slots(kept), PointId{no_id}), {}, {}, {}};
  if (rows.references) tree.less.assign(n, no_id), tree.greater.assign(n, no_id);
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint32_t *row = &rows.ids[i * ids], node = row[0], point = row[1];
    const std::uint32_t *before = i > 0 ? row - ids : nullptr;
    if (point >= n) refuse("there is no point " + std::to_string(point) + " among " + std::to_string(n), place(i, 1));
    if (node != no_id) {
      if (node >= tree.size())
        refuse("there is no node " + std::to_string(node) + " in a tree of " + std::to_string(kept) + " nodes", place(i, 0));
      if (before && before[0] == no_id)
        refuse("node " + std::to_string(node) + " follows a point that is none", place(i, 0), "points without a node come last");
      if (before && node <= before[0])
        refuse("node " + std::to_string(node) + " follows node " + std::to_string(before[0]), place(i, 0), "nodes ascend");
      tree.stores[node] = {point};
    } else {
      if (before && before[0] == no_id && point <= before[1])
        refuse("point " + std::to_string(point) + " follows point " + std::to_string(before[1]), place(i, 1),
               "points without a node ascend");
      tree.removed.push_back({point});
    }
    if (rows.references) tree.less[point] = row[2], tree.greater[point] = row[3];
    std::copy_n(&rows.words[i * rows.dim], rows.dim, &points->words[std::size_t(point) * rows.dim]);
  }
  return tree;
}

std::string names(bool references, std::uint32_t dim) {
  std::string line;
  for (std::size_t c = 0; c < id_columns(references); ++c) line += (c ? "," : "") + std::string(id_names[c]);
  for (std::uint32_t d = 0; d < dim; ++d) line += "," + column_name(d);
  return line;
}

std::string npy_header(bool references, std::size_t n, std::uint32_t dim, ScalarType type) {
  std::string header = "{'descr': [";
  for (std::size_t c = 0; c < id_columns(references); ++c) header += "('" + std::string(id_names[c]) + "', '<u4'), ";
  return header + "('coordinates', '" + (type == ScalarType::float32 ? "<f4" : "<i4") + "', (" + std::to_string(dim) +
         ",))], 'fortran_order': False, 'shape': (" + std::to_string(n) + ",), }";
}

}  // namespace

void write_median_store_csv(const MedianStoreTree& tree, std::ostream& out) {
  const Rows rows = rows_of(tree);
  const std::size_t ids = id_columns(rows.references);
  out << names(rows.references, rows.dim) << '\n';
  for (std::size_t i = 0; i * ids < rows.ids.size(); ++i) {
    for (std::size_t c = 0; c < ids; ++c) {
      if (c > 0) out << ',';
      if (const std::uint32_t id = rows.ids[i * ids + c]; id != no_id) out << id;
    }
    for (std::uint32_t d = 0; d < rows.dim; ++d) put_coordinate(out << ',', rows.words[i * rows.dim + d], rows.type);
    out << '\n';
  }
}

void write_median_store_npy(const MedianStoreTree& tree, std::ostream& out) {
  const Rows rows = rows_of(tree);
  const std::size_t ids = id_columns(rows.references), n = rows.ids.size() / ids;
  write_npy_header(out, npy_header(rows.references, n, rows.dim, rows.type));
  for (std::size_t i = 0; i < n; ++i) {
    out.write(reinterpret_cast<const char*>(&rows.ids[i * ids]), std::streamsize(4 * ids));
    out.write(reinterpret_cast<const char*>(&rows.words[i * rows.dim]), std::streamsize(4) * rows.dim);
  }
}

bool is_median_store_tree(const CsvRows& rows) {
  const auto& fields = rows.fields();
  return fields.size() > 2 && fields[0] == id_names[0] && fields[1] == id_names[1] && (fields[2] == id_names[2] || fields[2] == column_name(0));
}
bool is_median_store_tree(const NpyArray& array) {
  return array.header.find("'node'") != array.header.npos && array.header.find("'split_dimension'") == array.header.npos;
}

MedianStoreTree read_median_store_csv(CsvRows& lines) {
  Rows rows;
  rows.references = lines.fields()[2] == id_names[2];
  const std::size_t columns = lines.fields().size(), ids = id_columns(rows.references);
  rows.dim = columns > ids ? static_cast<std::uint32_t>(columns - ids) : 0;
  std::string line;
  for (const std::string_view field : lines.fields()) line += (line.empty() ? "" : ",") + std::string(field);
  if (rows.dim == 0 || rows.dim > 512 || line != names(rows.references, rows.dim))
    refuse("the first row is not that of a tree of median stores", lines.place(0),
           "its columns are " + names(true, 1) + " for points of one dimension, less_than and greater_than only where there are references");
  std::vector<double> coordinates;
  while (!lines.at_end()) {
    lines.next();
    if (lines.fields().size() != columns)
      refuse("the row has " + std::to_string(lines.fields().size()) + " values, the first one has " + std::to_string(columns), lines.place(0));
    for (std::size_t c = 0; c < ids; ++c)
      rows.ids.push_back(c != 1 && lines.fields()[c].empty() ? no_id : lines.number<std::uint32_t>(c, c == 0 ? "node" : "index of a point"));
    for (std::size_t c = ids; c < columns; ++c) coordinates.push_back(lines.coordinate(c));
  }
  rows.type = lines.type();
  rows.words = lines.words(coordinates);
  return tree_of(rows, [&](std::size_t row, std::size_t column) { return lines.place(row + 2, column); });
}

MedianStoreTree read_median_store_npy(const NpyArray& array, std::string_view bytes, const std::string& path) {
  Rows rows;
  rows.references = array.header.find("'less_than'") != array.header.npos;
  rows.type = array.header.find("'<i4'") != array.header.npos ? ScalarType::int32 : ScalarType::float32;
  const std::uint64_t dim = array.number_after("4', ("), n = array.number_after("'shape': (");
  // The only headers that are read are those that are written.
  if (dim == 0 || dim > 512 || array.header != npy_header(rows.references, n, static_cast<std::uint32_t>(dim), rows.type))
    refuse("the array is no tree", npy_place(path, 10), "name a file that kdscope-cli build --tree-out wrote");
  rows.dim = static_cast<std::uint32_t>(dim);
  const std::size_t ids = id_columns(rows.references), width = 4 * (ids + dim), there = bytes.size() - array.begin;
  if (there % width != 0 || there / width != n)
    refuse("the header promises " + std::to_string(n) + " rows of " + std::to_string(width) + " bytes, " + std::to_string(there) + " bytes follow",
           npy_place(path, array.begin));
  rows.ids.resize(n * ids);
  rows.words.resize(n * dim);
  const auto place = [&](std::size_t row, std::size_t column) { return npy_place(path, array.begin + row * width + 4 * column); };
  for (std::size_t i = 0; i < n; ++i) {
    const char* row = bytes.data() + array.begin + i * width;
    std::memcpy(&rows.ids[i * ids], row, 4 * ids);
    std::memcpy(&rows.words[i * dim], row + 4 * ids, 4 * dim);
    for (std::size_t d = 0; d < dim; ++d)
      if (!std::isfinite(scalar_value(rows.words[i * dim + d], rows.type))) refuse("a coordinate is infinite or not a number", place(i, ids + d));
  }
  return tree_of(rows, place);
}

}  // namespace kdscope::cli
