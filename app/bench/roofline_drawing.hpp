#pragma once
// A roofline as a chart: time over bytes, both logarithmic, with numbered points and the line of a copy.

#include <string>
#include <vector>

#include "visualizer/figure/chart.hpp"

namespace kdscope {

/// A point of the chart. One without bytes or time has no place and is not drawn.
struct RooflinePoint {
  double bytes = 0, ms = 0;
  std::string tip;
  bool counted = true;  ///< false: the bytes are a part of what it moves; drawn hollow, and said beside it
};

/// What the points are compared with.
struct RooflineBounds {
  double copy_gigabytes = 0;      ///< per second
  double shortest_launch_ms = 0;  ///< shortest time per launch of any step; 0: unknown
};

/// A time with its unit and three digits: "12.3 µs".
std::string short_time(double ms);
/// "1.5 MB" in powers of 1000, with three digits: beside GB/s.
std::string decimal_bytes(double count);

/// Draws points, which are numbered from 1 in their order and have their index as id. `marked`: the point with a ring;
/// -1: none. The list is empty if no point is drawn.
DisplayList roofline_drawing(const std::vector<RooflinePoint>& points, const RooflineBounds& bounds, int marked,
                             const ChartRoom& room);

}  // namespace kdscope
