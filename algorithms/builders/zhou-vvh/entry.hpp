#pragma once
// What the two back ends' units of this builder offer to its registration.

#include "algorithms/builders/algorithm.hpp"

namespace kdscope::zhou_vvh {

BuildReport build_on_cpu(const BuildRequest& request, const Device& device, const RunControl& control);
BuildReport build_on_cuda(const BuildRequest& request, const Device& device, const RunControl& control);
std::shared_ptr<const Trace> record_on_cpu(const BuildRequest& request, const Device& device, TraceHeader header, const RunControl& control);
std::shared_ptr<const Trace> record_on_cuda(const BuildRequest& request, const Device& device, TraceHeader header, const RunControl& control);

}  // namespace kdscope::zhou_vvh
