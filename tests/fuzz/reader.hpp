#pragma once
// Every reader of bytes that a stranger may have written, with what must hold of its results. The tests here, the
// program kdscope-trials and the program kdscope-fuzz of libFuzzer run the same table.

#include <span>
#include <string>
#include <vector>

namespace kdscope::fuzz {

/// What became of some bytes.
struct Outcome {
  bool accepted = false;
  std::string unsound = {};  ///< what is wrong with the result, or with the message of a refusal; empty: nothing
};

struct Reader {
  const char* name;  ///< and of its folder in corpus/
  /// Reads a file's bytes and checks the result.
  Outcome (*read)(const std::string& bytes);
  /// Whole files that are accepted.
  std::vector<std::string> (*seeds)();
};

/// Without HDF5 or yaml-cpp, those of their files refuse everything and have no seeds.
std::span<const Reader> readers();

/// The files of tests/fuzz/corpus/NAME, sorted by name: seeds that no code here makes, and files that once were read
/// wrongly.
std::vector<std::string> corpus(const Reader& reader);

}  // namespace kdscope::fuzz
