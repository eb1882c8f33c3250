#pragma once
// The elements that a step reads, writes, compares and chooses as pivots: its own highlights and those that a lesson
// adds at its stop.

#include <compare>
#include <span>
#include <vector>

#include "algorithms/trace/trace.hpp"

namespace kdscope {

/// Calls `visit` with each highlight of the cursor's step, then with each of `added`.
template <class Visit>
void each_highlight(const Cursor& cursor, std::span<const Highlight> added, Visit visit) {
  if (cursor.step_count() == 0) return;
  for (const Highlight& highlight : cursor.current().highlights) visit(highlight);
  for (const Highlight& highlight : added) visit(highlight);
}

/// One element that a step reads, writes or compares.
struct RoleMark {
  std::uint32_t index = 0;
  Role role = Role::read;
  auto operator<=>(const RoleMark&) const = default;
};

/// The elements that the 2D/3D view and the tree mark: those whose role is read, write or compare. Each list is sorted
/// by index, then role, has no repetitions, and has at most 4096 elements.
struct RoleMarks {
  std::vector<RoleMark> points, triangles, nodes;
};

/// Returns the marks of the cursor's step, found through the spaces that the trace's arrays declare: a position marks
/// the point and the triangle there and the node that its highlight names. Work O(marked elements).
RoleMarks role_marks(const Cursor& cursor, std::span<const Highlight> added = {});

/// Returns whether a role is drawn as a line above its elements, as read, write and compare are.
bool is_line_role(Role role);
/// Returns whether a highlight has such a role in a space that the views draw. A dimension that is read selects the
/// order of rows instead.
bool is_drawn_as_line(const Highlight& highlight);

}  // namespace kdscope
