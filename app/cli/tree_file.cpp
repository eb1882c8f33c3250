#include "app/cli/tree_file.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <streambuf>

#include "algorithms/core/available_memory.hpp"
#include "algorithms/core/chunks.hpp"
#include "algorithms/core/input_file.hpp"
#include "algorithms/core/printable_text.hpp"
#include "algorithms/core/replaced_file.hpp"
#include "app/cli/bucket_tree_file.hpp"
#include "app/cli/median_store_file.hpp"
#include "app/cli/split_plane_file.hpp"

namespace kdscope::cli {
namespace {

/// The rows of a file, in tree order.
struct Rows {
  bool with_nodes = false;                ///< of a LevelOrderTree
  std::vector<std::uint32_t> node;        ///< [rows] ascending; empty without nodes
  std::vector<PointId> original_index;    ///< [rows]
  std::vector<std::uint8_t> split_dim;    ///< [rows]
  PointSet points;                        ///< [rows]
};

Rows rows_of(const LeftBalancedTree& tree) { return {false, {}, tree.point_of_node, tree.split_dim, tree.points}; }

Rows rows_of(const LevelOrderTree& tree) {
  Rows rows{true, {}, {}, {}, {tree.points->type, tree.points->dim, 0, {}}};
  for (std::uint32_t node = 0; node < tree.size(); ++node) {
    const PointId point = tree.point_of_node[node];
    if (point.value == no_id) continue;
    rows.node.push_back(node);
    rows.original_index.push_back(point);
    rows.split_dim.push_back(tree.split_dim[node]);
    for (std::uint32_t d = 0; d < rows.points.dim; ++d) rows.points.words.push_back(tree.points->word(point.value, d));
  }
  return rows;
}

/// The tree that rows are of; place(row, column) names a cell of the file.
template <class Place>
Tree tree_of(Rows rows, Place place) {
  if (!rows.with_nodes)
    return LeftBalancedTree{std::move(rows.points), std::move(rows.original_index), std::move(rows.split_dim)};
  const std::size_t n = rows.node.size();
  const std::uint32_t slots = median_tree_slots(static_cast<std::uint32_t>(n)), dim = rows.points.dim;
  auto points = std::make_shared<PointSet>(PointSet{rows.points.type, dim, 0, std::vector<std::uint32_t>(n * dim)});
  LevelOrderTree tree{points, std::vector<PointId>(slots, PointId{no_id}), std::vector<std::uint8_t>(slots)};
  for (std::uint32_t slot = 0; slot < slots; ++slot)
    tree.split_dim[slot] = static_cast<std::uint8_t>(static_cast<std::uint32_t>(level_of(NodeId{slot})) % dim);
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint32_t node = rows.node[i], point = rows.original_index[i].value;
    if (node >= slots)
      refuse("there is no node " + std::to_string(node) + " in a tree of " + std::to_string(n) + " points", place(i, 0));
    if (i > 0 && node <= rows.node[i - 1])
      refuse("node " + std::to_string(node) + " follows node " + std::to_string(rows.node[i - 1]), place(i, 0), "nodes ascend");
    if (point >= n)
      refuse("there is no point " + std::to_string(point) + " among " + std::to_string(n), place(i, 1));
    tree.point_of_node[node] = {point};
    tree.split_dim[node] = rows.split_dim[i];
    std::copy_n(rows.points.words.begin() + static_cast<std::ptrdiff_t>(i * dim), dim,
                points->words.begin() + static_cast<std::ptrdiff_t>(std::size_t(point) * dim));
  }
  return tree;
}

std::string npy_header(bool with_nodes, std::size_t n, std::uint32_t dim, ScalarType type) {
  return "{'descr': [" + std::string(with_nodes ? "('node', '<u4'), " : "") +
         "('original_index', '<u4'), ('split_dimension', '|u1'), ('coordinates', '" +
         std::string(type == ScalarType::float32 ? "<f4" : "<i4") + "', (" + std::to_string(dim) +
         ",))], 'fortran_order': False, 'shape': (" + std::to_string(n) + ",), }";
}

void write_npy(const Rows& rows, std::ostream& out) {
  const std::size_t n = rows.original_index.size();
  write_npy_header(out, npy_header(rows.with_nodes, n, rows.points.dim, rows.points.type));
  for (std::size_t i = 0; i < n; ++i) {
    if (rows.with_nodes) out.write(reinterpret_cast<const char*>(&rows.node[i]), 4);
    out.write(reinterpret_cast<const char*>(&rows.original_index[i].value), 4);
    out.put(static_cast<char>(rows.split_dim[i]));
    out.write(reinterpret_cast<const char*>(&rows.points.words[i * rows.points.stride()]), 4 * rows.points.dim);
  }
}

void write_csv(const Rows& rows, std::ostream& out) {
  out << (rows.with_nodes ? "node," : "") << "original_index,split_dimension";
  for (std::uint32_t d = 0; d < rows.points.dim; ++d) out << ',' << column_name(d);
  out << '\n';
  for (std::size_t i = 0; i < rows.original_index.size(); ++i) {
    if (rows.with_nodes) out << rows.node[i] << ',';
    out << rows.original_index[i].value << ',' << unsigned{rows.split_dim[i]};
    for (std::uint32_t d = 0; d < rows.points.dim; ++d) {
      out << ',';
      put_coordinate(out, rows.points.word(i, d), rows.points.type);
    }
    out << '\n';
  }
}

Tree read_csv(std::string_view text, const std::string& path) {
  CsvRows lines(text, path);
  lines.next();
  if (is_bucket_tree(lines)) return read_bucket_csv(lines);
  if (is_median_store_tree(lines)) return read_median_store_csv(lines);
  if (is_split_plane_tree(lines)) return read_split_plane_csv(lines);
  Rows rows;
  rows.with_nodes = lines.fields()[0] == "node";
  const std::size_t first = rows.with_nodes ? 1 : 0;  // column of the original index
  const std::size_t columns = lines.fields().size();
  if (columns < first + 3 || lines.fields()[first] != "original_index" || lines.fields()[first + 1] != "split_dimension")
    refuse("the first row is not that of a tree file", lines.place(0),
           "its columns are original_index, split_dimension and the coordinates, a column node in front where slots may "
           "be empty, as kdscope-cli build --tree-out writes them");
  const std::size_t dim = columns - first - 2;
  if (dim > 512) refuse(std::to_string(dim) + " coordinates, 1 to 512 are possible", lines.place(0));
  rows.points.dim = static_cast<std::uint32_t>(dim);
  std::vector<double> values;
  while (!lines.at_end()) {
    lines.next();
    if (lines.fields().size() != columns)
      refuse("the row has " + std::to_string(lines.fields().size()) + " values, the first one has " + std::to_string(columns),
             lines.place(0));
    if (rows.with_nodes) rows.node.push_back(lines.number<std::uint32_t>(0, "node"));
    rows.original_index.push_back({lines.number<std::uint32_t>(first, "index of a point")});
    rows.split_dim.push_back(lines.number<std::uint8_t>(first + 1, "dimension"));
    for (std::size_t c = first + 2; c < columns; ++c) values.push_back(lines.coordinate(c));
  }
  rows.points.type = lines.type();
  rows.points.words = lines.words(values);
  return tree_of(std::move(rows), [&](std::size_t row, std::size_t column) { return lines.place(row + 2, column); });
}

Tree read_npy(std::string_view bytes, const std::string& path) {
  const auto at = [&](std::size_t offset) { return npy_place(path, offset); };
  const NpyArray array = npy_array_at(bytes, 0, path);
  if (is_bucket_tree(array)) return read_bucket_npy(array, bytes, path);
  if (is_median_store_tree(array)) return read_median_store_npy(array, bytes, path);
  if (is_split_plane_tree(array)) return read_split_plane_npy(array, bytes, path);

  // The only headers that are read are those that are written: find the three numbers, write it again, compare.
  Rows rows;
  const std::string& header = array.header;
  rows.with_nodes = header.find("'node'") != header.npos;
  rows.points.type = header.find("'<i4'") != header.npos ? ScalarType::int32 : ScalarType::float32;
  const std::uint64_t dim = array.number_after("4', ("), n = array.number_after("'shape': (");
  if (dim == 0 || dim > 512 || header != npy_header(rows.with_nodes, n, static_cast<std::uint32_t>(dim), rows.points.type))
    refuse("the array is no tree", at(10), "name a file that kdscope-cli build --tree-out wrote");
  rows.points.dim = static_cast<std::uint32_t>(dim);

  const std::size_t first = rows.with_nodes ? 4 : 0;  // byte of the original index in a row
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
  return tree_of(std::move(rows), [&](std::size_t row, std::size_t column) { return at(begin + row * width + 4 * column); });
}

void write(const Tree& tree, TreeFormat format, std::ostream& out) {
  const bool as_csv = format == TreeFormat::csv;
  if (const auto* buckets = std::get_if<BucketTree>(&tree)) {
    (as_csv ? write_bucket_csv : write_bucket_npy)(*buckets, out);
  } else if (const auto* stores = std::get_if<MedianStoreTree>(&tree)) {
    (as_csv ? write_median_store_csv : write_median_store_npy)(*stores, out);
  } else if (const auto* planes = std::get_if<SplitPlaneTree>(&tree)) {
    (as_csv ? write_split_plane_csv : write_split_plane_npy)(*planes, out);
  } else {
    const auto* left_balanced = std::get_if<LeftBalancedTree>(&tree);
    (as_csv ? write_csv : write_npy)(left_balanced ? rows_of(*left_balanced) : rows_of(std::get<LevelOrderTree>(tree)),
                                     out);
  }
}

/// Holds what is written against bytes, and fails at the first difference. Lines of a CSV may end as on other systems,
/// the last one anyhow.
class Comparison : public std::streambuf {
 public:
  Comparison(std::string_view bytes, TreeFormat format) : bytes_(bytes), csv_(format == TreeFormat::csv) {}

