#pragma once
// The seal: the first 512 bytes of a trace file. They hold a line that identifies the file, its length, and a hash of
// all following bytes. HDF5 skips such a user block. The seal is checked before HDF5 reads the file, because HDF5
// itself may crash on damaged files.

#include <cstddef>
#include <string>
#include <utility>

#include "algorithms/core/error.hpp"

namespace kdscope {

/// Size of the seal at the beginning of a file, a size that HDF5 accepts for a user block.
inline constexpr std::size_t seal_bytes = 512;

/// Writes the seal of a finished file and waits until the file is on disk. Reads the file once.
Result<void> seal_file(const std::string& path);

/// A file descriptor that closes itself.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~Descriptor() { close(); }
  int number() const { return number_; }
  /// Closes the descriptor early.
  void close();

 private:
  int number_;
};

/// Opens a file for reading if it matches its seal. The error reports whether the file is no trace file, truncated or
/// damaged. Detects accidents, not forgeries. Reads the file once.
Result<Descriptor> open_sealed(const std::string& path);

}  // namespace kdscope
