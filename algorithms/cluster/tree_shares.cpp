#include "algorithms/cluster/tree_shares.hpp"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <utility>

#include "algorithms/trees/median_stores/file.hpp"
#include "algorithms/trees/node_rows.hpp"
#include "algorithms/trees/tree_file.hpp"

namespace kdscope::cluster {
namespace {

/// Returns the rows of a share, ascending by node; points without a node come last, ascending too.
tree_files::NodeRows rows_of(const TreeShare& share) {
  std::vector<std::uint32_t> order(share.node.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::sort(
      order, {}, [&](std::uint32_t row) { return std::pair(share.node[row].value, share.point_of_node[row].value); });
  tree_files::NodeRows rows{true, {}, {}, {}, {share.points.type, share.points.dim, 0, {}}};
  for (const std::uint32_t row : order) {
    rows.node.push_back(share.node[row].value);
    rows.original_index.push_back(share.point_of_node[row]);
    rows.split_dim.push_back(share.split_dim[row]);
    for (std::uint32_t d = 0; d < share.points.dim; ++d) rows.points.words.push_back(share.points.word(row, d));
  }
  return rows;
}

Error not_written(const std::string& path, const std::error_code& reason) {
  return {ErrorKind::io_failure, "cannot be written" + (reason ? " (" + reason.message() + ")" : std::string()), path,
          "check the folder, its permissions and the space left"};
}

}  // namespace

std::string unfinished_folder_of(const std::string& folder) { return folder + ".unfinished"; }

Result<void> begin_shares(Communicator& ranks, const std::string& folder) {
  Result<void> made;
  std::error_code failure;
  if (ranks.rank() != 0) {
  } else if (std::filesystem::path(folder).extension() != share_ending) {
    made = Error{ErrorKind::bad_usage, "several ranks write a tree as a folder of shares, whose name ends in .shares",
                 folder, "choose this ending"};
  } else if (std::filesystem::exists(folder, failure)) {
    made = Error{ErrorKind::bad_usage, "there is something of this name already", folder,
                 "remove it, or choose another name"};
  } else {
    // What a killed run has left is no tree
    std::filesystem::remove_all(unfinished_folder_of(folder), failure);
    if (!std::filesystem::create_directory(unfinished_folder_of(folder), failure))
      made = not_written(unfinished_folder_of(folder), failure);
  }
  return ranks.agree(made);
}

Result<void> write_shares(Communicator& ranks, const TreeShare& share, const std::string& folder) {
  const std::string unfinished = unfinished_folder_of(folder);
  const std::string path = unfinished + "/" + share_file(ranks.rank(), ranks.size());
  std::error_code failure;
  std::ofstream out(path, std::ios::binary);
  if (share.stores)
    tree_files::write_median_store_share(rows_of(share), out);
  else
    tree_files::write_rows_npy(rows_of(share), out);
  out.close();
  Result<void> done =
      ranks.agree(out ? Result<void>() : not_written(path, std::error_code(errno, std::generic_category())));
  if (done) {
    Result<void> named;
    if (ranks.rank() == 0) {
      std::filesystem::rename(unfinished, folder, failure);
      if (failure) named = not_written(folder, failure);
    }
    done = ranks.agree(named);
  }
  if (!done && ranks.rank() == 0) std::filesystem::remove_all(unfinished, failure);
  return done;
}

}  // namespace kdscope::cluster
