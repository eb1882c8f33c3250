// Tests display lists: what a click finds, and the picture of the tree, with what a question hides taken out.

#include "visualizer/figure/tree_picture.hpp"

#include <map>
#include <set>

#include "tests/support/catch.hpp"
#include "tests/visualizer/nodes_by_hand.hpp"
#include "tests/visualizer/wald_ten_points.hpp"
#include "visualizer/figure/node_look.hpp"

using namespace kdscope;

namespace {

using Shape = DisplayItem::Shape;

DisplayItem with_id(Shape shape, std::vector<double> at, std::uint32_t id) {
  return {.shape = shape, .at = std::move(at), .ink = [](const Theme& t) { return t.text; }, .id = id};
}

struct Drawn {
  TreeDiagram diagram;
  TreePicture picture;
  DisplayList list;

  explicit Drawn(TreeDiagram of, double width = 900, double height = 600, const TreeMarks& marks = {})
      : diagram(std::move(of)) {
    TreeRoom room;
    room.width = width, room.height = height;
    picture.fit(diagram, room, 1);
    picture.scroll_to(0);
    list = picture.draw(marks);
  }
  std::set<std::uint32_t> ids() const {
    std::set<std::uint32_t> found;
    for (const DisplayItem& item : list.items)
      if (item.id) CHECK(found.insert(*item.id).second);  // one item per node
    return found;
  }
  std::set<std::string> texts() const {
    std::set<std::string> found;
    for (const DisplayItem& item : list.items)
      if (item.shape == Shape::text) found.insert(item.text);
    return found;
  }
};

/// A finished complete tree with `nodes` nodes in level order, in one dimension.
std::shared_ptr<const Trace> complete_tree(std::uint32_t nodes) {
  TraceBuilder builder = nodes_by_hand();
  std::vector<std::uint32_t> parents(nodes), dims(nodes);
  for (std::uint32_t i = 0; i < nodes; ++i) {
    parents[i] = i == 0 ? no_id : (i - 1) / 2;
    dims[i] = 2 * i + 1 < nodes ? 0 : no_id;
  }
  builder.begin_step({});
  builder.write(partition_arrays::parent, TypedArray::of(parents));
  builder.write(partition_arrays::split_dim, TypedArray::of(dims));
  builder.write(partition_arrays::split_value, TypedArray::of(std::vector<double>(nodes, 1)));
  return builder.finish();
}

}  // namespace

TEST_CASE("a click finds the item with the nearest middle, within its shape and the reach around it") {
  DisplayList list;
  list.add(with_id(Shape::box, {10, 10, 40, 20, 4}, 1));
  list.add(with_id(Shape::circle, {70, 20, 5}, 2));
  list.add(with_id(Shape::polygon, {90, 10, 110, 10, 100, 30}, 3));
  list.add({.shape = Shape::text, .at = {30, 20}, .text = "30"});  // stands on the box and has no id
  CHECK(list.hit(30, 20, 0) == 1);
  CHECK(list.hit(10.5, 29.5, 0) == 1);
  CHECK_FALSE(list.hit(52, 20, 0));
  CHECK(list.hit(52, 20, 3) == 1);
  CHECK_FALSE(list.hit(30, 34, 3));
  CHECK(list.hit(74, 20, 0) == 2);
  CHECK_FALSE(list.hit(76, 20, 0));
  CHECK(list.hit(76, 20, 3) == 2);
  CHECK_FALSE(list.hit(74, 24, 0));  // in the square around the circle
  CHECK(list.hit(100, 12, 0) == 3);
  CHECK(list.hit(58, 20, 30) == 2);  // the box is nearer, but not its middle
  CHECK_FALSE(DisplayList().hit(0, 0, 100));
}

