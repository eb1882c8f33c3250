// STL: facets of three corners each; equal corners are made one vertex, in order of first appearance.

#include <bit>
#include <vector>

#include "algorithms/core/hash.hpp"
#include "algorithms/core/ids.hpp"
#include "algorithms/text/quotes.hpp"
#include "datasets/loaders/loaders.hpp"
#include "datasets/loaders/point_collector.hpp"

namespace kdscope {
namespace {

constexpr std::size_t binary_header = 84, binary_facet = 50;

/// Makes a mesh with shared vertices from the corners of a list of facets, -0.0 and 0.0 counted as equal.
DataSet merged(PointCollector& collected) {
  DataSet set;
  collected.finish(set);
  const PointSet corners = std::move(set.points);
  set.points = PointSet{corners.type, 3, 0, {}};
  const PointsView all = view_of(corners);
  const auto key = [&](std::uint32_t corner, std::uint32_t d) { return all.key(corner, d); };

  // An open-addressed table of the first corner at each position; a corner that is no vertex yet gets the next number.
  std::vector<std::uint32_t> first_corner(std::bit_ceil(2 * corners.size()), no_id), vertex_of(corners.size());
  std::uint32_t vertices = 0;
  for (std::uint32_t corner = 0; corner < all.n; ++corner) {
    std::uint64_t slot = mix64(mix64(key(corner, 0) | std::uint64_t{key(corner, 1)} << 32) + key(corner, 2));
    for (;; ++slot) {
      std::uint32_t& other = first_corner[slot & (first_corner.size() - 1)];
      if (other == no_id) {
        other = corner;
        vertex_of[corner] = vertices++;
        for (std::uint32_t d = 0; d < 3; ++d) set.points.words.push_back(all.word(corner, d));
        break;
      }
      if (key(other, 0) == key(corner, 0) && key(other, 1) == key(corner, 1) && key(other, 2) == key(corner, 2)) {
        vertex_of[corner] = vertex_of[other];
        break;
      }
    }
  }
  set.triangles = std::move(vertex_of);
  set.column_names = {"x", "y", "z"};
  return set;
}

std::uint64_t facets_promised(std::string_view bytes) {
  return load_value<std::uint32_t>(&bytes[80], std::endian::little);
}

DataSet read_binary(std::string_view bytes, const std::string& file) {
  const std::uint64_t facets = facets_promised(bytes), bytes_left = bytes.size() - binary_header;
  if (facets > bytes_left / binary_facet) {
    const bool swapped = __builtin_bswap32(static_cast<std::uint32_t>(facets)) == bytes_left / binary_facet;
    refuse(byte_position(file, 80),
           "the header promises " + std::to_string(facets) + " facets of 50 bytes, but only " +
               std::to_string(bytes_left) + " bytes follow it",
           swapped ? "the bytes seem to be in big-endian order, which STL does not know" : "");
  }
  refuse_trailing_bytes(bytes, binary_header + facets * binary_facet, file);
  PointCollector corners(file, 3, ScalarType::float32);
  corners.reserve(3 * facets);
  for (std::uint64_t facet = 0; facet < facets; ++facet)
    for (std::size_t value = 3; value < 12; ++value) {  // behind the normal
      const std::size_t at = binary_header + facet * binary_facet + value * sizeof(float);
      corners.add(load_value<float>(&bytes[at], std::endian::little), [&] { return byte_position(file, at); });
    }
  return merged(corners);
}

/// Reads the grammar of ascii STL word by word, over line ends.
class TextFacets {
 public:
  TextFacets(std::string_view bytes, const std::string& file)
      : lines_(bytes, file), corners_(file, 3, ScalarType::float32, bytes) {}

  DataSet read(const std::string& file) {
    while (next_word()) {
      expect_this("solid");
      rest_ = {};  // the name
      while (next_word() && word_ == "facet") read_facet();
      expect_this("endsolid");
      rest_ = {};
    }
    if (corners_.count() == 0) refuse(file, "the file has no facets");
    return merged(corners_);
  }

 private:
  bool next_word() {
    while ((word_ = next_token(rest_)).empty())
      if (!lines_.next(rest_)) return false;
    return true;
  }
  void expect_this(std::string_view keyword) {
    if (word_.empty()) refuse(lines_.where(), "the file ends where \"" + std::string(keyword) + "\" is missing");
    if (word_ != keyword)
      refuse(lines_.where(word_), excerpt(word_) + " stands where \"" + std::string(keyword) + "\" is missing");
  }
  void expect(std::string_view keyword) {
    next_word();
    expect_this(keyword);
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
      for (int d = 0; d < 3; ++d) {
        number("a coordinate");
        corners_.add(word_, where);
      }
    }
    expect("endloop");
    expect("endfacet");
  }

  LineScanner lines_;
  PointCollector corners_;
  std::string_view rest_, word_;
};

}  // namespace

DataSet parse_stl(std::string_view bytes, const std::string& file) {
  // Binary files may begin with "solid" too; what they cannot lack are zero bytes, or their exact length.
  const bool exact =
      bytes.size() >= binary_header && facets_promised(bytes) * binary_facet + binary_header == bytes.size();
  const bool text = trimmed(bytes.substr(0, 64)).starts_with("solid") && bytes.substr(0, 512).find('\0') == bytes.npos;
  if (text && !exact) return TextFacets(bytes, file).read(file);
  if (bytes.size() < binary_header)
    refuse(byte_position(file, bytes.size()),
           "the file is neither ascii STL (it does not begin with \"solid\") nor long "
           "enough for binary STL");
  return read_binary(bytes, file);
}

}  // namespace kdscope
