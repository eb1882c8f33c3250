#include "visualizer/model/biography.hpp"

#include <algorithm>

#include "algorithms/text/csv.hpp"
#include "algorithms/text/numbers.hpp"
#include "algorithms/text/point_name.hpp"
#include "algorithms/trace/row_reader.hpp"
#include "visualizer/model/node_list.hpp"
#include "visualizer/model/row_order.hpp"
#include "visualizer/model/trace_lookup.hpp"

namespace kdscope {
namespace {

constexpr std::uint32_t most_shown_sides = 6, most_coordinates = 8;  // number shown for points of many dimensions
constexpr std::size_t most_orders = 3, most_companions = 8;

/// Reads elements of an array as they were after a step. Steps must ascend. An element's value is in the last version
/// that holds it.
class ElementReader {
 public:
  explicit ElementReader(const Trace::Array* array) : array_(array) {}

  void go_to(std::uint32_t step) {
    while (array_ && next_ < array_->versions.size() && array_->versions[next_].step <= step) ++next_;
  }
  /// Returns the number of versions read so far; the last of them is current.
  std::size_t version_count() const { return next_; }

  std::optional<double> number(std::uint64_t index) {
    return find(index) ? std::optional(found_in_->number(found_at_)) : std::nullopt;
  }
  std::string text(std::uint64_t index) {
    if (!find(index)) return {};
    return is_missing(array_->info, found_in_->type(), found_in_->number(found_at_)) ? std::string()
                                                                                     : found_in_->text(found_at_);
  }

 private:
  bool find(std::uint64_t index) {
    if (next_ == 0) return false;
    const std::vector<ArrayVersion>& versions = array_->versions;
    if (index >= versions[next_ - 1].size) return false;
    for (std::size_t v = next_; v-- > 0;) {
      if (found_in_ && index == index_ && v < version_) break;  // no later version has written it
      const ArrayVersion& version = versions[v];
      if (version.keyframe) {
        remember(version.values, index, index);
        break;
      }
      const auto after = std::upper_bound(version.ranges.begin(), version.ranges.end(), index,
                                          [](std::uint64_t i, const IndexRange& r) { return i < r.begin; });
      if (after == version.ranges.begin() || index >= std::prev(after)->end) continue;
      std::uint64_t before = 0;
      for (auto r = version.ranges.begin(); r != std::prev(after); ++r) before += r->end - r->begin;
      remember(version.values, before + index - std::prev(after)->begin, index);
      break;
    }
    version_ = next_;
    return found_in_ && index_ == index && found_at_ < found_in_->size();
  }
  void remember(const TypedArray& values, std::uint64_t at, std::uint64_t index) {
    found_in_ = &values;
    found_at_ = at;
    index_ = index;
  }

  const Trace::Array* array_;
  std::size_t next_ = 0;                  // the number of versions up to the current step
  const TypedArray* found_in_ = nullptr;  // where element index_ was last found, when version_ versions were current
  std::uint64_t found_at_ = 0, index_ = 0;
  std::size_t version_ = 0;
};

/// The position of a point in an order (position -> point) that some steps rewrite, now and after earlier steps.
class PlaceInOrder {
 public:
  PlaceInOrder(const Trace::Array* order, std::uint32_t point) : order_(order), point_(point) {}

  std::optional<std::uint64_t> after(std::uint32_t step) {
    for (; order_ && next_ < order_->versions.size() && order_->versions[next_].step <= step; ++next_) {
      take(order_->versions[next_]);
      past_.emplace_back(order_->versions[next_].step, position_);
    }
    return position_;
  }
  /// Returns the point's position among the elements of a row, as of the step last passed to after(). A row of this
  /// order's dimension keeps the order for which it was written.
  std::optional<std::uint64_t> in(const Trace::Array& row, std::uint32_t step) const {
    if (!order_ || row.info.dimension == no_id) return position_;
    const std::uint32_t as_of = step_of_order(row, *order_, step);
    const auto after = std::upper_bound(past_.begin(), past_.end(), as_of,
                                        [](std::uint32_t s, const auto& place) { return s < place.first; });
    return after == past_.begin() ? std::nullopt : std::prev(after)->second;
  }

