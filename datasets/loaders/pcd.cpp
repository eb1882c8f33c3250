// PCD, the Point Cloud Library's format: header lines, then rows as text, as bytes, or column by column compressed.

#include <algorithm>
#include <vector>

#include "algorithms/core/available_memory.hpp"
#include "algorithms/text/counts.hpp"
#include "algorithms/text/quotes.hpp"
#include "datasets/loaders/loaders.hpp"
#include "datasets/loaders/point_collector.hpp"

namespace kdscope {
namespace {

struct Field {
  std::string name;
  std::uint64_t size = 0;
  char kind = '?';  ///< I, U or F
  std::uint64_t count = 1;
  NumberType type = NumberType::float32;
};

enum class Storage { ascii, binary, compressed };

struct PcdHeader {
  std::vector<Field> fields;
  std::uint64_t points = 0;
  Storage storage = Storage::ascii;
  std::string where_fields, where_points;
};

constexpr char upper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; }

std::vector<std::string_view> words_of(std::string_view rest) {
  std::vector<std::string_view> words;
  for (std::string_view word; !(word = next_token(rest)).empty();) words.push_back(word);
  return words;
}

std::uint64_t read_count(std::string_view word, const LineScanner& lines) {
  std::uint64_t count = 0;
  if (!read_integer(word, count)) refuse(lines.where(), excerpt(word) + " is no count");
  return count;
}

NumberType type_of(const Field& field, const std::string& where) {
  const std::string_view kinds = "IU";
  for (int i = 0; i < 10; ++i) {
    const auto type = static_cast<NumberType>(i);
    if (size_of(type) == field.size && (is_integer(type) ? field.kind == kinds[i % 2] : field.kind == 'F')) return type;
  }
  refuse(where, "field " + field.name + " has type " + field.kind + " of " + count_text(field.size, "byte", "bytes"),
         "known are I and U of 1, 2, 4 or 8 bytes and F of 4 or 8");
}

Storage read_storage(std::string_view rest, const LineScanner& lines) {
  constexpr std::string_view names[] = {"ascii", "binary", "binary_compressed"};
  const std::string_view word = trimmed(rest);
  const auto found = std::ranges::find_if(names, [&](std::string_view name) { return is_keyword(word, name); });
  if (found == std::end(names)) refuse(lines.where(), excerpt(word) + " is no way to store PCD data");
  return static_cast<Storage>(found - std::begin(names));
}

/// Chooses the values of a point that are coordinates: x, y and z where they are there, otherwise all that have a name.
ColumnChoice choose_fields(const PcdHeader& header, const ReadOptions& options) {
  const auto named = [&](std::string_view name) {
    return std::ranges::any_of(header.fields, [&](const Field& f) { return f.name == name && f.count == 1; });
  };
  const bool cartesian = named("x") && named("y");
  std::vector<std::string> names;
  std::vector<bool> usual;
  for (const Field& field : header.fields)
    for (std::uint64_t i = 0; i < field.count; ++i) {
      names.push_back(field.count == 1 ? field.name : field.name + "[" + std::to_string(i) + "]");
      usual.push_back(field.name != "_");
    }
  return choose_columns(cartesian ? by_axes(options, named("z")) : options, names, std::move(usual),
                        header.where_fields);
}

/// Reads the lines up to and including DATA.
PcdHeader read_pcd_header(LineScanner& lines) {
  PcdHeader header;
  std::uint64_t width = 0, height = 1;
  bool has_points = false, has_width = false;
  for (std::string_view line; lines.next(line);) {
    std::string_view rest = line;
    const std::string_view word = next_token(rest);
    if (word.empty() || word.front() == '#') continue;
    std::string keyword;
    for (const char c : word) keyword += upper(c);
    const std::vector<std::string_view> words = words_of(rest);
    const bool is_per_field = keyword == "SIZE" || keyword == "TYPE" || keyword == "COUNT";
    if (is_per_field && words.size() != header.fields.size())
      refuse(lines.where(), std::string(keyword) + " has " + std::to_string(words.size()) + " values for " +
                                std::to_string(header.fields.size()) + " fields");
    if (words.empty()) refuse(lines.where(), excerpt(word) + " has no value");
    if (keyword == "FIELDS" || keyword == "COLUMNS") {
      header.fields.clear();
      for (const std::string_view name : words) header.fields.emplace_back().name = name;
      header.where_fields = lines.where();
    } else if (keyword == "SIZE") {
      for (std::size_t i = 0; i < words.size(); ++i) header.fields[i].size = read_count(words[i], lines);
    } else if (keyword == "TYPE") {
      for (std::size_t i = 0; i < words.size(); ++i) header.fields[i].kind = upper(words[i].front());
    } else if (keyword == "COUNT") {
      std::uint64_t values = 0;
      for (std::size_t i = 0; i < words.size(); ++i) {
        header.fields[i].count = read_count(words[i], lines);
        values += std::min<std::uint64_t>(header.fields[i].count, 1'000'001);
        if (values > 1'000'000) refuse(lines.where(), "the fields have more than 1,000,000 values per point");
      }
    } else if (keyword == "WIDTH") {
      width = read_count(words[0], lines);
      has_width = true;
    } else if (keyword == "HEIGHT") {
      height = read_count(words[0], lines);
    } else if (keyword == "POINTS") {
      header.points = read_count(words[0], lines);
      header.where_points = lines.where();
      has_points = true;
    } else if (keyword == "DATA") {
      header.storage = read_storage(rest, lines);
      if (header.fields.empty()) refuse(lines.where(), "the header has no FIELDS line before DATA");
      for (Field& field : header.fields) field.type = type_of(field, header.where_fields);
      if (!has_points && !has_width) refuse(lines.where(), "the header has neither POINTS nor WIDTH before DATA");
      check_point_count(lines.where(), std::max({header.points, width, height}));
      if (has_points && has_width && width * height != header.points)
        refuse(header.where_points,
               "POINTS " + std::to_string(header.points) + " is not WIDTH x HEIGHT, " + std::to_string(width * height));
      if (!has_points) {
        header.points = width * height;
        header.where_points = lines.where();
        check_point_count(header.where_points, header.points);
      }
      return header;
    } else if (keyword != "VERSION" && keyword != "VIEWPOINT") {
      refuse(lines.where(), excerpt(word) + " is no PCD header keyword");
    }
  }
  refuse(lines.where(), "the header has no DATA line");
}

[[noreturn]] void refuse_promise(const PcdHeader& header, std::uint64_t bytes_left) {
  refuse(header.where_points, "the header promises " + std::to_string(header.points) + " points, but only " +
                                  std::to_string(bytes_left) + " bytes follow it");
}

void read_text(LineScanner& lines, std::size_t bytes_left, const PcdHeader& header, const std::vector<bool>& wanted,
               PointCollector& points) {
  // A value and what parts it from the next take two bytes.
  std::uint64_t values = 0;
  for (const Field& field : header.fields) values += field.count;
  if (values == 0 || header.points > (bytes_left + 1) / (2 * values)) refuse_promise(header, bytes_left);
  std::uint64_t rows = 0;
  for (std::string_view line; lines.next(line);) {
    if (trimmed(line).empty()) continue;
    if (rows++ == header.points)
      refuse(lines.where(), "a row follows the " + std::to_string(header.points) + " promised points");
    std::string_view rest = line;
    std::size_t value = 0;
    for (const Field& field : header.fields)
      for (std::uint64_t i = 0; i < field.count; ++i) {
        const std::string_view token = next_token(rest);
        const auto where = [&] { return lines.where(token); };
        if (token.empty()) refuse(where(), "this row has too few values", "write each point on one line");
        const TypedNumber number = read_typed(token, field.type, where);
        if (wanted[value++]) points.add(number, where);
      }
    if (const std::string_view extra = next_token(rest); !extra.empty())
      refuse(lines.where(extra), "this row has too many values");
  }
  if (rows != header.points)
    refuse(lines.where(),
           "the file ends after " + std::to_string(rows) + " of " + std::to_string(header.points) + " points");
}

/// Bytes of one point.
std::uint64_t row_size(const PcdHeader& header) {
  std::uint64_t size = 0;
  for (const Field& field : header.fields) size += field.size * field.count;
  return size;
}

/// Reads values that lie row by row, or field by field. `position` maps a byte of `data` to its place in the file.
template <class Position>
void read_bytes(std::string_view data, const PcdHeader& header, const std::vector<bool>& wanted, bool by_field,
                const Position& position, PointCollector& points) {
  const std::uint64_t row = row_size(header);
  points.reserve(header.points);
  for (std::uint64_t point = 0; point < header.points; ++point) {
    std::uint64_t before = 0;  // bytes of a row in front of this field
    std::size_t value = 0;
    for (const Field& field : header.fields) {
      const std::uint64_t bytes = field.size * field.count;
      const std::uint64_t begin = by_field ? before * header.points + point * bytes : point * row + before;
      for (std::uint64_t i = 0; i < field.count; ++i) {
        if (!wanted[value++]) continue;
        const std::uint64_t at = begin + i * field.size;
        points.add(load_number(&data[at], field.type, std::endian::little), [&] { return position(at); });
      }
      before += bytes;
    }
  }
}

/// Undoes LZF compression (Marc Lehmann's format: runs of literals, and copies of what came before).
std::string decompress_lzf(std::string_view in, std::size_t out_size, const std::string& where) {
  const auto fail = [&] { refuse(where, "the compressed data are damaged"); };
  std::string out;
  out.reserve(out_size);
  for (std::size_t i = 0; i < in.size();) {
    const auto byte = [&] {
      if (i >= in.size()) fail();
      return static_cast<unsigned char>(in[i++]);
    };
    const std::size_t control = byte();
    if (control < 32) {
      if (in.size() - i < control + 1 || out_size - out.size() < control + 1) fail();
      out.append(in, i, control + 1);
      i += control + 1;
      continue;
    }
    std::size_t length = control >> 5;
    if (length == 7) length += byte();
    length += 2;
    const std::size_t distance = ((control & 31) << 8 | byte()) + 1;
    if (distance > out.size() || out_size - out.size() < length) fail();
    // Byte by byte: a copy may overlap what it writes.
    for (; length > 0; --length) out.push_back(out[out.size() - distance]);
  }
  if (out.size() != out_size) fail();
  return out;
}

void read_compressed(std::string_view data, std::uint64_t offset, const PcdHeader& header,
                     const std::vector<bool>& wanted, const std::string& file, PointCollector& points) {
  const std::string where = byte_position(file, offset);
  if (data.size() < 8) refuse(where, "the file ends before the sizes of the compressed data");
  const std::uint64_t packed = load_value<std::uint32_t>(data.data(), std::endian::little);
  const std::uint64_t unpacked = load_value<std::uint32_t>(data.data() + 4, std::endian::little);
  if (packed > data.size() - 8) refuse_promise(header, data.size());
  if (unpacked / row_size(header) != header.points || unpacked % row_size(header) != 0)
    refuse(where, "the compressed data hold " + std::to_string(unpacked) + " bytes, but the header promises " +
                      std::to_string(header.points) + " points of " + std::to_string(row_size(header)));
  // Three bytes unpack to at most 264.
  if (unpacked > packed * 88) refuse(where, "the compressed data cannot hold " + std::to_string(unpacked) + " bytes");
  refuse_trailing_bytes(data, 8 + packed, file);
  require_memory(unpacked, file + ": the unpacked data");
  const std::string bytes = decompress_lzf(data.substr(8, packed), unpacked, where);
  read_bytes(
      bytes, header, wanted, true,
      [&](std::uint64_t at) { return where + ", byte " + std::to_string(at) + " unpacked"; }, points);
}

}  // namespace

