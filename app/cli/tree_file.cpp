#include "app/cli/tree_file.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>

namespace kdscope::cli {
namespace {

constexpr std::string_view npy_magic("\x93NUMPY\x01\x00", 8);

[[noreturn]] void refuse(std::string what, std::string where, std::string remedy = "") {
  throw ErrorException({ErrorKind::bad_input, std::move(what), std::move(where), std::move(remedy)});
}

std::string npy_header(std::size_t n, std::uint32_t dim, ScalarType type) {
  return "{'descr': [('original_index', '<u4'), ('split_dimension', '|u1'), ('coordinates', '" +
         std::string(type == ScalarType::float32 ? "<f4" : "<i4") + "', (" + std::to_string(dim) +
         ",))], 'fortran_order': False, 'shape': (" + std::to_string(n) + ",), }";
}

void write_npy(const LeftBalancedTree& tree, std::ostream& out) {
  std::string header = npy_header(tree.size(), tree.points.dim, tree.points.type);
  header.append(63 - (npy_magic.size() + 2 + header.size()) % 64, ' ');
  header += '\n';
  out << npy_magic << static_cast<char>(header.size() & 255) << static_cast<char>(header.size() >> 8) << header;
  for (std::uint32_t i = 0; i < tree.size(); ++i) {
    out.write(reinterpret_cast<const char*>(&tree.point_of_node[i].value), 4);
    out.put(static_cast<char>(tree.split_dim[i]));
    out.write(reinterpret_cast<const char*>(&tree.points.words[std::size_t(i) * tree.points.stride()]),
              4 * tree.points.dim);
  }
}

void write_csv(const LeftBalancedTree& tree, std::ostream& out) {
  out << "original_index,split_dimension";
  for (std::uint32_t d = 0; d < tree.points.dim; ++d) {
    if (d < 4)
      out << ',' << "xyzw"[d];
    else
      out << ",c" << d;
  }
  out << '\n';
  char number[40];
  for (std::uint32_t i = 0; i < tree.size(); ++i) {
    out << tree.point_of_node[i].value << ',' << unsigned{tree.split_dim[i]};
    for (std::uint32_t d = 0; d < tree.points.dim; ++d) {
      const std::uint32_t word = tree.points.word(i, d);
      const auto end = tree.points.type == ScalarType::float32
                           ? std::to_chars(number, number + sizeof number, std::bit_cast<float>(word)).ptr
                           : std::to_chars(number, number + sizeof number, static_cast<std::int32_t>(word)).ptr;
      const std::string_view text(number, static_cast<std::size_t>(end - number));
      out << ',' << text;
      // A whole float must not look like an integer.
      if (tree.points.type == ScalarType::float32 && text.find_first_of(".en") == text.npos) out << ".0";
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

LeftBalancedTree read_csv(std::string_view text, const std::string& path) {
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
  const auto place = [&](std::size_t column) {
    return path + ":" + std::to_string(line_number) + ":" + std::to_string(column + 1);
  };

  next_line();
  if (fields.size() < 3 || fields[0] != "original_index" || fields[1] != "split_dimension")
    refuse("the first row is not that of a tree file", place(0),
           "its columns are original_index, split_dimension and the coordinates, as kdscope-cli build --tree-out "
           "writes them");
  LeftBalancedTree tree;
  const std::size_t columns = fields.size();
  if (columns > 514) refuse(std::to_string(columns - 2) + " coordinates, 1 to 512 are possible", place(0));
  tree.points.dim = static_cast<std::uint32_t>(columns - 2);
  std::vector<double> values;
  bool integers = true;
  while (!text.empty()) {
    next_line();
    if (fields.size() != columns)
      refuse("the row has " + std::to_string(fields.size()) + " values, the first one has " + std::to_string(columns),
             place(0));
    const auto id = parsed<std::uint32_t>(fields[0]);
    if (!id) refuse("'" + std::string(fields[0]) + "' is no index of a point", place(0));
    const auto dim = parsed<std::uint8_t>(fields[1]);
    if (!dim) refuse("'" + std::string(fields[1]) + "' is no dimension", place(1));
    tree.point_of_node.push_back({*id});
    tree.split_dim.push_back(*dim);
    for (std::size_t c = 2; c < columns; ++c) {
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
  tree.points.type = integers ? ScalarType::int32 : ScalarType::float32;
  tree.points.words.reserve(values.size());
  for (const double v : values)
    tree.points.words.push_back(integers ? word_of(static_cast<std::int32_t>(v)) : word_of(static_cast<float>(v)));
  return tree;
}

LeftBalancedTree read_npy(std::string_view bytes, const std::string& path) {
  const auto at = [&](std::size_t offset) { return path + ", byte " + std::to_string(offset); };
  if (bytes.size() < 10 || bytes.substr(0, 8) != npy_magic) refuse("is no NPY file of version 1", at(0));
  const std::size_t header_size = static_cast<unsigned char>(bytes[8]) + 256u * static_cast<unsigned char>(bytes[9]);
  if (bytes.size() < 10 + header_size) refuse("the header is cut short", at(bytes.size()));
  std::string header(bytes.substr(10, header_size));
  header.erase(header.find_last_not_of(" \n") + 1);

  // The only headers that are read are those that are written: find the three numbers, write it again, compare.
  LeftBalancedTree tree;
  const auto number_after = [&](std::string_view before) -> std::uint64_t {
    const std::size_t found = header.find(before);
    if (found == header.npos) return 0;
    std::uint64_t value = 0;
    std::from_chars(header.data() + found + before.size(), header.data() + header.size(), value);
    return value;
  };
  tree.points.type = header.find("'<i4'") != header.npos ? ScalarType::int32 : ScalarType::float32;
  const std::uint64_t dim = number_after("4', ("), n = number_after("'shape': (");
  if (dim == 0 || dim > 512 || header != npy_header(n, static_cast<std::uint32_t>(dim), tree.points.type))
    refuse("the array is no tree", at(10), "name a file that kdscope-cli build --tree-out wrote");
  tree.points.dim = static_cast<std::uint32_t>(dim);

  const std::size_t width = 5 + 4 * dim, begin = 10 + header_size, there = bytes.size() - begin;
  if (there % width != 0 || there / width != n)
    refuse("the header promises " + std::to_string(n) + " rows of " + std::to_string(width) + " bytes, " +
               std::to_string(there) + " bytes follow",
           at(begin));
  tree.point_of_node.resize(n);
  tree.split_dim.resize(n);
  tree.points.words.resize(n * dim);
  for (std::size_t i = 0; i < n; ++i) {
    const char* row = bytes.data() + begin + i * width;
    std::memcpy(&tree.point_of_node[i].value, row, 4);
    tree.split_dim[i] = static_cast<std::uint8_t>(row[4]);
    std::memcpy(&tree.points.words[i * dim], row + 5, 4 * dim);
    for (std::uint32_t d = 0; d < dim; ++d)
      if (!std::isfinite(tree.points.value(i, d)))
        refuse("a coordinate is infinite or not a number", at(begin + i * width + 5 + 4 * d));
  }
  return tree;
}

}  // namespace

Result<TreeFormat> tree_format_of(const std::string& path) {
  const std::string ending = std::filesystem::path(path).extension().string();
  if (ending == ".csv") return TreeFormat::csv;
  if (ending == ".npy") return TreeFormat::npy;
  return Error{ErrorKind::bad_usage, "a tree file ends in .csv or .npy", path, "choose one of these endings"};
}

Result<void> write_tree(const LeftBalancedTree& tree, const std::string& path) {
  const auto format = tree_format_of(path);
  if (!format) return format.error();
  const std::string temporary = path + ".part";
  std::ofstream out(temporary, std::ios::binary | std::ios::trunc);
  if (out) (*format == TreeFormat::csv ? write_csv : write_npy)(tree, out);
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

Result<LeftBalancedTree> read_tree(const std::string& path) {
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
