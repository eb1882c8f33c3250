#pragma once
// Timed reductions of single numbers on any back end. reduction_times.cpp and reduction_times_cuda.cu instantiate them.

#include <algorithm>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "algorithms/builders/zhou/chunks.hpp"
#include "algorithms/builders/zhou/segmented_reduction.hpp"
#include "algorithms/core/hash.hpp"
#include "algorithms/core/ids.hpp"
#include "algorithms/exec/memory.hpp"
#include "algorithms/microbench/reduction_times.hpp"

namespace kdscope::reductions {

/// The operators of Table 1 on single numbers.
struct Minimum {
  using Value = float;
  KDSCOPE_HD static float identity() { return std::numeric_limits<float>::infinity(); }
  KDSCOPE_HD static float combine(float a, float b) { return b < a ? b : a; }
};
struct Maximum {
  using Value = float;
  KDSCOPE_HD static float identity() { return -std::numeric_limits<float>::infinity(); }
  KDSCOPE_HD static float combine(float a, float b) { return b > a ? b : a; }
};
struct Sum {
  using Value = std::uint32_t;
  KDSCOPE_HD static std::uint32_t identity() { return 0; }
  KDSCOPE_HD static std::uint32_t combine(std::uint32_t a, std::uint32_t b) { return a + b; }
};

inline constexpr std::uint32_t timed_chunk = 256;

/// Reduces a chunk's elements to one.
template <class Operator>
struct ReduceChunk {
  using Value = typename Operator::Value;
  const Value* data;
  std::uint32_t n;
  Value* result;  ///< [chunks]
  template <class Block>
  KDSCOPE_HD void operator()(Block& block) const {
    Value* const values = block.template shared<Value>(static_cast<int>(timed_chunk));
    block.lanes([&](int lane) {
      const std::uint32_t i = block.index() * timed_chunk + static_cast<std::uint32_t>(lane);
      values[lane] = i < n ? data[i] : Operator::identity();
    });
    zhou::reduce_chunk<Operator>(block, values, timed_chunk);
    block.lanes([&](int lane) {
      if (lane == 0) result[block.index()] = values[0];
    });
  }
};

template <class Operator>
struct FillIdentity {
  typename Operator::Value* result;
  KDSCOPE_HD void operator()(std::uint32_t i) const { result[i] = Operator::identity(); }
};

template <class Operator, class Exec>
ReductionTimes timed_reduction(Exec& exec, const ReductionRequest& request) {
  using Value = typename Operator::Value;
  const std::uint32_t chunks = (std::max(request.n, 1u) + timed_chunk - 1) / timed_chunk, n = chunks * timed_chunk;

  // Fill with small integers, which floats represent exactly. Segments are whole chunks.
  const bool whole = request.way == ReductionWay::unsegmented;
  std::vector<Value> data(n), expected;
  std::vector<std::uint32_t> owner(n), owner_of_chunk(chunks);
  for (std::uint32_t chunk = 0, segment = 0, rest = 0; chunk < chunks; ++chunk, --rest) {
    if (chunk == 0 || (rest == 0 && !whole)) {
      rest = 1 + static_cast<std::uint32_t>(mix64(segment) % 15);
      segment = static_cast<std::uint32_t>(expected.size());
      expected.push_back(Operator::identity());
    }
    owner_of_chunk[chunk] = segment;
    for (std::uint32_t i = chunk * timed_chunk; i < (chunk + 1) * timed_chunk; ++i) {
      owner[i] = segment;
      data[i] = static_cast<Value>(mix64(i + 77) % 251);
      expected[segment] = Operator::combine(expected[segment], data[i]);
    }
  }

  const auto uploaded = [&](const char* name, const auto& from) {
    auto there = exec.template array<typename std::decay_t<decltype(from)>::value_type>(name, from.size());
    exec.upload(there.data(), std::span(from));
    return there;
  };
  const auto given = uploaded("elements", data);
  const auto owners = uploaded("owners", request.way == ReductionWay::segmented ? owner : owner_of_chunk);
  auto work = exec.template array<Value>("elements in work", n),
       of_chunks = exec.template array<Value>("results of chunks", chunks);
  auto results = exec.template array<Value>("results", expected.size());
  const auto reduce_chunks = [&](const Value* from, std::uint32_t count, Value* to) {
    exec.for_each_block("reduce chunks", (count - 1) / timed_chunk + 1, static_cast<int>(timed_chunk),
                        timed_chunk * sizeof(Value) + 16, ReduceChunk<Operator>{from, count, to});
  };
  const auto reduce_segments = [&](Value* elements, std::uint32_t count) {
    NullRecorder none;
    zhou::SegmentedReduction<Operator>{elements, owners.data(), count, results.data(), zhou::passes_per_block}.run(
        exec, none, {"segmented reduction"}, [](auto&, std::uint32_t) {});
  };

  ReductionTimes times;
  constexpr int warm_ups = 2;
  for (int run = 0; run < request.repeat + warm_ups; ++run) {
    exec.copy(work.data(), given.data(), n);
    exec.for_each("identity", static_cast<std::uint32_t>(expected.size()), FillIdentity<Operator>{results.data()});
    exec.synchronize();
    const auto from = exec.event();
    if (request.way == ReductionWay::segmented) {
      reduce_segments(work.data(), n);
    } else {
      reduce_chunks(work.data(), n, of_chunks.data());
      if (!whole) reduce_segments(of_chunks.data(), chunks);
      // Use the output of a round as the input of the next one; `work` has been read by then.
      Value *in = of_chunks.data(), *out = work.data();
      for (std::uint32_t left = chunks; whole; std::swap(in, out)) {
        const std::uint32_t next = (left - 1) / timed_chunk + 1;
        reduce_chunks(in, left, next == 1 ? results.data() : out);
        if ((left = next) == 1) break;
      }
    }
    const auto to = exec.event();
    const double ms = exec.elapsed_ms(from, to);
    if (run >= warm_ups) times.ms.push_back(ms);
  }
  std::vector<Value> found(expected.size());
  exec.download(std::span(found), results.data());
  if (found != expected)
    throw ErrorException({ErrorKind::failed_check, "a reduction's results are not those of a plain loop", "", ""});
  times.segments = static_cast<std::uint32_t>(expected.size());
  times.first = std::to_string(static_cast<std::uint32_t>(found[0]));
  return times;
}

template <class Exec>
ReductionTimes time_on(Exec& exec, const ReductionRequest& request) {
  switch (request.of) {
    case ReductionOperator::minimum:
      return timed_reduction<Minimum>(exec, request);
    case ReductionOperator::maximum:
      return timed_reduction<Maximum>(exec, request);
    default:
      return timed_reduction<Sum>(exec, request);
  }
}

/// Times reductions on a CUDA device. Defined in the CUDA unit. Throws ErrorException.
ReductionTimes time_on_cuda(const ReductionRequest& request, int device, std::stop_token stop);

}  // namespace kdscope::reductions
