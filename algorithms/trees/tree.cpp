#include "algorithms/trees/tree.hpp"

namespace kdscope {

const TreeKind* find_tree_kind(std::string_view id) {
  for (const TreeKind* kind : tree_kinds())
    if (kind->id() == id) return kind;
  return nullptr;
}

}  // namespace kdscope
