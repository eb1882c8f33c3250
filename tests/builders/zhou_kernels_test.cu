#include "algorithms/exec/cuda_exec.cuh"
#include "algorithms/exec/devices.hpp"
#include "tests/builders/zhou_kernels_cases.hpp"
#include "tests/support/cases.hpp"

using namespace kdscope;

DEVICE_CASE("zhou: the segmented reduction gives every segment's sum and box on CUDA", "[sanitize]") {
  test::check_segmented_reduction<CudaExec>();
}
DEVICE_CASE("zhou: trees that 32 bits do not number are refused on CUDA", "[sanitize]") {
  test::check_32_bits<CudaExec>();
}
