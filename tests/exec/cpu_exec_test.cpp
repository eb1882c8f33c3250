#include "algorithms/exec/cpu_exec.hpp"

#include <memory>

#include "tests/exec/exec_cases.hpp"

using namespace kdscope;

TEST_CASE("CPU: launches, sorts and reductions agree with the standard library") { test::check_exec<CpuExec>(); }
TEST_CASE("CPU: elements are decided on, numbered and written in turn") { test::check_number_each<CpuExec>(); }
TEST_CASE("CPU: block kernels with shared memory, barriers and atomics") { test::check_blocks<CpuExec>(); }
TEST_CASE("CPU: warps vote, shuffle and share memory") { test::check_warps<CpuExec>(); }
TEST_CASE("CPU: lists that grow keep what they hold") { test::check_growing_array<CpuExec>(); }
TEST_CASE("CPU: the memory ledger balances") { test::check_memory_ledger<CpuExec>(); }
TEST_CASE("CPU: new memory of a recording is marked as unwritten") { test::check_unwritten_memory<CpuExec>(); }
TEST_CASE("CPU: a limit of memory is kept to") { test::check_memory_limit<CpuExec>(); }
TEST_CASE("CPU: however little memory is left, a sort is right or refused") {
  test::check_sorts_in_little_memory<CpuExec>();
}
TEST_CASE("CPU: out of memory is an error, and work goes on") {
  test::check_out_of_memory<CpuExec>(std::size_t(1) << 60);
}  // beyond any address space, because kernels overcommit
TEST_CASE("CPU: prefix sums in place") {
  test::check_prefix_sums<CpuExec, std::uint32_t>();
  test::check_prefix_sums<CpuExec, std::uint64_t>();
}
TEST_CASE("CPU: an exception of a body reaches the caller, and work goes on") {
  CpuExec exec;
  const auto failing = [](std::uint32_t i) {
    if (i % 1000 == 7) throw ErrorException({ErrorKind::bad_usage, "element 7 of a thousand", "", ""});
  };
  for (const std::uint32_t n : {8u, 100'000u}) CHECK_THROWS_AS(exec.for_each("failing", n, failing), ErrorException);
  test::check_prefix_sums<CpuExec, std::uint32_t>();
}
TEST_CASE("CPU: launches are counted") { test::check_launch_count<CpuExec>(); }
TEST_CASE("CPU: a stop request is seen at the next launch") {
  test::check_stop([](std::stop_token token) { return std::make_unique<CpuExec>(token); });
}
