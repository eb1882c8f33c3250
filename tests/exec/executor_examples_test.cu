// Runs the examples of algorithms/exec/README.md on CUDA.
#include "algorithms/exec/cuda_exec.cuh"
#include "algorithms/exec/devices.hpp"
#include "tests/exec/executor_examples.hpp"
#include "tests/support/cases.hpp"

namespace kdscope::executor_examples_test {

DEVICE_CASE("executors: the page's examples run on CUDA") {
  CudaExec exec;
  executor_examples::check_examples(exec);
}

}  // namespace kdscope::executor_examples_test
