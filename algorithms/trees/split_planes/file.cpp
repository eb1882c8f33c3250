#include "algorithms/trees/split_planes/file.hpp"

#include "algorithms/trees/tree_table.hpp"

namespace kdscope::tree_files {
namespace {

constexpr std::size_t node_values = 7;  // before the box

/// All tables of a file. A tree over points has no triangles.
struct Tables {
  std::uint32_t dim;
  Primitive primitive;
  TreeTable nodes, positions, points, triangles;

  Tables(std::uint32_t k, Primitive what) : dim(k), primitive(what) {
    nodes = {"node",
             {optional_column("parent"), optional_column("right_child"), optional_column("split_dimension"),
              split_value_column(2), index_column("first"), index_column("count"), optional_column("bounded_leaves"),
              box_column(k)},
             {},
             {}};
    positions = {"position", {index_column(what == Primitive::point ? "point" : "triangle")}, {}, {}};
    points = {"point", {coordinates_column(k)}, {}, {}};
    triangles = {"triangle", {index_column("a"), index_column("b"), index_column("c")}, {}, {}};
  }
  std::vector<TreeTable*> in_order() {
    std::vector<TreeTable*> tables{&nodes, &positions, &points};
    if (primitive == Primitive::triangle) tables.push_back(&triangles);
    return tables;
  }
};

Tables tables_of(const SplitPlaneTree& tree) {
  const PointSet& points = tree.data->points;
  Tables tables(points.dim, tree.primitive);
  const std::size_t sides = 2 * std::size_t(points.dim);
  for (std::uint32_t i = 0; i < tree.size(); ++i) {
    const std::uint32_t bounded = i == 0 ? tree.depth_bounded : no_id;
    tables.nodes.words.insert(tables.nodes.words.end(), {tree.parent[i], tree.right_child[i], tree.split_dim[i],
                                                         tree.split_value[i], tree.first[i], tree.count[i], bounded});
    tables.nodes.words.insert(tables.nodes.words.end(), &tree.box[i * sides], &tree.box[i * sides] + sides);
  }
  tables.positions.words = tree.primitive_of_position;
  for (std::size_t i = 0; i < points.size(); ++i)
    for (std::uint32_t d = 0; d < points.dim; ++d) tables.points.words.push_back(points.word(i, d));
  tables.triangles.words = tree.data->triangles;
  return tables;
}

SplitPlaneTree tree_of(Tables tables, ScalarType type) {
  SplitPlaneTree tree;
  tree.primitive = tables.primitive;
  const TreeTable& nodes = tables.nodes;
  for (std::size_t i = 0; i < nodes.rows(); ++i) {
    const std::uint32_t* const row = nodes.at(i);
    std::size_t value = 0;
    for (auto* column : {&tree.parent, &tree.right_child, &tree.split_dim, &tree.split_value, &tree.first, &tree.count})
      column->push_back(row[value++]);
    tree.box.insert(tree.box.end(), row + node_values, row + nodes.width());
  }
  if (nodes.rows() > 0 && nodes.at(0)[6] != no_id) tree.depth_bounded = nodes.at(0)[6];
  const std::size_t points = tables.points.rows(),
                    primitives = tables.primitive == Primitive::point ? points : tables.triangles.rows();
  const auto expect_below = [](const TreeTable& table, std::size_t limit, const char* what) {
    for (std::size_t i = 0; i < table.words.size(); ++i)
      if (table.words[i] >= limit)
        refuse("there is no " + std::string(what) + " " + std::to_string(table.words[i]) + " among " +
                   std::to_string(limit),
               table.place(i / table.width(), i % table.width()));
  };
  expect_below(tables.triangles, points, "point");
  expect_below(tables.positions, primitives, tables.positions.columns[0].name.c_str());
  auto data = std::make_shared<DataSet>();
  data->points = {type, tables.dim, 0, std::move(tables.points.words)};
  data->triangles = std::move(tables.triangles.words);
  tree.data = std::move(data);
  tree.primitive_of_position = std::move(tables.positions.words);
  return tree;
}

}  // namespace

void write_split_plane_csv(const SplitPlaneTree& tree, std::ostream& out) {
  Tables tables = tables_of(tree);
  for (const TreeTable* table : tables.in_order()) {
    if (table != &tables.nodes) out << '\n';
    write_csv(*table, tree.data->points.type, out);
  }
}

void write_split_plane_npy(const SplitPlaneTree& tree, std::ostream& out) {
  Tables tables = tables_of(tree);
  for (const TreeTable* table : tables.in_order()) write_npy(*table, tree.data->points.type, out);
}

bool is_split_plane_tree(const CsvRows& rows) {
  return rows.fields().size() > 2 && rows.fields()[0] == "node" && rows.fields()[2] == "right_child";
}
bool is_split_plane_tree(const NpyArray& first) { return first.header.find("'right_child'") != first.header.npos; }

SplitPlaneTree read_split_plane_csv(CsvRows& rows) {
  const std::uint32_t dim = dimension_of(rows, node_values + 1, 2);
  Tables tables(dim, Primitive::triangle);
  expect_names(rows, tables.nodes, "a tree of split planes", Tables(1, Primitive::triangle).nodes);
  std::vector<double> coordinates;
  bool more = read_csv(rows, tables.nodes, coordinates);
  for (TreeTable* table : {&tables.positions, &tables.points, &tables.triangles}) {
    if (table == &tables.triangles && tables.primitive == Primitive::point) break;
    if (!more || rows.at_end())
      refuse("the table of " + table->row + "s is missing", rows.place(0),
             "tables follow one another after an empty line");
    rows.next();
    // The header of the positions shows whether the tree is over points or triangles.
    if (table == &tables.positions && line_of(rows) == csv_names(Tables(dim, Primitive::point).positions)) {
      tables.primitive = Primitive::point;
      tables.positions = Tables(dim, Primitive::point).positions;
    }
    if (line_of(rows) != csv_names(*table))
      refuse("the table of " + table->row + "s does not begin here", rows.place(0),
             "its columns are " + csv_names(*table));
    more = read_csv(rows, *table, coordinates);
  }
  if (more) refuse("more rows follow the tables", rows.place(0));
  fill_coordinates(rows, coordinates, {&tables.nodes, &tables.points});
  const ScalarType type = rows.type();
  return tree_of(std::move(tables), type);
}

SplitPlaneTree read_split_plane_npy(const NpyArray& nodes, std::string_view bytes, const std::string& path) {
  const ScalarType type = type_of(nodes);
  const std::uint64_t dim = nodes.number_after("4', (2, ");
  if (dim == 0 || dim > 512)
    refuse("the array is no list of nodes", npy_place(path, 10), "name a file that kdscope-cli build --tree-out wrote");
  const auto k = static_cast<std::uint32_t>(dim);
  Tables tables(k, Primitive::triangle);
  NpyArray array = nodes;
  std::size_t begin = 0;
  for (TreeTable* table : {&tables.nodes, &tables.positions, &tables.points, &tables.triangles}) {
    if (table == &tables.triangles && tables.primitive == Primitive::point) break;
    if (table != &tables.nodes) array = npy_array_at(bytes, begin, path);
    const std::uint64_t n = array.number_after("'shape': (");
    if (table == &tables.positions && array.header == npy_header(Tables(k, Primitive::point).positions, n, type))
      tables = [&] {
        Tables over_points(k, Primitive::point);
        over_points.nodes = std::move(tables.nodes);
        return over_points;
      }();
    // Accept only headers that write_npy() writes.
    if (array.header != npy_header(*table, n, type))
      refuse("the array is no table of " + table->row + "s", npy_place(path, begin),
             "name a file that kdscope-cli build --tree-out wrote");
    begin = read_npy({bytes, path}, array, n, type, table == tables.in_order().back(), *table);
  }
  return tree_of(std::move(tables), type);
}

}  // namespace kdscope::tree_files
