#pragma once
// Files of trees of split planes: tables that together hold everything.
//
//   nodes       a row a node, in pre-order: parent, right_child (the left one follows its parent), split_dimension,
//   split_value, first
//               and count of its positions, bounded_leaves (of the root: leaves made by a bound), box
//   positions   a row a position: the point or the triangle there, by the column's name
//   points      a row a point: coordinates
//   triangles   of trees over triangles, a row each: its corners a, b and c
//
// CSV and NPY as bucket_tree_file.hpp says: tables one after the other, an empty line between; four (or three) arrays.

#include <ostream>
#include <string>
#include <string_view>

#include "algorithms/core/ids.hpp"
#include "algorithms/trees/csv_rows.hpp"
#include "algorithms/trees/npy_array.hpp"
#include "algorithms/trees/split_planes/tree.hpp"

namespace kdscope::tree_files {

void write_split_plane_csv(const SplitPlaneTree& tree, std::ostream& out);
void write_split_plane_npy(const SplitPlaneTree& tree, std::ostream& out);

/// By the names in the first row, and by the first header.
bool is_split_plane_tree(const CsvRows& at_first_row);
bool is_split_plane_tree(const NpyArray& first);
/// Read what is written above, from its first row or header on. Throw errors of kind bad_input that name the place;
/// whether the nodes make a tree is left to its verifier.
SplitPlaneTree read_split_plane_csv(CsvRows& at_first_row);
SplitPlaneTree read_split_plane_npy(const NpyArray& nodes, std::string_view bytes, const std::string& path);

}  // namespace kdscope::tree_files
