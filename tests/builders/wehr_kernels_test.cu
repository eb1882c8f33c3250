// Tests the sorts separately, on CUDA.
#include "algorithms/exec/cuda_exec.cuh"
#include "algorithms/exec/devices.hpp"
#include "tests/builders/wehr_sort_cases.hpp"
#include "tests/support/cases.hpp"

using namespace kdscope;

DEVICE_CASE("wehr: the segmented radix sort alone equals std::stable_sort per chunk, on CUDA") {
  test::check_parallel_sort<CudaExec>({1, 2, 5, 33, 100, 128, 255, 1000, 1025}, {4, 8, 32, 64, 256},
                                      {2, 3, 10, 32, 256});
  test::check_parallel_sort<CudaExec>({100000}, {32, 1024}, {32});
}
DEVICE_CASE("wehr: the sorts with one thread per chunk equal std::stable_sort per chunk, on CUDA") {
  test::check_sorts_by_chunk<CudaExec>({1, 2, 5, 33, 100, 128, 255, 1000, 1025}, {2, 10, 32, 256});
}
DEVICE_CASE("wehr: the sorts alone on CUDA, for the sanitizers", "[sanitize]") {
  test::check_parallel_sort<CudaExec>({33, 257}, {4, 32}, {10, 256});
  test::check_sorts_by_chunk<CudaExec>({1, 257}, {10, 256});
}
