#pragma once
// A step as a presenter shows it, without a builder.

#include <vector>

#include "algorithms/record/step_writer.hpp"

namespace kdscope::test {

/// What show(step) writes to a trace of points that declares `arrays(header)`.
template <class Arrays, class Show>
Step shown_step(const PointSet& points, const Arrays& arrays, const Show& show) {
  TraceHeader header;
  header.n = points.size();
  header.dim = points.dim;
  header.scalar = points.type;
  TraceBuilder trace(header);
  for (const ArrayInfo& info : arrays(header)) trace.declare(info);
  trace.begin_step({});
  StepWriter step(trace);
  show(step);
  return trace.current_step();
}

}  // namespace kdscope::test
