// Tests the split candidates of a node: their costs and their sets, from arrays of any names.
#include "visualizer/model/split_candidates.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "tests/support/catch.hpp"
#include "tests/visualizer/candidates_trace.hpp"
#include "visualizer/figure/cost_plot.hpp"
#include "visualizer/model/heat.hpp"
#include "visualizer/model/question_concealment.hpp"

using namespace kdscope;

namespace {

Cursor at(std::uint32_t step, Space primitive = Space::point) {
  Cursor cursor(candidates_trace(primitive));
  cursor.seek(step);
  return cursor;
}

}  // namespace

TEST_CASE("nothing is told before there are candidates, and what to do is said") {
  const auto early = node_candidates(at(0), std::nullopt);
  REQUIRE_FALSE(early);
  CHECK(early.error().message().find("step 1") != std::string::npos);
  Trace other(*candidates_trace());
  std::erase_if(other.arrays, [](const Trace::Array& array) { return array.info.name == "R"; });
  other.index_arrays();
  CHECK_FALSE(CandidateArrays(other));
  CHECK_FALSE(node_candidates(Cursor(std::make_shared<Trace>(other)), std::nullopt));
}

TEST_CASE("of no node, the first that the step splits is shown: candidates by position with cost, leaf and choice") {
  const auto found = node_candidates(at(2), std::nullopt).value();
  CHECK(found.first_split);
  CHECK(found.node == NodeId{1});
  CHECK(found.root == 1);
  CHECK(found.evaluated);
  CHECK(found.primitives == std::vector<std::uint32_t>{4, 2, 0});
  CHECK(found.set == 0b111);
  REQUIRE(found.tried.size() == 2);
  CHECK(found.tried[0].candidate == 1);
  CHECK(found.tried[0].position == 1);
  CHECK(found.tried[0].cost == 2.5);
  CHECK(found.tried[0].evaluation == 1);
  CHECK(found.tried[1].candidate == 2);
  CHECK((found.tried[1].left == 0b011 && found.tried[1].right == 0b100));
  CHECK(found.chosen == 1u);
  CHECK(found.leaf_cost == 3);
  CHECK(found.left_child == no_id);
}

TEST_CASE(
    "a node that is asked for keeps its candidates in later steps, and its children's sets are those of the masks") {
  const Cursor later = at(4);
  const auto found = node_candidates(later, NodeId{1}).value();
  CHECK_FALSE(found.first_split);
  CHECK(found.step == 2);
  REQUIRE(found.chosen == 1u);
  CHECK_FALSE(found.tried[1].evaluation);  // the step's own evaluations are different ones
  CHECK(found.leaf_cost == 3);
  CHECK((found.left_child == 3 && found.right_child == 4));
  CHECK((found.left_set == (found.set & found.tried[1].left) && found.right_set == (found.set & found.tried[1].right)));
  // Below the small root, masks still refer to its primitives.
  const auto below = node_candidates(later, NodeId{3}).value();
  CHECK(below.root == 1);
  CHECK(below.set == 0b011);
  CHECK_FALSE(below.chosen);
  CHECK(below.leaf_cost == 2);
  // Neither a leaf of one point nor a large node was evaluated.
  const auto single = node_candidates(later, NodeId{4}).value();
  CHECK(single.tried.empty());
  CHECK_FALSE(node_candidates(later, NodeId{0}));
  CHECK(node_candidates(later, std::nullopt)->node == NodeId{3});  // no node is split, so the first node is taken
}

TEST_CASE("while costs are hidden, candidates are drawn at their places, and nothing tells a cost or the choice") {
  const auto hiding = [](const char* row) {
    Concealment concealed;
    concealed.rows = {row};
    return concealed;
  };
  const NodeCandidates places = drawn_candidates(at(2), hiding("price"), std::nullopt).value();
  CHECK(places.node == NodeId{1});  // the first that is evaluated
  REQUIRE(places.tried.size() == 2);
  CHECK_FALSE(places.chosen);
  CHECK_FALSE(places.leaf_cost);
  const DisplayList list = cost_drawing(places, 1, {.width = 260, .height = 360});
  REQUIRE(list.circle(0));
  REQUIRE(list.circle(1));
  CHECK(list.circle(0)->at[0] < list.circle(1)->at[0]);
  CHECK(list.circle(0)->at[1] == list.circle(1)->at[1]);
  std::string words;
  for (const DisplayItem& item : list.items) words += item.text + ' ';
  CHECK(words.find("cost at node 1") != std::string::npos);
  CHECK(words.find('?') != std::string::npos);
  CHECK(words.find("chosen") == std::string::npos);
  CHECK(words.find("leaf") == std::string::npos);
  // Hidden sets leave the costs; hidden places leave nothing, and neither does a step before the evaluation
  CHECK(drawn_candidates(at(2), hiding("s"), std::nullopt)->chosen == 1u);
  CHECK_FALSE(drawn_candidates(at(2), hiding("at"), std::nullopt));
  CHECK_FALSE(drawn_candidates(at(1), hiding("price"), std::nullopt));
}

