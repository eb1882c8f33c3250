// STL: facets of three corners each; equal corners are made one vertex, in order of first appearance.

#include <bit>
#include <vector>

#include "algorithms/core/available_memory.hpp"
#include "algorithms/core/hash.hpp"
#include "algorithms/core/ids.hpp"
#include "algorithms/text/quotes.hpp"
#include "datasets/loaders/loaders.hpp"
#include "datasets/loaders/point_collector.hpp"
#include "datasets/loaders/triangle_collector.hpp"

namespace kdscope {
namespace {

constexpr std::size_t binary_header = 84, binary_facet = 50;

/// Makes a mesh with shared vertices from the corners of a list of facets, -0.0 and 0.0 counted as equal.
DataSet merged(PointCollector& collected, const ColumnChoice& columns, const std::string& file) {
  DataSet set;
  collected.finish(set);
  TriangleCollector facets;
  for (std::uint32_t corner = 0; corner < collected.count(); corner += 3)
    facets.add_triangle(corner, corner + 1, corner + 2);
  facets.finish(file, collected.index_in_set(), set);
  const PointSet corners = std::move(set.points);
  const std::uint32_t dim = corners.dim;
  set.points = PointSet{corners.type, dim, 0, {}};
  const PointsView all = view_of(corners);
  const auto key = [&](std::uint32_t corner, std::uint32_t d) { return all.key(corner, d); };

  // An open-addressed table of the first corner at each position; a corner that is no vertex yet gets the next number.
  std::vector<std::uint32_t> first_corner(std::bit_ceil(2 * corners.size()), no_id), vertex_of(corners.size());
  std::uint32_t vertices = 0;
  for (std::uint32_t corner = 0; corner < all.n; ++corner) {
    std::uint64_t slot = 0;
    for (std::uint32_t d = 0; d < dim; ++d) slot = mix64(slot + key(corner, d));
    for (;; ++slot) {
      std::uint32_t& other = first_corner[slot & (first_corner.size() - 1)];
      if (other == no_id) {
        other = corner;
        vertex_of[corner] = vertices++;
        for (std::uint32_t d = 0; d < dim; ++d) set.points.words.push_back(all.word(corner, d));
        break;
      }
      bool equal = true;
      for (std::uint32_t d = 0; d < dim; ++d) equal = equal && key(other, d) == key(corner, d);
      if (equal) {
        vertex_of[corner] = vertex_of[other];
        break;
      }
    }
  }
  for (std::uint32_t& corner : set.triangles) corner = vertex_of[corner];
  set.column_names = columns.names;
  return set;
}

std::uint64_t facets_promised(std::string_view bytes) {
  return load_value<std::uint32_t>(&bytes[80], std::endian::little);
}

/// Where the facets of a binary file begin. Some writers put attribute bytes behind a facet and count them in its last
/// two bytes; most use these for a colour, and have no bytes behind the facet.
std::vector<std::size_t> facet_offsets(std::string_view bytes, std::uint64_t facets, const std::string& file) {
  std::vector<std::size_t> offsets;
  const std::size_t end = binary_header + facets * binary_facet;
  std::size_t at = binary_header;
  bool has_attributes = false;
  if (bytes.size() != end)
    for (std::uint64_t facet = 0; facet < facets && at + binary_facet <= bytes.size(); ++facet) {
      offsets.push_back(at);
      const std::size_t attributes = load_value<std::uint16_t>(&bytes[at + binary_facet - 2], std::endian::little);
      has_attributes = has_attributes || attributes > 0;
      at += binary_facet + attributes;
    }
  if (has_attributes && offsets.size() == facets && at == bytes.size()) return offsets;
  if (has_attributes)
    refuse(byte_position(file, end),
           std::to_string(bytes.size() - end) + " bytes follow " + std::to_string(facets) +
               " facets of 50 bytes, and the facets count other attribute bytes behind them",
           "save the file without attributes");
  refuse_trailing_bytes(bytes, end, file);
  offsets.clear();
  for (std::uint64_t facet = 0; facet < facets; ++facet) offsets.push_back(binary_header + facet * binary_facet);
  return offsets;
}

DataSet read_binary(std::string_view bytes, const std::string& file, const ColumnChoice& columns,
                    const ReadOptions& options) {
  const std::uint64_t facets = facets_promised(bytes), bytes_left = bytes.size() - binary_header;
  if (facets > bytes_left / binary_facet) {
    const bool swapped = __builtin_bswap32(static_cast<std::uint32_t>(facets)) == bytes_left / binary_facet;
    refuse(byte_position(file, 80),
           "the header promises " + std::to_string(facets) + " facets of 50 bytes, but only " +
               std::to_string(bytes_left) + " bytes follow it",
           swapped ? "the bytes seem to be in big-endian order, which STL does not know" : "");
  }
  require_memory(facets * sizeof(std::size_t), file + ": the facets");
  PointCollector corners(file, columns, ScalarType::float32, options);
  corners.reserve(3 * facets);
  for (const std::size_t begin : facet_offsets(bytes, facets, file))
    for (std::size_t value = 3; value < 12; ++value) {  // behind the normal
      if (!columns.wanted[value % 3]) continue;
      const std::size_t at = begin + value * sizeof(float);
      corners.add(load_value<float>(&bytes[at], std::endian::little), [&] { return byte_position(file, at); });
    }
  return merged(corners, columns, file);
}

/// Reads the grammar of ascii STL word by word, over line ends.
class TextFacets {
 public:
  TextFacets(std::string_view bytes, const std::string& file, const ColumnChoice& columns, const ReadOptions& options)
      : lines_(bytes, file), columns_(columns), corners_(file, columns, ScalarType::float32, options, bytes) {}

