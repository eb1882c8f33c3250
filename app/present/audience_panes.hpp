#pragma once
// The panes that a presentation can show, and how they share the screen. The names are those of lesson_panes().

#include <QRect>
#include <QString>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "app/workbench/workbench.hpp"

class QWidget;

namespace kdscope {

/// What a pane does with its room: a picture fills any rectangle, a table is as wide as the screen and as high as its
/// rows, and a text is a column that is comfortable to read.
enum class PaneForm { picture, table, text };

struct AudiencePane {
  std::string name;  ///< as in lesson_panes()
  QString title;
  PaneForm form;
};

/// All of them, in the order of lesson_panes(): the n-th has the key n.
const std::vector<AudiencePane>& audience_panes();
const AudiencePane& audience_pane(const std::string& name);

/// Makes a pane that follows the workbench's playback. Precondition: `name` is one of lesson_panes(), other than
/// "view".
QWidget* make_audience_pane(const std::string& name, Workbench& workbench, QWidget* parent);

/// The panes of a stop; the usual ones where it names none.
std::vector<std::string> panes_of(const Stop* stop);

/// What the layout needs to know of one pane.
struct PaneRoom {
  PaneForm form = PaneForm::picture;
  int wanted = 0;  ///< height of a table's rows, width of a text's lines; 0 for pictures
  int least = 0;   ///< height of the rows that a table has to show, width of the tables in a text
  std::function<int(int width)> height_for = {};  ///< of a text that needs no more; without it, the text fills its room
};

/// Returns a rectangle for each pane within `room`, the first one the largest of its form. Pictures stand side by side,
/// with the third and later ones below the second; texts stand on the right, tables below. Without pictures, a table
/// and texts share the width.
std::vector<QRect> share_out(const QRect& room, const std::vector<PaneRoom>& panes, int gap);

}  // namespace kdscope
