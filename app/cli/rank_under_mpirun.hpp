#pragma once
// Whether this process is one of several that mpirun started.

#include <cstdlib>
#include <initializer_list>

namespace kdscope::cli {

/// Returns the number of this process among those of mpirun, "0" for the first; null without mpirun.
inline const char* rank_under_mpirun() {
  for (const char* name : {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK"})
    if (const char* rank = std::getenv(name)) return rank;
  return nullptr;
}

}  // namespace kdscope::cli
