#include "app/pseudocode/step_values.hpp"

#include <algorithm>

#include "algorithms/trace/element_name.hpp"
#include "algorithms/trace/row_reader.hpp"
#include "visualizer/model/axes.hpp"
#include "visualizer/model/node_list.hpp"
#include "visualizer/model/row_order.hpp"
#include "visualizer/model/trace_lookup.hpp"

namespace kdscope {
namespace {

/// Points of more dimensions are written by those on the axes alone; more names than these are counted.
constexpr std::uint32_t most_written = 8;

std::optional<std::uint64_t> one_position(const LinkedSelection& selected) {
  const auto& at = selected.positions;
  return at.size() == 1 && at[0].end == at[0].begin + 1 ? std::optional(at[0].begin) : std::nullopt;
}

/// The one selected index of a space.
std::optional<std::uint64_t> index_in(Space space, const LinkedSelection& selected) {
  if (space == Space::position) return one_position(selected);
  const auto& ids = space == Space::point ? selected.points : selected.nodes;
  if ((space == Space::point || space == Space::node) && ids.size() == 1) return ids[0];
  return std::nullopt;
}

/// The element of an array that belongs to the selection: by position where its own order has the selected point.
std::optional<std::uint64_t> index_in(const Cursor& cursor, const ArrayInfo& info, const LinkedSelection& selected) {
  const bool by_order =
      info.index_space == Space::position && selected.points.size() == 1 && has_orders_by_dimension(cursor.trace());
  if (!by_order) return index_in(info.index_space, selected);
  const std::vector<IndexRange> at = RowOrder(cursor, info).positions_of(selected.points);
  return at.size() == 1 && at[0].end == at[0].begin + 1 ? std::optional(at[0].begin) : std::nullopt;
}

std::string element(const Cursor& cursor, const ArrayInfo& info, const LinkedSelection& selected, const Axes& axes) {
  const auto index = index_in(cursor, info, selected);
  if (!index) return {};
  const std::uint32_t dim = cursor.trace().header.dim;
  std::string text;
  bool left_out = false;
  for (std::uint32_t c = 0; c < info.components; ++c) {
    if (dim > most_written && !shows_dimension(axes, dim, dimension_of(info, c, dim))) {
      left_out = true;
      continue;
    }
    std::string one = cursor.short_text(info.name, *index * info.components + c);
    if (one.empty()) return {};
    one = RowReader(cursor, info.name, c).is_missing(*index) ? "\u2013" : value_name(info.value_space, one);
    text += (text.empty() ? "" : ", ") + one;
  }
  if (left_out) text += ", \u2026";
  return info.components > 1 ? "(" + text + ")" : text;
}

Axes axes_of(const ValueScope& scope) { return axes_or_first(scope.axes, scope.now.trace().header.dim); }

SelectedElement element_of(const ValueScope& scope, const ArrayInfo& info) {
  SelectedElement found{
      info.label.empty() ? info.name : info.label, element(scope.now, info, scope.selected, axes_of(scope)), {}};
  if (scope.before) found.before = element(*scope.before, info, scope.selected_before, axes_of(scope));
  if (found.before == found.now) found.before.clear();
  return found;
}

std::size_t marked(const Step& step, Role role) {
  std::size_t count = 0;
  for (const Highlight& h : step.highlights)
    if (h.role == role) count += h.ranges.size();
  return count;
}

constexpr const char* value_names[] = {
    "level",          "pass",         "phase", "dimension", "n",     "k",
    "segments",       "pivots",       "nodes", "blocks",    "lanes", "index of position",
    "index of point", "index of node"};

}  // namespace

StepValues::StepValues(const Trace& trace) : dim_(trace.header.dim) {
  const std::vector<std::uint32_t> parents = final_parents(trace);
  const Trace::Array* dims = trace.find(partition_arrays::split_dim);
  if (!dims || dims->info.type != ElementType::uint32 || trace.steps.empty()) return;
  const TypedArray contents = contents_at(*dims, static_cast<std::uint32_t>(trace.steps.size() - 1));
  const auto split = contents.as<std::uint32_t>();
  // A node's level from its parent's; parents mostly come first in the list, others are found on the way up.
  std::vector<int> level(parents.size(), -1);
  std::vector<std::uint32_t> path;
  for (std::uint32_t i = 0; i < parents.size(); ++i) {
    std::uint32_t at = i;
    for (; at < parents.size() && level[at] < 0 && path.size() < parents.size(); at = parents[at]) path.push_back(at);
    int above = at < parents.size() ? level[at] : -1;
    for (; !path.empty(); path.pop_back()) level[path.back()] = ++above;
    if (i >= split.size() || split[i] >= dim_) continue;
    if (static_cast<std::size_t>(level[i]) >= dims_of_level_.size())
      dims_of_level_.resize(static_cast<std::size_t>(level[i]) + 1);
    dims_of_level_[static_cast<std::size_t>(level[i])].insert(split[i]);
  }
}

std::string StepValues::dimensions_of(int level) const {
  std::string text;
  if (level < 0 || static_cast<std::size_t>(level) >= dims_of_level_.size()) return text;
  const std::set<std::uint32_t>& dims = dims_of_level_[static_cast<std::size_t>(level)];
  if (dims.size() > most_written) return "one of " + std::to_string(dims.size());
  for (const std::uint32_t d : dims) text += (text.empty() ? "" : " or ") + coordinate_name(d, dim_);
  return text;
}

bool StepValues::is_known(const std::string& name, const Trace& trace) {
  return std::find(std::begin(value_names), std::end(value_names), name) != std::end(value_names) ||
         trace.header.parameters.contains(name) || trace.find(name) != nullptr;
}

std::optional<std::string> StepValues::value(const std::string& name, const ValueScope& scope) const {
  const Trace& trace = scope.now.trace();
  const Step& step = scope.now.current();
  const auto unless_empty = [](std::string text) {
    return text.empty() ? std::nullopt : std::optional(std::move(text));
  };
  const auto unless_zero = [](std::uint64_t count) {
    return count == 0 ? std::nullopt : std::optional(grouped(count));
  };
  if (name == "level") return step.level < 0 ? std::nullopt : std::optional(std::to_string(step.level));
  if (name == "phase") return unless_empty(step.phase);
  if (name == "dimension") return unless_empty(dimensions_of(step.level));
  if (name == "n") return grouped(trace.header.n);
  if (name == "k") return std::to_string(trace.header.dim);
  if (name == "segments") return unless_zero(marked(step, Role::segment));
  if (name == "pivots") return unless_zero(marked(step, Role::pivot));
  if (name == "nodes") return unless_zero(scope.now.row_size(partition_arrays::parent));
  if (name == "blocks") return unless_zero(step.grid);
  if (name == "lanes") return unless_zero(step.block);
  if (name == "pass") {
    for (const std::string& phase : step.path)
      if (phase.starts_with("pass ")) return phase.substr(5);
    return std::nullopt;
  }
  for (const auto& [word, space] : {std::pair{"index of position", Space::position},
                                    std::pair{"index of point", Space::point}, std::pair{"index of node", Space::node}})
    if (name == word) {
      const auto index = index_in(space, scope.selected);
      return index ? std::optional(std::to_string(*index)) : std::nullopt;
    }
  if (const auto parameter = trace.header.parameters.find(name); parameter != trace.header.parameters.end())
    return parameter->second;
  if (const Trace::Array* array = trace.find(name)) return unless_empty(change_text(element_of(scope, array->info)));
  return std::nullopt;
}

std::vector<SelectedElement> selected_elements(const ValueScope& scope) {
  std::vector<SelectedElement> found;
  for (const auto& [name, space] :
       {std::pair{"point", Space::point}, std::pair{"position", Space::position}, std::pair{"node", Space::node}}) {
    const auto now = index_in(space, scope.selected), before = index_in(space, scope.selected_before);
    if (!now || (space == Space::position && has_orders_by_dimension(scope.now.trace())))
      continue;  // one in each order
    found.push_back({name, element_name(space, *now),
                     scope.before && before && before != now ? element_name(space, *before) : std::string()});
  }
  if (!index_in(Space::point, scope.selected) && !index_in(Space::position, scope.selected)) return {};
  for (const Trace::Array& array : scope.now.trace().arrays) {
    if (array.info.dimension != no_id &&
        !shows_dimension(axes_of(scope), scope.now.trace().header.dim, array.info.dimension))
      continue;
    if (!array.info.shown_as_row ||
        (array.info.index_space != Space::position && array.info.index_space != Space::point))
      continue;
    SelectedElement one = element_of(scope, array.info);
    if (!one.now.empty()) found.push_back(std::move(one));
  }
  return found;
}

std::string change_text(const SelectedElement& element) {
  return element.before.empty() ? element.now : element.before + " \u2192 " + element.now;
}

std::string launch_text(const Step& step) {
  if (step.block == 0) return {};
  return grouped(step.grid) + (step.grid == 1 ? " block of " : " blocks of ") + grouped(step.block) +
         (step.block == 1 ? " thread" : " threads");
}

std::string step_facts(const Cursor& now) {
  constexpr std::size_t most_named = 8;
  const Step& step = now.current();
  std::string words = launch_text(step);
  std::vector<std::string> wrote;
  for (const std::string& name : step.wrote) {
    const Trace::Array* array = now.trace().find(name);
    if (array && name.rfind("partition.", 0) != 0)
      wrote.push_back(array->info.label.empty() ? name : array->info.label);
  }
  std::size_t more = 0;
  if (wrote.size() > most_named + 1) {
    more = wrote.size() - most_named;
    wrote.resize(most_named);
  }
  for (std::size_t i = 0; i < wrote.size(); ++i)
    words += (i > 0 ? ", " : words.empty() ? "writes " : "; writes ") + wrote[i];
  if (more > 0) words += " and " + grouped(more) + " more";
  return words;
}

}  // namespace kdscope
