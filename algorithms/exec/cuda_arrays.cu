#include <algorithm>

#include "algorithms/exec/cuda_arrays.hpp"
#include "algorithms/exec/cuda_exec.cuh"
#include "algorithms/exec/scans.hpp"

namespace kdscope {
namespace {

/// Returns the device in whose memory an address lies. Throws ErrorException if it lies in none.
int device_of(const void* address) {
  cudaPointerAttributes attributes{};
  check_cuda(cudaPointerGetAttributes(&attributes, address), "looking at an address");
  if (attributes.type != cudaMemoryTypeDevice && attributes.type != cudaMemoryTypeManaged)
    throw ErrorException({ErrorKind::bad_usage, "the array is not in the memory of a CUDA device", "",
                          "give the address of an array on a device, or state that it is on the host"});
  return attributes.device;
}

/// The most dimensions that one pass looks at.
constexpr std::uint32_t dimensions_at_once = 8;

/// What was seen of some points. Keys ascend with the coordinates.
struct Seen {
  std::uint32_t low[dimensions_at_once], high[dimensions_at_once];
  std::uint64_t not_finite;  ///< index of the first such coordinate, or all_finite
};
constexpr std::uint64_t all_finite = ~std::uint64_t{0};

KDSCOPE_HD Seen nothing_seen() {
  Seen seen;
  for (std::uint32_t d = 0; d < dimensions_at_once; ++d) seen.low[d] = ~0u, seen.high[d] = 0;
  seen.not_finite = all_finite;
  return seen;
}

/// Looks at the dimensions [first, first + dimensions_at_once) of a point.
struct LookAtPoint {
  PointsView points;
  std::uint32_t first;
  KDSCOPE_HD Seen operator()(std::uint32_t i) const {
    Seen seen = nothing_seen();
    // A fixed number of rounds keeps the arrays in registers
    for (std::uint32_t d = 0; d < dimensions_at_once; ++d) {
      if (first + d >= points.dim) continue;
      const std::uint32_t word = points.word(i, first + d);
      seen.low[d] = seen.high[d] = ordered_key(word, points.type);
      const bool is_finite = points.type != ScalarType::float32 || (word & 0x7f800000u) != 0x7f800000u;
      if (!is_finite && seen.not_finite == all_finite) seen.not_finite = std::uint64_t(i) * points.dim + first + d;
    }
    return seen;
  }
};

struct JoinSeen {
  KDSCOPE_HD Seen operator()(Seen a, const Seen& b) const {
    for (std::uint32_t d = 0; d < dimensions_at_once; ++d) {
      if (b.low[d] < a.low[d]) a.low[d] = b.low[d];
      if (a.high[d] < b.high[d]) a.high[d] = b.high[d];
    }
    if (b.not_finite < a.not_finite) a.not_finite = b.not_finite;
    return a;
  }
};

}  // namespace

SameCudaDevice::SameCudaDevice() {
  if (cudaGetDevice(&before_) == cudaSuccess) return;
  cudaGetLastError();
  before_ = -1;
}

SameCudaDevice::~SameCudaDevice() {
  int now = 0;
  if (before_ >= 0 && cudaGetDevice(&now) == cudaSuccess && now != before_) cudaSetDevice(before_);
}

CudaMemory::CudaMemory(int device, std::size_t bytes) : device_(device) {
  const SameCudaDevice same;
  check_cuda(cudaSetDevice(device), "choosing the device");
  if (bytes > 0) check_cuda(cudaMalloc(&address_, bytes), "allocating an array");
}

CudaMemory::~CudaMemory() {
  if (!address_) return;
  const SameCudaDevice same;
  cudaSetDevice(device_);
  cudaFree(address_);
  cudaGetLastError();
}

void copy_from_cuda(void* to, const void* from, std::size_t bytes, CUstream_st* stream) {
  // Each device has a default stream of its own
  const SameCudaDevice same;
  check_cuda(cudaSetDevice(device_of(from)), "choosing the device");
  check_cuda(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, stream), "copying from the device");
  check_cuda(cudaStreamSynchronize(stream), "waiting for a stream");
}

CoordinateFacts look_at_cuda(const PointsView& points, CUstream_st* stream) {
  CoordinateFacts facts;
  if (points.n == 0) return facts;
  const SameCudaDevice same;
  const auto exec = rested_cuda_exec(device_of(points.words), {}, 0);
  exec->use_device();  // whose default stream is meant
  exec->wait_for(CudaExec::Event(stream));
  std::uint64_t not_finite = all_finite;
  for (std::uint32_t first = 0; first < points.dim; first += dimensions_at_once) {
    const Seen seen =
        exec->reduce("look at coordinates", points.n, LookAtPoint{points, first}, JoinSeen{}, nothing_seen());
    not_finite = std::min(not_finite, seen.not_finite);
    for (std::uint32_t d = 0; d < dimensions_at_once && first + d < points.dim; ++d) {
      facts.box.lo.push_back(scalar_value(word_of_ordered_key(seen.low[d], points.type), points.type));
      facts.box.hi.push_back(scalar_value(word_of_ordered_key(seen.high[d], points.type), points.type));
    }
  }
  if (not_finite == all_finite) return facts;
  return {{}, not_finite};
}

}  // namespace kdscope
