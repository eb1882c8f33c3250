#pragma once
// Where the elements of arrays travel in a step: a sort, a scatter or a partition moves them, other steps move nothing.
// The trace alone decides; no view and no builder describes a motion.

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "algorithms/trace/trace.hpp"
#include "visualizer/model/concealment.hpp"

namespace kdscope {

/// The columns between which the elements of a row travel. Elements without a partner appear or disappear.
class Travel {
 public:
  /// `from`, `to`: the element in each column before and after, as an id that occurs once, or no_id for none. If an id
  /// occurs twice or is not below `ids`, nothing travels. Work O(columns + ids).
  Travel(std::span<const std::uint32_t> from, std::span<const std::uint32_t> to, std::uint64_t ids);

  /// Returns the column from which the element in a column came; nullopt if it is new or stayed.
  std::optional<std::uint64_t> came_from(std::uint64_t column) const { return other(from_, column); }
  /// Returns the column to which the element that was in a column went; nullopt if it is gone or stayed.
  std::optional<std::uint64_t> went_to(std::uint64_t column) const { return other(to_, column); }
  /// Returns whether no element changes its column.
  bool empty() const { return empty_; }
  /// [columns after] The column of each element before, no_id for new elements; empty if nothing is known.
  std::span<const std::uint32_t> origins() const { return from_; }

 private:
  static std::optional<std::uint64_t> other(std::span<const std::uint32_t> columns, std::uint64_t column) {
    return column < columns.size() && columns[column] != no_id && columns[column] != column
               ? std::optional<std::uint64_t>(columns[column])
               : std::nullopt;
  }

  std::vector<std::uint32_t> from_, to_;
  bool empty_ = true;
};

/// The motion of all rows of one index space between two neighbouring steps of a trace, in either direction.
///
/// A row takes part if the step wrote it, if the elements that its columns stand for are known and unique before and
/// after (RowOrder for points; lists of triangles name them), and if it has the same value for each of them before and
/// after: all that belongs to an element travels together. Elements of a second list, such as the target of a scatter,
/// come from where they were in the first.
class Motion {
 public:
  Motion() = default;
  /// The elements travel from the state of one cursor to that of the other. Hidden rows stand still; all rows do if the
  /// changes, or the points that positions stand for, are hidden. No motion between steps that are not neighbours.
  /// Work O(elements of the rows that the step wrote).
  Motion(const Cursor& from, const Cursor& to, Space space, const Concealment& concealed = {});

  bool empty() const { return rows_.empty(); }
  /// Returns whether it leads back to the earlier step.
  bool backwards() const { return backwards_; }
  /// Returns where the elements of an array travel; null if they stand still.
  const Travel* of(std::string_view array) const;

 private:
  std::vector<Travel> travels_;
  std::map<std::string, std::size_t, std::less<>> rows_;
  bool backwards_ = false;
};

/// Returns the nodes that are split at the cursor, and were not after an earlier step, in ascending order. Empty if the
/// tree, its splits or the changes are hidden. Work O(nodes).
std::vector<NodeId> split_since(const Cursor& cursor, std::uint32_t step, const Concealment& concealed = {});
/// Returns for each of these how many of its ancestors are among them; empty if none is another one's ancestor. Work
/// O(nodes).
std::vector<std::uint32_t> turns_of(std::span<const NodeId> split, const Cursor& cursor);

}  // namespace kdscope
