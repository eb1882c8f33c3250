#include "algorithms/trees/npy_array.hpp"

#include <charconv>

#include "algorithms/trees/csv_rows.hpp"

namespace kdscope::tree_files {
namespace {

constexpr std::string_view magic("\x93NUMPY\x01\x00", 8);

}  // namespace

std::uint64_t NpyArray::number_after(std::string_view before) const {
  const std::size_t found = header.find(before);
  if (found == header.npos) return 0;
  std::uint64_t value = 0;
  std::from_chars(header.data() + found + before.size(), header.data() + header.size(), value);
  return value;
}

void write_npy_header(std::ostream& out, std::string header) {
  header.append(63 - (magic.size() + 2 + header.size()) % 64, ' ');
  header += '\n';
  out << magic << static_cast<char>(header.size() & 255) << static_cast<char>(header.size() >> 8) << header;
}

NpyArray npy_array_at(std::string_view bytes, std::size_t at, const std::string& path) {
  const std::string_view rest = bytes.substr(at);
  if (rest.size() < 10 || rest.substr(0, 8) != magic)
    refuse(at == 0 ? "is no NPY file of version 1" : "there is no second array", npy_place(path, at));
  const std::size_t size = static_cast<unsigned char>(rest[8]) + 256u * static_cast<unsigned char>(rest[9]);
  if (rest.size() < 10 + size) refuse("the header is cut short", npy_place(path, bytes.size()));
  NpyArray array{std::string(rest.substr(10, size)), at + 10 + size};
  array.header.erase(array.header.find_last_not_of(" \n") + 1);
  return array;
}

std::string npy_place(const std::string& path, std::size_t byte) { return path + ", byte " + std::to_string(byte); }

}  // namespace kdscope::tree_files
