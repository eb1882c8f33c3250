#pragma once
// What a step shows while a trace is recorded, and the parts that all builders write in the same way.

#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "algorithms/core/check_result.hpp"
#include "algorithms/core/ids.hpp"
#include "algorithms/core/points.hpp"
#include "algorithms/trace/array_def.hpp"
#include "algorithms/trace/trace.hpp"

namespace kdscope {

/// The open step of a trace, to which presenters write the arrays after the step, highlights, checks and a title.
class StepWriter {
 public:
  explicit StepWriter(TraceBuilder& trace) : trace_(trace) {}
  /// Sets an array's contents after the step, in the declared element type.
  template <class T, class Contents>
  void wrote(const ArrayDef<T>& array, const Contents& contents) {
    trace_.write(array.decl.name, typed<T>(contents));
  }
  /// Sets the contents of the array of one dimension.
  template <class T, class Contents>
  void wrote(const ArrayDef<T>& array, std::uint32_t dim, const Contents& contents) {
    trace_.write(array_name(array.decl.name, dim, trace_.header().dim), typed<T>(contents));
  }
  void highlight(Highlight h) { trace_.highlight(std::move(h)); }
  void check(CheckResult result) { trace_.current_step().checks.push_back(std::move(result)); }
  /// Returns the title for display, initially the title of the step's label.
  std::string& title() { return trace_.current_step().title; }
  std::string& phase() { return trace_.current_step().phase; }
  /// Records that the step launched `blocks` blocks of `lanes` lanes.
  void launched(std::uint64_t blocks, std::uint64_t lanes) {
    trace_.current_step().grid = blocks, trace_.current_step().block = lanes;
  }

 private:
  template <class T, class Contents>
  static TypedArray typed(const Contents& contents) {
    if constexpr (std::is_same_v<T, Coordinate>) {
      return contents;  // they have the type of the trace's points
    } else {
      const std::span values(contents);
      static_assert(
          ElementTypeOf<std::remove_const_t<typename decltype(values)::element_type>>::value == ElementTypeOf<T>::value,
          "the array is declared with another element type");
      return TypedArray::of(values);
    }
  }

  TraceBuilder& trace_;
};

/// Returns the contents of the standard array of coordinates (points_array), in the points' own type, without payload
/// words.
TypedArray coordinates_of(const PointSet& points);

/// The standard arrays of trace.hpp as constants.
namespace arrays {
inline constexpr ArrayDef<Coordinate> points{{.name = points_array,
                                              .index = Space::point,
                                              .values = Space::coordinate,
                                              .components = Components::per_dimension,
                                              .shown_as_row = false,
                                              .dimensions = {{{"point"}, {"dimension"}}}}};
inline constexpr ArrayDef<std::uint32_t> triangles{{.name = triangles_array,
                                                    .index = Space::triangle,
                                                    .values = Space::point,
                                                    .components = Components::corners,
                                                    .shown_as_row = false,
                                                    .dimensions = {{{"triangle"}, {"corner"}}}}};
/// data[i].x, data[i].y, ...: the coordinates in the order of an array named "index".
inline constexpr ArrayDef<Coordinate> data{
    {.name = "data[i].%", .values = Space::coordinate, .gather = {points_array, "index"}}};
}  // namespace arrays

}  // namespace kdscope
