#pragma once
// Files of trees of median stores: one table, one row per point, which holds the whole tree.
//
//   node             entry of the concatenated stores: node i has its children at 2i + 1 and 2i + 2
//   original_index
//   less_than, greater_than   original indices of the children; only in trees with references
//   coordinates
//
// Rows with a node come first, nodes ascending. The others, indices ascending, are the points that were removed because
// one with a lower index has the same coordinates. CSV: a row of names first; fields without a value are empty. NPY: a
// structured array; uint32 fields without a value are 4294967295.

#include <ostream>
#include <string>
#include <string_view>

#include "algorithms/core/ids.hpp"
#include "algorithms/trees/csv_rows.hpp"
#include "algorithms/trees/median_stores/tree.hpp"
#include "algorithms/trees/npy_array.hpp"

namespace kdscope::tree_files {

void write_median_store_csv(const MedianStoreTree& tree, std::ostream& out);
void write_median_store_npy(const MedianStoreTree& tree, std::ostream& out);

/// Recognize a file by the names in its first row, or by its first header.
bool is_median_store_tree(const CsvRows& at_first_row);
bool is_median_store_tree(const NpyArray& array);
/// Read these files, from the first row or header on. They throw errors of kind bad_input that name the place; the
/// verifier checks whether the nodes form a tree.
MedianStoreTree read_median_store_csv(CsvRows& at_first_row);
MedianStoreTree read_median_store_npy(const NpyArray& array, std::string_view bytes, const std::string& path);

}  // namespace kdscope::tree_files
