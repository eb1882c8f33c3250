#pragma once
// The values of a trace file that are read when they are first looked at. HDF5 finds the places of a column's chunks in
// a child process (trace_file_reader.cpp). Reading them needs no HDF5: a chunk is a deflated, shuffled piece of the
// column.

#include <sys/stat.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "algorithms/trace/file_seal.hpp"
#include "algorithms/trace/trace.hpp"
#include "algorithms/trace/trace_stream.hpp"

namespace kdscope {

/// A piece of a column in the file.
struct StoredChunk {
  std::uint64_t place = 0, bytes = 0;  ///< where it begins, and its length there
  bool shuffled = false, deflated = false;
};

/// The values of all versions of an array, in turn.
struct StoredColumn {
  ElementType type = ElementType::uint32;
  std::uint64_t size = 0;   ///< number of elements
  std::uint64_t chunk = 0;  ///< elements per chunk; the last one is filled up
  std::vector<StoredChunk> chunks;
};

// clang-format off
template <class Io> void fields(Io& io, StoredChunk& c) { io(c.place, c.bytes, c.shuffled, c.deflated); }
template <class Io> void fields(Io& io, StoredColumn& c) { io(c.type, c.size, c.chunk, c.chunks); }
// clang-format on

/// Returns whether this build can read chunks, that is, whether zlib was found when it was built.
bool stored_values_available();

/// Reads values from an open file. Places are elements of the columns. Nothing in the file is trusted. Its seal was
/// checked when it was opened; a file that was written into since then is refused. A file that was replaced by another
/// of its name still has its values.
class StoredValues : public trace_stream::ValueSource {
 public:
  StoredValues(Descriptor file, std::string path);
  /// Sets the columns, one per array; arrays whose values are in memory have empty ones. Throws ErrorException of kind
  /// bad_input if they do not fit the file.
  void set_columns(std::vector<StoredColumn> columns);
  void read(std::uint32_t array, std::uint64_t place, TypedArray& values) const override;

 private:
  void read_bytes(std::uint64_t place, std::span<std::byte> bytes) const;
  std::vector<std::byte> chunk_of(const StoredColumn& column, const StoredChunk& chunk) const;

  Descriptor file_;
  std::string path_;
  struct stat opened_ {};
  std::vector<StoredColumn> columns_;
};

}  // namespace kdscope
