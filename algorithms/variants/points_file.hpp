#pragma once
// A data set as it is passed to another process, with everything that a file of points may lack.

#include <memory>
#include <string>

#include "algorithms/core/error.hpp"
#include "algorithms/core/points.hpp"
#include "algorithms/trace/file_seal.hpp"

namespace kdscope::variants {

/// A data set in memory that another process of the same user can read while this object exists. Takes as much memory
/// again as the data set. The constructor throws ErrorException of kind out_of_memory.
class SharedPoints {
 public:
  explicit SharedPoints(const DataSet& data);
  /// The name by which another process opens it.
  std::string path() const;

 private:
  Descriptor file_;
};

/// Reads a data set of SharedPoints. Errors of kind io_failure and bad_input.
Result<std::shared_ptr<const DataSet>> read_points(const std::string& path);

}  // namespace kdscope::variants
