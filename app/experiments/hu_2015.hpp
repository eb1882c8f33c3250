#pragma once
// Shared by Tables I and II of Hu et al. 2015.

#include <array>
#include <string>

#include "app/experiments/measured_search.hpp"

namespace kdscope::hu_2015 {

/// A column pair of the table: printed times on CPU and GPU in ms, and the printed speedup.
struct Times {
  const char *cpu, *gpu, *speedup;
};
struct Line {
  std::uint64_t points;
  Times construction, search;
};

/// A table of builds of uniform points and of searches for the 4 nearest of each of them: one series on the CPU and one
/// on a CUDA device.
Experiment table(std::string id, const std::string& place, std::string title, std::uint32_t dim,
                 const std::array<Line, 6>& lines);

}  // namespace kdscope::hu_2015
