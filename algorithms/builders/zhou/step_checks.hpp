#pragma once
// The source's invariants after the steps of the two builders, checked over downloaded state. Values that a broken
// kernel may have written are checked before they are followed (BrokenState).

#include "algorithms/builders/zhou/recording.hpp"
#include "algorithms/core/check_result.hpp"

namespace kdscope::zhou {

using Ids = StepPresenter::Ids;

/// Checks that chunks cover the references of a level one after another, none longer than `longest`.
CheckResult check_chunks(const Ids& first, const Ids& size, std::uint32_t longest, std::size_t references);
CheckResult check_chunk_boxes(const Checked<Box3>& boxes, const Ids& first, const Ids& size, const Checked<Box3>& box);
/// Checks a segmented reduction. result: [active nodes], reduced from the chunks that they own.
CheckResult check_reduction(const Checked<Box3>& result, const Checked<Box3>& of_chunk, const Ids& owner,
                            const Ids& active);
CheckResult check_reduction(const Checked<SideCounts>& result, const Checked<SideCounts>& of_chunk, const Ids& owner,
                            const Ids& active);
CheckResult check_sides(const Checked<std::uint8_t>& left, const Checked<std::uint8_t>& right);
CheckResult check_clipped(const Checked<Box3>& box);
/// Checks that the sets of each pair of children, from `begin` on, together make up their parent's set.
CheckResult check_sets(const NodeList& nodes, std::uint32_t begin);
/// Checks the sizes. size: [nodes] places in the lower half, references in the upper half; compared where known.
CheckResult check_sizes(const NodeList& nodes, const Checked<std::uint64_t>& size, const Checked<bool>& known);

/// Checks that the lists are sorted. lists: [k + 1][m], one per dimension and the one by index.
CheckResult check_lists_sorted(const PointsView& points, const Ids& lists);
CheckResult check_lists_agree(const Ids& active, const Ids& first, const Ids& lists, std::size_t list_count);
CheckResult check_node_boxes(const PointsView& points, const Ids& active, const Ids& first, const Ids& primitive,
                             const Checked<Box3>& tight);
/// Checks the sums. left: [n] by point, 1 for points that go left.
CheckResult check_lefts_before(const Ids& left_before, const Ids& lists, const Ids& left, std::size_t m);

}  // namespace kdscope::zhou
