#include "app/cli/bucket_tree_file.hpp"

#include <cmath>
#include <cstring>

namespace kdscope::cli {
namespace {

constexpr std::size_t node_columns = 7;  // in front of the box

std::string scalar_descr(ScalarType type) { return type == ScalarType::float32 ? "<f4" : "<i4"; }

std::string nodes_header(std::size_t m, std::uint32_t dim, ScalarType type, const std::string& child) {
  return "{'descr': [('parent', '<u4'), ('" + child + "', '<u4'), ('split_dimension', '<u4'), ('split_value', '" +
         scalar_descr(type) + "'), ('first', '<u4'), ('count', '<u4'), ('box', '" + scalar_descr(type) + "', (2, " +
         std::to_string(dim) + "))], 'fortran_order': False, 'shape': (" + std::to_string(m) + ",), }";
}

std::string points_header(std::size_t n, std::uint32_t dim, ScalarType type) {
  return "{'descr': [('original_index', '<u4'), ('coordinates', '" + scalar_descr(type) + "', (" + std::to_string(dim) +
         ",))], 'fortran_order': False, 'shape': (" + std::to_string(n) + ",), }";
}

std::string node_names(std::uint32_t dim, const std::string& child) {
  std::string names = "node,parent," + child + ",split_dimension,split_value,first,count";
  for (const char* end : {"_min", "_max"})
    for (std::uint32_t d = 0; d < dim; ++d) names += "," + column_name(d) + end;
  return names;
}

std::string point_names(std::uint32_t dim) {
  std::string names = "position,original_index";
  for (std::uint32_t d = 0; d < dim; ++d) names += "," + column_name(d);
  return names;
}

/// The fields of a line as they stood in it.
std::string line_of(const CsvRows& rows) {
  std::string line;
  for (const std::string_view field : rows.fields()) line += (line.empty() ? "" : ",") + std::string(field);
  return line;
}

/// A row's own number in front must be that of the row.
void expect_number(const CsvRows& rows, std::uint64_t number, const char* what) {
  if (rows.number<std::uint32_t>(0, what) != number)
    refuse(std::string(what) + " " + std::string(rows.fields()[0]) + " stands where " + what + " " +
               std::to_string(number) + " belongs",
           rows.place(0), "rows ascend by one, from 0");
}

/// Puts the points, read in the order of positions, at their original indices; place(position) names one.
template <class Place>
void place_points(BucketTree& tree, ScalarType type, std::uint32_t dim, const std::vector<std::uint32_t>& words,
                  Place place) {
  const std::size_t n = tree.point_of_position.size();
  auto points = std::make_shared<PointSet>(PointSet{type, dim, 0, std::vector<std::uint32_t>(n * dim)});
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t point = tree.point_of_position[i].value;
    if (point >= n) refuse("there is no point " + std::to_string(point) + " among " + std::to_string(n), place(i));
    std::memcpy(&points->words[point * dim], &words[i * dim], 4 * dim);
  }
  tree.points = std::move(points);
}

}  // namespace

void write_bucket_csv(const BucketTree& tree, std::ostream& out, const std::string& child) {
  const PointSet& points = *tree.points;
  const std::uint32_t dim = points.dim;
  const auto id = [&](std::uint32_t value) {
    out << ',';
    if (value != no_id) out << value;
  };
  const auto coordinate = [&](std::uint32_t word) { put_coordinate(out << ',', word, points.type); };
  out << node_names(dim, child) << '\n';
  for (std::uint32_t i = 0; i < tree.size(); ++i) {
    out << i;
    for (const std::uint32_t value : {tree.parent[i], tree.left_child[i], tree.split_dim[i]}) id(value);
    if (tree.is_leaf(i))
      out << ',';
    else
      coordinate(tree.split_value[i]);
    for (const std::uint32_t value : {tree.first[i], tree.count[i]}) id(value);
    for (std::size_t side = 0; side < 2 * std::size_t(dim); ++side)
      coordinate(tree.box[i * 2 * std::size_t(dim) + side]);
    out << '\n';
  }
  out << '\n' << point_names(dim) << '\n';
  for (std::size_t i = 0; i < tree.point_of_position.size(); ++i) {
    out << i << ',' << tree.point_of_position[i].value;
    for (std::uint32_t d = 0; d < dim; ++d) coordinate(points.word(tree.point_of_position[i].value, d));
    out << '\n';
  }
}

