#pragma once
// Trees in files that are searched again.

#include <memory>
#include <string>

#include "algorithms/registry/registry.hpp"
#include "app/arguments/arguments.hpp"

namespace kdscope::cli {

/// A tree, and what it was built over.
struct SearchedTree {
  std::shared_ptr<const Tree> tree;
  std::shared_ptr<const DataSet> data;  ///< points in their original order, and triangles; its name is the file's
  std::string algorithm;                ///< of a recorded run; empty: not known
  std::shared_ptr<const Trace> trace =
      {};  ///< the run that ends with the tree; null: a table, which holds the tree alone
};

/// Reads a tree that `build --tree-out` wrote, or the one at the end of a trace, and checks all that it must satisfy.
/// Errors: those of reading the file, and bad_input for a tree that is not right.
Result<SearchedTree> read_searched_tree(const std::string& path);

/// Error of kind bad_usage for options that name another tree than --tree does.
Result<void> check_tree_alone(const Arguments& arguments);

}  // namespace kdscope::cli
