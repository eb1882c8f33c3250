#include "visualizer/model/array_table.hpp"

#include <algorithm>
#include <bit>
#include <tuple>

#include "algorithms/text/from_chars.hpp"
#include "algorithms/text/numbers.hpp"
#include "algorithms/trace/element_name.hpp"
#include "visualizer/model/highlights.hpp"
#include "visualizer/model/trace_lookup.hpp"
#include "visualizer/model/violations.hpp"

namespace kdscope {
namespace {

constexpr int most_bits = 3, most_set_bits = 16;
constexpr std::size_t most_pivots = 100'000;

int widest_in_bits(const TypedArray& sets) {
  std::uint64_t all = 0;
  for (const std::uint64_t set : sets.as<std::uint64_t>()) all |= set;
  return std::bit_width(all);
}

/// Returns whether a run ever writes the data of a row.
bool ever_written(const Trace& trace, const ArrayInfo& info) {
  const auto written = [&](std::string_view name) {
    const Trace::Array* array = trace.find(name);
    return array && !array->versions.empty();
  };
  return info.gather ? written(info.gather->source) && written(info.gather->through) : written(info.name);
}

/// Returns the largest number of binary digits in a row of bits: one per level that has written it, or one per member
/// of its sets. Returns nullopt if they would make the table too wide.
std::optional<int> digits_in_bits(const Trace& trace, const std::string& row) {
  const Trace::Array* array = trace.find(row);
  if (!array || array->info.value_space != Space::bit_mask || array->info.gather || array->versions.empty())
    return std::nullopt;
  const int deepest = trace.steps[array->versions.back().step].level;
  if (deepest < 0 || deepest > most_bits) return std::nullopt;
  if (array->info.type != ElementType::uint64) return deepest;
  // In a row of sets, the members are bits.
  int widest = deepest;
  for (const ArrayVersion& version : array->versions)
    if (version.values.present()) widest = std::max(widest, widest_in_bits(version.values));
  return widest <= most_set_bits ? std::optional(widest) : std::nullopt;
}

/// Returns whether the elements of an array by entry are those of one list among others in its space.
bool names_its_elements(const ArrayInfo& info) { return !info.order.empty() || !info.owner.empty(); }

/// Returns a list of ids of a space, or null if the trace does not have it at the cursor's step.
const TypedArray* ids_named(const Cursor& cursor, const std::string& list, Space space) {
  const Trace::Array* array = cursor.trace().find(list);
  const TypedArray* ids = array && array->info.value_space == space ? cursor.array(list) : nullptr;
  return ids && ids->type() == ElementType::uint32 ? ids : nullptr;
}

/// The float next to 0: a plane there has on its left what ends at 0.
constexpr const char* just_above_zero = "0\u207a";

/// Returns a value with as many binary digits as the level that wrote it, or as the widest set in its row.
std::string bits_text(const Cursor& cursor, const std::string& row, const RowReader& reader, std::uint64_t column) {
  const ArrayVersion* version = version_at(*cursor.trace().find(row), cursor.step());
  if (!version || column >= reader.size()) return {};
  const std::uint64_t value = reader.bits(column);
  const TypedArray* all = cursor.array(row);
  const int beside =
      all && all->type() == ElementType::uint64 ? widest_in_bits(*all) : static_cast<int>(std::bit_width(value));
  std::string bits;
  for (int bit = std::max({1, cursor.trace().steps[version->step].level, beside}); bit-- > 0;)
    bits += value >> bit & 1 ? '1' : '0';
  return bits;
}

}  // namespace

ArrayTable::ArrayTable(const Cursor& now, const Cursor* baseline, Space space, const std::optional<Axes>& axes,
                       std::span<const Highlight> added, const Concealment& concealed, std::span<const RowName> only)
    : now_(&now),
      baseline_(baseline),
      space_(space),
      nodes_(now),
      node_of_point_(now.array(partition_arrays::node_of_point)) {
  const Trace& trace = now.trace();
  nodes_hidden_ = concealed.hides_nodes(trace);
  points_hidden_ = concealed.hides_points(trace);
  const std::uint32_t dim = trace.header.dim;
  bool hides = false;
  rows_.push_back({});
  rows_[0].label = name_of(space);
  rows_[0].index_space = rows_[0].value_space = space;
  for (const Trace::Array& array : trace.arrays) {
    const ArrayInfo& info = array.info;
    if (!info.shown_as_row || info.index_space != space || !ever_written(trace, info)) continue;
    const std::uint32_t components = info.gather ? 1 : std::max(1u, info.components);
    const bool hidden = concealed.hides(info);
    std::optional<std::uint64_t> size;
    for (std::uint32_t c = 0; c < components; ++c) {
      const std::uint32_t dimension = dimension_of(info, c, dim);
      if (axes && !shows_dimension(*axes, dim, dimension)) {
        hides = true;
        continue;
      }
      if (!size) size = now.row_size(info.name) / components;
      columns_ = std::max(columns_, *size);
      if (!only.empty() && std::ranges::find(only, RowName{info.name, c}) == only.end()) continue;
      TableRow row{info.name,
                   info.label.empty() ? info.name : info.label,
                   {},
                   info.index_space,
                   info.value_space,
                   c,
                   components,
                   *size,
                   dimension,
                   hidden};
      row.label += component_suffix(info, c, dim);
      row.symbol = row.label;
      if (digits_in_bits(trace, row.name)) row.label += ", binary";
      rows_.push_back(std::move(row));
    }
  }
  rows_[0].size = columns_;
  for (TableRow& row : rows_)
    if (row.concealed) row.size = columns_;  // how many values there are is hidden too
  for (const TableRow& row : rows_) {
    now_rows_.emplace_back(now, row.name, row.component);
    if (baseline) baseline_rows_.emplace_back(*baseline, row.name, row.component);
    in_bits_.push_back(digits_in_bits(trace, row.name).has_value());
  }
  // What a question hides is what its steps made; the audience has seen what stood there at the stop before
  if (!baseline && concealed.before && !concealed.place) {
    for (std::size_t row = 0; row < rows_.size(); ++row) {
      const Trace::Array* array =
          rows_[row].concealed && rows_[row].components == 1 && !in_bits_[row] ? trace.find(rows_[row].name) : nullptr;
      const ArrayVersion* version = array ? version_at(*array, now.step()) : nullptr;
      const bool is_new = version && version->step > *concealed.before;
      baseline_rows_.push_back(is_new ? RowReader(now, array, *concealed.before) : RowReader());
    }
    const Trace::Array* nodes = nodes_hidden_ ? trace.find(partition_arrays::node_of_point) : nullptr;
    baseline_rows_.push_back(nodes ? RowReader(now, nodes, *concealed.before) : RowReader());
  }
  const bool lists = space != Space::position && space != Space::point && space != Space::node;
  if (lists && std::ranges::none_of(trace.arrays, [&](const Trace::Array& array) {
        return array.info.index_space == space && names_its_elements(array.info);
      }))
    for (const Trace::Array& array : trace.arrays)
      if (const ArrayInfo& info = array.info; !node_of_column_ && info.index_space == space &&
                                              info.value_space == Space::node && info.components == 1 && !info.gather)
        if ((node_of_column_ = now.array(info.name))) listed_at_ = version_at(array, now.step())->step;
  for (const TableRow& row : rows_) {
    const Trace::Array* array = lists ? trace.find(row.name) : nullptr;
    listed_points_.push_back(array ? ids_named(now, array->info.order, Space::point) : nullptr);
    listed_nodes_.push_back(array ? ids_named(now, array->info.owner, Space::node) : nullptr);
  }
  has_orders_ = space == Space::position && has_orders_by_dimension(trace);
  // If one order serves all rows, rows that do not name points share the order of the index row.
  for (const TableRow& row : rows_) {
    const ArrayInfo* info = row.name.empty() ? nullptr : &trace.find(row.name)->info;
    const bool own =
        info && (has_orders_ || info->gather || info->value_space == Space::point || nodes_of_list(trace, *info));
    ordered_by_.push_back(own ? info : nullptr);
  }
  orders_.resize(rows_.size());
  if (hides)
    for (std::uint32_t d = 0; d < dim; ++d) hidden_dimensions_ += !shows_dimension(*axes, dim, d);
  each_highlight(now, added, concealed, [&](const Highlight& h) {
    if (h.space != space) return;
    auto& ranges = roles_[h.role].ranges;
    ranges.insert(ranges.end(), h.ranges.begin(), h.ranges.end());
  });
  if (now.step_count() == 0) return;
  if (has_orders_) pivots_ = points_with_role(now, Role::pivot, most_pivots, added, concealed);
  for (const CheckResult& check : now.current().checks)
    if (!check.passed && !check.elements.empty()) violating_[check.array];
  for (auto& [array, elements] : violating_) elements.ranges = violating_elements(now.current(), array);
  if (!violating_.empty()) violating_[""].ranges = violating_indices(trace, now.current(), space);
  for (auto& [role, list] : roles_) {
    const auto by_begin = [](const IndexRange& a, const IndexRange& b) { return a.begin < b.begin; };
    if (!std::is_sorted(list.ranges.begin(), list.ranges.end(), by_begin))
      std::sort(list.ranges.begin(), list.ranges.end(), by_begin);
  }
}

const std::vector<IndexRange>& ArrayTable::violating_columns() const {
  static const std::vector<IndexRange> none;
  const auto all = violating_.find("");
  return all == violating_.end() ? none : all->second.ranges;
}

std::span<const IndexRange> ArrayTable::columns_with(Role role) const {
  const auto found = roles_.find(role);
  return found == roles_.end() ? std::span<const IndexRange>() : std::span<const IndexRange>(found->second.ranges);
}

const IndexRange* ArrayTable::Ranges::find(std::uint64_t index) const {
  const auto after = std::upper_bound(ranges.begin(), ranges.end(), index,
                                      [](std::uint64_t i, const IndexRange& r) { return i < r.begin; });
  return after != ranges.begin() && index < std::prev(after)->end ? &*std::prev(after) : nullptr;
}

std::string ArrayTable::text_at(const Cursor& cursor, const RowReader& reader, std::size_t row,
                                std::uint64_t column) const {
  if (row == 0) return element_name(space_, column);
  if (rows_[row].concealed) return concealed_text;
  return in_bits_[row] && !reader.is_missing(column) ? bits_text(cursor, rows_[row].name, reader, column)
                                                     : value_text(reader, row, column);
}

std::string ArrayTable::value_text(const RowReader& reader, std::size_t row, std::uint64_t column) const {
  if (reader.is_missing(column)) return "\u2013";
  const std::string text = reader.short_text(column);
  if (text == "1e-45" && rows_[row].value_space == Space::split_value) return just_above_zero;
  return value_name(rows_[row].value_space, text);
}

bool ArrayTable::is_pivot(std::size_t row, std::uint64_t column) const {
  if (!has_orders_) {
    const auto found = roles_.find(Role::pivot);
    return found != roles_.end() && found->second.find(column);
  }
  const auto point = point_at(row, column);
  return point && std::binary_search(pivots_.begin(), pivots_.end(), *point);
}

const RowOrder& ArrayTable::order_of(std::size_t row) const {
  const ArrayInfo* info = ordered_by_[row];
  std::optional<RowOrder>& order = orders_[info ? row : 0];
  if (!order) order.emplace(*now_, info ? *info : ArrayInfo{});
  return *order;
}

/// Returns whether a row was written after the list of its columns' nodes was made. Older rows belong to another list.
bool ArrayTable::is_of_list(const TableRow& row) const {
  if (row.name.empty()) return true;
  const ArrayVersion* version = version_at(*now_->trace().find(row.name), now_->step());
  return version && version->step >= listed_at_;
}

std::optional<NodeId> ArrayTable::node_at(std::size_t row_number, std::uint64_t column) const {
  const TableRow& row = rows_[row_number];
  if (row.concealed || (nodes_hidden_ && space_ != Space::node)) return node_before(row_number, column);
  std::uint32_t node = no_id;
  if (!row.name.empty() && row.value_space == Space::node)
    node = now_rows_[row_number].id(column);
  else if (space_ == Space::node)
    node = static_cast<std::uint32_t>(column);
  else if (const TypedArray* nodes = listed_nodes_[row_number]; nodes && column < nodes->size())
    node = nodes->as<std::uint32_t>()[column];
  else if (node_of_column_ && column < node_of_column_->size() && is_of_list(row))
    node = static_cast<std::uint32_t>(node_of_column_->number(column));
  if (node != no_id) return NodeId{node};
  if (row.dimension == no_id && row.value_space == Space::node) return std::nullopt;
  const auto of_position = space_ == Space::position ? order_of(row_number).node(column) : std::nullopt;
  const auto point = point_at(row_number, column);
  std::optional<NodeId> of_point;
  if (point && node_of_point_ && point->value < node_of_point_->size())
    if (const auto owner = static_cast<std::uint32_t>(node_of_point_->number(point->value)); owner != no_id)
      of_point = NodeId{owner};
  // Settled elements keep the colour of their subtree in rows that name no node. If points have moved to new nodes and
  // the row has not been updated, a cell takes the colour of its point.
  return of_point && (!of_position || is_below(nodes_, *of_point, *of_position)) ? of_point : of_position;
}

/// Returns the node that a hidden value named at the stop before, or in which the cell's point was then.
std::optional<NodeId> ArrayTable::node_before(std::size_t row, std::uint64_t column) const {
  if (baseline_ || baseline_rows_.empty()) return std::nullopt;
  const RowReader* nodes = &baseline_rows_.back();
  if (rows_[row].concealed && rows_[row].value_space == Space::node) {
    nodes = &baseline_rows_[row];
  } else {
    const auto point = nodes_hidden_ ? point_at(row, column) : std::nullopt;
    column = point ? point->value : no_id;
  }
  const std::uint32_t node = nodes->id(column);
  return node == no_id ? std::nullopt : std::optional(NodeId{node});
}

std::optional<PointId> ArrayTable::point_at(std::size_t row, std::uint64_t column) const {
  if (row >= rows_.size() || column >= columns_ || (points_hidden_ && space_ != Space::point)) return std::nullopt;
  if (space_ == Space::point) return PointId{static_cast<std::uint32_t>(column)};
  if (space_ == Space::position) return order_of(row).point(column);
  if (const TypedArray* points = rows_[row].concealed ? nullptr : listed_points_[row];
      points && column < points->size() && points->as<std::uint32_t>()[column] != no_id)
    return PointId{points->as<std::uint32_t>()[column]};
  if (space_ != Space::node || column >= now_->row_size(partition_arrays::point)) return std::nullopt;
  const auto point = static_cast<std::uint32_t>(now_->number(partition_arrays::point, column));
  return point == no_id ? std::nullopt : std::optional(PointId{point});
}

TableCell ArrayTable::cell(std::size_t row_number, std::uint64_t column) const {
  TableCell cell;
  if (row_number >= rows_.size()) return cell;
  const TableRow& row = rows_[row_number];
  if (column >= row.size) return cell;
  cell.text = text_at(*now_, now_rows_[row_number], row_number, column);
  cell.node = node_at(row_number, column);
  if (cell.node) cell.place = place_of(nodes_, *cell.node);
  const auto in = [&](Role role) {
    const auto found = roles_.find(role);
    return found == roles_.end() ? nullptr : found->second.find(column);
  };
  cell.pivot = is_pivot(row_number, column);
  cell.settled = in(Role::settled);
  cell.read = in(Role::read);
  cell.written = in(Role::write);
  cell.compared = in(Role::compare);
  if (const auto elements = violating_.find(row.name); elements != violating_.end())
    cell.violating = elements->second.find(column);
  if (const IndexRange* segment = in(Role::segment)) {
    cell.segment = true;
    cell.segment_first = column == segment->begin;
    cell.segment_last = column + 1 == segment->end;
  }
  if (baseline_ && !row.name.empty() && !row.concealed) {
    cell.old_text = text_at(*baseline_, baseline_rows_[row_number], row_number, column);
    cell.changed = cell.old_text != cell.text && is_changed(row_number, column);
    if (!cell.changed) cell.old_text.clear();
  }
  if (row.concealed && !baseline_ && row_number < baseline_rows_.size() && column < baseline_rows_[row_number].size())
    cell.old_text = value_text(baseline_rows_[row_number], row_number, column);
  return cell;
}

TreePlace ArrayTable::place_of_node(NodeId node) const { return place_of(nodes_, node); }

bool ArrayTable::is_changed(std::size_t row, std::uint64_t column) const {
  if (!baseline_ || row >= rows_.size() || rows_[row].name.empty() || rows_[row].concealed) return false;
  // Whole values, not what cells show of them: leading bits that a level adds do not change a value.
  return column < rows_[row].size && baseline_rows_[row].text(column) != now_rows_[row].text(column);
}

bool ArrayTable::is_mostly_changed(std::size_t row) const {
  if (row >= rows_.size() || rows_[row].size < 2) return false;
  mostly_changed_.resize(rows_.size());
  std::optional<bool>& known = mostly_changed_[row];
  if (known) return *known;
  constexpr std::uint64_t most_looked_at = 1024, seen_at_once = 64;
  std::uint64_t looked_at = 0, changed = 0;
  for (std::uint64_t column = 0; column < rows_[row].size; column += rows_[row].size / most_looked_at + 1)
    ++looked_at, changed += is_changed(row, column);
  known = rows_[row].size <= seen_at_once ? changed == looked_at : 10 * changed >= 9 * looked_at;
  return *known;
}

std::vector<IndexRange> ArrayTable::changes(std::size_t row_number) const {
  if (!baseline_ || row_number >= rows_.size() || rows_[row_number].name.empty() || rows_[row_number].concealed)
    return {};
  const TableRow& row = rows_[row_number];
  std::vector<IndexRange> flat = changed_ranges(*baseline_, *now_, row.name);
  if (row.components == 1) return flat;
  std::vector<IndexRange> columns;
  for (const IndexRange& r : flat) {
    for (std::uint64_t i = r.begin; i < r.end; ++i) {
      if (i % row.components != row.component) continue;
      const std::uint64_t column = i / row.components;
      if (!columns.empty() && columns.back().end == column)
        ++columns.back().end;
      else
        columns.push_back({column, column + 1});
    }
  }
  return columns;
}

std::pair<std::size_t, std::size_t> ArrayTable::written_rows(bool with_context) const {
  if (now_->step_count() == 0) return {0, 0};
  const Step& step = now_->current();
  const auto wrote = [&](const std::string& name) {
    return std::find(step.wrote.begin(), step.wrote.end(), name) != step.wrote.end();
  };
  const auto differs = [&](const std::string& name) {
    const TypedArray *was = baseline_ ? baseline_->array(name) : nullptr, *is = now_->array(name);
    return wrote(name) && !(was && is && *was == *is);
  };
  const auto rows_with = [&](auto holds) {
    std::size_t begin = 0, end = 0;
    bool of_one = with_context;
    for (std::size_t row = 1; row < rows_.size(); ++row) {
      const auto& gather = now_->trace().find(rows_[row].name)->info.gather;
      if (rows_[row].size == 0 ||
          (gather ? !holds(gather->source) && !holds(gather->through) : !holds(rows_[row].name)))
        continue;
      if (begin == 0) begin = row;
      end = row + 1;
      of_one = of_one && rows_[row].dimension != no_id && rows_[row].dimension == rows_[begin].dimension;
    }
    while (of_one && begin > 1 && rows_[begin - 1].dimension == rows_[begin].dimension) --begin;
    return std::pair(begin, end);
  };
  auto [begin, end] = rows_with(differs);
  if (begin == 0) std::tie(begin, end) = rows_with(wrote);
  const Trace::Array* read = begin == 0 || !with_context ? nullptr : order_read_by(now_->trace(), step);
  for (std::size_t row = 1; read && row < rows_.size(); ++row)
    if (rows_[row].dimension == read->info.dimension) begin = std::min(begin, row), end = std::max(end, row + 1);
  return {begin, end};
}

bool ArrayTable::is_real(std::size_t row) const {
  const Trace::Array* array = row < rows_.size() ? now_->trace().find(rows_[row].name) : nullptr;
  if (array && array->info.gather) array = now_->trace().find(array->info.gather->source);
  return array && (array->info.type == ElementType::float32 || array->info.type == ElementType::float64);
}

std::size_t ArrayTable::text_width(std::size_t row_number, bool shorter) const {
  if (row_number >= rows_.size()) return 0;
  const TableRow& row = rows_[row_number];
  const Trace& trace = now_->trace();
  const auto most_columns = [&](const TableRow& of) {
    const Trace::Array* array = trace.find(of.name);
    if (array && array->info.gather) array = trace.find(array->info.gather->through);
    std::uint64_t most = 1;
    if (array)
      for (const ArrayVersion& version : array->versions) most = std::max(most, version.size / of.components);
    return most;
  };
  if (row.name.empty()) {
    std::uint64_t most = 1;
    for (const TableRow& other : rows_) most = std::max(most, most_columns(other));
    return element_name(space_, most - 1).size();
  }
  const Space values = row.value_space;
  if (values == Space::position || values == Space::node || letter_of(values) != 0)
    return element_name(values, most_columns(row) - 1).size();
  if (const auto digits = digits_in_bits(trace, row.name)) return static_cast<std::size_t>(std::max(1, *digits));
  const Trace::Array* array = trace.find(row.name);
  std::uint64_t stride = row.components, offset = row.component;
  if (array && array->info.gather) {
    offset = array->info.gather->component;
    array = trace.find(array->info.gather->source);
    stride = array ? std::max(1u, array->info.components) : 1;
  }
  std::size_t width = 1;
  if (!array || array->versions.empty()) return width;
  // The last version has most of the run's values, but the fewest if the list shrinks. Therefore also read some
  // versions in between.
  constexpr std::size_t most_versions = 16;
  const std::size_t last = array->versions.size() - 1, each = last / most_versions + 1;
  for (std::size_t v = 0; v <= last; v = v == last ? v + 1 : std::min(v + each, last)) {
    const ArrayVersion* const version = &array->versions[v];
    const bool real = values == Space::coordinate || values == Space::split_value;
    // A width is not worth fetching values of a whole run: leave room for usual ones.
    if (!version->values.present()) {
      width = std::max(width, real ? (shorter ? 6 : 9) : std::to_string(trace.header.n).size());
      continue;
    }
    const std::uint64_t samples = v == 0 || v == last ? 512 : 64;
    // A delta's values may belong to any component. A width that is too large does no harm.
    const std::uint64_t from = version->keyframe ? offset : 0, step = version->keyframe ? stride : 1;
    const std::uint64_t count = version->values.size() > from ? (version->values.size() - from + step - 1) / step : 0;
    for (std::uint64_t i = 0; i < count; i += std::max<std::uint64_t>(1, count / samples)) {
      if (is_missing(array->info, array->info.type, version->values.number(from + i * step))) continue;  // a dash
      const std::string text =
          real ? version->values.short_text(from + i * step) : version->values.text(from + i * step);
      width = std::max(width, shown_real(text, shorter).size());
    }
  }
  return width;
}

std::string shown_real(const std::string& text, bool shorter) {
  constexpr std::size_t told_apart = 7;  // characters that any cell has room for
  if (text.find_first_of(".e") == std::string::npos || (!shorter && text.size() <= told_apart)) return text;
  double value = 0;
  const auto read = from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = read.ec == std::errc() && read.ptr == text.data() + text.size();
  if (!whole) return text;
  int digits = shorter ? 4 : 5;
  std::string shown = short_number(value, digits);
  while (shorter && shown.size() > told_apart && digits > 2) shown = short_number(value, --digits);
  return shown;
}

std::vector<Space> table_spaces(const Trace& trace) {
  std::vector<Space> spaces;
  for (const Trace::Array& a : trace.arrays)
    if (a.info.shown_as_row && a.info.index_space != Space::none && ever_written(trace, a.info) &&
        std::find(spaces.begin(), spaces.end(), a.info.index_space) == spaces.end())
      spaces.push_back(a.info.index_space);
  // Put the spaces that every run has first, and the dimensions last: their rows only say what was asked, for example
  // a search's query, and do not change.
  const auto rank = [](const Space& space) {
    constexpr Space first[] = {Space::position, Space::point, Space::node};
    const auto at = std::find(std::begin(first), std::end(first), space) - std::begin(first);
    return space == Space::dimension ? at + 1 : at;
  };
  std::stable_sort(spaces.begin(), spaces.end(), [&](const Space& a, const Space& b) { return rank(a) < rank(b); });
  return spaces;
}

std::optional<Space> changed_space(const Cursor& now, const Cursor* baseline, Space shown) {
  std::vector<Space> changed;
  for (const std::string& name : now.current().wrote) {
    const Trace::Array* array = now.trace().find(name);
    if (!array || !array->info.shown_as_row) continue;
    const TypedArray *was = baseline ? baseline->array(name) : nullptr, *is = now.array(name);
    if (!(was && is && *was == *is)) changed.push_back(array->info.index_space);
  }
  const auto has = [&](Space space) { return std::find(changed.begin(), changed.end(), space) != changed.end(); };
  if (has(shown)) return shown;
  for (const Space space : table_spaces(now.trace()))
    if (has(space)) return space;
  return std::nullopt;
}

}  // namespace kdscope
