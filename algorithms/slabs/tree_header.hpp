#pragma once
// The header of a tree's NPY file.

#include <sstream>
#include <string>

#include "algorithms/slabs/plan.hpp"
#include "algorithms/trees/node_rows.hpp"

namespace kdscope::slabs {

/// Returns the bytes in front of the nodes' rows.
inline std::string tree_header(const Shape& shape) {
  std::ostringstream header;
  tree_files::write_rows_npy_header(header, shape.n, shape.dim, shape.type);
  return header.str();
}

}  // namespace kdscope::slabs