  /// After everything was written: where the first difference is, and what stands there; empty for none.
  std::string difference() const {
    if (!differs_ && at_ == bytes_.size()) return "";
    if (!csv_) return "byte " + std::to_string(at_);
    const std::string_view before = bytes_.substr(0, field_begin_), line = before.substr(before.rfind('\n') + 1);
    const auto quoted = [](std::string_view field) {
      constexpr std::size_t longest = 40;
      return "'" + printable(field.substr(0, longest)) + (field.size() > longest ? "...'" : "'");
    };
    const std::string_view rest = bytes_.substr(field_begin_);
    return "line " + std::to_string(1 + std::ranges::count(before, '\n')) + ", field " +
           std::to_string(1 + std::ranges::count(line, ',')) + ", is " +
           quoted(rest.substr(0, rest.find_first_of(",\r\n"))) + ", not " + quoted(written_);
  }

 protected:
  std::streamsize xsputn(const char* text, std::streamsize size) override {
    std::streamsize i = 0;
    while (i < size && take(text[i])) ++i;
    return i;
  }
  int_type overflow(int_type c) override { return take(traits_type::to_char_type(c)) ? c : traits_type::eof(); }

 private:
  bool take(char c) {
    const bool ends_field = csv_ && (c == ',' || c == '\n');
    if (differs_) {
      // The message wants the whole field.
      if (csv_ && !ends_field) written_ += c;
      return csv_ && !ends_field;
    }
    if (csv_ && c == '\n') {
      if (at_ == bytes_.size()) return true;
      if (bytes_.substr(at_, 2) == "\r\n") ++at_;
    }
    differs_ = at_ == bytes_.size() || bytes_[at_] != c;
    if (csv_ && !ends_field) written_ += c;
    if (differs_) return csv_ && !ends_field;
    ++at_;
    if (ends_field) field_begin_ = at_, written_.clear();
    return true;
  }

