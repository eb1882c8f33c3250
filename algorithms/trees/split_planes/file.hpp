#pragma once
// Files of trees of split planes. Several tables together hold the whole tree.
//
//   nodes       one row per node, in pre-order: parent, right_child (the left one follows its parent), split_dimension,
//               split_value, first and count of its positions, bounded_leaves (of the root: leaves made by a bound),
//               box
//   positions   one row per position: the point or the triangle there, by the column's name
//   points      one row per point: coordinates
//   triangles   of trees over triangles, one row each: its corners a, b and c
//
// CSV and NPY are as in leaf_buckets/file.hpp: one table after another with an empty line between, or four (or three)
// arrays.

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

/// Returns whether a file holds such a tree, by the names in its first row or by its first header.
bool is_split_plane_tree(const CsvRows& at_first_row);
bool is_split_plane_tree(const NpyArray& first);
/// Reads these files, from the first row or header on. Throws errors of kind bad_input that name the place. The
/// verifier checks whether the nodes form a tree.
SplitPlaneTree read_split_plane_csv(CsvRows& at_first_row);
SplitPlaneTree read_split_plane_npy(const NpyArray& nodes, std::string_view bytes, const std::string& path);

}  // namespace kdscope::tree_files
