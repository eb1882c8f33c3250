#include "algorithms/exec/cuda_exec.cuh"
#include "algorithms/exec/devices.hpp"
#include "tests/builders/brown_kernels_cases.hpp"

using namespace kdscope;

TEST_CASE("brown: every partitioner alone is a stable partition on CUDA", "[device][sanitize]") {
  if (!find_cuda_devices().status.empty()) KDSCOPE_SKIP("no CUDA device");
  test::check_brown_partitioners<CudaExec>();
}
TEST_CASE("brown: merge sort and removal of duplicates are those of the standard library on CUDA",
          "[device][sanitize]") {
  if (!find_cuda_devices().status.empty()) KDSCOPE_SKIP("no CUDA device");
  test::check_brown_merge_sort_and_removal<CudaExec>();
}
TEST_CASE("brown: the verifier beside the builder finds planted corruption on CUDA", "[device][sanitize]") {
  if (!find_cuda_devices().status.empty()) KDSCOPE_SKIP("no CUDA device");
  test::check_brown_verifier<CudaExec>();
}
TEST_CASE("brown: pivots and merges between parts are those of a whole sort on CUDA", "[device][sanitize]") {
  if (!find_cuda_devices().status.empty()) KDSCOPE_SKIP("no CUDA device");
  test::check_brown_pivot_and_merge<CudaExec>();
}
