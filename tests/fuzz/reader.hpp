#pragma once
// Every reader of bytes from untrusted sources, and the properties of its results. The tests in this folder, the
// program kdscope-trials and libFuzzer's program kdscope-fuzz run the same table.

#include <span>
#include <string>
#include <vector>

namespace kdscope::fuzz {

/// The outcome of reading some bytes.
struct Outcome {
  bool accepted = false;
  std::string unsound = {};  ///< what is wrong with the result or the message of a rejection; empty if sound
};

struct Reader {
  const char* name;  ///< also the name of its folder in corpus/
  /// Reads a file's bytes and checks the result.
  Outcome (*read)(const std::string& bytes);
  /// Returns valid files.
  std::vector<std::string> (*seeds)();
};

/// Returns all readers. Without HDF5 or yaml-cpp, the readers of their files reject everything and have no seeds.
std::span<const Reader> readers();

/// Returns the files of tests/fuzz/corpus/NAME, sorted by name: seeds that no code here makes, and files that were once
/// read wrongly.
std::vector<std::string> corpus(const Reader& reader);

}  // namespace kdscope::fuzz
