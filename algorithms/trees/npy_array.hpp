#pragma once
// Writes headers of NPY arrays (version 1), and finds them in a file, which may hold several arrays in sequence.

#include <cstdint>
#include <ostream>
#include <string>
#include <string_view>

namespace kdscope::tree_files {

/// An array that begins at a byte of a file.
struct NpyArray {
  std::string header;     ///< the dictionary, without padding
  std::size_t begin = 0;  ///< byte of the first row
  /// Returns the number that follows a text in the header; 0 if there is none.
  std::uint64_t number_after(std::string_view before) const;
};

/// A file with arrays.
struct NpyFile {
  std::string_view bytes;
  const std::string& path;
};

/// Writes the header, padded to 64 bytes.
void write_npy_header(std::ostream& out, std::string header);
/// Finds the header of an array. Rejects bytes that are not a header (refuse() in csv_rows.hpp).
NpyArray npy_array_at(std::string_view bytes, std::size_t at, const std::string& path);
/// Returns a place in a file: "tree.npy, byte 128".
std::string npy_place(const std::string& path, std::size_t byte);

}  // namespace kdscope::tree_files
