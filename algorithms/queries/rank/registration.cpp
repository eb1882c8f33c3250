#include "algorithms/queries/registration.hpp"

#include "algorithms/queries/rank/rank.hpp"

namespace kdscope::queries::rank {

std::vector<SearchSpec> declare() {
  return {declared<BucketPackets>("bucket-packets", "Packets of queries through buckets", own_citation,
                                  "A warp walks with 32 neighbouring queries at once and looks at 32 subtrees at once. "
                                  "All of its queries are compared with all points of a bucket.",
                                  "queries/bucket_packets"),
          declared<BucketWalks>("bucket-walk", "Buckets in columns, one query at a time", own_citation,
                                "A query is compared with 32 boxes, and with the points of a bucket, side by side in "
                                "memory, so that a processor compares several at once.",
                                "queries/bucket_walk")};
}

}  // namespace kdscope::queries::rank
