#pragma once
// Finds the first node in which two recorded runs' trees differ. No Qt.

#include <memory>
#include <string>

#include "algorithms/trace/trace.hpp"

namespace kdscope {

/// Returns the first difference of the trees at the ends of two traces, by the tables that a file of a tree has:
/// "node 3: original_index is 5 instead of 7". Says so if the variant's last step holds no tree. Returns an empty text
/// if the trees are equal, or if the kind of a tree is unknown. Work O(n).
std::string tree_difference(const std::shared_ptr<const Trace>& original, const std::shared_ptr<const Trace>& variant);

}  // namespace kdscope
