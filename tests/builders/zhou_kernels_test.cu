#include "algorithms/exec/cuda_exec.cuh"
#include "algorithms/exec/devices.hpp"
#include "tests/builders/zhou_kernels_cases.hpp"

using namespace kdscope;

TEST_CASE("zhou: the segmented reduction gives every segment's sum and box on CUDA", "[device][sanitize]") {
  if (!find_cuda_devices().status.empty()) KDSCOPE_SKIP("no CUDA device");
  test::check_segmented_reduction<CudaExec>();
}
TEST_CASE("zhou: trees that 32 bits do not number are refused on CUDA", "[device][sanitize]") {
  if (!find_cuda_devices().status.empty()) KDSCOPE_SKIP("no CUDA device");
  test::check_32_bits<CudaExec>();
}
