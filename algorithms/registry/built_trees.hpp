#pragma once
// What kind of tree a builder makes, known before it builds one.

#include <string_view>

#include "algorithms/trees/tree.hpp"

namespace kdscope {

/// Returns the kind of the trees that a builder makes; null if there is no such builder.
const TreeKind* built_tree_kind(std::string_view algorithm);

/// Whether a CUDA build reads no word of the points on the host: it checks none, and its tree refers to none.
bool reads_words_there_alone(std::string_view algorithm);

}  // namespace kdscope
