#include "algorithms/trees/tree_file.hpp"

#include <filesystem>
#include <fstream>

#include "algorithms/core/available_memory.hpp"
#include "algorithms/core/input_file.hpp"
#include "algorithms/core/replaced_file.hpp"
#include "algorithms/trees/csv_rows.hpp"
#include "algorithms/trees/npy_array.hpp"

namespace kdscope {
namespace {

Tree read_csv(std::string_view text, const std::string& path) {
  tree_files::CsvRows rows(text, path);
  rows.next();
  for (const TreeKind* kind : tree_kinds())
    if (kind->begins(rows)) return kind->read(rows);
  tree_files::refuse("the first row is not that of a tree file", rows.place(0),
                     "its columns are original_index, split_dimension and the coordinates, a column node in front where slots may "
                     "be empty, as kdscope-cli build --tree-out writes them");
}

Tree read_npy(std::string_view bytes, const std::string& path) {
  const tree_files::NpyArray first = tree_files::npy_array_at(bytes, 0, path);
  for (const TreeKind* kind : tree_kinds())
    if (kind->begins(first)) return kind->read(first, bytes, path);
  tree_files::refuse("the array is no tree", tree_files::npy_place(path, 10), "name a file that kdscope-cli build --tree-out wrote");
}

}  // namespace

Result<TreeFormat> tree_format_of(const std::string& path) {
  const std::string ending = std::filesystem::path(path).extension().string();
  if (ending == ".csv") return TreeFormat::csv;
  if (ending == ".npy") return TreeFormat::npy;
  return Error{ErrorKind::bad_usage, "a tree file ends in .csv or .npy", path, "choose one of these endings"};
}

Result<void> write_tree(const Tree& tree, const std::string& path) {
  const auto format = tree_format_of(path);
  if (!format) return format.error();
  Result<ReplacedFile> file = ReplacedFile::begin(path);
  if (!file) return file.error();
  std::ofstream out(file->temporary(), std::ios::binary);
  tree.kind().write(tree, *format, out);
  out.close();
  if (out) return file->keep();
  return Error{ErrorKind::io_failure, "cannot be written", path,
               "check the folder, its permissions and the space left"};
}

Result<Tree> read_tree(const std::string& path) {
  const auto format = tree_format_of(path);
  if (!format) return format.error();
  const Result<InputFile> file = InputFile::open(path);
  if (!file) return file.error();
  const auto read = *format == TreeFormat::csv ? read_csv : read_npy;
  try {
    const Result<std::string> begin = file->read_beginning();
    if (!begin) return begin.error();
    if (*format == TreeFormat::npy ? !begin->starts_with("\x93NUMPY") : begin->find('\0') != std::string::npos)
      return read(*begin, path);
    require_memory(file->size(), path + ": the file's bytes");
    const Result<std::string> bytes = file->read();
    if (!bytes) return bytes.error();
    return read(*bytes, path);
  } catch (const ErrorException& e) {
    return e.error();
  }
}

}  // namespace kdscope
