// PLY, ascii and binary. The layout is Greg Turk's: a header of elements with properties, then their rows.

#include <algorithm>
#include <optional>
#include <vector>

#include "algorithms/text/quotes.hpp"
#include "datasets/loaders/loaders.hpp"
#include "datasets/loaders/point_collector.hpp"
#include "datasets/loaders/triangle_collector.hpp"

namespace kdscope {
namespace {

struct Property {
  std::string name;
  NumberType type = NumberType::float32;
  std::optional<NumberType> count_type;  ///< of a list
};

struct Element {
  std::string name;
  std::uint64_t count = 0;
  std::string where;  ///< the header line that declares it
  std::vector<Property> properties;
};

struct PlyHeader {
  bool ascii = true;
  std::endian order = std::endian::little;
  std::vector<Element> elements;
};

NumberType type_named(std::string_view name, const std::string& where) {
  constexpr std::string_view names[][2] = {
      {"char", "int8"},   {"uchar", "uint8"}, {"short", "int16"},   {"ushort", "uint16"}, {"int", "int32"},
      {"uint", "uint32"}, {"int64", "int64"}, {"uint64", "uint64"}, {"float", "float32"}, {"double", "float64"}};
  for (std::size_t i = 0; i < std::size(names); ++i)
    if (name == names[i][0] || name == names[i][1]) return static_cast<NumberType>(i);
  refuse(where, excerpt(name) + " is no PLY number type");
}

Property read_property(std::string_view rest, const LineScanner& lines) {
  Property property;
  std::string_view word = next_token(rest);
  if (word == "list") {
    word = next_token(rest);
    property.count_type = type_named(word, lines.where());
    if (!is_integer(*property.count_type)) refuse(lines.where(), "the length of a list must have an integer type");
    word = next_token(rest);
  }
  property.type = type_named(word, lines.where());
  property.name = next_token(rest);
  if (property.name.empty() || !next_token(rest).empty())
    refuse(lines.where(), "this is no property of a name and a type");
  return property;
}

void read_format(std::string_view rest, const LineScanner& lines, PlyHeader& header) {
  const std::string_view format = next_token(rest);
  const std::string_view version = next_token(rest);
  header.ascii = format == "ascii";
  header.order = format == "binary_big_endian" ? std::endian::big : std::endian::little;
  if (!header.ascii && format != "binary_big_endian" && format != "binary_little_endian")
    refuse(lines.where(), excerpt(format) + " is no PLY format",
           "it may be ascii, binary_little_endian or binary_big_endian");
  if (version != "1.0") refuse(lines.where(), "PLY version " + excerpt(version) + " is not known", "1.0 is");
}

PlyHeader read_ply_header(LineScanner& lines) {
  PlyHeader header;
  bool has_format = false;
  std::string_view line;
  if (!lines.next(line) || trimmed(line) != "ply") refuse(lines.where(), "the file does not begin with \"ply\"");
  while (lines.next(line)) {
    std::string_view rest = line;
    const std::string_view keyword = next_token(rest);
    if (keyword == "comment" || keyword == "obj_info") continue;
    if (keyword == "end_header") {
      if (!has_format) refuse(lines.where(), "the header has no format line");
      return header;
    }
    if (keyword == "format") {
      read_format(rest, lines, header);
      has_format = true;
    } else if (keyword == "element") {
      Element element;
      element.name = next_token(rest);
      element.where = lines.where();
      if (const std::string_view count = next_token(rest); !read_integer(count, element.count))
        refuse(lines.where(), excerpt(count) + " is no count of elements");
      header.elements.push_back(std::move(element));
    } else if (keyword == "property") {
      if (header.elements.empty()) refuse(lines.where(), "a property comes before the first element");
      header.elements.back().properties.push_back(read_property(rest, lines));
    } else {
      refuse(lines.where(), excerpt(keyword) + " is no PLY header keyword");
    }
  }
  refuse(lines.where(), "the header has no end_header line");
}

/// Refuses counts that the rest of the file cannot hold, before anything is allocated or looped over.
void check_counts(const PlyHeader& header, std::size_t data_bytes) {
  // The last row of an ascii file may lack its line end.
  std::uint64_t bytes_left = data_bytes + (header.ascii ? 1 : 0);
  for (const Element& element : header.elements) {
    std::uint64_t row = 0;
    for (const Property& p : element.properties)
      row += header.ascii ? 2 : p.count_type ? size_of(*p.count_type) : size_of(p.type);
    if (element.count == 0) continue;
    if (row == 0) refuse(element.where, "element " + element.name + " has no properties");
    if (element.count > bytes_left / row)
      refuse(element.where, "the header promises " + std::to_string(element.count) + " of " + element.name +
                                ", but only " + std::to_string(bytes_left) + " bytes are left for them");
    bytes_left -= element.count * row;
  }
}

/// Rows of an ascii file: one line each.
class TextRows {
 public:
  explicit TextRows(LineScanner& lines) : lines_(lines) {}

