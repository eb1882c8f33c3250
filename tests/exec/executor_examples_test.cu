// Runs the examples of algorithms/exec/README.md on CUDA.
#include "algorithms/exec/cuda_exec.cuh"
#include "algorithms/exec/devices.hpp"
#include "tests/exec/executor_examples.hpp"
#include "tests/support/catch.hpp"

namespace kdscope::executor_examples_test {

TEST_CASE("executors: the page's examples run on CUDA", "[device]") {
  if (!find_cuda_devices().status.empty()) KDSCOPE_SKIP("no CUDA device");
  CudaExec exec;
  executor_examples::check_examples(exec);
}

}  // namespace kdscope::executor_examples_test
