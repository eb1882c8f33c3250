#pragma once
// The tree of a step as a display list: one row per level, whose nodes show as much as they have room for. Levels
// without room for their nodes fold into strips. The same for every painter.

#include <algorithm>
#include <array>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "visualizer/figure/display_list.hpp"
#include "visualizer/figure/growth.hpp"
#include "visualizer/model/search_overlay.hpp"
#include "visualizer/model/tree_diagram.hpp"

namespace kdscope {

/// The room that a picture of a tree has, in pixels.
struct TreeRoom {
  double width = 420, height = 260;
  double scale = 1;       ///< of texts, lines and marks
  bool in_sight = false;  ///< nobody scrolls: rows become lower, then the lowest levels become strips
  bool grows = false;     ///< `height` does not count: every row is as high as its nodes need
  std::uint32_t most_nodes = no_id,
                most_cells = no_id;  ///< a level with more nodes is a strip of at most so many cells
  /// The width of a text in the small font, which is 0.85 of text() high. None: an estimate.
  std::function<double(std::string_view)> width_of = {};
  double text() const { return 15 * scale; }
};

/// What stands out in a tree. Vectors of nodes are ascending.
struct TreeMarks {
  std::vector<bool> changed;      ///< by node; may be shorter
  std::vector<NodeId> differing;  ///< from the previous run
  std::vector<NodeId> selected;
  std::vector<IndexRange> violating;         ///< nodes, ascending
  std::vector<SearchState> searched;         ///< by node; empty without a search
  std::vector<SearchState> searched_before;  ///< what nodes pass from while the marks of the search enter
  Growth growth;  ///< children are at a share of the way down from nodes that the step splits

  bool is_changed(NodeId node) const { return node.value < changed.size() && changed[node.value]; }
  bool is_violating(NodeId node) const;
};

/// Places the nodes of a diagram and draws them. Places are in pixels: x in the room, of which the page may be many
/// times as wide, and y on the page, whose top is 0.
class TreePicture {
 public:
  /// How a level is drawn, by the room it has.
  enum class Detail { strip, dot, index, one_line, two_lines };
  /// Where the nodes of a level name the point that is stored at them.
  enum class Naming { none, inside, below };
  struct Row {
    Detail detail = Detail::two_lines;
    Naming naming = Naming::none;
    bool tight = false;  ///< nodes are narrow: their numbers just fit
    double dot = 0;      ///< the size of a dot, which leaves a gap to the next one
    double top = 0, height = 0;
    std::size_t first = 0, end = 0;  ///< in the visible nodes
    double centre() const { return top + height / 2; }
  };

  /// Finds the margins, and the zoom nearest to the wanted one that the page can have. The diagram must live on.
  void fit(const TreeDiagram& diagram, TreeRoom room, double zoom);
  /// Places the nodes that are in sight at a position of the horizontal scroll bar. Work O(levels * log nodes + nodes
  /// in sight).
  void scroll_to(double scrolled);
  /// Draws the rows between two heights. A node's item has its number as id. Work O(nodes in sight); for each strip
  /// also O(nodes of its level) once after fit(), scroll_to() or forget_strips().
  DisplayList draw(const TreeMarks& marks, double from, double height) const;
  DisplayList draw(const TreeMarks& marks) const { return draw(marks, 0, page_height()); }
  /// Other nodes are changed.
  void forget_strips() { strips_.clear(); }

  double zoom() const { return zoom_; }
  double largest_zoom() const;
  double area_left() const { return area_left_; }  ///< of the nodes, between the margins
  double area_width() const { return area_width_; }
  double page_width() const { return area_width_ * zoom_; }
  double page_height() const {
    return std::max(room_.height, rows_.empty() ? 0 : rows_.back().top + rows_.back().height);
  }
  double x_of(double x) const { return area_left_ + x * page_width() - scrolled_; }
  double x_at(double place) const { return (place - area_left_ + scrolled_) / page_width(); }  ///< inverse of x_of()
  const std::vector<Row>& rows() const { return rows_; }  ///< by level of the finished tree
  bool is_strip(int level) const;
  int level_at(double y) const;  ///< -1: none
  /// The centre of a node's place.
  std::array<double, 2> centre_of(int level, double x) const;
  /// The width of a node whose number has so many digits.
  double node_width(double digits, bool tight = false) const;
  /// The nodes in sight, and those beside them whose edges are: level by level, from left to right.
  const std::vector<DiagramNode>& visible() const { return visible_; }

 private:
  friend class TreeDrawing;
  struct Needs {
    double gap = 1;   ///< between neighbours, of the page's width
    double wide = 0;  ///< the widest line below a node
    double name = 0;  ///< the widest name of a point
    double digits = 1;
  };
  Needs needs_of(std::uint32_t from, std::uint32_t to, std::span<const DiagramNode> made) const;
  double width_of(std::string_view text) const;
  double spare_size() const;
  void fold_rows(double room, double row, double strip);
  void place_rows();
  void grow_rows();

  const TreeDiagram* diagram_ = nullptr;
  TreeRoom room_;
  double enlarged_ = 1;  // by which scale() of the room is larger than was wanted
  double zoom_ = 1, scrolled_ = 0, area_left_ = 0, area_width_ = 1;
  std::vector<Row> rows_;
  std::vector<DiagramNode> visible_;  // on levels that are not strips, and one more on each side
  struct Strip {
    std::vector<DisplayInk> made, pivots, changed;
  };
  mutable std::vector<std::optional<Strip>> strips_;  // by level, once drawn
};

}  // namespace kdscope
