#pragma once
// Tree files with one row per node: original index, split dimension and coordinates. For trees with empty slots, each
// row begins with the node. CSV starts with a row of names. NPY holds a structured array with the fields node (uint32,
// for trees with empty slots), original_index (uint32), split_dimension (uint8) and coordinates (k float32 or int32).

#include <cstdint>
#include <functional>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "algorithms/core/ids.hpp"
#include "algorithms/core/points.hpp"
#include "algorithms/trees/csv_rows.hpp"
#include "algorithms/trees/npy_array.hpp"

namespace kdscope::tree_files {

/// The rows of a file, in tree order.
struct NodeRows {
  bool with_nodes = false;              ///< whether rows have nodes, as for trees with empty slots
  std::vector<std::uint32_t> node;      ///< [rows] ascending; empty if rows have no nodes
  std::vector<PointId> original_index;  ///< [rows]
  std::vector<std::uint8_t> split_dim;  ///< [rows]
  PointSet points;                      ///< [rows]
  /// Returns the place of a cell in the file from which the rows were read.
  std::function<std::string(std::size_t row, std::size_t column)> place = {};
};

void write_rows_csv(const NodeRows& rows, std::ostream& out);
void write_rows_npy(const NodeRows& rows, std::ostream& out);

/// Writes the header of an NPY file of `n` rows without nodes, which write_rows_npy() begins with. A row then has 4
/// bytes of the original index, 1 of the split dimension, and 4 for each coordinate.
void write_rows_npy_header(std::ostream& out, std::size_t n, std::uint32_t dim, ScalarType type);

/// Returns whether a file begins like a file of rows with nodes, or without.
bool begins_node_rows(const CsvRows& at_first_row, bool with_nodes);
bool begins_node_rows(const NpyArray& first, bool with_nodes);
/// Reads the rows. Throws errors of kind bad_input that name the place.
NodeRows read_node_rows(CsvRows& at_first_row, bool with_nodes);
NodeRows read_node_rows(const NpyArray& first, std::string_view bytes, const std::string& path, bool with_nodes);

}  // namespace kdscope::tree_files
