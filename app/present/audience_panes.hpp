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
  int least = 0;                                  ///< width of a picture or a text, height of a table
  double weight = 1;                              ///< of a picture: its share of what the leasts leave
  std::function<int(int width)> height_for = {};  ///< of a text
  bool grows = true;                              ///< whether a text fills what the others leave
  bool on_the_left = false;                       ///< of the pictures, also where another one is the largest
};

/// One part of a length: at least so long, and longer by its weight where there is room.
struct Part {
  double least = 0, weight = 1;
};
/// Shares out a length, with gaps between the parts. Parts whose least is more than their weight gives them have just
/// that. Where the leasts have no room, all are in proportion to them.
std::vector<int> shared(int length, const std::vector<Part>& parts, int gap);

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
