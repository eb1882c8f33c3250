#pragma once
// What Tables I and II of Hu et al. 2015 share.

#include <array>
#include <string>

#include "app/experiments/measured_build.hpp"

namespace kdscope::hu_2015 {

/// The build times of a table's line, as printed, in ms.
struct Line {
  std::uint64_t points;
  const char *cpu, *gpu;
};

/// A table of builds of uniform points: a series on the CPU, one on a CUDA device.
Experiment table(std::string id, const std::string& place, std::string title, std::uint32_t dim,
                 const std::array<Line, 6>& lines);

}  // namespace kdscope::hu_2015
