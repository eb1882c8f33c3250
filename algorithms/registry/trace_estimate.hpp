#pragma once
// Estimates the memory that a recording will keep, by recording samples of the same data.

#include <cstdint>

#include "algorithms/builders/algorithm.hpp"

namespace kdscope {

/// Returns the bytes that a trace of the request keeps: exact for up to most_sampled() points or triangles. For more, a
/// sample and a quarter of it are recorded on the CPU. The difference per element between them gives the growth per
/// halving, which is extrapolated to the whole data; a twentieth of the sum is added. The samples have the data's
/// clusters and ties at 1/2^j of their density. None of the options may be "auto".
/// Work: that of two small recordings. Throws whatever recording throws.
std::uint64_t sampled_trace_bytes(const Builder& builder, const RunRequest& request, const TypedOptions& options,
                                  const RunControl& control);
/// Returns the largest number of elements of a sample. Points of many dimensions take more memory each, so fewer are
/// sampled.
constexpr std::uint64_t most_sampled(std::uint32_t dim) { return dim <= 16 ? 4096 : dim <= 128 ? 65536 / dim : 512; }

/// Picks one of every 2^halvings points of a set, or triangles of a mesh, at random but identically on every machine.
/// The picked triangles are enlarged about their centres, so that they cover the scene as all triangles do, and share
/// no vertices.
DataSet sample_of(const DataSet& data, int halvings);

}  // namespace kdscope
