#include "algorithms/trees/median_stores/file.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "algorithms/trees/median_stores/layout.hpp"
#include "algorithms/trees/tree_table.hpp"

namespace kdscope::tree_files {
namespace {

/// Number of values before the coordinates: node and original index, and the two references if the tree has them.
constexpr std::size_t index_values(bool references) { return references ? 4 : 2; }

/// Returns the dimension of the points in a table.
std::uint32_t dimension_in(const TreeTable& rows, bool references) {
  return static_cast<std::uint32_t>(rows.width() - index_values(references));
}

TreeTable table(bool references, std::uint32_t dim) {
  TreeTable empty{"", {optional_column("node", "node"), index_column("original_index", "index of a point")}, {}, {}};
  if (references)
    for (const char* name : {"less_than", "greater_than"})
      empty.columns.push_back(optional_column(name, "index of a point"));
  empty.columns.push_back(coordinates_column(dim));
  return empty;
}

TreeTable table_of(const MedianStoreTree& tree) {
  const bool references = !tree.less.empty();
  TreeTable rows = table(references, tree.points->dim);
  const auto add = [&](std::uint32_t node, std::uint32_t point) {
    rows.words.insert(rows.words.end(), {node, point});
    if (references) rows.words.insert(rows.words.end(), {tree.less[point], tree.greater[point]});
    for (std::uint32_t d = 0; d < tree.points->dim; ++d) rows.words.push_back(tree.points->word(point, d));
  };
  for (std::uint32_t node = 0; node < tree.size(); ++node)
    if (tree.stores[node].value != no_id) add(node, tree.stores[node].value);
  for (const PointId point : tree.removed) add(no_id, point.value);
  return rows;
}

MedianStoreTree tree_of(const TreeTable& rows, bool references, ScalarType type, std::uint32_t dim) {
  const std::size_t n = rows.rows();
  std::uint32_t kept = 0;
  for (std::size_t i = 0; i < n; ++i) kept += rows.at(i)[0] != no_id;
  auto points = std::make_shared<PointSet>(PointSet{type, dim, 0, std::vector<std::uint32_t>(n * dim)});
  MedianStoreTree tree{points, std::vector<PointId>(store_slots(kept), PointId{no_id}), {}, {}, {}};
  if (references) tree.less.assign(n, no_id), tree.greater.assign(n, no_id);
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint32_t *row = rows.at(i), node = row[0], point = row[1], *before = i > 0 ? rows.at(i - 1) : nullptr;
    if (point >= n)
      refuse("there is no point " + std::to_string(point) + " among " + std::to_string(n), rows.place(i, 1));
    if (node != no_id) {
      if (node >= tree.size())
        refuse("there is no node " + std::to_string(node) + " in a tree of " + std::to_string(kept) + " nodes",
               rows.place(i, 0));
      if (before && before[0] == no_id)
        refuse("node " + std::to_string(node) + " follows a point that is none", rows.place(i, 0),
               "points without a node come last");
      if (before && node <= before[0])
        refuse("node " + std::to_string(node) + " follows node " + std::to_string(before[0]), rows.place(i, 0),
               "nodes ascend");
      tree.stores[node] = {point};
    } else {
      if (before && before[0] == no_id && point <= before[1])
        refuse("point " + std::to_string(point) + " follows point " + std::to_string(before[1]), rows.place(i, 1),
               "points without a node ascend");
      tree.removed.push_back({point});
    }
    if (references) tree.less[point] = row[2], tree.greater[point] = row[3];
    std::copy_n(row + index_values(references), dim, &points->words[std::size_t(point) * dim]);
  }
  return tree;
}

/// Reads the table of a file, and whether it has references.
TreeTable table_in(const NpyArray& array, std::string_view bytes, const std::string& path, bool& references) {
  references = array.header.find("'less_than'") != array.header.npos;
  const ScalarType type = type_of(array);
  const std::uint64_t dim = array.number_after("4', ("), n = array.number_after("'shape': (");
  // Accept only headers that write_npy() writes.
  if (dim == 0 || dim > 512 || array.header != npy_header(table(references, static_cast<std::uint32_t>(dim)), n, type))
    refuse("the array is no tree", npy_place(path, 10), "name a file that kdscope-cli build --tree-out wrote");
  TreeTable rows = table(references, static_cast<std::uint32_t>(dim));
  read_npy({bytes, path}, array, n, type, true, rows);
  return rows;
}

}  // namespace