void write_bucket_npy(const BucketTree& tree, std::ostream& out, const std::string& child) {
  const PointSet& points = *tree.points;
  const std::uint32_t dim = points.dim;
  const auto put = [&](const std::uint32_t* words, std::size_t count) {
    out.write(reinterpret_cast<const char*>(words), std::streamsize(4 * count));
  };
  write_npy_header(out, nodes_header(tree.size(), dim, points.type, child));
  for (std::uint32_t i = 0; i < tree.size(); ++i) {
    for (const auto* column :
         {&tree.parent, &tree.left_child, &tree.split_dim, &tree.split_value, &tree.first, &tree.count})
      put(&(*column)[i], 1);
    put(&tree.box[i * 2 * std::size_t(dim)], 2 * std::size_t(dim));
  }
  write_npy_header(out, points_header(tree.point_of_position.size(), dim, points.type));
  for (const PointId point : tree.point_of_position) {
    put(&point.value, 1);
    put(&points.words[point.value * std::size_t(points.stride())], dim);
  }
}

bool is_bucket_tree(const CsvRows& rows) {
  return rows.fields().size() > 1 && rows.fields()[0] == "node" && rows.fields()[1] == "parent";
}
bool is_bucket_tree(const NpyArray& first) { return first.header.find("'parent'") != first.header.npos; }
bool is_pre_order(const CsvRows& rows) { return rows.fields().size() > 2 && rows.fields()[2] == "right_child"; }
bool is_pre_order(const NpyArray& first) { return first.header.find("'right_child'") != first.header.npos; }

BucketTree read_bucket_csv(CsvRows& rows) {
  const std::size_t columns = rows.fields().size();
  const std::uint32_t dim = columns > node_columns ? static_cast<std::uint32_t>((columns - node_columns) / 2) : 0;
  const std::string child = is_pre_order(rows) ? "right_child" : "left_child";
  if (dim == 0 || dim > 512 || line_of(rows) != node_names(dim, child))
    refuse("the first row is not that of a tree with leaf buckets", rows.place(0),
           "its columns are " + node_names(1, child) + " for points of one dimension");
  const auto expect_columns = [&](std::size_t wanted) {
    if (rows.fields().size() != wanted)
      refuse("the row has " + std::to_string(rows.fields().size()) + " values, the row of names has " +
                 std::to_string(wanted),
             rows.place(0));
  };
  BucketTree tree;
  std::vector<double> split_value, box, coordinates;
  const auto id = [&](std::size_t column) {
    return rows.fields()[column].empty() ? no_id : rows.number<std::uint32_t>(column, "number");
  };
  for (std::uint32_t node = 0;; ++node) {
    if (rows.at_end())
      refuse("the table of points is missing", rows.place(0), "it follows the nodes after an empty line");
    rows.next();
    if (rows.fields().size() == 1 && rows.fields()[0].empty()) break;
    expect_columns(columns);
    expect_number(rows, node, "node");
    tree.parent.push_back(id(1));
    tree.left_child.push_back(id(2));
    tree.split_dim.push_back(id(3));
    split_value.push_back(rows.fields()[4].empty() ? 0 : rows.coordinate(4));
    tree.first.push_back(rows.number<std::uint32_t>(5, "number"));
    tree.count.push_back(rows.number<std::uint32_t>(6, "number"));
    for (std::size_t c = node_columns; c < columns; ++c) box.push_back(rows.coordinate(c));
  }
  rows.next();
  if (line_of(rows) != point_names(dim))
    refuse("the table of points does not begin here", rows.place(0),
           "its columns are " + point_names(1) + " for points of one dimension");
  const std::size_t first_line = rows.line() + 1;
  while (!rows.at_end()) {
    rows.next();
    expect_columns(2 + dim);
    expect_number(rows, tree.point_of_position.size(), "position");
    tree.point_of_position.push_back({rows.number<std::uint32_t>(1, "index of a point")});
    for (std::size_t c = 2; c < 2 + dim; ++c) coordinates.push_back(rows.coordinate(c));
  }
  tree.split_value = rows.words(split_value);
  tree.box = rows.words(box);
  place_points(tree, rows.type(), dim, rows.words(coordinates),
               [&](std::size_t position) { return rows.place(first_line + position, 1); });
  return tree;
}

