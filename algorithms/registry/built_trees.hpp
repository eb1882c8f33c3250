#pragma once
// What kind of tree a builder makes, known before it builds one.

#include <string_view>

#include "algorithms/trees/tree.hpp"

namespace kdscope {

/// Returns the kind of the trees that a builder makes; null if there is no such builder.
const TreeKind* built_tree_kind(std::string_view algorithm);

}  // namespace kdscope
