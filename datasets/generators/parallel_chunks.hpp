#pragma once
// Splits index ranges over threads; what is computed for an index may depend on that index alone.

#include <algorithm>
#include <cstdint>
#include <thread>
#include <vector>

namespace kdscope {

/// Calls body(begin, end) for chunks that cover [0, n), on as many threads as the machine has; body must not throw.
template <class Body>
void parallel_chunks(std::uint64_t n, const Body& body) {
  constexpr std::uint64_t smallest_chunk = 1 << 16;
  const std::uint64_t threads =
      std::clamp<std::uint64_t>(n / smallest_chunk, 1, std::max(1u, std::thread::hardware_concurrency()));
  std::vector<std::jthread> others;
  for (std::uint64_t t = 1; t < threads; ++t)
    others.emplace_back([&body, n, t, threads] { body(n * t / threads, n * (t + 1) / threads); });
  body(std::uint64_t{0}, n / threads);
}

}  // namespace kdscope
