#pragma once
// The permitted contents of a trace file, which are checked from its metadata before any value is read.

#include <hdf5.h>

#include <cstdint>

namespace kdscope::hdf5 {

/// Upper bound of deflate's compression ratio, which reaches 1032. Bounds the size that a file may claim.
inline constexpr std::uint64_t best_compression = 1100;

/// Largest chunk, in bytes: twice the chunk size of the files that we write.
inline constexpr std::uint64_t most_chunk_bytes = 1 << 20;

/// The limits for a file.
struct StructureBounds {
  std::uint64_t file_bytes = 0;  ///< size of the file
  std::uint64_t most_bytes = 0;  ///< memory for all of its values
  bool variable_texts = false;   ///< whether texts may have variable length, as in formats before 5
};

/// Visits every object of a file without reading any value of a data set. Throws ErrorException, naming the object,
/// unless
/// - all links are hard links, no object is found twice, and no group lies deeper than /arrays/NAME;
/// - objects are groups and data sets with values in this file (no external storage, no virtual data sets), and there
///   are no more of them than a trace may have;
/// - data sets are texts or one of the six element types of arrays, attributes are texts or integers, filters are
///   shuffle and deflate, and chunks are at most most_chunk_bytes long;
/// - no data set claims more than deflate could compress into its stored bytes, and sums stay within the bounds.
/// Returns the number of bytes that all values take. Work O(objects).
std::uint64_t check_structure(hid_t file, const StructureBounds& bounds);

}  // namespace kdscope::hdf5
