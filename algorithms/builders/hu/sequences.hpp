#pragma once
// One sequence of the points per dimension, sorted once and kept sorted within every node (Hu et al. 2015, §II, tables
// a, b and e to k).

#include <cstdint>
#include <utility>
#include <vector>

#include "algorithms/builders/hu/nodes.hpp"
#include "algorithms/builders/hu/options.hpp"
#include "algorithms/exec/point_sides.hpp"

namespace kdscope::hu {

// [region hu/sequences]
/// Initialises the sequences before the sort: every dimension lists the points in their original order. sequence: [dims
/// x n].
struct InitialiseSequences {
  PointId* sequence;
  std::uint32_t n;
  KDSCOPE_HD void operator()(std::uint32_t i) const { sequence[i] = {i % n}; }
};

/// The keys of one sort over a batch of dimensions: (dimension, coordinate). One sort of the whole batch fills a device
/// even where the points of one dimension would not. keys: [dims x n].
template <class Key>
struct SortKeys {
  PointsView points;
  std::uint32_t first_dim;
  Key* keys;
  KDSCOPE_HD void operator()(std::uint32_t i) const {
    // i counts the points of the batch, dimension after dimension
    const std::uint32_t d = i / points.n, key = points.key(i - d * points.n, first_dim + d);
    if constexpr (sizeof(Key) == 8)
      keys[i] = static_cast<Key>(d) << 32 | key;
    else
      keys[i] = key;
  }
};
// [endregion]

// [region hu/mark]
/// Finds the side of its node's split to which each active point goes; points at the split value go right (Alg. 3). One
/// thread per point. The marks of all dimensions then look up the side instead of comparing again.
struct SideOfPoint {
  PointsView points;
  ActiveNodes active;
  const PointId* sequence;  ///< the sequence of any one dimension
  PointSides side;          ///< by point
  KDSCOPE_HD void operator()(std::uint32_t j) const {
    // j counts active positions, so the node is known; the point's coordinate is read at random
    const std::uint32_t node = active.owner[j], point = sequence[active.position(node, j)].value;
    const bool right =
        points.key(point, active.nodes.split_dim[node]) >= ordered_key(active.nodes.split_value[node], points.type);
    side.put(point, right);
  }
};

/// Sets left_right_mark of a batch of dimensions: [dims x m], 0 left, 1 right. sequence: [dims x n]. One thread per
/// point and dimension. The owners of table f follow from the marks: mark 0 is the node's left child, mark 1 its right
/// child.
struct Mark {
  ActiveNodes active;
  const PointId* sequence;
  PointSides side;
  std::uint32_t n, m;
  std::uint8_t* left_right_mark;
  KDSCOPE_HD void operator()(std::uint32_t i) const {
    // i counts the active positions of the batch, dimension by dimension. In the source, one thread handles position j
    // of all dimensions (table e); here, each dimension has a thread of its own. A node has the same positions in all
    // sequences, so j alone identifies it.
    const std::uint32_t d = i / m, j = i - d * m;
    left_right_mark[i] = side.is_right(sequence[std::size_t(d) * n + active.position(active.owner[j], j)].value);
  }
};
// [endregion]

// [region hu/left_counter]
/// Returns the summand of left_counter: 1 for each point that goes left. The source scans left_right_mark itself, which
/// is 0 for left; this would count the points that go right.
struct GoesLeft {
  const std::uint8_t* left_right_mark;
  KDSCOPE_HD std::uint32_t operator()(std::uint32_t i) const { return 1u - left_right_mark[i]; }
};

/// Counts the children's points from the last element of left_counter in their parent. One thread per node of the
/// level.
struct CountChildren {
  ActiveNodes active;
  const std::uint8_t* left_right_mark;  ///< [dims x m] of the first batch, like left_counter
  const std::uint32_t* left_counter;
  KDSCOPE_HD void operator()(std::uint32_t i) const {
    const NodesView& nodes = active.nodes;
    const std::uint32_t node = active.begin + i, left = nodes.left_child[node];
    if (left == no_id) return;
    // The scan runs over all nodes of the level, so the points of one node that go left are a difference of counters:
    // that of its last position less that of its first, plus the last point itself if it goes left (tables g and h)
    const std::uint32_t from = active.place(node), last = from + nodes.count[node] - 1;
    const std::uint32_t lefts = left_counter[last] - left_counter[from] + 1u - left_right_mark[last];
    // The children share the positions of their parent, the left one first
    nodes.first[left] = nodes.first[node], nodes.first[left + 1] = nodes.first[node] + lefts;
    nodes.count[left] = lefts, nodes.count[left + 1] = nodes.count[node] - lefts;
    nodes.place[left] = from, nodes.place[left + 1] = from + lefts;
  }
};
// [endregion]

// [region hu/relocate]
/// Moves each active point to its child's range of new_index, keeping the order within the child. sequence, new_index:
/// [dims x n]; left_right_mark, left_counter: [dims x m]. One thread per point and dimension.
struct Relocate {
  ActiveNodes active;
  const PointId* sequence;
  const std::uint8_t* left_right_mark;
  const std::uint32_t* left_counter;
  std::uint32_t n, m;
  PointId* new_index;
  KDSCOPE_HD void operator()(std::uint32_t i) const {
    // Find the position's node, and the node's positions before this one (tables g to k)
    const std::uint32_t d = i / m, row = d * m, j = i - row;
    const std::uint32_t node = active.owner[j], from = active.place(node), first = active.nodes.first[node];
    // A point that goes left comes behind the lefts before it in its node, a point that goes right behind all lefts and
    // the rights before it. Both keep their order, so every sequence stays sorted within each child.
    const std::uint32_t lefts_before = left_counter[i] - left_counter[row + from], before = j - from;
    const std::uint32_t to =
        left_right_mark[i] ? active.nodes.count[active.nodes.left_child[node]] + before - lefts_before : lefts_before;
    new_index[std::size_t(d) * n + first + to] = sequence[std::size_t(d) * n + first + before];
  }
};

/// Sets the owner of each active position after the points have moved: the left child owns as many positions as it has
/// points, and the right child owns the rest. owner: [m] in/out.
struct NewOwner {
  ActiveNodes active;
  std::uint32_t* owner;
  KDSCOPE_HD void operator()(std::uint32_t j) const {
    // The right child's number is the left child's plus 1 (tables i and l): add the result of the comparison, 0 or 1
    const std::uint32_t node = owner[j], left = active.nodes.left_child[node];
    owner[j] = left + (j - active.place(node) >= active.nodes.count[left]);
  }
};
// [endregion]

// [region hu/bounding_boxes]
/// Finds the smallest boxes of nodes [begin, begin + nodes) in a batch of dimensions. A side's ends are the coordinates
/// of the first and the last point of the node in that dimension's sequence. One thread per node and dimension; the
/// source's one thread per node would loop over up to 512 dimensions.
struct BoundingBoxes {
  PointsView points;
  NodesView nodes;
  const PointId* sequence;  ///< [dims x n]
  std::uint32_t begin, first_dim, dims;
  KDSCOPE_HD void operator()(std::uint32_t i) const {
    // c counts the level's nodes, d the dimensions of the batch: neighbouring threads write neighbouring sides of a box
    const std::uint32_t c = i / dims, d = i - c * dims, node = begin + c;
    const PointId* of_dimension = sequence + std::size_t(d) * points.n + nodes.first[node];
    std::uint32_t* box = nodes.box + std::size_t(node) * 2 * points.dim + first_dim + d;
    // The sequence is sorted within the node, so its ends are the box's (tables l to n): no reduction is needed
    box[0] = points.word(of_dimension[0].value, first_dim + d);
    box[points.dim] = points.word(of_dimension[nodes.count[node] - 1].value, first_dim + d);
  }
};
// [endregion]

/// All sequences in a back end's memory: one array per batch of dimensions, and a spare array that receives the next
/// batch.
template <class Exec>
class Sequences {
 public:
  Sequences(Exec& exec, std::uint32_t n, Batches batches) : n_(n), batches_(batches) {
    for (std::uint32_t b = 0; b < batches.count(); ++b)
      arrays_.push_back(exec.template array<PointId>("sequences", std::size_t(batches.width) * n));
    spare_ = exec.template array<PointId>("new index", std::size_t(batches.width) * n);
  }
  const Batches& batches() const { return batches_; }
  PointId* batch(std::uint32_t b) const { return arrays_[b].data(); }
  PointId* spare() const { return spare_.data(); }
  const PointId* of(std::uint32_t dim) const {
    return batch(dim / batches_.width) + std::size_t(dim % batches_.width) * n_;
  }
  /// Exchanges the batch's array and the spare array.
  void swap_in(std::uint32_t b) { arrays_[b].swap(spare_); }

