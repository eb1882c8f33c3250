#include "visualizer/model/highlights.hpp"

#include <algorithm>

#include "visualizer/model/trace_lookup.hpp"

namespace kdscope {
namespace {

constexpr std::size_t most_marks = 4096;

void add_mark(std::vector<RoleMark>& marks, std::uint64_t index, Role role) {
  if (index < no_id && marks.size() < most_marks) marks.push_back({static_cast<std::uint32_t>(index), role});
}

void sort_once(std::vector<RoleMark>& marks) {
  std::sort(marks.begin(), marks.end());
  marks.erase(std::unique(marks.begin(), marks.end()), marks.end());
}

}  // namespace

bool is_line_role(Role role) { return role == Role::read || role == Role::write || role == Role::compare; }

bool is_drawn_as_line(const Highlight& highlight) {
  return is_line_role(highlight.role) && highlight.space != Space::dimension && !highlight.ranges.empty();
}

RoleMarks role_marks(const Cursor& cursor, std::span<const Highlight> added, const Concealment& concealed) {
  RoleMarks marks;
  const Trace::Array* triangle_of = array_between(cursor.trace(), Space::position, Space::triangle);
  const TypedArray* triangle_at = triangle_of ? cursor.array(triangle_of->info.name) : nullptr;
  each_highlight(cursor, added, concealed, [&](const Highlight& h) {
    if (!is_drawn_as_line(h)) return;
    for (const PointId point : points_of(cursor, h, most_marks)) add_mark(marks.points, point.value, h.role);
    for (const std::uint32_t node : h.nodes) add_mark(marks.nodes, node, h.role);
    for (const IndexRange& r : h.ranges) {
      const std::uint64_t end = std::min(r.end, r.begin + most_marks);
      for (std::uint64_t i = r.begin; i < end; ++i) {
        if (h.space == Space::node) add_mark(marks.nodes, i, h.role);
        if (h.space == Space::triangle) add_mark(marks.triangles, i, h.role);
        if (h.space == Space::position && triangle_at && i < triangle_at->size())
          add_mark(marks.triangles, static_cast<std::uint64_t>(triangle_at->number(i)), h.role);
      }
    }
  });
  for (std::vector<RoleMark>* each : {&marks.points, &marks.triangles, &marks.nodes}) sort_once(*each);
  return marks;
}

}  // namespace kdscope
