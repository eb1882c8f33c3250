#pragma once
// Trees as files, one row a node in tree order: original index, split dimension, coordinates. Trees with empty slots
// have the node in front; trees of median stores have rows without a node for duplicates that were left out; trees with
// leaf buckets have two tables, of nodes and of points; trees of split planes up to four. By the first columns a reader tells the kinds apart.

#include <string>
#include <string_view>

#include "algorithms/core/error.hpp"
#include "algorithms/core/tree.hpp"

namespace kdscope::cli {

/// CSV has a row of names first; NPY holds a structured array with the fields original_index (uint32), split_dimension
/// (uint8) and coordinates (k float32 or int32). Of a LevelOrderTree only the occupied slots are rows, and a field node
/// (uint32) comes first. The two tables of a BucketTree: bucket_tree_file.hpp; the table of a
/// MedianStoreTree: median_store_file.hpp; the tables of a SplitPlaneTree: split_plane_file.hpp.
enum class TreeFormat { csv, npy };

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

}  // namespace kdscope::cli
