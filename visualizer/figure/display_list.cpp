#include "visualizer/figure/display_list.hpp"

#include <cmath>

namespace kdscope {

const DisplayItem* DisplayList::circle(std::uint32_t id) const {
  for (const DisplayItem& item : items)
    if (item.shape == DisplayItem::Shape::circle && item.id == id) return &item;
  return nullptr;
}

std::optional<std::uint32_t> DisplayList::hit(double x, double y, double reach) const {
  std::optional<std::uint32_t> best;
  for (const DisplayItem& item : items)
    if (item.shape == DisplayItem::Shape::circle && item.id) {
      const double distance = std::hypot(item.at[0] - x, item.at[1] - y);
      if (distance < reach) reach = distance, best = item.id;
    }
  return best;
}

double text_width(std::string_view text, double line_height, bool bold) {
  double width = 0;
  for (const char letter : text)
    if ((letter & 0xc0) != 0x80)  // one for every character of UTF-8
      width += letter == '.' || letter == ' ' || letter == 'i' || letter == 'l' ? 0.29
               : letter == 'm' || letter == 'w'                                 ? 0.8
                                                                                : 0.55;
  return width * line_height * (bold ? 1.1 : 1);
}

}  // namespace kdscope
