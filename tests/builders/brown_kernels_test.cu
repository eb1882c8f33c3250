#include "algorithms/exec/cuda_exec.cuh"
#include "algorithms/exec/devices.hpp"
#include "tests/builders/brown_kernels_cases.hpp"
#include "tests/support/cases.hpp"

using namespace kdscope;

DEVICE_CASE("brown: every partitioner alone is a stable partition on CUDA", "[sanitize]") {
  test::check_brown_partitioners<CudaExec>();
}
DEVICE_CASE("brown: merge sort and removal of duplicates are those of the standard library on CUDA", "[sanitize]") {
  test::check_brown_merge_sort_and_removal<CudaExec>();
}
DEVICE_CASE("brown: the verifier beside the builder finds planted corruption on CUDA", "[sanitize]") {
  test::check_brown_verifier<CudaExec>();
}
DEVICE_CASE("brown: pivots and merges between parts are those of a whole sort on CUDA", "[sanitize]") {
  test::check_brown_pivot_and_merge<CudaExec>();
}
