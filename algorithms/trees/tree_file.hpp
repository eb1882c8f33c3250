#pragma once
// Trees as files. Each kind has its own tables (file.hpp in its folder). A reader recognizes the kind by the first
// columns.

#include <cstdint>
#include <string>

#include "algorithms/core/error.hpp"
#include "algorithms/trees/tree.hpp"

namespace kdscope {

/// A tree that several ranks have built is a folder with this ending, which holds the shares 0 to `of` - 1.
inline constexpr const char* share_ending = ".shares";
/// Returns "share-2-of-4.npy".
std::string share_file(std::uint32_t share, std::uint32_t of);

/// Chooses the format by the ending of the file's name; a folder of shares holds NPY files. Returns an error of kind
/// bad_usage for other endings.
Result<TreeFormat> tree_format_of(const std::string& path);

/// Writes a tree to a temporary file, then renames it. Payload is not written.
Result<void> write_tree(const Tree& tree, const std::string& path);

struct TreeFile {
  Tree tree;
  /// The first difference between the file and the one that write_tree() would write for the tree: "line 3, field 4, is
  /// '.5', not '0.5'", "byte 97"; empty if both are equal or differ only in line ends. Only this comparison detects
  /// other names of columns, values that a kind of tree does not use, and other spellings of numbers.
  std::string difference;
};

/// Reads the output of write_tree(), or a folder of shares as one tree. The coordinates of a CSV file are floats if one
/// of them has a point or an exponent; write_tree() gives one to every float. Checks the form (rows, numbers, sizes,
/// nodes that ascend and exist), but not whether the tree is a kd-tree. Errors of kind bad_input name line and column,
/// or the byte offset.
Result<TreeFile> read_tree(const std::string& path);
/// Reads a tree from bytes in memory. path: the name of the bytes in errors. Accepts any bytes.
Result<TreeFile> parse_tree(TreeFormat format, std::string_view bytes, const std::string& path);

}  // namespace kdscope
