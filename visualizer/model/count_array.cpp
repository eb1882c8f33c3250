#include "visualizer/model/count_array.hpp"

#include <algorithm>
#include <deque>
#include <limits>
#include <memory>

#include "visualizer/model/row_order.hpp"
#include "visualizer/model/trace_lookup.hpp"

namespace kdscope {
namespace {

constexpr std::uint64_t unknown = std::numeric_limits<std::uint64_t>::max();

bool is_row(const Trace& trace, const std::string& name, std::optional<Space>& space) {
  const Trace::Array* row = trace.find(name);
  if (!row || row->info.gather || row->info.components > 1 || row->versions.empty()) return false;
  if (row->info.index_space != Space::position && row->info.index_space != Space::point) return false;
  if (space && *space != row->info.index_space) return false;
  space = row->info.index_space;
  return true;
}

/// Returns the array with the upper ends of the bins of a histogram, or null for other arrays.
const Trace::Array* ends_of_bins(const Trace& trace, const ArrayInfo& info) {
  const Trace::Array* ends = info.dimensions.size() == 1 && !info.gather ? trace.find(info.dimensions[0].row) : nullptr;
  return ends && !ends->info.gather && ends->info.index_space == info.index_space && ends->info.components == 1 &&
                 info.components == 1
             ? ends
             : nullptr;
}

/// Returns the dimensions of an array, and sets `space` to the space of their rows. Empty if a dimension has no row.
std::vector<CountDimension> dimensions_of(const Trace& trace, const ArrayInfo& info, std::optional<Space>& space) {
  std::vector<CountDimension> dimensions;
  if (ends_of_bins(trace, info)) {
    space = info.index_space;
    return {{{}, {}, false, 1}, {info.dimensions[0].name, {}, false, 0}};
  }
  if (info.dimensions.size() < 2 || info.gather) return dimensions;
  for (const ArrayDimension& d : info.dimensions) {
    if (!is_row(trace, d.row, space)) return {};
    dimensions.push_back({d.name, d.row, d.from_least, 0});
  }
  return dimensions;
}

/// Returns the array with the first column of each layer of a ragged array, or null for other arrays.
const Trace::Array* offsets_of(const Trace& trace, const ArrayInfo& info) {
  const Trace::Array* offsets = info.dimensions.size() == 3 ? trace.find(info.offsets) : nullptr;
  return offsets && !offsets->info.gather ? offsets : nullptr;
}

/// Returns the last step at or before `step` that wrote one of the rows from which an array of counts was counted.
std::uint32_t step_of_rows(const Trace& trace, const ArrayInfo& info, std::uint32_t step) {
  std::uint32_t last = 0;
  for (const ArrayDimension& d : info.dimensions)
    if (const ArrayVersion* v = version_at(*trace.find(d.row), step)) last = std::max(last, v->step);
  return last;
}

/// Returns the order of the points in which a step wrote rows; null if there is none.
const Trace::Array* order_of_rows(const Trace& trace, std::uint32_t step) {
  const Trace::Array* order = order_read_by(trace, trace.steps.at(step));
  return order ? order : trace.find(point_of_position_array(trace));
}

}  // namespace

std::vector<std::string> CountArray::names(const Trace& trace) {
  std::vector<std::string> names;
  for (const Trace::Array& array : trace.arrays) {
    std::optional<Space> space;
    if (!array.versions.empty() && !dimensions_of(trace, array.info, space).empty()) names.push_back(array.info.name);
  }
  return names;
}

std::vector<std::pair<const Trace::Array*, std::uint32_t>> CountArray::read_with(const Trace& trace,
                                                                                 const std::string& name,
                                                                                 std::uint32_t step) {
  const Trace::Array* array = trace.find(name);
  const ArrayVersion* version = array ? version_at(*array, step) : nullptr;
  std::vector<std::pair<const Trace::Array*, std::uint32_t>> read;
  if (!version) return read;
  std::optional<Space> space;
  if (!dimensions_of(trace, array->info, space).empty())
    for (const ArrayDimension& d : array->info.dimensions) read.emplace_back(trace.find(d.row), version->step);
  const std::uint32_t rows_at = step_of_rows(trace, array->info, version->step);
  const Trace::Array* order = order_of_rows(trace, rows_at);
  for (const Trace::Array* from : {order, trace.find(partition_arrays::node_of_point)})
    if (from) read.emplace_back(from, rows_at);
  for (const Trace::Array& other : trace.arrays)
    if (const Trace::Array* offsets = offsets_of(trace, other.info)) read.emplace_back(offsets, version->step);
  return read;
}

Result<CountArray> CountArray::at(const Cursor& cursor, const std::string& name) {
  const Trace& trace = cursor.trace();
  CountArray a;
  std::optional<Space> space;
  a.array_ = trace.find(name);
  if (a.array_) a.dimensions_ = dimensions_of(trace, a.array_->info, space);
  if (a.dimensions_.empty() || a.array_->versions.empty())
    return Error{ErrorKind::bad_usage, "'" + name + "' is not an array of counts", "",
                 "its dimensions must name rows of the trace"};
  const std::string& label = a.array_->info.label.empty() ? name : a.array_->info.label;
  const ArrayVersion* version = version_at(*a.array_, cursor.step());
  a.contents_ = version ? cursor.array(name) : nullptr;
  if (!a.contents_) {
    const Step& first = trace.steps.at(a.array_->versions.front().step);
    return Error{ErrorKind::bad_usage, label + " is not written yet", "",
                 "go to step " + std::to_string(first.ordinal) + ", " + path_text(first)};
  }
  a.written_at_ = version->step;
  a.space_ = *space;
  if (const Trace::Array* ends = ends_of_bins(trace, a.array_->info))
    a.ends_.emplace(cursor, ends, a.written_at_);
  else
    for (const CountDimension& d : a.dimensions_) a.values_.emplace_back(cursor, trace.find(d.row), a.written_at_);
  const std::uint32_t rows_at = step_of_rows(trace, a.array_->info, a.written_at_);
  // The panes and the list of changes ask for the same shapes at each step. A trace is known by its owner: another one
  // may be at the same address later.
  struct Found {
    std::weak_ptr<const Trace> trace;
    const Trace::Array* array;
    std::uint32_t written_at;
    Shape shape;
  };
  thread_local std::deque<Found> found;
  const auto shared = cursor.shared_trace();
  const auto known = std::ranges::find_if(found, [&](const Found& f) {
    return f.array == a.array_ && f.written_at == a.written_at_ && !f.trace.expired() && f.trace.lock() == shared;
  });
  if (known != found.end())
    a.shape() = known->shape;
  else if (!a.find_shape(cursor))
    return Error{ErrorKind::bad_input, "the contents of " + label + " do not fit its dimensions",
                 path_text(trace.steps.at(a.written_at_)), "record the rows that its dimensions name in the same step"};
  if (known == found.end()) {
    a.least_.clear();  // it was grouped while sizes were unknown
    a.find_axes(trace);
    std::uint64_t layers = 1;
    for (std::size_t d = 0; d < a.dimensions_.size(); ++d)
      if (d != a.row_ && d != a.column_) layers *= a.dimensions_[d].size;
    for (std::uint64_t l = 0; !a.ragged_ && l <= layers; ++l) a.starts_.push_back(l * a.columns().size);
    found.push_front({shared, a.array_, a.written_at_, a.shape()});
    if (constexpr std::size_t most_kept = 4; found.size() > most_kept) found.pop_back();
  }
  const Trace::Array* order = order_of_rows(trace, rows_at);
  if (order && !order->info.gather && a.space_ == Space::position) a.order_.emplace(cursor, order, rows_at);
  if (const Trace::Array* nodes = trace.find(partition_arrays::node_of_point))
    a.node_of_point_.emplace(cursor, nodes, rows_at);
  return a;
}

/// Finds the sizes of the dimensions. The offsets of a ragged array determine them. Otherwise, a dimension is as long
/// as in the ragged array with the same row, or it extends to the row's largest value. If a factor of the total
/// remains, one dimension takes it.
bool CountArray::find_shape(const Cursor& cursor) {
  const Trace& trace = cursor.trace();
  const std::uint64_t total = contents_->size();
  if (total == 0) return false;
  if (is_histogram()) {
    dimensions_[1].size = total;
    return true;
  }
  if (const Trace::Array* columns_at = offsets_of(trace, array_->info)) {
    const RowReader columns(cursor, columns_at, written_at_);
    if (columns.size() < 2) return false;
    for (std::size_t l = 0; l < columns.size(); ++l) starts_.push_back(static_cast<std::uint64_t>(columns.number(l)));
    if (starts_.front() != 0 || starts_.back() == 0 || total % starts_.back() != 0) return false;
    for (std::size_t l = 0; l + 1 < starts_.size(); ++l)
      if (starts_[l] > starts_[l + 1] || starts_[l] < l) return false;
    ragged_ = true;
    dimensions_[0].size = starts_.size() - 1;
    dimensions_[1].size = total / starts_.back();
    dimensions_[2].size = starts_.back() - dimensions_[0].size + 1;  // neighbours share a column
    return true;
  }

  std::vector<bool> exact(dimensions_.size(), false);
  for (std::size_t d = 0; d < dimensions_.size(); ++d) {
    CountDimension& dimension = dimensions_[d];
    if (d == 0 && array_->info.components > 1 && total % array_->info.components == 0) {
      dimension.size = total / array_->info.components;
      exact[d] = true;
      continue;
    }
    for (const Trace::Array& other : trace.arrays) {
      const auto& of_other = other.info.dimensions;
      if (exact[d] || dimension.relative || of_other.size() != 3 || of_other[1].row != dimension.row ||
          !offsets_of(trace, other.info))
        continue;
      const ArrayVersion *values = version_at(other, written_at_),
                         *columns = version_at(*offsets_of(trace, other.info), written_at_);
      if (!values || !columns) continue;
      const RowReader offsets(cursor, offsets_of(trace, other.info), written_at_);
      const auto slots = offsets.size() ? static_cast<std::uint64_t>(offsets.number(offsets.size() - 1)) : 0;
      if (slots == 0 || values->size % slots != 0) continue;
      dimension.size = values->size / slots;
      exact[d] = true;
    }
    if (exact[d]) continue;
    dimension.size = 1;
    for (std::uint64_t e = 0, n = element_count(); e < n; ++e)
      if (const auto index = index_along(d, e)) dimension.size = std::max(dimension.size, *index + 1);
  }
  const auto product = [&] {
    std::uint64_t p = 1;
    for (const CountDimension& d : dimensions_)
      if (d.size == 0 || (p *= d.size) > total) return unknown;
    return p;
  };
  if (product() == total) return true;
  std::vector<std::size_t> open;
  std::uint64_t grown = 0;
  for (const bool relative : {true, false}) {
    for (std::size_t d = 0; d < dimensions_.size(); ++d) {
      const std::uint64_t least = dimensions_[d].size, rest = product() == unknown ? 0 : product() / least;
      if (exact[d] || dimensions_[d].relative != relative || rest == 0 || total % rest != 0) continue;
      open.push_back(d);
      grown = total / rest;
    }
    if (!open.empty()) break;
  }
  if (open.size() != 1) return false;
  dimensions_[open.front()].size = grown;
  return true;
}

/// Chooses rows and columns with the same meaning as in the trace's ragged array, if there is one.
void CountArray::find_axes(const Trace& trace) {
  const std::size_t d = dimensions_.size();
  row_ = d - 2;
  column_ = d - 1;
  layer_ = 0;
  if (ragged_ || d != 3) return;
  for (const Trace::Array& other : trace.arrays) {
    if (!offsets_of(trace, other.info)) continue;
    std::vector<std::size_t> axes;
    for (const ArrayDimension& of_other : other.info.dimensions)
      for (std::size_t i = 0; i < d; ++i)
        if (dimensions_[i].row == of_other.row) axes.push_back(i);
    if (axes.size() != 3) continue;
    layer_ = axes[0];
    row_ = axes[1];
    column_ = axes[2];
    return;
  }
}

std::uint64_t CountArray::first_row() const {
  if (is_histogram() || row_ > 0 || !rows().relative) return 0;
  const std::uint64_t least = least_by_group(row_).front();
  return least == unknown ? 0 : least;
}

std::uint64_t CountArray::layer_of_slot(std::uint64_t slot) const {
  const auto after = std::upper_bound(starts_.begin(), starts_.end(), slot);
  return after == starts_.begin() ? 0 : std::min<std::uint64_t>(after - starts_.begin() - 1, layer_count() - 1);
}

std::uint64_t CountArray::flat(CountCell cell) const {
  if (ragged_)
    return rows().size * starts_[cell.layer] + cell.row * (starts_[cell.layer + 1] - starts_[cell.layer]) + cell.column;
  std::uint64_t flat = 0, step = 1;
  for (std::size_t d = dimensions_.size(); d-- > 0;) {
    std::uint64_t& left = d == row_ ? cell.row : d == column_ ? cell.column : cell.layer;
    flat += left % dimensions_[d].size * step;
    left /= dimensions_[d].size;
    step *= dimensions_[d].size;
  }
  return flat;
}

CountCell CountArray::cell(std::uint64_t flat) const {
  CountCell cell;
  if (ragged_) {
    cell.layer = layer_of_slot(flat / rows().size);
    const std::uint64_t width = starts_[cell.layer + 1] - starts_[cell.layer],
                        within = flat - rows().size * starts_[cell.layer];
    cell.row = within / width;
    cell.column = within % width;
    return cell;
  }
  std::uint64_t step = 1;
  for (std::size_t d = dimensions_.size(); d-- > 0;) {
    const std::uint64_t index = flat % dimensions_[d].size;
    flat /= dimensions_[d].size;
    if (d == row_)
      cell.row = index;
    else if (d == column_)
      cell.column = index;
    else
      cell.layer += index * step, step *= dimensions_[d].size;
  }
  return cell;
}

double CountArray::largest() const {
  double most = 0;
  for (std::uint64_t i = 0; i < size(); ++i) most = std::max(most, value(i));
  return most;
}

std::uint64_t CountArray::element_count() const {
  std::uint64_t n = unknown;
  for (const RowReader& row : values_) n = std::min(n, row.size());
  return n == unknown ? 0 : n;
}

/// Returns the group of an element: its combination of indices along the outer dimensions. A relative dimension counts
/// from the least value of the group.
std::uint64_t CountArray::group_of(std::size_t dimension, std::uint64_t element, bool& known) const {
  std::uint64_t group = 0;
  for (std::size_t d = 0; d < dimension; ++d) {
    const auto index = dimensions_[d].relative ? std::optional<std::uint64_t>(0) : index_along(d, element);
    if (!index) {
      known = false;
      return 0;
    }
    group = group * std::max<std::uint64_t>(1, dimensions_[d].size) + *index;
  }
  return group;
}

const std::vector<std::uint64_t>& CountArray::least_by_group(std::size_t dimension) const {
  least_.resize(dimensions_.size());
  std::vector<std::uint64_t>& least = least_[dimension];
  if (!least.empty()) return least;
  const RowReader& row = values_[dimension];
  least.assign(1, unknown);
  for (std::uint64_t e = 0, n = element_count(); e < n; ++e) {
    bool known = true;
    const std::uint64_t group = group_of(dimension, e, known);
    const double value = row.number(e);
    if (!known || value >= no_id) continue;
    if (group >= least.size()) least.resize(group + 1, unknown);
    least[group] = std::min(least[group], static_cast<std::uint64_t>(value));
  }
  return least;
}

std::optional<std::uint64_t> CountArray::index_along(std::size_t dimension, std::uint64_t element) const {
  const RowReader& row = values_[dimension];
  if (element >= row.size()) return std::nullopt;
  const double value = row.number(element);
  if (!(value >= 0) || value >= no_id) return std::nullopt;
  auto index = static_cast<std::uint64_t>(value);
  if (!dimensions_[dimension].relative) return index;
  bool known = true;
  const std::uint64_t group = group_of(dimension, element, known);
  const std::vector<std::uint64_t>& least = least_by_group(dimension);
  if (!known || group >= least.size() || least[group] > index) return std::nullopt;
  return index - least[group];
}

std::optional<std::uint64_t> CountArray::cell_of(std::uint64_t element) const {
  if (is_histogram()) return std::nullopt;
  CountCell cell;
  std::uint64_t layer = 0;
  for (std::size_t d = 0; d < dimensions_.size(); ++d) {
    const auto index = index_along(d, element);
    if (!index || *index >= dimensions_[d].size) return std::nullopt;
    if (d == row_)
      cell.row = *index;
    else if (d == column_)
      cell.column = *index;
    else
      layer = layer * dimensions_[d].size + *index;
  }
  cell.layer = layer;
  if (ragged_) {
    if (cell.column < first_column(layer)) return std::nullopt;
    cell.column -= first_column(layer);
    if (cell.column >= starts_[layer + 1] - starts_[layer]) return std::nullopt;
  }
  return flat(cell);
}

std::vector<std::uint64_t> CountArray::elements(std::uint64_t flat) const {
  std::vector<std::uint64_t> found;
  if (flat >= size()) return found;
  for (std::uint64_t e = 0; e < element_count(); ++e)
    if (cell_of(e) == flat) found.push_back(e);
  return found;
}

std::optional<PointId> CountArray::point_of(std::uint64_t element) const {
  if (space_ == Space::point) return PointId{static_cast<std::uint32_t>(element)};
  if (!order_ || element >= order_->size()) return std::nullopt;
  const std::uint32_t point = order_->id(element);
  return point == no_id ? std::nullopt : std::optional(PointId{point});
}

std::vector<std::uint64_t> CountArray::cells_of(const std::vector<std::uint32_t>& points,
                                                const std::vector<IndexRange>& elements) const {
  std::vector<bool> counted(size());
  const auto count = [&](std::uint64_t element) {
    if (const auto cell = cell_of(element); cell && *cell < counted.size()) counted[*cell] = true;
  };
  const std::uint64_t n = element_count();
  if (space_ == Space::point || order_) {
    std::vector<bool> wanted(points.empty() ? 0 : points.back() + std::uint64_t{1});
    for (const std::uint32_t point : points) wanted[point] = true;
    const bool are_points = space_ == Space::point;  // of a million elements, once
    for (std::uint64_t e = 0; e < n; ++e)
      if (const std::uint64_t point = are_points ? e : order_->id(e); point < wanted.size() && wanted[point]) count(e);
  } else {
    for (const IndexRange& range : elements)
      for (std::uint64_t e = range.begin; e < std::min(range.end, n); ++e) count(e);
  }
  std::vector<std::uint64_t> cells;
  for (std::uint64_t cell = 0; cell < counted.size(); ++cell)
    if (counted[cell]) cells.push_back(cell);
  return cells;
}

std::vector<std::optional<NodeId>> CountArray::layer_nodes() const {
  std::vector<std::optional<NodeId>> nodes(layer_count());
  if (!has_layers() || dimensions_.size() > 3 || layers().relative || !node_of_point_) return nodes;
  for (std::uint64_t e = 0; e < element_count(); ++e) {
    const auto layer = index_along(layer_, e);
    if (!layer || *layer >= nodes.size() || nodes[*layer] || !cell_of(e)) continue;
    const auto point = point_of(e);
    if (!point || point->value >= node_of_point_->size()) continue;
    const auto node = static_cast<std::uint32_t>(node_of_point_->number(point->value));
    if (node != no_id) nodes[*layer] = NodeId{node};
  }
  return nodes;
}

}  // namespace kdscope
