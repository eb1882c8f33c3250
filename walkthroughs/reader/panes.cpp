#include "walkthroughs/reader/panes.hpp"

#include <algorithm>
#include <stdexcept>

#include "walkthroughs/reader/lesson.hpp"

namespace kdscope {
namespace {

constexpr bool by_stops = true;
constexpr Pane pane_rows[] = {
    {"view", "View", "The points or triangles in space, with the cells and split planes of the tree", PaneGroup::look,
     by_stops, PaneForm::picture, PaneFigure::space},
    {"tree", "Tree", "The tree so far", PaneGroup::look, by_stops, PaneForm::picture, PaneFigure::tree},
    {"arrays", "Arrays", "The arrays of the run, one table per index space", PaneGroup::look, by_stops, PaneForm::table,
     PaneFigure::table},
    {"narration", "Narration", "What the step does, and the questions of the lesson", PaneGroup::learn, by_stops,
     PaneForm::text},
    {"source", "Source", "The pseudo-code with its values, and the source of the step", PaneGroup::learn, by_stops,
     PaneForm::picture, PaneFigure::code},
    {"histogram", "Histogram", "Arrays of counts, one cell per count", PaneGroup::look, by_stops, PaneForm::picture,
     PaneFigure::counts},
    {"candidates", "Split candidates", "The cost of every split candidate of a node", PaneGroup::look, by_stops,
     PaneForm::picture, PaneFigure::costs},
    {"coordinates", "Parallel coordinates", "One line per point, one axis per dimension", PaneGroup::look, by_stops,
     PaneForm::picture, PaneFigure::coordinates},
    {"search", "Search", "A query, and the steps of the search that answers it", PaneGroup::search, by_stops,
     PaneForm::text},
    {"inside", "Inside", "What every lane of a step's kernels reads and writes", PaneGroup::debug, by_stops,
     PaneForm::picture, PaneFigure::lanes},
    {"run", "Run", "The data, the algorithm and the parameters of the next run", PaneGroup::search},
    {"checks", "Checks", "The invariants of the step, and whether they hold", PaneGroup::debug},
    {"timeline", "Timeline", "The steps of the run by level and phase", PaneGroup::look},
    {"timing", "Timing", "The time of every step of the build at full speed", PaneGroup::measure},
    {"experiments", "Experiments", "The measurements of the sources, repeated here", PaneGroup::measure},
    {"bookmarks", "Bookmarks", "The steps that you marked", PaneGroup::learn},
    {"points", "Points", "The coordinates of the points, to be edited", PaneGroup::search},
    {"what_if", "What would change", "The differences that the edited points would make", PaneGroup::search},
    {"kernel", "Be the kernel", "A step of the run, performed by you", PaneGroup::learn},
    {"picture", "Picture", "A picture of the scene, traced through the tree", PaneGroup::apply},
    {"tracking", "Tracking", "An object that is followed through scans", PaneGroup::apply},
    {"cloud", "Point cloud", "Normals, features and handles of a point cloud", PaneGroup::apply},
    {"biography", "Biography", "What happens to one element in the course of the run", PaneGroup::look},
    {"legend", "Legend", "What colours, shapes and marks stand for", PaneGroup::look},
    {"roofline", "Roofline", "The steps of the build against the limits of the device", PaneGroup::measure},
    {"variants", "Variants", "Your own version of a stage, tried and compared", PaneGroup::debug},
    {"watches", "Watches", "Expressions that are evaluated at every step", PaneGroup::debug},
    {"lesson_editor", "Lesson editor", "The lesson that you write", PaneGroup::learn},
};

}  // namespace

std::span<const Pane> all_panes() { return pane_rows; }

const Pane& pane_named(std::string_view id) {
  const auto* found =
      std::find_if(std::begin(pane_rows), std::end(pane_rows), [&](const Pane& pane) { return pane.id == id; });
  if (found == std::end(pane_rows))
    throw std::out_of_range("no pane is called '" + std::string(id) +
                            "': give it a row in walkthroughs/reader/panes.cpp");
  return *found;
}

const std::vector<std::string>& lesson_panes() {
  static const std::vector<std::string> ids = [] {
    std::vector<std::string> all;
    for (const Pane& pane : pane_rows)
      if (pane.in_lessons) all.emplace_back(pane.id);
    return all;
  }();
  return ids;
}

const std::vector<std::string>& panes_of(const Stop* stop) {
  static const std::vector<std::string> usual{"view", "tree", "narration", "arrays"};
  return stop && !stop->panes.empty() ? stop->panes : usual;
}

}  // namespace kdscope
