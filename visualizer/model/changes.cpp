#include "visualizer/model/changes.hpp"

#include <algorithm>
#include <array>
#include <iterator>

#include "algorithms/text/numbers.hpp"
#include "algorithms/text/point_name.hpp"
#include "algorithms/trace/beside_state.hpp"
#include "algorithms/trace/row_reader.hpp"
#include "visualizer/model/array_table.hpp"
#include "visualizer/model/count_array.hpp"
#include "visualizer/model/node_list.hpp"
#include "visualizer/model/trace_lookup.hpp"

namespace kdscope {
namespace {

constexpr std::array node_arrays{partition_arrays::parent, partition_arrays::split_dim, partition_arrays::split_value,
                                 partition_arrays::box,    partition_arrays::point,     partition_arrays::tight_box,
                                 partition_arrays::leaf};

constexpr std::uint32_t most_named_sides = 4;  // number of sides shown in words for a box of many dimensions

void append(std::vector<IndexRange>& ranges, std::uint64_t index) {
  if (!ranges.empty() && ranges.back().end == index)
    ++ranges.back().end;
  else if (ranges.empty() || ranges.back().end < index)
    ranges.push_back({index, index + 1});
}

/// Converts ranges of elements to ranges of indices that have several elements each.
std::vector<IndexRange> by_index(const std::vector<IndexRange>& elements, std::uint32_t components) {
  if (components <= 1) return elements;
  std::vector<IndexRange> indices;
  for (const IndexRange& r : elements) {
    const std::uint64_t begin = r.begin / components, end = (r.end + components - 1) / components;
    if (!indices.empty() && begin <= indices.back().end)
      indices.back().end = std::max(end, indices.back().end);
    else
      indices.push_back({begin, end});
  }
  return indices;
}

/// The nodes of the tree at a cursor's step; it distinguishes existing nodes from later ones.
struct Nodes {
  explicit Nodes(const Cursor& cursor) : list(cursor) {
    while (root < list.size() && list.parent(root) != no_id) ++root;
  }
  bool alive(std::uint32_t node) const {
    if (node >= list.size() || root >= list.size()) return false;
    const std::uint32_t up = list.parent(node);
    return up == no_id ? node == root : list.split_dim(up) >= 0;
  }
  std::string split(std::uint32_t node) const {
    const int dim = list.split_dim(node);
    return dim < 0 ? ""
                   : coordinate_name(static_cast<std::uint32_t>(dim), list.dim()) + " = " +
                         short_number(list.split_value(node));
  }
  std::string point(std::uint32_t node) const { return list.point(node) == no_id ? "" : point_name(list.point(node)); }
  /// Returns every side of a box. With more than three dimensions, it returns only the sides that differ from the other
  /// box.
  std::string box(const char* name, std::span<const double> b, std::span<const double> other) const {
    const std::uint32_t k = list.dim();
    std::string words;
    std::uint32_t told = 0;
    for (std::uint32_t d = 0; d < k && !b.empty(); ++d) {
      if (k > 3 && !other.empty() && b[d] == other[d] && b[k + d] == other[k + d]) continue;
      if (k > 3 && told++ == most_named_sides) return words + " \u2026";
      words += (words.empty() ? std::string(name) + " " : " \u00d7 ") + (k > 3 ? coordinate_name(d, k) + " [" : "[") +
               short_number(b[d]) + ", " + short_number(b[k + d]) + "]";
    }
    return words;
  }
  std::string leaf(std::uint32_t node) const { return list.keeps_bucket(node) ? "leaf" : ""; }
  NodeList list;
  std::uint32_t root = 0;
};

bool same_box(std::span<const double> a, std::span<const double> b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](double x, double y) { return x == y || (x != x && y != y); });
}

/// What differs at a node that exists in both states.
struct ChangeOfNode {
  ChangeOfNode(const Nodes& was, const Nodes& is, std::uint32_t i)
      : split(was.list.split_dim(i) != is.list.split_dim(i) ||
              (is.list.split_dim(i) >= 0 && was.list.split_value(i) != is.list.split_value(i))),
        point(was.list.point(i) != is.list.point(i)),
        box(!same_box(was.list.box(i), is.list.box(i))),
        tight_box(!same_box(was.list.tight_box(i), is.list.tight_box(i))),
        leaf(was.list.keeps_bucket(i) != is.list.keeps_bucket(i)),
        parent(was.list.parent(i) != is.list.parent(i)) {}
  bool any() const { return split || point || box || tight_box || leaf || parent; }
  bool split, point, box, tight_box, leaf, parent;
};

