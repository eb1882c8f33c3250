#include "walkthroughs/reader/gallery.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>

#include "walkthroughs/reader/lesson.hpp"

namespace kdscope {
namespace {

namespace fs = std::filesystem;
constexpr std::uintmax_t largest_file = 1 << 20;

}  // namespace

Result<GalleryEntry> read_gallery_entry(const std::string& path) {
  std::error_code failed;
  const auto size = fs::file_size(path, failed);
  std::ifstream file(path, std::ios::binary);
  if (failed || !file) return Error{ErrorKind::io_failure, "cannot be read", path, "check the file"};
  if (size > largest_file) return Error{ErrorKind::bad_input, "is larger than 1 MiB", path, "shorten the story"};
  return parse_gallery_entry({std::istreambuf_iterator<char>(file), {}}, path);
}

Gallery read_gallery(const std::string& folder) {
  Gallery gallery;
  std::error_code failed;
  std::vector<fs::path> paths;
  for (auto file = fs::directory_iterator(folder, failed); !failed && file != fs::directory_iterator();
       file.increment(failed))
    if (file->path().extension() == ".md") paths.push_back(file->path());
  if (failed)
    gallery.problems.push_back({ErrorKind::bad_input, "the gallery cannot be read: " + failed.message(), folder,
                                "set KDSCOPE_LESSONS to the folder of the lessons, which holds it"});
  std::sort(paths.begin(), paths.end());
  for (const fs::path& path : paths) {
    auto entry = read_gallery_entry(path.string());
    if (entry)
      gallery.entries.push_back(std::move(*entry));
    else
      gallery.problems.push_back(entry.error());
  }
  // Exercises of one publication stand together.
  std::stable_sort(gallery.entries.begin(), gallery.entries.end(),
                   [](const GalleryEntry& a, const GalleryEntry& b) { return a.source < b.source; });
  return gallery;
}

std::string gallery_folder() { return (fs::path(lessons_folder()) / gallery_name).string(); }

std::optional<std::string> with_fix(const std::string& text, const GalleryEntry::Fix& fix) {
  const std::size_t at = text.find(fix.wrong);
  if (fix.wrong.empty() || at == std::string::npos || text.find(fix.wrong, at + 1) != std::string::npos)
    return std::nullopt;
  if (std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n') + 1 != fix.line)
    return std::nullopt;
  std::string fixed = text;
  return fixed.replace(at, fix.wrong.size(), fix.right);
}

}  // namespace kdscope
