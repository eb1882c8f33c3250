#pragma once
// Our own kernel sources, as the build found them: from a comment `[region wald/update_tags]` to the next
// `[endregion]`.

#include <span>
#include <string_view>

namespace kdscope {

struct SourceRegion {
  std::string_view name;  ///< what a step's code_anchor says
  std::string_view file;  ///< in the source tree
  int first_line;         ///< of the text in that file, from 1
  std::string_view text;
};

/// All regions of this program, in the order of their files. What ran for a trace stands in its header.
std::span<const SourceRegion> source_regions();

/// Null for an unknown name.
const SourceRegion* find_source_region(std::string_view name);

}  // namespace kdscope