std::string label_of(const ArrayInfo& info) { return info.label.empty() ? info.name : info.label; }

std::string joined(const std::vector<std::string>& parts) {
  std::string words;
  for (const std::string& part : parts)
    if (!part.empty()) words += (words.empty() ? "" : ", ") + part;
  return words.empty() ? "open" : words;
}

}  // namespace

bool same_version(const Trace& trace, std::string_view name, std::uint32_t a, std::uint32_t b) {
  const Trace::Array* array = trace.find(name);
  if (!array) return true;
  if (const auto& gather = array->info.gather)
    return same_version(trace, gather->source, a, b) && same_version(trace, gather->through, a, b);
  return version_at(*array, a) == version_at(*array, b);
}

bool same_version(const Cursor& baseline, const Cursor& now, std::string_view array) {
  return &baseline.trace() == &now.trace() && same_version(now.trace(), array, baseline.step(), now.step());
}

std::vector<NodeChange> changed_nodes(const Cursor& baseline, const Cursor& now) {
  const auto unwritten = [&](const char* name) { return same_version(baseline, now, name); };
  if (std::all_of(node_arrays.begin(), node_arrays.end(), unwritten)) return {};
  std::vector<NodeChange> changes;
  const Nodes was(baseline), is(now);
  for (std::uint32_t i = 0; i < is.list.size(); ++i) {
    if (!is.alive(i)) continue;
    if (!was.alive(i))
      changes.push_back({{i}, true});
    else if (ChangeOfNode(was, is, i).any())
      changes.push_back({{i}, false});
  }
  return changes;
}

NodeWords node_words(const Cursor& baseline, const Cursor& now, NodeId node) {
  const Nodes was(baseline), is(now);
  const std::uint32_t i = node.value;
  if (!is.alive(i)) return {};
  if (!was.alive(i)) return {"", joined({is.split(i), is.point(i), is.leaf(i)})};
  const ChangeOfNode differs(was, is, i);
  const auto words = [&](const Nodes& nodes) {
    const NodeList& other = &nodes == &was ? is.list : was.list;
    return joined({differs.split ? nodes.split(i) : "", differs.point ? nodes.point(i) : "",
                   differs.leaf ? nodes.leaf(i) : "",
                   differs.box ? nodes.box("cell", nodes.list.box(i), other.box(i)) : "",
                   differs.tight_box ? nodes.box("smallest box", nodes.list.tight_box(i), other.tight_box(i)) : "",
                   differs.parent ? "child of node " + std::to_string(nodes.list.parent(i)) : ""});
  };
  return {words(was), words(is)};
}

ChangedArray changed_counts(const Cursor& baseline, const Cursor& now, const std::string& array) {
  ChangedArray changed;
  changed.seen_in = SeenIn::counts;
  changed.name = changed.label = array;
  changed.index_space = Space::count;
  if (const Trace::Array* found = now.trace().find(array)) changed.label = label_of(found->info);
  if (same_version(baseline, now, array)) return changed;
  const auto is = CountArray::at(now, array);
  if (!is) return changed;
  const auto was = CountArray::at(baseline, array);
  bool same_shape = was && was->size() == is->size() && was->row_count() == is->row_count() &&
                    was->layer_count() == is->layer_count();
  for (std::uint64_t layer = 0; same_shape && layer < is->layer_count(); ++layer)
    same_shape = was->first_slot(layer) == is->first_slot(layer);
  changed.reshaped = !same_shape;
  changed.ranges = same_shape ? changed_ranges(baseline, now, array) : std::vector<IndexRange>{{0, is->size()}};
  return changed;
}