 private:
  std::optional<std::size_t> search(const TypedArray& values) const {
    if (values.type() == ElementType::uint32) {
      const auto ids = values.as<std::uint32_t>();
      const auto found = std::find(ids.begin(), ids.end(), point_);
      return found == ids.end() ? std::nullopt : std::optional<std::size_t>(found - ids.begin());
    }
    for (std::size_t i = 0; i < values.size(); ++i)
      if (values.number(i) == point_) return i;
    return std::nullopt;
  }
  void take(const ArrayVersion& version) {
    const TypedArray& values = version.values;
    if (version.keyframe) {
      if (position_ && *position_ < values.size() && values.number(*position_) == point_) return;
      position_ = search(values);
      return;
    }
    const auto touched = [&](std::uint64_t position) {
      return std::any_of(version.ranges.begin(), version.ranges.end(),
                         [&](const IndexRange& r) { return r.begin <= position && position < r.end; });
    };
    if (position_ && *position_ < version.size && !touched(*position_)) return;
    const auto found = search(values);
    position_.reset();
    std::uint64_t before = 0;
    for (const IndexRange& r : version.ranges) {
      if (found && *found < before + (r.end - r.begin)) {
        position_ = r.begin + *found - before;
        return;
      }
      before += r.end - r.begin;
    }
  }

