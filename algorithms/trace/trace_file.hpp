#pragma once
// Traces as HDF5 files, readable with numpy and h5py. Written under a temporary name, then renamed.

#include <memory>
#include <string>

#include "algorithms/core/error.hpp"
#include "algorithms/trace/trace.hpp"

namespace kdscope {

/// Whether this build can read and write trace files (HDF5 was found when it was built).
bool trace_files_available();

/// Writes a trace. A failure leaves an older file of that name as it was.
Result<void> save_trace(const Trace& trace, const std::string& path);

/// Reads a trace. Nothing in a damaged file is trusted: sizes, ranges and ids are checked before use.
Result<std::shared_ptr<const Trace>> load_trace(const std::string& path);

}  // namespace kdscope
