#include "algorithms/builders/hu/recording.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

#include "algorithms/builders/hu/arrays.hpp"
#include "algorithms/checks/left_balanced_checks.hpp"
#include "algorithms/checks/sequence_checks.hpp"
#include "algorithms/record/partition_so_far.hpp"
#include "algorithms/text/counts.hpp"
#include "algorithms/trees/permutation.hpp"

namespace kdscope::hu {
namespace {

std::string number_text(double value) {
  std::string text = std::to_string(value);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

/// Checks that each dimension's sequence holds every point once. The single result reports the first sequence with
/// violations. names: [sequences] in the trace.
CheckResult check_permutations(std::span<const std::vector<PointId>> sequences, std::span<const std::string> names) {
  CheckResult all{"permutation", "each sequence holds every point once", true, ""};
  for (std::size_t d = 0; d < sequences.size() && all.passed; ++d) {
    CheckResult f = check_permutation(sequences[d], names[d]);
    if (f.passed) continue;
    f.name = all.name, f.statement = all.statement;
    all = std::move(f);
  }
  return all;
}

}  // namespace

StepPresenter::StepPresenter(PointSet original, const HuOptions& options)
    : original_(std::move(original)), options_(options), owner_(n(), 0), settled_(n()) {}

IndexRange StepPresenter::positions_of(std::uint32_t node) const {
  const IndexRange positions{nodes_.first[node], std::uint64_t(nodes_.first[node]) + nodes_.count[node]};
  if (positions.end > n()) throw BrokenState("node " + std::to_string(node) + " ends behind the last position");
  return positions;
}

/// Finds the positions of the nodes that the level splits.
void StepPresenter::find_active() {
  active_.clear();
  for (std::uint32_t node = begin_; node < boxed_; ++node)
    if (nodes_.split_dim[node] != no_id)
      for (std::uint64_t i = positions_of(node).begin; i < positions_of(node).end; ++i)
        active_.push_back(static_cast<std::uint32_t>(i));
}

/// Copies the positions that moved. Positions of leaves keep their contents.
void StepPresenter::move_to(const Sequences& sequences) {
  for (std::uint32_t d = 0; d < k(); ++d)
    for (const std::uint32_t position : active_) sequences_[d][position] = sequences[d][position];
}

void StepPresenter::add_sequences(StepWriter& step) const {
  for (std::uint32_t d = 0; d < k(); ++d) step.wrote(arrays::sequence, d, sequences_[d]);
}

void StepPresenter::add_owners(StepWriter& step) const { step.wrote(arrays::owner, owner_); }

/// Writes the list of nodes. A row ends where nodes have numbers but no values yet.
void StepPresenter::add_nodes(StepWriter& step) const {
  const std::size_t m = nodes_.size();
  Checked<std::uint32_t> child(2 * m, no_id), low, high;
  Checked<double> split_value(m, std::numeric_limits<double>::quiet_NaN());
  for (std::size_t i = 0; i < m; ++i) {
    if (nodes_.left_child[i] != no_id) child[2 * i] = nodes_.left_child[i], child[2 * i + 1] = nodes_.left_child[i] + 1;
    if (nodes_.split_dim[i] != no_id) split_value[i] = value(nodes_.split_value[i]);
    const auto box = nodes_.box.begin() + std::ptrdiff_t(i) * 2 * k();
    if (i < boxed_) low.insert(low.end(), box, box + k()), high.insert(high.end(), box + k(), box + 2 * k());
  }
  const auto coordinates = [&](const Checked<std::uint32_t>& words) {
    TypedArray array(original_.type == ScalarType::int32 ? ElementType::int32 : ElementType::float32, words.size());
    if (!words.empty()) std::memcpy(array.bytes().data(), words.data(), array.bytes().size());
    return array;
  };
  step.wrote(arrays::parent, nodes_.parent);
  step.wrote(arrays::child, child);
  step.wrote(arrays::split_dim, nodes_.split_dim);
  step.wrote(arrays::split_value, split_value);
  step.wrote(arrays::first, nodes_.first.first(counted_));
  step.wrote(arrays::count, nodes_.count.first(counted_));
  step.wrote(arrays::box_min, coordinates(low));
  step.wrote(arrays::box_max, coordinates(high));
}

/// Highlights each node that still moves as a segment, and the leaves as settled.
void StepPresenter::add_segments(StepWriter& step) const {
  Highlight segments{Role::segment, Space::position, {}, {}}, settled{Role::settled, Space::position, {}, {}};
  for (std::uint32_t i = 0; i < n();) {
    std::uint32_t end = i + 1;
    while (end < n() && owner_[end] == owner_[i]) ++end;
    Highlight& to = settled_[i] ? settled : segments;
    to.ranges.push_back({i, end});
    to.nodes.push_back(owner_[i]);
    i = end;
  }
  for (Highlight* h : {&settled, &segments})
    if (!h->ranges.empty()) step.highlight(std::move(*h));
}

bool StepPresenter::keeps_bucket(std::uint32_t node) const {
  return node < boxed_ && nodes_.left_child[node] == no_id && settled_[nodes_.first[node]];
}

/// Writes the standard partition. Cells are cut at the splits, and the smallest boxes are written beside them. While
/// the marks of a level are known but its owners are not, points already belong to their children.
void StepPresenter::add_partition(StepWriter& step) const {
  PartitionSoFar partition(original_, nodes_.size());
  const Checked<double> unknown(2 * std::size_t(k()), std::numeric_limits<double>::quiet_NaN());
  Checked<double> box(2 * std::size_t(k()));
  for (std::uint32_t node = 0; node < nodes_.size(); ++node) {
    if (node > 0) partition.add_child(node, nodes_.parent[node], node != nodes_.left_child[nodes_.parent[node]]);
    if (nodes_.split_dim[node] < k()) partition.split(node, nodes_.split_dim[node], value(nodes_.split_value[node]));
    for (std::size_t side = 0; side < box.size() && node < boxed_; ++side)
      box[side] = value(nodes_.box[node * box.size() + side]);
    partition.set_tight_box(node, node < boxed_ ? box : unknown);
    if (keeps_bucket(node)) partition.mark_leaf(node);
  }
  for (std::uint32_t i = 0; i < n() && !sequences_.empty(); ++i) {
    const std::uint32_t point = sequences_[0][i].value, owner = owner_[i];
    if (point >= n() || owner >= nodes_.size()) continue;
    partition.place(
        point, side_.empty() || nodes_.left_child[owner] == no_id ? owner : nodes_.left_child[owner] + side_[point]);
  }
  partition.add_to(step);
}

void StepPresenter::initialised(StepWriter& step, Sequences sequences) {
  step.wrote(arrays::points, coordinates_of(original_));
  sequences_ = std::move(sequences);
  new_index_ = sequences_;
  nodes_.point_of_position.assign(n(), PointId{no_id});
  add_sequences(step);
  step.wrote(arrays::bucket, nodes_.point_of_position);
  step.check(check_permutations(sequences_, names_of(arrays::sequence, k())));
  step.title() = "A sequence of the points for each of " + count_text(k(), "dimension", "dimensions");
}

void StepPresenter::sorted(StepWriter& step, Sequences sequences) {
  sequences_ = std::move(sequences);
  new_index_ = sequences_;
  add_sequences(step);
  SequenceState state{owner_, {}, view_of(original_), names_of(arrays::sequence, k())};
  for (const auto& sequence : sequences_) state.sequence.push_back(sequence);
  step.check(check_permutations(sequences_, names_of(arrays::sequence, k())));
  step.check(check_sequences_sorted(state));
  step.title() = "Sort every dimension's sequence once";
}

void StepPresenter::rooted(StepWriter& step, NodeList nodes) {
  nodes.point_of_position = std::move(nodes_.point_of_position);
  nodes_ = std::move(nodes);
  counted_ = boxed_ = nodes_.size();
  add_owners(step);
  add_nodes(step);
  add_segments(step);
  add_partition(step);
  step.check(check_boxes(0));
  step.title() = boxed_ == 0 ? "No points, no root" : "The root's box, from the ends of the sequences";
}

void StepPresenter::split(StepWriter& step, NodeList nodes, std::uint32_t begin) {
  nodes.point_of_position = std::move(nodes_.point_of_position);
  nodes_ = std::move(nodes);
  begin_ = begin;
  add_owners(step);
  add_nodes(step);
  find_active();
  add_segments(step);
  Highlight ends{Role::read, Space::position, {}, {}};
  std::size_t splits = 0;
  for (std::uint32_t node = begin; node < nodes_.size(); ++node) {
    if (nodes_.split_dim[node] == no_id) continue;
    ++splits;
    const std::uint64_t first = nodes_.first[node], last = first + nodes_.count[node] - 1;
    ends.ranges.insert(ends.ranges.end(), {{first, first + 1}, {last, last + 1}});
    ends.nodes.insert(ends.nodes.end(), 2, node);
  }
  if (splits > 0) step.highlight(std::move(ends));
  add_partition(step);
  const std::size_t level = nodes_.size() - begin;
  if (splits == 0)
    step.title() = "No node needs a split any more";
  else if (splits == 1) {
    const std::uint32_t node = static_cast<std::uint32_t>(
        std::find_if(nodes_.split_dim.begin() + begin, nodes_.split_dim.end(), [](auto d) { return d != no_id; }) -
        nodes_.split_dim.begin());
    step.title() = "Split node " + std::to_string(node) + " at " + coordinate_name(dimension_of(node), k()) + " = " +
                   number_text(value(nodes_.split_value[node])) + ", the middle of its widest side";
  } else
    step.title() = "Split " + grouped(splits) + " of " + count_text(level, "node", "nodes") +
                   " at the middle of their widest sides";
}

void StepPresenter::numbered(StepWriter& step, NodeList nodes) {
  const std::uint32_t before = nodes_.size();
  nodes.point_of_position = std::move(nodes_.point_of_position);
  nodes_ = std::move(nodes);
  // Clear the new nodes' splits: the next level decides whether a child is split.
  std::fill(nodes_.left_child.begin() + before, nodes_.left_child.end(), no_id);
  std::fill(nodes_.split_dim.begin() + before, nodes_.split_dim.end(), no_id);
  add_nodes(step);
  add_segments(step);
  CheckResult f{"children", "children are numbered breadth first, and know their parent", true, ""};
  std::uint32_t next = before;
  for (std::uint32_t node = begin_; node < before; ++node) {
    const bool splits = nodes_.split_dim[node] != no_id;
    if (nodes_.left_child[node] != (splits ? next : no_id) ||
        (splits && (next + 1 >= nodes_.size() || nodes_.parent[next] != node || nodes_.parent[next + 1] != node)))
      f.fail_at("child", node, [&] {
        return "node " + std::to_string(node) + " has left child " + std::to_string(nodes_.left_child[node]);
      });
    if (splits) next += 2;
  }
  step.check(std::move(f));
  step.title() = nodes_.size() == before ? "No children"
                                         : "Nodes " + std::to_string(before) + " to " +
                                               std::to_string(nodes_.size() - 1) + " are the children";
}

void StepPresenter::settled(StepWriter& step, Checked<PointId> buckets, bool last) {
  std::size_t leaves = 0;
  for (std::uint32_t node = 0; node < boxed_; ++node) {
    if (nodes_.left_child[node] != no_id) continue;
    leaves += node >= begin_;
    for (std::uint64_t i = positions_of(node).begin; i < positions_of(node).end; ++i)
      nodes_.point_of_position[i] = buckets[i], settled_[i] = true;
  }
  step.wrote(arrays::bucket, nodes_.point_of_position);
  add_segments(step);
  step.title() =
      leaves == 0 ? "No leaf yet" : count_text(leaves, "node is a leaf", "nodes are leaves") + ", their points settle";
  if (!last) {
    Checked<std::uint8_t> leaf;
    for (std::uint32_t node = 0; node < boxed_; ++node) leaf.push_back(keeps_bucket(node));
    step.wrote(arrays::partition::leaf, leaf);
    return;
  }
  add_partition(step);
}

void StepPresenter::marked(StepWriter& step, std::uint32_t first_dim, const Checked<std::uint8_t>& marks) {
  const std::size_t m = active_.size(), dims = m ? marks.size() / m : 0;
  const PointsView points = view_of(original_);
  CheckResult f{"marks", "a mark is 0 for points below the split value of their node, 1 for the others", true, ""};
  side_.assign(n(), 0);
  for (std::uint32_t j = 0; j < m; ++j) {
    const std::uint32_t point = sequences_[first_dim][active_[j]].value;
    if (point < n()) side_[point] = marks[j];
  }
  for (std::uint32_t d = first_dim; d < first_dim + dims; ++d) {
    Checked<std::uint32_t> mark(n(), no_id), to(n(), no_id);
    for (std::uint32_t j = 0; j < m; ++j) {
      const std::uint32_t position = active_[j], owner = owner_[position], point = sequences_[d][position].value;
      mark[position] = marks[(d - first_dim) * m + j];
      to[position] = nodes_.left_child[owner] + mark[position];
      if (point < n() && mark[position] != (points.key(point, dimension_of(owner)) >=
                                            ordered_key(nodes_.split_value[owner], original_.type)))
        f.fail_at(name_of(arrays::left_right_mark, d, k()), position, [&] {
          return "point " + std::to_string(point) + " has mark " + std::to_string(mark[position]) + " in dimension " +
                 std::to_string(d);
        });
    }
    step.wrote(arrays::left_right_mark, d, mark);
    step.wrote(arrays::owner_by_dimension, d, to);
  }
  add_segments(step);
  if (first_dim == 0) add_partition(step);
  step.check(std::move(f));
  step.title() =
      "Mark each point's side" + std::string(dims == 1 ? " in the sequence of " + coordinate_name(first_dim, k()) : "");
}

void StepPresenter::counted(StepWriter& step, std::uint32_t first_dim, const Checked<std::uint32_t>& counters,
                            NodeList nodes) {
  const std::size_t m = active_.size(), dims = m ? counters.size() / m : 0;
  nodes_.first = std::move(nodes.first);
  nodes_.count = std::move(nodes.count);
  counted_ = nodes_.size();
  CheckResult f{"left counter", "left_counter is the number of points before it that go left", true, ""};
  for (std::uint32_t d = first_dim; d < first_dim + dims; ++d) {
    Checked<std::uint32_t> counter(n(), no_id);
    const std::uint32_t* row = counters.data() + (d - first_dim) * m;
    std::uint32_t lefts = 0;
    for (std::uint32_t j = 0; j < m; ++j) {
      counter[active_[j]] = row[j] - row[0];
      if (row[j] - row[0] != lefts)
        f.fail_at(name_of(arrays::left_counter, d, k()), active_[j], [&] {
          return "it is " + std::to_string(row[j] - row[0]) + " at position " + std::to_string(active_[j]) +
                 " of dimension " + std::to_string(d) + ", not " + std::to_string(lefts);
        });
      const std::uint32_t point = sequences_[d][active_[j]].value;
      lefts += point < n() && side_[point] == 0;
    }
    step.wrote(arrays::left_counter, d, counter);
  }
  if (first_dim == 0) add_nodes(step);
  add_segments(step);
  step.check(std::move(f));
  step.title() = "Count the points that go left" +
                 std::string(dims == 1 ? " in the sequence of " + coordinate_name(first_dim, k()) : "");
}

void StepPresenter::relocated(StepWriter& step, std::uint32_t first_dim, const Checked<PointId>& new_index) {
  const std::uint32_t dims = static_cast<std::uint32_t>(new_index.size() / n());
  for (std::uint32_t d = first_dim; d < first_dim + dims; ++d) {
    new_index_[d] = sequences_[d];
    for (const std::uint32_t position : active_)
      new_index_[d][position] = new_index[std::size_t(d - first_dim) * n() + position];
    step.wrote(arrays::new_index, d, new_index_[d]);
  }
  const std::vector<std::string> names = names_of(arrays::new_index, k());
  step.check(
      check_permutations(std::span(new_index_).subspan(first_dim, dims), std::span(names).subspan(first_dim, dims)));
  add_segments(step);
  step.title() = "Move each point to its child's part" +
                 std::string(dims == 1 ? " of the sequence of " + coordinate_name(first_dim, k()) : "");
}

void StepPresenter::renewed(StepWriter& step, const Checked<std::uint32_t>& owners) {
  for (std::size_t j = 0; j < active_.size(); ++j) owner_[active_[j]] = owners[j];
  move_to(new_index_);
  side_.clear();
  step.wrote(arrays::new_owner, owner_);
  add_owners(step);
  add_sequences(step);
  add_segments(step);
  add_partition(step);
  step.title() = "Each position belongs to a child";
}

void StepPresenter::bounded(StepWriter& step, NodeList nodes, Sequences sequences,
                            const Checked<std::uint32_t>& owners) {
  nodes.point_of_position = std::move(nodes_.point_of_position);
  const std::uint32_t children = boxed_;
  nodes_ = std::move(nodes);
  counted_ = boxed_ = nodes_.size();
  std::fill(nodes_.left_child.begin() + children, nodes_.left_child.end(), no_id);
  std::fill(nodes_.split_dim.begin() + children, nodes_.split_dim.end(), no_id);
  begin_ = children;
  active_.clear();
  settled_.assign(n(), true);
  for (std::uint32_t node = children; node < boxed_; ++node)
    for (std::uint64_t i = positions_of(node).begin; i < positions_of(node).end; ++i)
      owner_[i] = node, settled_[i] = false, active_.push_back(static_cast<std::uint32_t>(i));
  CheckResult f{"owners", "a position's owner is the node that begins at or before it and ends behind it", true, ""};
  for (std::size_t j = 0; j < active_.size(); ++j) {
    if (owners[j] != owner_[active_[j]])
      f.fail_at("owner", active_[j], [&] {
        return "position " + std::to_string(active_[j]) + " belongs to node " + std::to_string(owners[j]) + ", not " +
               std::to_string(owner_[active_[j]]);
      });
    owner_[active_[j]] = owners[j];
  }
  step.check(std::move(f));
  move_to(sequences);
  side_.clear();
  add_owners(step);
  add_sequences(step);
  add_nodes(step);
  add_segments(step);
  add_partition(step);
  SequenceState state{owner_, {}, view_of(original_), names_of(arrays::sequence, k())};
  for (const auto& sequence : sequences_) state.sequence.push_back(sequence);
  step.check(check_sequences_agree(state));
  step.check(check_sequences_sorted(state));
  step.check(check_boxes(children));
  step.title() =
      "The boxes of " + count_text(boxed_ - children, "child", "children") + ", from the ends of their sequences";
}

/// Checks that each box of the nodes from `begin` on is the smallest that holds the node's points.
CheckResult StepPresenter::check_boxes(std::uint32_t begin) const {
  CheckResult f{"tight boxes", "a node's box is the smallest that holds its points", true, ""};
  const PointsView points = view_of(original_);
  for (std::uint32_t node = begin; node < boxed_; ++node)
    for (std::uint32_t d = 0; d < k(); ++d) {
      std::uint32_t low = 0xffffffffu, high = 0;
      for (std::uint64_t i = positions_of(node).begin; i < positions_of(node).end; ++i) {
        const std::uint32_t key = points.key(followed(sequences_[0][i].value, n()), d);
        low = std::min(low, key), high = std::max(high, key);
      }
      const std::size_t side = std::size_t(node) * 2 * k() + d;
      if (ordered_key(nodes_.box[side], original_.type) != low ||
          ordered_key(nodes_.box[side + k()], original_.type) != high)
        f.fail_at("aabbMin", node,
                  [&] { return "node " + std::to_string(node) + " in dimension " + std::to_string(d); });
    }
  return f;
}

}  // namespace kdscope::hu
