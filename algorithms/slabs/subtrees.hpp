#pragma once
// Builds subtrees by `rank`, one after the other, within a limit of memory. Each goes there in pieces and comes back in
// pieces, so that the host holds neither as a whole.

#include <cstdint>
#include <memory>
#include <span>
#include <stop_token>

#include "algorithms/core/ids.hpp"
#include "algorithms/core/scalar.hpp"

namespace kdscope::slabs {

/// The memory in which subtrees are built. All functions throw ErrorException: out of memory, cancelled, device errors.
class SubtreeBuilder {
 public:
  virtual ~SubtreeBuilder() = default;
  /// Takes room for the points of a subtree; the one before goes.
  virtual void begin(std::uint32_t n, std::uint32_t dim, ScalarType type) = 0;
  /// Stores coordinates, from the word `at` on.
  virtual void upload(std::size_t at, std::span<const std::uint32_t> words) = 0;
  /// Builds the round-robin tree of the points, which begins with dimension 0. Equal coordinates are ordered by the
  /// points' positions.
  virtual void build() = 0;
  /// Copies the coordinates and the positions of the points of the nodes from `node` on.
  virtual void download(std::uint32_t node, std::span<std::uint32_t> words, std::span<PointId> points) = 0;
  /// Returns the most memory that was in use, in bytes.
  virtual std::uint64_t peak() = 0;
};

/// Returns a builder whose arrays take at most `memory` bytes.
std::unique_ptr<SubtreeBuilder> subtrees_on_cpu(std::uint64_t memory, std::stop_token stop);
std::unique_ptr<SubtreeBuilder> subtrees_on_cuda(int device, int processors, std::uint64_t memory,
                                                 std::stop_token stop);

}  // namespace kdscope::slabs