  std::string_view bytes_;
  bool csv_, differs_ = false;
  std::size_t at_ = 0, field_begin_ = 0;
  std::string written_;  ///< of the current field
};

}  // namespace

Result<TreeFormat> tree_format_of(const std::string& path) {
  const std::string ending = std::filesystem::path(path).extension().string();
  if (ending == ".csv") return TreeFormat::csv;
  if (ending == ".npy") return TreeFormat::npy;
  return Error{ErrorKind::bad_usage, "a tree file ends in .csv or .npy", path, "choose one of these endings"};
}

Result<void> write_tree(const Tree& tree, const std::string& path) {
  const auto format = tree_format_of(path);
  if (!format) return format.error();
  Result<ReplacedFile> file = ReplacedFile::begin(path);
  if (!file) return file.error();
  std::ofstream out(file->temporary(), std::ios::binary);
  write(tree, *format, out);
  out.close();
  if (out) return file->keep();
  return Error{ErrorKind::io_failure, "cannot be written", path,
               "check the folder, its permissions and the space left"};
}

Result<TreeFile> read_tree(const std::string& path) {
  const auto format = tree_format_of(path);
  if (!format) return format.error();
  const Result<InputFile> file = InputFile::open(path);
  if (!file) return file.error();
  try {
    const Result<std::string> begin = file->read_beginning();
    if (!begin) return begin.error();
    if (*format == TreeFormat::npy ? !begin->starts_with("\x93NUMPY") : begin->find('\0') != std::string::npos)
      return parse_tree(*format, *begin, path);
    require_memory(file->size(), path + ": the file's bytes");
    const Result<std::string> bytes = file->read();
    if (!bytes) return bytes.error();
    return parse_tree(*format, *bytes, path);
  } catch (const ErrorException& e) {
    return e.error();
  }
}

Result<TreeFile> parse_tree(TreeFormat format, std::string_view bytes, const std::string& path) {
  try {
    TreeFile file{format == TreeFormat::csv ? read_csv(bytes, path) : read_npy(bytes, path), ""};
    Comparison comparison(bytes, format);
    std::ostream out(&comparison);
    write(file.tree, format, out);
    file.difference = comparison.difference();
    return file;
  } catch (const ErrorException& e) {
    return e.error();
  }
}

}  // namespace kdscope::cli
