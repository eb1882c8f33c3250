#include "algorithms/trace/absent_values.hpp"

#include <cmath>

namespace kdscope {

bool says_nothing(const ArrayInfo& info, ElementType type, double value) {
  const bool measures =
      info.value_space == Space::key || info.value_space == Space::coordinate || info.value_space == Space::split_value;
  return std::isnan(value) || (type == ElementType::uint32 && !measures && value == static_cast<double>(no_id));
}

bool says_nothing(const Cursor& cursor, std::string_view row, std::uint64_t index) {
  const Trace::Array* array = cursor.trace().find(row);
  // A derived element whose index names none of its source's: of a chunk whose owner has no result yet.
  if (array && array->info.gather && index < cursor.row_size(row) && cursor.text(row, index).empty()) return true;
  const Trace::Array* source = array && array->info.gather ? cursor.trace().find(array->info.gather->source) : array;
  return source && says_nothing(array->info, source->info.type, cursor.number(row, index));
}

}  // namespace kdscope
