#pragma once
// The panes of the program, one row each. Docks and their menu, lessons, presentations, handouts and pages read this
// table; a pane's id and title are written nowhere else.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kdscope {

struct Stop;

/// What a pane does with its room in a presentation: a picture fills any rectangle, a table is as wide as the screen
/// and as high as its rows, and a text is a column that is comfortable to read.
enum class PaneForm : std::uint8_t { picture, table, text };

/// What pages and handouts draw of a pane; none: nothing, because it has no picture or stands in their text.
enum class PaneFigure : std::uint8_t { none, space, tree, table, code, counts, costs, coordinates, lanes };

/// What panes are for: the View menu lists them by this.
enum class PaneGroup : std::uint8_t { look, learn, search, apply, measure, debug };

struct Pane {
  const char* id;           ///< in lessons, layouts and pages; never changed
  const char* title;        ///< of its dock, its menu entry, its key and its part of a page
  const char* shows;        ///< one sentence
  PaneGroup group;
  bool in_lessons = false;  ///< a stop can name it, and a presentation shows it
  PaneForm form = PaneForm::picture;
  PaneFigure figure = PaneFigure::none;
};

/// All of them: those that a stop can name, then those of the window alone.
std::span<const Pane> all_panes();
/// The row of a pane. Throws std::out_of_range, with a sentence that names the table, for an id that it does not have.
const Pane& pane_named(std::string_view id);

/// The ids of the panes that a stop can name. The n-th has the key n in presentations and pages; Inside, the tenth, has
/// the key I.
const std::vector<std::string>& lesson_panes();
/// The panes of a stop, the most important first; the usual ones if it names none, or if there is no stop.
const std::vector<std::string>& panes_of(const Stop* stop);

}  // namespace kdscope
