#pragma once
// Builds the tree of `rank` over an NPY file that is larger than the memory of the device, in slabs.

#include <cstdint>
#include <string>

#include "algorithms/builders/algorithm.hpp"
#include "algorithms/slabs/plan.hpp"

namespace kdscope::slabs {

struct SlabRequest {
  std::string points;        ///< an NPY file of float32 or int32, as numpy writes it
  std::string tree;          ///< the file of the tree, which must not exist; ends in .npy
  std::string scratch = {};  ///< a folder for the scratch file; empty: that of the tree
  std::uint64_t memory = 0;  ///< the limit in bytes: of the device's memory, or of this program's on the CPU
  Backend backend = Backend::automatic;
  int processors = 0;        ///< 0 for all
  bool host_scratch = true;  ///< put the scratch file into the host's memory if a device builds and it has room
};

/// A request that can be run: its input, its room on disk and its device have been checked.
struct PreparedSlabs {
  SlabRequest request;
  Plan plan;
  Device device;
  std::uint64_t input_begin = 0;  ///< byte of the first point in the file
  bool scratch_in_memory = false;
};

/// Checks a request and plans its build. Errors: bad_usage for a tree that exists or does not end in .npy; bad_input
/// for other files; out_of_memory for a limit that is too small; io_failure for a disk without room, with the bytes
/// that are needed and there; no_device.
Result<PreparedSlabs> prepare(SlabRequest request);

struct SlabReport {
  std::uint64_t tree_hash = 0;                          ///< that of the same tree in memory
  std::uint64_t passes = 0;                             ///< over the input
  std::uint64_t peak_bytes = 0;                         ///< most memory of the builder's arrays
  double pivots_ms = 0;                                 ///< passes that find the upper levels
  double partition_ms = 0;                              ///< the pass that writes the scratch file
  double upload_ms = 0, build_ms = 0, download_ms = 0;  ///< of all subtrees; reads and writes of files included
  double keep_ms = 0;                                   ///< until the disk has all of the tree
  double total_ms = 0;
};

/// Builds the tree: bit for bit the file that kdscope-cli build --algorithm rank --tree-out writes. After an error
/// there is no file of that name; a killed process leaves at most a file that the next build of the same name removes.
/// Errors: those of reads and writes; bad_input for coordinates that are not finite; out_of_memory; cancelled.
Result<SlabReport> build_in_slabs(const PreparedSlabs& prepared, const RunControl& control = {});

}  // namespace kdscope::slabs
