#include "algorithms/exec/sequential_exec.hpp"

#include <memory>

#include "tests/exec/exec_cases.hpp"

using namespace kdscope;

TEST_CASE("sequential: launches, sorts and reductions agree with the standard library") {
  test::check_exec<SequentialExec>();
}
TEST_CASE("sequential: elements are decided on, numbered and written in turn") {
  test::check_number_each<SequentialExec>();
}
TEST_CASE("sequential: block kernels with shared memory, barriers and atomics") {
  test::check_blocks<SequentialExec>();
}
TEST_CASE("sequential: warps vote, shuffle and share memory") { test::check_warps<SequentialExec>(); }
TEST_CASE("sequential: lists that grow keep what they hold") { test::check_growing_array<SequentialExec>(); }
TEST_CASE("sequential: new memory of a recording is marked as unwritten") {
  test::check_unwritten_memory<SequentialExec>();
}
TEST_CASE("sequential: prefix sums in place") {
  test::check_prefix_sums<SequentialExec, std::uint32_t>();
  test::check_prefix_sums<SequentialExec, std::uint64_t>();
}
TEST_CASE("sequential: launches are counted") { test::check_launch_count<SequentialExec>(); }
TEST_CASE("sequential: a stop request is seen at the next launch") {
  test::check_stop([](std::stop_token token) { return std::make_unique<SequentialExec>(token); });
}
