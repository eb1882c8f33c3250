#pragma once
// Trace files in a temporary folder, which tests save, modify through HDF5, and expect to be rejected.

#include <hdf5.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include "algorithms/trace/file_seal.hpp"
#include "algorithms/trace/trace_file.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/file_text.hpp"
#include "tests/support/temporary_folder.hpp"

namespace kdscope::tests {

namespace fs = std::filesystem;

using Folder = test::TemporaryFolder;
using test::content_of;
using test::put;

/// Returns the error of loading a file that must not load.
inline Error refused(const std::string& path) {
  const auto loaded = load_trace(path);
  REQUIRE_FALSE(loaded.has_value());
  INFO(loaded.error().message());
  REQUIRE(loaded.error().message().find(path) != std::string::npos);
  return loaded.error();
}

/// Modifies a saved file through HDF5 and then seals it again.
template <class F>
void tampered(const std::string& path, F&& change) {
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  REQUIRE(file >= 0);
  change(file);
  REQUIRE(H5Fclose(file) >= 0);
  REQUIRE(seal_file(path));
}

}  // namespace kdscope::tests
