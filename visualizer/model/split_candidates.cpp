#include "visualizer/model/split_candidates.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "algorithms/text/counts.hpp"
#include "algorithms/text/numbers.hpp"
#include "algorithms/trace/coordinate_names.hpp"
#include "algorithms/trace/row_reader.hpp"
#include "visualizer/model/node_list.hpp"
#include "visualizer/model/trace_lookup.hpp"

namespace kdscope {
namespace {

/// Returns the steps up to the cursor's that wrote an array, latest first.
std::vector<std::uint32_t> steps_back(const Cursor& cursor, const Trace::Array& array) {
  std::vector<std::uint32_t> steps;
  for (auto v = array.versions.rbegin(); v != array.versions.rend(); ++v)
    if (v->step <= cursor.step()) steps.push_back(v->step);
  return steps;
}

std::string name_of_node(NodeId node) { return "node " + std::to_string(node.value); }

/// The candidates of one root. They are contiguous, and so are those of each primitive among them.
struct RootCandidates {
  std::uint64_t begin = 0, end = 0;
  std::vector<std::uint32_t> primitives;
};

RootCandidates candidates_of_root(const Cursor& cursor, const CandidateArrays& arrays, std::uint32_t root) {
  const RowReader roots(cursor, arrays.root, cursor.step()), primitive(cursor, arrays.primitive, cursor.step());
  RootCandidates found;
  while (found.begin < roots.size() && roots.id(found.begin) != root) ++found.begin;
  for (found.end = found.begin; found.end < roots.size() && roots.id(found.end) == root; ++found.end)
    if (found.primitives.empty() || found.primitives.back() != primitive.id(found.end))
      found.primitives.push_back(primitive.id(found.end));
  return found;
}

/// Returns the nearest node, from `node` itself upwards, whose primitives candidates split.
std::optional<std::uint32_t> root_above(const Cursor& cursor, const CandidateArrays& arrays, std::uint32_t node) {
  const RowReader roots(cursor, arrays.root, cursor.step());
  std::vector<std::uint32_t> all;
  for (std::uint64_t c = 0; c < roots.size(); ++c)
    if (all.empty() || all.back() != roots.id(c)) all.push_back(roots.id(c));
  const NodeList list(cursor);
  for (std::uint32_t at = node, walked = 0; at < list.size() && walked < list.size(); at = list.parent(at), ++walked)
    if (std::find(all.begin(), all.end(), at) != all.end()) return at;
  return std::nullopt;
}

}  // namespace

CandidateArrays::CandidateArrays(const Trace& trace) {
  const auto take = [](const Trace::Array*& place, const Trace::Array& array) {
    if (!place) place = &array;
  };
  for (const Trace::Array& array : trace.arrays) {
    const ArrayInfo& info = array.info;
    if (info.components != 1 || info.gather) continue;
    const Space to = info.value_space;
    if (info.index_space == Space::candidate) {
      if (to == Space::node) take(root, array);
      if (to == Space::point || to == Space::triangle) take(primitive, array);
      if (to == Space::dimension) take(dim, array);
      if (to == Space::split_value) take(value, array);
      if (to == Space::bit_mask && info.type == ElementType::uint64 && info.side != Side::none)
        take(info.side == Side::left ? left : right, array);
    } else if (info.index_space == Space::evaluation) {
      if (to == Space::node) take(tried_at, array);
      if (to == Space::candidate) take(tried, array);
      if (to == Space::cost) take(cost, array);
    } else if (info.index_space == Space::node) {
      if (to == Space::bit_mask && info.type == ElementType::uint64) take(set, array);
      if (to == Space::candidate) take(choice, array);
      if (to == Space::cost) take(leaf_cost, array);
    }
  }
}

std::vector<std::uint32_t> NodeCandidates::dimensions() const {
  std::vector<std::uint32_t> dims;
  for (const TriedCandidate& t : tried)
    if (dims.empty() || dims.back() != t.dim) dims.push_back(t.dim);
  return dims;
}

std::optional<std::size_t> NodeCandidates::place_of(std::uint32_t candidate) const {
  for (std::size_t i = 0; i < tried.size(); ++i)
    if (tried[i].candidate == candidate) return i;
  return std::nullopt;
}

std::string NodeCandidates::position_text(std::size_t place) const {
  const TriedCandidate& c = tried[place];
  const auto stands_there = [&](const TriedCandidate& other) {
    return other.dim == c.dim && other.position == c.position;
  };
  std::size_t below = place, above = place;
  while (below < tried.size() && stands_there(tried[below])) --below;  // past 0 it wraps around and exceeds every size
  while (above < tried.size() && stands_there(tried[above])) ++above;
  int digits = 4;
  const auto looks_like = [&](std::size_t other) {
    return other < tried.size() && tried[other].dim == c.dim &&
           short_number(tried[other].position, digits) == short_number(c.position, digits);
  };
  while (digits < 17 && (looks_like(below) || looks_like(above))) ++digits;
  return short_number(c.position, digits);
}

Result<NodeCandidates> node_candidates(const Cursor& cursor, std::optional<NodeId> node) {
  const CandidateArrays arrays(cursor.trace());
  if (!arrays)
    return Error{ErrorKind::bad_usage, "this run tries no split candidates", "",
                 "choose an algorithm that splits by cost"};
  const RowReader roots(cursor, arrays.root, cursor.step());
  if (roots.size() == 0) {
    const std::string when = arrays.root->versions.empty()
                                 ? ""
                                 : "; step " + std::to_string(arrays.root->versions.front().step) + " finds them";
    return Error{ErrorKind::bad_usage, "there are no split candidates yet" + when, "", "go on to that step"};
  }

  NodeCandidates found;
  found.first_split = !node;
  found.primitive_space = arrays.primitive->info.value_space;
  // Find the step that last evaluated the node.
  std::vector<std::uint64_t> evaluations;
  const auto evaluated_at = arrays.tried_at && arrays.tried && arrays.cost ? steps_back(cursor, *arrays.tried_at)
                                                                           : std::vector<std::uint32_t>();
  const auto as_of = [&](std::uint32_t step) { return step == evaluated_at.front() ? cursor.step() : step; };
  // Choose the first node that the latest evaluation split. One before this step that split none made leaves alone.
  for (const bool of_leaves : {false, true})
    for (const std::uint32_t step : evaluated_at) {
      const RowReader at(cursor, arrays.tried_at, as_of(step)), choice(cursor, arrays.choice, as_of(step));
      std::uint64_t first = 0;
      while (first < at.size() && choice.id(at.id(first)) == no_id) ++first;
      const bool takes_any = of_leaves || step == cursor.step();
      if (!node && at.size() > 0 && (first < at.size() || takes_any))
        node = NodeId{at.id(first < at.size() ? first : 0)};
      if (node) break;
    }
  for (const std::uint32_t step : evaluated_at) {
    const RowReader at(cursor, arrays.tried_at, as_of(step));
    for (std::uint64_t e = 0; node && e < at.size(); ++e)
      if (at.id(e) == node->value) evaluations.push_back(e);
    if (evaluations.empty()) continue;
    found.step = step;
    found.evaluated = true;
    break;
  }
  if (!node) node = NodeId{roots.id(0)};
  const auto root = root_above(cursor, arrays, node->value);
  if (!root)
    return Error{ErrorKind::bad_usage, "no split candidate was tried at " + name_of_node(*node), "",
                 "select a node further down"};
  found.node = *node;
  found.root = *root;
  RootCandidates of_root = candidates_of_root(cursor, arrays, *root);
  found.primitives = std::move(of_root.primitives);
  if (found.primitives.size() > 64)
    return Error{ErrorKind::bad_input,
                 "the masks of " + name_of_node(*node) + " have fewer bits than it has primitives", "",
                 "record the run again"};
  const RowReader sets(cursor, arrays.set, cursor.step());
  found.set = sets.bits(node->value);

  const RowReader dim(cursor, arrays.dim, cursor.step()), value(cursor, arrays.value, cursor.step()),
      left(cursor, arrays.left, cursor.step()), right(cursor, arrays.right, cursor.step());
  const auto add = [&](std::uint32_t c, double cost, std::optional<std::uint64_t> evaluation) {
    if (c < dim.size() && dim.id(c) != no_id)
      found.tried.push_back({c, dim.id(c), value.number(c), cost, left.bits(c), right.bits(c), evaluation});
  };
  std::uint32_t chosen = no_id;
  if (found.evaluated) {
    const bool current = found.step == evaluated_at.front();
    const std::uint32_t then = current ? cursor.step() : found.step;
    const RowReader tried(cursor, arrays.tried, then), cost(cursor, arrays.cost, then),
        choice(cursor, arrays.choice, then), leaf(cursor, arrays.leaf_cost, then);
    for (const std::uint64_t e : evaluations)
      add(tried.id(e), cost.number(e), current ? std::optional(e) : std::nullopt);
    if (const double c = leaf.number(node->value); !std::isnan(c)) found.leaf_cost = c;
    chosen = choice.id(node->value);
  } else if (*root == node->value) {
    found.step = arrays.root->versions.front().step;
    for (std::uint64_t c = of_root.begin; c < of_root.end; ++c)
      add(static_cast<std::uint32_t>(c), std::nan(""), std::nullopt);
  }
  std::stable_sort(found.tried.begin(), found.tried.end(), [](const auto& a, const auto& b) {
    return a.dim != b.dim ? a.dim < b.dim : a.position < b.position;
  });
  found.chosen = found.place_of(chosen);

  const NodeList list(cursor);
  for (std::uint32_t child = node->value + 1; child < list.size(); ++child) {
    if (list.parent(child) != node->value || list.split_dim(node->value) < 0) continue;
    const bool on_right = list.is_right_child(child);
    (on_right ? found.right_child : found.left_child) = child;
    (on_right ? found.right_set : found.left_set) = sets.bits(child);
  }
  return found;
}

std::optional<NodeId> node_of_candidate(const Cursor& cursor, std::uint32_t candidate) {
  const CandidateArrays arrays(cursor.trace());
  if (!arrays) return std::nullopt;
  const RowReader tried(cursor, arrays.tried, cursor.step()), at(cursor, arrays.tried_at, cursor.step()),
      root(cursor, arrays.root, cursor.step());
  for (std::uint64_t e = 0; e < tried.size(); ++e)
    if (tried.id(e) == candidate) return NodeId{at.id(e)};
  return root.id(candidate) == no_id ? std::nullopt : std::optional(NodeId{root.id(candidate)});
}

std::vector<std::uint32_t> primitives_by_mask(const Cursor& cursor, NodeId node) {
  const CandidateArrays arrays(cursor.trace());
  const TypedArray* sets = arrays && arrays.set ? cursor.array(arrays.set->info.name) : nullptr;
  const std::uint64_t set = sets && node.value < sets->size() ? sets->as<std::uint64_t>()[node.value] : 0;
  const auto root = set ? root_above(cursor, arrays, node.value) : std::nullopt;
  std::vector<std::uint32_t> found;
  if (!root) return found;
  const RootCandidates of_root = candidates_of_root(cursor, arrays, *root);
  for (std::size_t bit = 0; bit < std::min<std::size_t>(64, of_root.primitives.size()); ++bit)
    if (set >> bit & 1) found.push_back(of_root.primitives[bit]);
  std::sort(found.begin(), found.end());
  return found;
}

std::vector<std::uint32_t> nodes_with_primitive(const Cursor& cursor, std::uint32_t primitive) {
  const CandidateArrays arrays(cursor.trace());
  std::vector<std::uint32_t> found;
  const TypedArray* sets = arrays && arrays.set ? cursor.array(arrays.set->info.name) : nullptr;
  if (!sets) return found;
  const RowReader roots(cursor, arrays.root, cursor.step()), of(cursor, arrays.primitive, cursor.step());
  const NodeList list(cursor);
  // Find the primitive's bit at each root and pass it down the tree; parents precede their children.
  std::vector<int> bit(list.size(), -1);
  for (std::uint64_t c = 0, place = 0; c < roots.size(); ++c) {
    if (c > 0 && roots.id(c) != roots.id(c - 1))
      place = 0;
    else if (c > 0 && of.id(c) != of.id(c - 1))
      ++place;
    if (of.id(c) == primitive && roots.id(c) < list.size() && place < 64) bit[roots.id(c)] = static_cast<int>(place);
  }
  for (std::uint32_t node = 0; node < std::min<std::uint64_t>(list.size(), sets->size()); ++node) {
    if (const std::uint32_t up = list.parent(node); up < node && bit[node] < 0) bit[node] = bit[up];
    if (bit[node] >= 0 && list.split_dim(node) < 0 && (sets->as<std::uint64_t>()[node] >> bit[node] & 1))
      found.push_back(node);
  }
  return found;
}

std::string candidate_words(const NodeCandidates& node, std::size_t place, std::uint32_t dims) {
  const TriedCandidate& c = node.tried[place];
  std::string words =
      coordinate_name(c.dim, dims) + " = " + node.position_text(place) + ", candidate " + std::to_string(c.candidate);
  if (!std::isnan(c.cost)) words += ": cost " + short_number(c.cost, 4);
  return words + "; " + std::to_string(std::popcount(node.set & c.left)) + " left, " +
         std::to_string(std::popcount(node.set & c.right)) + " right";
}

std::string headline_of(const NodeCandidates& node, std::uint32_t dims) {
  const bool of_points = node.primitive_space == Space::point;
  const int count = std::popcount(node.set);
  std::string head = "Node " + std::to_string(node.node.value) +
                     (node.first_split && node.chosen ? ", the first that is split: "
                      : node.first_split              ? ", the first of the step: "
                                                      : ": ") +
                     (of_points ? count_text(static_cast<std::size_t>(count), "point", "points")
                                : count_text(static_cast<std::size_t>(count), "triangle", "triangles")) +
                     ".";
  if (!node.evaluated) return head + " Nothing is evaluated yet.";
  if (node.chosen) return head + " Chosen: " + candidate_words(node, *node.chosen, dims) + ".";
  if (node.tried.empty()) return head + " No candidate lies inside it: a leaf.";
  return head + " No split costs less than the leaf.";
}

}  // namespace kdscope
