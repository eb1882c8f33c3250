#pragma once
// Display lists as JSON, for painter.js. Parts that several lists share are stored once.

#include <span>
#include <string>

#include "visualizer/figure/display_list.hpp"
#include "visualizer/web/baked_text.hpp"
#include "visualizer/web/page_colours.hpp"

namespace kdscope {

class BakedLists {
 public:
  std::string bake_list(const DisplayList& list);
  /// Adds the parts that lists share as members.
  void add_parts(JsonObject& page) const;
  const PageColours& colours() const { return colours_; }

 protected:
  std::size_t bake_look(const DisplayInk& ink, Glyph glyph, bool faint);

  PageColours colours_;
  Pool texts_, mark_lists_, clouds_;

 private:
  /// Where items stand, in hundredths of a pixel, and their look.
  struct Placed {
    std::int64_t left = 0, top = 0, id = -1;
    std::size_t look = 0;
    std::string text = {};
  };
  Placed place(std::span<const DisplayItem> items);
  std::string bake_item(const DisplayItem& item, std::int64_t left, std::int64_t top, bool own_text);

  Pool looks_, runs_, marks_;
};

}  // namespace kdscope
