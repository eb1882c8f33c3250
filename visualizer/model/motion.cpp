#include "visualizer/model/motion.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "algorithms/trace/row_reader.hpp"
#include "visualizer/model/node_list.hpp"
#include "visualizer/model/row_order.hpp"

namespace kdscope {
namespace {

using Ids = std::span<const std::uint32_t>;

/// Returns for each id its place among the elements; nothing if an id occurs twice or is out of range.
std::optional<std::vector<std::uint32_t>> places_of(Ids elements, std::uint64_t ids) {
  std::vector<std::uint32_t> places(ids, no_id);
  for (std::uint32_t i = 0; i < elements.size(); ++i) {
    if (elements[i] == no_id) continue;
    if (elements[i] >= ids || places[elements[i]] != no_id) return std::nullopt;
    places[elements[i]] = i;
  }
  return places;
}

std::vector<std::uint32_t> partners(Ids elements, const std::vector<std::uint32_t>& places) {
  std::vector<std::uint32_t> columns(elements.size(), no_id);
  for (std::size_t i = 0; i < elements.size(); ++i)
    if (elements[i] != no_id) columns[i] = places[elements[i]];
  return columns;
}

/// Returns whether the values of a row are the elements that travel.
bool names_elements(const ArrayInfo& info) {
  return info.type == ElementType::uint32 && info.components == 1 && !info.gather &&
         (info.value_space == Space::point || info.value_space == Space::triangle);
}

/// Returns the first list of the elements of a space, for one dimension or for none (no_id); null if there is none.
const Trace::Array* first_list(const Trace& trace, Space index, Space elements, std::uint32_t dimension) {
  const auto first = std::find_if(trace.arrays.begin(), trace.arrays.end(), [&](const Trace::Array& array) {
    return names_elements(array.info) && array.info.index_space == index && array.info.value_space == elements &&
           array.info.dimension == dimension;
  });
  return first == trace.arrays.end() ? nullptr : &*first;
}

/// The elements that the columns of a row stand for at a cursor's step; valid until the cursor moves.
class NamesOfRow {
 public:
  NamesOfRow(const Cursor& cursor, const Trace::Array& row) {
    const Trace& trace = cursor.trace();
    const ArrayInfo& info = row.info;
    if (info.index_space == Space::position) names_ = order_.emplace(cursor, info).points();
    // A row that does not follow the order at once still stands for the points that it held when it was written.
    const Trace::Array* order = first_list(trace, Space::position, Space::point, no_id);
    if (names_ && order && names_ == cursor.array(order->info.name) && !info.gather && !names_elements(info))
      if (const std::uint32_t as_of = step_of_order(row, *order, cursor.step()); as_of < cursor.step())
        names_ = (then_ = std::make_shared<const TypedArray>(contents_at(*order, as_of))).get();
    if (names_) return;
    const Trace::Array* list = trace.find(info.gather ? info.gather->through : info.order);
    if (names_elements(info))
      names_ = cursor.array(info.name);
    else if (list && names_elements(list->info) && list->info.index_space == info.index_space)
      names_ = cursor.array(list->info.name);
  }
  explicit NamesOfRow(const TypedArray* names) : names_(names) {}
  explicit operator bool() const { return names_ && names_->type() == ElementType::uint32; }
  Ids get() const { return names_->as<std::uint32_t>(); }
  /// Whether the row did not follow the order at once.
  bool is_older() const { return then_ != nullptr; }

