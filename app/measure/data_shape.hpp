#pragma once
// What the specification of a data set states about it, before it is opened, and specifications with placeholders.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "datasets/data_form.hpp"

namespace kdscope {

/// Number of points, or of triangles for sources of triangles, and dimensions.
struct DataShape {
  std::uint64_t n = 0;
  std::uint32_t dim = 3;
};

/// The shape that a specification of a data source gives by its parameters. Empty for files, and n is 0 if no parameter
/// gives it. Throws ErrorException if a parameter is wrong.
std::optional<DataShape> shape_from_parameters(const std::string& specification);

/// Replaces every placeholder such as "{n}" in a text.
std::string replaced(std::string text, std::string_view placeholder, const std::string& value);

}  // namespace kdscope
