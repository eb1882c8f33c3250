// PLY, ascii and binary. The layout is Greg Turk's: a header of elements with properties, then their rows.

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <vector>

#include "algorithms/text/counts.hpp"
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
    if (is_keyword(name, names[i][0]) || is_keyword(name, names[i][1])) return static_cast<NumberType>(i);
  refuse(where, excerpt(name) + " is no PLY number type");
}

Property read_property(std::string_view rest, const LineScanner& lines) {
  Property property;
  std::string_view word = next_token(rest);
  if (is_keyword(word, "list")) {
    word = next_token(rest);
    property.count_type = type_named(word, lines.where());
    if (!is_integer(*property.count_type)) refuse(lines.where(), "the length of a list must have an integer type");
    word = next_token(rest);
  }
  property.type = type_named(word, lines.where());
  property.name = next_token(rest);
  if (property.name.empty() || !next_token(rest).empty())
    refuse(lines.where(), "this is no property of a name and a type",
           "write property float x, or property list uchar int vertex_indices");
  return property;
}

void read_format(std::string_view rest, const LineScanner& lines, PlyHeader& header) {
  const std::string_view format = next_token(rest);
  const std::string_view version = next_token(rest);
  const bool big = is_keyword(format, "binary_big_endian");
  header.ascii = is_keyword(format, "ascii");
  header.order = big ? std::endian::big : std::endian::little;
  if (!header.ascii && !big && !is_keyword(format, "binary_little_endian"))
    refuse(lines.where(), excerpt(format) + " is no PLY format",
           "it may be ascii, binary_little_endian or binary_big_endian");
  if (version != "1.0") refuse(lines.where(), "PLY version " + excerpt(version) + " is not known", "1.0 is");
}

