// Wavefront OBJ: of its statements, v and f are read; those that carry no geometry are skipped.

#include <algorithm>
#include <span>

#include "algorithms/text/counts.hpp"
#include "algorithms/text/quotes.hpp"
#include "datasets/loaders/loaders.hpp"
#include "datasets/loaders/point_collector.hpp"
#include "datasets/loaders/triangle_collector.hpp"

namespace kdscope {
namespace {

constexpr std::string_view skipped_keywords[] = {
    "vt",     "vn",  "vp",     "g",     "o",        "s",        "usemtl",     "l",         "p",     "mg",   "mtllib",
    "usemap", "lod", "maplib", "bevel", "c_interp", "d_interp", "shadow_obj", "trace_obj", "ctech", "stech"};

/// Of curves and surfaces.
constexpr std::string_view curve_keywords[] = {"cstype", "deg",  "bmat", "step", "curv", "curv2", "surf",
                                               "parm",   "trim", "hole", "scrv", "sp",   "end",   "con"};

bool is_among(std::string_view word, std::span<const std::string_view> keywords) {
  return std::ranges::any_of(keywords, [&](std::string_view known) { return is_keyword(word, known); });
}

/// Reads a whole file; keeps what later lines may refer to.
class ObjReader {
 public:
  ObjReader(std::string_view bytes, const std::string& file, const ReadOptions& options)
      : lines_(bytes, file),
        file_(file),
        columns_(choose_columns(options, {"x", "y", "z"}, {true, true, true}, file)),
        points_(file, columns_, ScalarType::float32, options, bytes) {}

  DataSet read() {
    while (lines_.next(rest_)) {
      rest_ = rest_.substr(0, rest_.find('#'));
      const std::string_view keyword = next_word();
      if (keyword.empty()) continue;
      if (is_keyword(keyword, "v"))
        read_vertex();
      else if (is_keyword(keyword, "f"))
        read_face();
      else if (!is_among(keyword, skipped_keywords))
        refuse(lines_.where(keyword), excerpt(keyword) + " is no OBJ statement that is read here",
               is_among(keyword, curve_keywords) ? "save curves and surfaces as polygons"
                                                 : "remove it, or let a comment begin with #");
      while (!next_word().empty()) continue;
    }
    if (points_.count() == 0) refuse(file_, "the file has no vertices");
    if (largest_ > points_.count()) refuse_index(largest_where_, static_cast<std::int64_t>(largest_));
    DataSet set;
    set.column_names = columns_.names;
    points_.finish(set);
    triangles_.finish(file_, points_.index_in_set(), set);
    return set;
  }

 private:
  /// The next word of a statement, empty at its end. A backslash at the end of a line continues the statement on the
  /// next.
  std::string_view next_word() {
    for (;;) {
      std::string_view word = next_token(rest_);
      if (!word.ends_with('\\') || !trimmed(rest_).empty()) return word;
      if (lines_.next(rest_))
        rest_ = rest_.substr(0, rest_.find('#'));
      else
        rest_ = {};
      word.remove_suffix(1);
      if (!word.empty() || rest_.empty()) return word;
    }
  }

  /// x y z, then perhaps a weight or a colour.
  void read_vertex() {
    std::size_t values = 0;
    for (std::string_view token; !(token = next_word()).empty(); ++values) {
      const auto where = [&] { return lines_.where(token); };
      if (values < 3 && columns_.wanted[values])
        points_.add(token, where);
      else
        read_typed(token, NumberType::float64, where);
    }
    if (values < 3 || values > 7)
      refuse(lines_.where(), "a vertex has " + count_text(values, "value", "values"),
             values < 3 ? "it needs x, y and z" : "it may have x, y, z, a weight, and a colour");
  }

  void read_face() {
    triangles_.begin_polygon();
    for (std::string_view token; !(token = next_word()).empty();) triangles_.add_corner(vertex_of(token));
    if (triangles_.corners() < 3)
      refuse(lines_.where(), "a face has " + count_text(triangles_.corners(), "vertex", "vertices"),
             "faces need 3 or more");
  }

  /// The vertex of a corner: v, v/vt, v//vn or v/vt/vn, where writers also leave out the numbers behind a slash; from
  /// 1, or negative from the last vertex so far backwards.
  std::uint32_t vertex_of(std::string_view corner) {
    std::int64_t index = 0;
    std::size_t parts = 0;
    for (std::string_view rest = corner; parts == 0 || !rest.empty(); ++parts) {
      const std::string_view part = rest.substr(0, rest.find('/'));
      std::int64_t number = 0;
      const bool left_out = parts > 0 && part.empty();
      if (std::ranges::count(corner, '/') > 2 || (!left_out && (!read_integer(part, number) || number == 0)))
        refuse(lines_.where(corner), excerpt(corner) + " is no corner of a face",
               "write v, v/vt, v//vn or v/vt/vn, counted from 1");
      if (parts == 0) index = number;
      rest.remove_prefix(std::min(rest.size(), part.size() + 1));
    }
    if (index < 0) {
      if (index < -static_cast<std::int64_t>(points_.count())) refuse_index(lines_.where(corner), index);
      return static_cast<std::uint32_t>(static_cast<std::int64_t>(points_.count()) + index);
    }
    // Later lines may still bring the vertex.
    if (const auto vertex = static_cast<std::uint64_t>(index); vertex > points_.count() && vertex > largest_) {
      largest_ = vertex;
      largest_where_ = lines_.where(corner);
    }
    return static_cast<std::uint32_t>(index - 1);
  }

  [[noreturn]] void refuse_index(const std::string& where, std::int64_t index) const {
    refuse(where, "a face names vertex " + std::to_string(index) + ", but there are " +
                      std::to_string(points_.count()) + (index < 0 ? " so far" : " (counted from 1)"));
  }

  LineScanner lines_;
  std::string_view rest_;  ///< of the current line
  std::string file_;
  ColumnChoice columns_;
  PointCollector points_;
  TriangleCollector triangles_;
  std::uint64_t largest_ = 0;  ///< vertex that a face names ahead of its line, from 1
  std::string largest_where_;
};

}  // namespace

DataSet parse_obj(std::string_view bytes, const std::string& file, const ReadOptions& options) {
  return ObjReader(bytes, file, options).read();
}

}  // namespace kdscope
