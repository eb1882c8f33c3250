#include "datasets/loaders/loaders.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <new>

#include "algorithms/core/available_memory.hpp"
#include "datasets/loaders/text_scan.hpp"

namespace kdscope {
namespace {

struct Reader {
  FileFormat format;
  const char* extension;
  DataSet (*parse)(std::string_view bytes, const std::string& file);
};

constexpr Reader readers[] = {
    {FileFormat::csv, ".csv", parse_csv}, {FileFormat::xyz, ".xyz", parse_xyz}, {FileFormat::npy, ".npy", parse_npy},
    {FileFormat::pcd, ".pcd", parse_pcd}, {FileFormat::ply, ".ply", parse_ply}, {FileFormat::obj, ".obj", parse_obj},
    {FileFormat::stl, ".stl", parse_stl},
};

std::string read_file(const std::string& path) {
  const auto fail = [&](std::string what) {
    throw ErrorException({ErrorKind::io_failure, std::move(what), path, "check the path and its permissions"});
  };
  std::error_code error;
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  if (error) fail("the file's size cannot be read: " + error.message());
  require_memory(size, path + ": the file's bytes");
  std::ifstream file(path, std::ios::binary);
  if (!file) fail(std::string("the file cannot be opened: ") + std::strerror(errno));
  std::string bytes(size, '\0');
  file.read(bytes.data(), static_cast<std::streamsize>(size));
  if (static_cast<std::uintmax_t>(file.gcount()) != size) fail("the file could not be read to its end");
  return bytes;
}

}  // namespace

Result<DataSet> parse_points(FileFormat format, std::string_view bytes, const std::string& file) try {
  const auto reader = std::ranges::find(readers, format, &Reader::format);
  if (bytes.empty()) refuse(file, "the file is empty");
  DataSet set = reader->parse(bytes, file);
  set.name = file;
  return set;
} catch (const ErrorException& e) {
  return e.error();
} catch (const std::bad_alloc&) {
  return Error{ErrorKind::out_of_memory, "the points do not fit in memory", file, "use a smaller file"};
}

Result<DataSet> load_points(const std::string& path) try {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error))
    refuse(path, "this is no regular file", "name a file with points");
  std::string extension = std::filesystem::path(path).extension().string();
  std::ranges::transform(extension, extension.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c; });
  const auto reader = std::ranges::find_if(readers, [&](const Reader& r) { return extension == r.extension; });
  if (reader == std::end(readers)) {
    std::string known;
    for (const Reader& r : readers) known += (known.empty() ? "" : ", ") + std::string(r.extension);
    refuse(path, "no format is known by the extension \"" + extension + "\"", "name the file with one of " + known);
  }
  return parse_points(reader->format, read_file(path), path);
} catch (const ErrorException& e) {
  return e.error();
} catch (const std::bad_alloc&) {
  return Error{ErrorKind::out_of_memory, "the file does not fit in memory", path, "use a smaller file"};
}

}  // namespace kdscope