TEST_CASE("the plot of costs joins the lowest at each position, and the leaf's cost stands beside the curve") {
  NodeCandidates node;
  for (const auto& [position, cost] : {std::pair{1.0, 3.3}, {3.0, 3.7}, {3.0, 3.0}}) {
    TriedCandidate& tried = node.tried.emplace_back();
    tried.position = position, tried.cost = cost;
  }
  node.leaf_cost = 3;
  const DisplayList list = cost_drawing(node, 2, {.width = 260, .height = 360});
  const auto curve = std::ranges::find_if(list.items, [](const DisplayItem& item) {
    return item.shape == DisplayItem::Shape::line && item.at.size() == 4 && item.at[1] != item.at[3] &&
           item.at[0] != item.at[2];
  });
  REQUIRE(curve != list.items.end());
  CHECK(curve->at[3] > curve->at[1]);  // down to the lower of the two costs at 3
  const auto leaf = std::ranges::find(list.items, "leaf 3", &DisplayItem::text);
  REQUIRE(leaf != list.items.end());
  const DisplayItem* minimum = list.circle(2);
  REQUIRE(minimum);
  CHECK((std::abs(leaf->at[0] - minimum->at[0]) > text_width("leaf 3", 17.5, true) / 2 ||
         std::abs(leaf->at[1] - minimum->at[1]) > 17.5 / 2 + 3));
}

TEST_CASE("candidates that are not evaluated yet have sets and no cost") {
  const auto found = node_candidates(at(1), NodeId{2}).value();
  CHECK_FALSE(found.evaluated);
  REQUIRE(found.tried.size() == 2);
  CHECK(std::isnan(found.tried[0].cost));
  CHECK(found.tried[1].left == 0b01);
  CHECK_FALSE(found.leaf_cost);
}

TEST_CASE("masks tell a node's primitives and a primitive's nodes; a candidate belongs to the node that tried it") {
  const Cursor later = at(4);
  CHECK(primitives_by_mask(later, NodeId{3}) == std::vector<std::uint32_t>{2, 4});
  CHECK(primitives_by_mask(later, NodeId{0}).empty());
  CHECK(nodes_with_primitive(later, 2) == std::vector<std::uint32_t>{3});
  CHECK(nodes_with_primitive(later, 3) == std::vector<std::uint32_t>{2});
  CHECK(nodes_with_primitive(later, 17).empty());
  CHECK(node_of_candidate(later, 1) == NodeId{3});
  CHECK(node_of_candidate(later, 4) == NodeId{2});
  CHECK_FALSE(node_of_candidate(later, 99));
  CHECK(node_candidates(at(2, Space::triangle), std::nullopt)->primitive_space == Space::triangle);
}

TEST_CASE("colours by leaf size count points, or what the run counts; by depth, levels") {
  for (const Colouring colouring : all_colourings) CHECK(colouring_named(name_of(colouring)) == colouring);
  CHECK_FALSE(colouring_named("size"));
  const Cursor later = at(4);
  const Partition partition = Partition::at(later);
  CHECK_FALSE(heat_of(later, partition, Colouring::subtree));
  const NodeHeat sizes = heat_of(later, partition, Colouring::leaf_size);
  REQUIRE(sizes);
  CHECK(sizes.of_cell == std::vector<double>{2, 2, 2, 2, 1});  // for split nodes, the largest size below
  CHECK((std::isnan(sizes.of_node[1]) && sizes.of_node[3] == 2));
  CHECK((sizes.low == 1 && sizes.high == 2));
  CHECK((sizes.share(3) == 1 && sizes.share(4) == 0));
  const NodeHeat depth = heat_of(later, partition, Colouring::depth);
  CHECK(depth.of_node == std::vector<double>{0, 1, 1, 2, 2});
  CHECK(depth.of_cell == std::vector<double>{2, 2, 1, 2, 2});
  CHECK((depth.low == 1 && depth.high == 2));

  Trace counted(*candidates_trace());
  counted.arrays.push_back({{partition_arrays::count, "", ElementType::uint32, Space::node, Space::count},
                            {{4, true, 5, {}, TypedArray::of(std::vector<std::uint32_t>{7, 6, 5, 4, 3})}}});
  counted.index_arrays();
  Cursor cursor(std::make_shared<Trace>(counted));
  cursor.seek(4);
  CHECK(heat_of(cursor, Partition::at(cursor), Colouring::leaf_size).of_cell == std::vector<double>{5, 4, 5, 4, 3});

  Trace bare(counted);
  std::erase_if(bare.arrays, [](const Trace::Array& array) {
    return array.info.name == partition_arrays::count || array.info.name == partition_arrays::leaf;
  });
  bare.index_arrays();
  CHECK_FALSE(can_colour(bare, Colouring::leaf_size));
  CHECK(can_colour(bare, Colouring::depth));
}

