#include "algorithms/queries/registration.hpp"

#include "algorithms/queries/counting/counting.hpp"

namespace kdscope::queries::counting {

std::vector<SearchSpec> declare() {
  return {declared<CountInBox>("box-count", "Box counting", own_citation,
                               "Counts the points in a box without listing them. A subtree that lies in the box as a "
                               "whole adds its size and is not visited.",
                               "queries/count_in_box"),
          declared<CountInCells>("cell-count", "Box counting by cells", own_citation,
                                 "Compares the box of each cell with the box that is asked for: cells outside are "
                                 "skipped, cells inside are counted as a whole.",
                                 "queries/count_in_cells"),
          declared<CountInBuckets>("bucket-count", "Box counting by buckets", own_citation,
                                   "Compares the smallest box of each node's points with the box that is asked for: "
                                   "nodes outside are skipped, nodes inside are counted as a whole.",
                                   "queries/count_in_buckets")};
}

}  // namespace kdscope::queries::counting