  const Trace::Array* order_;
  std::uint32_t point_;
  std::size_t next_ = 0;
  std::optional<std::uint64_t> position_;
  std::vector<std::pair<std::uint32_t, std::optional<std::uint64_t>>>
      past_;  // position after each version of the order, with the version's step
};

/// Returns whether a row shows to what a point belongs: its tag, owner, chunk or mask.
bool tells_belonging(const ArrayInfo& info) {
  if (info.gather || info.components != 1 || !info.shown_as_row) return false;
  if (info.value_space == Space::coordinate) return false;
  for (const Space& belongs : {Space::node, Space::chunk, Space::level, Space::dimension, Space::bit_mask})
    if (info.value_space == belongs) return info.index_space == Space::position || info.index_space == Space::point;
  return info.index_space == Space::point;
}

/// Returns every side of a box. With more than three dimensions, it returns only the sides that splits have cut from
/// the whole.
std::string cell_text(const std::vector<double>& box, const std::vector<double>& whole, std::uint32_t k) {
  std::string text;
  std::uint32_t told = 0;
  for (std::uint32_t d = 0; d < k; ++d) {
    if (k > 3 && whole.size() == box.size() && box[d] == whole[d] && box[k + d] == whole[k + d]) continue;
    if (k > 3 && told++ == most_shown_sides) return text + ", \u2026";
    text += (text.empty() ? "" : ", ") + coordinate_name(d, k) + " " + short_number(box[d]) + " to " +
            short_number(box[k + d]);
  }
  return text.empty() && k > 0 ? "everything" : text;
}

/// Returns the orders that hold the point: the one for all rows, or the first three if each dimension has its own.
std::vector<const Trace::Array*> orders_of(const Trace& trace) {
  std::vector<const Trace::Array*> orders;
  if (!has_orders_by_dimension(trace)) return {trace.find(point_of_position_array(trace))};
  for (const Trace::Array& array : trace.arrays) {
    const ArrayInfo& info = array.info;
    const bool is_order =
        info.index_space == Space::position && info.value_space == Space::point && info.components == 1 && !info.gather;
    if (is_order && info.dimension == orders.size() && orders.size() < most_orders) orders.push_back(&array);
  }
  return orders;
}

/// Returns, in words, the other points of the leaf that holds this point at the end; empty if unknown.
std::string companions(const Trace& trace, std::uint32_t point) {
  const Trace::Array* array = trace.find(partition_arrays::node_of_point);
  if (!array || trace.steps.empty()) return {};
  const TypedArray owner = contents_at(*array, static_cast<std::uint32_t>(trace.steps.size() - 1));
  const auto nodes = owner.as<std::uint32_t>();
  if (point >= nodes.size()) return {};
  std::string text;
  std::size_t count = 0;
  for (std::uint32_t other = 0; other < nodes.size(); ++other)
    if (other != point && nodes[other] == nodes[point] && ++count <= most_companions)
      text += (count > 1 ? ", " : "") + point_name(other);
  if (count == 0) return " alone";
  return count > most_companions ? " with " + std::to_string(count) + " others" : " with " + text;
}

/// Returns whether a step gives a role to this position or to this point.
bool has_role(const Step& step, Role role, std::optional<std::uint64_t> position, std::uint32_t point) {
  for (const Highlight& h : step.highlights) {
    const auto index = h.space == Space::position ? position
                       : h.space == Space::point  ? std::optional<std::uint64_t>(point)
                                                  : std::nullopt;
    if (h.role != role || !index) continue;
    for (const IndexRange& r : h.ranges)
      if (r.begin <= *index && *index < r.end) return true;
  }
  return false;
}

/// Follows one point from step to step.
class Life {
 public:
  Life(const Trace& trace, PointId point)
      : trace_(trace),
        point_(point.value),
        k_(trace.header.dim),
        of_all_(trace.find(point_of_position_array(trace)), point.value),
        node_of_(trace.find(partition_arrays::node_of_point)),
        box_(trace.find(partition_arrays::box)),
        stored_at_(trace.find(partition_arrays::point)),
        leaf_(trace.find(partition_arrays::leaf)) {
    for (const Trace::Array* order : orders_of(trace)) {
      orders_.emplace_back(order, point_);
      columns_.push_back(order && order->info.dimension != no_id
                             ? "position in " + coordinate_name(order->info.dimension, k_)
                             : "position");
    }
    for (const Trace::Array& array : trace.arrays) {
      const std::uint32_t dimension = array.info.dimension;
      if (!tells_belonging(array.info) || array.versions.empty() || array.info.name == partition_arrays::node_of_point)
        continue;
      if (dimension != no_id && dimension >= orders_.size()) continue;
      rows_.push_back({&array, ElementReader(&array), dimension == no_id ? 0 : dimension});
      columns_.push_back(array.info.label.empty() ? array.info.name : array.info.label);
    }
    columns_.insert(columns_.end(), {"node", "cell"});
    const std::vector<std::uint32_t> parents = final_parents(trace);
    root_ = static_cast<std::uint64_t>(std::find(parents.begin(), parents.end(), no_id) - parents.begin());
  }

  const std::vector<std::string>& columns() const { return columns_; }

  /// Returns "(46, 63)".
  std::string coordinates() const {
    std::string text;
    const Trace::Array* points = trace_.find(points_array);
    if (!points || points->versions.empty()) return text;
    const TypedArray& values = points->versions.front().values;
    const std::uint32_t told = std::min(k_, most_coordinates);
    for (std::uint32_t d = 0; d < told && (point_ + 1ull) * k_ <= values.size(); ++d)
      text += (d ? ", " : "(") + short_number(values.number(std::size_t(point_) * k_ + d)) +
              (d + 1 < told ? ""
               : told < k_  ? ", \u2026)"
                            : ")");
    return text;
  }

