#include "datasets/loaders/loaders.hpp"

#include <algorithm>
#include <filesystem>
#include <new>

#include "algorithms/core/available_memory.hpp"
#include "algorithms/core/caught.hpp"
#include "algorithms/core/input_file.hpp"
#include "datasets/loaders/text_scan.hpp"
#include "datasets/loaders/utf16.hpp"

namespace kdscope {
namespace {

struct Reader {
  FileFormat format;
  const char* extension;
  DataSet (*parse)(std::string_view bytes, const std::string& file, const ReadOptions& options);
};

constexpr Reader readers[] = {
    {FileFormat::csv, ".csv", parse_csv}, {FileFormat::xyz, ".xyz", parse_xyz},
#if !defined(KDSCOPE_COMPACT)  // pages read text, and the shipped sets
    {FileFormat::npy, ".npy", parse_npy}, {FileFormat::pcd, ".pcd", parse_pcd},
#endif
    {FileFormat::ply, ".ply", parse_ply}, {FileFormat::obj, ".obj", parse_obj},
#if !defined(KDSCOPE_COMPACT)
    {FileFormat::stl, ".stl", parse_stl},
#endif
};

/// Whether a file of that format can begin so; its reader decides the rest.
bool may_begin(FileFormat format, std::string_view bytes) {
  switch (format) {
    case FileFormat::npy:
      return bytes.starts_with("\x93NUMPY");
    case FileFormat::ply:
      if (bytes.starts_with(byte_order_mark)) bytes.remove_prefix(byte_order_mark.size());
      return is_keyword(bytes.substr(0, 3), "ply");
    case FileFormat::pcd:
      return bytes.front() != '\0';  // numbers may follow the header as bytes
    case FileFormat::stl:
      return true;  // a binary one may begin with anything
    case FileFormat::csv:
    case FileFormat::xyz:
    case FileFormat::obj:
      return bytes.find('\0') == std::string_view::npos;
  }
  return true;
}

/// Refuses options that a format does not know.
void check_options(FileFormat format, const ReadOptions& options, const std::string& file) {
  if (format == FileFormat::csv || format == FileFormat::xyz) return;
  for (const auto& [name, given] :
       {std::pair{"header", options.header.has_value()}, {"separator", options.separator.has_value()}})
    if (given)
      refuse(file, std::string("parameter ") + name + " is for CSV and XYZ files",
             std::string("leave ") + name + " out");
}

}  // namespace

Result<DataSet> parse_points(FileFormat format, std::string_view bytes, const std::string& file,
                             const ReadOptions& options) try {
  const auto reader = std::ranges::find(readers, format, &Reader::format);
  if (reader == std::end(readers)) refuse(file, "this build does not read the format", "use a CSV file");
  check_options(format, options, file);
  if (bytes.empty()) refuse(file, "the file is empty");
  std::string decoded;
  if (format != FileFormat::npy && is_utf16(bytes, format == FileFormat::stl ? "solid" : "")) {
    require_memory(bytes.size() + bytes.size() / 2, file + ": the text");
    decoded = utf8_of_utf16(bytes, file);
    bytes = decoded;
    if (bytes.empty()) refuse(file, "the file is empty");
  }
  DataSet set = reader->parse(bytes, file, options);
  set.name = file;
  return set;
} catch (const ErrorException& e) {
  return e.error();
} catch (const std::bad_alloc&) {
  return Error{ErrorKind::out_of_memory, "the points do not fit in memory", file, "use a smaller file"};
}

Result<DataSet> load_points(const std::string& path, const ReadOptions& options) try {
  const auto file = value_of(InputFile::open(path));
  std::string extension = std::filesystem::path(path).extension().string();
  std::ranges::transform(extension, extension.begin(), lower);
  const auto reader = std::ranges::find_if(readers, [&](const Reader& r) { return extension == r.extension; });
  if (reader == std::end(readers)) {
    std::string known;
    for (const Reader& r : readers) known += (known.empty() ? "" : ", ") + std::string(r.extension);
    refuse(path, "no format is known by the extension \"" + extension + "\"", "name the file with one of " + known);
  }
  const auto begin = value_of(file.read_beginning());
  if (!begin.empty() && !is_utf16(begin, "") && !may_begin(reader->format, begin)) {
    const bool is_text =
        reader->format == FileFormat::csv || reader->format == FileFormat::xyz || reader->format == FileFormat::obj;
    if (is_text)
      refuse(path, "byte " + std::to_string(begin.find('\0')) + " is 0, which no text holds",
             "remove it, or give the file the extension of its format");
    return parse_points(reader->format, begin, path, options);  // which finds the fault
  }
  require_memory(file.size(), path + ": the file's bytes");
  return parse_points(reader->format, value_of(file.read()), path, options);
} catch (const ErrorException& e) {
  return e.error();
} catch (const std::bad_alloc&) {
  return Error{ErrorKind::out_of_memory, "the file does not fit in memory", path, "use a smaller file"};
}

}  // namespace kdscope
