// The public library with arrays in the memory of a CUDA device: the same trees and neighbours as on the host.
#include <cuda_runtime.h>

#include <cmath>
#include <random>
#include <span>
#include <vector>

#include "algorithms/library/kdscope.hpp"
#include "tests/support/catch.hpp"

namespace {

using kdscope::Points;

bool has_device() {
  int count = 0;
  const bool found = cudaGetDeviceCount(&count) == cudaSuccess && count > 0;
  cudaGetLastError();
  return found;
}

/// An array in a device's memory.
template <class T>
struct Array {
  T* data = nullptr;
  std::size_t size;
  explicit Array(std::size_t n) : size(n) { REQUIRE(cudaMalloc(&data, n * sizeof(T)) == cudaSuccess); }
  Array(const Array&) = delete;
  ~Array() { cudaFree(data); }
  std::span<T> span() const { return {data, size}; }
  std::vector<T> on_host() const {
    std::vector<T> here(size);
    REQUIRE(cudaMemcpy(here.data(), data, size * sizeof(T), cudaMemcpyDeviceToHost) == cudaSuccess);
    return here;
  }
};

std::vector<float> random_coordinates(std::size_t n, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<float> coordinates(n);
  for (float& each : coordinates) each = static_cast<float>(random() % 4096) / 16;
  return coordinates;
}

}  // namespace

TEST_CASE("library: points on a device make the tree of points on the host", "[device]") {
  if (!has_device()) KDSCOPE_SKIP("no CUDA device");
  const auto points = random_coordinates(30'000, 1);
  cudaStream_t stream;
  REQUIRE(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) == cudaSuccess);
  const Array<float> there(points.size());
  // The copy is not finished when the build is called, which must wait for the stream
  REQUIRE(cudaMemcpyAsync(there.data, points.data(), points.size() * 4, cudaMemcpyHostToDevice, stream) == cudaSuccess);
  const Points on_device = Points(there.span(), 3).on_cuda(stream);
  for (const char* builder : {"rank", "wald", "hu", "wehr"}) {
    INFO(builder);
    const auto expected = kdscope::build(Points(points, 3), {.builder = builder, .backend = "cpu"});
    const auto tree = kdscope::build(on_device, {.builder = builder});
    REQUIRE((expected && tree));
    CHECK(tree->backend() == "cuda");
    CHECK(tree->hash() == expected->hash());
    const auto on_cpu = kdscope::build(on_device, {.builder = builder, .backend = "cpu"});
    REQUIRE(on_cpu);
    CHECK(on_cpu->backend() == "cpu");
    CHECK(on_cpu->hash() == expected->hash());
  }
  cudaStreamDestroy(stream);
}

TEST_CASE("library: neighbours are left on the device, and equal those of the host", "[device]") {
  if (!has_device()) KDSCOPE_SKIP("no CUDA device");
  const auto points = random_coordinates(30'000, 2), queries = random_coordinates(6'000, 3);
  const Array<float> there(queries.size());
  REQUIRE(cudaMemcpy(there.data, queries.data(), queries.size() * 4, cudaMemcpyHostToDevice) == cudaSuccess);
  const Points on_device = Points(there.span(), 3).on_cuda();
  const auto tree = kdscope::build(Points(points, 3), {.backend = "cuda"});
  REQUIRE(tree);
  constexpr std::uint32_t k = 5;
  const Array<std::uint32_t> indices(2'000 * k);
  const Array<float> distances(2'000 * k);
  const auto expected = tree->nearest(Points(queries, 3), k, {.backend = "cpu"});
  const auto on_host = tree->nearest(on_device, k);
  REQUIRE((expected && on_host));
  CHECK(on_host->indices == expected->indices);
  CHECK(on_host->squared_distances == expected->squared_distances);
  for (const Points& asked : {on_device, Points(queries, 3)}) {
    REQUIRE(tree->nearest_on_cuda(asked, k, indices.span(), distances.span()));
    CHECK(indices.on_host() == expected->indices);
    const auto found = distances.on_host();
    for (std::size_t i = 0; i < found.size(); ++i)
      CHECK(found[i] == static_cast<float>(expected->squared_distances[i]));
  }
  const auto near = tree->nearest(Points(queries, 3), k, {.max_distance = 3, .backend = "cpu"});
  REQUIRE(near);
  REQUIRE(tree->nearest_on_cuda(on_device, k, indices.span(), distances.span(), {.max_distance = 3}));
  CHECK(indices.on_host() == near->indices);
  const auto refused = tree->nearest_on_cuda(on_device, k, indices.span(), distances.span(), {.backend = "cpu"});
  REQUIRE(!refused);
  CHECK(refused.error().kind == kdscope::ErrorKind::bad_usage);
  const auto not_there = kdscope::build(Points(queries, 3).on_cuda());
  REQUIRE(!not_there);
  CHECK(not_there.error().message().find("not in the memory of a CUDA device") != std::string::npos);
}
