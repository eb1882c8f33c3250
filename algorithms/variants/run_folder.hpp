#pragma once
// A temporary folder for the files of a variant's runs.

#include <stdlib.h>

#include <filesystem>
#include <string>
#include <system_error>

#include "algorithms/core/error.hpp"

namespace kdscope::variants {

/// An empty folder, removed with all that a variant left in it. The constructor throws ErrorException of kind
/// io_failure if no folder can be made.
class RunFolder {
 public:
  RunFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "kdscope-variant-XXXXXX").string();
    if (!::mkdtemp(name.data()))
      throw ErrorException({ErrorKind::io_failure, "no temporary folder can be made", name,
                            "name another place in the variable TMPDIR"});
    path_ = name;
  }
  ~RunFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  RunFolder(const RunFolder&) = delete;
  RunFolder& operator=(const RunFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace kdscope::variants