TEST_CASE("every node has one item, which a click finds, and names in reading order") {
  for (std::uint32_t step = 0; step < printed_states().size(); ++step)
    for (const double width : {260.0, 900.0}) {
      INFO(step << ", " << width);
      const Drawn drawn(TreeDiagram::at(ten_points_at(step)), width);
      const std::vector<DiagramNode>& nodes = drawn.diagram.nodes;
      REQUIRE(drawn.ids().size() == nodes.size());
      std::size_t next = 0;
      for (const DisplayItem& item : drawn.list.items) {
        if (!item.id) continue;
        const DiagramNode& node = nodes.at(next++);  // level order, from left to right
        CHECK(*item.id == node.node.value);
        for (const std::string& line : described(drawn.diagram, node))
          CHECK(item.spoken.find(line) != std::string::npos);
        const auto [x, y] = drawn.picture.centre_of(node.level, node.x);
        CHECK(drawn.list.hit(x, y, 0) == node.node.value);
      }
      CHECK(next == nodes.size());
    }
}

TEST_CASE("numbers and names of points stand inside their node, and nothing reaches over the picture") {
  const Drawn drawn(TreeDiagram::at(ten_points_at(8)));
  std::map<std::string, std::array<double, 4>> bodies;
  for (const DisplayItem& item : drawn.list.items) {
    if (item.id) bodies[std::to_string(*item.id)] = item.bounds();
    if (item.shape != Shape::text || item.ground) continue;
    const double half = text_width(item.text, 1.17 * item.size, item.bold) / 2;
    if (!item.bold && item.text.front() != 'p') continue;  // the number of a level
    bool inside = false;
    for (const auto& [number, body] : bodies)
      inside = inside || (item.at[0] - half >= body[0] && item.at[0] + half <= body[2] && item.at[1] > body[1] &&
                          item.at[1] < body[3] && (!item.bold || number == item.text));
    INFO(item.text);
    CHECK(inside);
  }
  CHECK(bodies.size() == drawn.diagram.nodes.size());
  for (const auto& [number, body] : bodies) {
    CHECK(body[0] >= 0);
    CHECK(body[2] <= drawn.list.width);
    CHECK(body[3] <= drawn.list.height);
  }
}

TEST_CASE("an edge starts at its node or below the lines of the node, and not between them") {
  const Drawn drawn(TreeDiagram::at(ten_points_at(8)));
  std::size_t edges = 0, below_lines = 0;
  for (const DisplayItem& edge : drawn.list.items) {
    if (edge.shape != Shape::line) continue;
    ++edges;
    const bool down = edge.at[1] < edge.at[3];
    const double x = edge.at[down ? 0 : 2], y = edge.at[down ? 1 : 3];
    bool from_body = false;
    for (const DisplayItem& item : drawn.list.items) {
      if (item.id) from_body |= item.bounds()[1] < y && y < item.bounds()[3];
      if (!item.ground) continue;
      const double half = text_width(item.text, item.size) / 2;
      INFO(item.text << ", " << x << ", " << y);
      CHECK_FALSE((std::abs(item.at[0] - x) < half && std::abs(item.at[1] - y) < item.size / 2));
    }
    below_lines += !from_body;
  }
  CHECK(edges == drawn.diagram.nodes.size() - 1);
  CHECK(below_lines > 2);
}

TEST_CASE("while the children of the nodes that a step splits drop, they cover no line below a node") {
  const auto room_of = [](const DisplayItem& item) {
    if (item.shape != Shape::text) return item.bounds();
    const double half = text_width(item.text, 1.17 * item.size) / 2, high = item.size / 2;
    return std::array{item.at[0] - half, item.at[1] - high, item.at[0] + half, item.at[1] + high};
  };
  for (int tenths = 0; tenths <= 10; ++tenths) {
    TreeMarks marks;
    marks.growth = {{{1}, {2}}, 0.1 * tenths};
    const Drawn drawn(TreeDiagram::at(ten_points_at(3)), 900, 600, marks);
    std::size_t lines = 0;
    for (const DisplayItem& line : drawn.list.items) {
      if (!line.ground) continue;
      ++lines;
      for (const DisplayItem& other : drawn.list.items) {
        if (&other == &line || !(other.id || other.ground)) continue;
        const auto a = room_of(line), b = room_of(other);
        INFO(line.text << " after " << tenths << " tenths");
        CHECK((a[2] <= b[0] || b[2] <= a[0] || a[3] <= b[1] || b[3] <= a[1]));
      }
    }
    CHECK((lines > 2) == (tenths >= 7));  // the root has two, and the others once their children have dropped
  }
}

