#pragma once
// The partition of two dimensions as a vector figure of lines, shapes and texts: cells, split planes, points,
// axes, and what a search has reached.

#include <QPainter>
#include <string>

#include "app/select/selection.hpp"
#include "visualizer/figure/partition_drawing.hpp"
#include "visualizer/style/theme.hpp"

namespace kdscope {

/// The partition at one step, ready to be painted; copies what it needs.
class PartitionFigure {
 public:
  /// Draws the dimensions along x and y; note() reports what is left out. `selected` is marked.
  /// `added`: highlights beside those of the step. `concealed`: what is left out, as in the view.
  PartitionFigure(const Cursor& cursor, const SelectionMarks& selected, const PartitionPictureOptions& options = {},
                  std::span<const Highlight> added = {}, const Concealment& concealed = {});
  /// Paints the figure as large as fits into a rectangle of the painter's device; without equal scales, it fills the
  /// rectangle. `text` is the size of small text in the device's units.
  void paint(QPainter& painter, const QRectF& area, const Theme& theme, double text) const;
  /// Sentences on what the figure leaves out; empty if nothing.
  const std::string& note() const { return picture_.note; }

 private:
  PartitionPicture picture_;
  PartitionMesh mesh_;  // in a plane
  PartitionRoom room_;  // what it shows, of no size yet
};

}  // namespace kdscope
