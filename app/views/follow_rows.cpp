#include "app/views/follow_rows.hpp"

#include <algorithm>

namespace kdscope {

int scrolled_to_work(const ArrayTable& table, int value, int head, int row_height, int page) {
  const auto [from, to] = table.written_rows();
  const auto [begin, end] = table.written_rows(false);
  if (begin == 0) return value;
  const auto at_top = [&](std::size_t row) { return (static_cast<int>(row) - 1) * row_height; };
  const auto at_bottom = [&](std::size_t last) { return head + (static_cast<int>(last) - 1) * row_height - page; };
  if (at_bottom(to) <= at_top(from)) return std::clamp(value, at_bottom(to), at_top(from));
  return to > end ? at_top(begin) : std::min(at_bottom(end), at_top(begin));
}

}  // namespace kdscope
