#include "algorithms/registry/built_trees.hpp"

#include "algorithms/builders/builders.hpp"

namespace kdscope {

const TreeKind* built_tree_kind(std::string_view algorithm) {
  for (const Builder* builder : builders())
    if (builder->spec.id == algorithm) return &builder->tree_kind();
  return nullptr;
}

}  // namespace kdscope
