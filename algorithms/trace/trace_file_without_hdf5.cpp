#include "algorithms/trace/trace_file.hpp"

namespace kdscope {
bool trace_files_available() { return false; }
Result<void> save_trace(const Trace&, const std::string& path) {
  return Error{ErrorKind::io_failure, "this build cannot write trace files", path, "install HDF5 and build again"};
}
Result<std::shared_ptr<const Trace>> load_trace(const std::string& path, std::uint64_t) {
  return Error{ErrorKind::io_failure, "this build cannot read trace files", path, "install HDF5 and build again"};
}
}  // namespace kdscope
