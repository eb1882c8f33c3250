#include <memory>

#include "algorithms/exec/cuda_exec.cuh"
#include "algorithms/exec/devices.hpp"
#include "tests/exec/exec_cases.hpp"

using namespace kdscope;

#define REQUIRE_DEVICE() \
  if (!find_cuda_devices().status.empty()) KDSCOPE_SKIP("no CUDA device")

TEST_CASE("CUDA: launches, sorts and reductions agree with the standard library", "[device][sanitize]") {
  REQUIRE_DEVICE();
  test::check_exec<CudaExec>();
}
TEST_CASE("CUDA: elements are decided on, numbered and written in turn", "[device][sanitize]") {
  REQUIRE_DEVICE();
  test::check_number_each<CudaExec>();
}
TEST_CASE("CUDA: block kernels with shared memory, barriers and atomics", "[device][sanitize]") {
  REQUIRE_DEVICE();
  test::check_blocks<CudaExec>();
}
TEST_CASE("CUDA: warps vote, shuffle and share memory", "[device][sanitize]") {
  REQUIRE_DEVICE();
  test::check_warps<CudaExec>();
}
TEST_CASE("CUDA: new memory of a recording is marked as unwritten", "[device][sanitize]") {
  REQUIRE_DEVICE();
  test::check_unwritten_memory<CudaExec>();
}
TEST_CASE("CUDA: lists that grow keep what they hold", "[device][sanitize]") {
  REQUIRE_DEVICE();
  test::check_growing_array<CudaExec>();
}
TEST_CASE("CUDA: the memory ledger balances", "[device]") {
  REQUIRE_DEVICE();
  test::check_memory_ledger<CudaExec>();
}
TEST_CASE("CUDA: a limit of memory is kept to", "[device]") {
  REQUIRE_DEVICE();
  test::check_memory_limit<CudaExec>();
}
TEST_CASE("CUDA: however little memory is left, a sort is right or refused", "[device]") {
  REQUIRE_DEVICE();
  test::check_sorts_in_little_memory<CudaExec>();
}
TEST_CASE("CUDA: out of memory is an error, and work goes on", "[device]") {
  REQUIRE_DEVICE();
  test::check_out_of_memory<CudaExec>(std::size_t(1) << 46);
}
TEST_CASE("CUDA: prefix sums in place", "[device]") {
  REQUIRE_DEVICE();
  test::check_prefix_sums<CudaExec, std::uint32_t>();
  test::check_prefix_sums<CudaExec, std::uint64_t>();
}
TEST_CASE("CUDA: launches are counted", "[device]") {
  REQUIRE_DEVICE();
  test::check_launch_count<CudaExec>();
}
TEST_CASE("CUDA: a stop request is seen at the next launch", "[device]") {
  REQUIRE_DEVICE();
  test::check_stop([](std::stop_token token) { return std::make_unique<CudaExec>(0, token); });
}

TEST_CASE("CUDA: a launch that no device can run is an error", "[device]") {
  REQUIRE_DEVICE();
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
TEST_CASE("CUDA: a faulting kernel is an error, not a crash", "[device][fault]") {
  REQUIRE_DEVICE();
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
