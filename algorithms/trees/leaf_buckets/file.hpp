#pragma once
// Files of trees whose leaves hold buckets: two tables, which together hold everything.
//
//   nodes    a row a node, breadth-first: parent, left_child (the right one follows it), split_dimension, split_value,
//   first
//            and count of its positions, box
//   points   a row a position: original_index, coordinates
//
// CSV: the tables one after the other with a row of names each, an empty line between; rows have their number in front
// (node, position), fields without a value are empty, and the box is x_min, y_min, ..., x_max, y_max, ...
// NPY: two structured arrays one after the other (call numpy.load twice on the open file); uint32 fields are 4294967295
// where there is no value, split_value and box [2][k] have the type of the coordinates.

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

/// By the names in the first row, and by the first header.
bool is_bucket_tree(const CsvRows& at_first_row);
bool is_bucket_tree(const NpyArray& first);
/// Read what is written above, from its first row or header on. Throw errors of kind bad_input that name the place;
/// whether the nodes make a tree is left to its verifier.
BucketTree read_bucket_csv(CsvRows& at_first_row);
BucketTree read_bucket_npy(const NpyArray& nodes, std::string_view bytes, const std::string& path);

}  // namespace kdscope::tree_files