  /// Returns the line of a step. Steps must ascend; `before` is the line of the last one, if there was any.
  BiographyLine line_after(const Step& step, const BiographyLine* before) {
    BiographyLine line;
    line.step = step.ordinal;
    line.fields.resize(columns_.size());
    read_rows(line);
    State now;
    for (ElementReader* reader : {&node_of_, &box_, &stored_at_, &leaf_}) reader->go_to(step.ordinal);
    line.fields[node_column()] = node_of_.text(point_);
    if (!line.fields[node_column()].empty()) {
      const auto node = static_cast<std::uint64_t>(*node_of_.number(point_));
      now.stored = stored_at_.number(node) == point_;
      now.settled = leaf_.number(node) == 1.0;
      read_cell(line, node, before);
    }
    box_version_ = box_.version_count();

    std::vector<std::string> told = changes(line, before);
    now.pivot = has_role(step, Role::pivot, of_all_.after(step.ordinal), point_);
    if (now.pivot && !was_.pivot) told.push_back("is a pivot");
    if (now.stored && !was_.stored) told.push_back("is stored at node " + line.fields[node_column()]);
    if (now.settled && !was_.settled)
      told.push_back("stays in leaf " + line.fields[node_column()] + companions(trace_, point_));
    was_ = now;
    for (const std::string& each : told) line.what += (line.what.empty() ? "" : "; ") + each;
    return line;
  }

 private:
  struct Row {
    const Trace::Array* array;
    ElementReader reader;
    std::size_t order;  // index of the order to which its positions refer
  };
  struct State {
    bool pivot = false, stored = false, settled = false;
  };
  std::size_t node_column() const { return columns_.size() - 2; }
  std::size_t cell_column() const { return columns_.size() - 1; }

  /// Writes the point's positions, and what the rows say of it.
  void read_rows(BiographyLine& line) {
    for (std::size_t i = 0; i < orders_.size(); ++i)
      if (const auto position = orders_[i].after(line.step)) line.fields[i] = std::to_string(*position);
    for (std::size_t r = 0; r < rows_.size(); ++r) {
      Row& row = rows_[r];
      row.reader.go_to(line.step);
      const auto at = row.array->info.index_space == Space::point ? std::optional<std::uint64_t>(point_)
                                                                  : orders_[row.order].in(*row.array, line.step);
      if (!at) continue;
      std::string& field = line.fields[orders_.size() + r];
      field = row.reader.text(*at);
      if (!field.empty() && row.array->info.value_space == Space::point) field = point_letter + field;
    }
  }
  /// Writes the cell of the point's node.
  void read_cell(BiographyLine& line, std::uint64_t node, const BiographyLine* before) {
    if (before && box_.version_count() == box_version_ && before->fields[node_column()] == line.fields[node_column()]) {
      line.box = before->box;
    } else {
      if (whole_.empty()) whole_ = sides(root_);
      line.box = sides(node);
    }
    if (!line.box.empty()) line.fields[cell_column()] = cell_text(line.box, whole_, k_);
  }
  std::vector<double> sides(std::uint64_t node) {
    std::vector<double> read;
    for (std::uint32_t end = 0; end < 2 * k_; ++end)
      if (const auto value = box_.number(node * 2 * k_ + end)) read.push_back(*value);
    return read.size() == 2 * std::size_t(k_) ? read : std::vector<double>();
  }
  /// Marks the fields that changed, and returns what changed, in words.
  std::vector<std::string> changes(BiographyLine& line, const BiographyLine* before) const {
    line.changed.resize(line.fields.size());
    std::vector<std::string> told;
    for (std::size_t c = 0; c < line.fields.size(); ++c) {
      const std::string was = before ? before->fields[c] : std::string(), &is = line.fields[c];
      line.changed[c] = was != is;
      if (!line.changed[c] || c == cell_column()) continue;
      if (is.empty())
        told.push_back(c == node_column() ? "is " + why_in_no_node(line.step) : columns_[c] + " " + was + " to \u2013");
      else if (c != node_column() || !tag_names_node(line))
        told.push_back(columns_[c] + (was.empty() ? " " + is : " " + was + " to " + is));
    }
    const bool cell_alone = line.changed[cell_column()] && !line.changed[node_column()];
    if (cell_alone && before && !line.box.empty()) told.push_back("its cell changes");
    return told;
  }
  std::string why_in_no_node(std::uint32_t step) const {
    const Trace::Array *points = trace_.find(points_array), *owner = trace_.find(partition_arrays::node_of_point);
    if (!points || points->versions.empty()) return "in no node of the tree";
    NodesOfPoints nodes;
    if (owner && owner->info.type == ElementType::uint32) {
      const TypedArray then = contents_at(*owner, step);
      nodes.node.assign(then.as<std::uint32_t>().begin(), then.as<std::uint32_t>().end());
    }
    return left_out_text(nodes, points->versions.front().values, k_, {point_});
  }
  /// Returns whether a changed row of nodes already names the point's node.
  bool tag_names_node(const BiographyLine& line) const {
    for (std::size_t r = 0; r < rows_.size(); ++r)
      if (const std::size_t c = orders_.size() + r; rows_[r].array->info.value_space == Space::node &&
                                                    line.changed[c] && line.fields[c] == line.fields[node_column()])
        return true;
    return false;
  }