TEST_CASE("the states of a search enter: first what the step visits, last what is out of reach") {
  using enum SearchState;
  const Theme& t = theme(ThemeId::light);
  const auto bodies = [&](double time) {
    TreeMarks marks;
    marks.searched_before = {visited, untouched, untouched};
    marks.searched = {visited, waiting, skipped};
    marks.growth.time = time;
    std::map<std::uint32_t, Rgb> colours;
    for (const DisplayItem& item : Drawn(TreeDiagram::at(ten_points_at(9)), 900, 600, marks).list.items)
      if (item.id && *item.id < 3) colours[*item.id] = item.ink(t);
    return colours;
  };
  auto begin = bodies(0), middle = bodies(0.5), end = bodies(1);
  CHECK(begin[0] == end[0]);
  CHECK(begin[1] != middle[1]);
  CHECK(middle[1] == end[1]);
  CHECK(begin[2] == middle[2]);
  CHECK(middle[2] != end[2]);
}

TEST_CASE("what a question hides is in no item of the tree") {
  const auto holds = [](const Drawn& drawn, std::string_view words) {
    return std::any_of(drawn.list.items.begin(), drawn.list.items.end(), [&](const DisplayItem& item) {
      return item.text.find(words) != std::string::npos || item.spoken.find(words) != std::string::npos;
    });
  };
  const Cursor now = ten_points_at(3);
  const Drawn open(TreeDiagram::at(now));
  REQUIRE(holds(open, "y = 43"));
  REQUIRE(holds(open, "pivot"));
  Concealment tree, splits;
  tree.tree = true;
  splits.splits = true;
  CHECK(Drawn(TreeDiagram::at(now, {}, nullptr, {}, tree)).list.items.empty());
  const Drawn hidden(TreeDiagram::at(now, {}, nullptr, {}, splits));
  CHECK_FALSE(hidden.list.items.empty());
  // The diagram of the whole state, planted in place of the hidden one, would be noticed.
  CHECK(hidden.texts() != open.texts());
  for (const DiagramNode& node : hidden.diagram.nodes)
    for (const std::string& line : lines_of(hidden.diagram, node)) CHECK(hidden.texts().contains(line));
  CHECK_FALSE(holds(hidden, "y = 43"));
}

TEST_CASE("a tree of 100,000 nodes is drawn for the part in sight alone") {
  Drawn drawn(TreeDiagram::at(Cursor(complete_tree((1u << 17) - 1))), 400, 380);
  CHECK(drawn.picture.is_strip(16));
  CHECK(drawn.list.items.size() < 2000);
  const std::size_t cells = static_cast<std::size_t>(drawn.picture.area_width());
  for (const DisplayItem& item : drawn.list.items) CHECK(item.cells.size() <= cells);
  // Zoomed in until the leaves are nodes, only those in sight are in the list.
  TreeRoom room;
  room.width = 400, room.height = 380;
  drawn.picture.fit(drawn.diagram, room, drawn.picture.largest_zoom());
  drawn.picture.scroll_to(drawn.picture.page_width() / 3);
  CHECK_FALSE(drawn.picture.is_strip(16));
  drawn.list = drawn.picture.draw({});
  CHECK(drawn.ids().size() < 200);
  const DisplayList top = drawn.picture.draw({}, 0, 60);
  CHECK(top.items.size() < drawn.list.items.size());
}

