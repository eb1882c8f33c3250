#include "algorithms/exec/cuda_exec.cuh"
#include "algorithms/exec/devices.hpp"
#include "tests/builders/zhou_interruptions_cases.hpp"
#include "tests/support/cases.hpp"

using namespace kdscope;

namespace {
const auto on_cuda = [] { return std::make_unique<test::InterruptedExec<CudaExec>>(0); };
}  // namespace

DEVICE_CASE(
    "zhou: a timed build on CUDA that is stopped, or out of memory, anywhere ends there and leaves nothing behind") {
  for (const char* id : {"zhou-sah", "zhou-vvh"}) test::check_interruptions(on_cuda, test::zhou_run(id, 200), false, 1);
}
DEVICE_CASE(
    "zhou: a stepped build on CUDA that is stopped, or out of memory, anywhere ends there and leaves nothing behind") {
  for (const char* id : {"zhou-sah", "zhou-vvh"}) test::check_interruptions(on_cuda, test::zhou_run(id, 80), true, 3);
}
DEVICE_CASE("zhou: whatever memory the GPU has, a build is right or refused in a sentence") {
  for (const char* id : {"zhou-sah", "zhou-vvh"}) test::check_limits(on_cuda, test::zhou_run(id, 3000));
}
