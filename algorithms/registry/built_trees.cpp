#include "algorithms/registry/built_trees.hpp"

#include <algorithm>

#include "algorithms/builders/builders.hpp"

namespace kdscope {

namespace {

const Builder* find(std::string_view algorithm) {
  const auto found = std::ranges::find(builders(), algorithm, [](const Builder* builder) { return builder->spec.id; });
  return found == builders().end() ? nullptr : *found;
}

}  // namespace

const TreeKind* built_tree_kind(std::string_view algorithm) {
  const Builder* builder = find(algorithm);
  return builder ? &builder->tree_kind() : nullptr;
}

bool reads_words_there_alone(std::string_view algorithm) {
  const Builder* builder = find(algorithm);
  return builder && !builder->check && !builder->key_loss && builder->tree_kind().id() == "left-balanced" &&
         std::ranges::none_of(builder->spec.parameters, &ParameterSpec::automatic);
}

}  // namespace kdscope
