#include "algorithms/trees/tree_file.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <streambuf>

#include "algorithms/core/available_memory.hpp"
#include "algorithms/core/caught.hpp"
#include "algorithms/core/input_file.hpp"
#include "algorithms/core/replaced_file.hpp"
#include "algorithms/text/printable_text.hpp"
#include "algorithms/trees/csv_rows.hpp"
#include "algorithms/trees/left_balanced/tree.hpp"
#include "algorithms/trees/median_stores/file.hpp"
#include "algorithms/trees/node_rows.hpp"
#include "algorithms/trees/npy_array.hpp"

namespace kdscope {
namespace {

Tree read_csv(std::string_view text, const std::string& path) {
  tree_files::CsvRows rows(text, path);
  rows.next();
  for (const TreeKind* kind : tree_kinds())
    if (kind->begins(rows)) return kind->read(rows);
  tree_files::refuse(
      "the first row is not that of a tree file", rows.place(0),
      "its columns are original_index, split_dimension and the coordinates, a column node in front where slots may "
      "be empty, as kdscope-cli build --tree-out writes them");
}

Tree read_npy(std::string_view bytes, const std::string& path) {
  const tree_files::NpyArray first = tree_files::npy_array_at(bytes, 0, path);
  for (const TreeKind* kind : tree_kinds())
    if (kind->begins(first)) return kind->read(first, bytes, path);
  tree_files::refuse("the array is no tree", tree_files::npy_place(path, 10),
                     "name a file that kdscope-cli build --tree-out wrote");
}

/// Compares written output with bytes, and fails at the first difference. Lines of a CSV file may have the line ends of
/// other systems, and the last line end may be missing.
class Comparison : public std::streambuf {
 public:
  Comparison(std::string_view bytes, TreeFormat format) : bytes_(bytes), csv_(format == TreeFormat::csv) {}

  /// Describes the place and the contents of the first difference; empty if there is none. Call this after all output
  /// was written.
  std::string difference() const {
    if (!differs_ && at_ == bytes_.size()) return "";
    if (!csv_) return "byte " + std::to_string(at_);
    const std::string_view before = bytes_.substr(0, field_begin_), line = before.substr(before.rfind('\n') + 1);
    const auto quoted = [](std::string_view field) {
      constexpr std::size_t longest = 40;
      return "'" + printable(field.substr(0, longest)) + (field.size() > longest ? "...'" : "'");
    };
    const std::string_view rest = bytes_.substr(field_begin_);
    return "line " + std::to_string(1 + std::ranges::count(before, '\n')) + ", field " +
           std::to_string(1 + std::ranges::count(line, ',')) + ", is " +
           quoted(rest.substr(0, rest.find_first_of(",\r\n"))) + ", not " + quoted(written_);
  }

 protected:
  std::streamsize xsputn(const char* text, std::streamsize size) override {
    std::streamsize i = 0;
    while (i < size && take(text[i])) ++i;
    return i;
  }
  int_type overflow(int_type c) override { return take(traits_type::to_char_type(c)) ? c : traits_type::eof(); }

 private:
  bool take(char c) {
    const bool ends_field = csv_ && (c == ',' || c == '\n');
    if (differs_) {
      // Complete the field for the message.
      if (csv_ && !ends_field) written_ += c;
      return csv_ && !ends_field;
    }
    if (csv_ && c == '\n') {
      if (at_ == bytes_.size()) return true;
      if (bytes_.substr(at_, 2) == "\r\n") ++at_;
    }
    differs_ = at_ == bytes_.size() || bytes_[at_] != c;
    if (csv_ && !ends_field) written_ += c;
    if (differs_) return csv_ && !ends_field;
    ++at_;
    if (ends_field) field_begin_ = at_, written_.clear();
    return true;
  }

