#pragma once
// Files of trees of split planes: tables that together hold the whole tree.
//
//   nodes       one row per node, in pre-order: parent, right_child (the left one follows its parent), split_dimension,
//               split_value, first and count of its positions, bounded_leaves (of the root: leaves made by a bound),
//               box
//   positions   one row per position: the point or the triangle there, by the column's name
//   points      one row per point: coordinates
//   triangles   of trees over triangles, one row each: its corners a, b and c
//
// CSV and NPY as in leaf_buckets/file.hpp: one table after the other, an empty line between; four (or three) arrays.

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

/// Recognize a file by the names in its first row, or by its first header.
bool is_split_plane_tree(const CsvRows& at_first_row);
bool is_split_plane_tree(const NpyArray& first);
/// Read these files, from the first row or header on. They throw errors of kind bad_input that name the place; the
/// verifier checks whether the nodes form a tree.
SplitPlaneTree read_split_plane_csv(CsvRows& at_first_row);
SplitPlaneTree read_split_plane_npy(const NpyArray& nodes, std::string_view bytes, const std::string& path);

}  // namespace kdscope::tree_files