 private:
  std::optional<RowOrder> order_;
  std::shared_ptr<const TypedArray> then_;
  const TypedArray* names_ = nullptr;
};

bool wrote(const Step& step, const std::string& array) {
  return std::find(step.wrote.begin(), step.wrote.end(), array) != step.wrote.end();
}

/// Returns whether a step wrote a row, or what the row is derived from.
bool wrote_row(const Step& step, const ArrayInfo& info) {
  return info.gather ? wrote(step, info.gather->source) || wrote(step, info.gather->through) : wrote(step, info.name);
}

/// Returns the list from which a step fills a row of elements: the order of the row's dimension, or of the dimension on
/// which the step works. It may be the row itself.
const Trace::Array* source_of(const Trace& trace, const Step& step, const ArrayInfo& row) {
  if (const Trace::Array* read = row.dimension == no_id ? order_read_by(trace, step) : nullptr) return read;
  return first_list(trace, row.index_space, row.value_space, row.dimension);
}

/// Returns the order of the dimension that the last writer of a row worked on; null for none.
const Trace::Array* order_of_writer(const Trace::Array& row, const Cursor& cursor) {
  const ArrayVersion* version = version_at(row, cursor.step());
  return version ? order_read_by(cursor.trace(), cursor.trace().steps[version->step]) : nullptr;
}

/// Returns whether a row has the same value for each element that travels, wherever it is.
bool carries_values(const ArrayInfo& info, const Cursor& from, const Cursor& to, const Travel& travel) {
  const std::uint32_t components = info.gather ? 1 : std::max(1u, info.components);
  for (std::uint32_t c = 0; c < components; ++c) {
    const RowReader before(from, info.name, c), after(to, info.name, c);
    const Ids origins = travel.origins();
    if (!before || !after) return false;
    for (std::uint64_t column = 0; column < origins.size(); ++column) {
      if (origins[column] == no_id) continue;
      if (origins[column] >= before.size() || column >= after.size()) return false;
      const double was = before.number(origins[column]), is = after.number(column);
      if (was != is && (was == was || is == is)) return false;
    }
  }
  return true;
}

}  // namespace

Travel::Travel(std::span<const std::uint32_t> from, std::span<const std::uint32_t> to, std::uint64_t ids) {
  const auto before = places_of(from, ids), after = places_of(to, ids);
  if (!before || !after) return;
  from_ = partners(to, *before);
  to_ = partners(from, *after);
  for (std::uint64_t column = 0; empty_ && column < from_.size(); ++column) empty_ = !came_from(column);
}

Motion::Motion(const Cursor& from, const Cursor& to, Space space, const Concealment& concealed)
    : backwards_(from.step() > to.step()) {
  const Trace& trace = to.trace();
  const std::uint32_t first = std::min(from.step(), to.step()), second = std::max(from.step(), to.step());
  if (&from.trace() != &trace || second - first != 1) return;
  if (concealed.changes || concealed.hides_points(trace)) return;
  const Step& step = trace.steps[second];
  const Trace::Array* triangles = trace.find(triangles_array);
  const std::uint64_t ids =
      std::max(trace.header.n,
               triangles && !triangles->versions.empty() ? triangles->versions.back().size / 3 : std::uint64_t{0});

  // Rows with the same elements share their travel: elements[i] of travels_[i].
  std::vector<std::pair<NamesOfRow, NamesOfRow>> elements;
  const auto same = [](const NamesOfRow& a, const NamesOfRow& b) { return std::ranges::equal(a.get(), b.get()); };
  const Cursor& early = from.step() == first ? from : to;
  for (const Trace::Array& row : trace.arrays) {
    const ArrayInfo& info = row.info;
    if (!info.shown_as_row || info.index_space != space || concealed.hides(info) || !wrote_row(step, info)) continue;
    const bool names = names_elements(info);
    if (info.dimension == no_id && !info.gather && !names && order_of_writer(row, from) != order_of_writer(row, to))
      continue;  // the row was of another dimension, and was overwritten
    NamesOfRow before(from, row), after(to, row);
    // A second list, such as the target of a scatter, gets its elements from the first one, not from what it held.
    if (const Trace::Array* source = names ? source_of(trace, step, info) : nullptr; source && source != &row) {
      NamesOfRow filled_from(early.array(source->info.name));
      if (&early == &from)
        before = std::move(filled_from);
      else if (!filled_from || !after || !same(filled_from, after))
        continue;
    }
    if (!before || !after) continue;
    // Numbers of blocks, written again, are the same wherever the points are within a block.
    if ((before.is_older() || after.is_older()) && changed_ranges(from, to, info.name).empty()) continue;
    const auto known_pair = std::find_if(elements.begin(), elements.end(), [&](const auto& pair) {
      return same(pair.first, before) && same(pair.second, after);
    });
    const auto number = static_cast<std::size_t>(known_pair - elements.begin());
    if (known_pair == elements.end()) {
      travels_.emplace_back(before.get(), after.get(), ids);
      elements.emplace_back(std::move(before), std::move(after));
    }
    if (travels_[number].empty()) continue;
    // A derived row carries its values along, as long as its source is the same.
    const bool carried = names || (info.gather && !wrote(step, info.gather->source));
    if (carried || carries_values(info, from, to, travels_[number])) rows_[info.name] = number;
  }
}

const Travel* Motion::of(std::string_view array) const {
  const auto found = rows_.find(array);
  return found == rows_.end() ? nullptr : &travels_[found->second];
}

std::vector<NodeId> split_since(const Cursor& cursor, std::uint32_t step, const Concealment& concealed) {
  if (concealed.tree || concealed.splits || concealed.changes) return {};
  const NodeList now(cursor);
  const std::vector<std::uint32_t> before = split_dims_before(cursor.trace(), step + 1);
  std::vector<NodeId> split;
  for (std::uint32_t node = 0; node < now.size(); ++node)
    if (now.split_dim(node) >= 0 && (node >= before.size() || before[node] == no_id)) split.push_back({node});
  return split;
}

std::vector<std::uint32_t> turns_of(std::span<const NodeId> split, const Cursor& cursor) {
  const NodeList nodes(cursor);
  std::vector<std::uint32_t> after(nodes.size()), turns;  // how many split nodes are at or above a node
  auto next = split.begin();
  for (std::uint32_t node = 0; node < nodes.size(); ++node) {
    if (const std::uint32_t parent = nodes.parent(node); parent != no_id) after[node] = after[parent];
    if (next == split.end() || next->value != node) continue;
    turns.push_back(after[node]++);
    ++next;
  }
  if (std::ranges::count(turns, 0u) == std::ssize(turns)) turns.clear();
  return turns;
}

}  // namespace kdscope
