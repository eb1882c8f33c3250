#pragma once
// The states of a run as JSON: tables, trees and pictures of its steps, computed by the models that paint the window.
// Parts that several steps share are stored once.

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "visualizer/figure/partition_picture.hpp"
#include "visualizer/model/array_table.hpp"
#include "visualizer/model/tree_diagram.hpp"
#include "visualizer/web/baked_text.hpp"
#include "visualizer/web/page_colours.hpp"

namespace kdscope {

/// Bakes steps one after another. Cost per step as for the models: O(nodes + points + cells shown).
class BakedStates {
 public:
  /// `axes`: the dimensions that tables and pictures show; none: the first ones.
  BakedStates(std::shared_ptr<const Trace> trace, const std::optional<Axes>& axes);

  /// What a stop adds to its step.
  struct Focus {
    std::span<const Highlight> highlights;  ///< beside those of the step
    std::uint64_t columns = 0;              ///< the first columns, which the table shows in any case
    std::string row;                        ///< the row whose table is open; empty: the table that the step changes
  };
  /// Returns the members tables, open, tree and picture of a step.
  JsonObject bake(std::uint32_t step, const Focus& focus);
  /// Adds the parts that the steps share as members.
  void add_parts(JsonObject& page) const;
  const PageColours& colours() const { return colours_; }

  /// With more columns than this, a table shows the first ones, those around the place of the work, and the last ones.
  static constexpr std::uint64_t most_columns = 64;
  /// A level of the final tree with more nodes is drawn as a strip.
  static constexpr std::uint32_t most_nodes_on_a_level = 64;
  static constexpr std::uint64_t most_points = 4000;
  static constexpr std::uint64_t most_triangles = 4000;
  static constexpr std::uint64_t most_counts = 512;  ///< cells of a histogram

 private:
  std::size_t bake_table(const ArrayTable& table, Space space, std::uint64_t first_columns);
  std::size_t bake_cell(const ArrayTable& table, std::size_t row, std::uint64_t column);
  std::string bake_counts();
  std::string bake_tree(std::span<const Highlight> added);
  std::string bake_node(const DiagramNode& node, bool finished, bool changed, int searched);
  std::string bake_picture(std::span<const Highlight> added);
  std::string bake_mesh(const PartitionPicture& picture);
  std::string bake_overlay(const PartitionPicture& picture) const;
  std::string frame_of(const PartitionPicture& picture);

  Axes axes_;
  Cursor now_, before_;
  bool has_before_ = false;
  PageColours colours_;
  std::optional<TreeDiagram> diagram_;
  Pool cells_, rows_, tables_, nodes_, trees_, marks_, mark_lists_, frames_, clouds_, mesh_lists_, count_arrays_,
      pictures_;
};

/// Returns the columns that a page shows of a table: all, or ranges with gaps. Ascending and disjoint.
std::vector<IndexRange> shown_columns(const ArrayTable& table, std::uint64_t first_columns);

}  // namespace kdscope
