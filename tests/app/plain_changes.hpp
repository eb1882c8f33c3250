#pragma once
// Finds the differences between two states of a run by comparing texts one by one. The walk over the changes must visit
// all of them that are drawn, and nothing else.

#include <algorithm>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "algorithms/trace/trace.hpp"
#include "visualizer/model/count_array.hpp"

namespace kdscope {

/// An element of a state: array (empty for the tree), component, index.
using Element = std::tuple<std::string, std::uint32_t, std::uint64_t>;

inline bool in_tree(const Cursor& cursor, std::uint64_t node) {
  const std::uint64_t nodes = cursor.row_size(partition_arrays::parent);
  if (node >= nodes) return false;
  const auto parent = static_cast<std::uint32_t>(cursor.number(partition_arrays::parent, node));
  if (parent < nodes) return cursor.number(partition_arrays::split_dim, parent) < cursor.trace().header.dim;
  for (std::uint64_t i = 0; i < node; ++i)
    if (cursor.number(partition_arrays::parent, i) >= nodes) return false;
  return true;
}

inline std::string node_text(const Cursor& cursor, std::uint64_t node) {
  std::string text;
  const std::string dim = cursor.text(partition_arrays::split_dim, node);
  text +=
      cursor.text(partition_arrays::parent, node) + "|" + cursor.text(partition_arrays::point, node) + "|" + dim + "|";
  if (std::stoul(dim) < cursor.trace().header.dim) text += cursor.text(partition_arrays::split_value, node);
  const std::uint64_t width = 2 * cursor.trace().header.dim;
  for (std::uint64_t i = 0; i < width; ++i) text += "|" + cursor.text(partition_arrays::box, node * width + i);
  if (!cursor.trace().find(partition_arrays::leaf)) return text;
  for (std::uint64_t i = 0; i < width; ++i) text += "|" + cursor.text(partition_arrays::tight_box, node * width + i);
  const bool leaf = node < cursor.row_size(partition_arrays::leaf) && cursor.number(partition_arrays::leaf, node) == 1;
  if (leaf && std::stoul(dim) >= cursor.trace().header.dim) text += "|leaf";
  return text;
}

/// Returns all differences in what panes draw, found by comparing texts one by one.
inline std::set<Element> plain_changes(const Cursor& before, const Cursor& now) {
  std::set<Element> changed;
  const Trace& trace = now.trace();
  const std::vector<std::string> counts = CountArray::names(trace);
  const std::set<std::string> nodes{
      partition_arrays::parent, partition_arrays::split_dim, partition_arrays::split_value, partition_arrays::box,
      partition_arrays::point,  partition_arrays::tight_box, partition_arrays::leaf};
  for (const Trace::Array& array : trace.arrays) {
    const ArrayInfo& info = array.info;
    if (nodes.count(info.name)) continue;
    const bool counted = std::find(counts.begin(), counts.end(), info.name) != counts.end();
    if (!info.shown_as_row && !counted) continue;
    bool all = false;
    if (counted && now.row_size(info.name) > 0) {
      const auto was = CountArray::at(before, info.name), is = CountArray::at(now, info.name);
      all = !was || was->row_count() != is->row_count() || was->slot_count() != is->slot_count() ||
            was->layer_count() != is->layer_count();
      for (std::uint64_t layer = 0; !all && layer < is->layer_count(); ++layer)
        all = was->first_slot(layer) != is->first_slot(layer);
      // Count a different shape only if the array was written again.
      if (all && was && was->written_at() == is->written_at()) all = false;
    }
    for (std::uint64_t i = 0; i < now.row_size(info.name); ++i) {
      if (!all && now.text(info.name, i) == before.text(info.name, i)) continue;
      const std::uint32_t components = info.gather ? 1 : std::max(1u, info.components);
      changed.insert({info.name, info.shown_as_row ? static_cast<std::uint32_t>(i % components) : 0, i / components});
    }
  }
  for (std::uint64_t node = 0; node < now.row_size(partition_arrays::parent); ++node)
    if (in_tree(now, node) && (!in_tree(before, node) || node_text(before, node) != node_text(now, node)))
      changed.insert({"", 0, node});
  return changed;
}

}  // namespace kdscope