DataSet parse_pcd(std::string_view bytes, const std::string& file, const ReadOptions& options) {
  LineScanner lines(bytes, file);
  const PcdHeader header = read_pcd_header(lines);
  const std::size_t begin = lines.data_offset();
  const std::string_view data = bytes.substr(begin);

  const ColumnChoice columns = choose_fields(header, options);
  const std::vector<bool>& wanted = columns.wanted;
  DataSet set;
  set.column_names = columns.names;
  bool whole = true;
  std::size_t value = 0;
  for (const Field& field : header.fields)
    for (std::uint64_t i = 0; i < field.count; ++i) whole = (!wanted[value++] || is_integer(field.type)) && whole;

  PointCollector points(file, columns, whole ? ScalarType::int32 : ScalarType::float32, options);
  if (header.storage == Storage::ascii) {
    read_text(lines, data.size(), header, wanted, points);
  } else if (header.storage == Storage::compressed) {
    read_compressed(data, begin, header, wanted, file, points);
  } else {
    if (header.points > data.size() / row_size(header)) refuse_promise(header, data.size());
    refuse_trailing_bytes(bytes, begin + header.points * row_size(header), file);
    read_bytes(
        data, header, wanted, false, [&](std::uint64_t at) { return byte_position(file, begin + at); }, points);
  }
  points.finish(set);
  return set;
}

}  // namespace kdscope
