// Wavefront OBJ: of its statements, v and f are read; those that carry no geometry are skipped.

#include <algorithm>

#include "algorithms/text/quotes.hpp"
#include "datasets/loaders/loaders.hpp"
#include "datasets/loaders/point_collector.hpp"
#include "datasets/loaders/triangle_collector.hpp"

namespace kdscope {
namespace {

constexpr std::string_view skipped_keywords[] = {"vt", "vn", "vp", "g",      "o",      "s",   "usemtl",
                                                 "l",  "p",  "mg", "mtllib", "usemap", "lod", "maplib"};

/// Reads a whole file; keeps what later lines may refer to.
class ObjReader {
 public:
  ObjReader(std::string_view bytes, const std::string& file)
      : lines_(bytes, file), file_(file), points_(file, 3, ScalarType::float32, bytes) {}

  DataSet read() {
    for (std::string_view line; lines_.next(line);) {
      line = line.substr(0, line.find('#'));
      const std::string_view keyword = next_token(line);
      if (keyword.empty()) continue;
      if (keyword == "v")
        read_vertex(line);
      else if (keyword == "f")
        read_face(line);
      else if (std::ranges::find(skipped_keywords, keyword) == std::end(skipped_keywords))
        refuse(lines_.where(keyword), excerpt(keyword) + " is no OBJ statement that is read here");
      // A statement that is continued on the next line would otherwise be read as two.
      if (line.ends_with('\\'))
        refuse(lines_.where(line.substr(line.size() - 1)), "lines that continue on the next are not read",
               "join the lines");
    }
    if (points_.count() == 0) refuse(file_, "the file has no vertices");
    if (largest_ > points_.count()) refuse_index(largest_where_, static_cast<std::int64_t>(largest_));
    DataSet set;
    points_.finish(set);
    set.triangles = triangles_.take();
    set.column_names = {"x", "y", "z"};
    return set;
  }

 private:
  /// x y z, then perhaps a weight or a colour.
  void read_vertex(std::string_view rest) {
    int values = 0;
    for (std::string_view token; !(token = next_token(rest)).empty(); ++values) {
      const auto where = [&] { return lines_.where(token); };
      if (values < 3)
        points_.add(token, where);
      else
        read_typed(token, NumberType::float64, where);
    }
    if (values < 3 || values > 7)
      refuse(lines_.where(), "a vertex has " + std::to_string(values) + " values", "it needs x, y and z");
  }

  void read_face(std::string_view rest) {
    triangles_.begin_polygon();
    for (std::string_view token; !(token = next_token(rest)).empty();) triangles_.add_corner(vertex_of(token));
    if (triangles_.corners() < 3)
      refuse(lines_.where(), "a face has " + std::to_string(triangles_.corners()) + " vertices",
             "faces need 3 or more");
  }

  /// The vertex of a corner: v, v/vt, v//vn or v/vt/vn; from 1, or negative from the last vertex so far backwards.
  std::uint32_t vertex_of(std::string_view corner) {
    std::int64_t index = 0;
    std::size_t parts = 0;
    for (std::string_view rest = corner; parts == 0 || !rest.empty(); ++parts) {
      const std::string_view part = rest.substr(0, rest.find('/'));
      // Only the texture index may be left out, and only where a normal follows.
      const bool left_out = parts == 1 && part.empty() && rest.size() > 1;
      std::int64_t number = 0;
      if (parts == 3 || (!left_out && (!read_integer(part, number) || number == 0)))
        refuse(lines_.where(corner), excerpt(corner) + " is no corner of a face",
               "write v, v/vt, v//vn or v/vt/vn, counted from 1");
      if (parts == 0) index = number;
      rest.remove_prefix(std::min(rest.size(), part.size() + 1));
      if (rest.empty() && corner.ends_with('/'))
        refuse(lines_.where(corner), excerpt(corner) + " ends with a slash", "write v, v/vt, v//vn or v/vt/vn");
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
  std::string file_;
  PointCollector points_;
  TriangleCollector triangles_;
  std::uint64_t largest_ = 0;  ///< vertex that a face names ahead of its line, from 1
  std::string largest_where_;
};

}  // namespace

DataSet parse_obj(std::string_view bytes, const std::string& file) { return ObjReader(bytes, file).read(); }

}  // namespace kdscope
