// Builds over points on a CUDA device, and leaves the two nearest of each point there. Needs CUDA's runtime.
#include <cuda_runtime.h>

#include <cstdio>
#include <kdscope/kdscope.hpp>

int main() {
  const std::vector<float> points{0, 0, 4, 0, 4, 3, 1, 1, 9, 9};
  float *there = nullptr, *distances = nullptr;
  unsigned* indices = nullptr;
  if (cudaMalloc(&there, 40) || cudaMalloc(&distances, 40) || cudaMalloc(&indices, 40)) return std::puts("no GPU"), 1;
  cudaMemcpy(there, points.data(), 40, cudaMemcpyHostToDevice);
  const auto on_device = kdscope::Points(std::span<const float>(there, 10), 2).on_cuda();
  const auto tree = kdscope::build(on_device, {.backend = "cuda"});
  if (!tree) return std::puts(tree.error().message().c_str()), 1;
  const auto found = tree->nearest_on_cuda(on_device, 2, {indices, 10}, {distances, 10});
  std::puts(found ? "the indices and distances are on the device" : found.error().message().c_str());
}
