#pragma once
// The text of a file as a whole, and what takes the place of a part of it.

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "tests/support/catch.hpp"

namespace kdscope::test {

inline std::string content_of(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

inline void put(const std::filesystem::path& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

/// Returns a text with its first `from`, which must be in it, replaced.
inline std::string replaced(std::string text, const std::string& from, const std::string& to) {
  INFO(from);
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

}  // namespace kdscope::test
