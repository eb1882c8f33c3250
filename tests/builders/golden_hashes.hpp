#pragma once
// Reads the committed hashes of tests/golden: one case per line, with its hash as the last word.

#include <cstdint>
#include <fstream>
#include <map>
#include <string>

namespace kdscope::test {

inline std::string golden_path(const std::string& file) { return KDSCOPE_SOURCE_DIR "/tests/golden/" + file; }

/// Maps the name of each case, which may contain spaces, to its hash.
inline std::map<std::string, std::uint64_t> golden_hashes(const std::string& path) {
  std::map<std::string, std::uint64_t> hashes;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);)
    if (const auto end = line.rfind(' '); end != line.npos)
      hashes[line.substr(0, end)] = std::stoull(line.substr(end + 1), nullptr, 16);
  return hashes;
}

/// Compares trees with the committed hashes of their cases.
struct GoldenComparison {
  std::map<std::string, std::uint64_t> hashes;
  std::string differences = {};  ///< a line per case without a hash and per tree with another one

  /// `way` is how the tree of the case was built.
  void compare(const std::string& name, std::uint64_t hash, const std::string& way = "") {
    const auto wanted = hashes.find(name);
    if (wanted == hashes.end() || wanted->second != hash)
      differences += name + (wanted == hashes.end() ? ": no golden hash" : way) + "\n";
  }
};

}  // namespace kdscope::test
