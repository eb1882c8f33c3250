#pragma once
// Files of trees of median stores. One table with one row per point holds the whole tree.
//
//   node             entry of the concatenated stores: node i has its children at 2i + 1 and 2i + 2
//   original_index
//   less_than, greater_than   original indices of the children; only in trees with references
//   coordinates
//
// Rows with a node come first, in ascending order of nodes. The other rows, in ascending order of indices, are points
// that were removed because a point with a lower index has the same coordinates. CSV: the first row holds names; fields
// without a value are empty. NPY: a structured array; uint32 fields without a value are 4294967295.

#include <functional>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "algorithms/core/ids.hpp"
#include "algorithms/trees/csv_rows.hpp"
#include "algorithms/trees/median_stores/tree.hpp"
#include "algorithms/trees/node_rows.hpp"
#include "algorithms/trees/npy_array.hpp"

namespace kdscope::tree_files {

void write_median_store_csv(const MedianStoreTree& tree, std::ostream& out);
void write_median_store_npy(const MedianStoreTree& tree, std::ostream& out);

/// Returns whether a file holds such a tree, by the names in its first row or by its first header.
bool is_median_store_tree(const CsvRows& at_first_row);
bool is_median_store_tree(const NpyArray& array);
/// Reads these files, from the first row or header on. Throws errors of kind bad_input that name the place. The
/// verifier checks whether the nodes form a tree.
MedianStoreTree read_median_store_csv(CsvRows& at_first_row);
MedianStoreTree read_median_store_npy(const NpyArray& array, std::string_view bytes, const std::string& path);

/// Shares of such a tree without references, as several ranks write them (tree_file.hpp): NPY files of these rows.
void write_median_store_share(const NodeRows& rows, std::ostream& out);
/// Joins shares. bytes_of(share): the bytes of each, as long as they are read. Throws errors of kind bad_input that
/// name the place.
MedianStoreTree joined_median_stores(const std::vector<std::string>& paths,
                                     const std::function<std::string(const std::string& path)>& bytes_of);

}  // namespace kdscope::tree_files
