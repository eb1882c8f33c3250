#include "algorithms/trace/stored_values.hpp"

#include <unistd.h>

#ifdef KDSCOPE_HAS_ZLIB
#include <zlib.h>
#endif

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "algorithms/trace/trace_structure.hpp"

namespace kdscope {
namespace {

[[noreturn]] void refuse_column(const std::string& path) {
  throw ErrorException({ErrorKind::bad_input, "holds values at other places than it lists", path,
                        "record it again, or ask for another copy"});
}

/// Expands a deflated piece. Returns false if that does not give exactly the bytes of `expanded`.
bool inflate(std::span<const std::byte> deflated, std::span<std::byte> expanded) {
#ifdef KDSCOPE_HAS_ZLIB
  uLongf size = expanded.size();
  return ::uncompress(reinterpret_cast<Bytef*>(expanded.data()), &size, reinterpret_cast<const Bytef*>(deflated.data()),
                      deflated.size()) == Z_OK &&
         size == expanded.size();
#else
  return deflated.empty() && expanded.empty();
#endif
}

/// Reverses HDF5's shuffle: the first bytes of all elements come first, then the second bytes of all.
std::vector<std::byte> unshuffled(const std::vector<std::byte>& bytes, std::size_t width) {
  const std::size_t count = bytes.size() / width;
  std::vector<std::byte> elements(bytes.size());
  for (std::size_t b = 0; b < width; ++b)
    for (std::size_t i = 0; i < count; ++i) elements[i * width + b] = bytes[b * count + i];
  return elements;
}

}  // namespace

bool stored_values_available() {
#ifdef KDSCOPE_HAS_ZLIB
  return true;
#else
  return false;
#endif
}

StoredValues::StoredValues(Descriptor file, std::string path) : file_(std::move(file)), path_(std::move(path)) {
  ::fstat(file_.number(), &opened_);
}

void StoredValues::set_columns(std::vector<StoredColumn> columns) {
  const auto file_bytes = static_cast<std::uint64_t>(opened_.st_size);
  for (const StoredColumn& column : columns) {
    if (column.size == 0) continue;
    if (column.chunk == 0 || column.chunk > hdf5::most_chunk_bytes / size_of(column.type) ||
        column.chunks.size() != (column.size - 1) / column.chunk + 1)
      refuse_column(path_);
    const std::uint64_t whole = column.chunk * size_of(column.type);
    for (const StoredChunk& chunk : column.chunks)
      if (chunk.place > file_bytes || chunk.bytes > file_bytes - chunk.place ||
          (!chunk.deflated && chunk.bytes != whole))
        refuse_column(path_);
  }
  columns_ = std::move(columns);
}

void StoredValues::read_bytes(std::uint64_t place, std::span<std::byte> bytes) const {
  for (std::size_t filled = 0; filled < bytes.size();) {
    const ssize_t got =
        ::pread(file_.number(), bytes.data() + filled, bytes.size() - filled, static_cast<off_t>(place + filled));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0)
      throw ErrorException({ErrorKind::io_failure,
                            std::string("cannot be read any more") +
                                (got < 0 ? " (" + std::string(std::strerror(errno)) + ")" : ": it was cut short"),
                            path_, "what was read so far is still here; open it again"});
    filled += static_cast<std::size_t>(got);
  }
}

std::vector<std::byte> StoredValues::chunk_of(const StoredColumn& column, const StoredChunk& chunk) const {
  const std::size_t width = size_of(column.type);
  std::vector<std::byte> bytes(chunk.bytes);
  read_bytes(chunk.place, bytes);
  if (chunk.deflated) {
    std::vector<std::byte> expanded(column.chunk * width);
    if (!inflate(bytes, expanded)) refuse_column(path_);
    bytes = std::move(expanded);
  }
  return chunk.shuffled ? unshuffled(bytes, width) : bytes;
}

void StoredValues::read(std::uint32_t array, std::uint64_t place, TypedArray& values) const {
  if (values.size() == 0) return;
  struct stat now {};
  if (::fstat(file_.number(), &now) != 0 || now.st_size != opened_.st_size ||
      now.st_mtim.tv_sec != opened_.st_mtim.tv_sec || now.st_mtim.tv_nsec != opened_.st_mtim.tv_nsec)
    throw ErrorException({ErrorKind::bad_input, "was changed while it was open", path_,
                          "what was read so far is still here; open it again"});
  const std::uint64_t size = array < columns_.size() ? columns_[array].size : 0;
  if (size == 0 || columns_[array].type != values.type() || place > size || values.size() > size - place)
    refuse_column(path_);
  const StoredColumn& column = columns_[array];
  const std::size_t width = size_of(column.type);
  std::byte* to = values.bytes().data();
  for (std::uint64_t at = place, end = place + values.size(); at < end;) {
    const std::uint64_t chunk = at / column.chunk, begin = chunk * column.chunk,
                        stop = std::min(end, begin + column.chunk);
    const std::vector<std::byte> elements = chunk_of(column, column.chunks[chunk]);
    to = std::copy_n(elements.data() + (at - begin) * width, (stop - at) * width, to);
    at = stop;
  }
}

}  // namespace kdscope
