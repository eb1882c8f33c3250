#include "algorithms/trees/leaf_buckets/file.hpp"

#include <algorithm>

#include "algorithms/trees/tree_table.hpp"

namespace kdscope::tree_files {
namespace {

constexpr std::size_t node_values = 6;  // before the box

TreeTable node_table(std::uint32_t dim) {
  return {"node",
          {optional_column("parent"), optional_column("left_child"), optional_column("split_dimension"),
           split_value_column(2), index_column("first"), index_column("count"), box_column(dim)},
          {},
          {}};
}
TreeTable point_table(std::uint32_t dim) {
  return {"position", {index_column("original_index"), coordinates_column(dim)}, {}, {}};
}

TreeTable nodes_of(const BucketTree& tree) {
  TreeTable table = node_table(tree.points->dim);
  const std::size_t sides = 2 * std::size_t(tree.points->dim);
  for (std::uint32_t i = 0; i < tree.size(); ++i) {
    table.words.insert(table.words.end(), {tree.parent[i], tree.left_child[i], tree.split_dim[i], tree.split_value[i],
                                           tree.first[i], tree.count[i]});
    table.words.insert(table.words.end(), &tree.box[i * sides], &tree.box[i * sides] + sides);
  }
  return table;
}

TreeTable points_of(const BucketTree& tree) {
  TreeTable table = point_table(tree.points->dim);
  for (const PointId point : tree.point_of_position) {
    table.words.push_back(point.value);
    for (std::uint32_t d = 0; d < tree.points->dim; ++d) table.words.push_back(tree.points->word(point.value, d));
  }
  return table;
}

BucketTree tree_of(const TreeTable& nodes, const TreeTable& positions, ScalarType type, std::uint32_t dim) {
  BucketTree tree;
  for (std::size_t i = 0; i < nodes.rows(); ++i) {
    const std::uint32_t* const row = nodes.at(i);
    std::size_t value = 0;
    for (auto* column : {&tree.parent, &tree.left_child, &tree.split_dim, &tree.split_value, &tree.first, &tree.count})
      column->push_back(row[value++]);
    tree.box.insert(tree.box.end(), row + node_values, row + nodes.width());
  }
  const std::size_t n = positions.rows();
  auto points = std::make_shared<PointSet>(PointSet{type, dim, 0, std::vector<std::uint32_t>(n * dim)});
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint32_t* const row = positions.at(i);
    if (row[0] >= n)
      refuse("there is no point " + std::to_string(row[0]) + " among " + std::to_string(n), positions.place(i, 0));
    tree.point_of_position.push_back({row[0]});
    std::copy_n(row + 1, dim, &points->words[std::size_t(row[0]) * dim]);
  }
  tree.points = std::move(points);
  return tree;
}

}  // namespace

void write_bucket_csv(const BucketTree& tree, std::ostream& out) {
  write_csv(nodes_of(tree), tree.points->type, out);
  out << '\n';
  write_csv(points_of(tree), tree.points->type, out);
}

void write_bucket_npy(const BucketTree& tree, std::ostream& out) {
  write_npy(nodes_of(tree), tree.points->type, out);
  write_npy(points_of(tree), tree.points->type, out);
}

bool is_bucket_tree(const CsvRows& rows) {
  return rows.fields().size() > 2 && rows.fields()[0] == "node" && rows.fields()[2] == "left_child";
}
bool is_bucket_tree(const NpyArray& first) { return first.header.find("'left_child'") != first.header.npos; }

BucketTree read_bucket_csv(CsvRows& rows) {
  const std::uint32_t dim = dimension_of(rows, node_values + 1, 2);
  TreeTable nodes = node_table(dim), points = point_table(dim);
  expect_names(rows, nodes, "a tree with leaf buckets", node_table(1));
  std::vector<double> coordinates;
  if (!read_csv(rows, nodes, coordinates) || rows.at_end())
    refuse("the table of points is missing", rows.place(0), "it follows the nodes after an empty line");
  rows.next();
  if (line_of(rows) != csv_names(points))
    refuse("the table of points does not begin here", rows.place(0),
           "its columns are " + csv_names(point_table(1)) + " for points of one dimension");
  read_csv(rows, points, coordinates);
  fill_coordinates(rows, coordinates, {&nodes, &points});
  return tree_of(nodes, points, rows.type(), dim);
}

BucketTree read_bucket_npy(const NpyArray& array, std::string_view bytes, const std::string& path) {
  const ScalarType type = type_of(array);
  const std::uint64_t dim = array.number_after("4', (2, "), m = array.number_after("'shape': (");
  const auto k = static_cast<std::uint32_t>(dim);
  // Accept only headers that write_npy() writes.
  if (dim == 0 || dim > 512 || array.header != npy_header(node_table(k), m, type))
    refuse("the array is no list of nodes", npy_place(path, 10), "name a file that kdscope-cli build --tree-out wrote");
  TreeTable nodes = node_table(k), points = point_table(k);
  const std::size_t second = read_npy({bytes, path}, array, m, type, false, nodes);
  const NpyArray positions = npy_array_at(bytes, second, path);
  const std::uint64_t n = positions.number_after("'shape': (");
  if (positions.header != npy_header(points, n, type))
    refuse("the second array is no list of points of " + std::to_string(dim) + " dimensions", npy_place(path, second));
  read_npy({bytes, path}, positions, n, type, true, points);
  return tree_of(nodes, points, type, k);
}

}  // namespace kdscope::tree_files
