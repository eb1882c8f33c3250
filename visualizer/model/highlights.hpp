#pragma once
// What a step reads, writes, compares and chooses as pivots: its own highlights, and those that a lesson adds at one of
// its stops.

#include <compare>
#include <span>
#include <vector>

#include "algorithms/trace/trace.hpp"
#include "visualizer/model/concealment.hpp"

namespace kdscope {

/// Calls `visit` with each highlight of the cursor's step, then with each highlight in `added`, except hidden ones.
template <class Visit>
void each_highlight(const Cursor& cursor, std::span<const Highlight> added, const Concealment& concealed, Visit visit) {
  if (cursor.step_count() == 0) return;
  for (const std::span<const Highlight> highlights : {std::span<const Highlight>(cursor.current().highlights), added})
    for (const Highlight& highlight : highlights)
      if (!concealed.hides(highlight)) visit(highlight);
}

/// One element that a step reads, writes or compares.
struct RoleMark {
  std::uint32_t index = 0;
  Role role = Role::read;
  auto operator<=>(const RoleMark&) const = default;
};

/// The elements that views of space and tree mark: those whose role is read, write or compare. Each list ascends by
/// index, then by role, has no duplicates, and holds at most 4096 elements.
struct RoleMarks {
  std::vector<RoleMark> points, triangles, nodes;
};

/// Finds the marks through the spaces that the trace's arrays declare. A position stands for the point or triangle at
/// it, and for the node that its highlight names. Work O(marked elements).
RoleMarks role_marks(const Cursor& cursor, std::span<const Highlight> added = {}, const Concealment& concealed = {});

/// Returns whether a role is drawn as a line above its elements: read, write and compare are.
bool is_line_role(Role role);
/// Returns whether a highlight has such a role in a space that the views draw. A dimension that is read orders rows
/// instead.
bool is_drawn_as_line(const Highlight& highlight);

}  // namespace kdscope
