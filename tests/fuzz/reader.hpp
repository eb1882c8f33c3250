#pragma once
// Every reader of bytes from untrusted sources, with the properties of its results. The tests here, the program
// kdscope-trials and libFuzzer's program kdscope-fuzz run the same table.

#include <span>
#include <string>
#include <vector>

namespace kdscope::fuzz {

/// The outcome of reading some bytes.
struct Outcome {
  bool accepted = false;
  std::string unsound = {};  ///< what is wrong with the result, or with the message of a rejection; empty: nothing
};

struct Reader {
  const char* name;  ///< also the name of its folder in corpus/
  /// Reads a file's bytes and checks the result.
  Outcome (*read)(const std::string& bytes);
  /// Valid files.
  std::vector<std::string> (*seeds)();
};

/// All readers. Without HDF5 or yaml-cpp, the readers of their files reject everything and have no seeds.
std::span<const Reader> readers();

/// The files of tests/fuzz/corpus/NAME, sorted by name: seeds that no code here makes, and files that were once read
/// wrongly.
std::vector<std::string> corpus(const Reader& reader);

}  // namespace kdscope::fuzz
