#pragma once
// Makes the bytes of small files for the loader tests.

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string>

/// Appends values in a chosen byte order.
class FileBytes {
 public:
  explicit FileBytes(std::string text = {}, std::endian order = std::endian::little)
      : bytes_(std::move(text)), order_(order) {}

  template <class Value>
  FileBytes& add(Value value) {
    char raw[sizeof(Value)];
    std::memcpy(raw, &value, sizeof(Value));
    if (order_ != std::endian::native) std::reverse(raw, raw + sizeof(Value));
    bytes_.append(raw, sizeof(Value));
    return *this;
  }
  template <class Value, class... More>
  FileBytes& add(Value first, More... more) {
    return add(first).add(more...);
  }
  const std::string& str() const { return bytes_; }

 private:
  std::string bytes_;
  std::endian order_;
};

/// Returns an NPY file of version 1 with this dictionary, padded as numpy pads it.
inline FileBytes npy_file(std::string dictionary, int version = 1, std::endian order = std::endian::little) {
  dictionary += '\n';
  FileBytes file(std::string("\x93NUMPY"));
  file.add(static_cast<std::uint8_t>(version), std::uint8_t{0});
  if (version == 1)
    file.add(static_cast<std::uint16_t>(dictionary.size()));
  else
    file.add(static_cast<std::uint32_t>(dictionary.size()));
  return FileBytes(file.str() + dictionary, order);
}
