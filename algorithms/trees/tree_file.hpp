#pragma once
// Trees as files. Each kind has its own tables (file.hpp in its folder); a reader recognizes the kind by the first
// columns.

#include <string>

#include "algorithms/core/error.hpp"
#include "algorithms/trees/tree.hpp"

namespace kdscope {

/// By the file name's ending; an error of kind bad_usage for another one.
Result<TreeFormat> tree_format_of(const std::string& path);

/// Writes a tree under a temporary name, then renames. Payload is not written.
Result<void> write_tree(const Tree& tree, const std::string& path);

struct TreeFile {
  Tree tree;
  /// Where the file first differs from the one that write_tree() writes of the tree, and how: "line 3, field 4, is
  /// '.5', not '0.5'", "byte 97"; empty where both are the same, or differ in the ends of lines alone. Names of
  /// columns, values that a kind of tree does not use and other spellings of numbers are seen by nothing else.
  std::string difference;
};

/// Reads what write_tree wrote. Coordinates of a CSV are floats if one has a point or an exponent, as every float
/// that write_tree writes has. Checks the form (rows, numbers, sizes, nodes that ascend and exist), not whether it is a
/// kd-tree. Errors of kind bad_input name line and column, or the byte offset.
Result<TreeFile> read_tree(const std::string& path);
/// The same of bytes that were read; `path` names them in errors. Any bytes may be given.
Result<TreeFile> parse_tree(TreeFormat format, std::string_view bytes, const std::string& path);

}  // namespace kdscope
