#include "walkthroughs/reader/panes.hpp"

#include <algorithm>
#include <stdexcept>

#include "walkthroughs/reader/lesson.hpp"

namespace kdscope {
namespace {

constexpr bool by_stops = true;
constexpr Pane pane_rows[] = {
    {"view", "View", "The points or triangles in space, with the cells and split planes of the tree", by_stops,
     PaneForm::picture, PaneFigure::space},
    {"tree", "Tree", "The tree so far", by_stops, PaneForm::picture, PaneFigure::tree},
    {"arrays", "Arrays", "The arrays of the run, one table per index space", by_stops, PaneForm::table,
     PaneFigure::table},
    {"narration", "Narration", "What the step does, and the questions of the lesson", by_stops, PaneForm::text},
    {"source", "Source", "The pseudo-code with its values, and the source of the step", by_stops, PaneForm::picture,
     PaneFigure::code},
    {"histogram", "Histogram", "Arrays of counts, one cell per count", by_stops, PaneForm::picture, PaneFigure::counts},
    {"candidates", "Split candidates", "The cost of every split candidate of a node", by_stops, PaneForm::picture,
     PaneFigure::costs},
    {"coordinates", "Parallel coordinates", "One line per point, one axis per dimension", by_stops, PaneForm::picture,
     PaneFigure::coordinates},
    {"search", "Search", "A query, and the steps of the search that answers it", by_stops, PaneForm::text},
    {"run", "Run", "The data, the algorithm and the parameters of the next run"},
    {"checks", "Checks", "The invariants of the step, and whether they hold"},
    {"timeline", "Timeline", "The steps of the run by level and phase"},
    {"timing", "Timing", "The time of every step of the build at full speed"},
    {"experiments", "Experiments", "The measurements of the sources, repeated here"},
    {"bookmarks", "Bookmarks", "The steps that you marked"},
    {"points", "Points", "The coordinates of the points, to be edited"},
    {"what_if", "What would change", "The differences that the edited points would make"},
    {"kernel", "Be the kernel", "A step of the run, performed by you"},
    {"picture", "Picture", "A picture of the scene, traced through the tree"},
    {"tracking", "Tracking", "An object that is followed through scans"},
    {"cloud", "Point cloud", "Normals, features and handles of a point cloud"},
    {"biography", "Biography", "What happens to one element in the course of the run"},
    {"legend", "Legend", "What colours, shapes and marks stand for"},
    {"roofline", "Roofline", "The steps of the build against the limits of the device"},
    {"variants", "Variants", "Your own version of a stage, tried and compared"},
    {"watches", "Watches", "Expressions that are evaluated at every step"},
    {"lesson_editor", "Lesson editor", "The lesson that you write"},
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
