#pragma once
// Arrays as typed constants. A builder declares each array once. The same constant declares the array in the trace and
// identifies it in every step that writes it.
//
//   inline constexpr ArrayDef<NodeId> tags{{.name = "tags", .values = Space::node}};
//   inline constexpr ArrayDef<PointId> sequence{
//       {.name = "sequence(%)", .values = Space::point, .by_dimension = true}};
//
//   ArrayList list(header);                        // the arrays of the trace
//   list.add(tags).add_each_dimension(sequence);   // sequence(x), sequence(y), ...
//   step.wrote(tags, tag_of_position);             // vectors of other types do not compile
//   step.wrote(sequence, d, order);

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "algorithms/trace/coordinate_names.hpp"
#include "algorithms/trace/trace.hpp"

namespace kdscope {

/// The element type of coordinate arrays, which is the scalar type of the trace's points.
struct Coordinate;

/// The number of components per index, and their meaning.
enum class Components : std::uint8_t {
  one,
  per_dimension,  ///< k
  children,       ///< 2: left, right
  box,            ///< 2k: k lower ends, then k upper ends
  corners         ///< 3, the corners of a triangle
};

/// A row that is not stored: source[through[i]], in the component of the row's own dimension or in a given component.
struct GatherDef {
  const char* source = nullptr;
  const char* through = nullptr;
  std::uint32_t component = no_id;  ///< no_id: the row's own dimension
};

/// One dimension of a multi-dimensional array; see ArrayDimension.
struct DimensionDef {
  const char* name = nullptr;
  const char* row = nullptr;  ///< null: the name
  bool from_least = false;
};

/// The declaration of an array except its element type. In all names, '%' stands for the name of a coordinate (x) and
/// '#' for its number. A declaration with one of them describes one array per dimension.
struct ArrayDecl {
  const char* name = nullptr;
  Space index = Space::position;
  Space values = Space::none;
  Components components = Components::one;
  const char* label = nullptr;  ///< null: same as the name
  bool shown_as_row = true;
  bool by_dimension = false;  ///< whether positions are in the order of the array's own dimension
  GatherDef gather = {};
  const char* order = nullptr;  ///< this and the following members: see ArrayInfo
  const char* owner = nullptr;
  const char* offsets = nullptr;
  Side side = Side::none;
  std::array<DimensionDef, 3> dimensions = {};
};

/// An array with elements of type T in a trace of k dimensions.
template <class T>
struct ArrayDef {
  ArrayDecl decl;

  /// Returns the same array with values of another space, for arrays whose space depends on the run.
  constexpr ArrayDef with_values(Space space) const {
    ArrayDef other = *this;
    other.decl.values = space;
    return other;
  }
};

/// Returns a name with its coordinate filled in: "order(x)".
std::string array_name(const char* pattern, std::uint32_t dim, std::uint32_t k);

/// Returns the name of an array in traces of k dimensions. dim: the array's dimension, if there is one array per
/// dimension.
template <class T>
std::string name_of(const ArrayDef<T>& array, std::uint32_t dim, std::uint32_t k) {
  return array_name(array.decl.name, dim, k);
}
template <class T>
std::vector<std::string> names_of(const ArrayDef<T>& array, std::uint32_t k) {
  std::vector<std::string> names;
  for (std::uint32_t dim = 0; dim < k; ++dim) names.push_back(name_of(array, dim, k));
  return names;
}

/// The arrays of a trace, in the order in which views list them.
class ArrayList {
 public:
  explicit ArrayList(const TraceHeader& header) : header_(header) {}

  template <class... T>
  ArrayList& add(const ArrayDef<T>&... arrays) {
    (infos_.push_back(info(arrays)), ...);
    return *this;
  }
  /// Adds one array per dimension for each definition.
  template <class... T>
  ArrayList& add_each_dimension(const ArrayDef<T>&... arrays) {
    for (std::uint32_t d = 0; d < header_.dim; ++d) (infos_.push_back(info(arrays, d)), ...);
    return *this;
  }
  const std::vector<ArrayInfo>& infos() const { return infos_; }

  const TraceHeader& header() const { return header_; }
  /// Describes one array without adding it to the list. dim: the array's dimension, if there is one array per
  /// dimension.
  template <class T>
  ArrayInfo info(const ArrayDef<T>& array, std::uint32_t dim = 0) const {
    ElementType type;
    if constexpr (std::is_same_v<T, Coordinate>)
      type = header_.scalar == ScalarType::int32 ? ElementType::int32 : ElementType::float32;
    else
      type = ElementTypeOf<T>::value;
    return info(array.decl, type, dim);
  }

 private:
  ArrayInfo info(const ArrayDecl& array, ElementType type, std::uint32_t dim) const;
  const TraceHeader& header_;
  std::vector<ArrayInfo> infos_;
};

}  // namespace kdscope