void write_median_store_csv(const MedianStoreTree& tree, std::ostream& out) {
  write_csv(table_of(tree), tree.points->type, out);
}
void write_median_store_npy(const MedianStoreTree& tree, std::ostream& out) {
  write_npy(table_of(tree), tree.points->type, out);
}

bool is_median_store_tree(const CsvRows& rows) {
  const auto& fields = rows.fields();
  return fields.size() > 2 && fields[0] == "node" && fields[1] == "original_index" &&
         (fields[2] == "less_than" || fields[2] == column_name(0));
}
bool is_median_store_tree(const NpyArray& array) {
  return array.header.find("'node'") != array.header.npos &&
         array.header.find("'split_dimension'") == array.header.npos;
}

MedianStoreTree read_median_store_csv(CsvRows& lines) {
  const bool references = lines.fields()[2] == "less_than";
  const std::uint32_t dim = dimension_of(lines, index_values(references), 1);
  TreeTable rows = table(references, dim);
  expect_names(lines, rows, "a tree of median stores, less_than and greater_than only where there are references",
               table(true, 1));
  std::vector<double> coordinates;
  read_csv(lines, rows, coordinates);
  fill_coordinates(lines, coordinates, {&rows});
  return tree_of(rows, references, lines.type(), dim);
}

MedianStoreTree read_median_store_npy(const NpyArray& array, std::string_view bytes, const std::string& path) {
  bool references = false;
  const TreeTable rows = table_in(array, bytes, path, references);
  return tree_of(rows, references, type_of(array), dimension_in(rows, references));
}

void write_median_store_share(const NodeRows& rows, std::ostream& out) {
  TreeTable share = table(false, rows.points.dim);
  for (std::size_t row = 0; row < rows.node.size(); ++row) {
    share.words.insert(share.words.end(), {rows.node[row], rows.original_index[row].value});
    for (std::uint32_t d = 0; d < rows.points.dim; ++d) share.words.push_back(rows.points.word(row, d));
  }
  write_npy(share, rows.points.type, out);
}

MedianStoreTree joined_median_stores(const std::vector<std::string>& paths,
                                     const std::function<std::string(const std::string& path)>& bytes_of) {
  TreeTable all;
  ScalarType type = ScalarType::float32;
  std::vector<std::size_t> first_row;  // of each share
  for (const std::string& path : paths) {
    const std::string bytes = bytes_of(path);
    const NpyArray array = npy_array_at(bytes, 0, path);
    bool references = false;
    TreeTable rows = table_in(array, bytes, path, references);
    if (references) refuse("a share has no references", npy_place(path, 10), "name the shares of one build");
    if (first_row.empty()) {
      type = type_of(array);
      all.columns = rows.columns;
    } else if (rows.width() != all.width() || type_of(array) != type) {
      refuse("its coordinates are not those of share 0", path, "name the shares of one build");
    }
    first_row.push_back(all.rows());
    all.words.insert(all.words.end(), rows.words.begin(), rows.words.end());
  }
  // The rows of one file: nodes ascend, points without a node follow
  std::vector<std::size_t> order(all.rows());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t row) { return std::pair(all.at(row)[0], all.at(row)[1]); });
  TreeTable sorted{"", all.columns, {}, {}};
  sorted.words.reserve(all.words.size());
  for (const std::size_t row : order) sorted.words.insert(sorted.words.end(), all.at(row), all.at(row) + all.width());
  sorted.place = [&](std::size_t row, std::size_t) {
    return paths[static_cast<std::size_t>(std::ranges::upper_bound(first_row, order[row]) - first_row.begin()) - 1];
  };
  return tree_of(sorted, false, type, dimension_in(sorted, false));
}

}  // namespace kdscope::tree_files