BucketTree read_bucket_npy(const NpyArray& nodes, std::string_view bytes, const std::string& path) {
  const ScalarType type = nodes.header.find("'<i4'") != nodes.header.npos ? ScalarType::int32 : ScalarType::float32;
  const std::uint64_t dim = nodes.number_after("4', (2, "), m = nodes.number_after("'shape': (");
  const auto k = static_cast<std::uint32_t>(dim);
  // The only headers that are read are those that are written.
  if (dim == 0 || dim > 512 || nodes.header != nodes_header(m, k, type, is_pre_order(nodes) ? "right_child" : "left_child"))
    refuse("the array is no list of nodes", npy_place(path, 10), "name a file that kdscope-cli build --tree-out wrote");
  const auto expect_rows = [&](std::uint64_t rows, std::uint64_t width, std::size_t begin) {
    if ((bytes.size() - begin) / width < rows)
      refuse("the header promises " + std::to_string(rows) + " rows of " + std::to_string(width) + " bytes, " +
                 std::to_string(bytes.size() - begin) + " bytes follow",
             npy_place(path, begin));
  };
  const std::uint64_t node_width = 4 * (6 + 2 * dim), point_width = 4 * (1 + dim);
  expect_rows(m, node_width, nodes.begin);
  const NpyArray points = npy_array_at(bytes, nodes.begin + m * node_width, path);
  const std::uint64_t n = points.number_after("'shape': (");
  if (points.header != points_header(n, k, type))
    refuse("the second array is no list of points of " + std::to_string(dim) + " dimensions",
           npy_place(path, nodes.begin + m * node_width));
  expect_rows(n, point_width, points.begin);
  if (bytes.size() != points.begin + n * point_width)
    refuse("more bytes follow the points", npy_place(path, points.begin + n * point_width));

  const auto words_at = [&](std::size_t byte, std::uint32_t* to, std::size_t count, bool coordinates) {
    if (count > 0) std::memcpy(to, bytes.data() + byte, 4 * count);
    for (std::size_t i = 0; i < count && coordinates; ++i)
      if (!std::isfinite(scalar_value(to[i], type)))
        refuse("a coordinate is infinite or not a number", npy_place(path, byte + 4 * i));
  };
  BucketTree tree;
  for (auto* column : {&tree.parent, &tree.left_child, &tree.split_dim, &tree.split_value, &tree.first, &tree.count})
    column->resize(m);
  tree.box.resize(m * 2 * dim);
  for (std::size_t i = 0; i < m; ++i) {
    std::size_t at = nodes.begin + i * node_width;
    for (auto* column :
         {&tree.parent, &tree.left_child, &tree.split_dim, &tree.split_value, &tree.first, &tree.count}) {
      words_at(at, &(*column)[i], 1, column == &tree.split_value);
      at += 4;
    }
    words_at(at, &tree.box[i * 2 * dim], 2 * dim, true);
  }
  std::vector<std::uint32_t> coordinates(n * dim);
  tree.point_of_position.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t at = points.begin + i * point_width;
    words_at(at, &tree.point_of_position[i].value, 1, false);
    words_at(at + 4, &coordinates[i * dim], dim, true);
  }
  place_points(tree, type, k, coordinates,
               [&](std::size_t position) { return npy_place(path, points.begin + position * point_width); });
  return tree;
}

}  // namespace kdscope::cli