TEST_CASE("below a strip all levels are strips of one height, also those with few nodes") {
  // A complete tree of 11 levels, whose last leaf begins a chain of ten levels with two nodes each.
  constexpr std::uint32_t complete = (1u << 11) - 1, all = complete + 20;
  TraceBuilder builder = nodes_by_hand();
  std::vector<std::uint32_t> parents(all), dims(all, no_id);
  for (std::uint32_t i = 0; i < all; ++i) {
    parents[i] = i == 0             ? no_id
                 : i < complete     ? (i - 1) / 2
                 : i < complete + 2 ? complete - 1
                                    : i - 2 - (i - complete) % 2;
    if (i > 0) dims[parents[i]] = 0;
  }
  builder.begin_step({});
  builder.write(partition_arrays::parent, TypedArray::of(parents));
  builder.write(partition_arrays::split_dim, TypedArray::of(dims));
  builder.write(partition_arrays::split_value, TypedArray::of(std::vector<double>(all, 1)));
  const Drawn drawn(TreeDiagram::at(Cursor(builder.finish())), 400, 600);
  const auto& rows = drawn.picture.rows();
  REQUIRE(rows.size() == 21);
  int first = 0;
  while (!drawn.picture.is_strip(first)) ++first;
  CHECK((first > 3 && first < 11));
  for (int level = first; level < 21; ++level) {
    CHECK(drawn.picture.is_strip(level));
    CHECK(rows[static_cast<std::size_t>(level)].height == rows[static_cast<std::size_t>(first)].height);
  }
  // Two nodes take little of the width.
  for (const DisplayItem& item : drawn.list.items)
    if (item.shape == DisplayItem::Shape::cells && item.spoken.starts_with("level 20")) {
      const auto inked = std::ranges::count_if(item.cells, [](const DisplayInk& cell) { return bool(cell); });
      CHECK((inked > 0 && inked * 20 < static_cast<std::ptrdiff_t>(item.cells.size())));
    }
}

TEST_CASE("all nodes of a small tree have room for their numbers, also where it is lopsided") {
  const std::vector<std::uint32_t> parents{no_id, 0, 0, 1, 1, 3, 3, 2, 2, 5, 5, 6, 6};
  std::vector<std::uint32_t> dims(parents.size(), no_id);
  for (const std::uint32_t node : {0, 1, 2, 3, 5, 6}) dims[node] = 0;
  TraceBuilder builder = nodes_by_hand();
  builder.begin_step({});
  builder.write(partition_arrays::parent, TypedArray::of(parents));
  builder.write(partition_arrays::split_dim, TypedArray::of(dims));
  builder.write(partition_arrays::split_value, TypedArray::of(std::vector<double>(parents.size(), 1)));
  const Drawn drawn(TreeDiagram::at(Cursor(builder.finish())), 220, 300);
  for (const auto& row : drawn.picture.rows()) CHECK(row.detail != TreePicture::Detail::dot);
}

TEST_CASE("dots leave gaps between them, and the outline of a pivot leaves the colour of its dot") {
  const Drawn drawn(TreeDiagram::at(Cursor(complete_tree(255))), 600, 700);
  std::map<double, std::vector<const DisplayItem*>> levels;
  for (const DisplayItem& item : drawn.list.items)
    if (item.id &&
        drawn.picture.rows()[static_cast<std::size_t>(level_of(NodeId{*item.id}))].detail == TreePicture::Detail::dot)
      levels[level_of(NodeId{*item.id})].push_back(&item);
  REQUIRE(levels.size() >= 2);
  for (const auto& [level, dots] : levels)
    for (std::size_t i = 1; i < dots.size(); ++i) {
      CAPTURE(level, i);
      const double size = dots[i]->bounds()[2] - dots[i]->bounds()[0];
      CHECK(dots[i]->bounds()[0] > dots[i - 1]->bounds()[2] + 0.08 * size);
    }
}
