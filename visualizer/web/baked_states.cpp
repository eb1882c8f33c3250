#include "visualizer/web/baked_states.hpp"

#include <algorithm>
#include <cmath>

#include "algorithms/text/numbers.hpp"
#include "algorithms/trace/coordinate_names.hpp"
#include "algorithms/trace/element_name.hpp"
#include "visualizer/figure/node_look.hpp"
#include "visualizer/figure/overlay_drawing.hpp"
#include "visualizer/figure/partition_drawing.hpp"
#include "visualizer/figure/table_picture.hpp"
#include "visualizer/figure/tree_picture.hpp"
#include "visualizer/model/changes.hpp"
#include "visualizer/model/count_array.hpp"
#include "visualizer/model/question_concealment.hpp"
#include "visualizer/model/search_overlay.hpp"
#include "walkthroughs/reader/panes.hpp"

namespace kdscope {
namespace {

constexpr std::uint64_t head_columns = 16, work_columns = 32, tail_columns = 4;

/// Returns the column on which the step works: of a pivot, else of a change, else of a segment.
std::uint64_t place_of_work(const ArrayTable& table) {
  if (const auto pivots = table.columns_with(Role::pivot); !pivots.empty()) return pivots.front().begin;
  const auto [first, end] = table.written_rows(false);
  for (std::size_t row = first; row < end; ++row)
    if (const auto changes = table.changes(row); !changes.empty()) return changes.front().begin;
  if (const auto segments = table.columns_with(Role::segment); !segments.empty()) return segments.front().begin;
  return 0;
}

std::string json_range(std::uint64_t begin, std::uint64_t end) { return JsonList().add(begin).add(end).text(); }

std::string json_corner(const std::array<double, 3>& at) {
  JsonList corner;
  for (const double along : at) corner.add(json_place(along));
  return corner.text();
}

const char* ink_name(Ink ink) {
  constexpr const char* names[] = {"text", "muted", "changed", "failed", "selection"};
  return names[static_cast<std::size_t>(ink)];
}

std::string json_style(const MarkStyle& style) {
  return JsonList().add(json_text(ink_name(style.ink))).add(json_place(style.width)).add(style.dashed ? 1 : 0).text();
}

/// What pictures in the plane and in space share.
JsonObject page_picture(const PartitionPicture& picture, const Concealment& concealed) {
  JsonList pivots;
  for (const PointMark& mark : picture.marks)
    if (mark.pivot) pivots.add(mark.point);
  JsonObject baked;
  baked.add("points", picture.points).add("pivots", pivots.text());
  if (concealed.splits && !picture.is_earlier) baked.add("splits_hidden", 1);
  if (!picture.note.empty()) baked.add("note", json_text(picture.note));
  return baked;
}

}  // namespace

std::vector<IndexRange> shown_columns(const ArrayTable& table, std::uint64_t first_columns) {
  const std::uint64_t all = table.column_count();
  if (all <= BakedStates::most_columns) return {{0, all}};
  const std::uint64_t head = std::min(all, std::clamp(first_columns, head_columns, 8 * BakedStates::most_columns));
  const std::uint64_t work = place_of_work(table), before = work_columns / 4;
  const std::uint64_t from = work > before ? work - before : 0;
  std::vector<IndexRange> ranges;
  for (IndexRange range : {IndexRange{0, head}, IndexRange{from, std::min(all, from + work_columns)},
                           IndexRange{all - tail_columns, all}}) {
    // A gap of one column takes as much room as the column.
    if (!ranges.empty() && range.begin <= ranges.back().end + 1)
      ranges.back().end = std::max(ranges.back().end, range.end);
    else
      ranges.push_back(range);
  }
  return ranges;
}

std::vector<PartitionPlane> planes_in_space(const PartitionPicture& picture) {
  constexpr std::ptrdiff_t most_new = 64;
  std::vector<PartitionPlane> planes;
  std::ranges::copy_if(picture.partition.planes(), std::back_inserter(planes),
                       [&](const PartitionPlane& plane) { return picture.axis_of(plane) >= 0; });
  const auto is_new = [](const PartitionPlane& plane) { return plane.fresh || plane.newest; };
  const bool few = std::ranges::count_if(planes, is_new) <= most_new;
  std::erase_if(planes, [&](const PartitionPlane& plane) { return plane.level >= 2 && !(few && is_new(plane)); });
  return planes;
}

BakedStates::BakedStates(std::shared_ptr<const Trace> trace, const std::optional<Axes>& axes, bool coordinates)
    : axes_(axes_or_first(axes, trace->header.dim)), now_(trace), before_(trace) {
  if (coordinates) coordinates_.emplace(trace, most_lines);
}

JsonObject BakedStates::bake(std::uint32_t step, const Focus& focus) {
  const Concealment& concealed = focus.concealed;
  now_.seek(step);
  // The state before a step would reveal hidden values, so the window shows no changes either.
  has_before_ = step > 0 && !concealed.hides_values();
  if (has_before_) before_.seek(step - 1);
  const bool nodes_hidden = concealed.hides_nodes(now_.trace());
  strips_hidden_ = concealed.strips || nodes_hidden;

  // Open the table of the claimed row, or else the one that the step changes, as the window does.
  const std::vector<Space> spaces = table_spaces(now_.trace());
  const Trace::Array* claimed = focus.row.empty() ? nullptr : now_.trace().find(focus.row);
  std::optional<Space> wanted = claimed ? std::optional(claimed->info.index_space) : std::nullopt;
  if (!wanted && !spaces.empty()) wanted = changed_space(now_, baseline(), spaces.front());
  JsonList tables;
  std::size_t count = 0, open = 0;
  for (const Space space : spaces) {
    const ArrayTable table(now_, baseline(), space, axes_, focus.highlights, concealed);
    if (table.rows().size() < 2 || table.column_count() == 0) continue;
    if (space == wanted) open = count;
    tables.add(bake_table(table, space, focus.columns));
    ++count;
  }
  JsonObject members;
  members.add("tables", tables.text()).add("open", open);
  JsonList covered;
  const auto add = [&](const Pane& pane, bool hidden, const std::string& part) {
    if (hidden)
      covered.add(json_text(pane.id));
    else if (!part.empty())
      members.add(pane.id, part);
  };
  const auto pooled = [](Pool& pool, std::string part) {
    return part.empty() ? part : std::to_string(pool.put(std::move(part)));
  };
  const bool counts = !CountArray::names(now_.trace()).empty(), candidates{CandidateArrays(now_.trace())};
  const bool candidates_hidden = hides_candidates(concealed, now_.trace());
  const bool lines_hidden = concealed.splits || nodes_hidden;
  for (const Pane& pane : all_panes()) switch (pane.figure) {
      case PaneFigure::none:
      case PaneFigure::table:  // above
        break;
      case PaneFigure::lanes:  // the step says where they are looked at
        add(pane, concealed.hides_values(), {});
        break;
      case PaneFigure::space:
        add(pane, false, pooled(pictures_, bake_picture(focus)));
        break;
      case PaneFigure::tree:
        add(pane, concealed.tree, concealed.tree ? std::string() : pooled(trees_, bake_tree(focus)));
        break;
      case PaneFigure::code:  // depends on the step alone
        add(pane, concealed.code, {});
        break;
      case PaneFigure::counts:
        add(pane, counts && concealed.counts, concealed.counts ? std::string() : bake_counts());
        break;
      case PaneFigure::costs:
        add(pane, candidates && candidates_hidden, candidates_hidden ? std::string() : bake_candidates());
        break;
      case PaneFigure::coordinates:
        add(pane, coordinates_ && lines_hidden, lines_hidden ? std::string() : bake_coordinates());
        break;
    }
  if (hides_statements(concealed)) covered.add(json_text("checks"));
  if (hides_steps(concealed, now_.trace())) covered.add(json_text("steps"));
  return members.add("covered", covered.text());
}

std::string cell_words(const TableCell& cell, bool is_index) {
  std::string words;
  const auto add = [&](bool applies, const std::string& word) {
    if (applies) words += (words.empty() ? "" : ", ") + word;
  };
  add(cell.changed, cell.old_text.empty() ? "new" : "changed from " + cell.old_text);
  add(cell.pivot, "pivot");
  add(cell.read, "read");
  add(cell.written, "written");
  add(cell.compared, "compared");
  add(cell.settled && !is_index, "settled");
  add(cell.violating, "violates a check");
  return words;
}

/// The rows as texts, the picture of the cells with the places where columns begin, and the names beside them.
std::size_t BakedStates::bake_table(const ArrayTable& table, Space space, std::uint64_t first_columns) {
  constexpr double digits = 18, side = 12;  // whole pixels have short texts
  TableLook look;
  look.digits = digits, look.indices = 15, look.labels = 17, look.label_gap = side;
  look.segments = !strips_hidden_;
  look.ids = true;
  TableFrame frame;
  frame.columns = shown_columns(table, first_columns);
  frame.row_height = 32, frame.gap = 40;
  frame.height = static_cast<double>(table.rows().size()) * frame.row_height + 1;
  JsonList ranges, rows, cuts;
  std::uint64_t changed = 0, count = 0;
  double label_width = 0;
  std::size_t characters = 2;  // of the widest text over the whole run, so that nothing jumps from step to step
  for (const IndexRange& range : frame.columns) ranges.add(json_range(range.begin, range.end));
  for (std::size_t row = 0; row < table.rows().size(); ++row) {
    for (const IndexRange& range : frame.columns) {
      for (std::uint64_t column = range.begin; column < range.end; ++column)
        changed += row > 0 && table.cell(row, column).changed;
      count += row == 0 ? range.end - range.begin : 0;
    }
    characters = std::max(characters,
                          table.is_real(row) ? std::min(longest_real, table.text_width(row)) : table.text_width(row));
    label_width = std::max(label_width, std::ceil(text_width(table.rows()[row].label, 1.17 * look.labels) + 2 * side));
    rows.add(rows_.put(bake_row(table, row, frame.columns)));
  }
  frame.column_width = std::ceil(text_width(std::string(characters, '0'), 1.17 * digits, true) + 20);
  frame.width =
      static_cast<double>(count) * frame.column_width + static_cast<double>(frame.columns.size() - 1) * frame.gap;
  const TablePicture picture(table, frame);
  for (const IndexRange& range : frame.columns)
    for (std::uint64_t column = range.begin; column < range.end; ++column)
      cuts.add(json_place(picture.left_of(column)));
  const DisplayList shown = picture.cells(look);
  frame.width = frame.label_width = label_width;
  JsonObject baked;
  baked.add("space", json_text(name_of(space)))
      .add("columns", ranges.text())
      .add("count", table.column_count())
      .add("rows", rows.text())
      .add("changed", changed)
      .add("picture", bake_list(shown))
      .add("cuts", clouds_.put(cuts.text()))
      .add("names", bake_list(TablePicture(table, frame).labels(look)));
  if (table.hidden_dimensions() > 0) baked.add("hidden", table.hidden_dimensions());
  return tables_.put(baked.text());
}

/// A row: its names, the texts of its cells per range of columns, and of each cell what is to be said about it, node
/// and point.
std::string BakedStates::bake_row(const ArrayTable& table, std::size_t row, std::span<const IndexRange> columns) {
  JsonList texts;
  LookRuns facts;
  for (const IndexRange& range : columns) {
    JsonList in_range;
    for (std::uint64_t column = range.begin; column < range.end; ++column) {
      const TableCell cell = table.cell(row, column);
      const auto point = table.point_at(row, column);
      in_range.add(json_text(cell.text));
      facts.add(facts_.put(JsonList()
                               .add(json_text(cell_words(cell, row == 0)))
                               .add(cell.node ? static_cast<std::int64_t>(cell.node->value) : std::int64_t(-1))
                               .add(point ? static_cast<std::int64_t>(point->value) : std::int64_t(-1))
                               .text()));
    }
    texts.add(texts_.put(in_range.text()));
  }
  JsonObject baked;
  baked.add("label", json_text(table.rows()[row].label))
      .add("name", json_text(table.rows()[row].name))
      .add("texts", texts.text())
      .add("facts", mark_lists_.put(facts.text()));
  if (table.rows()[row].concealed) baked.add("hidden", 1);
  return baked.text();
}

/// How many nodes there are; the picture; and for the table its nodes: number, level, state, point, lines.
std::string BakedStates::bake_tree(const Focus& focus) {
  diagram_ = TreeDiagram::at(now_, {}, diagram_ ? &*diagram_ : nullptr, focus.highlights, focus.concealed);
  const TreeDiagram& diagram = *diagram_;
  if (diagram.final_levels == 0) return {};
  TreeMarks marks;
  if (has_before_)
    for (const NodeChange& change : changed_nodes(before_, now_)) {
      if (change.node.value >= marks.changed.size()) marks.changed.resize(change.node.value + std::size_t(1));
      marks.changed[change.node.value] = true;
    }
  if (!focus.concealed.marks) marks.searched = search_states(now_);
  const TreeLayout& layout = diagram.layout();
  constexpr double narrowest = 480, widest = 1200, of_a_node = 62;
  TreeRoom room;
  room.width =
      std::clamp(of_a_node * std::min<double>(most_nodes_on_a_level, 1 / layout.narrowest_gap()), narrowest, widest);
  room.height = 0;
  room.grows = true;
  room.most_nodes = most_nodes_on_a_level, room.most_cells = most_strip_cells;
  TreePicture picture;
  picture.fit(diagram, room, 1);
  picture.scroll_to(0);
  JsonList nodes;
  for (const DiagramNode& node : picture.visible()) {
    JsonList lines;
    for (const std::string& line : lines_of(diagram, node)) lines.add(json_text(line));
    nodes.add(nodes_.put(JsonList()
                             .add(node.node.value)
                             .add(node.level)
                             .add(static_cast<int>(node.state))
                             .add(node.point == no_id ? std::int64_t(-1) : static_cast<std::int64_t>(node.point))
                             .add(lines.text())
                             .text()));
  }
  return JsonObject()
      .add("count", diagram.node_count)
      .add("picture", bake_list(picture.draw(marks)))
      .add("nodes", nodes.text())
      .text();
}

std::string BakedStates::bake_picture(const Focus& focus) {
  PartitionPictureOptions options;
  options.axes = axes_;
  options.flat = axes_[2] < 0;
  options.most_planes = 512;
  options.most_marks = most_points;
  options.marks = focus.marks;
  const PartitionPicture picture = PartitionPicture::at(now_, options, focus.highlights, focus.concealed);
  if (picture.empty()) return {};
  return picture.frame.is_2d() ? bake_flat(picture, focus) : bake_solid(picture, focus);
}

/// The picture as a display list, and what its places are in the points' units: per axis the dimension, the origin and
/// the unit of a pixel.
std::string BakedStates::bake_flat(const PartitionPicture& picture, const Focus& focus) {
  const PartitionMesh mesh(now_, picture, most_triangles);
  PartitionRoom room;
  room.width = 520, room.height = 560;  // pages draw it smaller: its texts must stay legible
  room.lower = true;
  room.corners = mesh.corners, room.triangles = mesh.places;
  const PartitionDrawing drawing = PartitionDrawing::of(picture, room);
  JsonList axes;
  for (const PartitionDrawing::Axis& axis : drawing.axes)
    if (axis.dimension >= 0)
      axes.add(JsonList().add(axis.dimension).add(shortest(axis.origin)).add(shortest(axis.unit)).text());
  JsonObject baked = page_picture(picture, focus.concealed);
  const auto splits = std::ranges::count_if(picture.partition.planes(),
                                            [&](const PartitionPlane& plane) { return picture.axis_of(plane) >= 0; });
  baked.add("list", bake_list(drawing.list)).add("axes", axes.text()).add("splits", splits);
  if (!mesh.places.empty()) baked.add("triangles", mesh.places.size());
  return baked.text();
}

/// The places of the picture in space, which the page turns: points, planes, triangles.
std::string BakedStates::bake_solid(const PartitionPicture& picture, const Focus& focus) {
  JsonObject baked = page_picture(picture, focus.concealed);
  baked.add("frame", frame_of(picture));
  // Store places and looks of the points apart: places never change.
  const bool finished = picture.finished();
  JsonList cloud, planes, triangles;
  LookRuns looks;
  for (const PointMark& mark : picture.marks) {
    cloud.add(json_corner(mark.at));
    const auto ink = [&](const Theme& theme) { return mark_colour(theme, mark, finished); };
    looks.add(bake_look(ink, subtree_glyph(mark.place), mark.faded));
  }
  const std::size_t drawn = picture.marks.size();
  baked.add("cloud", clouds_.put(cloud.text()))
      .add("marks", mark_lists_.put(looks.text()))
      .add("stride", drawn > 1 ? picture.marks[1].point - picture.marks[0].point : 1);
  std::array<double, 3> lo{}, hi{};
  for (const PartitionPlane& plane : planes_in_space(picture)) {
    const int axis = scene_plane(picture.partition, picture.frame, plane.node, plane.dim, plane.value, lo, hi);
    if (axis < 0) continue;
    planes.add(JsonList()
                   .add(axis)
                   .add(plane.fresh    ? 2
                        : plane.newest ? 1
                                       : 0)
                   .add(json_corner(lo))
                   .add(json_corner(hi))
                   .text());
  }
  baked.add("planes", planes.text());
  const PartitionMesh mesh(now_, picture, most_triangles);
  for (std::size_t i = 0; i < mesh.places.size(); ++i) {
    for (std::size_t k = 0; k < 3; ++k) triangles.add(mesh.corners[3 * i + k]);
    triangles.add(colours_.ink([&](const Theme& theme) { return subtree_colour(theme, mesh.places[i]); }));
  }
  if (!mesh.places.empty()) baked.add("triangles", mesh_lists_.put(triangles.text()));
  if (const Overlay& o = picture.overlay; !o.balls.empty() || !o.segments.empty() || !o.boxes.empty())
    baked.add("overlay", bake_overlay(picture));
  return baked.text();
}

/// The drawn region in space, with the names of its axes.
std::string BakedStates::frame_of(const PartitionPicture& picture) const {
  JsonList lo, hi, names;
  for (int axis = 0; axis < 3; ++axis) {
    lo.add(json_place(picture.frame.lo(axis)));
    hi.add(json_place(picture.frame.hi(axis)));
    const int d = picture.frame.dims()[axis];
    names.add(json_text(d < 0 ? "" : coordinate_name(static_cast<std::uint32_t>(d), now_.trace().header.dim)));
  }
  return JsonObject()
      .add("up", std::min(2u, now_.trace().header.up_axis))
      .add("lo", lo.text())
      .add("hi", hi.text())
      .add("names", names.text())
      .text();
}

/// What a search has reached in space, and what a lesson marks: lines through corners, arrows among them; small circles
/// and rings; and labels. Each has its colour, width and whether it is dashed.
std::string BakedStates::bake_overlay(const PartitionPicture& picture) {
  const Overlay& overlay = picture.overlay;
  JsonList lines, circles, labels;
  for (const OverlayLine& line : overlay_lines(overlay, picture.partition, picture.frame, corners_of_circle)) {
    JsonList corners;
    for (const auto& corner : line.corners) corners.add(json_corner(corner));
    lines.add(JsonList().add(clouds_.put(corners.text())).add(line.arrow ? 1 : 0).add(json_style(line.style)).text());
  }
  const auto circle = [&](const std::array<double, 3>& at, int is_ring, const MarkStyle& style) {
    circles.add(JsonList().add(json_corner(at)).add(is_ring).add(json_style(style)).text());
  };
  for (const Overlay::Ball& ball : overlay.balls)
    if (const auto at = scene_place(picture.frame, ball.centre); at && ball.radius == 0) circle(*at, 0, ball.style);
  for (const Overlay::Ring& ring : overlay.rings)
    if (const PointMark* mark = picture.mark_of(ring.point)) circle(mark->at, 1, ring.style);
  for (const Overlay::Label& label : overlay.labels)
    if (const auto at = scene_place(picture.frame, label.at))
      labels.add(
          JsonList().add(json_corner(*at)).add(json_text(label.text)).add(json_text(ink_name(label.ink))).text());
  return JsonObject().add("lines", lines.text()).add("circles", circles.text()).add("labels", labels.text()).text();
}

void BakedStates::add_parts(JsonObject& page) const {
  BakedLists::add_parts(page);
  page.add("point_letter", json_text(std::string(1, point_letter)))
      .add("triangle_letter", json_text(std::string(1, triangle_letter)))
      .add("facts", facts_.text())
      .add("rows", rows_.text())
      .add("tables", tables_.text())
      .add("nodes", nodes_.text())
      .add("trees", trees_.text())
      .add("meshes", mesh_lists_.text())
      .add("count_arrays", count_arrays_.text())
      .add("pictures", pictures_.text())
      .add("candidates", candidates_.text())
      .add("coordinate_states", coordinate_states_.text());
}

}  // namespace kdscope
