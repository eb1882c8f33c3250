#pragma once
// YAML from strangers. A few bytes can name a tree without end (yaml-cpp 0.7 reads documents for ever behind a lone
// ','), or one of gigabytes (aliases), so every reader of this program takes its documents from here.

#include <yaml-cpp/yaml.h>

#include <string>

namespace kdscope {

/// Largest document that is read. yaml-cpp needs up to 250 bytes of memory per byte of text before it reports anything.
struct YamlBounds {
  std::size_t bytes = 1 << 20;
  std::size_t nodes = 250'000;  ///< keys, values and containers
  int depth = 32;
};

/// Reads a text as exactly one YAML document without anchors and aliases, which no file of this program has. The bounds
/// are checked while the text is parsed, before any node is made. Throws YAML::Exception with the place and a clause.
/// Work and memory O(bytes).
YAML::Node read_yaml(const std::string& text, const YamlBounds& bounds = {});

}  // namespace kdscope
