#pragma once
// The states of a run as JSON: tables, trees, pictures, counts, split candidates and coordinates of its steps, computed
// by the models that paint the window. Parts that several states share are stored once.

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "visualizer/figure/partition_picture.hpp"
#include "visualizer/model/array_table.hpp"
#include "visualizer/model/overlay.hpp"
#include "visualizer/model/parallel_coordinates.hpp"
#include "visualizer/model/split_candidates.hpp"
#include "visualizer/model/tree_diagram.hpp"
#include "visualizer/web/baked_lists.hpp"

namespace kdscope {

/// Bakes steps one after another. Cost per step as for the models: O(nodes + points + cells shown).
class BakedStates : private BakedLists {
 public:
  /// `axes`: the dimensions that tables and pictures show; none: the first ones. `coordinates`: whether states have
  /// parallel coordinates, which are large.
  BakedStates(std::shared_ptr<const Trace> trace, const std::optional<Axes>& axes, bool coordinates);

  /// What a stop adds to its step.
  struct Focus {
    std::span<const Highlight> highlights;  ///< beside those of the step
    std::uint64_t columns = 0;              ///< the first columns, which the table shows in any case
    std::string row;                        ///< the row whose table is open; empty: the table that the step changes
    Concealment concealed;                  ///< what is left out, as in the window
    Overlay marks = {};                     ///< that the lesson draws into the picture
  };
  /// Returns those of the members tables, open, counts, tree, picture, candidates and coordinates that a step has, and
  /// covered: the panes whose contents are hidden, "checks" and "steps" if their statements and titles are.
  JsonObject bake(std::uint32_t step, const Focus& focus);
  /// Returns the state that bake() baked last, and the one before it; null at the first step, and where it would show
  /// what is hidden.
  const Cursor& now() const { return now_; }
  const Cursor* baseline() const { return has_before_ ? &before_ : nullptr; }
  /// Adds the parts that the steps share as members.
  void add_parts(JsonObject& page) const;
  using BakedLists::colours;

  /// With more columns than this, a table shows the first ones, those around the place of the work, and the last ones.
  static constexpr std::uint64_t most_columns = 64;
  /// A level of the final tree with more nodes is drawn as a strip of at most so many cells.
  static constexpr std::uint32_t most_nodes_on_a_level = 64, most_strip_cells = 96;
  static constexpr std::uint64_t most_points = 4000;
  static constexpr std::uint64_t most_triangles = 4000;
  static constexpr std::uint64_t most_counts = 512;  ///< cells of a histogram
  static constexpr std::size_t most_candidate_nodes = 8;
  static constexpr std::size_t most_lines = 150;  ///< points in parallel coordinates
  static constexpr int corners_of_circle = 60;    ///< in space

 private:
  std::size_t bake_table(const ArrayTable& table, Space space, std::uint64_t first_columns);
  std::string bake_row(const ArrayTable& table, std::size_t row, std::span<const IndexRange> columns);
  std::string bake_counts();
  std::string bake_candidates();
  std::string bake_candidates_of(const NodeCandidates& node);
  std::string bake_coordinates();
  std::string bake_tree(const Focus& focus);
  std::string bake_picture(const Focus& focus);
  std::string bake_flat(const PartitionPicture& picture, const Focus& focus);
  std::string bake_solid(const PartitionPicture& picture, const Focus& focus);
  std::string bake_overlay(const PartitionPicture& picture);
  std::string frame_of(const PartitionPicture& picture) const;

  Axes axes_;
  Cursor now_, before_;
  bool has_before_ = false;
  bool strips_hidden_ = false;
  std::optional<TreeDiagram> diagram_;
  std::optional<ParallelCoordinates> coordinates_;
  Pool facts_, rows_, tables_, nodes_, trees_, mesh_lists_, count_arrays_, pictures_, candidates_, coordinate_states_;
};

/// Returns what a page says about a cell in addition to its text: "changed from 5, pivot".
std::string cell_words(const TableCell& cell, bool is_index);
/// Returns the columns that a page shows of a table: all, or ranges with gaps. Ascending and disjoint.
std::vector<IndexRange> shown_columns(const ArrayTable& table, std::uint64_t first_columns);
/// Returns the planes that a picture in space shows: those of the first two levels, and the new ones unless they are so
/// many that they hide each other.
std::vector<PartitionPlane> planes_in_space(const PartitionPicture& picture);

}  // namespace kdscope
