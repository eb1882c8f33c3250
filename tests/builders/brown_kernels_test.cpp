#include "algorithms/exec/cpu_exec.hpp"
#include "tests/builders/brown_kernels_cases.hpp"

using namespace kdscope;

TEST_CASE("brown: every partitioner alone is a stable partition on the CPU") {
  test::check_brown_partitioners<CpuExec>();
}
TEST_CASE("brown: the verifier beside the builder finds planted corruption on the CPU") {
  test::check_brown_verifier<CpuExec>();
}
TEST_CASE("brown: merge sort and removal of duplicates are those of the standard library on the CPU") {
  test::check_brown_merge_sort_and_removal<CpuExec>();
}
TEST_CASE("brown: pivots and merges between parts are those of a whole sort on the CPU") {
  test::check_brown_pivot_and_merge<CpuExec>();
}
