#include "algorithms/exec/cpu_exec.hpp"
#include "tests/builders/zhou_kernels_cases.hpp"

using namespace kdscope;

TEST_CASE("zhou: the segmented reduction gives every segment's sum and box on the CPU") {
  test::check_segmented_reduction<CpuExec>();
}
TEST_CASE("zhou: trees that 32 bits do not number are refused on the CPU") { test::check_32_bits<CpuExec>(); }
