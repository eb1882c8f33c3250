#pragma once
// Files that several threads read and write at offsets. Their size does not count as memory of this program.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

#include "algorithms/exec/parallel_ranges.hpp"

namespace kdscope::slabs {

/// An open file. All errors are thrown as ErrorException that names the file.
class DiskFile {
 public:
  /// Opens a file for reads. Errors: bad_input.
  static DiskFile reading(const std::string& path);
  /// Opens an existing file for reads and writes. name: how errors call it. Errors: io_failure.
  static DiskFile writing(const std::string& path, const std::string& name);
  /// Makes a file without a name in a folder, which ends with the program, however that ends, and takes room for so
  /// many bytes. Errors: io_failure.
  static DiskFile scratch(const std::string& folder, std::uint64_t bytes);
  /// The same in the machine's memory, of which the threads that write take the pages.
  static DiskFile scratch_in_memory();

  DiskFile(DiskFile&& other) noexcept;
  DiskFile& operator=(DiskFile&&) = delete;
  ~DiskFile();

  /// Takes room for `bytes` bytes now, where the file system can do that. Errors: io_failure.
  void reserve(std::uint64_t bytes);

  /// Reads or writes all elements from a byte on. Errors: io_failure; bad_input where the file has become shorter.
  template <class T>
  void read(std::uint64_t byte, std::span<T> to) const {
    read_bytes(byte, to.data(), to.size_bytes());
  }
  /// The same by all threads, for long runs: a copy from the page cache takes as long as one from memory.
  template <class T>
  void read_on_threads(std::uint64_t byte, std::span<T> to) const {
    constexpr std::size_t each = 65536;
    for_ranges(static_cast<std::uint32_t>((to.size() + each - 1) / each), [&](std::uint32_t begin, std::uint32_t end) {
      const std::size_t from = begin * each, behind = std::min(to.size(), end * each);
      read(byte + from * sizeof(T), to.subspan(from, behind - from));
    });
  }
  template <class T>
  void write(std::uint64_t byte, std::span<const T> from) {
    write_bytes(byte, from.data(), from.size_bytes());
  }

 private:
  DiskFile(std::string name, int descriptor) : name_(std::move(name)), descriptor_(descriptor) {}
  void read_bytes(std::uint64_t byte, void* to, std::size_t size) const;
  void write_bytes(std::uint64_t byte, const void* from, std::size_t size);
  [[noreturn]] void fail_to_write(int number) const;

  std::string name_;
  int descriptor_ = -1;
};

/// Returns the bytes that this user may still write to the file system of a folder; the largest number if that is
/// unknown.
std::uint64_t room_in(const std::string& folder);
/// Returns whether two folders lie on one file system.
bool share_a_disk(const std::string& folder, const std::string& other);

}  // namespace kdscope::slabs
