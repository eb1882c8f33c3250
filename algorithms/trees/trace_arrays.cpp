#include "algorithms/trees/trace_arrays.hpp"

#include <cstring>
#include <limits>

#include "algorithms/core/error.hpp"

namespace kdscope::trace_arrays {
namespace {

/// Returns a split value as the word of a coordinate.
std::uint32_t split_word(double value, std::size_t node, const char* array, ScalarType type) {
  const bool whole = type == ScalarType::int32;
  const double most = whole ? std::numeric_limits<std::int32_t>::max() : std::numeric_limits<float>::max();
  const double least = whole ? std::numeric_limits<std::int32_t>::min() : -most;
  if (!(value >= least && value <= most)) no_tree(array, "element " + std::to_string(node) + " is no coordinate");
  return whole ? word_of(static_cast<std::int32_t>(value)) : word_of(static_cast<float>(value));
}

}  // namespace

void no_tree(const std::string& array, const std::string& what) {
  throw ErrorException({ErrorKind::failed_check, what, "array " + array, ""});
}

void no_such_point(const std::string& array, std::size_t element, std::uint32_t point, std::uint64_t n) {
  no_tree(array,
          "element " + std::to_string(element) + " names point " + std::to_string(point) + " of " + std::to_string(n));
}

std::vector<std::uint32_t> indices(const Cursor& end, const char* name, std::size_t size) {
  const auto values = elements<std::uint32_t>(end, name, size);
  return {values.begin(), values.end()};
}

std::vector<std::uint32_t> indices(const Cursor& end, const char* name) {
  const auto values = elements<std::uint32_t>(end, name);
  return {values.begin(), values.end()};
}

std::vector<std::uint32_t> coordinate_words(const Cursor& end, const char* name, std::size_t size) {
  const auto bytes = end.trace().header.scalar == ScalarType::int32
                         ? std::as_bytes(elements<std::int32_t>(end, name, size))
                         : std::as_bytes(elements<float>(end, name, size));
  std::vector<std::uint32_t> words(size);
  if (size > 0) std::memcpy(words.data(), bytes.data(), bytes.size());
  return words;
}

std::vector<std::uint32_t> split_words(const Cursor& end, const char* name, const std::vector<bool>& is_leaf) {
  const auto values = elements<double>(end, name, is_leaf.size());
  std::vector<std::uint32_t> words;
  for (std::size_t i = 0; i < is_leaf.size(); ++i)
    words.push_back(split_word(is_leaf[i] ? 0 : values[i], i, name, end.trace().header.scalar));
  return words;
}

PointSet points(const Cursor& end) {
  const TraceHeader& header = end.trace().header;
  const TypedArray* points = end.array(points_array);
  if (!points && header.n > 0) no_tree(points_array, "no step wrote it");
  PointSet input{header.scalar, header.dim, 0, std::vector<std::uint32_t>(points ? points->size() : 0)};
  if (!input.words.empty()) std::memcpy(input.words.data(), points->bytes().data(), points->bytes().size());
  return input;
}

}  // namespace kdscope::trace_arrays