PlyHeader read_ply_header(LineScanner& lines) {
  PlyHeader header;
  bool has_format = false;
  std::string_view line;
  if (!lines.next(line) || !is_keyword(trimmed(line), "ply"))
    refuse(lines.where(), "the file does not begin with \"ply\"");
  while (lines.next(line)) {
    std::string_view rest = line;
    const std::string_view keyword = next_token(rest);
    if (is_keyword(keyword, "comment") || is_keyword(keyword, "obj_info")) continue;
    if (is_keyword(keyword, "end_header")) {
      if (!has_format) refuse(lines.where(), "the header has no format line");
      return header;
    }
    if (is_keyword(keyword, "format")) {
      read_format(rest, lines, header);
      has_format = true;
    } else if (is_keyword(keyword, "element")) {
      Element element;
      element.name = next_token(rest);
      element.where = lines.where();
      if (const std::string_view count = next_token(rest); !read_integer(count, element.count))
        refuse(lines.where(), excerpt(count) + " is no count of elements");
      header.elements.push_back(std::move(element));
    } else if (is_keyword(keyword, "property")) {
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
      refuse(element.where, "the header promises " + std::to_string(element.count) + " elements '" + element.name +
                                "', but only " + std::to_string(bytes_left) + " bytes are left for them");
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
    if (token_.empty()) refuse(lines_.where(token_), "this row has too few values", "write each row on one line");
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

/// Properties that may be coordinates, for a remedy: x, y and z where they are there, in any case, or else the first.
std::string some_columns(const std::vector<std::string>& names) {
  std::string found;
  for (const char axis : {'x', 'y', 'z'})
    for (const std::string& name : names)
      if (name.size() == 1 && lower(name[0]) == axis) found += (found.empty() ? "" : ",") + name;
  if (!found.empty()) return found;
  for (std::size_t i = 0; i < std::min<std::size_t>(names.size(), 3); ++i) found += (i > 0 ? "," : "") + names[i];
  return found;
}

/// Reads the vertices. Returns the index of each in the set (PointCollector::index_in_set()).
template <class Rows>
std::vector<std::uint32_t> read_vertices(Rows& rows, const Element& element, const std::string& file,
                                         const ReadOptions& options, DataSet& set) {
  // Lists cannot be chosen.
  std::vector<std::string> names;
  std::vector<std::size_t> column_of;  // [properties]
  for (const Property& p : element.properties) {
    column_of.push_back(names.size());
    if (!p.count_type) names.push_back(p.name);
  }
  const auto named = [&](const char* name) { return std::ranges::find(names, name) != names.end(); };
  if (options.columns.empty() && (!named("x") || !named("y")))
    refuse(element.where, "the vertices have no properties x, y, z (or x, y)",
           names.empty() ? "" : "choose some, such as columns=" + some_columns(names) + ", behind the file's name");
  const ColumnChoice columns =
      choose_columns(by_axes(options, named("z")), names, std::vector<bool>(names.size()), element.where);
  set.column_names = columns.names;
  const auto wanted = [&](std::size_t i) { return !element.properties[i].count_type && columns.wanted[column_of[i]]; };
  bool whole = true;
  for (std::size_t i = 0; i < column_of.size(); ++i)
    whole = whole && (!wanted(i) || is_integer(element.properties[i].type));
  check_point_count(element.where, element.count);
  PointCollector points(file, columns, whole ? ScalarType::int32 : ScalarType::float32, options);
  points.reserve(element.count);
  for (std::uint64_t row = 0; row < element.count; ++row) {
    rows.begin_row(element);
    for (std::size_t i = 0; i < column_of.size(); ++i) {
      const Property& p = element.properties[i];
      if (wanted(i))
        points.add(rows.number(p.type), [&] { return rows.where(); });
      else
        skip_property(rows, p);
    }
    rows.end_row();
  }
  points.finish(set);
  return points.index_in_set();
}

enum class ListOf { nothing, corners, strips, unknown };

bool is_one_of(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::ranges::any_of(names, [&](std::string_view each) { return is_keyword(name, each); });
}

bool lists_vertices(const Property& p) {
  return p.count_type && is_integer(p.type) &&
         is_one_of(p.name, {"vertex_indices", "vertex_index", "vertex_indexes", "vertex_idx", "vertexindices",
                            "vertexindex", "vertices", "vertex", "indices", "index"});
}

/// What a list holds, by the names of its element and of itself. Writers disagree about both.
ListOf list_of(const Element& element, const Property& p) {
  if (!p.count_type || !is_integer(p.type)) return ListOf::nothing;
  const bool faces = is_one_of(element.name, {"face", "faces", "triangle", "triangles", "polygon", "polygons"});
  const bool strips = is_one_of(element.name, {"tristrip", "tristrips", "triangle_strip", "triangle_strips"});
  if (lists_vertices(p)) return faces ? ListOf::corners : strips ? ListOf::strips : ListOf::unknown;
  // Faces may have lists besides that of their corners.
  return (faces || strips) && std::ranges::any_of(element.properties, lists_vertices) ? ListOf::nothing
                                                                                      : ListOf::unknown;
}

/// Reads the index of a vertex. In strips, -1 parts one from the next.
template <class Rows>
std::int64_t vertex_index(Rows& rows, const Property& list, std::uint64_t vertex_count, bool in_strip) {
  const std::int64_t index = rows.number(list.type).integer;
  if (in_strip && index == -1) return index;
  if (index < 0 || static_cast<std::uint64_t>(index) >= vertex_count)
    refuse(rows.where(),
           "a face names vertex " + std::to_string(index) + ", but there are " + std::to_string(vertex_count) +
               " (counted from 0)",
           rows.byte_order_hint(index, vertex_count));
  return index;
}

template <class Rows>
void read_polygon(Rows& rows, const Property& list, std::uint64_t vertex_count, TriangleCollector& triangles) {
  const std::uint64_t length = list_length(rows, list);
  if (length < 3)
    refuse(rows.where(), "a face has " + count_text(length, "vertex", "vertices"), "faces need 3 or more");
  triangles.begin_polygon();
  for (std::uint64_t i = 0; i < length; ++i)
    triangles.add_corner(static_cast<std::uint32_t>(vertex_index(rows, list, vertex_count, false)));
}

/// Reads strips: each vertex makes a triangle with the two before it, in turns one way round and the other.
template <class Rows>
void read_strips(Rows& rows, const Property& list, std::uint64_t vertex_count, TriangleCollector& triangles) {
  std::uint32_t before[2] = {};
  std::uint64_t in_strip = 0;
  for (std::uint64_t i = list_length(rows, list); i > 0; --i) {
    const std::int64_t index = vertex_index(rows, list, vertex_count, true);
    if (index < 0) {
      in_strip = 0;
      continue;
    }
    const auto vertex = static_cast<std::uint32_t>(index);
    // Vertices that repeat join strips; their triangles are none.
    const bool covers = in_strip >= 2 && vertex != before[0] && vertex != before[1] && before[0] != before[1];
    if (covers && in_strip % 2 == 0) triangles.add_triangle(before[0], before[1], vertex);
    if (covers && in_strip % 2 == 1) triangles.add_triangle(before[1], before[0], vertex);
    before[0] = before[1], before[1] = vertex;
    ++in_strip;
  }
}

/// Reads an element other than the vertices. Returns whether it has lists that may be faces and are not read.
template <class Rows>
bool read_faces(Rows& rows, const Element& element, std::uint64_t vertex_count, TriangleCollector& triangles) {
  std::vector<ListOf> holds;
  for (const Property& p : element.properties) holds.push_back(list_of(element, p));
  for (std::uint64_t row = 0; row < element.count; ++row) {
    rows.begin_row(element);
    for (std::size_t i = 0; i < holds.size(); ++i) {
      const Property& p = element.properties[i];
      if (holds[i] == ListOf::corners)
        read_polygon(rows, p, vertex_count, triangles);
      else if (holds[i] == ListOf::strips)
        read_strips(rows, p, vertex_count, triangles);
      else
        skip_property(rows, p);
    }
    rows.end_row();
  }
  return std::ranges::find(holds, ListOf::unknown) != holds.end();
}

template <class Rows>
DataSet read_elements(Rows& rows, const PlyHeader& header, const Element& vertices, const std::string& file,
                      const ReadOptions& options) {
  DataSet set;
  TriangleCollector triangles;
  std::vector<std::uint32_t> index_in_set;
  std::vector<std::string> warnings;
  for (const Element& element : header.elements) {
    if (&element == &vertices)
      index_in_set = read_vertices(rows, element, file, options, set);
    else if (read_faces(rows, element, vertices.count, triangles) && element.count > 0)
      warnings.push_back(element.where + ": " + std::to_string(element.count) +
                         (element.count == 1 ? " row" : " rows") + " of element " + element.name +
                         " with a list of whole numbers " + (element.count == 1 ? "is" : "are") +
                         " left out; if they are faces, name the element face and its list vertex_indices.");
  }
  rows.end_file();
  triangles.finish(file, index_in_set, set);
  set.warnings.insert(set.warnings.end(), warnings.begin(), warnings.end());
  return set;
}

}  // namespace

DataSet parse_ply(std::string_view bytes, const std::string& file, const ReadOptions& options) {
  LineScanner lines(bytes, file);
  const PlyHeader header = read_ply_header(lines);
  const auto vertices =
      std::ranges::find_if(header.elements, [](const Element& element) { return is_keyword(element.name, "vertex"); });
  if (vertices == header.elements.end()) refuse(lines.where(), "the header declares no element vertex");
  const std::size_t data = lines.data_offset();
  check_counts(header, bytes.size() - data);
  if (header.ascii) {
    TextRows rows(lines);
    return read_elements(rows, header, *vertices, file, options);
  }
  BinaryRows rows(bytes, data, header.order, file);
  return read_elements(rows, header, *vertices, file, options);
}

}  // namespace kdscope
