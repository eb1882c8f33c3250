#include "visualizer/figure/legend.hpp"

#include <algorithm>
#include <memory>

#include "visualizer/figure/partition_picture.hpp"
#include "visualizer/model/highlights.hpp"

namespace kdscope {
namespace {

using Added = std::span<const Highlight>;

/// Whether a step of the run, or a stop of its lesson, marks elements by the line of a role.
template <Role role>
bool has_line(const Trace& trace, Added added) {
  const auto marks = [](const Highlight& h) { return h.role == role && is_drawn_as_line(h); };
  return std::ranges::any_of(added, marks) || std::ranges::any_of(trace.steps, [&](const Step& step) {
           return std::ranges::any_of(step.highlights, marks);
         });
}

template <const char* const* name>
bool has_array(const Trace& trace, Added) {
  return trace.find(*name);
}

/// Whether the finished tree of a small plane has cells without a point.
bool has_empty_cells(const Trace& trace, Added) {
  constexpr std::uint64_t most_points = 5000;
  if (trace.header.dim > 2 || trace.header.n > most_points || trace.steps.empty()) return false;
  Cursor last(std::shared_ptr<const Trace>(std::shared_ptr<const Trace>(), &trace));
  last.seek(static_cast<std::uint32_t>(trace.steps.size()) - 1);
  const Partition partition = Partition::at(last, {});
  return std::ranges::any_of(
      partition.nodes(), [](const PartitionNode& node) { return node.alive && (node.empty || lacks_one_child(node)); });
}

constexpr LegendText texts[]{
    {"query",
     "A small ring: the place that the search asks about. The circle around it is the reach: the search has no need of "
     "what lies outside.",
     has_array<&search_arrays::state>},
    {"found", "A ring at the end of a line from the query: a point of the answer so far.",
     has_array<&search_arrays::state>},
    {"waiting",
     "A dashed outline: the search has put the node aside, and comes back to it unless it is out of reach by then.",
     has_array<&search_arrays::state>},
    {"skipped", "Faded: the search has pruned the subtree, which is out of reach.", has_array<&search_arrays::state>},
    {"subtree",
     "Colour and shape stand for a subtree; a point, its cells in the arrays and its node in the tree share them."},
    {"pivot", "A strong outline: the pivot of a segment, chosen by this step."},
    {"changed",
     "Bold and underlined: the value differs from the one before this step. An underlined name: nearly every value of "
     "the row does."},
    {"settled", "Pale: it has found its place and does not move again."},
    {"segment", "A vertical line between columns: the next segment begins here."},
    {"selection", "A thick frame or ring: what is selected, in every pane at once."},
    {"split plane",
     "The lines of the newest level are the strongest; those made by this very step have the colour of change."},
    {"bucket", "A node with square corners is a leaf: the points that it keeps stand below it.",
     has_array<&partition_arrays::leaf>},
    {"smallest box", "A thin outline: the smallest box that holds the points of a cell.",
     has_array<&partition_arrays::tight_box>},
    {"empty", "A hatched cell: a child that holds no point and never will.", has_empty_cells},
    {drawn_by_lesson, "A line, a ring or an arrow that this stop of the lesson adds; its text says why.", nullptr,
     false},
    {"differs",
     "A hatched cell, a ringed point or a node with \u2260 differs from the run before the edit; a dashed line is a "
     "plane of that run.",
     nullptr, false},
    {"read", "A dashed line above the position, the point or the node: this step reads it.", has_line<Role::read>},
    {"written", "A line above the position, the point or the node: this step writes it.", has_line<Role::write>},
    {"compared",
     "A double line above the position, the point or the node, or a ring around a small point: look at these together.",
     has_line<Role::compare>},
    {"= point 3",
     "A number after p is a point, numbered as in the input. A node of the tree names the point stored at it."},
    {"= triangle 3", "A number after t is a triangle, numbered as in the input.",
     [](const Trace& trace, std::span<const Highlight>) { return sorts_triangles(trace); }},
    {"= node 7",
     "A number in a circle is a node of the tree; rows of the arrays that speak of nodes have it without one."},
    {"lane writes", "A cell of a lane's row inside a block: the lane writes there. What it reads has no colour.",
     nullptr, false},
    {"lane adds", "The same: the lane adds to what is there, as an atomic operation.", nullptr, false},
    {"checks",
     "A tick: the statement holds after this step. A cross: it is violated; in the table, the view and the tree, a "
     "cross marks what violates it."},
};

}  // namespace

std::span<const LegendText> legend_texts() { return texts; }

}  // namespace kdscope