  const Trace& trace_;
  std::uint32_t point_, k_;
  std::vector<std::string> columns_;  // one per order, one per row, the node, the cell
  std::vector<PlaceInOrder> orders_;
  PlaceInOrder of_all_;  // the order in which steps mark pivots
  std::vector<Row> rows_;
  ElementReader node_of_, box_, stored_at_, leaf_;
  std::uint64_t root_ = 0;
  std::vector<double> whole_;  // the root's cell
  std::size_t box_version_ = 0;
  State was_;
};

}  // namespace

std::uint64_t Biography::work(const Trace& trace) {
  std::uint64_t elements = trace.steps.size();
  for (const Trace::Array* order : orders_of(trace))
    for (std::size_t v = 0; order && v < order->versions.size(); ++v) elements += order->versions[v].values.size();
  return elements;
}

Result<Biography> Biography::of(const Trace& trace, PointId point, const std::function<bool(double)>& go_on) {
  if (point.value >= trace.header.n)
    return Error{ErrorKind::bad_usage, "there is no point " + point_name(point.value), "",
                 "the run has " + std::to_string(trace.header.n) + ", counted from 0"};
  Life life(trace, point);
  Biography biography{point, life.coordinates(), life.columns(), {}};
  biography.lines.reserve(trace.steps.size());
  for (const Step& step : trace.steps) {
    if (go_on && !go_on(static_cast<double>(step.ordinal) / static_cast<double>(trace.steps.size())))
      return Error{ErrorKind::cancelled, "cancelled", "", ""};
    biography.lines.push_back(life.line_after(step, biography.lines.empty() ? nullptr : &biography.lines.back()));
  }
  return biography;
}

std::string csv_of(const Biography& biography, const Trace& trace) {
  const std::uint32_t k = trace.header.dim;
  std::string text;
  CsvWriter csv(text);
  csv << "step"
      << "phase";
  for (std::size_t c = 0; c + 1 < biography.columns.size(); ++c) csv << biography.columns[c];
  for (std::uint32_t d = 0; d < k; ++d)
    for (const char* end : {" min", " max"}) csv << "cell " + coordinate_name(d, k) + end;
  csv << "what changed";
  csv.end_row();
  for (const BiographyLine& line : biography.lines) {
    csv << line.step << path_text(trace.steps[line.step]);
    for (std::size_t c = 0; c + 1 < line.fields.size(); ++c) csv << without_point_letter(line.fields[c]);
    for (std::uint32_t d = 0; d < k; ++d)
      for (const std::uint32_t end : {d, k + d}) csv << (line.box.empty() ? "" : shortest(line.box[end]));
    csv << line.what;
    csv.end_row();
  }
  return text;
}

}  // namespace kdscope
