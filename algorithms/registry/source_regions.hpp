#pragma once
// The marked regions of our kernel sources at build time: each region extends from a comment
// `[region wald/update_tags]` to the next `[endregion]`.

#include <span>
#include <string_view>

namespace kdscope {

struct SourceRegion {
  std::string_view name;  ///< the code_anchor of the region's steps
  std::string_view file;  ///< path in the source tree
  int first_line;         ///< line of the text's beginning in that file, from 1
  std::string_view text;
};

/// Returns all regions of this program in the order of their files. A trace's header holds those that its own run
/// executed.
std::span<const SourceRegion> source_regions();

/// Finds a region by its name. Returns null for an unknown name.
const SourceRegion* find_source_region(std::string_view name);

/// Only in the engine of pages, which begins without the texts of its regions: takes them, joined in their order. `all`
/// must stay.
void give_source_texts(const char* all);

}  // namespace kdscope