 private:
  std::uint32_t n_;
  Batches batches_;
  std::vector<Array<PointId, Exec>> arrays_;
  Array<PointId, Exec> spare_;
};

// [region hu/sort]
/// Sorts every dimension of a batch by (coordinate, original index). The sort is stable and starts from the original
/// order.
template <class Key, class Exec>
void sort_batch(Exec& exec, const PointsView& points, Sequences<Exec>& sequences, std::uint32_t b) {
  const Batches& batches = sequences.batches();
  const std::uint32_t items = batches.size(b) * points.n, other = Exec::sorts_in_one_buffer ? 0 : items;
  auto keys = exec.template array<Key>("sort keys", items, Allocation::scratch);
  auto other_keys = exec.template array<Key>("sort keys", other, Allocation::scratch);
  exec.for_each("sort keys", items, SortKeys<Key>{points, batches.begin(b), keys.data()});
  DoubleBuffer<Key> key_buffers{keys.data(), other_keys.data()};
  DoubleBuffer<PointId> order{sequences.batch(b), sequences.spare()};
  exec.sort_pairs("sort dimensions", key_buffers, order, items, 32 + std::bit_width(batches.size(b) - 1));
  if (order.current != sequences.batch(b)) sequences.swap_in(b);
}
// [endregion]

}  // namespace kdscope::hu
