// The public library with arrays in the memory of a CUDA device: the same trees and neighbours as on the host.
#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <span>
#include <stop_token>
#include <thread>
#include <vector>

#include "algorithms/library/kdscope.hpp"
#include "tests/support/cases.hpp"

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
  explicit Array(const std::vector<T>& elements) : Array(elements.size()) {
    REQUIRE(cudaMemcpy(data, elements.data(), size * sizeof(T), cudaMemcpyHostToDevice) == cudaSuccess);
  }
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

KDSCOPE_CASE_IF(has_device(), "no CUDA device", "library: points on a device make the tree of points on the host",
                "[device]") {
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
    const auto on_cpu = kdscope::build(on_device, {.builder = builder, .backend = "cpu"}).value();
    CHECK(on_cpu.backend() == "cpu");
    CHECK(on_cpu.hash() == expected->hash());
  }
  cudaStreamDestroy(stream);
}

KDSCOPE_CASE_IF(has_device(), "no CUDA device",
                "library: neighbours are left on the device, and equal those of the host", "[device]") {
  const auto points = random_coordinates(30'000, 2), queries = random_coordinates(6'000, 3);
  const Array<float> there(queries.size());
  REQUIRE(cudaMemcpy(there.data, queries.data(), queries.size() * 4, cudaMemcpyHostToDevice) == cudaSuccess);
  const Points on_device = Points(there.span(), 3).on_cuda();
  const auto tree = kdscope::build(Points(points, 3), {.backend = "cuda"}).value();
  constexpr std::uint32_t k = 5;
  const Array<std::uint32_t> indices(2'000 * k);
  const Array<float> distances(2'000 * k);
  const auto expected = tree.nearest(Points(queries, 3), k, {.backend = "cpu"});
  const auto on_host = tree.nearest(on_device, k);
  REQUIRE((expected && on_host));
  CHECK(on_host->indices == expected->indices);
  CHECK(on_host->squared_distances == expected->squared_distances);
  for (const Points& asked : {on_device, Points(queries, 3)}) {
    REQUIRE(tree.nearest_on_cuda(asked, k, indices.span(), distances.span()));
    CHECK(indices.on_host() == expected->indices);
    const auto found = distances.on_host();
    for (std::size_t i = 0; i < found.size(); ++i)
      CHECK(found[i] == static_cast<float>(expected->squared_distances[i]));
  }
  const auto near = tree.nearest(Points(queries, 3), k, {.max_distance = 3, .backend = "cpu"}).value();
  REQUIRE(tree.nearest_on_cuda(on_device, k, indices.span(), distances.span(), {.max_distance = 3}));
  CHECK(indices.on_host() == near.indices);
  const auto refused = tree.nearest_on_cuda(on_device, k, indices.span(), distances.span(), {.backend = "cpu"});
  REQUIRE(!refused);
  CHECK(refused.error().kind == kdscope::ErrorKind::bad_usage);
  const auto not_there = kdscope::build(Points(queries, 3).on_cuda());
  REQUIRE(!not_there);
  CHECK(not_there.error().message().find("not in the memory of a CUDA device") != std::string::npos);
}

KDSCOPE_CASE_IF(has_device(), "no CUDA device",
                "library: a tree that stays on its device is that of the host, wherever it is looked at", "[device]") {
  for (const std::uint32_t dim : {1u, 3u, 8u})
    for (const std::size_t n : {0, 1, 2, 7, 5'000}) {
      CAPTURE(dim, n);
      const auto points = random_coordinates(n * dim, 4);
      const std::vector<std::int32_t> integers(points.begin(), points.end());
      const Array<float> there(points);
      const Array<std::int32_t> integers_there(integers);
      for (const char* split : {"round-robin", "widest"})
        for (const bool of_floats : {true, false}) {
          const Points on_host = of_floats ? Points(points, dim) : Points(integers, dim),
                       on_device =
                           (of_floats ? Points(there.span(), dim) : Points(integers_there.span(), dim)).on_cuda();
          const auto expected = kdscope::build(on_host, {.parameters = {{"split", split}}, .backend = "cpu"}).value();
          for (const Points& input : {on_device, on_host}) {
            const auto tree = kdscope::build(input, {.parameters = {{"split", split}}, .backend = "cuda"}).value();
            CHECK(tree.builder() == "rank");
            CHECK(tree.size() == n);
            CHECK(tree.dimensions() == dim);
            CHECK(tree.type() == expected.type());
            CHECK(tree.kind() == expected.kind());
            const auto same = [](const auto& one, const auto& other) { return std::ranges::equal(one, other); };
            if (n > 0) {  // before there is a copy on the host, and the searches on both back ends
              const auto near = expected.nearest(on_host, 3), there_too = tree.nearest(input, 3),
                         on_cpu = tree.nearest(input, 3, {.backend = "cpu"});
              REQUIRE((near && there_too && on_cpu));
              CHECK(near->indices == there_too->indices);
              CHECK(near->squared_distances == there_too->squared_distances);
              CHECK(near->indices == on_cpu->indices);
              // Few queries have a search of their own
              const auto one = tree.nearest(of_floats ? Points(std::span(points).first(dim), dim)
                                                      : Points(std::span(integers).first(dim), dim),
                                            3)
                                   .value();
              CHECK(std::ranges::equal(one.indices, std::span(near->indices).first(3)));
              const auto within = expected.within(on_host, 9), within_there = tree.within(input, 9);
              const auto count = expected.count(on_host, 9), count_there = tree.count(input, 9);
              REQUIRE((within && within_there && count && count_there));
              CHECK(within->offsets == within_there->offsets);
              CHECK(within->indices == within_there->indices);
              CHECK(*count == *count_there);
            }
            CHECK(same(tree.permutation(), expected.permutation()));
            CHECK(same(tree.split_dimensions(), expected.split_dimensions()));
            CHECK(same(tree.float_coordinates(), expected.float_coordinates()));
            CHECK(same(tree.int_coordinates(), expected.int_coordinates()));
            CHECK(tree.hash() == expected.hash());
            CHECK(tree.copy_to_host());
          }
        }
    }
}

KDSCOPE_CASE_IF(has_device(), "no CUDA device",
                "library: coordinates on a device are refused in the words for those of the host", "[device]") {
  const auto check_same = [](const auto& there, const auto& here) {
    REQUIRE((!there && !here));
    CHECK(there.error().message() == here.error().message());
  };
  for (const std::uint32_t dim : {1u, 3u, 8u}) {
    const auto good = random_coordinates(4'000 * dim, 5);
    const auto tree = kdscope::build(Points(good, dim), {.backend = "cuda"}).value();
    const std::size_t places[] = {0, 1, 31, 1'777 * dim, good.size() - 1};
    for (const std::size_t place : places)
      for (const float bad : {std::numeric_limits<float>::infinity(), -std::numeric_limits<float>::infinity(),
                              std::numeric_limits<float>::quiet_NaN(), -std::numeric_limits<float>::quiet_NaN()}) {
        auto points = good;
        points[place] = bad;
        points.back() = bad;  // the first is named
        const Array<float> there(points);
        const Points on_device = Points(there.span(), dim).on_cuda();
        check_same(kdscope::build(on_device), kdscope::build(Points(points, dim), {.backend = "cpu"}));
        check_same(tree.nearest(on_device, 2), tree.nearest(Points(points, dim), 2));
      }
    // Of these, floats cannot hold the squares of distances
    for (const float far : {1e30f, -3e25f}) {
      auto queries = good;
      queries[2'000] = far;
      const Array<float> there(queries);
      check_same(tree.nearest(Points(there.span(), dim).on_cuda(), 2), tree.nearest(Points(queries, dim), 2));
    }
  }
  // Integers as queries among floats are converted
  const auto points = random_coordinates(900, 6);
  const std::vector<std::int32_t> integers(points.begin(), points.end());
  const Array<std::int32_t> there(integers);
  const auto tree = kdscope::build(Points(points, 3), {.backend = "cuda"}).value();
  const auto found = tree.nearest(Points(there.span(), 3).on_cuda(), 2),
             expected = tree.nearest(Points(integers, 3), 2);
  REQUIRE((found && expected));
  CHECK(found->indices == expected->indices);
}

KDSCOPE_CASE_IF(has_device(), "no CUDA device",
                "library: threads search a tree on CUDA at the same time, and all memory comes back",
                "[device][serial]") {
  const auto points = random_coordinates(60'000, 7);
  const Array<float> there(points);
  const Points on_device = Points(there.span(), 3).on_cuda();
  std::size_t before = 0, after = 0, total = 0;
  for (int round = 0; round < 3; ++round) {
    if (round == 1) REQUIRE(cudaMemGetInfo(&before, &total) == cudaSuccess);  // the first loads the kernels
    const auto tree = kdscope::build(on_device).value();
    const auto expected = tree.nearest(Points(points, 3), 4).value();
    std::vector<int> same(6);
    {
      std::vector<std::jthread> threads;
      for (int& each : same)
        threads.emplace_back([&] {
          for (int i = 0; i < 5; ++i) {
            const auto found = tree.nearest(on_device, 4);
            each += found && found->indices == expected.indices;
          }
        });
    }
    CHECK(same == std::vector<int>(6, 5));
  }
  REQUIRE(cudaMemGetInfo(&after, &total) == cudaSuccess);
  CHECK(after >= before);
  // A stopped search leaves the tree as it was
  const auto tree = kdscope::build(on_device).value();
  REQUIRE(tree.nearest(on_device, 4));
  std::stop_source stop;
  stop.request_stop();
  const auto stopped = tree.nearest(on_device, 4, {.stop = stop.get_token()});
  REQUIRE(!stopped);
  CHECK(stopped.error().kind == kdscope::ErrorKind::cancelled);
  CHECK(tree.nearest(on_device, 4));
}

KDSCOPE_CASE_IF(has_device(), "no CUDA device",
                "library: the caller's current device stays, and points may be on another than the tree", "[device]") {
  int devices = 0;
  REQUIRE(cudaGetDeviceCount(&devices) == cudaSuccess);
  REQUIRE(cudaSetDevice(devices - 1) == cudaSuccess);  // trees are built on the first
  const auto stays = [&] {
    int current = -1;
    return cudaGetDevice(&current) == cudaSuccess && current == devices - 1;
  };
  const auto points = random_coordinates(6'000, 8);
  const Array<float> there(points);
  const Points on_device = Points(there.span(), 3).on_cuda();
  const auto expected = kdscope::build(Points(points, 3), {.backend = "cpu"}).value();
  {
    const auto tree = kdscope::build(on_device).value();
    CHECK(stays());
    const auto found = tree.nearest(on_device, 3), near = expected.nearest(Points(points, 3), 3);
    REQUIRE((found && near));
    CHECK(found->indices == near->indices);
    CHECK(stays());
    CHECK(tree.hash() == expected.hash());
    CHECK(stays());
    CHECK(kdscope::record(on_device, {{.builder = "wald"}}));
    CHECK(stays());
  }
  CHECK(stays());
  REQUIRE(cudaSetDevice(0) == cudaSuccess);
}
