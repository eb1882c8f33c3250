#pragma once
// Timed copies on any back end. copy_bandwidth.cpp and copy_bandwidth_cuda.cu instantiate them.

#include <algorithm>
#include <cstdint>

#include "algorithms/core/platform.hpp"
#include "algorithms/exec/memory.hpp"
#include "algorithms/microbench/copy_bandwidth.hpp"

namespace kdscope::copies {

/// 16 bytes: the widest access of a GPU's thread.
struct alignas(16) Word {
  std::uint32_t values[4];
};

struct CopyWord {
  const Word* from;
  Word* to;
  KDSCOPE_HD void operator()(std::uint32_t i) const { to[i] = from[i]; }
};

template <class Exec>
CopyBandwidth time_on(Exec& exec, std::uint64_t memory_bytes) {
  constexpr std::uint64_t usual_bytes = std::uint64_t(256) << 20, least_bytes = 1 << 20;
  constexpr int copies = 7;  // the first pages the memory in
  const std::uint64_t bytes = std::max(least_bytes, std::min(usual_bytes, memory_bytes / 8));
  const auto n = static_cast<std::uint32_t>(bytes / sizeof(Word));
  auto from = exec.template array<Word>("from", n), to = exec.template array<Word>("to", n);
  double least_ms = 0;
  const auto time = [&](auto&& copy) {
    for (int i = 0; i < copies; ++i) {
      exec.synchronize();
      const auto begin = exec.event();
      copy();
      const auto end = exec.event();
      const double ms = exec.elapsed_ms(begin, end);
      if (ms > 0 && (least_ms == 0 || ms < least_ms)) least_ms = ms;
    }
  };
  exec.for_each("fill", n, CopyWord{to.data(), from.data()});
  time([&] { exec.copy(to.data(), from.data(), n); });
  time([&] { exec.for_each("copy", n, CopyWord{from.data(), to.data()}); });
  constexpr double bytes_per_ms = 1e6;  // in one GB/s
  const std::uint64_t moved = 2 * std::uint64_t(n) * sizeof(Word);
  return {least_ms > 0 ? static_cast<double>(moved) / bytes_per_ms / least_ms : 0, moved};
}

/// Times copies on a CUDA device. Defined in the CUDA unit. Throws ErrorException.
CopyBandwidth time_on_cuda(const Device& device, std::stop_token stop);

}  // namespace kdscope::copies
