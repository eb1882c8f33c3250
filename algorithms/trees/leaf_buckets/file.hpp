#pragma once
// Files of trees whose leaves hold buckets. Two tables together hold the whole tree.
//
//   nodes    one row per node, breadth-first: parent, left_child (the right one follows it), split_dimension,
//            split_value, first and count of its positions, box
//   points   one row per position: original_index, coordinates
//
// CSV: one table after another, each with a row of names, and an empty line between them. Rows begin with their number
// (node, position), fields without a value are empty, and the box is x_min, y_min, ..., x_max, y_max, ...
// NPY: two structured arrays, one after the other (call numpy.load twice on the open file). uint32 fields without a
// value are 4294967295; split_value and box [2][k] have the type of the coordinates.

#include <ostream>
#include <string>
#include <string_view>

#include "algorithms/core/ids.hpp"
#include "algorithms/trees/csv_rows.hpp"
#include "algorithms/trees/leaf_buckets/tree.hpp"
#include "algorithms/trees/npy_array.hpp"

namespace kdscope::tree_files {

void write_bucket_csv(const BucketTree& tree, std::ostream& out);
void write_bucket_npy(const BucketTree& tree, std::ostream& out);

/// Returns whether a file holds such a tree, by the names in its first row or by its first header.
bool is_bucket_tree(const CsvRows& at_first_row);
bool is_bucket_tree(const NpyArray& first);
/// Reads these files, from the first row or header on. Throws errors of kind bad_input that name the place. The
/// verifier checks whether the nodes form a tree.
BucketTree read_bucket_csv(CsvRows& at_first_row);
BucketTree read_bucket_npy(const NpyArray& nodes, std::string_view bytes, const std::string& path);

}  // namespace kdscope::tree_files
