#include <memory>

#include "algorithms/exec/cuda_exec.cuh"
#include "algorithms/exec/devices.hpp"
#include "tests/exec/exec_cases.hpp"
#include "tests/support/cases.hpp"

using namespace kdscope;

DEVICE_CASE("CUDA: launches, sorts and reductions agree with the standard library", "[sanitize]") {
  test::check_exec<CudaExec>();
}
DEVICE_CASE("CUDA: elements are decided on, numbered and written in turn", "[sanitize]") {
  test::check_number_each<CudaExec>();
}
DEVICE_CASE("CUDA: block kernels with shared memory, barriers and atomics", "[sanitize]") {
  test::check_blocks<CudaExec>();
}
DEVICE_CASE("CUDA: warps vote, shuffle and share memory", "[sanitize]") { test::check_warps<CudaExec>(); }
DEVICE_CASE("CUDA: new memory of a recording is marked as unwritten", "[sanitize]") {
  test::check_unwritten_memory<CudaExec>();
}
DEVICE_CASE("CUDA: lists that grow keep what they hold", "[sanitize]") { test::check_growing_array<CudaExec>(); }
DEVICE_CASE("CUDA: the memory ledger balances") { test::check_memory_ledger<CudaExec>(); }
DEVICE_CASE("CUDA: a limit of memory is kept to") { test::check_memory_limit<CudaExec>(); }
DEVICE_CASE("CUDA: however little memory is left, a sort is right or refused") {
  test::check_sorts_in_little_memory<CudaExec>();
}
DEVICE_CASE("CUDA: out of memory is an error, and work goes on") {
  test::check_out_of_memory<CudaExec>(std::size_t(1) << 46);
}
DEVICE_CASE("CUDA: prefix sums in place") {
  test::check_prefix_sums<CudaExec, std::uint32_t>();
  test::check_prefix_sums<CudaExec, std::uint64_t>();
}
DEVICE_CASE("CUDA: launches are counted") { test::check_launch_count<CudaExec>(); }
DEVICE_CASE("CUDA: a stop request is seen at the next launch") {
  test::check_stop([](std::stop_token token) { return std::make_unique<CudaExec>(0, token); });
}

DEVICE_CASE("CUDA: a launch that no device can run is an error") {
  CudaExec exec;
  auto out = exec.array<std::uint32_t>("out", 16);
  ErrorKind kind = ErrorKind::bad_usage;
  try {
    exec.for_each_block("too many lanes", 1, 4096, 128, test::BlockHistogram{nullptr, 0, out.data(), nullptr});
  } catch (const ErrorException& e) {
    kind = e.error().kind;
  }
  CHECK(kind == ErrorKind::device_failure);
  exec.synchronize();
}

struct OutOfBounds {
  std::uint32_t* out;
  KDSCOPE_HD void operator()(std::uint32_t i) const { out[std::size_t(i) << 36] = i; }
};

// This is the last test, because a faulting kernel ends this process's CUDA context, as it does for a user.
DEVICE_CASE("CUDA: a faulting kernel is an error, not a crash", "[fault]") {
  ErrorKind kind = ErrorKind::bad_usage;
  try {
    CudaExec exec;
    auto out = exec.array<std::uint32_t>("out", 3);
    exec.for_each("out of bounds", 3, OutOfBounds{out.data()});
    exec.synchronize();
  } catch (const ErrorException& e) {
    kind = e.error().kind;
  }
  CHECK(kind == ErrorKind::device_failure);
}