  std::string_view bytes_;
  bool csv_, differs_ = false;
  std::size_t at_ = 0, field_begin_ = 0;
  std::string written_;  ///< output of the current field
};

/// Reads the bytes of a tree file.
Result<std::string> bytes_of(const std::string& path, TreeFormat format) {
  const Result<InputFile> file = InputFile::open(path);
  if (!file) return file.error();
  const Result<std::string> begin = file->read_beginning();
  if (!begin) return begin.error();
  // What is no tree is not read to its end
  if (format == TreeFormat::npy ? !begin->starts_with("\x93NUMPY") : begin->find('\0') != std::string::npos)
    return begin;
  require_memory(file->size(), path + ": the file's bytes");
  return file->read();
}

/// Joins the shares of a folder.
Tree joined_shares(const std::string& folder) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) names.push_back(entry.path().filename());
  const std::uint32_t shares = static_cast<std::uint32_t>(names.size());
  if (shares == 0)
    tree_files::refuse("the folder has no shares", folder, "name a tree file, or a folder that ranks wrote");
  std::vector<std::string> paths;
  for (std::uint32_t share = 0; share < shares; ++share) {
    paths.push_back(folder + "/" + share_file(share, shares));
    if (std::ranges::find(names, share_file(share, shares)) == names.end())
      tree_files::refuse("the folder has " + std::to_string(shares) + " files, but no " + share_file(share, shares),
                         folder, "it must hold the shares that the ranks of one build wrote, and nothing else");
  }
  const auto bytes_of_share = [](const std::string& path) { return bytes_of(path, TreeFormat::npy).value(); };
  if (tree_files::is_median_store_tree(tree_files::npy_array_at(bytes_of_share(paths[0]), 0, paths[0])))
    return tree_files::joined_median_stores(paths, bytes_of_share);
  LeftBalancedTree tree;
  std::vector<tree_files::NodeRows> rows;
  std::size_t n = 0;
  for (const std::string& path : paths) {
    const std::string bytes = bytes_of_share(path);
    const tree_files::NpyArray first = tree_files::npy_array_at(bytes, 0, path);
    if (!tree_files::begins_node_rows(first, true))
      tree_files::refuse("the array is no share of a tree", tree_files::npy_place(path, 10), "");
    rows.push_back(tree_files::read_node_rows(first, bytes, path, true));
    n += rows.back().node.size();
    if (rows.back().points.dim != rows.front().points.dim || rows.back().points.type != rows.front().points.type)
      tree_files::refuse("its coordinates are not those of share 0", path, "name the shares of one build");
  }
  tree.points = {rows[0].points.type, rows[0].points.dim, 0, {}};
  const std::uint32_t dim = tree.points.dim;
  require_memory(n * (4 * dim + 5), folder + ": the tree");
  tree.points.words.resize(n * dim);
  tree.point_of_node.resize(n);
  tree.split_dim.resize(n);
  std::vector<bool> there(n);
  for (std::uint32_t share = 0; share < shares; ++share)
    for (std::size_t row = 0; row < rows[share].node.size(); ++row) {
      const std::uint32_t node = rows[share].node[row];
      if (node >= n || there[node])
        tree_files::refuse(
            "node " + std::to_string(node) +
                (node >= n ? " is beyond the " + std::to_string(n) + " rows of all shares" : " occurs twice"),
            paths[share], "name the shares of one build");
      there[node] = true;
      std::copy_n(rows[share].points.words.begin() + static_cast<std::ptrdiff_t>(row * dim), dim,
                  tree.points.words.begin() + static_cast<std::ptrdiff_t>(std::size_t(node) * dim));
      tree.point_of_node[node] = rows[share].original_index[row];
      tree.split_dim[node] = rows[share].split_dim[row];
    }
  return tree;
}

}  // namespace

std::string share_file(std::uint32_t share, std::uint32_t of) {
  return "share-" + std::to_string(share) + "-of-" + std::to_string(of) + ".npy";
}

Result<TreeFormat> tree_format_of(const std::string& path) {
  const std::string ending = std::filesystem::path(path).extension().string();
  if (ending == ".csv") return TreeFormat::csv;
  std::error_code ignored;
  if (ending == ".npy" || (ending == share_ending && std::filesystem::is_directory(path, ignored)))
    return TreeFormat::npy;
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

Result<TreeFile> read_tree(const std::string& path) try {
  const auto format = value_of(tree_format_of(path));
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) return TreeFile{joined_shares(path), ""};
  return parse_tree(format, value_of(bytes_of(path, format)), path);
} catch (const ErrorException& e) {
  return e.error();
} catch (const std::filesystem::filesystem_error& e) {
  return Error{ErrorKind::io_failure, "cannot be read (" + e.code().message() + ")", path, ""};
}

Result<TreeFile> parse_tree(TreeFormat format, std::string_view bytes, const std::string& path) try {
  TreeFile file{format == TreeFormat::csv ? read_csv(bytes, path) : read_npy(bytes, path), ""};
  Comparison comparison(bytes, format);
  std::ostream out(&comparison);
  file.tree.kind().write(file.tree, format, out);
  file.difference = comparison.difference();
  return file;
} catch (const ErrorException& e) {
  return e.error();
}

}  // namespace kdscope
