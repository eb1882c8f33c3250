#pragma once
// How a presentation makes its panes, and how they share the screen.

#include <QRect>
#include <functional>
#include <string>
#include <vector>

#include "app/workbench/workbench.hpp"
#include "walkthroughs/reader/panes.hpp"

class QWidget;

namespace kdscope {

/// Makes a pane that follows the workbench's playback. Precondition: `id` is one of lesson_panes(), other than "view".
QWidget* make_audience_pane(const std::string& id, Workbench& workbench, QWidget* parent);

/// What the layout needs to know of one pane.
struct PaneRoom {
  PaneForm form = PaneForm::picture;
  int wanted = 0;                                 ///< height of a table's rows, width of a text's lines; 0 for pictures
  int least = 0;                                  ///< height of the rows that a table has to show; width of a plot
  std::function<int(int width)> height_for = {};  ///< of a text
  bool grows = true;                              ///< whether a text fills what the others leave
  bool on_the_left = false;                       ///< of the pictures, also where another one is the largest
  double aspect = 1;                              ///< of a picture: width in heights
};

/// Returns a rectangle for each pane within `room`, the first one the largest of its form. Pictures stand side by side,
/// with the third and later ones below the second, and one that stays on the left beside the largest; texts stand on
/// the right, tables below. Without pictures, a table and texts share the width. If `tall`, texts stand beside the
/// tables, too.
std::vector<QRect> share_out(const QRect& room, const std::vector<PaneRoom>& panes, int gap, bool tall = false);
/// The part of the room that texts have, and the height that they need at a width.
QRect column_of(const std::vector<PaneRoom>& panes, const std::vector<QRect>& rects);
int height_of_texts(const std::vector<PaneRoom>& panes, int width, int gap);
/// Stacks the texts among panes, whose rectangles are given, in a lower room.
void stack_texts_in(const QRect& room, const std::vector<PaneRoom>& panes, int gap, std::vector<QRect>& rects);

}  // namespace kdscope
