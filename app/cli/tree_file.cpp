#include "app/cli/tree_file.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>

#include "algorithms/core/chunks.hpp"

namespace kdscope::cli {
namespace {

constexpr std::string_view npy_magic("\x93NUMPY\x01\x00", 8);

[[noreturn]] void refuse(std::string what, std::string where, std::string remedy = "") {
  throw ErrorException({ErrorKind::bad_input, std::move(what), std::move(where), std::move(remedy)});
}

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

Rows rows_of(const BucketTree&) { refuse("trees with leaf buckets have no file form yet", ""); }

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
  std::string header = npy_header(rows.with_nodes, n, rows.points.dim, rows.points.type);
  header.append(63 - (npy_magic.size() + 2 + header.size()) % 64, ' ');
  header += '\n';
  out << npy_magic << static_cast<char>(header.size() & 255) << static_cast<char>(header.size() >> 8) << header;
  for (std::size_t i = 0; i < n; ++i) {
    if (rows.with_nodes) out.write(reinterpret_cast<const char*>(&rows.node[i]), 4);
    out.write(reinterpret_cast<const char*>(&rows.original_index[i].value), 4);
    out.put(static_cast<char>(rows.split_dim[i]));
    out.write(reinterpret_cast<const char*>(&rows.points.words[i * rows.points.stride()]), 4 * rows.points.dim);
  }
}

void write_csv(const Rows& rows, std::ostream& out) {
  out << (rows.with_nodes ? "node," : "") << "original_index,split_dimension";
  for (std::uint32_t d = 0; d < rows.points.dim; ++d) {
    if (d < 4)
      out << ',' << "xyzw"[d];
    else
      out << ",c" << d;
  }
  out << '\n';
  char number[40];
  for (std::size_t i = 0; i < rows.original_index.size(); ++i) {
    if (rows.with_nodes) out << rows.node[i] << ',';
    out << rows.original_index[i].value << ',' << unsigned{rows.split_dim[i]};
    for (std::uint32_t d = 0; d < rows.points.dim; ++d) {
      const std::uint32_t word = rows.points.word(i, d);
      const auto end = rows.points.type == ScalarType::float32
                           ? std::to_chars(number, number + sizeof number, std::bit_cast<float>(word)).ptr
                           : std::to_chars(number, number + sizeof number, static_cast<std::int32_t>(word)).ptr;
      const std::string_view text(number, static_cast<std::size_t>(end - number));
      out << ',' << text;
      // A whole float must not look like an integer.
      if (rows.points.type == ScalarType::float32 && text.find_first_of(".en") == text.npos) out << ".0";
    }
    out << '\n';
  }
}

template <class T>
std::optional<T> parsed(std::string_view text) {
  T value{};
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

Tree read_csv(std::string_view text, const std::string& path) {
  std::size_t line_number = 0;
  std::vector<std::string_view> fields;
  const auto next_line = [&] {
    ++line_number;
    std::size_t end = text.find('\n');
    if (end == text.npos) end = text.size();
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    fields.clear();
    for (std::size_t comma; (comma = line.find(',')) != line.npos; line.remove_prefix(comma + 1))
      fields.push_back(line.substr(0, comma));
    fields.push_back(line);
  };
  const auto cell = [&](std::size_t line, std::size_t column) {
    return path + ":" + std::to_string(line) + ":" + std::to_string(column + 1);
  };
  const auto place = [&](std::size_t column) { return cell(line_number, column); };

  next_line();
  Rows rows;
  rows.with_nodes = fields[0] == "node";
  const std::size_t first = rows.with_nodes ? 1 : 0;  // column of the original index
  if (fields.size() < first + 3 || fields[first] != "original_index" || fields[first + 1] != "split_dimension")
    refuse("the first row is not that of a tree file", place(0),
           "its columns are original_index, split_dimension and the coordinates, a column node in front where slots may "
           "be empty, as kdscope-cli build --tree-out writes them");
  const std::size_t columns = fields.size(), dim = columns - first - 2;
  if (dim > 512) refuse(std::to_string(dim) + " coordinates, 1 to 512 are possible", place(0));
  rows.points.dim = static_cast<std::uint32_t>(dim);
  std::vector<double> values;
  bool integers = true;
  while (!text.empty()) {
    next_line();
    if (fields.size() != columns)
      refuse("the row has " + std::to_string(fields.size()) + " values, the first one has " + std::to_string(columns),
             place(0));
    if (rows.with_nodes) {
      const auto node = parsed<std::uint32_t>(fields[0]);
      if (!node) refuse("'" + std::string(fields[0]) + "' is no node", place(0));
      rows.node.push_back(*node);
    }
    const auto id = parsed<std::uint32_t>(fields[first]);
    if (!id) refuse("'" + std::string(fields[first]) + "' is no index of a point", place(first));
    const auto split = parsed<std::uint8_t>(fields[first + 1]);
    if (!split) refuse("'" + std::string(fields[first + 1]) + "' is no dimension", place(first + 1));
    rows.original_index.push_back({*id});
    rows.split_dim.push_back(*split);
    for (std::size_t c = first + 2; c < columns; ++c) {
      // Shortest text of a float or an int: a double tells them all apart. "7.0" and "-0" are floats.
      const auto integer = parsed<std::int32_t>(fields[c]);
      integers = integers && integer && fields[c] != "-0";
      const auto value = integer && integers ? std::optional<double>(*integer) : [&]() -> std::optional<double> {
        const auto single = parsed<float>(fields[c]);
        return single ? std::optional<double>(*single) : std::nullopt;
      }();
      if (!value || !std::isfinite(*value)) refuse("'" + std::string(fields[c]) + "' is no coordinate", place(c));
      values.push_back(*value);
    }
  }
  rows.points.type = integers ? ScalarType::int32 : ScalarType::float32;
  rows.points.words.reserve(values.size());
  for (const double v : values)
    rows.points.words.push_back(integers ? word_of(static_cast<std::int32_t>(v)) : word_of(static_cast<float>(v)));
  return tree_of(std::move(rows), [&](std::size_t row, std::size_t column) { return cell(row + 2, column); });
}

Tree read_npy(std::string_view bytes, const std::string& path) {
  const auto at = [&](std::size_t offset) { return path + ", byte " + std::to_string(offset); };
  if (bytes.size() < 10 || bytes.substr(0, 8) != npy_magic) refuse("is no NPY file of version 1", at(0));
  const std::size_t header_size = static_cast<unsigned char>(bytes[8]) + 256u * static_cast<unsigned char>(bytes[9]);
  if (bytes.size() < 10 + header_size) refuse("the header is cut short", at(bytes.size()));
  std::string header(bytes.substr(10, header_size));
  header.erase(header.find_last_not_of(" \n") + 1);

  // The only headers that are read are those that are written: find the three numbers, write it again, compare.
  Rows rows;
  const auto number_after = [&](std::string_view before) -> std::uint64_t {
    const std::size_t found = header.find(before);
    if (found == header.npos) return 0;
    std::uint64_t value = 0;
    std::from_chars(header.data() + found + before.size(), header.data() + header.size(), value);
    return value;
  };
  rows.with_nodes = header.find("'node'") != header.npos;
  rows.points.type = header.find("'<i4'") != header.npos ? ScalarType::int32 : ScalarType::float32;
  const std::uint64_t dim = number_after("4', ("), n = number_after("'shape': (");
  if (dim == 0 || dim > 512 || header != npy_header(rows.with_nodes, n, static_cast<std::uint32_t>(dim), rows.points.type))
    refuse("the array is no tree", at(10), "name a file that kdscope-cli build --tree-out wrote");
  rows.points.dim = static_cast<std::uint32_t>(dim);

  const std::size_t first = rows.with_nodes ? 4 : 0;  // byte of the original index in a row
  const std::size_t width = first + 5 + 4 * dim, begin = 10 + header_size, there = bytes.size() - begin;
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
  const std::string temporary = path + ".part";
  std::ofstream out(temporary, std::ios::binary | std::ios::trunc);
  const Rows rows = std::visit([](const auto& kind) { return rows_of(kind); }, tree);
  if (out) (*format == TreeFormat::csv ? write_csv : write_npy)(rows, out);
  out.close();
  std::error_code failed;
  if (out) {
    std::filesystem::rename(temporary, path, failed);
    if (!failed) return {};
  }
  std::error_code ignored;
  std::filesystem::remove(temporary, ignored);
  return Error{ErrorKind::io_failure, "cannot be written" + (failed ? " (" + failed.message() + ")" : std::string()),
               path, "check the folder, its permissions and the space left"};
}

Result<Tree> read_tree(const std::string& path) {
  const auto format = tree_format_of(path);
  if (!format) return format.error();
  std::ifstream in(path, std::ios::binary);
  std::string bytes;
  std::error_code ignored;
  const bool is_file = std::filesystem::is_regular_file(path, ignored);
  if (is_file) bytes.assign(std::istreambuf_iterator<char>(in), {});
  if (!in || !is_file)
    return Error{ErrorKind::bad_input, "cannot be read", path, "check the name and its permissions"};
  try {
    return (*format == TreeFormat::csv ? read_csv : read_npy)(bytes, path);
  } catch (const ErrorException& e) {
    return e.error();
  }
}

}  // namespace kdscope::cli