  void begin_row(const Element& element) {
    do {
      if (!lines_.next(rest_)) refuse(lines_.where(), "the file ends before the last " + element.name);
    } while (trimmed(rest_).empty());
  }
  TypedNumber number(NumberType type) {
    token_ = next_token(rest_);
    if (token_.empty()) refuse(lines_.where(token_), "this row has too few values");
    return read_typed(token_, type, [&] { return where(); });
  }
  /// Refuses a list that is longer than what is left could be.
  void check_list(std::uint64_t, NumberType) {}
  void end_row() {
    token_ = next_token(rest_);
    if (!token_.empty()) refuse(where(), "this row has too many values");
  }
  void end_file() {
    while (lines_.next(rest_))
      if (!trimmed(rest_).empty()) refuse(lines_.where(), "a row follows the last element");
  }
  std::string where() const { return lines_.where(token_); }
  const char* byte_order_hint(std::int64_t, std::uint64_t) const { return ""; }

 private:
  LineScanner& lines_;
  std::string_view rest_, token_;
};

/// Rows of a binary file.
class BinaryRows {
 public:
  BinaryRows(std::string_view bytes, std::size_t begin, std::endian order, std::string file)
      : bytes_(bytes), next_(begin), order_(order), file_(std::move(file)) {}

  void begin_row(const Element& element) { element_ = &element; }
  TypedNumber number(NumberType type) {
    const std::size_t size = size_of(type);
    if (bytes_.size() - next_ < size) refuse_end();
    last_ = next_;
    next_ += size;
    return load_number(bytes_.data() + last_, type, order_);
  }
  void check_list(std::uint64_t length, NumberType type) {
    if (length > (bytes_.size() - next_) / size_of(type)) refuse_end();
  }
  void end_row() {}
  void end_file() { refuse_trailing_bytes(bytes_, next_, file_); }
  std::string where() const { return byte_position(file_, last_); }
  const char* byte_order_hint(std::int64_t index, std::uint64_t count) const {
    const auto swapped = __builtin_bswap32(static_cast<std::uint32_t>(index));
    return swapped < count ? "the bytes seem to be of the other order than the header says" : "";
  }

