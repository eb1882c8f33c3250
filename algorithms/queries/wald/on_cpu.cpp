#include "algorithms/exec/cpu_exec.hpp"
#include "algorithms/queries/wald/run.hpp"

namespace kdscope::queries::wald {
namespace {

template <class Traversal>
SearchReport run(const SearchRequest& request, const Device&, const RunControl& control) {
  CpuExec exec(control.stop);
  return search<Traversal>(exec, request, control);
}

}  // namespace

const Runs on_cpu{run<StackBased>, run<StackFree>, run<ClosestCorner>};

}  // namespace kdscope::queries::wald