  DataSet read(const std::string& file) {
    while (next_word()) {
      expect_this("solid");
      rest_ = {};  // the name
      while (next_word() && is_keyword(word_, "facet")) read_facet();
      expect_this_end("solid");
      rest_ = {};
    }
    if (corners_.count() == 0) refuse(file, "the file has no facets");
    return merged(corners_, columns_, file);
  }

 private:
  bool next_word() {
    while ((word_ = next_token(rest_)).empty())
      if (!lines_.next(rest_)) return false;
    return true;
  }
  void expect_this(std::string_view keyword) {
    if (word_.empty()) refuse(lines_.where(), "the file ends where \"" + std::string(keyword) + "\" is missing");
    if (!is_keyword(word_, keyword))
      refuse(lines_.where(word_), excerpt(word_) + " stands where \"" + std::string(keyword) + "\" is missing");
  }
  void expect(std::string_view keyword) {
    next_word();
    expect_this(keyword);
  }
  /// "endloop", or "end loop", as some writers print it.
  void expect_this_end(const std::string& of) {
    if (is_keyword(word_, "end"))
      expect(of);
    else
      expect_this("end" + of);
  }
  void expect_end(const std::string& of) {
    next_word();
    expect_this_end(of);
  }
  void number(std::string_view what) {
    if (!next_word()) expect_this(what);
  }
  void read_facet() {
    const auto where = [&] { return lines_.where(word_); };
    expect("normal");
    for (int i = 0; i < 3; ++i) {
      number("a normal");
      read_typed(word_, NumberType::float64, where);
    }
    expect("outer");
    expect("loop");
    for (int corner = 0; corner < 3; ++corner) {
      expect("vertex");
      for (std::size_t d = 0; d < 3; ++d) {
        number("a coordinate");
        if (columns_.wanted[d])
          corners_.add(word_, where);
        else
          read_typed(word_, NumberType::float64, where);
      }
    }
    expect_end("loop");
    expect_end("facet");
  }

  LineScanner lines_;
  const ColumnChoice& columns_;
  PointCollector corners_;
  std::string_view rest_, word_;
};

/// Whether a text begins with "solid", in any case, behind blanks and empty lines.
bool begins_with_solid(std::string_view bytes) {
  if (bytes.starts_with(byte_order_mark)) bytes.remove_prefix(byte_order_mark.size());
  const std::size_t begin = bytes.find_first_not_of(" \t\r\n");
  return begin != bytes.npos && is_keyword(bytes.substr(begin, 5), "solid");
}

}  // namespace

DataSet parse_stl(std::string_view bytes, const std::string& file, const ReadOptions& options) {
  const ColumnChoice columns = choose_columns(options, {"x", "y", "z"}, {true, true, true}, file);
  // Binary files may begin with "solid" too; what they cannot lack are zero bytes, or their exact length.
  const bool exact =
      bytes.size() >= binary_header && facets_promised(bytes) * binary_facet + binary_header == bytes.size();
  const bool text = begins_with_solid(bytes.substr(0, 512)) && bytes.substr(0, 512).find('\0') == bytes.npos;
  if (text && !exact) return TextFacets(bytes, file, columns, options).read(file);
  if (bytes.size() < binary_header)
    refuse(byte_position(file, bytes.size()),
           "the file is neither ascii STL (it does not begin with \"solid\") nor long "
           "enough for binary STL");
  return read_binary(bytes, file, columns, options);
}

}  // namespace kdscope
