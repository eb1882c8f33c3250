#include "visualizer/figure/partition_picture.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "visualizer/model/search_overlay.hpp"
#include "visualizer/model/trace_lookup.hpp"

namespace kdscope {

bool scene_box(const Partition& partition, const Frame& frame, NodeId node, std::array<double, 3>& lo,
               std::array<double, 3>& hi) {
  Box box;
  if (!partition.box(node, box)) return false;
  // A side on the border of the domain is drawn with the margin around it, unless a split made the side. The values
  // alone do not decide this where points coincide.
  std::array<bool, 3> cut_lo{}, cut_hi{};
  const auto& nodes = partition.nodes();
  for (std::uint32_t child = node.value, up = nodes[child].parent; up < nodes.size(); child = up, up = nodes[up].parent)
    for (int axis = 0; axis < 3; ++axis)
      if (frame.dims()[axis] >= 0 && frame.dims()[axis] == nodes[up].split_dim)
        (nodes[up].right == child ? cut_lo : cut_hi)[axis] = true;
  for (int axis = 0; axis < 3; ++axis) {
    const int d = frame.dims()[axis];
    const Box& domain = partition.domain();
    lo[axis] = d >= 0 && (cut_lo[axis] || box.lo[d] > domain.lo[d]) ? frame.to_scene(axis, box.lo[d]) : frame.lo(axis);
    hi[axis] = d >= 0 && (cut_hi[axis] || box.hi[d] < domain.hi[d]) ? frame.to_scene(axis, box.hi[d]) : frame.hi(axis);
  }
  return true;
}

int scene_plane(const Partition& partition, const Frame& frame, NodeId node, int dim, double value,
                std::array<double, 3>& lo, std::array<double, 3>& hi) {
  const int axis = frame.axis_of(dim);
  if (axis < 0 || !scene_box(partition, frame, node, lo, hi)) return -1;
  lo[axis] = hi[axis] = std::clamp(frame.to_scene(axis, value), lo[axis], hi[axis]);
  return axis;
}

bool scene_clipped_box(const Partition& partition, const Frame& frame, const Box& box, std::array<double, 3>& lo,
                       std::array<double, 3>& hi) {
  if (box.lo.size() < partition.dim() || box.hi.size() < partition.dim()) return false;
  for (int axis = 0; axis < 3; ++axis) {
    const int d = frame.dims()[axis];
    const Box& domain = partition.domain();
    lo[axis] = d >= 0 && box.lo[d] > domain.lo[d] ? frame.to_scene(axis, box.lo[d]) : frame.lo(axis);
    hi[axis] = d >= 0 && box.hi[d] < domain.hi[d] ? frame.to_scene(axis, box.hi[d]) : frame.hi(axis);
    if (lo[axis] > frame.hi(axis) || hi[axis] < frame.lo(axis)) return false;
  }
  return true;
}

bool scene_empty_half(const Partition& partition, const Frame& frame, NodeId node, std::array<double, 3>& lo,
                      std::array<double, 3>& hi) {
  const PartitionNode& info = partition.nodes()[node.value];
  const int axis = frame.axis_of(info.split_dim);
  if (axis < 0 || !lacks_one_child(info) || !scene_box(partition, frame, node, lo, hi)) return false;
  const double at = std::clamp(frame.to_scene(axis, info.split_value), lo[axis], hi[axis]);
  (info.left == no_id ? hi : lo)[axis] = at;
  return true;
}

std::vector<std::array<double, 4>> hatching(double left, double low, double right, double high, double apart) {
  std::vector<std::array<double, 4>> lines;
  const double gap = std::max(apart, (right - left + high - low) / 60);
  if (gap <= 0) return lines;
  for (double c = gap * std::ceil((left - high) / gap); c < right - low; c += gap) {
    const double from = std::max(left, low + c), to = std::min(right, high + c);
    if (from < to) lines.push_back({from, from - c, to, to - c});
  }
  return lines;
}

std::vector<SceneBox> scene_empty_boxes(const Partition& partition, const Frame& frame) {
  std::vector<SceneBox> boxes;
  SceneBox box;
  for (const NodeId cell : partition.cells())
    if (partition.nodes()[cell.value].empty && scene_box(partition, frame, cell, box.lo, box.hi)) boxes.push_back(box);
  for (const PartitionPlane& plane : partition.planes())
    if (scene_empty_half(partition, frame, plane.node, box.lo, box.hi)) boxes.push_back(box);
  boxes.resize(std::min(boxes.size(), most_overlay_marks));
  return boxes;
}

std::vector<bool> faded_nodes(const Partition& partition, std::span<const NodeId> cells) {
  const auto& nodes = partition.nodes();
  std::vector<bool> faded(cells.empty() ? 0 : nodes.size());
  for (const NodeId node : cells)
    if (node.value < faded.size()) faded[node.value] = true;
  // Follow parents at most as far as the node's level.
  for (std::uint32_t node = 0; node < faded.size(); ++node)
    for (std::uint32_t above = node, left = nodes[node].level; !faded[node] && left > 0; --left) {
      above = nodes[above].parent;
      if (above >= nodes.size()) break;
      if (faded[above]) faded[node] = true;
    }
  return faded;
}

double smallest_gap(std::span<const std::array<double, 2>> places, double same_spot) {
  double least = 1e300;
  for (std::size_t i = 0; i < places.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (const double gap = std::hypot(places[i][0] - places[j][0], places[i][1] - places[j][1]); gap > same_spot)
        least = std::min(least, gap);
  return least;
}

bool scene_tight_box(const Partition& partition, const Frame& frame, NodeId node, std::array<double, 3>& lo,
                     std::array<double, 3>& hi) {
  Box box;
  if (!partition.tight_box(node, box)) return false;
  bool extent = false;
  for (int axis = 0; axis < 3; ++axis) {
    const int d = frame.dims()[axis];
    lo[axis] = d >= 0 ? frame.to_scene(axis, box.lo[d]) : frame.lo(axis);
    hi[axis] = d >= 0 ? frame.to_scene(axis, box.hi[d]) : frame.hi(axis);
    extent = extent || (d >= 0 && hi[axis] > lo[axis]);
  }
  return extent;
}

Rgb tight_box_colour(const Theme& theme, const TreePlace& place) {
  return mix(subtree_colour(theme, place), theme.text, 0.4);
}

std::string earlier_note(const ShownPartition& shown) {
  return shown.is_earlier ? "The picture before. This one waits for the answer." : "";
}

std::string note_on(const ShownPartition& shown, const Frame& frame, bool tight_boxes, int first_plane_level) {
  const Partition& partition = shown.partition;
  std::string note = shown.of_points.lost_note();
  add_sentence(note, partition.left_out(first_plane_level));
  add_sentence(note, hidden_dimensions(partition, frame.dims()));
  add_sentence(note, shown.of_points.note());
  if (!frame.proportional()) add_sentence(note, "Axes are scaled separately.");
  if (tight_boxes && partition.has_tight_boxes() && partition.cells().size() > most_tight_boxes)
    add_sentence(note, "Smallest boxes are not drawn: more than 1,000.");
  return note;
}

/// Returns what a search has reached, and the marks of a lesson.
static Overlay overlay_at(const Cursor& cursor, const Overlay& marks, const Concealment& concealed) {
  Overlay all = search_overlay(cursor, concealed);
  const auto add = [](auto& to, const auto& from) { to.insert(to.end(), from.begin(), from.end()); };
  add(all.balls, marks.balls), add(all.segments, marks.segments), add(all.labels, marks.labels);
  if (all.reach.lo.empty()) all.reach = marks.reach;
  widen(all.reach, marks.reach);
  return all;
}

PartitionPicture PartitionPicture::at(const Cursor& cursor, const PartitionPictureOptions& options,
                                      std::span<const Highlight> added, const Concealment& concealed) {
  PartitionPicture picture;
  picture.move_to(cursor, {options.most_planes}, concealed);
  const Partition& partition = picture.partition;
  const std::uint32_t dim = partition.dim();
  if (partition.domain().lo.empty()) return picture;
  Axes axes = axes_or_first(options.axes, dim);
  if (options.flat) axes[2] = -1;
  Box framed = partition.domain();
  picture.lay_over(overlay_at(cursor, options.marks, concealed));
  widen(framed, picture.overlay.reach);  // the query may lie beside the points
  picture.frame = Frame(framed, axes, options.equal_scales);
  picture.note = earlier_note(picture);
  add_sentence(picture.note, note_on(picture, picture.frame, options.tight_boxes));

  const TypedArray* coordinates = cursor.array(points_array);
  if (!coordinates) return picture;
  picture.points = coordinates->size() / dim;
  const std::vector<std::uint32_t>& nodes = picture.of_points.node;
  const std::vector<bool> stored = picture.settled_points(picture.points);
  picture.roles = role_marks(cursor, added, concealed);
  std::vector<bool> pivot(picture.points);
  for (const PointId id : points_with_role(cursor, Role::pivot, 100000, added, concealed))
    if (id.value < pivot.size()) pivot[id.value] = true;
  const std::uint64_t stride =
      std::max<std::uint64_t>(1, (picture.points + options.most_marks - 1) / options.most_marks);
  if (stride > 1) add_sentence(picture.note, "One point in " + std::to_string(stride) + " is drawn.");
  for (std::uint64_t i = 0; i < picture.points; i += stride) {
    PointMark mark;
    mark.point = static_cast<std::uint32_t>(i);
    for (int axis = 0; axis < 3; ++axis)
      if (axes[axis] >= 0)
        mark.at[axis] =
            picture.frame.to_scene(axis, coordinates->number(i * dim + static_cast<std::uint32_t>(axes[axis])));
    const std::uint32_t node = i < nodes.size() ? nodes[i] : no_id;
    mark.node = node;
    if (node < partition.nodes().size()) mark.place = partition.nodes()[node].place;
    mark.settled = stored[i];
    mark.pivot = pivot[i];
    mark.faded = picture.fades(node);
    picture.marks.push_back(mark);
  }
  return picture;
}

void PartitionPicture::lay_over(Overlay marks_above) {
  overlay = std::move(marks_above);
  faded = faded_nodes(partition, overlay.faded_cells);
  for (PointMark& mark : marks) mark.faded = fades(mark.node);
}

const PointMark* PartitionPicture::mark_of(PointId point) const {
  const auto found = std::ranges::lower_bound(marks, point.value, {}, &PointMark::point);
  return found == marks.end() || found->point != point.value ? nullptr : &*found;
}

bool PartitionPicture::finished() const {
  return std::all_of(marks.begin(), marks.end(), [](const PointMark& mark) { return mark.settled; });
}

bool PartitionPicture::cells_finished() const {
  return std::all_of(partition.cells().begin(), partition.cells().end(),
                     [&](NodeId id) { return partition.nodes()[id.value].settled(); });
}

Rgb area_colour(const Theme& theme, const PartitionNode& cell, bool finished) {
  const double pale = cell.empty ? 0.94 : cell.settled() && !finished ? 0.87 : theme.dark ? 0.72 : 0.7;
  return mix(subtree_colour(theme, cell.place), theme.base, pale);
}

/// Returns the colour of points that no split has given one: the root's, as strong as its pale cell asks for.
static Rgb undivided_mark(ThemeId id) {
  constexpr auto of = [](ThemeId each) {
    const Theme& t = theme(each);
    const Rgb root = subtree_colour(t, TreePlace{});
    double share = 0;
    while (contrast(mix(root, t.text, share), area_colour(t, {}, false)) < 3) share += 0.02;
    return mix(root, t.text, share);
  };
  static const std::array colours{of(ThemeId::light), of(ThemeId::dark), of(ThemeId::high_contrast)};
  return colours[static_cast<std::size_t>(id)];
}

Rgb mark_colour(const Theme& theme, const PointMark& mark, bool finished) {
  Rgb fill = mark.place.level == 0 ? undivided_mark(theme.id) : subtree_colour(theme, mark.place);
  if (mark.settled && !finished) fill = dimmed(theme, fill);
  return mark.faded ? faded_mark(theme, fill) : fill;
}

Rgb plane_colour(const Theme& theme, const PartitionPlane& plane) {
  return plane.fresh ? theme.changed : plane.newest ? theme.new_plane : theme.plane;
}

}  // namespace kdscope
