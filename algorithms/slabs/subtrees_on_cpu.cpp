#include "algorithms/exec/cpu_exec.hpp"
#include "algorithms/slabs/subtrees_on.hpp"

namespace kdscope::slabs {

std::unique_ptr<SubtreeBuilder> subtrees_on_cpu(std::uint64_t memory, std::stop_token stop) {
  return std::make_unique<SubtreesOn<CpuExec>>(memory, std::move(stop));
}

}  // namespace kdscope::slabs