ChangeList::ChangeList(const Cursor& baseline, const Cursor& now, const std::optional<Axes>& axes)
    : before_(&baseline), now_(&now), axes_(axes) {
  const Trace& trace = now.trace();
  const auto unwritten = [&](const std::string& name) { return same_version(baseline, now, name); };
  for (const Space space : table_spaces(trace)) {
    const ArrayTable table(now, &baseline, space, axes);
    for (std::size_t r = 1; r < table.rows().size(); ++r) {
      const TableRow& row = table.rows()[r];
      if (!unwritten(row.name))
        add({SeenIn::table, row.name, row.label, space, row.component, row.components, table.changes(r)});
    }
  }
  const std::uint32_t dim = trace.header.dim;
  leaves_out_ = axes && std::any_of(trace.arrays.begin(), trace.arrays.end(), [&](const Trace::Array& array) {
                  const ArrayInfo& info = array.info;
                  const bool hidden =
                      info.shown_as_row && info.dimension != no_id && !shows_dimension(*axes, dim, info.dimension);
                  return hidden && !unwritten(info.name);
                });
  const std::vector<std::string> counts = CountArray::names(trace);
  for (const std::string& name : counts)
    if (!trace.find(name)->info.shown_as_row) add(changed_counts(baseline, now, name));

  nodes_ = changed_nodes(baseline, now);
  ChangedArray tree;
  tree.seen_in = SeenIn::tree;
  tree.label = "node";
  tree.index_space = Space::node;
  for (const NodeChange& change : nodes_) append(tree.ranges, change.node.value);
  add(std::move(tree));

  // What two runs differ in may be the cause of what is seen; between two steps of one run, nobody sees it.
  if (&baseline.trace() == &trace) return;
  for (const Trace::Array& array : trace.arrays) {
    const ArrayInfo& info = array.info;
    const bool seen = info.shown_as_row || std::find(counts.begin(), counts.end(), info.name) != counts.end() ||
                      std::find(node_arrays.begin(), node_arrays.end(), info.name) != node_arrays.end();
    if (seen || is_beside_state(info) || unwritten(info.name)) continue;
    const std::uint32_t components = info.gather ? 1 : std::max(1u, info.components);
    add({SeenIn::nowhere, info.name, label_of(info), info.index_space, 0, components,
         by_index(changed_ranges(baseline, now, info.name), components)});
  }
}

void ChangeList::add(ChangedArray changed) {
  changed.first = size_;
  for (const IndexRange& r : changed.ranges) changed.count += r.end - r.begin;
  size_ += changed.count;
  if (changed.count > 0) arrays_.push_back(std::move(changed));
}

Change ChangeList::at(std::uint64_t number) const {
  const auto after = std::upper_bound(arrays_.begin(), arrays_.end(), number,
                                      [](std::uint64_t n, const ChangedArray& a) { return n < a.first; });
  const ChangedArray& array = *std::prev(after);
  std::uint64_t left = number - array.first, index = 0;
  for (const IndexRange& r : array.ranges) {
    index = r.begin + left;
    if (left < r.end - r.begin) break;
    left -= r.end - r.begin;
  }
  Change change{array.seen_in, array.name, array.label, array.index_space, array.component, index, {}, {}};
  if (array.seen_in == SeenIn::tree) {
    NodeWords words = node_words(*before_, *now_, nodes_[number - array.first].node);
    change.before = std::move(words.before);
    change.after = std::move(words.after);
  } else if (array.seen_in == SeenIn::table) {
    const ArrayTable table(*now_, before_, array.index_space, axes_);
    for (std::size_t r = 1; r < table.rows().size(); ++r)
      if (table.rows()[r].name == array.name && table.rows()[r].component == array.component) {
        const TableCell cell = table.cell(r, index);
        change.before = cell.old_text;
        change.after = cell.text;
      }
  } else {
    const auto text = [&](const Cursor& cursor) {
      std::string words;
      for (std::uint32_t c = 0; c < array.components; ++c) {
        const RowReader row(cursor, array.name, c);
        words += (c ? ", " : "") + (row.is_missing(index) ? "\u2013" : row.short_text(index));
      }
      return words;
    };
    const auto is_there = [&](const Cursor& cursor) { return index < cursor.row_size(array.name) / array.components; };
    if (is_there(*before_) && !array.reshaped) change.before = text(*before_);
    change.after = text(*now_);
  }
  return change;
}

}  // namespace kdscope
