#pragma once
// Trees in shares on disk: a folder with one file per rank, share-0-of-4.npy, ..., which read_tree() joins again
// (trees/tree_file.hpp).

#include <string>

#include "algorithms/cluster/rank_build.hpp"

namespace kdscope::cluster {

/// Returns the folder in which shares are written before it gets its final name.
std::string unfinished_folder_of(const std::string& folder);

/// Checks that shares can be written there, and makes the unfinished folder. Collective. Errors: bad_usage for a name
/// that does not end in .shares or that exists; io_failure.
Result<void> begin_shares(Communicator& ranks, const std::string& folder);

/// Writes the share of every rank. The folder gets its name only after all of them are whole; after an error there is
/// none. Collective. Errors: io_failure.
Result<void> write_shares(Communicator& ranks, const TreeShare& share, const std::string& folder);

}  // namespace kdscope::cluster
