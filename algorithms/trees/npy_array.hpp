#pragma once
// Headers of NPY arrays (version 1): writes them, and finds them in a file, which may hold several arrays in sequence.

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

/// Writes the header, padded to 64 bytes.
void write_npy_header(std::ostream& out, std::string header);
/// Rejects (refuse() in csv_rows.hpp) bytes that are no header.
NpyArray npy_array_at(std::string_view bytes, std::size_t at, const std::string& path);
/// "tree.npy, byte 128".
std::string npy_place(const std::string& path, std::size_t byte);

}  // namespace kdscope::tree_files