TEST_CASE("a triangle has the colour of the leaf around its middle") {
  const Cursor later = at(4);
  const Partition partition = Partition::at(later);
  // The triangles have corners at 0, 1, 2 and at 2, 10, 11.
  CHECK(nodes_of_triangles(partition, *later.array(points_array), 1, {4, 2, 0, 0, 1, 3}) ==
        std::vector<std::uint32_t>{3, 2});
  CHECK(nodes_of_triangles(Partition(), *later.array(points_array), 1, {0, 1, 2}) == std::vector<std::uint32_t>{no_id});
}

TEST_CASE("where a candidate stands is told in few digits, or in those that tell it from its neighbours") {
  const double face = 3.58159f, above = std::nextafter(3.58159f, 4.0f), next = std::nextafter(10.0f, 11.0f);
  NodeCandidates node;
  for (const auto& [dim, position] :
       {std::pair{0u, -1.23456789}, {0u, 2.0}, {0u, face}, {0u, above}, {0u, above}, {1u, 10.0}, {1u, next}}) {
    TriedCandidate c;
    c.dim = dim;
    c.position = position;
    node.tried.push_back(c);
  }
  CHECK(node.position_text(0) == "-1.235");
  CHECK(node.position_text(1) == "2");
  CHECK(node.position_text(2) != node.position_text(3));
  CHECK(node.position_text(3) == node.position_text(4));
  CHECK(node.position_text(5) == "10");
  CHECK(node.position_text(6) == "10.000001");
}

TEST_CASE("a narrow plot of costs shows the dimension of the cheapest candidate, unless another is chosen or picked") {
  NodeCandidates node;
  node.evaluated = true;
  node.tried = {{0, 0, 9, 2.75, 0, 0, {}}, {1, 1, 2, 2, 0, 0, {}}, {2, 1, 3, 2, 0, 0, {}}, {3, 2, 1, 4, 0, 0, {}}};
  const auto named = [&](std::optional<std::size_t> picked) {
    std::string names;
    for (const DisplayItem& item : cost_drawing(node, 3, {.width = 200, .picked = picked}).items)
      if (item.text == "x" || item.text == "y" || item.text == "z") names += item.text;
    return names;
  };
  CHECK(named({}) == "y");
  CHECK(named(3) == "z");
  node.chosen = 0;
  CHECK(named({}) == "x");
}

TEST_CASE("labels of costs keep off the curve where there is room beside it") {
  // A slope; a mountain beside whose foot the chosen candidate stands, close to the cost of the leaf; and a low cliff,
  // beside which only the number has room
  NodeCandidates slope, mountain, cliff;
  for (int i = 0; i < 9; ++i) {
    const auto candidate = static_cast<std::uint32_t>(i);
    slope.tried.push_back({.candidate = candidate, .position = double(i), .cost = 4.0 + 0.6 * i});
    mountain.tried.push_back({.candidate = candidate, .position = double(i), .cost = 3.97 + 0.15 * std::min(i, 8 - i)});
    cliff.tried.push_back(
        {.candidate = candidate, .position = double(i), .cost = i < 6 ? 8 - 0.2 * i : 8 - 0.42 * (i - 1.5)});
  }
  mountain.tried[4].cost = 5.2;
  slope.chosen = 1, slope.leaf_cost = 9.5;
  mountain.chosen = 0, mountain.leaf_cost = 4;
  cliff.chosen = 8, cliff.leaf_cost = 8;
  for (const auto& [node, width, height] : {std::tuple{slope, 420.0, 200.0},
                                            {slope, 420.0, 260.0},
                                            {slope, 420.0, 400.0},
                                            {mountain, 420.0, 260.0},
                                            {cliff, 190.0, 130.0}}) {
    const DisplayList list = cost_drawing(node, 2, {.width = width, .height = height});
    const auto curve = std::ranges::find_if(list.items, [](const DisplayItem& item) {
      return item.shape == DisplayItem::Shape::line && item.at.size() == 18;
    });
    REQUIRE(curve != list.items.end());
    int labels = 0;
    for (const DisplayItem& item : list.items) {
      if (item.shape != DisplayItem::Shape::text || !item.ground) continue;
      ++labels;
      const double half = text_width(item.text, 17.5, true) / 2;
      for (std::size_t i = 0; i + 3 < curve->at.size(); i += 2)
        for (double share = 0; share <= 1; share += 0.05) {
          const double x = std::lerp(curve->at[i], curve->at[i + 2], share),
                       y = std::lerp(curve->at[i + 1], curve->at[i + 3], share);
          CAPTURE(height, item.text, x, y, item.at[0], item.at[1]);
          CHECK_FALSE((std::abs(x - item.at[0]) < half && std::abs(y - item.at[1]) < 17.5 / 2 - 1));
        }
    }
    CHECK(labels == 2);
  }
}
