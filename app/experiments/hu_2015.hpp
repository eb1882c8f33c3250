#pragma once
// Shared by Tables I and II of Hu et al. 2015.

#include <array>
#include <string>

#include "app/experiments/measured_build.hpp"

namespace kdscope::hu_2015 {

/// The printed build times of a table's line, in ms.
struct Line {
  std::uint64_t points;
  const char *cpu, *gpu;
};

/// A table of builds of uniform points: one series on the CPU and one on a CUDA device.
Experiment table(std::string id, const std::string& place, std::string title, std::uint32_t dim,
                 const std::array<Line, 6>& lines);

}  // namespace kdscope::hu_2015