 private:
  [[noreturn]] void refuse_end() const {
    refuse(byte_position(file_, bytes_.size()), "the file ends within element " + element_->name);
  }
  std::string_view bytes_;
  std::size_t next_, last_ = 0;
  std::endian order_;
  std::string file_;
  const Element* element_ = nullptr;
};

template <class Rows>
std::uint64_t list_length(Rows& rows, const Property& list) {
  const TypedNumber length = rows.number(*list.count_type);
  if (length.integer < 0) refuse(rows.where(), "the length of a list is negative");
  rows.check_list(static_cast<std::uint64_t>(length.integer), list.type);
  return static_cast<std::uint64_t>(length.integer);
}

template <class Rows>
void skip_property(Rows& rows, const Property& property) {
  for (std::uint64_t i = property.count_type ? list_length(rows, property) : 1; i > 0; --i) rows.number(property.type);
}

template <class Rows>
void read_vertices(Rows& rows, const Element& element, const std::string& file, DataSet& set) {
  const std::vector<std::string> axes = {"x", "y", "z"};
  std::vector<bool> wanted;
  std::string found;
  bool whole = true;
  for (const Property& p : element.properties) {
    wanted.push_back(!p.count_type && std::ranges::find(axes, p.name) != axes.end());
    if (!wanted.back()) continue;
    found += p.name;
    whole = whole && is_integer(p.type);
  }
  if (found != "xyz" && found != "xy")
    refuse(element.where, "the vertices have no properties x, y, z (or x, y) in this order");
  check_point_count(element.where, element.count);
  PointCollector points(file, static_cast<std::uint32_t>(found.size()),
                        whole ? ScalarType::int32 : ScalarType::float32);
  points.reserve(element.count);
  for (std::uint64_t row = 0; row < element.count; ++row) {
    rows.begin_row(element);
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      const Property& p = element.properties[i];
      if (wanted[i])
        points.add(rows.number(p.type), [&] { return rows.where(); });
      else
        skip_property(rows, p);
    }
    rows.end_row();
  }
  points.finish(set);
}

template <class Rows>
void read_faces(Rows& rows, const Element& element, std::uint64_t vertex_count, TriangleCollector& triangles) {
  for (std::uint64_t row = 0; row < element.count; ++row) {
    rows.begin_row(element);
    for (const Property& p : element.properties) {
      const bool corners =
          p.count_type && is_integer(p.type) && (p.name == "vertex_indices" || p.name == "vertex_index");
      if (!corners) {
        skip_property(rows, p);
        continue;
      }
      const std::uint64_t length = list_length(rows, p);
      if (length < 3)
        refuse(rows.where(), "a face has " + std::to_string(length) + " vertices", "faces need 3 or more");
      triangles.begin_polygon();
      for (std::uint64_t i = 0; i < length; ++i) {
        const std::int64_t index = rows.number(p.type).integer;
        if (index < 0 || static_cast<std::uint64_t>(index) >= vertex_count)
          refuse(rows.where(),
                 "a face names vertex " + std::to_string(index) + ", but there are " + std::to_string(vertex_count) +
                     " (counted from 0)",
                 rows.byte_order_hint(index, vertex_count));
        triangles.add_corner(static_cast<std::uint32_t>(index));
      }
    }
    rows.end_row();
  }
}

template <class Rows>
DataSet read_elements(Rows& rows, const PlyHeader& header, const Element& vertices, const std::string& file) {
  DataSet set;
  TriangleCollector triangles;
  for (const Element& element : header.elements) {
    if (&element == &vertices) {
      read_vertices(rows, element, file, set);
    } else if (element.name == "face") {
      read_faces(rows, element, vertices.count, triangles);
    } else {
      for (std::uint64_t row = 0; row < element.count; ++row) {
        rows.begin_row(element);
        for (const Property& p : element.properties) skip_property(rows, p);
        rows.end_row();
      }
    }
  }
  rows.end_file();
  set.triangles = triangles.take();
  set.column_names = {"x", "y", "z"};
  set.column_names.resize(set.points.dim);
  return set;
}

}  // namespace

DataSet parse_ply(std::string_view bytes, const std::string& file) {
  LineScanner lines(bytes, file);
  const PlyHeader header = read_ply_header(lines);
  const auto vertices = std::ranges::find(header.elements, "vertex", &Element::name);
  if (vertices == header.elements.end()) refuse(lines.where(), "the header declares no element vertex");
  const std::size_t data = std::min(lines.offset(), bytes.size());
  check_counts(header, bytes.size() - data);
  if (header.ascii) {
    TextRows rows(lines);
    return read_elements(rows, header, *vertices, file);
  }
  BinaryRows rows(bytes, data, header.order, file);
  return read_elements(rows, header, *vertices, file);
}

}  // namespace kdscope
