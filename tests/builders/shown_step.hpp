#pragma once
// Runs a presenter on a step, without a builder.

#include "algorithms/record/step_writer.hpp"

namespace kdscope::test {

/// Returns the step that show(step) writes to a trace of points with the arrays that declare(list) adds.
template <class Declare, class Show>
Step shown_step(const PointSet& points, const Declare& declare, const Show& show) {
  TraceHeader header;
  header.n = points.size();
  header.dim = points.dim;
  header.scalar = points.type;
  TraceBuilder trace(header);
  ArrayList list(header);
  declare(list);
  for (const ArrayInfo& info : list.infos()) trace.declare(info);
  trace.begin_step({});
  StepWriter step(trace);
  show(step);
  return trace.current_step();
}

}  // namespace kdscope::test
