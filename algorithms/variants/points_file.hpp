#pragma once
// Data sets and other objects as they are passed to another process: in a file in memory.

#include <memory>
#include <string>

#include "algorithms/core/error.hpp"
#include "algorithms/core/points.hpp"
#include "algorithms/trace/file_seal.hpp"
#include "algorithms/trace/trace_stream.hpp"

namespace kdscope::variants {

/// An empty file in memory that another process of the same user can open while this object exists. The constructor
/// throws ErrorException of kind out_of_memory.
class SharedFile {
 public:
  SharedFile();
  int number() const { return file_.number(); }
  /// The name by which another process opens it.
  std::string path() const;

 private:
  Descriptor file_;
};

/// A data set in such a file, with everything that a file of points may lack. Takes as much memory again as the data
/// set. The constructor throws ErrorException of kind out_of_memory.
class SharedPoints {
 public:
  explicit SharedPoints(const DataSet& data);
  std::string path() const { return file_.path(); }

 private:
  SharedFile file_;
};

/// Reads from an open file for a Receiver. Throws ErrorException of kind io_failure at its end.
trace_stream::ReadSome reader_of(int number);
/// Opens a file of another process. Throws ErrorException of kind io_failure. flags: as for open().
Descriptor open_shared(const std::string& path, int flags);

/// Reads a data set of SharedPoints. Errors of kind io_failure and bad_input.
Result<std::shared_ptr<const DataSet>> read_points(const std::string& path);

}  // namespace kdscope::variants
