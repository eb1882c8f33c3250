#pragma once
// The builder by rank over the memories of executors: devices, or the host as one of them. The points of a rank lie
// there from the beginning, and its share of the tree at the end.

#include <cstdint>
#include <memory>
#include <stop_token>
#include <string>

#include "algorithms/cluster/nccl_link.hpp"
#include "algorithms/cluster/rank_build.hpp"

namespace kdscope::cluster {

/// How finely a build on executors works. No tree depends on it.
struct ExecutorSizes {
  /// Smaller samples than on a host, since a pass over a list takes a device less time than a sample takes its host.
  BuildSizes build = {.of_level = 8192, .least = 512};
  std::uint32_t subtree_points = 1u << 20;  ///< subtrees of fewer points are not worth a build of their own
  std::uint32_t least_subtrees = 4;         ///< per rank, all the same
  std::uint32_t points_per_listed = 4;      ///< of so many points, one has room in the list of a pass
};

/// Times of the stages of one rank, in ms.
struct StageTimes {
  double pivots = 0, partition = 0, exchange = 0, subtrees = 0;
};

/// How points travel between devices. automatic: by NCCL where it can connect them, else by MPI with their addresses
/// where MPI reads devices, else through the host's memory.
enum class Way : std::uint8_t { automatic, nccl, mpi, host };

/// Where a rank builds: on a device of its host.
struct Place {
  int device = 0;
  Way way = Way::automatic;
  std::shared_ptr<NcclLink> nccl = nullptr;  ///< that of an earlier build on the same devices; connect() sets it
};

/// A rank's part of a build. All functions throw ErrorException.
class ExecutorBuild {
 public:
  virtual ~ExecutorBuild() = default;
  /// Connects the ranks; before anything else. Collective. Errors: bad_usage where NCCL is wanted and missing.
  virtual void connect(Place& place) = 0;
  /// Builds the tree of all ranks' points; the one before goes. Collective.
  virtual void build() = 0;
  /// Returns the hash of the whole tree. Collective.
  virtual std::uint64_t hash() = 0;
  /// Copies the share of the tree to the host.
  virtual TreeShare download() = 0;
  /// Returns how points travelled: "NCCL".
  virtual std::string way() const = 0;
  virtual std::uint64_t peak_bytes() = 0;

  /// The stages of the last build.
  const StageTimes& times() const { return times_; }

 protected:
  StageTimes times_;
};

/// Returns the bytes of an executor's memory that a build takes on the rank that takes most. points: those of the
/// largest share.
std::uint64_t bytes_of_executor_build(std::uint64_t points, std::uint64_t n, std::uint32_t dim, std::uint32_t ranks);

/// Copies a share to an executor's memory. first: original index of its first point. options: split must be
/// round-robin, since with widest sides a subtree depends on the box of all points, which `rank` does not take from
/// outside. Not collective.
///
/// All ranks split the upper levels, about 16 subtrees per rank, while points stay where they are: a pass over all
/// points per level lists those in a bracket around each pivot, further passes over these lists shorten it. One stable
/// partition puts the points of each subtree side by side, one exchange moves them, and each rank builds its subtrees
/// by `rank`. The tree is that of one process, bit for bit.
///
/// Work O(n / ranks (levels + log n)). Memory: bytes_of_executor_build().
std::unique_ptr<ExecutorBuild> executor_build_on_cpu(Communicator& ranks, const PointSet& points, std::uint64_t first,
                                                     const rank::RankOptions& options, const ExecutorSizes& sizes,
                                                     std::stop_token stop);
#if defined(KDSCOPE_HAS_CUDA)
/// device: its ordinal.
std::unique_ptr<ExecutorBuild> executor_build_on_cuda(Communicator& ranks, const PointSet& points, std::uint64_t first,
                                                      const rank::RankOptions& options, const ExecutorSizes& sizes,
                                                      std::stop_token stop, int device);

/// Returns the bytes of a device's memory that nobody uses.
std::uint64_t free_bytes_on_cuda(int device);
#endif

}  // namespace kdscope::cluster
